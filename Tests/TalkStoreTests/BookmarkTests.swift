import TalkGit
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore

@Suite(.temporaryDirectory) struct BookmarkTests {
    private let other = PageName(wiki: "en.wiki.example", namespace: "User talk", title: "Ben")

    @Test func countsHowOftenItWasPutOnAndTakenOff() async throws {
        let store = try makeStore()
        #expect(try await store.bookmarks() == [])
        #expect(try await store.bookmark([other, bridge, other], true) == [other, bridge])
        #expect(try await store.bookmark([bridge], true) == [])
        #expect(try await store.bookmarks() == [bridge, other])
        #expect(try await store.bookmark([bridge, other], false) == [bridge, other])
        #expect(try await store.bookmark([bridge], false) == [])
        #expect(try await store.bookmark([other], true) == [other])
        #expect(try await store.bookmarks() == [other])
        let root = storePath()
        #expect(
            try git("ls-tree", "-r", "--name-only", "refs/meta/bookmarks", in: root)
                == "en.wiki.example/Talk/Old_Stone_Bridge\nen.wiki.example/User_talk/Ben\n")
        #expect(
            try git("cat-file", "-p", "refs/meta/bookmarks:en.wiki.example/Talk/Old_Stone_Bridge", in: root) == "2\n")
        #expect(try git("cat-file", "-p", "refs/meta/bookmarks:en.wiki.example/User_talk/Ben", in: root) == "3\n")
        #expect(
            try git("log", "--format=%P|%an|%ae|%at|%cn|%ce|%ct|%B", "refs/meta/bookmarks", in: root)
                == "|git-talk|git-talk@localhost|0|git-talk|git-talk@localhost|0|Bookmarked pages\n\n")
        #expect(try fsck() == [])
    }

    /// The commit is a function of the counters, and two stores that meet take the greater ones.
    @Test func isTheSameOnEveryMachine() async throws {
        let one = try makeStore("one"), two = try makeStore("two")
        try await one.bookmark([bridge], true)
        try await one.bookmark([other], true)
        try await two.bookmark([other, bridge], true)
        func tip(_ name: String) throws -> String { try git("rev-parse", "refs/meta/bookmarks", in: storePath(name)) }
        #expect(try tip("one") == tip("two"))
        try await two.bookmark([bridge], false)
        #expect(try tip("one") != tip("two"))
    }

    @Test func keepsTitlesOfAnyKind() async throws {
        let store = try makeStore()
        let titles = [
            // It begins with a character that joins with the slash before it, and is in no sense a path.
            "\u{308}a", "a/b/../c", ".git", "x.lock", "über", "Ü",
            String(repeating: "long ", count: 60).trimmingPrefix("") + "end",
        ]
        let pages = titles.map { PageName(wiki: bridge.wiki, namespace: "Talk", title: String($0)) }
        #expect(try await store.bookmark(pages, true) == pages)
        #expect(Set(try await store.bookmarks()) == Set(pages))
        #expect(try fsck() == [])
        // The same holds for what is purged.
        _ = try await store.purge([RevisionID(rawValue: 3): .user], of: pages[0])
        #expect(try await store.purged(of: pages[0]) == [RevisionID(rawValue: 3): .user])
        #expect(try fsck() == [])
    }

    @Test func twoAtOnceLoseNone() async throws {
        _ = try makeStore()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<4 {
                group.addTask {
                    let store = try Store.open(at: storePath(), wait: 20)
                    for number in 0..<10 {
                        let page = PageName(wiki: "w.example", namespace: "Talk", title: "\(worker) \(number)")
                        while true {
                            do {
                                try await store.bookmark([page], true)
                                break
                            } catch let error as TalkError where error.kind == .busy {
                                await Task.yield()
                            }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await Store.open(at: storePath()).bookmarks().count == 40)
    }

    @Test func passesOverWhatIsNoCounter() async throws {
        let store = try makeStore(), root = storePath()
        let blob = try git("hash-object", "-w", "--stdin", in: root, input: "x\n")
        let good = try git("hash-object", "-w", "--stdin", in: root, input: "1\n")
        let pages = try git("mktree", in: root, input: "100644 blob \(blob)\tA\n100644 blob \(good)\tB\n")
        let namespaces = try git("mktree", in: root, input: "040000 tree \(pages)\tTalk\n100644 blob \(good)\tOdd\n")
        let tree = try git("mktree", in: root, input: "040000 tree \(namespaces)\tw.example\n")
        let commit = try git("commit-tree", tree, in: root, input: "x\n")
        try git("update-ref", "refs/meta/bookmarks", commit, in: root)
        #expect(try await store.bookmarks() == [PageName(wiki: "w.example", namespace: "Talk", title: "B")])
    }
}
