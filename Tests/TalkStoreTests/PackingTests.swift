import Foundation
import TalkGit
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore

@Suite(.temporaryDirectory) struct PackingTests {
    private func page(_ title: String) -> PageName { PageName(wiki: bridge.wiki, namespace: "Talk", title: title) }

    @Test(arguments: [
        (0, 0, 0, 0, PackingRule.nothing), (32, 2000, 1 << 30, 0, .nothing), (33, 0, 0, 0, .consolidate),
        (1, 2001, 0, 0, .consolidate), (1, 0, 9 << 20, 8 << 20, .nothing), (1, 0, 9 << 20, (8 << 20) + 1, .collect),
        (1, 0, 100 << 20, 25 << 20, .nothing), (50, 0, 100 << 20, (25 << 20) + 1, .collect),
    ])
    func isPackedWhenThatIsWorthIt(packs: Int, loose: Int, bytes: Int, garbage: Int, rule: PackingRule) {
        #expect(PackingRule(PackingState(packs: packs, loose: loose, bytes: bytes, garbage: garbage)) == rule)
    }

    /// One pack a pull, so that many pulls of a day make many packs.
    private func fill(_ store: Store, _ ids: ClosedRange<Int64>) async throws {
        for id in ids { try await store.add([(makeRecord(id), makeContent(["text \(id)", "more"]))], to: bridge) }
    }

