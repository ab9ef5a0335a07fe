import Foundation
import TalkGit
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore

@Suite(.temporaryDirectory) struct RecoveryTests {
    private var git: String { storePath() + "/.git" }

    private func make(_ path: String, minutesOld: Int, _ bytes: [UInt8] = []) throws {
        try Files.makeDirectories(Files.directory(of: path))
        try Files.create(path, bytes, mode: 0o600)
        let date = Date(timeIntervalSinceNow: -60 * Double(minutesOld))
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
    }

    @Test func removesWhatDeadProgramsLeftAndNothingElse() async throws {
        try await makeStore().add([(makeRecord(1), makeContent(["one"]))], to: bridge)
        let branch = StoreLayout.branch(of: bridge)
        let gone = [
            "\(git)/\(branch).lock", "\(git)/HEAD.lock", "\(git)/packed-refs.lock", "\(git)/objects/12/tmp_obj_x",
            "\(git)/objects/pack/pack_git2_x", "\(git)/objects/pack/tmp_pack_y",
            "\(git)/objects/ab/" + String(repeating: "0", count: 38), "\(git)/git-talk/outbox/.new-x",
            "\(git)/git-talk/staging/w/Talk/X/page.json", "\(git)/worktrees/w/index.lock",
            "\(git)/objects/pack/.tmp-12-pack-a.pack", "\(git)/objects/pack/.tmp-12-pack-a.idx",
            "\(git)/objects/pack/pack-b.idx", "\(git)/objects/pack/pack-c.pack", "\(git)/objects/pack/pack-c.rev",
            "\(git)/objects/tmp_objdir-git-talk-x/pack-d.pack",
        ]
        let kept = [
            "\(git)/refs/heads/a/b/c.lock", "\(git)/objects/pack/tmp_pack_new", "\(git)/git-talk/outbox/x.json",
            "\(git)/objects/pack/pack-e.pack", "\(git)/objects/pack/.tmp-13-pack-f.pack",
        ]
        // Of a fetch of the user's that is at work, of one that died, of a program of ours that died, and the user's own.
        let fetched = "\(git)/objects/pack/pack-g.keep", ours = "\(git)/objects/pack/pack-h.keep"
        let died = "\(git)/objects/pack/pack-i.keep", users = "\(git)/objects/pack/pack-j.keep"
        let empty = "\(git)/objects/pack/pack-k.keep"
        for name in ["g", "h", "i", "j", "k"] {
            for end in ["pack", "idx"] { try make("\(git)/objects/pack/pack-\(name).\(end)", minutesOld: 90) }
        }
        try make(fetched, minutesOld: 0, Array("fetch-pack 12 on here\n".utf8))
        try make(died, minutesOld: 2, Array("fetch-pack 13 on here\n".utf8))
        try make(empty, minutesOld: 2)
        try make(users, minutesOld: 90, Array("big release\n".utf8))
        try make(ours, minutesOld: 0, Array("git-talk\n".utf8))
        for path in gone { try make(path, minutesOld: 90) }
        for path in kept { try make(path, minutesOld: 0) }
        try Files.remove(git + "/git-talk/recovered")
        try await Store.open(at: storePath()).save(PageState(page: bridge, displayTitle: "x"))
        for path in gone { #expect(try Files.information(path) == nil, "\(path)") }
        for path in kept + [fetched, users] { #expect(try Files.information(path) != nil, "\(path)") }
        for path in [ours, died, empty] { #expect(try Files.information(path) == nil, "\(path)") }
        #expect(try Files.information("\(git)/objects/pack/pack-h.pack") != nil)
        #expect(try await Store.open(at: storePath()).records(of: bridge).count == 1)
    }

    @Test func looksThroughOnceAnHour() async throws {
        let store = try makeStore()
        try await store.save(PageState(page: bridge, displayTitle: "x"))
        let litter = "\(git)/objects/pack/tmp_pack_y", mark = git + "/git-talk/recovered"
        try make(litter, minutesOld: 90)
        try await Store.open(at: storePath()).save(PageState(page: bridge, displayTitle: "y"))
        #expect(try Files.information(litter) != nil)
        for minutes in [70, -70] {
            try Files.remove(mark)
            try make(mark, minutesOld: minutes)
            if minutes < 0 { try make(litter, minutesOld: 90) }
            try await Store.open(at: storePath()).save(PageState(page: bridge, displayTitle: "y"))
            #expect(try Files.information(litter) == nil, "mark \(minutes) minutes old")
        }
    }

    @Test func waitsForNobodyWhenAnotherProcessWrites() async throws {
        let store = try makeStore()
        let litter = "\(git)/objects/pack/tmp_pack_y"
        try make(litter, minutesOld: 90)
        try Files.makeDirectories(git + "/git-talk")
        try await withSharedLock {
            try await store.save(PageState(page: bridge, displayTitle: "y"))
        }
        #expect(try Files.information(litter) != nil)
    }

    @Test func aStaleLockOfAPageIsRemovedWhenItIsMet() async throws {
        let store = try makeStore()
        try await store.add([(makeRecord(1), makeContent(["one"]))], to: bridge)
        let lock = "\(git)/\(StoreLayout.branch(of: bridge)).lock"
        try make(lock, minutesOld: 0)
        let error = await #expect(throws: TalkError.self) {
            try await store.add([(makeRecord(2), makeContent(["two"]))], to: bridge)
        }
        #expect(error?.kind == .busy)
        #expect(error?.hint == "try again in a minute")
        try Files.remove(lock)
        try make(lock, minutesOld: 2)
        try await store.add([(makeRecord(2), makeContent(["two"]))], to: bridge)
        #expect(try await store.records(of: bridge).count == 2)
        let pending = "\(git)/\(StoreLayout.pendingBranch(of: bridge)).lock"
        try make(pending, minutesOld: 2)
        let placed = PlacedReply(reply: makeReply(1), author: "A", content: makeContent(["x"]))
        try await store.appendPending(placed, to: store.pendingBranch(of: bridge))
        #expect(try await store.pendingBranch(of: bridge).commits.count == 1)
    }

    /// What a git that was killed leaves keeps a command from its work for a minute, and says so.
    @Test(arguments: [
        "refs/heads/en.wiki.example/Talk/Old_Stone_Bridge", "refs/heads/pending/en.wiki.example/Talk/Old_Stone_Bridge",
        "refs/meta/bookmarks", "refs/meta/purged", "refs/discarded", "packed-refs", "config",
    ]) func noLockOfGitsBlocksForEver(_ name: String) async throws {
        let store = try makeStore()
        try await store.add([(makeRecord(1), makeContent(["one"]))], to: bridge)
        if name == "packed-refs" { try TalkStoreTests.git("pack-refs", "--all", in: storePath()) }
        let isDiscarded = name == "refs/discarded"
        let lock = "\(git)/\(isDiscarded ? StoreLayout.discarded(makeReply(2).id) : name).lock"
        let commands: [String: @Sendable () async throws -> Void] = [
            "refs/heads/en.wiki.example/Talk/Old_Stone_Bridge": {
                try await store.add([(makeRecord(2), makeContent(["two"]))], to: bridge)
            },
            "refs/heads/pending/en.wiki.example/Talk/Old_Stone_Bridge": {
                let placed = PlacedReply(reply: makeReply(1, base: 1), author: "A", content: makeContent(["x"]))
                try await store.appendPending(placed, to: store.pendingBranch(of: bridge))
            },
            "refs/meta/bookmarks": { try await store.bookmark([bridge], true) },
            "refs/meta/purged": { _ = try await store.purge([RevisionID(rawValue: 1): .user], of: bridge) },
            "refs/discarded": {
                let entry = OutboxEntry(reply: makeReply(2), page: bridge, account: "A")
                try await store.discard(entry, reason: "gone")
            },
            "packed-refs": { try await store.evict(bridge) },
            "config": { try await store.configure("talk.history", to: "5") },
        ]
        let command = try #require(commands[name])
        try make(lock, minutesOld: 0)
        let error = await #expect(throws: TalkError.self) { try await command() }
        #expect(error?.kind == .busy && error?.hint == "try again in a minute", "\(error.map { "\($0)" } ?? "")")
        try Files.remove(lock)
        try make(lock, minutesOld: 2)
        try await command()
        #expect(try Files.information(lock) == nil)
        #expect(try fsck() == [])
    }

    @Test func isBusyWhileAnotherProcessPacks() async throws {
        _ = try makeStore()
        let store = try Store.open(at: storePath(), wait: 0.05)
        try Files.makeDirectories(git + "/git-talk")
        let error = try await withExclusiveLock {
            await #expect(throws: TalkError.self) { try await store.save(PageState(page: bridge, displayTitle: "y")) }
        }
        #expect(error?.kind == .busy)
        #expect(error?.message.hasSuffix("another git-talk is at work on this store") == true)
        try await store.save(PageState(page: bridge, displayTitle: "y"))
    }

    @Test func theStoreMayBePackedWhileItIsOpen() async throws {
        let store = try makeStore(), other = try Store.open(at: storePath())
        func content(_ n: Int64) -> PageContent { makeContent(["text \(n)", "other \(n % 2)"]) }
        for id in 1...6 { try await store.add([(makeRecord(Int64(id)), content(Int64(id)))], to: bridge) }
        // Revision 7 is a revert to a version whose objects only an evicted page had.
        let page = PageName(wiki: bridge.wiki, namespace: "Talk", title: "Gone")
        try await store.add([(makeRecord(50), makeContent(["only there"]))], to: page)
        try await store.evict(page)
        try await other.collectGarbage(gitProgram())
        #expect(try store.packing().packs == 1)
        try await store.add([(makeRecord(7), makeContent(["only there"]))], to: bridge)
        #expect(try fsck() == [])
        #expect(try await store.content(of: bridge, at: RevisionID(rawValue: 7)) == makeContent(["only there"]))
        #expect(try await store.content(of: bridge, at: RevisionID(rawValue: 2)) == content(2))
    }

    private func withSharedLock<R>(_ body: () async throws -> R) async throws -> R {
        let lock = try #require(Held(.shared, git + "/git-talk/lock"))
        defer { withExtendedLifetime(lock) {} }
        return try await body()
    }

    private func withExclusiveLock<R>(_ body: () async throws -> R) async throws -> R {
        let lock = try #require(Held(.exclusive, git + "/git-talk/lock"))
        defer { withExtendedLifetime(lock) {} }
        return try await body()
    }
}

private final class Held: Sendable {
    private let lock: FileLock

    init?(_ mode: FileLock.Mode, _ path: String) {
        guard let lock = try? FileLock.take(mode, at: path, wait: 0) else { return nil }
        self.lock = lock
    }
}
