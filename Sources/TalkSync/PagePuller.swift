public import TalkPages
public import TalkStore

/// What a pull did to one page.
public struct PullReport: Sendable {
    /// The page.
    public var page: PageName
    /// The title as the wiki writes it.
    public var title: String
    /// The page's newest cached revision.
    public var revision: RevisionID
    /// What came; nil when the page was current.
    public var changes: TalkPageChanges?
    /// Replies that were set aside since what they answer is gone.
    public var setAside: [OutboxEntry]
    /// Number of pending replies that were fitted to the new revision.
    public var rebased: Int
    /// Where the page that was cached went, when another one has its title now.
    public var move: PageMove? = nil
    /// What else happened to the page as a whole.
    public var events: [PageEvent] = []
    /// Revisions that were cached and damaged, and came again.
    public var regained: [RevisionID] = []

    /// Revisions that the store did not have before, oldest first.
    public var added: [RevisionID] { changes?.added ?? [] }
    /// Whether nothing of the page was cached before.
    public var isFirst: Bool { changes?.isFirst ?? false }
}

/// How a pull of one page ended.
public enum PullOutcome: Sendable {
    /// The store has the newest revision.
    case pulled(PullReport)
    /// The wiki has no such page; `wasKnown` when it had said so before.
    case missing(TalkError, wasKnown: Bool)
    /// The page has another title now, where what was cached of it stands, and is to be pulled there.
    case moved(PageMove)
    /// It could not be pulled; what is cached stays.
    case failed(TalkError)
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

/// The wiki's answer on one of many pages.
public struct KnownCheck: Sendable {
    let answer: Result<PageCheck, TalkError>
    let user: UserInfo?
    let testsEdit: Bool

    /// Why the wiki gave no answer; nil when it gave one.
    public var failure: TalkError? {
        if case .failure(let error) = answer { error } else { nil }
    }

    /// Whether the page is a redirect; nil when the wiki gave no answer.
    public var isRedirect: Bool? { try? answer.get().isRedirect }

    /// The wiki's clock, seconds since 1970; nil where it did not tell.
    public var serverTime: Int64? { (try? answer.get())?.serverTime }
}

/// Brings pages from a wiki into a store, each by a `TalkPageSession` at whose states nobody looks but the last.
public struct PagePuller: Sendable {
    let api: MediaWikiAPI
    let store: Store
    let wiki: Wiki
    let history: Int
    let now: Int64
    let onMove: MoveRule?

    /// Makes a puller; `history` is how many of the newest revisions a pull brings at most, at least 1.
    ///
    /// `onMove` decides about the pending replies of a page that moved on, instead of the setting `talk.onMove`.
    public init(
        api: MediaWikiAPI, store: Store, wiki: Wiki, history: Int, now: Int64, onMove: MoveRule? = nil
    ) {
        self.api = api
        self.store = store
        self.wiki = wiki
        self.history = max(1, history)
        self.now = now
        self.onMove = onMove
    }

    /// Fits the pending replies of this puller's wiki.
    var fitting: PendingFitting { PendingFitting(store: store, wiki: wiki, onMove: onMove) }

    /// Pulls one page.
    ///
    /// `isKept` marks it as asked for by name. `check` is the wiki's answer about it where that was got already.
    public func run(
        _ page: PageName, isKept: Bool = true, check: KnownCheck? = nil,
        progress: @escaping @Sendable (PullProgress) -> Void = { _ in }
    ) async -> PullOutcome {
        let session = TalkPageSession(
            PageWork(
                page: page, puller: self, isKept: isKept, isWatched: false, known: check, progress: progress))
        var last: TalkPageState?
        for await state in session { last = state }
        guard let last else { return .failed(TalkError(.internal, "\(page): the session had no states")) }
        let title = last.shown?.title ?? wiki.localTitle(of: page)
        switch last.phase {
        case .current: return await regain(page, pulled(page, last, nil))
        case .updated(let changes): return await regain(page, pulled(page, last, changes))
        case .missing(let wasKnown):
            let hint =
                last.shown == nil
                ? "check the spelling: \(wiki.url(of: page))"
                : "what is cached stays: git talk show \(ShellWord.quoted(title))"
            return .missing(
                TalkError(.notFound, "\(title) does not exist on \(wiki.key)", hint: hint), wasKnown: wasKnown)
        case .moved(let move): return .moved(move)
        case .stale(let error), .failed(let error): return .failed(error)
        case .confirming: return .failed(TalkError(.busy, "\(page): the pull was broken off", hint: "try again"))
        }
    }

