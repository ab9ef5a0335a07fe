internal import TalkPages
internal import TalkStore
internal import TalkSync

extension Verb {
    static let bookmark = Verb(
        "bookmark", .maintain, "Keep pages for good",
        synopsis: "[list | add <page>… | remove <page>… | import [<wiki>]]",
        details: """
            A bookmarked page is never dropped, and pull and sync bring it up to date. Without a verb, the bookmarked pages
            are listed. git talk exchange takes bookmarks to your other machines.

            import bookmarks the talk pages on your watchlist at a wiki, the default one unless it is named; you must be
            logged in, and with a bot password that has the grant to view the watchlist. Talk pages that do not exist are
            left out. Nothing is pulled yet: git talk pull.
            """,
        examples: [
            "git talk bookmark add Talk:Bridge", "git talk bookmark import en.wikipedia.org", "git talk bookmark",
        ]
    ) { arguments, context in
        guard let word = arguments.positional.first else {
            return try await BookmarkRun(context: context, store: try context.store()).list()
        }
        let rest = Array(arguments.positional.dropFirst())
        switch word {
        case "list":
            try arguments.expect(1...1, "verb")
            return try await BookmarkRun(context: context, store: try context.store()).list()
        case "add":
            if rest.isEmpty { throw UsageError("no page was given", isIncomplete: true) }
            return try await BookmarkRun(context: context, store: try Store.create(at: context.storePath)).add(rest)
        case "remove":
            if rest.isEmpty { throw UsageError("no page was given", isIncomplete: true) }
            return try await BookmarkRun(context: context, store: try context.store()).remove(rest)
        case "import":
            try arguments.expect(1...2, "wiki")
            return try await BookmarkRun(context: context, store: try context.store()).importWatchlist(rest.first)
        default:
            let nearest = Arguments.nearest(word, in: ["list", "add", "remove", "import"])
            throw UsageError(
                "unknown command 'bookmark \(word)'" + (nearest.map { "; did you mean 'bookmark \($0)'?" } ?? ""))
        }
    }
}

private struct BookmarkRun {
    let context: Context
    let store: Store

    func list() async throws -> ExitCode {
        let pages = try await store.bookmarks()
        if context.isJSON { return try await output() }
        if pages.isEmpty { context.note("no page is bookmarked yet: git talk bookmark add <page>") }
        var text = ""
        for page in pages {
            let isCached = try store.reader.stamp(of: page) != nil
            text +=
                context.style.bold(TerminalText.safe(page.prefixedTitle)) + context.style.dim("  " + page.wiki)
                + (isCached ? "" : "  nothing cached yet") + "\n"
        }
        if !text.isEmpty { context.show(text) }
        return .done
    }

    func add(_ typed: [String]) async throws -> ExitCode {
        var errors: [(error: TalkError, page: String?)] = []
        var pages: [PageName] = []
        for name in typed {
            do throws(TalkError) {
                pages.append(try await WikiSession.name(name, context: context, store: store).page)
            } catch {
                context.terminal.tell(error)
                errors.append((error, name))
            }
        }
        return try await change(pages, true, errors)
    }

    func remove(_ typed: [String]) async throws -> ExitCode {
        var errors: [(error: TalkError, page: String?)] = []
        var pages: [PageName] = []
        let bookmarks = try await store.bookmarks()
        for name in typed {
            do throws(TalkError) {
                let page = try context.page(name, store.reader).page
                guard bookmarks.contains(page) else {
                    throw TalkError(.notFound, "\(page) is not bookmarked", hint: "git talk bookmark list")
                }
                pages.append(page)
            } catch {
                context.terminal.tell(error)
                errors.append((error, name))
            }
        }
        return try await change(pages, false, errors)
    }

    func importWatchlist(_ key: String?) async throws -> ExitCode {
        let wikis = try store.wikis()
        var chosen = wikis.first { $0.key == key }
        if key == nil { chosen = try context.defaultWiki(wikis, store.reader) }
        guard let chosen else {
            throw TalkError(
                .notFound, "the store knows no wiki “\(key ?? "")”", hint: "see which it knows: git talk wiki")
        }
        let session = try await WikiSession.open(chosen, context: context, store: store).refreshed()
        try await session.logIn()
        let watchlist = try await self.watchlist(session)
        let new = try await store.bookmark(watchlist.pages, true)
        if context.isJSON { return try await output(changed: new) }
        let missing = watchlist.missing == 0 ? "" : ", \(watchlist.missing) that do not exist left out"
        context.terminal.write(
            "\(chosen.key): \(TimeText.count(watchlist.pages.count, "talk page")) on the watchlist, \(new.count) newly bookmarked\(missing)\n"
        )
        if !new.isEmpty { context.note("hint: bring them: git talk pull") }
        return .done
    }

    private func watchlist(_ session: WikiSession) async throws(TalkError) -> Watchlist {
        do throws(TalkError) {
            return try await session.api.watchlist(on: session.wiki)
        } catch  where error.kind == .refused {
            let login = "git talk login \(ShellWord.quoted(session.wiki.server))"
            throw TalkError(
                .refused, error.message,
                hint: "a bot password wants the grant “View your watchlist”; with one that has it: \(login)",
                underlying: error)
        }
    }

    private func change(
        _ pages: [PageName], _ isOn: Bool, _ errors: [(error: TalkError, page: String?)]
    ) async throws -> ExitCode {
        let changed = try await store.bookmark(pages, isOn)
        if context.isJSON {
            _ = try await output(changed: changed, errors)
        } else {
            for page in pages {
                let title = TerminalText.safe(page.prefixedTitle)
                let word =
                    isOn ? changed.contains(page) ? "bookmarked" : "was bookmarked already" : "no longer bookmarked"
                context.terminal.write("\(title): \(word)\n")
            }
            if isOn, try pages.contains(where: { try store.reader.stamp(of: $0) == nil }) {
                context.note("hint: bring what is not cached yet: git talk pull")
            }
        }
        return ExitCode(gravestOf: errors.map { ExitCode($0.error.kind) })
    }

    private func output(
        changed: [PageName] = [], _ errors: [(error: TalkError, page: String?)] = []
    ) async throws -> ExitCode {
        let pages = try await store.bookmarks().map {
            BookmarkOutput.Page(cached: try store.reader.stamp(of: $0) != nil, page: $0.prefixedTitle, wiki: $0.wiki)
        }
        context.terminal.write(
            try JSONOutput.text(
                BookmarkOutput(
                    bookmarks: pages,
                    changed: changed.map { BookmarkOutput.Changed(page: $0.prefixedTitle, wiki: $0.wiki) },
                    errors: errors.map { ErrorOutput($0.error, page: $0.page, wiki: nil) })))
        return .done
    }
}

/// `git talk bookmark --json`, schema `Schema/cli/bookmark.schema.json`.
private struct BookmarkOutput: Encodable {
    struct Page: Encodable {
        let cached: Bool
        let page: String
        let wiki: String
    }

    struct Changed: Encodable {
        let page: String
        let wiki: String
    }

    let schema = 1
    let bookmarks: [Page]
    let changed: [Changed]
    let errors: [ErrorOutput]
}
