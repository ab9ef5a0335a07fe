import Foundation
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore
@testable import TalkSync

/// What three machines with a hub, or in a ring without one, do by turns, and what must be true of them in the end.
struct ExchangeSchedule {
    let seed: UInt64
    let stage: ExchangeStage
    let hasHub: Bool
    private var chance: SeededGenerator
    /// What was purged: no word of it may be left.
    private(set) var purged: [RevisionID: PurgedParts] = [:]
    /// Pages that a machine dropped and did not pull again.
    private(set) var dropped: [Set<PageName>]
    /// Pages on which replies wait, and the numbers of all replies that were written.
    private(set) var pending: [Set<PageName>]
    private(set) var replies: [[Int]]
    private(set) var log: [String] = []

    enum Action: CaseIterable {
        case pull, move, purge, evict, bookmark, reply, restore, breakOff, kill, race, type, collect, exchange

        /// How often it comes, beside the others.
        var weight: Int {
            switch self {
            case .pull: 8
            case .exchange: 7
            case .purge, .evict: 2
            case .move, .bookmark, .reply, .restore, .breakOff, .kill, .race, .type, .collect: 1
            }
        }

        static let all = allCases.flatMap { Array(repeating: $0, count: $0.weight) }
    }

    init(seed: UInt64) async throws {
        self.seed = seed
        stage = try await ExchangeStage(machines: 3)
        hasHub = seed % 4 != 0
        chance = SeededGenerator(seed: seed)
        dropped = Array(repeating: [], count: 3)
        pending = Array(repeating: [], count: 3)
        replies = Array(repeating: [], count: 3)
    }

    private mutating func pick(_ count: Int) -> Int { Int.random(in: 0..<count, using: &chance) }

    private mutating func remote() -> String { hasHub && pick(5) > 0 ? "hub" : "peer" }

    var context: Comment { "seed \(seed) \(log)" }

    mutating func step() async throws {
        let machine = pick(3), number = pick(ExchangeStage.pages.count), page = ExchangeStage.pages[number]
        let action = Action.all[pick(Action.all.count)], store = stage.stores[machine]
        log.append("\(action) m\(machine) \(page.title.prefix(6))")
        switch action {
        case .pull: try await pull(machine, page, number)
        case .move: try await move(machine, page)
        case .purge: try await purge(store, page)
        case .evict: try await evict(machine, page)
        case .bookmark: try await store.turnBookmark(of: page)
        case .reply: try await reply(machine, page)
        case .restore: try await restore(machine)
        case .breakOff: try await breakOff(store)
        case .kill: try await kill(machine)
        case .race:
            guard hasHub else { return }
            let one = stage.exchange(machine), other = stage.exchange((machine + 1) % 3)
            async let first = one.run()
            async let second = other.run()
            _ = try await (first, second)
        case .type:
            // What a user types; a refused push changes nothing.
            let words = [
                ["fetch", "hub"], ["fetch", "--all"], ["push", "hub", "--", "refs/heads/\(ExchangeStage.wiki)/*"],
                ["push", "hub", "main"], ["push", "--all", "hub"],
            ]
            _ = try runGit(words[pick(hasHub ? 5 : 2)], in: store.layout.root)
        case .collect: try stage.run("gc", "--quiet", in: pick(2) == 0 ? stage.hub : store.layout.root)
        case .exchange:
            let result = try await stage.exchange(machine, remote()).run()
            // What a user pushes by hand are branches alone, without the titles that are too long for their names.
            let refused = result.refused.filter { !$0.reason.contains("nobody told the whole of it") }
            #expect(refused == [] && result.denied == [], "\(context) \(refused) \(result.denied)")
        }
        try await noteReturns()
    }

    /// A page that was dropped and came back for its bookmark stays, also when that is taken off later.
    mutating func noteReturns() async throws {
        for (machine, store) in stage.stores.enumerated() {
            for page in dropped[machine] where try await store.tip(of: page) != nil {
                if try await store.isBookmarked(page) { dropped[machine].remove(page) }
            }
        }
    }

    /// Any revisions in any order, in one of two renderings, or rendered again on request.
    private mutating func pull(_ machine: Int, _ page: PageName, _ number: Int) async throws {
        let store = stage.stores[machine], id = Int64(100 * (number + 1) + pick(20))
        var added = [try ExchangeStage.revision(id, of: page, variant: pick(2), render: pick(5) == 0 ? 1 : 0)]
        if pick(2) == 0 { added.append(try ExchangeStage.revision(id + 1, of: page, variant: pick(2))) }
        try await store.add(added, to: page)
        try await keep(page, at: machine)
    }

