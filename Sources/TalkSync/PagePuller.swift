public import TalkPages
public import TalkStore

/// What a pull did to one page.
public struct PullReport: Hashable, Sendable {
    /// The page.
    public var page: PageName
    /// The title as the wiki writes it.
    public var title: String
    /// The page's newest cached revision.
    public var revision: RevisionID
    /// Revisions that the store did not have before, oldest first.
    public var added: [RevisionID]
    /// What changed in the discussion since the newest revision cached before.
    public var changes: DiscussionDiff
    /// Whether nothing of the page was cached before.
    public var isFirst: Bool
    /// Replies that were set aside since what they answer is gone.
    public var setAside: [OutboxEntry]
    /// Number of pending replies that were fitted to the new revision.
    public var rebased: Int
}

/// A step of a pull, for a line of progress.
public enum PullProgress: Hashable, Sendable {
    /// The wiki is asked which revision is the newest.
    case checking
    /// Revision `number` of `count` is fetched.
    case fetching(RevisionID, number: Int, count: Int)
    /// What was fetched is written.
    case writing
}

/// Brings pages from a wiki into a store.
///
/// Asks for the newest revision first; when it is the one that is cached, nothing else is asked and no reference and no
/// file of the page is touched. Otherwise the newest revisions are fetched by number, newest first.
public struct PagePuller: Sendable {
    let api: MediaWikiAPI
    let store: Store
    let wiki: Wiki
    let history: Int
    let now: Int64

    /// Makes a puller; `history` is how many of the newest revisions a pull brings at most, at least 1.
    public init(api: MediaWikiAPI, store: Store, wiki: Wiki, history: Int, now: Int64) {
        self.api = api
        self.store = store
        self.wiki = wiki
        self.history = max(1, history)
        self.now = now
    }

    /// Pulls one page.
    ///
    /// `isKept` marks it as asked for by name. `check` is the wiki's answer about it where that was got already. Throws
    /// `notFound` for a page that does not exist, `invalid` for one that is no talk page of wikitext; what is cached
    /// stays in every case.
    public func pull(
        _ page: PageName, isKept: Bool = true, check known: PageCheck? = nil,
        progress: @Sendable (PullProgress) -> Void = { _ in }
    ) async throws(TalkError) -> PullReport {
        progress(.checking)
        let check: PageCheck
        if let known { check = known } else { check = try await self.check([page])[0] }
        var state = try store.state(of: page) ?? PageState(page: page, displayTitle: wiki.localTitle(of: page))
        state.isKept = state.isKept || isKept
        let latest: RevisionID
        do throws(TalkError) {
            latest = try newest(check, page)
        } catch {
            if check.status == .missing {
                // A page that was never there leaves no trace; of one that is cached it is remembered that it is gone.
                state.isMissing = true
                state.checked = now
                if try await store.tip(of: page) != nil { try await store.save(state) }
            }
            throw error
        }
        state.displayTitle = check.title
        state.pageID = check.page
        state.latest = latest
        state.language = check.language
        state.isRightToLeft = check.isRightToLeft
        state.checked = now
        state.isMissing = false
        state.failure = nil
        let old = try await store.tip(of: page)
        guard old?.record.id != latest else {
            try await store.save(state)
            let fitted = try await heal(page)
            return PullReport(
                page: page, title: check.title, revision: latest, added: [], changes: DiscussionDiff(from: [], to: []),
                isFirst: false, setAside: fitted.setAside, rebased: fitted.rebased)
        }
        // When what follows fails, a reader still learns that the cached page is behind.
        if old != nil { try await store.save(state) }
        let before = try await PageThreads(store: store, wiki: wiki).items(of: page, tree: old?.tree)
        let added = try await fetch(page, check, &state, progress)
        try await store.save(state)
        let fitted = try await PendingFitting(store: store, wiki: wiki).fit(page)
        let threads = PageThreads(store: store, wiki: wiki)
        try await threads.refresh(page)
        let after = try await threads.items(of: page, tree: try await store.tip(of: page)?.tree)
        return PullReport(
            page: page, title: check.title, revision: latest, added: added,
            changes: DiscussionDiff(from: before, to: after), isFirst: old == nil, setAside: fitted.setAside,
            rebased: fitted.rebased)
    }

    /// Makes up for what a crash or a full disk broke off after the page's branch had moved; else writes nothing.
    private func heal(_ page: PageName) async throws(TalkError) -> PendingFitting.Result {
        let standing = try await store.pendingBranch(of: page)
        let stamp: PageStamp?
        do throws(TalkError) {
            stamp = try store.reader.page(page)?.stamp
        } catch  where error.kind == .damaged {
            stamp = nil
        }
        let isWhole = stamp?.commit == standing.tip ?? standing.base?.commit
        if stamp == nil {
            try await store.refresh(page, discardingFiles: true)
        } else if !isWhole {
            try await store.refresh(page)
        }
        let fitted = try await PendingFitting(store: store, wiki: wiki).heal(page)
        if !isWhole { try await PageThreads(store: store, wiki: wiki).refresh(page) }
        return fitted
    }