    @Test func manyPacksBecomeFew() async throws {
        let store = try makeStore(), other = try Store.open(at: storePath())
        try await fill(store, 1...31)
        let tip = try git("rev-parse", StoreLayout.branch(of: bridge), in: storePath())
        #expect(try store.packing().packs == 32)
        try await store.packIfDue(gitProgram())
        #expect(try store.packing().packs == 32)
        // What a command of the user left in files of its own is packed with the rest, referred to or not.
        let loose = try git("hash-object", "-w", "--stdin", in: storePath(), input: "a fetch under way")
        try await fill(store, 32...32)
        try await store.packIfDue(gitProgram())
        #expect(try store.packing().packs == 1 && store.packing().loose == 0)
        #expect(try git("cat-file", "-p", loose, in: storePath()) == "a fetch under way")
        #expect(FileManager.default.fileExists(atPath: storePath() + "/.git/packed-refs") == false)
        // Both go on, whatever packs they knew before.
        #expect(try await other.records(of: bridge).count == 32)
        try await fill(other, 33...33)
        try await fill(store, 34...34)
        #expect(try await other.records(of: bridge).count == 34)
        #expect(try await store.content(of: bridge, at: RevisionID(rawValue: 5)) == makeContent(["text 5", "more"]))
        #expect(
            try git(
                "merge-base", "--is-ancestor", String(tip.dropLast()),
                "refs/heads/en.wiki.example/Talk/Old_Stone_Bridge", in: storePath()) == "")
        #expect(try fsck() == [])
    }

    @Test func nothingIsPackedBesideAWriter() async throws {
        let store = try makeStore(), changes = StepCounter()
        try await fill(store, 1...33)
        let other = try Store.open(at: storePath(), wait: 0, faults: StoreFaults { _ in changes.count() })
        guard let lock = try FileLock.take(.shared, at: store.layout.lock, wait: 0) else {
            Issue.record("the lock is not free")
            return
        }
        // Another program writes: a pull does not wait for it, an eviction does, and then says who is in the way.
        try await other.packIfDue(gitProgram())
        #expect(await #expect(throws: TalkError.self) { try await other.collectGarbage(gitProgram()) }?.kind == .busy)
        #expect(await #expect(throws: TalkError.self) { try await other.evict([bridge]) }?.kind == .busy)
        #expect(changes.value == 0)
        #expect(try store.packing().packs == 34)
        lock.release()
        try await other.collectGarbage(gitProgram())
        // No object of a user stands in a file of its own, so `git prune` has nothing to do.
        #expect(try store.packing().packs == 1 && changes.value == 4)
    }

    /// A git that tells whether the store's lock is free while it runs, as this program sees it.
    @Test func gitHoldsTheLockItself() async throws {
        let store = try makeStore(), path = TemporaryDirectory.current.appending(path: "git").path
        let script = """
            #!/bin/sh
            flock --nonblock --shared '\(store.layout.lock)' true && echo free >> '\(path).out'
            readlink /proc/self/fd/3 >> '\(path).out'
            exec git "$@"
            """
        try Files.create(path, Array(script.utf8), mode: 0o700)
        try await fill(store, 1...2)
        try await store.collectGarbage(gitProgram(path: path))
        let said = String(decoding: try #require(try Files.read(path + ".out")), as: UTF8.self)
        let lock = URL(filePath: store.layout.lock).resolvingSymlinksInPath().path
        #expect(said == "\(lock)\n")
    }

    @Test func anEvictedPageIsGoneFromTheDisk() async throws {
        let store = try makeStore()
        try await fill(store, 1...3)
        try await store.add([(makeRecord(50), makeContent(["only there", "more"]))], to: page("Gone"))
        try await store.save(PageState(page: page("Gone"), displayTitle: "Gone"))
        let tip = try git("rev-parse", StoreLayout.branch(of: page("Gone")), in: storePath()).dropLast()
        try git("update-ref", "refs/remotes/hub/en.wiki.example/Talk/Gone", String(tip), in: storePath())
        let before = try git("for-each-ref", "refs/heads", in: storePath())
        let eviction = try await store.evict([page("Gone"), page("Never")], estimatingWith: gitProgram())
        #expect(eviction == Eviction(evicted: [page("Gone")], pending: [], missing: [page("Never")]))
        #expect(try git("for-each-ref", in: storePath()).contains("Gone") == false)
        #expect(
            try FileManager.default.subpathsOfDirectory(atPath: storePath()).filter { $0.contains("Gone") } == [
                ".git/git-talk/evicted/en.wiki.example/Talk/Gone"
            ])
        // The blob of its text, its trees and its commit; not the texts that another page has, too.
        let garbage = try store.packing().garbage
        #expect(garbage > 200 && garbage < 2000, "\(garbage)")
        #expect(try git("cat-file", "-t", String(tip), in: storePath()) == "commit\n")
        try await store.packIfDue(gitProgram())
        #expect(try store.packing().garbage == garbage)
        try await store.collectGarbage(gitProgram())
        #expect(try store.packing().garbage == 0 && store.packing().packs == 1)
        #expect(try runGit(["cat-file", "-t", String(tip)], in: storePath()).status == 128)
        #expect(
            try git("for-each-ref", "refs/heads", in: storePath()) == before.split(separator: "\n").filter {
                !$0.contains("Gone")
            }.joined(separator: "\n") + "\n")
        #expect(try fsck() == [])
    }

    @Test func withoutGitNothingIsLostAndThatIsSaid() async throws {
        let store = try makeStore()
        try await fill(store, 1...33)
        try await store.add([(makeRecord(50), makeContent(["only there"]))], to: page("Gone"))
        let none = gitProgram(path: nil)
        #expect(try await store.evict([page("Gone")], estimatingWith: none).evicted == [page("Gone")])
        #expect(await #expect(throws: TalkError.self) { try await store.collectGarbage(none) }?.kind == .missingProgram)
        #expect(await #expect(throws: TalkError.self) { try await store.packIfDue(none) }?.kind == .missingProgram)
        #expect(try await store.records(of: bridge).count == 33)
    }

    @Test func aGitThatFailsIsToldWithItsWords() async throws {
        let store = try makeStore(), path = TemporaryDirectory.current.appending(path: "git").path
        let script = "#!/bin/sh\necho 'fatal: unable to create temporary file: No space left on device' >&2\nexit 128\n"
        try Files.create(path, Array(script.utf8), mode: 0o700)
        let error = try await #require(throws: TalkError.self) {
            try await store.collectGarbage(gitProgram(path: path))
        }
        #expect(error.kind == .unwritable && error.message == "the store cannot be packed: no space left on device")
    }

    /// A user's `git gc` writes one; of commits that are gone it would still speak.
    @Test func aCommitGraphGoesWithTheGarbage() async throws {
        let store = try makeStore(), information = storePath() + "/.git/objects/info"
        try await fill(store, 1...3)
        try await store.add([(makeRecord(50), makeContent(["only there"]))], to: page("Gone"))
        try git("gc", "-q", in: storePath())
        try #require(FileManager.default.fileExists(atPath: information + "/commit-graph"))
        try await store.evict(page("Gone"))
        try await store.collectGarbage(gitProgram())
        #expect(try fsck() == [])
        #expect(try git("log", "--format=%s", StoreLayout.branch(of: bridge), in: storePath()).isEmpty == false)
    }

    /// A user's own `git gc` takes no lock of ours.
    @Test func garbageCollectionOfTheUserIsHarmless() async throws {
        let store = try makeStore(), other = try Store.open(at: storePath(), wait: 20)
        let done = StepCounter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (writer, title) in [(store, "One"), (other, "Two")] {
                group.addTask {
                    for id in Int64(1)...40 {
                        let content = makeContent(["text \(id) of \(title)", "more"])
                        while true {
                            do {
                                try await writer.add([(makeRecord(id), content)], to: self.page(title))
                                break
                            } catch let error as TalkError where error.kind == .busy {
                                await Task.yield()
                            }
                        }
                        #expect(try await writer.content(of: self.page(title), at: RevisionID(rawValue: id)) == content)
                    }
                }
            }
            group.addTask {
                while done.value == 0 {
                    try git("gc", "-q", in: storePath())
                    await Task.yield()
                }
            }
            for _ in 0..<2 { try await group.next() }
            done.count()
            try await group.waitForAll()
        }
        for title in ["One", "Two"] {
            #expect(try await store.records(of: page(title)).map(\.record.id.rawValue) == Array(1...40))
        }
        #expect(FileManager.default.fileExists(atPath: storePath() + "/.git/packed-refs") == false)
        #expect(try fsck() == [])
    }
}
