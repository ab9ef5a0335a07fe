import Foundation
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkGit
@testable import TalkStore

@Suite(.temporaryDirectory) struct StateTests {
    @Test func keepsWhatIsKnownOfPages() async throws {
        let store = try makeStore()
        #expect(try store.state(of: bridge) == nil)
        #expect(try store.reader.states() == [])
        var state = PageState(page: bridge, displayTitle: "Discussion:Vieux pont")
        state.latest = RevisionID(rawValue: 7)
        state.checked = 1_700_000_000
        try await store.save(state)
        #expect(try store.state(of: bridge) == state)
        state.failure = "offline"
        try await store.save(state)
        let other = PageState(page: PageName(wiki: "a.example", namespace: "Talk", title: "X"), displayTitle: "Talk:X")
        try await store.save(other)
        #expect(try store.reader.states() == [other, state])
        #expect(try Files.information(store.layout.state(of: bridge))?.permissions == 0o600)
    }

    /// Else a page would not be brought up to date any longer that was pulled by name.
    @Test func whatIsCutIsTakenForAPageThatWasPulledByName() async throws {
        let store = try makeStore()
        try await store.save(PageState(page: bridge, displayTitle: "x"))
        let path = store.layout.state(of: bridge)
        try Files.replace(path, [], mode: 0o600, scratch: path + ".x")
        var state = PageState(page: bridge, displayTitle: "Talk:Old Stone Bridge")
        state.isKept = true
        #expect(try store.state(of: bridge) == state)
        #expect(try store.reader.states() == [state])
        #expect(try await store.followedPages() == [bridge])
    }

    @Test func keepsDerivedThreadsWithTheirStamp() async throws {
        let store = try makeStore()
        try await store.add([(makeRecord(1), makeContent(["one"]))], to: bridge)
        let stamp = try #require(try store.reader.stamp(of: bridge))
        let item = ThreadItem(
            kind: .heading, level: 0, headingLevel: 2, id: "h-T1", name: "h-T1", parent: nil, text: "T1")
        let threads = DerivedThreads(
            treeID: stamp.tree, parserVersion: 3, localeHash: "abc", revision: RevisionID(rawValue: 1), items: [item])
        try await store.save(threads, of: bridge)
        let read = try #require(try store.threads(of: bridge))
        #expect(read == threads)
        #expect(read.isCurrent(for: stamp, parserVersion: 3, localeHash: "abc"))
        #expect(!read.isCurrent(for: stamp, parserVersion: 4, localeHash: "abc"))
        #expect(!read.isCurrent(for: stamp, parserVersion: 3, localeHash: "abd"))
        try await store.add([(makeRecord(2), makeContent(["two"]))], to: bridge)
        #expect(
            !read.isCurrent(for: try #require(try store.reader.stamp(of: bridge)), parserVersion: 3, localeHash: "abc"))
    }

    @Test func threadsOfAnotherParserOrLocaleAreMadeAnew() async throws {
        let store = try makeStore()
        try await store.add([(makeRecord(1), makeContent(["one"]))], to: bridge)
        let stamp = try #require(try store.reader.stamp(of: bridge))
        let wiki = makeWiki(bridge.wiki)
        var renamed = wiki
        renamed.contributionsNames = ["Beiträge"]
        let old = ThreadItem(kind: .heading, level: 0, headingLevel: 2, id: "h-old", name: "h-", parent: nil, text: "")
        for (version, hash) in [
            (ThreadParser.version - 1, wiki.localeHash), (ThreadParser.version, renamed.localeHash),
        ] {
            let stale = DerivedThreads(
                treeID: stamp.tree, parserVersion: version, localeHash: hash, revision: RevisionID(rawValue: 1),
                items: [old])
            try await store.save(stale, of: bridge)
            let threads = try #require(try await PageThreads.current(of: bridge, store: store, wiki: wiki))
            #expect(threads.items.map(\.text) == ["T1"])
            #expect(try store.threads(of: bridge) == threads)
        }
        // What is current is not made again.
        let kept = DerivedThreads(
            treeID: stamp.tree, parserVersion: ThreadParser.version, localeHash: wiki.localeHash,
            revision: RevisionID(rawValue: 1), items: [old])
        try await store.save(kept, of: bridge)
        #expect(try await PageThreads.current(of: bridge, store: store, wiki: wiki) == kept)
    }

    @Test func keepsWikis() async throws {
        let store = try makeStore()
        #expect(try store.wikis() == [])
        let keys = ["b.example", "localhost:8080/my_wiki", "main"]
        for key in keys.shuffled() { try await store.save(makeWiki(key)) }
        #expect(try store.wikis() == keys.map(makeWiki))
        #expect(try store.wiki("main") == makeWiki("main"))
        #expect(try store.wiki("c.example") == nil)
    }

    /// A page is shown from files alone, so a store that git cannot even open can still be read.
    @Test func readingNeedsNoGit() async throws {
        let store = try makeStore()
        try await store.add([(makeRecord(1), makeContent(["one"]))], to: bridge)
        try await store.save(PageState(page: bridge, displayTitle: "x"))
        for name in ["HEAD", "objects", "refs"] {
            try Files.rename("\(storePath())/.git/\(name)", to: "\(storePath())/\(name)")
        }
        let reader = try PageReader(at: storePath())
        #expect(try reader.page(bridge)?.content == makeContent(["one"]))
        #expect(try reader.states().count == 1)
        #expect(
            await #expect(throws: TalkError.self) { try await Store.open(at: storePath()).records(of: bridge) }?.kind
                == .damaged)
    }

    @Test func damagedObjectsAreReportedWithThePage() async throws {
        let store = try makeStore()
        try await store.add([(makeRecord(1), makeContent(["one"]))], to: bridge)
        for file in try #require(try Files.list("\(storePath())/.git/objects/pack")) {
            try FileManager.default.removeItem(atPath: "\(storePath())/.git/objects/pack/\(file)")
        }
        let error = await #expect(throws: TalkError.self) { try await Store.open(at: storePath()).records(of: bridge) }
        #expect(error?.kind == .damaged)
        #expect(
            error?.message
                == "the revisions of Talk:Old Stone Bridge cannot be read: its git objects are damaged or missing")
        #expect(error?.hint == "see what is damaged, and repair it: git talk doctor")
    }

    @Test func causesThatAUserCanRemoveAreUnwritable() {
        for code in [ENOSPC, EDQUOT, EROFS, EACCES, EPERM] {
            let error = TalkError(FileError(code: code, "write", "/home/x/secret"), "the reply cannot be saved")
            #expect(error.kind == .unwritable)
            #expect(error.hint != nil)
            #expect(!error.message.contains("/home"))
        }
        #expect(TalkError(FileError(code: EIO, "read", "/home/x"), "x").kind == .damaged)
        #expect(TalkError(GitError(.locked, "f", "m"), "x").kind == .busy)
        #expect(TalkError(GitError(.modified, "f", "m"), "x").kind == .busy)
        #expect(TalkError(GitError(.notFound, "f", "m"), "x").kind == .damaged)
    }

    private func makeWiki(_ key: String) -> Wiki {
        Wiki(
            key: key, api: "https://\(key)/w/api.php", server: "https://\(key)", articlePath: "/wiki/$1",
            script: "/w/index.php",
            generator: "MediaWiki 1.39.17", siteName: key, language: "en", isRightToLeft: false, timezone: "UTC",
            namespaces: [Namespace(id: 1, name: "Talk", canonical: "Talk")], interwikiPrefixes: [],
            contributionsNames: [],
            signatureFormats: [], hasDiscussionTools: true)
    }
}
