internal import TalkPages
internal import TalkStore

/// What a session does: the effects of `PageMachine` on a wiki and a store.
struct PageWork: Sendable {
    let page: PageName
    let puller: PagePuller
    let isKept: Bool
    /// Whether somebody looks: else nothing is read that only a reader needs.
    let isWatched: Bool
    /// The wiki's answer, where it was got together with those on other pages.
    let known: KnownCheck?
    let progress: @Sendable (PullProgress) -> Void

    /// A revision as it is stored.
    private typealias Fetched = (info: RevisionInfo, content: PageContent)

    var api: MediaWikiAPI { puller.api }
    var store: Store { puller.store }
    var wiki: Wiki { puller.wiki }
    private var title: String { wiki.localTitle(of: page) }

    // MARK: Opening

    /// What the store has, by its files alone; git helps only where they do not tell.
    func open() async -> PageMachine.Opening {
        if isWatched { store.visit(page, at: puller.now) }
        do throws(TalkError) {
            if let shown = try read() { return .page(shown) }
        } catch {
            if error.kind != .damaged { return .unreadable }
        }
        do throws(TalkError) {
            guard try await store.tip(of: page) != nil else {
                return .none(isKnownMissing: try store.state(of: page)?.isMissing == true)
            }
            try await store.refresh(page, discardingFiles: true)
            return try read().map(PageMachine.Opening.page) ?? .none(isKnownMissing: false)
        } catch {
            return .unreadable
        }
    }

    /// The page as its files have it; nil when it is not cached.
    private func read() throws(TalkError) -> ShownPage? {
        let reader = store.reader, state = try reader.state(of: page)
        let name = state?.displayTitle ?? title
        guard isWatched else {
            guard try reader.stamp(of: page) != nil else { return nil }
            return ShownPage(
                title: name, revision: nil, content: PageContent(lede: "", sections: []), items: [], state: state,
                isStored: true)
        }
        guard let cached = try reader.page(page) else { return nil }
        let kept = try reader.threads(of: page).flatMap { $0.treeID == cached.stamp.tree ? $0 : nil }
        let isCurrent = kept?.isCurrent(
            for: cached.stamp, parserVersion: ThreadParser.version, localeHash: wiki.localeHash)
        let items =
            if let kept, isCurrent == true {
                kept.items
            } else {
                try PageThreads(store: store, wiki: wiki).items(of: cached, page)
            }
        return ShownPage(
            title: name, revision: kept?.revision, content: cached.content, items: items, state: state, isStored: true)
    }

    // MARK: Requests

    /// Asks for the newest revision, for whoever is logged in and for the right to edit; looks what the store has
    /// meanwhile.
    func check() async -> PageMachine.Checked {
        if known == nil { progress(.checking) }
        var checked = PageMachine.Checked(
            answer: .failure(TalkError(.internal, "nothing was asked")), testsEdit: known?.testsEdit ?? true,
            standing: PageMachine.Standing())
        if let known {
            checked.answer = known.answer
            checked.user = known.user
        } else {
            do throws(TalkError) {
                let answer = try await api.checkWithUser(titles: [title], testsEdit: true)
                checked.answer = .success(answer.pages[0])
                checked.user = answer.user
            } catch {
                checked.answer = .failure(error)
            }
        }
        // What cannot be read is fetched as if it were not there.
        let tip = (try? await store.tip(of: page))?.record
        checked.standing.tip = tip?.id
        checked.standing.page = tip?.page
        let answer = try? checked.answer.get()
        var known = tip
        if let tip, let next = answer?.revision, next.id == answer?.latest, next.follows(tip) {
            // Nobody asks what else is cached, however long the history is.
            known = nil
        } else if let tip, tip.id != answer?.latest {
            let records = (try? await store.records(of: page))?.map(\.record) ?? []
            checked.standing.cached = Set(records.map(\.id))
            known = records.last { $0.id == answer?.latest }
        }
        if let known, let info = answer?.revision, info.id == known.id {
            checked.standing.isReused = info.timestamp != known.timestamp
        }
        return checked
    }

    /// Asks for the page as it is now, on a connection of its own: beside the check, not behind it.
    func render() async -> Result<ShownPage, TalkError> {
        let companion = api.companion
        return await result { () async throws(TalkError) in
            let parsed = try await companion.parse(title: title)
            try await refuseLiquidThreads(parsed, companion)
            return try shown(parsed, parsed.revision)
        }
    }

    /// The newest revisions; `from` a revision that is at hand, which is the first of them.
    func list(from start: RevisionID?) async -> Result<[RevisionInfo], TalkError> {
        await result { () async throws(TalkError) in
            try await api.revisions(of: .title(title), limit: puller.history, from: start)
        }
    }

    /// A revision by its number.
    func fetch(_ revision: RevisionID, count: Int) async -> Result<ShownPage, TalkError> {
        await result { () async throws(TalkError) in
            try shown(try await parse(revision, number: 1, count: count), revision)
        }
    }

