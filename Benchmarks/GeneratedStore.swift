import TalkPages
import TalkStore
import TalkSync

/// Stores of many pages and pages of many revisions, made as pulls make them.
enum GeneratedStore {
    /// Sections of each of many pages, and of a long one before its first revision.
    static let few = 3, many = 40

    /// Revisions that each of many pages has.
    static func revisions(of number: Int) -> Int { 2 + number % 2 }

    /// A store of so many pages; gives how long git packed, in milliseconds, each time that it did.
    static func make(at path: String, pages: Int) async throws -> [Double] {
        let store = try await empty(at: path)
        var packing: [Double] = []
        for number in 0..<pages {
            let revisions = try GeneratedHistory.revisions(revisions(of: number), of: number, sections: few)
            try await Commit(store).run(revisions, to: GeneratedHistory.page(number))
            try await pack(store, &packing)
        }
        return packing
    }

    /// A store of one page of so many revisions.
    static func make(at path: String, revisions: Int, sections: Int = many) async throws -> [Double] {
        let store = try await empty(at: path)
        var history = try GeneratedHistory(0, sections: sections)
        var packing: [Double] = [], left = revisions
        while left > 0 {
            let part = try (0..<min(50, left)).map { _ in try history.next() }
            left -= part.count
            try await Commit(store).run(part, to: history.name)
            try await pack(store, &packing)
        }
        return packing
    }

    private static func empty(at path: String) async throws -> Store {
        let store = try Store.create(at: path)
        try await store.save(GeneratedPage.wiki)
        return store
    }

    private static func pack(_ store: Store, _ packing: inout [Double]) async throws {
        let before = try store.packing().packs
        let time = try await ContinuousClock().measure { try await store.packIfDue(store.git) }
        if try store.packing().packs != before { packing.append(time.milliseconds) }
    }
}

/// What a pull does to the store when revisions of a page have come.
struct Commit {
    let store: Store

    init(_ store: Store) { self.store = store }

    /// Objects, branch, directory, state and threads.
    func run(_ revisions: [(record: RevisionRecord, content: PageContent)], to page: PageName) async throws {
        try await store.add(revisions, to: page)
        var state = try store.state(of: page) ?? PageState(page: page, displayTitle: page.prefixedTitle)
        state.pageID = revisions.last?.record.page
        state.latest = revisions.last?.record.id
        state.checked = 1_700_000_000
        state.isKept = true
        try await store.save(state)
        try await PageThreads(store: store, wiki: GeneratedPage.wiki).refresh(page)
    }

    /// What the command ends with: whether a page is to be dropped, and whether to pack.
    func upkeep(sparing page: PageName) async throws {
        _ = try await store.evictUnkept(limit: 10, sparing: [page], estimatingWith: store.git, wait: 0)
        try await store.packIfDue(store.git)
    }
}
