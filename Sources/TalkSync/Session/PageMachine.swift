internal import TalkPages

/// The rules of a session on one page: what an event lets it show, and what it asks for next.
///
/// Pure: nothing happens here. `TalkPageSession` carries out the effects and hands the outcomes of requests back as events.
struct PageMachine: Sendable {
    /// What the store has of the page, as its files alone tell.
    enum Opening: Sendable {
        case page(ShownPage)
        case none(isKnownMissing: Bool)
        /// Neither the files nor the branch could be read.
        case unreadable
    }

    /// What the store's branch has of the page.
    struct Standing: Sendable {
        /// The newest revision.
        var tip: RevisionID?
        /// The page that it is a revision of.
        var page: PageID?
        /// All of them; left out when the newest one is all that matters.
        var cached: Set<RevisionID> = []
        /// Whether the wiki's newest one has the number of another one that is cached.
        var isReused = false
    }

    /// What the wiki said when it was asked for the newest revision.
    struct Checked: Sendable {
        var answer: Result<PageCheck, TalkError>
        var user: UserInfo?
        /// Whether the account's right to edit the page was asked for too.
        var testsEdit: Bool
        var standing: Standing
    }

    /// What came of storing.
    struct Stored: Sendable {
        var changes: TalkPageChanges
        var shown: ShownPage?
        var fitting: PendingFitting.Result
    }

    /// What came of bringing a page that is current to what it should be after a crash.
    struct Confirmed: Sendable {
        /// The page, where something of it was made anew.
        var shown: ShownPage?
        var fitting: PendingFitting.Result
    }

    /// What happened.
    enum Event: Sendable {
        case opened(Opening)
        case checked(Checked)
        /// The newest rendering by title.
        case rendered(Result<ShownPage, TalkError>)
        case listed(Result<[RevisionInfo], TalkError>)
        /// The newest revision by number.
        case fetched(Result<ShownPage, TalkError>)
        /// Where the page went that was cached; nil when the wiki has it no longer.
        case traced(Result<PageMove?, TalkError>)
        case stored(Result<Stored, TalkError>)
        case confirmed(Result<Confirmed, TalkError>)
    }

    /// What is to be done.
    enum Effect: Sendable {
        case show(TalkPageState)
        /// Keep beside the page what the wiki said.
        case note(Note)
        case ask(Request)
    }

    /// What has an outcome, which comes as an event.
    enum Request: Sendable {
        case check
        /// Ask for the page as it is now, by title and beside the check.
        case render
        /// Ask where the page is that was cached, and take what is known of it there.
        case trace(PageID, PageCheck)
        /// Ask for the newest revisions, `from` the one that is at hand.
        case list(from: RevisionID?)
        /// Ask for the newest revision by number; `count` are to be fetched.
        case fetch(RevisionInfo, count: Int)
        /// Fetch the older revisions that the store lacks, then store all.
        case store(RevisionInfo, ShownPage, older: [RevisionInfo], shortfall: TalkError?, PageCheck?)
        /// See that the page is whole and its pending replies fitted; `latest` is what the wiki called the newest.
        case confirm(PageCheck?, latest: RevisionID)
    }

    /// What is known of a page beside its revisions.
    enum Note: Sendable {
        /// There is a newer revision, which is about to be fetched.
        case behind(PageCheck, RevisionID)
        case missing(PageCheck)
        case failure(TalkError)
    }

    let page: PageName
    let wiki: Wiki
    /// How many of the newest revisions are fetched at most.
    let history: Int
    private let isChecked: Bool

    private var shown: ShownPage?
    private var isKnownMissing = false
    private var check: PageCheck?
    private var checkFailure: TalkError?
    private var checked: Checked?
    private var standing = Standing()
    private var isTraced = false
    private var move: PageMove?
    /// The cached revision that the wiki calls the newest.
    private var confirms: RevisionID?
    private var events: [PageEvent] = []
    /// The rendering by title; nil when none was asked for, or while the answer is awaited.
    private var rendered: Result<ShownPage, TalkError>?
    private var awaitsRendering = false
    /// The newest revision, once it is known.
    private var newest: RevisionInfo?
    private var fetched: ShownPage?
    /// The revisions before it that are wanted; nil until they are known.
    private var older: [RevisionInfo]?

    /// `isChecked` when the wiki's answer is at hand, so that nothing is gained by asking for the page beside it.
    init(page: PageName, wiki: Wiki, history: Int, isChecked: Bool = false) {
        self.page = page
        self.wiki = wiki
        self.history = max(1, history)
        self.isChecked = isChecked
    }

