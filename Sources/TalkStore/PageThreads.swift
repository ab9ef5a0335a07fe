public import TalkPages

/// The topics and comments of cached pages, made anew when the page, the parser or the locale data are others.
///
/// What was made is kept beside the page, so that showing a page neither parses HTML nor starts git.
public struct PageThreads: Sendable {
    let store: Store
    let wiki: Wiki
    /// The clock that the wiki's signatures are written by.
    public let zone: TimeZoneRules

    /// Makes a reader of threads for the pages of one wiki.
    public init(store: Store, wiki: Wiki) {
        self.store = store
        self.wiki = wiki
        zone = SystemZones.rules(wiki.timezone) ?? .utc
    }

    /// The threads of a page as its directory has it, pending replies in place; nil when the page is not cached.
    ///
    /// Takes one small file when they are current. Throws `.damaged` when the page's files are.
    public static func current(of page: PageName, store: Store, wiki: Wiki) async throws(TalkError) -> DerivedThreads? {
        guard let stamp = try store.reader.stamp(of: page) else { return nil }
        if let kept = try store.threads(of: page),
            kept.isCurrent(for: stamp, parserVersion: ThreadParser.version, localeHash: wiki.localeHash)
        {
            return kept
        }
        return try await PageThreads(store: store, wiki: wiki).refresh(page)
    }

    /// Parses the page's files and keeps what is found; nil when the page is not cached.
    @discardableResult
    public func refresh(_ page: PageName) async throws(TalkError) -> DerivedThreads? {
        guard let cached = try store.reader.page(page) else { return nil }
        let standing = try await store.pendingBranch(of: page)
        // Without replies, the directory has the last revision in time.
        let tip = standing.tip == nil ? try await store.tip(of: page)?.record : standing.base?.record
        return try await save(try items(of: cached, page), tree: cached.stamp.tree, tip, page)
    }

    /// Keeps the items of a page's newest revision, which its content was just parsed for.
    ///
    /// They are found anew where pending replies stand in the page.
    public func keep(_ items: [ThreadItem], of tip: StoredRevision, _ page: PageName) async throws(TalkError) {
        guard try store.reader.stamp(of: page)?.tree == tip.tree else {
            try await refresh(page)
            return
        }
        _ = try await save(items, tree: tip.tree, tip.record, page)
    }

    private func save(
        _ items: [ThreadItem], tree: String, _ tip: RevisionRecord?, _ page: PageName
    ) async throws(TalkError) -> DerivedThreads {
        var items = items
        if let transcluded = try store.state(of: page)?.transcluded, transcluded.revision == tip?.id {
            items = transcluded.mark(items)
        }
        let threads = DerivedThreads(
            treeID: tree, parserVersion: ThreadParser.version, localeHash: wiki.localeHash, revision: tip?.id,
            revisionTime: tip?.timestamp, revisionUser: tip?.user, items: items)
        do throws(TalkError) {
            try await store.save(threads, of: page)
        } catch  where error.kind == .unwritable {
            // A full or read-only disk does not keep anybody from reading: they are made again the next time.
        }
        return threads
    }

    /// The threads of the revision that the wiki calls the newest, where another cached one is later in time.
    ///
    /// That is so when the wiki took revisions back, or has another page at the title. Pending replies stand on that
    /// revision already.
    public func newest(
        _ threads: DerivedThreads, _ state: PageState?, of page: PageName
    ) async throws(TalkError) -> DerivedThreads {
        guard let latest = state?.newest, latest != threads.revision,
            !threads.items.contains(where: { $0.pending != nil }),
            let older = try await store.records(of: page).last(where: { $0.record.id == latest })
        else { return threads }
        return try await self.threads(at: older, of: page)
    }

    /// The threads of a cached revision, pending replies aside.
    public func threads(at revision: StoredRevision, of page: PageName) async throws(TalkError) -> DerivedThreads {
        DerivedThreads(
            treeID: revision.tree, parserVersion: ThreadParser.version, localeHash: wiki.localeHash,
            revision: revision.record.id, revisionTime: revision.record.timestamp, revisionUser: revision.record.user,
            items: try await items(of: page, tree: revision.tree))
    }

    /// The items of a page as its directory has it, with what was written here in the pending ones.
    public func items(of cached: CachedPage, _ page: PageName) throws(TalkError) -> [ThreadItem] {
        try items(of: cached.content, pending: cached.pending, page)
    }

    /// The items of a page in canonical form, with what was written here in those of the pending replies.
    public func items(
        of content: PageContent, pending: [PendingReply], _ page: PageName
    ) throws(TalkError) -> [ThreadItem] {
        var items = try items(of: content, title: wiki.localTitle(of: page), pending: Set(pending.map(\.id)))
        for reply in pending {
            if let heading = items.firstIndex(where: { $0.pending == reply.id && $0.kind == .heading }) {
                items[heading].text = reply.heading ?? ""
            }
            guard let index = items.firstIndex(where: { $0.pending == reply.id && $0.kind == .comment }) else {
                continue
            }
            // One damaged journal does not hide the page.
            items[index].author = (try? store.outboxEntry(reply.id))?.account
            items[index].timestamp = reply.created
            items[index].text = reply.text
            items[index].readableText = nil
        }
        return items
    }

    /// The items of a page as one of its trees has it, pending replies aside; none for no tree.
    public func items(of page: PageName, tree: String?) async throws(TalkError) -> [ThreadItem] {
        if let kept = try store.threads(of: page), kept.treeID == tree, kept.parserVersion == ThreadParser.version,
            kept.localeHash == wiki.localeHash, kept.items.allSatisfy({ $0.transclusion == nil })
        {
            return kept.items
        }
        guard let tree, let content = try await store.content(of: page, tree: tree) else { return [] }
        return try items(of: content, title: wiki.localTitle(of: page))
    }

    /// The items of a page in canonical form; `pending` names the pending replies that are in place.
    public func items(
        of content: PageContent, title: String, pending: Set<String> = []
    ) throws(TalkError) -> [ThreadItem] {
        try ThreadParser(wiki: wiki, title: title, zone: zone).items(of: content, pending: pending)
    }

    /// What stands in no heading and no comment of a page in canonical form, by file.
    public func looseText(
        of content: PageContent, title: String, pending: Set<String> = []
    ) throws(TalkError) -> [String: String] {
        try ThreadParser(wiki: wiki, title: title, zone: zone).looseText(of: content, pending: pending)
    }
}
