internal import Synchronization
internal import TalkPages
internal import TalkStore
internal import TalkSync

extension Verb {
    static let sync = Verb(
        "sync", .exchange, "Post what is queued and bring the kept pages up to date", synopsis: "",
        details: """
            Pulls the pages that have replies waiting, fits each reply to the newest revision, posts them in the order of
            writing, and pulls the other kept pages. Exit code: 0 when all went well, 75 when something must be tried
            later, 77 when a wiki refused, 1 when a reply was set aside.
            """
    ) { arguments, context in
        try arguments.expect(0...0, "")
        let store = try context.store()
        return try await SyncRun(context: context, store: store).run()
    }
}

/// One round of posting and pulling over all wikis.
private struct SyncRun {
    let context: Context
    let store: Store

    func run() async throws -> ExitCode {
        guard let lock = try await store.senderLock() else {
            throw TalkError(.busy, "another git-talk is sending the replies of this store", hint: "try again later")
        }
        defer { _ = lock }
        let tally = Tally()
        for wiki in try store.wikis() {
            do throws(TalkError) {
                try await sync(wiki, tally)
            } catch {
                context.terminal.tell(error.named(wiki.key))
                tally.add(ExitCode(error.kind))
                tally.add(error, wiki)
            }
        }
        if context.isJSON { context.terminal.write(try JSONOutput.text(tally.output)) }
        return tally.exitCode
    }

    private func sync(_ wiki: Wiki, _ tally: Tally) async throws(TalkError) {
        let waiting = try store.outbox().entries.filter { $0.page.wiki == wiki.key && $0.state.isPending }
        let kept = try store.reader.states().filter { $0.page.wiki == wiki.key && $0.isKept }.map(\.page)
        var pages = kept
        for entry in waiting where !pages.contains(entry.page) { pages.append(entry.page) }
        guard !pages.isEmpty else { return }
        let session = try await WikiSession.open(wiki, context: context, store: store)
        var pulled = PullResults()
        defer { tally.add(pulled) }
        try await KeptPages(context: context, store: store).pull(pages, session, into: &pulled)
        for page in Set(waiting.map(\.page)) {
            // A pending branch that a crash left behind is made anew, and what has expired leaves it.
            try await expire(page, tally)
            let fitted = try await PendingFitting(store: store, wiki: wiki).fit(page)
            for entry in fitted.setAside { tellSetAside(entry, tally) }
        }
        for entry in pulled.reports.flatMap(\.setAside) { tellSetAside(entry, tally) }
        let entries = try store.outbox().entries.filter { $0.page.wiki == wiki.key && $0.state.isPending }
        guard !entries.isEmpty else { return }
        try await session.logIn()
        let ready = try await claim(entries, session, tally)
        let surroundings = context.surroundings
        let sender = OutboxSender(
            api: session.api, store: store, wiki: wiki, puller: session.puller(now: context.now),
            now: { surroundings.now })
        try await sender.send(ready) { entry, outcome in
            self.tell(entry, outcome, tally)
            if outcome.isPosted, self.context.terminal.isInteractive, !self.context.isJSON {
                try? await self.store.removeEntry(entry.reply.id)
            }
        }
    }

    /// A reply that was written before anybody logged in is posted as whoever is; one of another account waits for it.
    private func claim(
        _ entries: [OutboxEntry], _ session: WikiSession, _ tally: Tally
    ) async throws(TalkError) -> [OutboxEntry] {
        let account = session.loginName.map(Context.account) ?? ""
        var ready: [OutboxEntry] = []
        for var entry in entries {
            if entry.account.isEmpty {
                entry.account = account
                try await store.save(entry)
            }
            if entry.account == account {
                ready.append(entry)
            } else {
                tell(entry, .held(reason: "it was written as \(entry.account), and \(account) is logged in"), tally)
            }
        }
        return ready
    }

    private func expire(_ page: PageName, _ tally: Tally) async throws(TalkError) {
        for var entry in try store.outbox().entries where entry.page == page && entry.reply.expires < context.now {
            guard entry.state == .queued || entry.state == .held else { continue }
            entry.state = .discarded
            entry.reason = "it could not be posted before \(TimeText.minute(entry.reply.expires))"
            try await store.discard(entry, reason: entry.reason ?? "")
            try await store.save(entry)
            tellSetAside(entry, tally)
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
                "git-talk: \(id) on \(place) is held: \(TerminalText.safe(reason))\nhint: git talk outbox show \(id)")
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
    var pages: [PullOutput.Page] = []
    var replies: [Result] = []
}
