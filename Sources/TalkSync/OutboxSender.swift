public import TalkPages
public import TalkStore

/// What became of one reply in a round of sending.
public enum SendOutcome: Hashable, Sendable {
    /// It is on the wiki as this revision.
    case posted(RevisionID)
    /// It may be on the wiki; the next command looks again.
    case unknown(reason: String)
    /// The user must decide or act.
    case held(reason: String)
    /// It stays in the queue: the wiki cannot take it now.
    case waiting(reason: String)
    /// What it answers is gone; its text is kept.
    case setAside(reason: String)

    /// Whether it is on the wiki.
    public var isPosted: Bool {
        if case .posted = self { true } else { false }
    }
}

/// How much of the outbox waits with a reply that could not be sent.
enum SendScope: Hashable {
    case none, page, wiki
}

/// Sends pending replies of one wiki, serially, in the order of writing.
///
/// Journal before wire: every state is on the disk before the next request. One posting path for every wiki: our own
/// placement in the wikitext of the section, rendered by the wiki before it is saved, `action=edit` with `baserevid`.
/// `baserevid` guards a merge and not a resend, so nothing is ever sent again without a look at the page's history, and
/// that look comes after the pull that the new request is made from: what appears in between is then a conflict.
public struct OutboxSender: Sendable {
    let api: MediaWikiAPI
    let store: Store
    let wiki: Wiki
    let puller: PagePuller
    /// Seconds since 1970, for a wiki that does not tell its own time.
    let now: @Sendable () -> Int64
    private let logIn: (@Sendable () async throws(TalkError) -> Void)?

    /// Steps that one reply may take: a lost session and a few conflicts.
    private static let steps = 12

    /// Makes a sender; `puller` brings a page back after it was posted to.
    ///
    /// `logIn` renews a session that the wiki ended; it is called once in a round of sending at most.
    public init(
        api: MediaWikiAPI, store: Store, wiki: Wiki, puller: PagePuller, now: @escaping @Sendable () -> Int64,
        logIn: (@Sendable () async throws(TalkError) -> Void)? = nil
    ) {
        self.api = api
        self.store = store
        self.wiki = wiki
        self.puller = puller
        self.now = now
        self.logIn = logIn
    }

    /// What one round of sending remembers.
    struct Round {
        /// Pages with a reply that could not be posted.
        var stopped: Set<PageName> = []
        /// Why nothing more is sent.
        var stop: String?
        /// Revisions of this round; their journals may be gone already.
        var claimed: Set<RevisionID> = []
        var hasNewToken = false
        var hasNewSession = false
    }

    /// Where a reply stands after a step.
    enum Step {
        case done(OutboxEntry, SendOutcome, SendScope)
        /// The page moved or the session ended: the same again from what the journal says now.
        case again
    }

    /// Sends the entries, which are those of this wiki in the order of writing, and reports each one's outcome.
    ///
    /// `api` must be logged in and the entries' pages pulled; one of another account is only looked for. A reply that
    /// fails stops those behind it on its page; a failed login, a block and a wiki that can only be read stop all.
    public func send(
        _ entries: [OutboxEntry], holding lock: HeldLock,
        report: @Sendable (OutboxEntry, SendOutcome) async -> Void
    ) async throws(TalkError) {
        defer { withExtendedLifetime(lock) {} }
        var round = Round()
        for listed in entries {
            guard let entry = try store.outboxEntry(listed.reply.id) else { continue }
            if entry.state.isPending, let stop = round.stop {
                await report(entry, .waiting(reason: stop))
            } else if entry.state.isPending, round.stopped.contains(entry.page) {
                await report(entry, .waiting(reason: "a reply before it on this page is not posted"))
            } else if let (final, outcome, scope) = try await send(entry.reply.id, &round) {
                switch scope {
                case .none: break
                case .page: round.stopped.insert(final.page)
                case .wiki: round.stop = "the wiki stopped at a reply before it"
                }
                await report(final, outcome)
            }
        }
    }

    private func send(
        _ id: String, _ round: inout Round
    ) async throws(TalkError) -> (OutboxEntry, SendOutcome, SendScope)? {
        for _ in 0..<Self.steps {
            guard let entry = try store.outboxEntry(id) else { return nil }
            switch entry.state {
            case .posted: return nil
            case .discarded: return (entry, .setAside(reason: entry.reason ?? ""), .none)
            case .held: return (entry, .held(reason: entry.reason ?? ""), .page)
            case .queued, .sending, .unknown: break
            }
            let step = entry.mayBePosted ? try await look(entry, &round) : try await attempt(entry, &round)
            if case .done(let entry, let outcome, let scope) = step { return (entry, outcome, scope) }
        }
        guard let entry = try store.outboxEntry(id) else { return nil }
        let reason = "the page changes faster than the reply can be fitted"
        return (entry, .waiting(reason: reason), .page)
    }

