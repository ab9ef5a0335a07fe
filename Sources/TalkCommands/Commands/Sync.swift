internal import Synchronization
internal import TalkPages
internal import TalkStore
internal import TalkSync

extension Verb {
    static let sync = Verb(
        "sync", .exchange, "Post what is queued and bring the kept pages up to date",
        synopsis: "[--watch [<interval>]]",
        details: """
            Pulls the pages that have replies waiting, fits each reply to the newest revision, posts them in the order of
            writing, and pulls the other kept pages. Exit code: 0 when all went well, 75 when something must be tried
            later, 77 when a wiki refused, 1 when a reply was set aside.

            \(SyncWatch.help)
            """,
        options: [SyncWatch.option], examples: ["git talk sync", "git talk sync --watch 10m"]
    ) { arguments, context in
        if let interval = try SyncWatch.interval(arguments) {
            return try await SyncWatch(context: context, store: try context.store(), interval: interval).run()
        }
        let store = try context.store()
        return try await SyncRun(context: context, store: store).run()
    }
}

/// One round of posting and pulling over all wikis.
struct SyncRun {
    let context: Context
    let store: Store
    /// What it does for whom it is one round of many.
    var watch: WatchRound?

    func run() async throws -> ExitCode {
        let lock = try await SenderTurn(context: context, store: store).take()
        let tally = Tally()
        for wiki in try store.wikis() {
            guard watch?.begins(wiki.key) ?? true else { continue }
            do throws(TalkError) {
                try await sync(wiki, lock, tally)
                watch?.ended(wiki.key, nil)
            } catch {
                context.terminal.tell(error.named(wiki.key))
                tally.add(ExitCode(error.kind))
                tally.add(error, wiki)
                watch?.ended(wiki.key, error)
            }
        }
        guard watch?.begins("") ?? true else { return tally.exitCode }
        try tellStranded(tally)
        if context.isJSON { context.terminal.write(try JSONOutput.text(tally.output)) }
        return tally.exitCode
    }

    /// Names the replies that no wiki's round could take, so that none waits in silence.
    private func tellStranded(_ tally: Tally) throws(TalkError) {
        let listing = try store.outbox()
        for id in listing.unreadable {
            context.note(
                "git-talk: the journal of reply \(id) is damaged, so it is not sent\nhint: its text is on the page's pending branch: git log --all --grep=\(id)"
            )
            tally.add(.damaged)
        }
        let known = Set(try store.wikis().map(\.key))
        for entry in listing.entries where entry.state.isPending && !known.contains(entry.page.wiki) {
            context.note(
                "git-talk: \(entry.reply.id) on \(entry.page) waits: the store no longer knows the wiki \(entry.page.wiki)\nhint: git talk pull <address of a page there>"
            )
            tally.add(.later)
            tally.add(entry, "queued")
        }
    }

    private func sync(_ wiki: Wiki, _ lock: HeldLock, _ tally: Tally) async throws(TalkError) {
        // What a crash left behind is put right, and what has expired leaves its page.
        let fitting = PendingFitting(store: store, wiki: wiki, onMove: WikiSession.onMove(store.reader))
        try await expire(wiki, fitting, tally)
        for entry in try await fitting.healAll() { tellSetAside(entry, tally) }
        let waiting = try store.outbox().entries.filter { $0.page.wiki == wiki.key && $0.state.isPending }
        let kept = try store.reader.states().filter { $0.page.wiki == wiki.key && $0.isKept }.map(\.page)
        var pages = kept
        for entry in waiting where !pages.contains(entry.page) { pages.append(entry.page) }
        guard !pages.isEmpty else { return }
        let session = try await WikiSession.open(wiki, context: context, store: store).refreshed()
        let wiki = session.wiki
        var pulled = PullResults()
        defer { tally.add(pulled) }
        try await KeptPages(context: context, store: store).pull(pages, session, into: &pulled)
        for entry in pulled.setAside { tellSetAside(entry, tally) }
        let entries = try store.outbox().entries.filter { $0.page.wiki == wiki.key && $0.state.isPending }
        guard !entries.isEmpty else { return }
        try await session.logIn()
        let ready = try await claim(entries, session, tally)
        let surroundings = context.surroundings
        let sender = OutboxSender(
            api: session.api, store: store, wiki: wiki, puller: session.puller(now: context.now),
            now: { surroundings.now }, backoff: SendBackoff(chance: surroundings.chance),
            logIn: { () async throws(TalkError) in try await session.logIn() })
        let isStopped = surroundings.background.isStopped
        try await sender.send(
            ready, holding: lock, isBackground: context.isBackground, mayGoOn: { !isStopped() }
        ) { entry, outcome in
            self.tell(entry, outcome, tally)
            if outcome.isPosted, self.context.terminal.isInteractive, !self.context.isJSON {
                try? await self.store.removeEntry(entry.reply.id)
            }
        }
    }

