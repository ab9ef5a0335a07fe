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

    /// A place where something can be written.
    public struct Prepared: Sendable {
        /// What it is that is written there.
        enum Place: Hashable {
            case reply(PendingReply.Target)
            case topic(heading: String)
        }

        let branch: PendingBranch
        let content: PageContent
        let place: Place
        let base: RevisionID

        var target: PendingReply.Target? { if case .reply(let target) = place { target } else { nil } }

        /// The form in which the text will stand there.
        var form: DraftForm {
            switch place {
            case .topic: .topic
            case .reply(let target): target.author == nil ? .topicReply : .reply
            }
        }

        /// What is kept of a text for this place.
        func reply(_ text: String, id: String, created: Int64, expires: Int64) -> PendingReply {
            var reply = PendingReply(
                id: id, kind: .reply, text: ReplyText.normalized(text), target: target, heading: nil, base: base,
                created: created, expires: expires)
            if case .topic(let heading) = place {
                reply.kind = .topic
                reply.heading = heading
            }
            return reply
        }
    }

    /// Looks whether an item of a page can be answered, before the user is asked for a text.
    ///
    /// `threads` are those of the revision that the wiki calls the newest: `PageThreads.newest`. The item may be a reply
    /// or a topic of the user's own that is not on the wiki yet. Throws `.notFound` for what comes from another page.
    public func prepare(
        _ page: PageName, _ threads: DerivedThreads, item index: Int
    ) async throws(TalkError) -> Prepared {
        let item = threads.items[index]
        try refuseMoved(page, "it is answered there")
        if let other = item.transclusion {
            throw other.error(of: item, wiki: wiki, original: original(of: item, on: other.page(wiki)))
        }
        let branch = try await store.pendingBranch(of: page)
        guard let content = try await content(of: branch) else {
            throw TalkError(
                .notFound, "\(page) is not cached", hint: "git talk pull \(ShellWord.quoted(page.description))")
        }
        let target = PendingChains.target(item, in: threads.items, store)
        let prepared = Prepared(
            branch: branch, content: content, place: .reply(target),
            base: threads.revision ?? RevisionID(rawValue: 0))
        _ = try place(prepared.reply("…", id: Self.sampleID, created: 0, expires: 0), prepared)
        return prepared
    }

    /// Looks whether a topic with that heading can be begun on a page, which need not be cached nor be on the wiki.
    ///
    /// Throws `.invalid` for a heading that the wiki would not take, and for a page where nobody talks.
    public func prepareTopic(_ heading: String, on page: PageName) async throws(TalkError) -> Prepared {
        try refuseMoved(page, "topics are begun there")
        let branch = try await store.pendingBranch(of: page)
        if branch.base == nil, !wiki.isTalkPage(page) {
            let talk = wiki.talkPage(of: page)
            throw TalkError(
                .invalid, "\(page) is not a talk page, and not cached",
                hint: talk.map { "git talk new \(ShellWord.quoted($0.prefixedTitle))" }
                    ?? "if people talk on it, pull it first: git talk pull \(ShellWord.quoted(page.description))")
        }
        // One that the wiki said is not there will be made.
        let isMissing = try store.state(of: page)?.isMissing == true
        let base = isMissing ? nil : branch.base?.record.id
        return Prepared(
            branch: branch, content: try await content(of: branch) ?? PageContent(lede: "", sections: []),
            place: .topic(heading: try TopicHeading.checked(heading, context: context(account: ""))),
            base: base ?? RevisionID(rawValue: 0))
    }

    /// What will not look as it is meant when the text is posted, one sentence each.
    ///
    /// Throws `.invalid` for a text that would harm the page around it.
    public func warnings(_ text: String, to prepared: Prepared, account: String) throws(TalkError) -> [String] {
        let draft = try WikitextReply.prepared(text, as: prepared.form, context: context(account: account))
        if let harm = draft.warnings.first(where: \.harmsPage) {
            let what = prepared.form == .topic ? "topic" : "reply"
            throw TalkError(
                .invalid, "the \(what) was not queued, since it would harm the page: \(harm.message)",
                hint: "correct it and give it again")
        }
        return draft.warnings.map(\.message)
    }

    /// Keeps a reply or a topic: first its journal, which alone can bring all else back, then the pending commit.
    ///
    /// `text` is wikitext; its line ends become LF and its characters NFC, as the wiki does, and nothing else is touched.
    /// `account` is as whom it will be posted, empty when nobody is logged in; `id` a name from `ReplyID.make`; `now` and
    /// `expires` are seconds since 1970.
    public func reply(
        _ text: String, to prepared: Prepared, account: String, id: String, now: Int64, expires: Int64
    ) async throws(TalkError) -> OutboxEntry {
        let reply = prepared.reply(text, id: id, created: now, expires: expires)
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

    // MARK: Inside

    /// An id for what is placed to look at only.
    static let sampleID = ReplyID.make(milliseconds: 0, random: (0, 0))

    /// The page as its directory has it; without replies, as it is in the revision that the wiki calls the newest.
    private func content(of branch: PendingBranch) async throws(TalkError) -> PageContent? {
        if branch.tip == nil, let newest = branch.base, newest.commit != branch.head {
            return try await store.content(of: branch.page, tree: newest.tree)
        }
        return try store.reader.page(branch.page)?.content
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

    /// The item as the page that it comes from has it in the cache; nil when it is not there, or several look like it.
    private func original(of item: ThreadItem, on page: PageName?) -> ThreadItem? {
        guard let page, let threads = try? store.reader.threads(of: page) else { return nil }
        let same = threads.items.filter {
            $0.kind == item.kind && $0.name == item.name && $0.text == item.text && $0.pending == nil
                && $0.transclusion == nil
        }
        return same.count == 1 ? same[0] : nil
    }

    private func refuseMoved(_ page: PageName, _ what: String) throws(TalkError) {
        guard let target = try store.state(of: page)?.movedTo else { return }
        throw TalkError(
            .notFound, "\(page) was moved to \(target), so \(what)",
            hint: "git talk show \(ShellWord.quoted(target.prefixedTitle))")
    }

    func context(account: String) -> WikitextReply.Context {
        WikitextReply.Context(
            wiki: wiki, user: account.isEmpty ? nil : account,
            dates: SignatureTimestamp(formats: wiki.signatureFormats, zone: PageThreads(store: store, wiki: wiki).zone))
    }

    func place(_ reply: PendingReply, _ prepared: Prepared) throws(TalkError) -> PageContent {
        try PendingReplyPlacement.insert(
            reply, in: prepared.content, pending: Set(prepared.branch.commits.map(\.reply.id)), wiki: wiki,
            title: wiki.localTitle(of: prepared.branch.page),
            zone: PageThreads(store: store, wiki: wiki).zone)
    }
}
