import Foundation
import Synchronization
import TalkGit
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore

/// A program that takes what was fetched is ended before each change of the disk in turn: the next one comes to the end that
/// an undisturbed one comes to.
@Suite(.temporaryDirectory) struct ExchangeCrashTests {
    private static let arch = PageName(wiki: bridge.wiki, namespace: "Talk", title: "Arch")
    private static let gone = PageName(wiki: bridge.wiki, namespace: "Talk", title: "Gone")

    private static func revision(_ id: Int64) throws -> (record: RevisionRecord, content: PageContent) {
        (makeRecord(id), try makeCanonicalContent(["text of \(id)"]))
    }

    /// A store that has fetched from another one: revisions, a new page, a dropped one that is bookmarked, and purges.
    private static func prepare(_ path: String, other: String) async throws {
        let there = try Store.create(at: other)
        try await there.add(try [2, 3, 4].map(revision), to: bridge)
        try await there.add([try revision(7)], to: arch)
        try await there.add([try revision(8)], to: gone)
        _ = try await there.purge([RevisionID(rawValue: 3): .text], of: bridge)
        _ = try await there.purge([RevisionID(rawValue: 8): .revision], of: gone)
        let here = try Store.create(at: path)
        try await here.add(try [1, 3, 5].map(revision), to: bridge)
        try await here.add([try revision(8)], to: gone)
        try await here.evict(arch)
        try git(
            "fetch", "--quiet", other, "+refs/heads/*:refs/remotes/other/*", "+refs/meta/*:refs/exchange/other/*",
            in: path)
        // The other one bookmarked what was dropped here.
        let blob = try git("hash-object", "-w", "--stdin", in: path, input: "1\n")
        var tree = try git("mktree", in: path, input: "100644 blob \(blob)\tArch\n")
        for name in ["Talk", "en.wiki.example"] {
            tree = try git("mktree", in: path, input: "040000 tree \(tree)\t\(name)\n")
        }
        let id = try #require(ObjectID(hex: tree))
        let text = String(decoding: SharedRecord.bookmarks.commit(id), as: UTF8.self)
        let commit = try git("hash-object", "-t", "commit", "-w", "--stdin", in: path, input: text)
        try git("update-ref", "refs/exchange/other/bookmarks", commit, in: path)
    }

    private static func run(_ path: String, faults: StoreFaults = .none) async throws {
        let store = try Store.open(at: path, wait: 5, faults: faults)
        let take = try await store.take(from: "other")
        try await store.pushed(take.changes, to: "other")
        try await store.removeCopies(of: take.stained)
    }

    private static func snapshot(_ path: String) throws -> [String] {
        var lines = try git("for-each-ref", "--format=%(refname) %(objectname)", in: path).split(separator: "\n")
            .map(String.init)
        for file in try FileManager.default.subpathsOfDirectory(atPath: path).sorted() {
            let isOurs =
                !file.hasPrefix(".git") || ["state", "evicted"].contains { file.hasPrefix(".git/git-talk/\($0)/") }
            guard isOurs, try Files.information("\(path)/\(file)")?.kind == .file else { continue }
            lines.append("\(file) \(String(decoding: try Files.read("\(path)/\(file)") ?? [], as: UTF8.self))")
        }
        return lines
    }

    @Test func comesToTheSameEndAfterACrashAtAnyStep() async throws {
        let expected = storePath("expected"), steps = Steps()
        try await Self.prepare(expected, other: storePath("other"))
        try await Self.run(expected, faults: StoreFaults { _ in steps.count() })
        let end = try Self.snapshot(expected)
        let store = try Store.open(at: expected)
        #expect(try await store.records(of: bridge).map(\.record.id.rawValue) == [1, 2, 4, 5])
        #expect(try await store.tip(of: Self.arch) != nil)
        #expect(try await store.tip(of: Self.gone) == nil)
        #expect(steps.value > 10)
        for step in 1...steps.value {
            let path = storePath("crash\(step)")
            try await Self.prepare(path, other: storePath("other\(step)"))
            await #expect(processExitsWith: .exitCode(77)) { [path = path as String, step = step as Int] in
                let steps = Steps()
                try await Self.run(path, faults: StoreFaults { _ in if steps.count() == step { _exit(77) } })
            }
            #expect(try runGit(["fsck", "--strict", "--no-dangling"], in: path).status == 0)
            try await Self.run(path)
            let healed = try Self.snapshot(path)
            #expect(healed == end, "step \(step): \(Set(healed).symmetricDifference(end))")
            #expect(try fsck("crash\(step)") == [], "step \(step)")
        }
    }

    private final class Steps: Sendable {
        private let number = Mutex(0)
        var value: Int { number.withLock { $0 } }

        @discardableResult
        func count() -> Int {
            number.withLock {
                $0 += 1
                return $0
            }
        }
    }
}
