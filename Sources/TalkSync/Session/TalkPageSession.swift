public import TalkPages

/// One look at a page, from what is cached to what the wiki has: the states of the page, one after another.
///
/// A cached page comes at once, from files alone. Then the wiki is asked, and a second state says how it went.
/// Each iterator is a look of its own, and one that is dropped asks for nothing more.
public struct TalkPageSession: AsyncSequence, Sendable {
    /// What a session says of its page.
    public typealias Element = TalkPageState
    /// A session does not fail: its last state says what went wrong.
    public typealias Failure = Never

    private let work: PageWork

    /// Makes a session on a page of the puller's wiki; nothing is read or asked yet.
    ///
    /// `isKept` marks the page as asked for by name, so that it is kept.
    public init(
        _ page: PageName, with puller: PagePuller, isKept: Bool = false,
        progress: @escaping @Sendable (PullProgress) -> Void = { _ in }
    ) {
        self.init(
            PageWork(
                page: page, puller: puller, isKept: isKept, isWatched: true, known: nil, progress: progress))
    }

    init(_ work: PageWork) { self.work = work }

    /// Begins the look.
    public func makeAsyncIterator() -> AsyncStream<TalkPageState>.Iterator {
        let (states, continuation) = AsyncStream.makeStream(of: TalkPageState.self)
        let work = work
        let task = Task {
            await Self.run(work) { continuation.yield($0) }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return states.makeAsyncIterator()
    }

    /// Hands effects out and their outcomes back until nothing is left to do.
    private static func run(_ work: PageWork, _ show: (TalkPageState) -> Void) async {
        var machine = PageMachine(
            page: work.page, wiki: work.puller.wiki, history: work.puller.history, isChecked: work.known != nil)
        await withTaskGroup(of: PageMachine.Event.self) { requests in
            var event: PageMachine.Event? = .opened(await work.open())
            while let happened = event {
                for effect in machine.handle(happened) where !Task.isCancelled {
                    switch effect {
                    case .show(let state): show(state)
                    case .note(let note): await work.note(note)
                    case .ask(let request): requests.addTask { await work.perform(request) }
                    }
                }
                event = await requests.next()
            }
        }
    }
}

extension PageWork {
    /// What is shown is the wiki's newest revision, also where a cached one is later in time.
    private func stored(_ kept: Result<PageMachine.Stored, TalkError>) async -> Result<PageMachine.Stored, TalkError> {
        guard isWatched, case .success(var stored) = kept, let newest = try? await olderPage() else { return kept }
        stored.shown = newest
        return .success(stored)
    }

    /// Carries out a request.
    func perform(_ request: PageMachine.Request) async -> PageMachine.Event {
        switch request {
        case .check: .checked(await check())
        case .render: .rendered(await render())
        case .trace(let id, let check): .traced(await trace(id, check))
        case .list(let start): .listed(await list(from: start))
        case .fetch(let info, let count): .fetched(await fetch(info.id, count: count))
        case .store(let newest, let page, let older, let shortfall, let check):
            .stored(await stored(await keep(newest, page, older: older, shortfall: shortfall, check)))
        case .confirm(let check, let latest): .confirmed(await confirm(check, latest: latest))
        }
    }
}
