public import TalkPages
public import TalkStore

/// An exchange of the store with one git remote: afterwards both have what either had.
///
/// Each step leaves a whole store, and all of it may be done again: a store is a set, and joining sets twice changes
/// nothing.
public struct StoreExchange: Sendable {
    let store: Store
    let git: GitProgram
    let remote: RemoteRepository
    private let time: String
    private let pause: @Sendable (_ attempt: Int) async -> Void

    /// Makes an exchange with the remote of this name.
    ///
    /// `time` stands in the log of what was purged. `pause` lets some time pass, by chance, when another machine was faster.
    public init(
        store: Store, git: GitProgram, remote: String, time: String,
        pause: @escaping @Sendable (_ attempt: Int) async -> Void
    ) {
        self.store = store
        self.git = git
        self.remote = RemoteRepository(name: remote, git: git, directory: store.layout.root)
        self.time = time
        self.pause = pause
    }

    /// What came of an exchange.
    public struct Result: Sendable {
        /// The pages that changed here, each once.
        public var pages: [ExchangeTake.Page] = []
        /// What of the remote's was not taken.
        public var refused: [ExchangeTake.Refusal] = []
        /// What the remote has now and had not before.
        public var given: [RemoteChange] = []
        /// What the remote does not let itself be given.
        public var denied: [PushOutcome.Denial] = []
        /// Why nothing was given, in words; nil when it was to be.
        public var withheld: String?
        /// The pages that came on or off the list of bookmarks.
        public var bookmarks = 0
        /// Replies that were set aside, since what they answer is gone.
        public var setAside: [OutboxEntry] = []
        /// Whether the remote's branch `main` is another one than every store has.
        public var hasOtherMain = false
        /// Whether the first commit of `main` was given.
        public var isFirst = false
        /// Whether the remote is a store itself, which takes from this one when it is exchanged there.
        public var isStore = false
    }

    /// How often it begins again when other machines were faster.
    private static let attempts = 8

    /// Fetches, joins, and gives the remote what it lacks, unless `withhold` says why not to.
    ///
    /// Throws `.unreachable` for a remote that cannot be reached, and `.busy` when others were faster each time; what was
    /// taken by then stays.
    public func run(
        withhold: @Sendable (ExchangeTake) async throws(TalkError) -> String? = { _ in nil }
    ) async throws(TalkError) -> Result {
        var result = Result()
        var stained: [PageName] = []
        var attempt = 1
        while true {
            let take = try await store.take(
                from: remote.name, refused: try await store.fetch(from: remote))
            try await note(take, &result, &stained)
            result.isStore = take.changes.isEmpty ? false : try remote.isStore()
            result.withheld = take.changes.isEmpty || result.isStore ? nil : try await withhold(take)
            if take.changes.isEmpty || result.isStore || result.withheld != nil {
                if !take.wantsMore { break }
            } else {
                let outcome = try await store.push(take.changes, to: remote)
                try await store.pushed(outcome.accepted, to: remote.name)
                result.given += outcome.accepted
                result.denied = outcome.denied
                if outcome.accepted.contains(where: { $0.reference == StoreLayout.mainBranch }) {
                    result.isFirst = true
                }
                if outcome.outrun.isEmpty, !take.wantsMore { break }
            }
            guard attempt < Self.attempts else {
                throw TalkError(
                    .busy,
                    "others change \(remote.name) at the same time again and again, or a git that died there left a lock",
                    hint:
                        "remove old files *.lock there, if there are any, and try again: git talk exchange \(remote.name)"
                )
            }
            await pause(attempt)
            attempt += 1
        }
        try await clean(stained)
        return result
    }

    private func note(
        _ take: ExchangeTake, _ result: inout Result, _ stained: inout [PageName]
    ) async throws(TalkError) {
        for page in take.pages {
            if let index = result.pages.firstIndex(where: { $0.page == page.page }) {
                result.pages[index] = result.pages[index].merged(with: page)
            } else {
                result.pages.append(page)
            }
            if !page.purged.isEmpty { try await store.logPurge(page.purged, of: page.page, at: time) }
            try await fit(page.page, &result)
        }
        result.refused = take.refused
        result.bookmarks += take.bookmarks
        result.hasOtherMain = take.hasOtherMain
        stained += take.stained.filter { !stained.contains($0) }
    }

    /// What waits in a page stands on its history as it was.
    private func fit(_ page: PageName, _ result: inout Result) async throws(TalkError) {
        guard let wiki = try store.wiki(page.wiki) else { return }
        result.setAside += try await PendingFitting(store: store, wiki: wiki).heal(page).setAside
    }

    /// Drops what would keep the objects of what was purged, and the objects.
    private func clean(_ stained: [PageName]) async throws(TalkError) {
        try await store.removeCopies(of: stained)
        guard !stained.isEmpty else { return try await store.packIfDue(git) }
        try await store.collectGarbage(git, afterPurge: true)
    }
}

extension ExchangeTake.Page {
    /// Two changes of one page, one after the other.
    fileprivate func merged(with later: ExchangeTake.Page) -> ExchangeTake.Page {
        ExchangeTake.Page(
            page: page, written: Array(Set(written).union(later.written)).sorted(),
            purged: purged.merging(later.purged) { $0.union($1) }, isNew: isNew, isGone: later.isGone)
    }
}
