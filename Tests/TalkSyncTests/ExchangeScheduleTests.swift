import Foundation
import TalkGit
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
        var schedule = try await ExchangeSchedule(seed: seed)
        for _ in 0..<40 { try await schedule.step() }
        try await schedule.settle()
        try await schedule.checkReferences()
        try await schedule.checkObjects()
    }
}

extension ExchangeSchedule {
    /// Everybody exchanges until nothing happens any more.
    fileprivate mutating func settle() async throws {
        var rounds = 0
        var quiet = 0
        while quiet < 2 {
            rounds += 1
            try #require(rounds <= 8, "no end, \(context)")
            var isQuiet = true
            for machine in 0..<3 {
                let result = try await stage.exchange(machine, hasHub ? "hub" : "peer").run()
                // What a user pushed last has no long titles, until the machine that knows them exchanges.
                let refused = result.refused.filter { !$0.reason.contains("nobody told the whole of it") }
                #expect(refused == [] && result.denied == [], "\(context) \(refused) \(result.denied)")
                if !result.refused.isEmpty { isQuiet = false }
                // The bookmark may be off at a machine that has not told yet.
                try await noteReturns()
                if !result.pages.isEmpty || !result.given.isEmpty || result.bookmarks > 0 { isQuiet = false }
            }
            quiet = isQuiet ? quiet + 1 : 0
        }
        guard hasHub else { return }
        for machine in 0..<3 {
            let result = try await stage.exchange(machine, "peer").run()
            #expect(result.pages == [], context)
        }
    }

    private var places: [String] { stage.stores.map(\.layout.root) + (hasHub ? [stage.hub] : []) }

    /// The same commits everywhere, and nothing that was dropped came back.
    fileprivate func checkReferences() async throws {
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
                let isBookmarked = try await store.isBookmarked(page)
                if dropped[machine].contains(page), !isBookmarked {
                    #expect(own[branch] == nil, "\(branch) came back to m\(machine), \(context)")
                } else {
                    #expect(own[branch] == all[branch], "\(branch) is not at m\(machine), \(context)")
                }
                guard own[branch] != nil else { continue }
                let positions = try await store.records(of: page).map { ($0.record.timestamp, $0.record.id) }
                #expect(zip(positions, positions.dropFirst()).allSatisfy { $0 < $1 }, context)
                if pending[machine].isEmpty {
                    #expect(try store.reader.stamp(of: page)?.commit == own[branch], context)
                }
            }
        }
    }

    /// What a git that was killed protects: a store is looked through for it every hour, at a hub somebody does so.
    private func removeKeeps(of machine: Int?, _ place: String) throws {
        let packs = "\(place)\(machine == nil ? "" : "/.git")/objects/pack"
        for name in try Files.list(packs) ?? [] where name.hasSuffix(".keep") {
            if machine == nil { try Files.remove("\(packs)/\(name)") }
        }
        guard let machine else { return }
        let recovery = StoreRecovery(layout: stage.stores[machine].layout)
        try recovery.removePackLeftovers(try Files.touch(stage.stores[machine].layout.lock) + 120 * 1_000_000_000)
    }

    /// Nothing that was purged is left in any object, and nothing that waits left its machine.
    fileprivate func checkObjects() async throws {
        for place in places {
            let machine = stage.stores.firstIndex { $0.layout.root == place }
            // Pending replies still stand on what was purged: without the wiki nobody can fit them.
            for page in machine.map({ pending[$0] }) ?? [] {
                try stage.run("update-ref", "-d", StoreLayout.pendingBranch(of: page), in: place)
            }
            try removeKeeps(of: machine, place)
            try stage.run("gc", "--quiet", "--prune=now", in: place)
            let lines = try stage.run("fsck", "--strict", "--no-dangling", in: place).split(separator: "\n")
            #expect(lines.allSatisfy { $0.hasPrefix("notice: ") }, "\(lines) \(context)")
            let everything = try stage.everything(in: place)
            for (id, parts) in purged {
                for (part, word) in [(PurgedParts.text, "text"), (.user, "user"), (.summary, "summary")]
                where parts.isWhole || parts.contains(part) {
                    let isThere = everything.contains("\(word)-\(id)-end")
                    #expect(!isThere, "\(place) has \(word)-\(id)-end, \(context)")
                }
            }
            for other in replies.indices where other != machine {
                for number in replies[other] {
                    let isThere = everything.contains("secret-reply-\(number)-end")
                    #expect(!isThere, "\(place) has the reply \(number), \(context)")
                }
            }
        }
    }
}
