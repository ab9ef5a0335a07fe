internal import TalkPages
internal import TalkStore

extension PageWork {
    /// Looks where the page is that was cached, and keeps it there in place of the title that it had.
    ///
    /// `check` is what the wiki said of the former title. Nil when the wiki has the page no longer. Done once more, it
    /// changes nothing.
    func trace(_ id: PageID, _ check: PageCheck) async -> Result<PageMove?, TalkError> {
        await result { () async throws(TalkError) in
            guard let found = try await api.check(pages: [id]).first, found.status == .exists else { return nil }
            let target = try TitleParser.parse(found.title, wiki: wiki).page
            if target == page { return nil }
            let isGone = check.status != .exists || check.isRedirect
            try await take(id, to: target, title: found.title)
            let (followed, setAside) = try await puller.fitting.follow(page, to: target)
            if isGone, var state = try store.state(of: page) {
                state.movedTo = target
                state.isKept = false
                state.isMissing = check.status != .exists
                state.checked = puller.now
                state.failure = nil
                try await store.save(state)
            }
            return PageMove(
                from: page, to: target, title: found.title, isGone: isGone, setAside: setAside, followed: followed)
        }
    }

    /// Copies what is cached of a page to its new title, which is kept as the former one was.
    private func take(_ id: PageID, to target: PageName, title: String) async throws(TalkError) {
        try await store.copyRevisions(of: id, from: page, to: target)
        try await PageThreads(store: store, wiki: wiki).refresh(target)
        let wasKept = try store.state(of: page)?.isKept == true
        var state = try store.state(of: target) ?? PageState(page: target, displayTitle: title)
        state.isKept = state.isKept || isKept || wasKept
        state.isMissing = false
        state.movedTo = nil
        // Another page that was cached there is looked for by the next pull.
        state.pageID = state.pageID ?? id
        try await store.save(state)
    }
}
