import Foundation
import TalkPages
import TalkStore

/// A store with a page of 40 sections and one of 1 MB, for timing what a user sees.
enum ShowStore {
    static let small = PageName(wiki: "bench.example", namespace: "Talk", title: "Small")
    static let large = PageName(wiki: "bench.example", namespace: "Talk", title: "Large")

    static func make(at path: String) async throws {
        let store = try Store.create(at: path)
        try await store.save(GeneratedPage.wiki)
        for (page, bytes) in [(small, 100_000), (large, 1_000_000)] {
            var content = try CanonicalPage.content(of: GeneratedPage.html(bytes: bytes), wiki: GeneratedPage.wiki)
            if page == small { content.sections = Array(content.sections.prefix(40)) }
            let record = RevisionRecord(
                id: RevisionID(rawValue: 1), parent: RevisionID(rawValue: 0), page: PageID(rawValue: 1),
                timestamp: 1_700_000_000, user: "Alice", summary: "", isMinor: false,
                format: CanonicalPage.formatVersion)
            try await store.add([(record: record, content: content)], to: page)
            try await PageThreads(store: store, wiki: GeneratedPage.wiki).refresh(page)
        }
    }
}
