internal import TalkGit
public import TalkPages

extension Store {
    /// Every cached page with why it stays; `limit` is the number of pages that stay for a visit alone.
    public func keeping(limit: Int) async throws(TalkError) -> [PageKeeping] {
        var states: [PageName: PageState] = [:]
        for state in try reader.states() { states[state.page] = state }
        let bookmarks = try await bookmarks()
        let entries = try reader.outbox().entries
        var pending = Set(entries.filter(\.state.isPending).map(\.page))
        pending.formUnion(try await pagesWithPendingReplies())
        // A journal that is lost leaves open whether anybody saw what became of its reply.
        let seen = Set(entries.filter(\.isSeen).map(\.reply.id))
        var unseen = Set(entries.filter { $0.state == .discarded && !$0.isSeen }.map(\.page))
        for reply in try await discarded() where !seen.contains(reply.entry.reply.id) {
            unseen.insert(reply.entry.page)
        }
        var pages: [PageKeeping.Facts] = []
        for page in try await self.pages() {
            pages.append(
                PageKeeping.Facts(
                    page: page, state: states[page], visited: try reader.visited(page),
                    isBookmarked: bookmarks.contains(page), isPending: pending.contains(page),
                    hasUnseenDiscarded: unseen.contains(page)))
        }
        return PageKeeping.decide(pages, limit: limit)
    }

    /// Drops the pages that nothing keeps, but for those in `sparing`.
    ///
    /// `limit` is the number of pages that stay for a visit alone. Throws `.busy` when others are at work on the store
    /// longer than `wait` seconds.
    public func evictUnkept(
        limit: Int, sparing: Set<PageName> = [], estimatingWith git: GitProgram? = nil, wait: Double? = nil
    ) async throws(TalkError) -> [PageName] {
        let pages = try await keeping(limit: limit).filter { $0.reasons.isEmpty && !sparing.contains($0.page) }
        if pages.isEmpty { return [] }
        return try await evict(pages.map(\.page), estimatingWith: git, wait: wait).evicted
    }

    /// The pages that `pull` without a name brings up to date: those that were pulled by name, and the bookmarked ones.
    public func followedPages() async throws(TalkError) -> [PageName] {
        let states = try reader.states()
        let named = states.filter(\.isKept).map(\.page)
        // One that is cut from a moved page is looked for at its new title.
        let known = Set(named), moved = Set(states.filter { $0.movedTo != nil }.map(\.page))
        return named + (try await bookmarks()).filter { !known.contains($0) && !moved.contains($0) }
    }
}