    /// A reply that was written before anybody logged in is posted as whoever is.
    private func claim(
        _ entries: [OutboxEntry], _ session: WikiSession, _ tally: Tally
    ) async throws(TalkError) -> [OutboxEntry] {
        guard let account = await session.api.account else { return entries }
        var claimed: [OutboxEntry] = []
        for entry in entries {
            let own = try await store.updateEntry(entry.reply.id) { current in
                guard current.account.isEmpty else { return false }
                current.account = account
                return true
            }
            claimed.append(own ?? entry)
        }
        return claimed
    }

    private func expire(_ wiki: Wiki, _ fitting: PendingFitting, _ tally: Tally) async throws(TalkError) {
        for entry in try store.outbox().entries where entry.page.wiki == wiki.key && entry.state.isPending {
            // One that was never tried has not failed, however long the way home was.
            guard entry.reply.expires < context.now, entry.attempts > 0 || entry.state == .held else { continue }
            let reason = "it could not be posted before \(TimeText.minute(entry.reply.expires))"
            if let given = try await fitting.setAside(entry, reason: reason) { tellSetAside(given, tally) }
        }
    }

    private func tellSetAside(_ entry: OutboxEntry, _ tally: Tally) {
        OutboxText.tellSetAside(entry, context)
        tally.add(.failure)
        tally.add(entry, "discarded")
    }

    private func tell(_ entry: OutboxEntry, _ outcome: SendOutcome, _ tally: Tally) {
        let place = "\(entry.page) at \(entry.page.wiki)"
        let id = entry.reply.id
        switch outcome {
        case .posted(let revision):
            if !context.isJSON {
                context.terminal.write("posted \(id) on \(place) as \(entry.account): revision \(revision)\n")
            }
            tally.add(entry, "posted")
        case .unknown(let reason):
            context.note(
                "git-talk: whether \(id) on \(place) was posted is not known yet: \(reason)\nhint: it is looked for by the next git talk sync, never sent blindly"
            )
            tally.add(.later)
            tally.add(entry, "unknown")
        case .held(let reason):
            context.note(
                "git-talk: \(id) on \(place) is held: \(TerminalText.safe(reason))\nhint: \(OutboxConfirm.hint(entry))"
            )
            tally.add(.refused)
            tally.add(entry, "held")
        case .waiting(let reason):
            context.note(
                "git-talk: \(id) on \(place) waits: \(TerminalText.safe(reason))\nhint: git talk sync tries again")
            tally.add(.later)
            tally.add(entry, "queued")
        case .setAside:
            tellSetAside(entry, tally)
        }
    }
}

/// What a round did, for the exit code and for `--json`.
private final class Tally: Sendable {
    private let state = Mutex((codes: Set<ExitCode>(), output: SyncOutput()))

    func add(_ code: ExitCode) { state.withLock { _ = $0.codes.insert(code) } }

    func add(_ entry: OutboxEntry, _ word: String) {
        let result = SyncOutput.Result(
            id: entry.reply.id, page: entry.page.prefixedTitle, postedRevision: entry.postedRevision?.rawValue,
            reason: entry.reason, state: word, wiki: entry.page.wiki)
        state.withLock { $0.output.replies.append(result) }
    }

    func add(_ error: TalkError, _ wiki: Wiki) {
        state.withLock { $0.output.errors.append(ErrorOutput(error, wiki: wiki.key)) }
    }

    func add(_ pulled: PullResults) {
        let output = PullOutput(pulled)
        state.withLock {
            $0.output.errors += output.errors
            $0.output.missing += output.missing
            $0.output.moves += output.moves
            $0.output.pages += output.pages
        }
    }

    var output: SyncOutput { state.withLock { $0.output } }
    var exitCode: ExitCode { ExitCode(gravestOf: state.withLock { $0.codes }) }
}

/// `git talk sync --json`, schema `Schema/cli/sync.schema.json`.
private struct SyncOutput: Encodable {
    struct Result: Encodable {
        let id: String
        let page: String
        let postedRevision: Int64?
        let reason: String?
        let state: String
        let wiki: String
    }

    let schema = 1
    var errors: [ErrorOutput] = []
    var missing: [PullOutput.Missing] = []
    var moves: [PullOutput.Move] = []
    var pages: [PullOutput.Page] = []
    var replies: [Result] = []
}
