import Foundation
import TalkGit
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore

/// Ends the program before each change of the disk in turn; the next command must find nothing lost and come to the end
/// that an undisturbed run comes to.
@Suite(.temporaryDirectory) struct CrashTests {
    enum Scenario: String, CaseIterable, Codable {
        case create, addFirst, addNext, addOlder, addBesidePending, appendFirst, appendNext, rebase, deletePending,
            discard
        case saveEntry, removeEntry, evict
    }

    @Test(arguments: Scenario.allCases)
    func healsAfterACrashAtAnyStep(scenario: Scenario) async throws {
        // How many steps it takes, and where it leads.
        let expected = storePath("expected")
        try await Script.prepare(scenario, at: expected)
        let steps = StepCounter()
        try await Script.run(scenario, at: expected, faults: StoreFaults { _ in steps.count() })
        let end = try await Script.snapshot(expected)
        #expect(steps.value >= 1)

        for step in 1...steps.value {
            let path = storePath("crash\(step)")
            try await Script.prepare(scenario, at: path)
            let name = scenario.rawValue
            await #expect(processExitsWith: .exitCode(77)) {
                [name = name as String, path = path as String, step = step as Int] in
                let steps = StepCounter()
                let faults = StoreFaults { _ in if steps.count() == step { _exit(77) } }
                try await Script.run(Scenario(rawValue: name)!, at: path, faults: faults)
            }
            try await Script.checkWhole(path)
            // The same command again, then a look at everything.
            try await Script.run(scenario, at: path, faults: .none)
            let healed = try await Script.snapshot(path)
            #expect(healed == end, "after a crash at step \(step): \(Set(healed).symmetricDifference(end))")
            #expect(try fsck("crash\(step)") == [], "after a crash at step \(step)")
        }
    }

    /// What happens between two commands: the preparation, the command, and everything that one can see afterwards.
    private enum Script {
        static func placed(_ number: Int, _ texts: [String], base: Int64) -> PlacedReply {
            PlacedReply(reply: makeReply(number, base: base), author: "Chloe", content: makeContent(texts))
        }

        static func prepare(_ scenario: Scenario, at path: String) async throws {
            guard scenario != .create else { return }
            let store = try Store.create(at: path)
            if scenario != .addFirst {
                try await store.add(
                    [(makeRecord(2), makeContent(["one"])), (makeRecord(3), makeContent(["one", "two"]))], to: bridge)
            }
            switch scenario {
            case .addBesidePending, .appendNext, .deletePending, .rebase:
                let empty = try await store.pendingBranch(of: bridge)
                try await store.appendPending(placed(1, ["one", "two, mine"], base: 3), to: empty)
                if scenario == .rebase {
                    try await store.add([(makeRecord(4), makeContent(["one", "two, theirs"]))], to: bridge)
                }
            case .removeEntry:
                try await store.save(OutboxEntry(reply: makeReply(1), page: bridge, account: "Chloe"))
            case .evict:
                try await store.save(PageState(page: bridge, displayTitle: "x"))
            default: break
            }
        }

        static func run(_ scenario: Scenario, at path: String, faults: StoreFaults) async throws {
            if scenario == .create {
                _ = try Store.create(at: path, wait: 5, faults: faults)
                return
            }
            let store = try Store.open(at: path, wait: 5, faults: faults)
            switch scenario {
            case .create: break
            case .addFirst, .addNext, .addBesidePending:
                try await store.add([(makeRecord(5), makeContent(["one", "two", "three"]))], to: bridge)
            case .addOlder:
                try await store.add([(makeRecord(1), makeContent(["zero"]))], to: bridge)
            case .appendFirst, .appendNext:
                let branch = try await store.pendingBranch(of: bridge)
                try await store.appendPending(placed(2, ["one", "two, mine, more"], base: 3), to: branch)
            case .rebase:
                let branch = try await store.pendingBranch(of: bridge)
                try await store.replacePending(branch, with: [placed(1, ["one", "two, theirs, mine"], base: 4)])
            case .deletePending:
                try await store.replacePending(store.pendingBranch(of: bridge), with: [])
            case .discard:
                try await store.discard(
                    OutboxEntry(reply: makeReply(1), page: bridge, account: "Chloe"), reason: "gone")
            case .saveEntry:
                try await store.save(OutboxEntry(reply: makeReply(1), page: bridge, account: "Chloe"))
            case .removeEntry:
                try await store.removeEntry(makeReply(1).id)
            case .evict:
                try await store.evict(bridge)
            }
        }

        /// Right after the crash, before anything is repaired: git is content, and the page is whole.
        static func checkWhole(_ path: String) async throws {
            guard try Files.information(path + "/.git") != nil else { return }
            let (status, output) = try runGit(["fsck", "--strict", "--no-dangling"], in: path)
            #expect(status == 0, "\(output)")
            let reader = try PageReader(at: path)
            if let page = try reader.page(bridge) {
                #expect(try runGit(["cat-file", "-e", page.stamp.commit], in: path).status == 0)
            }
            #expect(try reader.outbox().unreadable == [])
        }

        /// References, files of pages and journals.
        static func snapshot(_ path: String) async throws -> [String] {
            var lines = try git("for-each-ref", "--format=%(refname) %(objectname)", in: path).split(separator: "\n")
                .map(String.init)
            for file in try FileManager.default.subpathsOfDirectory(atPath: path).sorted() {
                let isPrivate = file.hasPrefix(".git/git-talk/")
                guard !file.hasPrefix(".git") || isPrivate, try Files.information("\(path)/\(file)")?.kind == .file,
                    !["lock", "recovered", "garbage"].contains(file.split(separator: "/").last),
                    !file.hasPrefix(".git/git-talk/locks/")
                else { continue }
                let bytes = try Files.read("\(path)/\(file)") ?? []
                lines.append("\(file) \(String(decoding: bytes, as: UTF8.self))")
            }
            return lines
        }
    }
}