    private func attempt(_ entry: OutboxEntry, _ round: inout Round) async throws(TalkError) -> Step {
        let account = await api.account
        guard !entry.account.isEmpty, account == nil || account == entry.account else {
            let whose = entry.account.isEmpty ? "before anybody logged in" : "as \(entry.account)"
            return .done(
                entry, .held(reason: "it was written \(whose), and \(account ?? "nobody") is logged in"), .none)
        }
        if let target = try store.state(of: entry.page)?.movedTo {
            let reason = "\(wiki.localTitle(of: entry.page)) was moved to \(wiki.localTitle(of: target))"
            let fitting = PendingFitting(store: store, wiki: wiki)
            guard let given = try await fitting.setAside(entry, reason: reason) else { return .again }
            _ = try? await fitting.fit(entry.page)
            return .done(given, .setAside(reason: reason), .none)
        }
        if entry.reply.target?.pending != nil {
            return .done(entry, .waiting(reason: "what it answers is not posted yet"), .none)
        }
        let draft: PostDraft
        var savedText: String?
        do throws(TalkError) {
            draft = try await PostDraft.make(entry, api: api, store: store, wiki: wiki)
            if PostedCheck.needsSavedForm(of: entry.reply) {
                savedText = try await api.savedForm(of: entry.reply.text, title: wiki.localTitle(of: entry.page))
            }
        } catch {
            return try await unfit(error, entry, &round)
        }
        let request = draft.request, clock = draft.serverTime ?? now(), sentText = savedText
        let sending = try await store.updateEntry(entry.reply.id) { current in
            // Another program may have fitted it to another revision, or set it aside.
            guard current.state == .queued, !current.mayBePosted, current.reply == entry.reply,
                current.account == entry.account
            else { return false }
            current.state = .sending
            current.reason = nil
            current.attempts += 1
            current.sentBase = request.base ?? RevisionID(rawValue: 0)
            current.sentAt = clock
            current.sentSummary = request.sentSummary
            current.sentText = sentText
            return true
        }
        guard let sending else { return .again }
        return try await judge(await api.edit(request), sending, &round)
    }

    private func judge(
        _ outcome: EditOutcome, _ entry: OutboxEntry, _ round: inout Round
    ) async throws(TalkError) -> Step {
        switch outcome {
        case .saved(let revision, _, _):
            return try await posted(entry, revision, &round)
        case .unknown(let reason):
            return try await look(try await save(entry, .unknown, reason), &round)
        case .noChange:
            // The page has exactly this text, so the reply is there: perhaps somebody else put it in.
            let step = try await look(
                try await save(entry, .unknown, "the wiki says that the page has this text already"), &round)
            guard case .done(let entry, .unknown(let reason), _) = step else { return step }
            return .done(try await save(entry, .held, reason), .held(reason: reason), .page)
        case .notSent(let reason):
            return .done(
                try await save(entry, .queued, reason, isUnsent: true), .waiting(reason: reason), .wiki)
        case .refused(let error):
            return try await refused(error, entry, &round)
        }
    }

    /// What the wiki did not save.
    private func refused(
        _ error: APIError, _ entry: OutboxEntry, _ round: inout Round
    ) async throws(TalkError) -> Step {
        let explanation = error.explanation
        let reason = error.text.isEmpty ? explanation : "\(explanation) (the wiki says: \(error.text))"
        switch error.errorClass {
        case .verify:
            return try await look(try await save(entry, .unknown, reason), &round)
        case .recoverOnce where error.scope == .wiki:
            let entry = try await save(entry, .queued, reason, isUnsent: true)
            return try await renewSession(error, entry, reason, &round)
        case .recoverOnce:
            // It stands as one that may be posted, so that the look comes first: an earlier request may have been it.
            let entry = try await save(entry, .queued, reason)
            return try await pullAgain(entry, reason)
        case .retryLater:
            return .done(
                try await save(entry, .queued, reason, isUnsent: true), .waiting(reason: reason), .wiki)
        case .needsUser, .permanent:
            // What concerns the whole wiki is no fault of this reply: it goes out when that is over.
            let isWide = error.scope == .wiki
            let entry = try await save(entry, isWide ? .queued : .held, reason, isUnsent: true)
            return .done(entry, .held(reason: reason), isWide ? .wiki : .page)
        }
    }

