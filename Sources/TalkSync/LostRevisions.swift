internal import TalkPages
internal import TalkStore

/// Brings the revisions of a page again that were cached and are damaged, as `git talk doctor` found.
struct LostRevisions {
    let api: MediaWikiAPI
    let store: Store
    let wiki: Wiki

    /// Brings what the wiki still has; the others are lost, and forgotten.
    ///
    /// When the wiki fails on the way, what has come is stored, and the next pull goes on.
    func bring(_ page: PageName) async throws(TalkError) -> [RevisionID] {
        guard let state = try store.state(of: page), let lost = state.lost else { return [] }
        let cached = Set(try await store.records(of: page).map(\.record.id))
        let purged = try await store.purged(of: page)
        var added: [RevisionID] = []
        var failure: TalkError?
        var left = lost.filter { !cached.contains($0) && purged[$0]?.isWhole != true }
        for id in left.reversed() {
            do throws(TalkError) {
                if let (record, content) = try await fetch(id, state) {
                    added += try await store.add([(record, content)], to: page).written
                }
            } catch {
                guard error.kind == .notFound || error.kind == .invalid else {
                    failure = error
                    break
                }
            }
            left.removeAll { $0 == id }
        }
        if var state = try store.state(of: page), state.lost != nil {
            state.lost = left.isEmpty ? nil : left
            try await store.save(state)
        }
        if let failure { throw failure }
        return added.sorted()
    }

    private func fetch(
        _ id: RevisionID, _ state: PageState
    ) async throws(TalkError) -> (RevisionRecord, PageContent)? {
        guard let page = state.pageID else { return nil }
        let info = try await api.revisions(of: .id(page), limit: 1, from: id).first
        guard let info, info.id == id, !info.isTextHidden else { return nil }
        let content = try await api.rendering(of: id, title: state.displayTitle)
            .content(of: id, title: state.displayTitle, wiki: wiki)
        return (info.record(format: CanonicalPage.formatVersion), content)
    }
}
