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
            later, 77 when a wiki refused, 1 when a reply was set aside. It ends with one line for each reply. What became
            of one is repeated by every command until you have seen it: on a terminal, in 'git talk serve', or by
            'git talk outbox ack'.

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

/// One round of posting and pulling: over all wikis, or of one page.
struct SyncRun {
    let context: Context
    let store: Store
    /// Nil for all that is kept or waits.
    var page: PageName?
    /// What it does for whom it is one round of many.
    var watch: WatchRound?

    func run() async throws -> ExitCode {
        let lock = try await SenderTurn(context: context, store: store).take()
        let report = SyncReport()
        if page == nil { await LostWikis(context: context, store: store).find() }
        let wikis = try store.wikis()
        for wiki in wikis where page.map({ $0.wiki == wiki.key }) ?? true {
            guard watch?.begins(wiki.key) ?? true else { continue }
            do throws(TalkError) {
                try await sync(wiki, lock, report)
                watch?.ended(wiki.key, nil)
            } catch {
                context.terminal.tell(error.named(wiki.key))
                report.add(ExitCode(error.kind))
                report.add(error, wiki)
                let reason = "\(wiki.key) could not be synchronised"
                for entry in try waiting(on: wiki) where entry.state != .held && !report.tells(entry.reply.id) {
                    report.add(
                        entry, entry.mayBePosted ? .unknown(reason: reason) : .waiting(reason: reason),
                        isCounted: false)
                }
                watch?.ended(wiki.key, error)
            }
            // What is said of replies belongs to their wiki: another round may leave it out.
            if watch != nil { report.tell(wikis, context) }
        }
        guard watch?.begins("") ?? true else { return report.exitCode }
        if page == nil { try tellStranded(report) }
        if page == nil, let error = await Upkeep(context: context, store: store).run(sparing: report.pulled) {
            report.add(ExitCode(error.kind))
        }
        report.tell(wikis, context)
        if context.isJSON, page == nil { context.terminal.write(try JSONOutput.text(report.output(wikis))) }
        return report.exitCode
    }

    /// Names the replies that no wiki's round could take, so that none waits in silence.
    private func tellStranded(_ report: SyncReport) throws(TalkError) {
        let listing = try store.outbox()
        for id in listing.unreadable {
            context.note(
                "git-talk: the journal of reply \(id) is damaged, so it is not sent\nhint: see its text: git talk outbox show \(id)"
            )
            report.add(.damaged)
        }
        let known = Set(try store.wikis().map(\.key))
        for entry in listing.entries where entry.state.isPending && !known.contains(entry.page.wiki) {
            let reason =
                "the store no longer knows the wiki \(entry.page.wiki), and learns it with git talk pull <address of a page there>"
            report.add(entry, .waiting(reason: reason))
        }
    }

    private func sync(_ wiki: Wiki, _ lock: HeldLock, _ report: SyncReport) async throws(TalkError) {
        // What a crash left behind is put right.
        let fitting = PendingFitting(store: store, wiki: wiki)
        for entry in try await fitting.healAll() { report.addSetAside(entry) }
        let waiting = try self.waiting(on: wiki)
        let bases = Dictionary(waiting.map { ($0.reply.id, $0.reply.base) }) { first, _ in first }
        var pages = page.map { [$0] } ?? []
        if page == nil {
            pages = try await store.followedPages().filter { $0.wiki == wiki.key }
        }
        for entry in waiting where !pages.contains(entry.page) { pages.append(entry.page) }
        guard !pages.isEmpty else { return }
        let session = try await WikiSession.open(wiki, context: context, store: store).refreshed()
        let wiki = session.wiki
        var pulled = PullResults()
        defer { report.add(pulled) }
        try await KeptPages(context: context, store: store).pull(pages, session, into: &pulled)
        for entry in pulled.setAside { report.addSetAside(entry) }
        try await Expiry(context: context, store: store, wiki: wiki).run(pulled.serverTime, report)
        var entries = try self.waiting(on: wiki)
        for entry in entries where pulled.unknown.contains(entry.page) && entry.state != .held {
            let reason = "\(entry.page) could not be pulled"
            report.add(entry, entry.mayBePosted ? .unknown(reason: reason) : .waiting(reason: reason))
        }
        entries.removeAll { pulled.unknown.contains($0.page) }
        guard !entries.isEmpty else { return }
        try await session.logIn()
        let ready = try await claim(entries, session)
        let surroundings = context.surroundings
        let sender = OutboxSender(
            api: session.api, store: store, wiki: wiki, puller: session.puller(now: context.now),
            now: { surroundings.now }, backoff: SendBackoff(chance: surroundings.chance),
            logIn: { () async throws(TalkError) in try await session.logIn() })
        let isStopped = surroundings.background.isStopped
        do throws(TalkError) {
            try await sender.send(
                ready, holding: lock, isBackground: context.isBackground, mayGoOn: { !isStopped() }
            ) { entry, outcome in
                let isFitted = bases[entry.reply.id].map { $0 != entry.reply.base } ?? false
                report.add(entry, outcome, fitted: isFitted ? entry.reply.base : nil)
            }
        } catch {
            try report.addUnrecorded(self.waiting(on: wiki), error)
        }
    }

    /// What waits at a wiki, or on the one page.
    private func waiting(on wiki: Wiki) throws(TalkError) -> [OutboxEntry] {
        try store.outbox().entries.filter {
            $0.page.wiki == wiki.key && $0.state.isPending && (page == nil || $0.page == page)
        }
    }

    /// A reply that was written before anybody logged in is posted as whoever is.
    private func claim(_ entries: [OutboxEntry], _ session: WikiSession) async throws(TalkError) -> [OutboxEntry] {
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
}
