import Foundation
import TalkGit
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore

/// Ends git-talk or git before each change of the disk while pages are evicted and the store is packed.
///
/// What stays is whole, nothing blocks, and the same command comes to its end. A few of the changes by default, all by
/// `make crash`.
@Suite(.temporaryDirectory) struct PackingCrashTests {
    private static func page(_ title: String) -> PageName {
        PageName(wiki: bridge.wiki, namespace: "Talk", title: title)
    }

    /// The changes to end before, of so many: with all of them it takes a minute or two.
    private static func steps(_ count: Int, _ what: String) -> [Int] {
        let isThorough = ProcessInfo.processInfo.environment["GIT_TALK_CRASH_RUNS"] != nil
        let steps = Array(stride(from: 1, through: count, by: isThorough ? 1 : 9))
        print("\(what): ended before \(steps.count) of \(count) changes of the disk")
        return steps
    }

    private static func copy(_ name: String, as other: String) throws {
        try FileManager.default.copyItem(atPath: storePath(name), toPath: storePath(other))
    }

    private static let kept = ["Kept", "Answered"], dropped = ["Gone", "Gone too"]

    /// Two pages that stay, one with a reply that waits, two that go, and a remote that had one of them.
    private static func prepare(_ name: String) async throws {
        let store = try Store.create(at: storePath(name))
        for title in kept + dropped {
            for id in Int64(2)...4 {
                try await store.add([(makeRecord(id), makeContent(["\(title) \(id)", "more"]))], to: page(title))
            }
            try await store.save(PageState(page: page(title), displayTitle: title))
            store.visit(page(title), at: 1_700_000_000)
        }
        let branch = try await store.pendingBranch(of: page("Answered"))
        try await store.appendPending(
            PlacedReply(reply: makeReply(1, base: 4), author: "Chloe", content: makeContent(["mine", "more"])),
            to: branch)
        let tip = try git("rev-parse", StoreLayout.branch(of: page("Gone")), in: storePath(name)).dropLast()
        try git("update-ref", "refs/remotes/hub/en.wiki.example/Talk/Gone", String(tip), in: storePath(name))
    }

    private static func run(_ name: String, _ program: GitProgram, faults: StoreFaults = .none) async throws {
        let store = try Store.open(at: storePath(name), wait: 5, faults: faults)
        _ = try await store.evict(dropped.map(page), estimatingWith: program)
        try await store.collectGarbage(program)
    }