    /// A page that moved takes its revisions along, also the words of the old title.
    private mutating func move(_ machine: Int, _ page: PageName) async throws {
        let target = ExchangeStage.pages[pick(ExchangeStage.pages.count)], store = stage.stores[machine]
        guard try await store.tip(of: page) != nil, page != target else { return }
        try await store.copyRevisions(of: ExchangeStage.pageID(of: page), from: page, to: target)
        try await keep(target, at: machine)
    }

    private mutating func keep(_ page: PageName, at machine: Int) async throws {
        let store = stage.stores[machine]
        if try store.state(of: page) == nil {
            try await store.save(PageState(page: page, displayTitle: page.prefixedTitle))
        }
        // What is purged whole is not there to be wanted again.
        if try await store.tip(of: page) != nil { dropped[machine].remove(page) }
    }

    private mutating func purge(_ store: Store, _ page: PageName) async throws {
        let records = try await store.records(of: page)
        guard !records.isEmpty else { return }
        var parts: [RevisionID: PurgedParts] = [:]
        // Sometimes all that there is.
        for record in pick(6) == 0 ? records : [records[pick(records.count)]] {
            parts[record.record.id] = [.text, [.user], [.summary, .user], .revision][pick(4)]
        }
        _ = try await RevisionPurge(store: store, wiki: nil).run(parts, of: page, time: "2026-01-01T00:00:00Z")
        for (id, parts) in parts { purged[id, default: []].formUnion(parts) }
    }

    private mutating func evict(_ machine: Int, _ page: PageName) async throws {
        let store = stage.stores[machine]
        // In a ring, what one does not keep does not get to those behind it.
        guard hasHub, try await store.tip(of: page) != nil, !pending[machine].contains(page) else { return }
        if try await store.isBookmarked(page) { return }
        try await store.evict(page)
        dropped[machine].insert(page)
    }

    /// One reply that waits, and one that was set aside.
    private mutating func reply(_ machine: Int, _ page: PageName) async throws {
        let number = 2 * log.count
        guard try await append(number, machine, page) else { return }
        let other = reply(number + 1, RevisionID(rawValue: 0))
        try await stage.stores[machine].discard(
            OutboxEntry(reply: other, page: page, account: "Chloe"), reason: "gone")
        replies[machine].append(number + 1)
    }

    /// A reply that was set aside waits again.
    private mutating func restore(_ machine: Int) async throws {
        let store = stage.stores[machine]
        guard let old = try await store.discarded().first, let number = Int(old.text.split(separator: "-")[2]),
            try await append(number, machine, old.entry.page)
        else { return }
        try await store.removeDiscarded(old.entry.reply.id)
    }

    private func reply(_ number: Int, _ base: RevisionID) -> PendingReply {
        PendingReply(
            id: ReplyID.make(milliseconds: 1_700_000_500_000 + Int64(number), random: (1, 2)), kind: .topic,
            text: "secret-reply-\(number)-end", target: nil, heading: "H", base: base, created: 1_700_000_500,
            expires: 1_800_000_000)
    }

    private mutating func append(_ number: Int, _ machine: Int, _ page: PageName) async throws -> Bool {
        let store = stage.stores[machine]
        let branch = try await store.pendingBranch(of: page)
        guard branch.commits.isEmpty else { return false }
        let html = "<p>x</p><h2>H</h2><p>secret-reply-\(number)-end</p>"
        let placed = PlacedReply(
            reply: reply(number, branch.base?.record.id ?? RevisionID(rawValue: 0)), author: "Chloe",
            content: try CanonicalPage.content(of: html, wiki: nil))
        _ = try await store.appendPending(placed, to: branch)
        pending[machine].insert(page)
        replies[machine].append(number)
        return true
    }

    /// An exchange ends after the fetch, after what was fetched was taken, or after it was given.
    private mutating func breakOff(_ store: Store) async throws {
        let name = remote()
        let repository = RemoteRepository(name: name, git: stage.program(store), directory: store.layout.root)
        let refused = try await store.fetch(from: repository)
        guard pick(2) == 0 else { return }
        let take = try await store.take(from: name, refused: refused)
        if pick(2) == 0, name == "hub" { _ = try await store.push(take.changes, to: repository) }
    }

    /// Git, and what it talks to, is ended before one of its changes of the disk, here or in the hub.
    private mutating func kill(_ machine: Int) async throws {
        let step = 1 + pick(60), name = remote(), directory = URL(filePath: stage.root).appending(path: "kill")
        guard KillShim.isThere else { return }
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let git = try KillShim.git(in: directory, endingAt: step)
        _ = try? await stage.exchange(machine, name, git: git).run()
        // A minute later nobody has these locks any more; at a hub somebody removes them.
        for place in stage.stores.map(\.layout.gitDirectory) + [stage.hub] {
            for file in try FileManager.default.subpathsOfDirectory(atPath: "\(place)/refs")
            where file.hasSuffix(".lock") {
                try FileManager.default.removeItem(atPath: "\(place)/refs/\(file)")
            }
        }
    }
}
