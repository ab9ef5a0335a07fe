import TalkGit
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore

/// The marks by which the pages that nothing keeps are found.
@Suite(.temporaryDirectory) struct UnkeptMarksTests {
    private func page(_ title: String) -> PageName { PageName(wiki: bridge.wiki, namespace: "Talk", title: title) }

    private func marks() throws -> [String]? { try UnkeptMarks(layout: StoreLayout(root: storePath())).all() }

    private func put(_ title: String, in store: Store, _ change: (inout PageState) -> Void = { _ in }) async throws {
        if try await store.tip(of: page(title)) == nil {
            try await store.add([(makeRecord(2), makeContent(["one"]))], to: page(title))
        }
        var state = PageState(page: page(title), displayTitle: title)
        change(&state)
        try await store.save(state)
    }

    @Test func aMarkStandsWhileTheStateKeepsNothing() async throws {
        let store = try makeStore()
        let span = HistorySpan(
            newest: RevisionID(rawValue: 2), oldest: RevisionID(rawValue: 2), count: 1, isWhole: true)
        try await put("A", in: store)
        try await put("B", in: store) { $0.isKept = true }
        try await put("C", in: store) { $0.history = span }
        // Nobody knows yet whether an older program left pages without.
        #expect(try marks() == nil)
        _ = try await store.evictUnkept(limit: 10)
        #expect(try marks() == ["en.wiki.example/Talk/A"])
        try await put("A", in: store) { $0.isKept = true }
        try await put("B", in: store)
        #expect(try marks() == ["en.wiki.example/Talk/B"])
        try await put("C", in: store)
        #expect(try await store.evictUnkept(limit: 0, sparing: [page("C")]) == [page("B")])
        #expect(try marks() == ["en.wiki.example/Talk/C"])
    }

    @Test func marksThatAreLostAreMadeAgain() async throws {
        let store = try makeStore()
        for title in ["A", "B"] { try await put(title, in: store) { $0.checked = title == "A" ? 1 : 2 } }
        try await put("C", in: store) { $0.isKept = true }
        _ = try await store.evictUnkept(limit: 10)
        try Files.removeTree(StoreLayout(root: storePath()).unkept)
        #expect(try await store.evictUnkept(limit: 1) == [page("A")])
        #expect(try marks() == ["en.wiki.example/Talk/B"])
    }

    /// What a program that was stopped between mark and state leaves.
    @Test func aMarkTooManyDropsNothing() async throws {
        let store = try makeStore()
        try await put("A", in: store) { $0.isKept = true }
        try await put("B", in: store)
        _ = try await store.evictUnkept(limit: 10)
        for title in ["A", "Never"] {
            try UnkeptMarks(layout: StoreLayout(root: storePath())).set(page(title), true)
        }
        #expect(try await store.evictUnkept(limit: 0) == [page("B")])
        #expect(try await store.pages() == [page("A")])
    }

    @Test func aFewMarksAskForNothing() async throws {
        let store = try makeStore()
        try await put("A", in: store)
        _ = try await store.evictUnkept(limit: 10)
        // A state that cannot be read is not looked at while there are no more marks than may stay.
        try Files.removeTree(StoreLayout(root: storePath()).state(of: page("A")))
        try Files.makeDirectories(StoreLayout(root: storePath()).state(of: page("A")))
        #expect(try await store.evictUnkept(limit: 1) == [])
        await #expect(throws: TalkError.self) { try await store.evictUnkept(limit: 0) }
    }
}
