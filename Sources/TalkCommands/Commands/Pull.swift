internal import TalkPages
internal import TalkStore
internal import TalkSync

extension Verb {
    static let pull = Verb(
        "pull", .exchange, "Bring pages from the wiki into the store",
        synopsis: "[--history <how far> | [--follow] [--recheck]] [<page>…]",
        details: """
            A page is named by its address, or by its title on the default wiki. The first pull brings the newest three
            revisions (talk.history in the store's configuration); later ones ask for the newest revision and fetch only
            what is new. A page that was pulled by name is kept: without a page, all kept pages are brought up to date.
            One request asks about fifty pages of a wiki. A pull that was broken off keeps what came, and the same command
            goes on; pages that were named for the first time, and had not come yet, must be named again. A page that
            cannot be had stops no other; a kept page that the wiki has no longer is an error once, then a note.
            With --history, older revisions follow, newest first: so many in all, all, or those since a day (UTC). What
            is cached is not fetched again: a back-fill that was broken off goes on with the same command.

            A page that was moved is kept at its new title, with what is cached of it. A redirect is pulled as the page that
            it is, with a note; --follow pulls the page that it leads to.

            --recheck also asks the wiki about every cached revision of these pages, and takes out of the store what was hidden
            or deleted there since, for good. What was purged is printed, and written to .git/git-talk/purge.log.
            """,
        options: [
            HistoryPulls.option,
            Option("follow", "pull the pages that redirects lead to"),
            Option("recheck", "purge what the wiki has hidden since it was cached"),
        ],
        examples: [
            "git talk pull https://en.wikipedia.org/wiki/User_talk:Example", "git talk pull Talk:Bridge",
            "git talk pull --history 200 Talk:Bridge",
        ]
    ) { arguments, context in
        let depth = try HistoryPulls.depth(arguments)
        // Without a page there is nothing to bring into a new one.
        let store = arguments.positional.isEmpty ? try context.store() : try Store.create(at: context.storePath)
        context.surroundings.background.announce()
        if let depth {
            for option in ["follow", "recheck"] where arguments.has(option) {
                throw UsageError("--history and --\(option) exclude each other")
            }
            return try await HistoryPulls(context: context, store: store, depth: depth).run(arguments.positional)
        }
        var results = PullResults()
        if arguments.positional.isEmpty {
            await KeptPages(context: context, store: store, follows: arguments.has("follow")).pull(into: &results)
        } else {
            await NamedPages(context: context, store: store, follows: arguments.has("follow")).pull(
                arguments.positional, into: &results)
        }
        if arguments.has("recheck") { await Recheck(context: context, store: store).run(&results) }
        if let error = await Upkeep(context: context, store: store).run(sparing: results.pulled) {
            results.errors.append((error, nil, nil))
        }
        if context.isJSON { context.terminal.write(try JSONOutput.text(PullOutput(results))) }
        for entry in results.setAside { context.tell(entry) }
        return ExitCode(gravestOf: results.errors.map { ExitCode($0.error.kind) })
    }
}
