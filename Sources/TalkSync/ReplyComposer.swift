public import TalkPages
public import TalkStore

/// Puts what a user writes into the outbox and into the page, without network.
public struct ReplyComposer: Sendable {
    let store: Store
    let wiki: Wiki

    /// Makes a composer for one wiki.
    public init(store: Store, wiki: Wiki) {
        self.store = store
        self.wiki = wiki
    }

    /// A target that can be answered.
    public struct Prepared: Sendable {
        let branch: PendingBranch
        let content: PageContent
        let target: PendingReply.Target
        let base: RevisionID
    }

    /// Looks whether an item of a page can be answered, before the user is asked for a text.
    ///
    /// `threads` are those of the revision that the wiki calls the newest: `PageThreads.newest`.
    /// Throws `.invalid` for a pending reply, `.notFound` for what comes from another page.
    public func prepare(
        _ page: PageName, _ threads: DerivedThreads, item index: Int
    ) async throws(TalkError) -> Prepared {
        let item = threads.items[index]
        guard item.pending == nil else {
            throw TalkError(
                .invalid, "that comment is not on the wiki yet, so it cannot be answered", hint: "git talk sync")
        }
        if let target = try store.state(of: page)?.movedTo {
            throw TalkError(
                .notFound, "\(page) was moved to \(target), so it is answered there",
                hint: "git talk show \(ShellWord.quoted(target.prefixedTitle))")
        }
        if let other = item.transclusion { throw other.error(of: item, wiki: wiki) }
        let branch = try await store.pendingBranch(of: page)
        var content = try store.reader.page(page)?.content
        if branch.tip == nil, let newest = branch.base, newest.commit != branch.head {
            content = try await store.content(of: page, tree: newest.tree)
        }
        guard let content, let base = threads.revision else {
            throw TalkError(
                .notFound, "\(page) is not cached", hint: "git talk pull \(ShellWord.quoted(page.description))")
        }
        let target = PendingRebase.target(item, in: threads.items)
        let prepared = Prepared(
            branch: branch, content: content, target: target, base: base)
        _ = try place(
            PendingReply(
                id: ReplyID.make(milliseconds: 0, random: (0, 0)), kind: .reply, text: "…", target: target,
                heading: nil,
                base: base, created: 0, expires: 0), prepared)
        return prepared
    }

    /// What will not look as it is meant when the text is posted, one sentence each.
    ///
    /// Throws `.invalid` for a text that would harm the page around it.
    public func warnings(_ text: String, to prepared: Prepared, account: String) throws(TalkError) -> [String] {
        let zone = PageThreads(store: store, wiki: wiki).zone
        let context = WikitextReply.Context(
            wiki: wiki, user: account.isEmpty ? nil : account,
            dates: SignatureTimestamp(formats: wiki.signatureFormats, zone: zone))
        let isTopic = prepared.target.author == nil
        let draft = try WikitextReply.prepared(text, as: isTopic ? .topicReply : .reply, context: context)
        if let harm = draft.warnings.first(where: \.harmsPage) {
            throw TalkError(
                .invalid, "the reply was not queued, since it would harm the page: \(harm.message)",
                hint: "correct it and give it again")
        }
        return draft.warnings.map(\.message)
    }

    /// Keeps a reply: first its journal, which alone can bring all else back, then the pending commit.
    ///
    /// `text` is wikitext; its line ends become LF and its characters NFC, as the wiki does, and nothing else is touched.
    /// `account` is as whom it will be posted, empty when nobody is logged in; `id` a name from `ReplyID.make`; `now` and
    /// `expires` are seconds since 1970.
    public func reply(
        _ text: String, to prepared: Prepared, account: String, id: String, now: Int64, expires: Int64
    ) async throws(TalkError) -> OutboxEntry {
        let reply = PendingReply(
            id: id, kind: .reply, text: ReplyText.normalized(text), target: prepared.target, heading: nil,
            base: prepared.base, created: now, expires: expires)
        let page = prepared.branch.page
        let entry = OutboxEntry(reply: reply, page: page, account: account)
        let placed = PlacedReply(
            reply: reply, author: PendingFitting.author(account), content: try place(reply, prepared))
        try await store.save(entry)
        // It will be posted now, so nothing after this may be told as a failure: the user would write it again. The
        // next pull puts into the page what could not be put there now.
        do throws(TalkError) {
            try await show(placed, prepared.branch)
        } catch {}
        return entry
    }

    private func show(_ placed: PlacedReply, _ branch: PendingBranch) async throws(TalkError) {
        do throws(TalkError) {
            try await store.appendPending(placed, to: branch)
        } catch  where error.kind == .busy {
            // The page moved while the user wrote; the journal has the reply.
            try await PendingFitting(store: store, wiki: wiki).fit(branch.page)
        }
        try await PageThreads(store: store, wiki: wiki).refresh(branch.page)
    }

    private func place(_ reply: PendingReply, _ prepared: Prepared) throws(TalkError) -> PageContent {
        try PendingReplyPlacement.insert(
            reply, in: prepared.content, pending: Set(prepared.branch.commits.map(\.reply.id)), wiki: wiki,
            title: wiki.localTitle(of: prepared.branch.page),
            zone: PageThreads(store: store, wiki: wiki).zone)
    }
}
