import Foundation
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore
@testable import TalkSync

/// Whatever three machines do, and whatever breaks off, they come to the same commits.
///
/// `GIT_TALK_SCHEDULES=200` plays so many; a failure names the seed, and `GIT_TALK_SEED=<seed>` plays that one.
@Suite(.temporaryDirectory, .serialized) struct ExchangeScheduleTests {
    private static let environment = ProcessInfo.processInfo.environment
    static let seeds: [UInt64] = {
        if let seed = environment["GIT_TALK_SEED"].flatMap({ UInt64($0) }) { return [seed] }
        let count = environment["GIT_TALK_SCHEDULES"].flatMap { Int($0) } ?? 6
        let first = UInt64.random(in: 0...9_999_999)
        return (0..<UInt64(count)).map { first + $0 }
    }()

    @Test(arguments: seeds) func machinesConverge(seed: UInt64) async throws {
        var schedule = try await Schedule(seed: seed)
        for _ in 0..<40 { try await schedule.step() }
        try await schedule.settle()
        try await schedule.check()
    }
}

private struct Schedule {
    let seed: UInt64
    let stage: ExchangeStage
    let hasHub: Bool
    var chance: SeededGenerator
    /// What was purged: no word of it may be left.
    var purged: [PageName: [RevisionID: PurgedParts]] = [:]
    /// Pages that a machine dropped and did not pull again.
    var dropped: [Set<PageName>]
    var pending: [Set<PageName>]
    var log: [String] = []

    init(seed: UInt64) async throws {
        self.seed = seed
        stage = try await ExchangeStage(machines: 3)
        hasHub = seed % 4 != 0
        chance = SeededGenerator(seed: seed)
        dropped = Array(repeating: [], count: 3)
        pending = Array(repeating: [], count: 3)
    }

    mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &chance) }

    mutating func remote() -> String { hasHub && pick(5) > 0 ? "hub" : "peer" }

    mutating func step() async throws {
        let machine = pick(3), store = stage.stores[machine], page = ExchangeStage.pages[pick(4)]
        let id = Int64(1 + pick(20))
        let action = pick(26)
        log.append("\(action) m\(machine) \(page.title.prefix(6)) \(id)")
        switch action {
        case 0..<8:
            let revision = try ExchangeStage.revision(id, of: page, variant: pick(2), render: pick(5) == 0 ? 1 : 0)
            var added = [revision]
            if pick(2) == 0 { added.append(try ExchangeStage.revision(id + 1, of: page, variant: pick(2))) }
            try await store.add(added, to: page)
            if try store.state(of: page) == nil {
                try await store.save(PageState(page: page, displayTitle: page.prefixedTitle))
            }
            // What is purged whole is not there to be wanted again.
            if try await store.tip(of: page) != nil { dropped[machine].remove(page) }
        case 8:
            // A page that moved takes its revisions along, also the words of the old title.
            let target = ExchangeStage.pages[pick(4)]
            if try await store.tip(of: page) != nil, page != target, purged.isEmpty {
                let id = PageID(rawValue: Int64((ExchangeStage.pages.firstIndex(of: page) ?? 0) + 1))
                try await store.copyRevisions(of: id, from: page, to: target)
                if try store.state(of: target) == nil {
                    try await store.save(PageState(page: target, displayTitle: target.prefixedTitle))
                }
                if try await store.tip(of: target) != nil { dropped[machine].remove(target) }
            }
        case 9, 10: try await purge(store, page)
        case 11, 12:
            // In a ring, what one does not keep does not get to those behind it.
            guard hasHub else { return }
            guard try await store.tip(of: page) != nil, !pending[machine].contains(page) else { return }
            if try store.isBookmarkedNow(page) { return }
            try await store.evict(page)
            dropped[machine].insert(page)
        case 13: try await store.turnBookmark(of: page)
        case 14: try await write(machine, page)
        case 15:
            // Cut off after the fetch, or after what was fetched was taken.
            let name = remote()
            let repository = RemoteRepository(name: name, git: stage.program(store), directory: store.layout.root)
            let refused = try await store.fetch(from: repository)
            if pick(2) == 0 {
                let take = try await store.take(from: name, refused: refused)
                if pick(2) == 0, name == "hub" { _ = try repository.push(take.changes) }
            }
        case 16:
            // Two at once.
            guard hasHub else { return }
            let one = stage.exchange(machine), other = stage.exchange((machine + 1) % 3)
            async let first = one.run()
            async let second = other.run()
            _ = try await (first, second)
        case 17:
            // What a user types; a refused push changes nothing.
            let words = [
                ["fetch", "hub"], ["fetch", "--all"], ["push", "hub", "--", "refs/heads/\(ExchangeStage.wiki)/*"],
                ["push", "hub", "main"], ["push", "--all", "hub"],
            ]
            _ = try runGit(words[pick(hasHub ? 5 : 2)], in: store.layout.root)
        case 18: try stage.run("gc", "--quiet", in: pick(2) == 0 ? stage.hub : store.layout.root)
        default:
            let result = try await stage.exchange(machine, remote()).run()
            // What a user pushes by hand are branches alone, without the titles that are too long for their names.
            let refused = result.refused.filter { !$0.reason.contains("nobody told the whole of it") }
            #expect(refused == [] && result.denied == [], "seed \(seed) \(log) \(refused) \(result.denied)")
        }
    }

    private mutating func purge(_ store: Store, _ page: PageName) async throws {
        let records = try await store.records(of: page)
        guard !records.isEmpty else { return }
        let id = records[pick(records.count)].record.id
        let parts: PurgedParts = [.text, [.user], [.summary, .user], .revision][pick(4)]
        _ = try await RevisionPurge(store: store, wiki: nil).run([id: parts], of: page, time: "2026-01-01T00:00:00Z")
        purged[page, default: [:]][id, default: []].formUnion(parts)
    }

    private mutating func write(_ machine: Int, _ page: PageName) async throws {
        let store = stage.stores[machine]
        let branch = try await store.pendingBranch(of: page)
        guard branch.commits.isEmpty else { return }
        let number = log.count
        func reply(_ offset: Int) -> PendingReply {
            PendingReply(
                id: ReplyID.make(milliseconds: 1_700_000_500_000 + Int64(number * 2 + offset), random: (1, 2)),
                kind: .topic, text: "secret-reply-\(number)", target: nil, heading: "H",
                base: branch.base?.record.id ?? RevisionID(rawValue: 0), created: 1_700_000_500, expires: 1_800_000_000)
        }
        let content = try CanonicalPage.content(of: "<p>x</p><h2>H</h2><p>secret-reply-\(number)</p>", wiki: nil)
        try await store.appendPending(PlacedReply(reply: reply(0), author: "Chloe", content: content), to: branch)
        try await store.discard(OutboxEntry(reply: reply(1), page: page, account: "Chloe"), reason: "gone")
        pending[machine].insert(page)
    }

    /// Everybody exchanges until nothing happens any more.
    mutating func settle() async throws {
        var rounds = 0
        var quiet = 0
        while quiet < 2 {
            rounds += 1
            try #require(rounds <= 8, "seed \(seed): no end, \(log)")
            var isQuiet = true
            for machine in 0..<3 {
                let result = try await stage.exchange(machine, hasHub ? "hub" : "peer").run()
                #expect(
                    result.refused == [] && result.denied == [],
                    "seed \(seed) \(log) \(result.refused) \(result.denied)")
                if !result.pages.isEmpty || !result.given.isEmpty || result.bookmarks > 0 { isQuiet = false }
            }
            quiet = isQuiet ? quiet + 1 : 0
        }
        if hasHub {
            for machine in 0..<3 {
                let result = try await stage.exchange(machine, "peer").run()
                #expect(result.pages == [], "seed \(seed) \(log)")
            }
        }
    }

    func check() async throws {
        let context: Comment = "seed \(seed) \(log)"
        let places = stage.stores.map(\.layout.root) + (hasHub ? [stage.hub] : [])
        var all: [String: String] = [:]
        for place in places {
            for (name, id) in try stage.shared(place) {
                #expect(all[name] == nil || all[name] == id, "\(name) differs at \(place), \(context)")
                all[name] = id
            }
        }
        if hasHub { #expect(try stage.shared(stage.hub) == all, context) }
        for (machine, store) in stage.stores.enumerated() {
            let own = try stage.shared(store.layout.root)
            for page in ExchangeStage.pages {
                let branch = StoreLayout.branch(of: page)
                let isUnwanted = try dropped[machine].contains(page) && !store.isBookmarkedNow(page)
                if isUnwanted {
                    #expect(own[branch] == nil, "\(branch) came back to m\(machine), \(context)")
                } else {
                    #expect(own[branch] == all[branch], "\(branch) is not at m\(machine), \(context)")
                }
                guard own[branch] != nil else { continue }
                let ids = try await store.records(of: page).map { ($0.record.timestamp, $0.record.id) }
                #expect(zip(ids, ids.dropFirst()).allSatisfy { $0 < $1 }, context)
                if pending[machine].isEmpty {
                    #expect(try store.reader.stamp(of: page)?.commit == own[branch], context)
                }
            }
        }
        for place in places {
            // Pending replies still stand on what was purged: without the wiki nobody can fit them.
            let machine = stage.stores.firstIndex { $0.layout.root == place }
            if let machine {
                for page in pending[machine] {
                    try stage.run("update-ref", "-d", StoreLayout.pendingBranch(of: page), in: place)
                }
            }
            try stage.run("gc", "--quiet", "--prune=now", in: place)
            let lines = try stage.run("fsck", "--strict", "--no-dangling", in: place).split(separator: "\n")
            #expect(lines.allSatisfy { $0.hasPrefix("notice: ") }, "\(lines) \(context)")
            let everything = try stage.everything(in: place)
            for (page, revisions) in purged {
                let number = ExchangeStage.pages.firstIndex(of: page) ?? 9
                for (id, parts) in revisions {
                    for (part, word) in [(PurgedParts.text, "text"), (.user, "user"), (.summary, "summary")]
                    where parts.isWhole || parts.contains(part) {
                        #expect(!everything.contains("\(word)-\(number)-\(id)-end"), "\(place) has it, \(context)")
                    }
                }
            }
            if machine == nil { #expect(!everything.contains("secret-reply"), context) }
            for other in pending.indices where other != machine {
                for number in log.indices where log[number].hasPrefix("14 m\(other)") {
                    #expect(!everything.contains("secret-reply-\(number + 1)\""), "\(place), \(context)")
                }
            }
        }
    }
}

extension Store {
    fileprivate nonisolated func isBookmarkedNow(_ page: PageName) throws -> Bool {
        let (status, output) = try runGit(
            ["cat-file", "blob", "refs/meta/bookmarks:\(StoreLayout.component(of: page))"], in: layout.root)
        return status == 0 && (Int(output.dropLast()) ?? 0) % 2 == 1
    }
}