    /// Asks the wiki about pages, 50 a request.
    public func check(_ pages: [PageName]) async throws(TalkError) -> [PageCheck] {
        try await api.check(titles: pages.map { wiki.localTitle(of: $0) })
    }

    private func newest(_ check: PageCheck, _ page: PageName) throws(TalkError) -> RevisionID {
        let isCached = try store.reader.stamp(of: page) != nil
        let kept = isCached ? "what is cached stays: git talk show \(check.title)" : nil
        switch check.status {
        case .exists:
            guard let model = check.contentModel, model != "wikitext" else { break }
            throw TalkError(
                .invalid, "\(check.title) is not a page of wikitext (\(model)), so it is no talk page",
                hint: kept ?? "look at it in a browser: \(wiki.url(of: page))")
        case .missing:
            throw TalkError(
                .notFound, "\(check.title) does not exist on \(wiki.key)",
                hint: kept ?? "check the spelling: \(wiki.url(of: page))")
        case .invalid(let reason):
            throw TalkError(
                .invalid, "\(check.requested) is not a page name: \(reason)", hint: kept ?? "check the spelling")
        case .special:
            throw TalkError(
                .invalid, "\(check.title) is a special page, not a talk page", hint: "give the title of a talk page")
        case .interwiki(let url):
            throw TalkError(
                .invalid, "\(check.requested) is a page of another wiki", hint: url.map { "git talk pull \($0)" })
        }
        guard let latest = check.latest, latest.rawValue > 0 else {
            throw TalkError(
                .unreachable, "\(check.title): the wiki does not say which revision is the newest",
                hint: "try again later")
        }
        return latest
    }

    /// Fetches the newest revisions that the store lacks, newest first, and stores them as one pack.
    ///
    /// When the wiki fails on the way, what has come is stored all the same: the newest revision is the first.
    private func fetch(
        _ page: PageName, _ check: PageCheck, _ state: inout PageState, _ progress: @Sendable (PullProgress) -> Void
    ) async throws(TalkError) -> [RevisionID] {
        let cached = Set(try await store.records(of: page).map(\.record.id))
        let found = try await api.revisions(of: .title(check.title), limit: history)
        guard !found.isEmpty else {
            throw TalkError(
                .unreachable, "\(check.title): the wiki's answer has no history of the page", hint: "try again later")
        }
        // A cached revision ends the list: what is older was taken or left out before.
        let wanted = Array(found.prefix { !cached.contains($0.id) })
        var fetched: [(record: RevisionRecord, content: PageContent)] = []
        var failure: TalkError?
        for (index, info) in wanted.enumerated() {
            progress(.fetching(info.id, number: index + 1, count: wanted.count))
            // Administrators hide old texts; the other revisions are still there to be read.
            if info.isTextHidden, index > 0 { continue }
            do throws(TalkError) {
                let (parsed, content) = try await content(of: info.id, check)
                if index == 0 { state.transcluded = await self.transcluded(info.id, parsed, content, page) }
                fetched.append((info.record(format: CanonicalPage.formatVersion), content))
            } catch {
                failure = error
                break
            }
        }
        if !fetched.isEmpty { progress(.writing) }
        let added = fetched.isEmpty ? [] : try await store.add(fetched, to: page).written
        if let failure {
            if !added.isEmpty { try await store.save(state) }
            throw failure
        }
        return added.sorted()
    }

    /// What comes from other pages; when the wiki does not tell, the reply's own check before it is posted will.
    private func transcluded(
        _ revision: RevisionID, _ parsed: ParsedPage, _ content: PageContent, _ page: PageName
    ) async -> TranscludedItems? {
        guard parsed.showsOtherPages, let text = try? await api.wikitext(of: revision).text,
            let items = try? PageThreads(store: store, wiki: wiki).items(of: content, title: wiki.localTitle(of: page))
        else { return nil }
        let zone = PageThreads(store: store, wiki: wiki).zone
        return parsed.transcluded(
            revision, items: items, content: content, wikitext: text,
            dates: SignatureTimestamp(formats: wiki.signatureFormats, zone: zone))
    }

    private func content(
        of revision: RevisionID, _ check: PageCheck
    ) async throws(TalkError) -> (ParsedPage, PageContent) {
        let parsed = try await api.parse(revision: revision)
        guard parsed.revision == revision else {
            throw TalkError(
                .unreachable, "\(check.title): the wiki gave another revision than it was asked for",
                hint: "try again later")
        }
        do throws(TalkError) {
            return (parsed, try CanonicalPage.content(of: parsed.html, wiki: wiki))
        } catch {
            throw TalkError(
                error.kind, "revision \(revision) of \(check.title) cannot be stored: \(error.message)",
                hint: error.hint,
                underlying: error)
        }
    }
}