    /// Brings what was damaged, too.
    private func regain(_ page: PageName, _ outcome: PullOutcome) async -> PullOutcome {
        guard case .pulled(var report) = outcome else { return outcome }
        do throws(TalkError) {
            report.regained = try await LostRevisions(api: api, store: store, wiki: wiki).bring(page)
            if !report.regained.isEmpty {
                // The commits are others now, and pending replies stand on the old ones.
                try await fitting.heal(page)
                try await PageThreads(store: store, wiki: wiki).refresh(page)
            }
            return .pulled(report)
        } catch { return .failed(error) }
    }

    /// Pulls one page that is expected to be there.
    ///
    /// Throws `notFound` for a page that does not exist, `invalid` for one that is no talk page of wikitext; what is
    /// cached stays in every case.
    public func pull(_ page: PageName, isKept: Bool = true) async throws(TalkError) -> PullReport {
        switch await run(page, isKept: isKept) {
        case .pulled(let report):
            if let shortfall = report.changes?.shortfall { throw shortfall }
            return report
        case .moved(let move):
            throw TalkError(
                .notFound, "\(wiki.localTitle(of: page)) was moved to \(move.title)",
                hint: "git talk pull \(ShellWord.quoted(move.title))")
        case .missing(let error, _), .failed(let error): throw error
        }
    }

    private func pulled(_ page: PageName, _ state: TalkPageState, _ changes: TalkPageChanges?) -> PullOutcome {
        // Of a page that was purged as a whole nothing is cached, whatever the wiki has.
        guard let revision = state.shown?.revision ?? (try? store.state(of: page))?.latest else {
            return .failed(
                TalkError(.busy, "\(page) was dropped by another program meanwhile", hint: "pull it again"))
        }
        return .pulled(
            PullReport(
                page: page, title: state.shown?.title ?? wiki.localTitle(of: page), revision: revision,
                changes: changes, setAside: (state.move?.setAside ?? []) + state.fitting.setAside,
                rebased: state.fitting.rebased, move: state.move, events: state.events))
    }

    /// How many pages one request may ask about.
    public static let checkLimit = 50
    /// How many for an account with the right `apihighlimits`.
    public static let highCheckLimit = 500

    /// Asks the wiki about pages in one request, at most as many as the account may; the answers are in their order.
    ///
    /// `user` is as whom the wiki sees this program. When the wiki gives no answer, each page's is why.
    public func check(_ pages: [PageName]) async -> (answers: [KnownCheck], user: UserInfo?) {
        do throws(TalkError) {
            let found = try await api.checkWithUser(titles: pages.map { wiki.localTitle(of: $0) }, testsEdit: false)
            return (
                found.pages.map { KnownCheck(answer: .success($0), user: found.user, testsEdit: false) }, found.user
            )
        } catch {
            let none = KnownCheck(answer: .failure(error), user: nil, testsEdit: false)
            return (pages.map { _ in none }, nil)
        }
    }

    /// Remembers why a page could not be checked, for whoever reads it; a page that is not known leaves no trace.
    public func remember(_ failure: TalkError, of page: PageName) async {
        guard failure.kind == .unreachable || failure.kind == .refused, var state = try? store.state(of: page) else {
            return
        }
        state.failure = failure.message
        // The reason of a failure must not become another one.
        try? await store.save(state)
    }
}
