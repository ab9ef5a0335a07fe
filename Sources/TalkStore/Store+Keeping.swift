internal import TalkGit
public import TalkPages

extension Store {
    /// Every cached page with why it stays; `limit` is the number of pages that stay for a visit alone.
    public func keeping(limit: Int) async throws(TalkError) -> [PageKeeping] {
        var states: [PageName: PageState] = [:]
        for state in try reader.states() { states[state.page] = state }
        let wishes = try await wishes()
        var pages: [PageKeeping.Facts] = []
        for page in try await self.pages() {
            pages.append(wishes.facts(of: page, states[page], visited: try reader.visited(page)))
        }
        return PageKeeping.decide(pages, limit: limit)
    }

    /// Drops the pages that nothing keeps, but for those in `sparing`; what a pull ends with.
    ///
    /// It looks at the pages that have a mark, so it takes no longer in a store of many pages. `limit` is the number of
    /// pages that stay for a visit alone. Throws `.busy` when others are at work on the store longer than `wait` seconds.
    public func evictUnkept(
        limit: Int, sparing: Set<PageName> = [], estimatingWith git: GitProgram? = nil, wait: Double? = nil
    ) async throws(TalkError) -> [PageName] {
        let pages = try await unkept(limit: limit).filter { !sparing.contains($0) }
        if pages.isEmpty { return [] }
        return try await evict(pages, estimatingWith: git, wait: wait).evicted
    }

    /// The pages that `pull` without a name brings up to date: those that were pulled by name, and the bookmarked ones.
    public func followedPages() async throws(TalkError) -> [PageName] {
        let states = try reader.states()
        let named = states.filter(\.isKept).map(\.page)
        // One that is cut from a moved page is looked for at its new title.
        let known = Set(named), moved = Set(states.filter { $0.movedTo != nil }.map(\.page))
        return named + (try await bookmarks()).filter { !known.contains($0) && !moved.contains($0) }
    }

    // MARK: Inside

    /// The marked pages that nothing keeps.
    private func unkept(limit: Int) async throws(TalkError) -> [PageName] {
        let subject = "the list of pages cannot be read"
        guard let marks = try onDisk(subject, { () throws(FileError) in try UnkeptMarks(layout: layout).all() }) else {
            try markUnkept()
            return try await keeping(limit: limit).filter(\.reasons.isEmpty).map(\.page)
        }
        guard marks.count > limit else { return [] }
        let wishes = try await wishes()
        var pages: [PageKeeping.Facts] = []
        for mark in marks {
            // A mark without a state is what a program left that was stopped.
            guard let state = try reader.state(ofComponent: mark), state.isUnkept else { continue }
            let page = state.page
            let isCached = try git(subject) { repository throws(GitError) in
                try repository.resolve(StoreLayout.branch(of: page)) != nil
            }
            guard isCached else { continue }
            pages.append(wishes.facts(of: page, state, visited: try reader.visited(page)))
        }
        return PageKeeping.decide(pages, limit: limit).filter(\.reasons.isEmpty).map(\.page)
    }

    /// Marks the pages of a store that has no marks yet; whoever writes a state meanwhile marks his by himself.
    private func markUnkept() throws(TalkError) {
        let subject = "the pages that nothing keeps cannot be noted"
        try locked(subject) { () throws(TalkError) in
            let pages = try reader.states().filter(\.isUnkept).map(\.page)
            try onDisk(subject) { () throws(FileError) in
                let marks = UnkeptMarks(layout: layout)
                for page in pages { try marks.set(page, true) }
                faults.reach("finish marks")
                try marks.finish()
            }
        }
    }

    /// What keeps pages whatever their states say.
    private func wishes() async throws(TalkError) -> Wishes {
        let entries = try reader.outbox().entries
        var wishes = Wishes(bookmarked: Set(try await bookmarks()))
        wishes.pending = Set(entries.filter(\.state.isPending).map(\.page))
        wishes.pending.formUnion(try await pagesWithPendingReplies())
        // A journal that is lost leaves open whether anybody saw what became of its reply.
        let seen = Set(entries.filter(\.isSeen).map(\.reply.id))
        wishes.unseen = Set(entries.filter { $0.state == .discarded && !$0.isSeen }.map(\.page))
        for reply in try await discarded() where !seen.contains(reply.entry.reply.id) {
            wishes.unseen.insert(reply.entry.page)
        }
        return wishes
    }
}

/// Which pages somebody wants or works on.
private struct Wishes {
    let bookmarked: Set<PageName>
    var pending: Set<PageName> = []
    var unseen: Set<PageName> = []

    func facts(of page: PageName, _ state: PageState?, visited: Int64?) -> PageKeeping.Facts {
        PageKeeping.Facts(
            page: page, state: state, visited: visited, isBookmarked: bookmarked.contains(page),
            isPending: pending.contains(page), hasUnseenDiscarded: unseen.contains(page))
    }
}
