internal import TalkPages
internal import TalkStore

/// Which two states of which page a user wants to compare.
struct DiffRequest {
    let named: NamedPage
    /// nil: the revision before the newest.
    private(set) var from: RevisionID?
    /// nil: the newest.
    private(set) var to: RevisionID?
    let isPending: Bool

    /// Takes `<page> [<A>..<B> | <A>]` or `<page>@<A>` apart.
    init(_ arguments: Arguments, _ context: Context, _ store: Store) throws {
        isPending = arguments.has("pending")
        let typed = arguments.positional[0]
        guard arguments.positional.count > 1 else {
            (named, from) = try context.pageAndRevision(typed, store.reader)
            return
        }
        let range = arguments.positional[1]
        named = try context.page(typed, store.reader)
        guard let dots = range.firstRange(of: "..") else {
            from = try Self.required(range[...])
            return
        }
        if isPending { throw UsageError("--pending takes one revision, not a range") }
        let (first, second) = (range[..<dots.lowerBound], range[dots.upperBound...])
        guard !first.isEmpty || !second.isEmpty else { throw UsageError("'..' names no revision") }
        from = first.isEmpty ? nil : try Self.required(first)
        to = second.isEmpty ? nil : try Self.required(second)
        // As with git, a side that is left out is the newest.
        isFromNewest = first.isEmpty
    }

    private var isFromNewest = false

    private static func required(_ text: Substring) throws -> RevisionID {
        guard let id = RevisionID(typed: text) else {
            throw UsageError("'\(text)' is no revision; give its number, as 'git talk log' prints it")
        }
        return id
    }

    // MARK: Reading

    /// Reads both states from the store and compares them.
    func report(_ store: Store) async throws(TalkError) -> DiffReport {
        let page = named.page
        let records = try await store.records(of: page)
        if isPending, records.isEmpty, let made = try await madeByTopics(store) { return made }
        guard let newest = records.last else {
            throw TalkError(
                .notFound, "\(page) is not cached", hint: "git talk pull \(ShellWord.quoted(named.wiki.url(of: page)))")
        }
        let threads = PageThreads(store: store, wiki: named.wiki)
        if isPending {
            guard let cached = try store.reader.page(page) else {
                throw TalkError(.damaged, "the cached files of the page \(page) are missing", hint: "git talk pull")
            }
            let foot = try await store.pendingBranch(of: page).foot
            // A branch that was not fitted yet has the changes of the revision that it stands on.
            let base = records.last { $0.commit == foot } ?? newest
            let chosen = try await find(from, records, store) ?? base
            return try DiffReport(
                named: named, old: await side(chosen, store, threads),
                new: DiffSide(
                    record: nil, pending: cached.pending.map(\.id), content: cached.content,
                    items: try threads.items(of: cached, page),
                    looseText: try threads.looseText(
                        of: cached.content, title: title, pending: Set(cached.pending.map(\.id)))),
                isBehind: base.record.id != newest.record.id)
        }
        let new = try await find(to, records, store) ?? newest
        let old: StoredRevision
        if let chosen = try await find(from, records, store) {
            old = chosen
        } else if isFromNewest {
            old = newest
        } else if records.count > 1 {
            old = records[records.count - 2]
        } else {
            throw TalkError(
                .notFound,
                "only revision \(newest.record.id) of \(page) is cached, so there is nothing to compare it with",
                hint: "git talk log \(ShellWord.quoted(page.prefixedTitle))")
        }
        return try DiffReport(
            named: named, old: try await side(old, store, threads), new: try await side(new, store, threads),
            isBehind: false)
    }

    /// A page that is not cached with the topics that wait for it, against nothing; nil when there are none.
    private func madeByTopics(_ store: Store) async throws(TalkError) -> DiffReport? {
        guard from == nil, let cached = try store.reader.page(named.page) else { return nil }
        return try DiffReport(
            named: named,
            old: DiffSide(record: nil, pending: [], content: PageContent(lede: "", sections: []), items: []),
            new: DiffSide(
                record: nil, pending: cached.pending.map(\.id), content: cached.content,
                items: try PageThreads(store: store, wiki: named.wiki).items(of: cached, named.page)),
            isBehind: false)
    }