    private func parse(_ revision: RevisionID, number: Int, count: Int) async throws(TalkError) -> ParsedPage {
        progress(.fetching(revision, number: number, count: count))
        let parsed = try await api.rendering(of: revision, title: title)
        try await refuseLiquidThreads(parsed, api)
        return parsed
    }

    /// The discussion of a page of LiquidThreads is not in its text.
    private func refuseLiquidThreads(_ parsed: ParsedPage, _ api: MediaWikiAPI) async throws(TalkError) {
        guard wiki.hasLiquidThreads == true, try await api.hasLiquidThreads(title: parsed.title) else { return }
        throw TalkError(
            .invalid, "\(parsed.title) is a page of LiquidThreads, not a talk page this program can read",
            hint: "look at it in a browser: \(wiki.url(of: page))")
    }

    private func shown(_ parsed: ParsedPage, _ revision: RevisionID?) throws(TalkError) -> ShownPage {
        let content = try parsed.content(of: revision, title: parsed.title, wiki: wiki)
        let items = isWatched ? try PageThreads(store: store, wiki: wiki).items(of: content, title: title) : []
        var page = ShownPage(
            title: parsed.title, revision: revision, content: content, items: items, state: nil, isStored: false)
        page.rendering = parsed
        page.rendering?.html = ""
        return page
    }

    // MARK: The store

    /// Fetches the older revisions, newest first, and stores them with the newest as one pack.
    ///
    /// When the wiki fails on the way, what has come is stored all the same.
    func keep(
        _ newest: RevisionInfo, _ page: ShownPage, older: [RevisionInfo], shortfall: TalkError?, _ check: PageCheck?
    ) async -> Result<PageMachine.Stored, TalkError> {
        async let found = items(of: page)
        let (before, failure) = await fetch(older)
        let revisions = before.reversed() + [(newest, page.content)], items = await found
        return await result { () async throws(TalkError) in
            let items = try items.get()
            let transcluded = await transcluded(newest.id, page, items)
            progress(.writing)
            return try await store(revisions, items, transcluded, failure ?? shortfall, check)
        }
    }

    /// The headings and comments of a page that came from the wiki: made here where nobody waited for them before.
    private func items(of page: ShownPage) async -> Result<[ThreadItem], TalkError> {
        if isWatched { return .success(page.items) }
        return await result { () async throws(TalkError) in
            try PageThreads(store: store, wiki: wiki).items(of: page.content, title: title)
        }
    }

    /// Revisions in the given order, up to the first that fails.
    ///
    /// One is made canonical while the wiki renders the next.
    private func fetch(_ older: [RevisionInfo]) async -> (revisions: [Fetched], failure: TalkError?) {
        await withTaskGroup(of: (Int, Result<PageContent, TalkError>).self) { group in
            var contents: [Int: Result<PageContent, TalkError>] = [:]
            for (index, info) in older.enumerated() {
                // Administrators hide old texts; the other revisions are still there to be read.
                if info.isTextHidden { continue }
                if Task.isCancelled || contents.values.contains(where: \.isFailure) { break }
                do throws(TalkError) {
                    let parsed = try await parse(info.id, number: index + 2, count: older.count + 1)
                    if let (index, content) = await group.next() { contents[index] = content }
                    group.addTask {
                        (
                            index,
                            await result { () async throws(TalkError) in
                                try parsed.content(of: info.id, title: parsed.title, wiki: wiki)
                            }
                        )
                    }
                } catch {
                    contents[index] = .failure(error)
                }
            }
            for await (index, content) in group { contents[index] = content }
            var revisions: [Fetched] = []
            for (index, info) in older.enumerated() {
                switch contents[index] {
                case .success(let content): revisions.append((info, content))
                case .failure(let error): return (revisions, error)
                case nil: continue
                }
            }
            return (revisions, nil)
        }
    }

    /// What comes from other pages; when the wiki does not tell, the reply's own check before it is posted will.
    private func transcluded(
        _ revision: RevisionID, _ page: ShownPage, _ items: [ThreadItem]
    ) async -> TranscludedItems? {
        guard let rendering = page.rendering, rendering.showsOtherPages,
            let text = try? await api.wikitext(of: revision).text
        else { return nil }
        let zone = PageThreads(store: store, wiki: wiki).zone
        return rendering.transcluded(
            revision, items: items, content: page.content, wikitext: text,
            dates: SignatureTimestamp(formats: wiki.signatureFormats, zone: zone))
    }