    /// Takes an event and says what is to be done, in this order.
    mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .opened(let opening): return open(opening)
        case .checked(let checked):
            self.checked = checked
            standing = checked.standing
            switch checked.answer {
            case .success(let check): self.check = check
            case .failure(let error): checkFailure = error
            }
            return awaitsRendering && rendered == nil ? [] : judge()
        case .rendered(let result):
            rendered = result
            if case .success(let page) = result { shown = page }
            // One answer is enough to show the page, whatever else is to be asked.
            let paint: [Effect] = shown == nil ? [] : [show(.confirming)]
            guard checked != nil else { return paint }
            let next = judge()
            if case .show? = next.last { return next }
            return paint + next
        case .listed(let result): return list(result)
        case .fetched(let result):
            switch result {
            case .success(let page):
                fetched = page
                return complete()
            case .failure(let error): return fail(error)
            }
        case .traced(let result): return traced(result)
        case .stored(let result):
            switch result {
            case .success(let stored):
                shown = stored.shown ?? shown
                if let newest { shown?.revision = newest.id }
                return [show(.updated(stored.changes), stored.fitting)]
            case .failure(let error): return fail(error, noting: false)
            }
        case .confirmed(let result):
            switch result {
            case .success(let confirmed):
                shown = confirmed.shown ?? shown
                if let newest = confirms { shown?.revision = newest }
                return [show(.current, confirmed.fitting)]
            case .failure(let error): return fail(error, noting: false)
            }
        }
    }

    private mutating func open(_ opening: Opening) -> [Effect] {
        switch opening {
        case .page(let page):
            shown = page
            return [show(.confirming), .ask(.check)]
        case .none(isKnownMissing: true):
            isKnownMissing = true
            return [.ask(.check)]
        case .none where isChecked: return [.ask(.check)]
        case .none, .unreadable:
            awaitsRendering = true
            return [.ask(.check), .ask(.render)]
        }
    }

    // MARK: What the check means

    private mutating func judge() -> [Effect] {
        guard let check else { return checkFailed() }
        let verdict = check.verdict(of: page, on: wiki, isShown: shown?.isStored == true)
        if let lost = lost(check, verdict) { return [.ask(.trace(lost, check))] }
        switch verdict {
        case .unusable(let error):
            if shown?.isStored == false { shown = nil }
            return fail(error)
        case .missing:
            // Made between the two requests.
            if case .success = rendered { return [.ask(.list(from: nil))] }
            let wasKnown = isKnownMissing || shown?.state?.isMissing == true
            return [.note(.missing(check)), show(.missing(wasKnown: wasKnown))]
        case .newest(let latest):
            if check.isRedirect { events.append(.redirect) }
            if let rendered { return compare(rendered, latest, check) }
            if shown?.state?.isMissing == true, !events.contains(.replaced) { events.append(.restored) }
            // An older one that the store has: the newer ones were taken back on the wiki.
            if shown != nil, latest == standing.tip || standing.cached.contains(latest) {
                if standing.isReused { return fail(reused(latest, check)) }
                if latest != standing.tip { events.append(.takenBack) }
                confirms = latest
                return [.ask(.confirm(check, latest: latest))]
            }
            let note: [Effect] = standing.tip == nil ? [] : [.note(.behind(check, latest))]
            guard let info = check.revision, info.id == latest else { return note + [.ask(.list(from: nil))] }
            newest = info
            return note + [.ask(.fetch(info, count: 1))]
        }
    }

    /// A wiki that was brought back from a backup counts on from there.
    private func reused(_ id: RevisionID, _ check: PageCheck) -> TalkError {
        TalkError(
            .invalid,
            "\(check.title): the wiki has another revision \(id) now than the one that is cached, as after a backup was brought back",
            hint: "what is cached stays: git talk show \(ShellWord.quoted(check.title))")
    }

    /// The page that is cached, where the wiki has another one or none at its title.
    private func lost(_ check: PageCheck, _ verdict: PageCheck.Verdict) -> PageID? {
        guard !isTraced, let shown, shown.isStored, let known = shown.state?.pageID ?? standing.page else { return nil }
        switch verdict {
        case .unusable: return nil
        case .missing:
            // One that was deleted is looked for once.
            return shown.state?.isMissing == true && shown.state?.movedTo == nil ? nil : known
        case .newest: return check.page.flatMap { $0 == known ? nil : known }
        }
    }

    /// A page that left nothing but a redirect is left as it was cached; else what has its title is pulled.
    private mutating func traced(_ result: Result<PageMove?, TalkError>) -> [Effect] {
        isTraced = true
        switch result {
        case .failure(let error): return fail(error)
        case .success(let move):
            self.move = move
            if let move, move.isGone { return [show(.moved(move))] }
            if move == nil, check?.status == .exists { events.append(.replaced) }
            return judge()
        }
    }

    /// Equal numbers mean that title and rendering belong together; else the list of revisions decides.
    private mutating func compare(
        _ rendered: Result<ShownPage, TalkError>, _ latest: RevisionID, _ check: PageCheck
    ) -> [Effect] {
        switch rendered {
        case .failure(let error) where error.kind != .refused && error.kind != .notFound: return fail(error)
        case .success(let page) where page.revision == latest:
            guard let info = check.revision, info.id == latest else { return [.ask(.list(from: nil))] }
            newest = info
            fetched = page
            return complete()
        default: return [.ask(.list(from: nil))]
        }
    }

    /// The page is fetched all the same, unless the wiki asks to wait or was busy each time it was asked.
    private mutating func checkFailed() -> [Effect] {
        let error = checkFailure ?? TalkError(.internal, "the check has no answer")
        let asksToWait =
            if case .retryLater(after: .some) = (error.underlying as? APIError)?.errorClass { true } else { false }
        if asksToWait { return fail(error) }
        if case .failure = rendered { return fail(error) }
        return [.ask(.list(from: nil))]
    }

    // MARK: Fetching

    private mutating func list(_ result: Result<[RevisionInfo], TalkError>) -> [Effect] {
        switch result {
        case .failure(let error):
            // What is at hand is kept; what is missing is said.
            guard let newest, let fetched else { return fail(error) }
            return [.ask(.store(newest, fetched, older: [], shortfall: error, check))]
        case .success(let revisions):
            guard let first = revisions.first else {
                return fail(
                    TalkError(
                        .unreachable,
                        "\(check?.title ?? wiki.localTitle(of: page)): the wiki's answer has no history of the page",
                        hint: "try again later"))
            }
            if fetched == nil {
                // Without a check, nobody knows where the page went that was cached.
                if let checkFailure, let known = shown?.state?.pageID, shown?.isStored == true, first.page != known {
                    return fail(checkFailure)
                }
                if first.id == standing.tip || standing.cached.contains(first.id) {
                    confirms = first.id
                    return [.ask(.confirm(check, latest: check?.latest ?? first.id))]
                }
                newest = first
                if case .success(let page) = rendered, page.revision == first.id { fetched = page }
            }
            // A cached revision ends the list: what is older was taken or left out before.
            let wanted = revisions.prefix(history).prefix { !standing.cached.contains($0.id) && $0.id != standing.tip }
            older = wanted.filter { $0.id != newest?.id }
            return complete()
        }
    }

    /// Asks for what is still wanting, and stores when nothing is.
    private mutating func complete() -> [Effect] {
        guard let newest else { return fail(TalkError(.internal, "no revision was chosen")) }
        guard let fetched else { return [.ask(.fetch(newest, count: 1 + (older?.count ?? 0)))] }
        guard let older else {
            let isWhole = newest.parent == standing.tip || newest.parent.rawValue == 0 || history == 1
            if !isWhole { return [.ask(.list(from: newest.id))] }
            return [.ask(.store(newest, fetched, older: [], shortfall: nil, check))]
        }
        return [.ask(.store(newest, fetched, older: older, shortfall: nil, check))]
    }

    // MARK: What is shown

    private mutating func fail(_ error: TalkError, noting: Bool = true) -> [Effect] {
        // What could not be stored can still be read.
        if let fetched, shown?.isStored != true { shown = fetched }
        // The first trouble is the cause of the others.
        let error = noting ? checkFailure ?? error : error
        let phase: TalkPageState.Phase = shown == nil ? .failed(error) : .stale(error)
        return (noting ? [.note(.failure(error))] : []) + [show(phase)]
    }

    private func show(_ phase: TalkPageState.Phase, _ fitting: PendingFitting.Result = .init()) -> Effect {
        let permissions = PagePermissions(phase: phase, shown: shown, checked: checked)
        return .show(
            TalkPageState(
                phase: phase, shown: shown, canWrite: permissions.canWrite, canSend: permissions.canSend,
                fitting: fitting, move: move, events: events))
    }
}
