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
}

/// How much of the outbox waits with a reply that could not be sent.
enum SendScope: Hashable {
    case none, page, wiki
}

/// Sends pending replies of one wiki, serially, in the order of writing.
///
/// Journal before wire: every state is on the disk before the next request. One posting path for every wiki: our own
/// placement in the wikitext of the section, rendered by the wiki before it is saved, `action=edit` with `baserevid`.
/// `baserevid` guards a merge and not a resend, so nothing is ever sent again without a look at the page's history.
public struct OutboxSender: Sendable {
    let api: MediaWikiAPI
    let store: Store
    let wiki: Wiki
    let puller: PagePuller
    /// Seconds since 1970; the history check asks how long ago a request was.
    let now: @Sendable () -> Int64

    /// After so many seconds a request that left no trace has failed for good: a wiki gives up a write after 120.
    static let settled: Int64 = 240
    private static let rounds = 5

    /// Makes a sender; `puller` brings a page back after it was posted to.
    public init(
        api: MediaWikiAPI, store: Store, wiki: Wiki, puller: PagePuller, now: @escaping @Sendable () -> Int64
    ) {
        self.api = api
        self.store = store
        self.wiki = wiki
        self.puller = puller
        self.now = now
    }

    /// Sends the entries, which are those of this wiki in the order of writing, and reports each one's outcome.
    ///
    /// `api` must be logged in. A reply that fails stops those behind it on its page; a failed login, a block and a
    /// wiki that can only be read stop all.
    public func send(
        _ entries: [OutboxEntry], report: @Sendable (OutboxEntry, SendOutcome) async -> Void
    ) async throws(TalkError) {
        var stopped: Set<PageName> = []
        var stop: String?
        for listed in entries {
            // An earlier reply may have moved the page, and this one with it.
            guard let entry = try store.outboxEntry(listed.reply.id), entry.state.isPending else { continue }
            if let stop {
                await report(entry, .waiting(reason: stop))
                continue
            }
            if stopped.contains(entry.page) {
                await report(entry, .waiting(reason: "a reply before it on this page is not posted"))
                continue
            }
            let (final, outcome, scope) = try await send(entry)
            await report(final, outcome)
            switch scope {
            case .none: break
            case .page: stopped.insert(entry.page)
            case .wiki:
                stop = "the wiki stopped at a reply before it"
            }
        }
    }

    private func send(_ entry: OutboxEntry) async throws(TalkError) -> (OutboxEntry, SendOutcome, SendScope) {
        var entry = entry
        if entry.state == .sending || entry.state == .unknown {
            let (checked, outcome) = try await lookAgain(entry)
            entry = checked
            if let outcome { return (entry, outcome, outcome.isPosted ? .none : .page) }
        }
        if entry.state == .held { return (entry, .held(reason: entry.reason ?? ""), .page) }
        for _ in 0..<Self.rounds {
            let (next, step) = try await attempt(entry)
            entry = next
            switch step {
            case .done(let outcome, let scope): return (entry, outcome, scope)
            case .again: continue
            }
        }
        entry = try await save(entry, .queued, "the page changes faster than the reply can be fitted")
        return (entry, .waiting(reason: entry.reason ?? ""), .page)
    }

    private enum Step {
        case done(SendOutcome, SendScope)
        /// The page moved or the session ended: the same again on the new base.
        case again
    }

    private func attempt(_ entry: OutboxEntry) async throws(TalkError) -> (OutboxEntry, Step) {
        var entry = entry
        let draft: PostDraft
        do throws(TalkError) {
            draft = try await PostDraft.make(entry, api: api, store: store, wiki: wiki)
        } catch {
            switch error.kind {
            case .unreachable, .busy:
                entry = try await save(entry, .queued, error.message)
                return (entry, .done(.waiting(reason: error.message), .wiki))
            default:
                entry = try await save(entry, .held, error.message)
                return (entry, .done(.held(reason: error.message), .page))
            }
        }
        entry.attempts += 1
        entry.sentBase = draft.request.base
        entry.sentAt = draft.request.started ?? now()
        entry.sentSummary = draft.request.summary
        entry = try await save(entry, .sending, nil)
        return try await judge(await api.edit(draft.request), entry)
    }