    /// Stores revisions, oldest first, and compares the newest, which has these items, with the one that was the newest
    /// before.
    private func store(
        _ revisions: [Fetched], _ items: [ThreadItem], _ transcluded: TranscludedItems?, _ shortfall: TalkError?,
        _ check: PageCheck?
    ) async throws(TalkError) -> PageMachine.Stored {
        let threads = PageThreads(store: store, wiki: wiki)
        let old = try await store.tip(of: page)
        let before = try await threads.items(of: page, tree: old?.tree)
        let records = revisions.map { ($0.info.record(format: CanonicalPage.formatVersion), $0.content) }
        let added = try await store.add(records, to: page).written
        guard let newest = revisions.last?.info.id else { throw TalkError(.internal, "nothing is to be stored") }
        try await save(check, latest: check?.latest ?? newest) { $0.transcluded = transcluded }
        // A late answer may be older than what the store has.
        let tip = try await store.tip(of: page)
        let isNewest = tip?.record.id == newest
        let after = isNewest ? items : try await threads.items(of: page, tree: tip?.tree)
        let discussion = DiscussionDiff(from: before, to: after)
        var removed: [RemovedTopic] = []
        if !discussion.topicsRemoved.isEmpty {
            var later: [(record: RevisionRecord, items: [ThreadItem])] = []
            for (info, content) in revisions {
                let items = info.id == newest ? after : try threads.items(of: content, title: title)
                later.append((info.record(format: CanonicalPage.formatVersion), items))
            }
            removed = RemovedTopic.find(from: before, at: old?.record.id, in: later, page: page, wiki: wiki)
        }
        let search = TargetSearch(api: api, wiki: wiki, page: page, removed: removed)
        let fitting = try await puller.fitting.fit(page, whereabouts: search.place)
        try await threads.refresh(page)
        var shown = try read()
        shown?.revision = tip?.record.id
        return PageMachine.Stored(
            changes: TalkPageChanges(
                added: added.sorted(), discussion: discussion, isFirst: old == nil, topicsRemoved: removed,
                shortfall: shortfall),
            shown: shown, fitting: fitting)
    }

    /// Makes up for what a crash or a full disk broke off after the page's branch had moved; else writes nothing but
    /// the time of the check.
    func confirm(_ check: PageCheck?, latest: RevisionID) async -> Result<PageMachine.Confirmed, TalkError> {
        await result { () async throws(TalkError) in
            try await save(check, latest: latest)
            let standing = try await store.pendingBranch(of: page)
            let stamp: PageStamp?
            do throws(TalkError) {
                stamp = try store.reader.page(page)?.stamp
            } catch  where error.kind == .damaged {
                stamp = nil
            }
            let isWhole = stamp?.commit == standing.head
            if stamp == nil {
                try await store.refresh(page, discardingFiles: true)
            } else if !isWhole {
                try await store.refresh(page)
            }
            let fitting = try await puller.fitting.heal(page)
            if !isWhole { try await PageThreads(store: store, wiki: wiki).refresh(page) }
            let isChanged = !isWhole || fitting != PendingFitting.Result()
            var shown = isChanged ? try read() : nil
            shown?.revision = nil
            if isWatched, let older = try await olderPage() { shown = older }
            return PageMachine.Confirmed(shown: shown, fitting: fitting)
        }
    }

    /// The page at the revision that the wiki calls the newest, where the branch ends in another one and nothing waits.
    func olderPage() async throws(TalkError) -> ShownPage? {
        let standing = try await store.pendingBranch(of: page)
        guard standing.tip == nil, let newest = standing.base, newest.commit != standing.head,
            let content = try await store.content(of: page, tree: newest.tree)
        else { return nil }
        let state = try store.state(of: page)
        return ShownPage(
            title: state?.displayTitle ?? title, revision: newest.record.id, content: content,
            items: try PageThreads(store: store, wiki: wiki).items(of: content, title: title), state: state,
            isStored: true)
    }

    /// Keeps what the wiki said beside the page; what cannot be kept is asked for again.
    func note(_ note: PageMachine.Note) async {
        switch note {
        case .behind(let check, let latest): try? await save(check, latest: latest)
        case .missing(let check):
            // A page that was never cached is remembered, too, but not as one to keep.
            guard let isCached = try? await store.tip(of: page) != nil else { return }
            var state = (try? store.state(of: page)) ?? PageState(page: page, displayTitle: check.title)
            state.isKept = isCached && (state.isKept || isKept)
            state.isMissing = true
            state.checked = puller.now
            state.failure = nil
            try? await store.save(state)
        case .failure(let error): await puller.remember(error, of: page)
        }
    }

    /// Remembers what the wiki said of a page that it has.
    private func save(
        _ check: PageCheck?, latest: RevisionID, _ change: (inout PageState) -> Void = { _ in }
    ) async throws(TalkError) {
        var state = try store.state(of: page) ?? PageState(page: page, displayTitle: title)
        state.isKept = state.isKept || isKept
        state.latest = latest
        state.checked = puller.now
        state.isMissing = false
        state.movedTo = nil
        state.failure = nil
        if let check {
            state.displayTitle = check.title
            state.pageID = check.page
            state.language = check.language
            state.isRightToLeft = check.isRightToLeft
        }
        change(&state)
        try await store.save(state)
    }

    func result<Value: Sendable>(
        _ body: () async throws(TalkError) -> Value
    ) async -> Result<Value, TalkError> {
        do throws(TalkError) { return .success(try await body()) } catch { return .failure(error) }
    }
}

extension Result {
    fileprivate var isFailure: Bool {
        if case .failure = self { true } else { false }
    }
}