    private func renewSession(
        _ error: APIError, _ entry: OutboxEntry, _ reason: String, _ round: inout Round
    ) async throws(TalkError) -> Step {
        if error.code == "badtoken", !round.hasNewToken {
            round.hasNewToken = true
            return .again
        }
        guard let logIn, !round.hasNewSession else { return .done(entry, .held(reason: reason), .wiki) }
        round.hasNewSession = true
        do throws(TalkError) {
            try await logIn()
        } catch {
            let outcome: SendOutcome =
                error.kind == .unreachable ? .waiting(reason: error.message) : .held(reason: error.message)
            return .done(entry, outcome, .wiki)
        }
        return .again
    }

    private func pullAgain(_ entry: OutboxEntry, _ reason: String) async throws(TalkError) -> Step {
        let revision: RevisionID
        switch await puller.run(entry.page, isKept: false) {
        case .pulled(let report): revision = report.revision
        // Whether an earlier request was saved is seen in the history of the page, wherever that is.
        case .moved: return .again
        case .missing(let error, _), .failed(let error):
            return .done(entry, .waiting(reason: error.message), error.kind == .unreachable ? .wiki : .page)
        }
        // Nothing newer than what the wiki did not take: asking at once would give the same answer.
        guard revision != entry.sentBase ?? entry.reply.base else {
            return .done(entry, .waiting(reason: reason), .page)
        }
        return .again
    }

    /// A reply of which no request was made: the page or the wiki is not as it must be.
    private func unfit(
        _ error: TalkError, _ entry: OutboxEntry, _ round: inout Round
    ) async throws(TalkError) -> Step {
        switch error.kind {
        case .damaged, .unwritable: throw error
        case .unreachable, .busy:
            return .done(
                try await save(entry, .queued, error.message), .waiting(reason: error.message),
                error.kind == .busy ? .page : .wiki)
        default: break
        }
        if let refusal = error.underlying as? APIError, error.kind != .notFound {
            return try await refused(refusal, entry, &round)
        }
        var reason = error.message
        if error.kind == .notFound,
            let check = try? await api.check(titles: [wiki.localTitle(of: entry.page)]).first,
            check.status == .missing
        {
            reason = "the page \(entry.page) does not exist any more"
        }
        return .done(try await save(entry, .held, reason), .held(reason: reason), .page)
    }

    /// The reply is on the wiki: the journal says so first, then the page comes back and the pending commit goes.
    func posted(
        _ entry: OutboxEntry, _ revision: RevisionID, _ round: inout Round
    ) async throws(TalkError) -> Step {
        round.claimed.insert(revision)
        let entry = try await save(entry, .posted, nil, revision: revision)
        var isBack = false
        do throws(TalkError) {
            // A replica of the wiki's database may lag behind.
            isBack = try await puller.pull(entry.page, isKept: false).revision.rawValue >= revision.rawValue
        } catch {
            // Posted all the same: the next pull brings the page, and heals what is left here.
            _ = try? await PendingFitting(store: store, wiki: wiki).fit(entry.page)
        }
        // The replies behind it are to be made from a text that has this one.
        return .done(entry, .posted(revision), isBack ? .none : .page)
    }

    /// Writes the next state of a reply; `isUnsent` when the wiki is known not to have saved it.
    ///
    /// What another program, or the user in it, decided meanwhile stands, unless the reply is on the wiki.
    func save(
        _ entry: OutboxEntry, _ state: OutboxEntry.State, _ reason: String?, isUnsent: Bool = false,
        revision: RevisionID? = nil
    ) async throws(TalkError) -> OutboxEntry {
        let apply: @Sendable (inout OutboxEntry) -> Bool = { current in
            guard current.state == entry.state || state == .posted else { return false }
            current.state = state
            current.reason = reason
            if isUnsent { current.sentBase = nil }
            if let revision {
                current.postedRevision = revision
                current.isSeen = false
            }
            return true
        }
        let id = entry.reply.id
        if let written = try await store.updateEntry(id, apply) { return written }
        if let decided = try store.outboxEntry(id) { return decided }
        // Somebody removed the journal; what became of the reply is told all the same.
        var entry = entry
        _ = apply(&entry)
        try await store.save(entry)
        return entry
    }
}