    /// Right after the end: git is content, and the pages that stay are whole.
    private static func checkWhole(_ name: String, _ context: String) async throws {
        #expect(try fsck(name) == [], "\(context)")
        let store = try Store.open(at: storePath(name), wait: 0)
        for title in kept {
            #expect(try await store.records(of: page(title)).count == 3, "\(context)")
            #expect(
                try await store.content(of: page(title), at: RevisionID(rawValue: 3))
                    == makeContent(["\(title) 3", "more"]), "\(context)")
        }
        #expect(try store.reader.page(page("Answered"))?.content == makeContent(["mine", "more"]), "\(context)")
    }

    /// The next command, which no lock keeps from its work, leaves what an undisturbed one leaves.
    private static func checkEnd(_ name: String, _ context: String) async throws {
        // Halves of packs are left alone while a fetch of the user's may be writing them.
        let packs = storePath(name) + "/.git/objects/pack"
        for file in try Files.list(packs) ?? [] { try Files.mark("\(packs)/\(file)", at: 1_700_000_000) }
        try await run(name, gitProgram(name))
        try await checkWhole(name, context)
        let root = storePath(name)
        let references = try git("for-each-ref", "--format=%(refname)", in: root).split(separator: "\n")
        #expect(
            references == [
                "refs/heads/en.wiki.example/Talk/Answered", "refs/heads/en.wiki.example/Talk/Kept", "refs/heads/main",
                "refs/heads/pending/en.wiki.example/Talk/Answered",
            ], "\(context)")
        let count = try git("count-objects", "-v", in: root)
        #expect(count.contains("\nprune-packable: 0\ngarbage: 0\n"), "\(context): \(count)")
        let files = try FileManager.default.subpathsOfDirectory(atPath: root)
        #expect(
            files.filter {
                $0.contains("Gone") && !$0.contains("/evicted/") || $0.contains("tmp_") || $0.hasSuffix(".new")
            } == [], "\(context)")
        let state = try Store.open(at: root, wait: 0).packing()
        let names = try Files.list(packs)
        #expect(state.packs == 1 && state.loose == 0 && state.garbage == 0, "\(context): \(names ?? [])")
    }

    @Test func thisProgramEndsAnywhere() async throws {
        let steps = StepCounter()
        try await Self.prepare("store")
        try Self.copy("store", as: "whole")
        try await Self.run("whole", gitProgram("whole"), faults: StoreFaults { _ in steps.count() })
        #expect(steps.value > 10)
        for step in 1...steps.value {
            let name = "end\(step)"
            try Self.copy("store", as: name)
            await #expect(processExitsWith: .exitCode(77)) { [path = storePath(name) as String, step = step as Int] in
                let steps = StepCounter()
                let faults = StoreFaults { _ in if steps.count() == step { _exit(77) } }
                let store = try Store.open(at: path, wait: 5, faults: faults)
                let git = GitProgram(
                    path: "/usr/bin/git", repository: store.layout.gitDirectory,
                    environment: ["PATH": "/usr/bin:/bin", "HOME": path])
                _ = try await store.evict(Self.dropped.map(Self.page), estimatingWith: git)
                try await store.collectGarbage(git)
            }
            try await Self.checkWhole(name, "step \(step)")
            try await Self.checkEnd(name, "step \(step)")
        }
    }

    @Test(.killShim, arguments: [false, true]) func gitEndsAnywhere(powerFails: Bool) async throws {
        let directory = TemporaryDirectory.current
        try await Self.prepare("store")
        try Self.copy("store", as: "whole")
        try await Self.run(
            "whole", gitProgram("whole", path: try KillShim.git(in: directory, endingAt: nil, powerFails: powerFails)))
        let changes = try KillShim.changes(in: directory)
        #expect(changes > 30)
        for step in Self.steps(changes, "evict, power fails: \(powerFails)") {
            let name = "end\(step)"
            try Self.copy("store", as: name)
            let path = try KillShim.git(in: directory, endingAt: step, powerFails: powerFails)
            await #expect(throws: TalkError.self, "step \(step)") {
                try await Self.run(name, gitProgram(name, path: path))
            }
            try await Self.checkWhole(name, "step \(step) of \(changes)")
            try await Self.checkEnd(name, "step \(step) of \(changes)")
            try FileManager.default.removeItem(atPath: storePath(name))
        }
    }

    @Test(.killShim, arguments: [false, true]) func gitEndsAnywhereWhilePacksAreJoined(powerFails: Bool) async throws {
        let directory = TemporaryDirectory.current
        let store = try makeStore()
        for id in Int64(1)...33 { try await store.add([(makeRecord(id), makeContent(["text \(id)"]))], to: bridge) }
        try Self.copy("store", as: "whole")
        let whole = try KillShim.git(in: directory, endingAt: nil, powerFails: powerFails)
        try await Store.open(at: storePath("whole")).packIfDue(gitProgram("whole", path: whole))
        let changes = try KillShim.changes(in: directory)
        #expect(changes > 66)
        for step in Self.steps(changes, "packs joined, power fails: \(powerFails)") {
            let name = "end\(step)", context = "step \(step) of \(changes)"
            try Self.copy("store", as: name)
            let store = try Store.open(at: storePath(name))
            let path = try KillShim.git(in: directory, endingAt: step, powerFails: powerFails)
            await #expect(throws: TalkError.self, "\(context)") {
                try await store.packIfDue(gitProgram(name, path: path))
            }
            #expect(try fsck(name) == [], "\(context)")
            try await store.packIfDue(gitProgram(name))
            #expect(try await store.records(of: bridge).count == 33 && store.packing().packs <= 32, "\(context)")
            try await store.add([(makeRecord(40), makeContent(["later"]))], to: bridge)
            #expect(try fsck(name) == [], "\(context)")
            try FileManager.default.removeItem(atPath: storePath(name))
        }
    }
}
