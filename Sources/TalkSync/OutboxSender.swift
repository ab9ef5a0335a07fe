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
    let backoff: SendBackoff
    let logIn: (@Sendable () async throws(TalkError) -> Void)?

    /// Steps that one reply may take: a lost session and a few conflicts.
    private static let steps = 12

    /// Makes a sender; `puller` brings a page back after it was posted to.
    ///
    /// `logIn` renews a session that the wiki ended; it is called once in a round of sending at most. `backoff` says how
    /// long a reply that could not be sent is left alone.
    public init(
        api: MediaWikiAPI, store: Store, wiki: Wiki, puller: PagePuller, now: @escaping @Sendable () -> Int64,
        backoff: SendBackoff = SendBackoff(chance: { 0.5 }),
        logIn: (@Sendable () async throws(TalkError) -> Void)? = nil
    ) {
        self.api = api
        self.store = store
        self.wiki = wiki
        self.puller = puller
        self.now = now
        self.backoff = backoff
        self.logIn = logIn
    }

    var fitting: PendingFitting { puller.fitting }

    /// What one round of sending remembers.
    struct Round {
        /// Pages with a reply that could not be posted, and what those behind it wait for.
        var stopped: [PageName: String] = [:]
        /// Why nothing more is sent.
        var stop: String?
        /// Revisions of this round; their journals may be gone already.
        var claimed: Set<RevisionID> = []
        var hasNewToken = false
        var hasNewSession = false
    }

    /// How the last request of a reply ended, where it is not on the wiki.
    enum RequestEnding {
        /// It never went out.
        case unsent
        /// The wiki refused it.
        case refused
        /// It left no trace, and must have ended.
        case lost
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
    /// fails stops those behind it on its page, one that is held does, too; a failed login, a block and a wiki that can
    /// only be read stop all. `isBackground` is for work that nobody asked for just now: it leaves alone what failed until
    /// its pause is over. Between two replies it ends when `mayGoOn` says no; of those left nothing is reported.
    public func send(
        _ entries: [OutboxEntry], holding lock: HeldLock, isBackground: Bool = false,
        mayGoOn: @Sendable () -> Bool = { true }, report: @Sendable (OutboxEntry, SendOutcome) async -> Void
    ) async throws(TalkError) {
        defer { withExtendedLifetime(lock) {} }
        var round = Round()
        if isBackground {
            // A block is one account's.
            let account = await api.account
            let stopped = entries.first {
                $0.pause?.stopsWiki == true && isPaused($0) && (account == nil || $0.account == account)
            }
            round.stop = stopped.map(Self.isWaiting)
        }
        for listed in entries {
            guard mayGoOn() else { return }
            guard let entry = try store.outboxEntry(listed.reply.id) else { continue }
            if entry.state == .held {
                round.stopped[entry.page] = round.stopped[entry.page] ?? Self.behind(entry, .held(reason: ""))
                await report(entry, .held(reason: entry.reason ?? ""))
            } else if entry.state.isPending, let stop = round.stop {
                await report(entry, .waiting(reason: stop))
            } else if entry.state.isPending, let reason = round.stopped[entry.page] {
                await report(entry, .waiting(reason: reason))
            } else if isBackground, entry.state.isPending, isPaused(entry) {
                let outcome = SendOutcome.waiting(reason: Self.isWaiting(entry))
                round.stopped[entry.page] = Self.behind(entry, outcome)
                await report(entry, outcome)
            } else if let (final, outcome, scope) = try await send(entry.reply.id, &round) {
                switch scope {
                case .none: break
                case .page: round.stopped[final.page] = Self.behind(final, outcome)
                case .wiki: round.stop = "the wiki stopped at a reply before it"
                }
                await report(final, outcome)
            }
        }
    }

    private func isPaused(_ entry: OutboxEntry) -> Bool { entry.pause.map { !$0.isOver(at: now()) } ?? false }

    private static func isWaiting(_ entry: OutboxEntry) -> String {
        entry.reason ?? "it could not be sent a moment ago"
    }

    /// What a reply waits for that stands behind another one on its page.
    private static func behind(_ entry: OutboxEntry, _ outcome: SendOutcome) -> String {
        switch outcome {
        case .posted: "the page could not be brought back since \(entry.reply.id) before it was posted"
        case .held: "\(entry.reply.id) before it on this page is held"
        case .unknown: "it is not known whether \(entry.reply.id) before it on this page was posted"
        case .waiting, .setAside: "\(entry.reply.id) before it on this page is not posted yet"
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
        let step = try await putOff(entry, entry.mayBePosted ? .unknown : .queued, reason)
        guard case .done(let last, let outcome, let scope) = step else { return nil }
        return (last, outcome, scope)
    }

    private func attempt(_ entry: OutboxEntry, _ round: inout Round) async throws(TalkError) -> Step {
        let account = await api.account
        guard !entry.account.isEmpty, account == nil || account == entry.account else {
            let whose = entry.account.isEmpty ? "before anybody logged in" : "as \(entry.account)"
            return .done(
                entry, .held(reason: "it was written \(whose), and \(account ?? "nobody") is logged in"), .none)
        }
        if let demand = entry.demand, demand.concerns(entry.reply), !demand.isConfirmed {
            // Only the user's own word answers it.
            let reason = entry.reason ?? demand.text
            return .done(try await save(entry, .held, reason, demand: demand), .held(reason: reason), .page)
        }
        if let target = try store.state(of: entry.page)?.movedTo {
            _ = try await fitting.follow(entry.page, to: target)
            return .again
        }
        if entry.reply.target?.pending != nil {
            return .done(entry, .waiting(reason: "what it answers is not posted yet"), .none)
        }
        if let step = try await lookAgain(entry, &round) { return step }
        let draft: PostDraft
        var addition: OutboxEntry.Addition?
        do throws(TalkError) {
            draft = try await PostDraft.make(entry, api: api, store: store, wiki: wiki)
            if let added = draft.added {
                addition = try await api.addition(
                    added.lines, at: added.place, title: wiki.localTitle(of: entry.page))
            }
        } catch {
            if error.underlying is PostDraft.Unplaced, wiki.hasDiscussionTools {
                return try await attemptByDiscussionTools(entry, error, &round)
            }
            return try await unfit(error, entry, &round)
        }
        var request = draft.request
        request.captcha = Self.captcha(for: entry)
        let summary = request.sentSummary, clock = draft.serverTime ?? now()
        guard
            let sending = try await begin(
                entry, base: request.base ?? RevisionID(rawValue: 0), summary: summary, addition: addition,
                clock: clock)
        else { return .again }
        return try await judge(await api.edit(request), sending, &round)
    }

    /// The user's answer to a captcha that the wiki asked for this text.
    static func captcha(for entry: OutboxEntry) -> EditRequest.Captcha? {
        guard let demand = entry.demand, demand.concerns(entry.reply), let id = demand.captcha, let word = demand.answer
        else { return nil }
        return EditRequest.Captcha(id: id, word: word)
    }

    /// Writes that a request goes out now; nil when the reply is not any more what the request was made from.
    ///
    /// `base` is 0 for an edit that makes the page; without an `addition` only the user can know it again there.
    func begin(
        _ entry: OutboxEntry, base: RevisionID, summary: String, addition: OutboxEntry.Addition?, clock: Int64
    ) async throws(TalkError) -> OutboxEntry? {
        try await store.updateEntry(entry.reply.id) { current in
            // Another program may have fitted it to another revision, or set it aside.
            guard current.state == .queued, !current.mayBePosted, current.reply == entry.reply,
                current.account == entry.account, current.page == entry.page
            else { return false }
            current.state = .sending
            current.reason = nil
            current.attempts += 1
            current.lostRequests?.removeAll(where: \.isRefused)
            current.sentBase = base
            current.sentAt = clock
            current.sentSummary = summary
            current.sentAddition = addition
            return true
        }
    }

    /// Writes the next state of a reply; `ending` when its last request is over.
    ///
    /// What another program, or the user in it, decided meanwhile stands, unless the reply is on the wiki. Throws
    /// `unknownOutcome` when a request went out and what became of it cannot be written: the next command looks.
    func save(
        _ entry: OutboxEntry, _ state: OutboxEntry.State, _ reason: String?, ending: RequestEnding? = nil,
        revision: RevisionID? = nil, pause: SendPause? = nil, demand: SendDemand? = nil
    ) async throws(TalkError) -> OutboxEntry {
        let apply: @Sendable (inout OutboxEntry) -> Bool = { current in
            guard current.state == entry.state || state == .posted else { return false }
            current.state = state
            current.reason = reason
            if let ending {
                if ending != .unsent, let lost = OutboxEntry.LostRequest(current, isRefused: ending == .refused) {
                    current.lostRequests = (current.lostRequests ?? []) + [lost]
                }
                current.sentBase = nil
            }
            if let pause { current.pause = pause }
            // With the user's word it begins anew; an answer that the wiki did not want to see yet is kept.
            if state == .posted || state == .held {
                current.pause = nil
                current.demand = demand
            }
            if let revision {
                current.postedRevision = revision
                current.isSeen = false
            }
            return true
        }
        let id = entry.reply.id
        do throws(TalkError) {
            if let written = try await store.updateEntry(id, apply) { return written }
            if let decided = try store.outboxEntry(id) { return decided }
            // Somebody removed the journal; what became of the reply is told all the same.
            var entry = entry
            _ = apply(&entry)
            try await store.save(entry)
            return entry
        } catch {
            guard entry.state == .sending || state == .posted else { throw error }
            throw TalkError(
                .unknownOutcome, "whether \(id) was posted is not known: \(error.message)",
                hint: "put that right; before anything is sent, the reply is looked for by: git talk sync",
                underlying: error)
        }
    }
}