    private func judge(_ outcome: EditOutcome, _ entry: OutboxEntry) async throws(TalkError) -> (OutboxEntry, Step) {
        var entry = entry
        switch outcome {
        case .saved(let revision, _, _):
            entry = try await posted(entry, revision)
            return (entry, .done(.posted(revision), .none))
        case .noChange, .unknown:
            let reason = if case .unknown(let words) = outcome { words } else { "the wiki says that nothing changed" }
            entry = try await save(entry, .unknown, reason)
            let (checked, found) = try await lookAgain(entry)
            return (checked, .done(found ?? .unknown(reason: reason), found?.isPosted == true ? .none : .page))
        case .notSent(let reason):
            entry = try await save(entry, .queued, reason)
            return (entry, .done(.waiting(reason: reason), .wiki))
        case .refused(let error):
            return try await refused(error, entry)
        }
    }

    private func refused(_ error: APIError, _ entry: OutboxEntry) async throws(TalkError) -> (OutboxEntry, Step) {
        var entry = entry
        let words = error.text.isEmpty ? error.words : "\(error.words) (the wiki says: \(error.text))"
        switch error.errorClass {
        case .recoverOnce where error.scope == .wiki && error.code != "badtoken":
            // Another login cannot be had here: the session is the caller's.
            entry = try await save(entry, .queued, words)
            return (entry, .done(.waiting(reason: words), .wiki))
        case .recoverOnce:
            entry = try await save(entry, .queued, words)
            if error.code == "badtoken" { return (entry, .again) }
            let report = try await puller.pull(entry.page, isKept: false)
            if let gone = report.setAside.first(where: { $0.reply.id == entry.reply.id }) {
                return (gone, .done(.setAside(reason: gone.reason ?? ""), .none))
            }
            guard let moved = try store.outboxEntry(entry.reply.id) else { return (entry, .again) }
            return (moved, .again)
        case .retryLater:
            entry = try await save(entry, .queued, words)
            return (entry, .done(.waiting(reason: words), .wiki))
        case .needsUser(let scope):
            entry = try await save(entry, scope == .wiki ? .queued : .held, words)
            return (entry, .done(.held(reason: words), scope == .wiki ? .wiki : .page))
        case .permanent:
            entry = try await save(entry, .held, words)
            return (entry, .done(.held(reason: words), .page))
        case .verify:
            entry = try await save(entry, .unknown, words)
            return (entry, .done(.unknown(reason: words), .page))
        }
    }

    /// Looks in the page's history for a reply whose outcome is not known; nil when it is to be sent again.
    private func lookAgain(_ entry: OutboxEntry) async throws(TalkError) -> (OutboxEntry, SendOutcome?) {
        var entry = entry
        let history: [RevisionInfo]
        do throws(TalkError) {
            history = try await api.revisions(
                of: .title(wiki.localTitle(of: entry.page)), limit: 200, from: entry.sentBase, direction: .newer,
                withText: true)
        } catch {
            entry = try await save(entry, .unknown, "whether it was posted cannot be seen now: \(error.message)")
            return (entry, .unknown(reason: entry.reason ?? ""))
        }
        let claimed = Set(try store.outbox().entries.compactMap(\.postedRevision))
        switch PostedCheck.look(for: entry, in: history, claimed: claimed) {
        case .posted(let revision):
            entry = try await posted(entry, revision)
            return (entry, .posted(revision))
        case .unexplained(let revision):
            let reason = "revision \(revision) of this account may be it; look at the page before it is sent again"
            entry = try await save(entry, .held, reason)
            return (entry, .held(reason: reason))
        case .absent:
            if now() - (entry.sentAt ?? 0) < Self.settled {
                let reason = entry.reason ?? "the last request may still be at work"
                entry = try await save(entry, .unknown, reason)
                return (entry, .unknown(reason: reason))
            }
            entry = try await save(entry, .queued, nil)
            return (entry, nil)
        }
    }

    /// The reply is on the wiki: the journal says so first, then the page comes back and the pending commit goes.
    private func posted(_ entry: OutboxEntry, _ revision: RevisionID) async throws(TalkError) -> OutboxEntry {
        var entry = entry
        entry.postedRevision = revision
        entry.isSeen = false
        entry = try await save(entry, .posted, nil)
        do throws(TalkError) {
            _ = try await puller.pull(entry.page, isKept: false)
        } catch {
            // Posted all the same; the next pull brings the page.
            try await PendingFitting(store: store, wiki: wiki).fit(entry.page)
        }
        return entry
    }

    private func save(
        _ entry: OutboxEntry, _ state: OutboxEntry.State, _ reason: String?
    ) async throws(TalkError) -> OutboxEntry {
        var entry = entry
        entry.state = state
        entry.reason = reason
        try await store.save(entry)
        return entry
    }
}

extension SendOutcome {
    /// Whether it is on the wiki.
    public var isPosted: Bool {
        if case .posted = self { true } else { false }
    }
}