    /// nil for no revision; throws `notFound` for one that is not cached.
    private func find(
        _ id: RevisionID?, _ records: [StoredRevision], _ store: Store
    ) async throws(TalkError) -> StoredRevision? {
        guard let id else { return nil }
        return try await CachedRevision.find(id, in: records, of: named, store)
    }

    private func side(
        _ revision: StoredRevision, _ store: Store, _ threads: PageThreads
    ) async throws(TalkError) -> DiffSide {
        guard let content = try await store.content(of: named.page, tree: revision.tree) else {
            throw TalkError(
                .damaged, "revision \(revision.record.id) of \(named.page) is not whole", hint: "git talk pull")
        }
        return DiffSide(
            record: revision.record, pending: [], content: content,
            items: try threads.items(of: content, title: title),
            looseText: try threads.looseText(of: content, title: title))
    }

    private var title: String { named.wiki.localTitle(of: named.page) }
}

/// One of the two states that are compared.
struct DiffSide: Sendable {
    /// The revision; nil for the page with its pending replies.
    let record: RevisionRecord?
    /// Ids of the pending replies that are in place.
    let pending: [String]
    let content: PageContent
    let items: [ThreadItem]
    /// What stands in no heading and no comment, by file.
    var looseText: [String: String] = [:]

    /// What it is, in words.
    func words(_ style: Style) -> String {
        guard let record else {
            if content == PageContent(lede: "", sections: []) { return "no page" }
            return pending.isEmpty
                ? "no pending reply" : "with \(TimeText.count(pending.count, "pending reply", "pending replies"))"
        }
        let user = record.user.map(style.page) ?? "(user hidden)"
        return "revision \(record.id) of \(TimeText.minute(record.timestamp)) by \(user)"
    }
}

/// Two states of a page and what changed between them.
struct DiffReport: Sendable {
    let named: NamedPage
    let old: DiffSide
    let new: DiffSide
    /// Whether the pending replies stand on an older revision than the newest.
    let isBehind: Bool
    let discussion: DiscussionDiff
    /// The sections to show: of the whole page, or of the topic that was named.
    let sections: [DiscussionDiff.Section]
    let renderOnly: [RevisionDiff.File]
    let oldCodes: [String]
    let newCodes: [String]

    /// Throws `notFound` when the page has no such topic as was named.
    init(named: NamedPage, old: DiffSide, new: DiffSide, isBehind: Bool) throws(TalkError) {
        self.named = named
        self.old = old
        self.new = new
        self.isBehind = isBehind
        let diff = RevisionDiff(
            old: (old.content, old.items), new: (new.content, new.items), loose: (old.looseText, new.looseText))
        discussion = diff.discussion
        oldCodes = ItemSelection.codes(old.items)
        newCodes = ItemSelection.codes(new.items)
        guard let fragment = named.fragment else {
            sections = diff.discussion.sections
            renderOnly = diff.renderOnly
            return
        }
        let oldTopic = ItemSelection.topic(fragment, in: old.items)
        let newTopic = ItemSelection.topic(fragment, in: new.items)
        guard oldTopic != nil || newTopic != nil else {
            throw TalkError(
                .notFound, "\(named.page) has no topic “\(fragment)”",
                hint: "git talk diff \(ShellWord.quoted(named.page.prefixedTitle))"
            )
        }
        sections = diff.discussion.sections.filter { section in
            section.heading?.newIndex.map { newTopic?.contains($0) == true } == true
                || section.heading?.oldIndex.map { oldTopic?.contains($0) == true } == true
        }
        let files = Set(
            [oldTopic.map { old.items[$0] }, newTopic.map { new.items[$0] }].compactMap { $0 }
                .flatMap { $0.compactMap(\.file) })
        renderOnly = diff.renderOnly.filter { files.contains($0.file) || files.contains($0.oldFile) }
    }

    /// Whether two pages that had the title one after another are compared.
    var isOfTwoPages: Bool {
        guard let old = old.record, let new = new.record else { return false }
        return old.page != new.page
    }

    var isEmpty: Bool { sections.isEmpty && renderOnly.isEmpty }

    /// The code by which a heading or comment is named, as `show` prints it.
    func code(_ change: DiscussionDiff.Change) -> String {
        change.newIndex.map { newCodes[$0] } ?? change.oldIndex.map { oldCodes[$0] } ?? ""
    }
}
