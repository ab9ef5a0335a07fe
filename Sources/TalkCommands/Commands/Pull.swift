internal import TalkPages
internal import TalkStore
internal import TalkSync

extension Verb {
    static let pull = Verb(
        "pull", .exchange, "Bring pages from the wiki into the store", synopsis: "[<page>…]",
        details: """
            A page is named by its address, or by its title on the default wiki. The first pull brings the newest three
            revisions (talk.history in the store's configuration); later ones ask for the newest revision and fetch only
            what is new. A page that was pulled by name is kept: without a page, all kept pages are brought up to date.
            """,
        examples: ["git talk pull https://en.wikipedia.org/wiki/User_talk:Example", "git talk pull Talk:Bridge"]
    ) { arguments, context in
        let store = try Store.create(at: context.storePath)
        var results = PullResults()
        if arguments.positional.isEmpty {
            await KeptPages(context: context, store: store).pull(into: &results)
        } else {
            await NamedPages(context: context, store: store).pull(arguments.positional, into: &results)
        }
        if context.isJSON { context.terminal.write(try JSONOutput.text(PullOutput(results))) }
        for entry in results.reports.flatMap(\.setAside) { OutboxText.tellSetAside(entry, context) }
        return ExitCode(gravestOf: results.errors.map { ExitCode($0.error.kind) })
    }
}

/// What pulls brought, and what went wrong with the others.
struct PullResults: Sendable {
    var reports: [PullReport] = []
    var errors: [(error: TalkError, page: String?, wiki: String?)] = []
}

/// The pages that the user names, one after another.
private struct NamedPages {
    let context: Context
    let store: Store

    /// Pulls the pages; one that cannot be had does not stop the others, a wiki that fails does.
    func pull(_ typed: [String], into results: inout PullResults) async {
        for name in typed {
            var wiki: String?
            do throws(TalkError) {
                let (named, session) = try await WikiSession.find(name, context: context, store: store)
                wiki = named.wiki.key
                results.reports.append(try await pull(named.page, session))
            } catch {
                Progress(context).clear()
                context.terminal.tell(error)
                results.errors.append((error, name, wiki))
                if !KeptPages.isOfOnePage(error) { return }
            }
        }
    }

    private func pull(_ page: PageName, _ session: WikiSession) async throws(TalkError) -> PullReport {
        do throws(TalkError) {
            let report = try await session.puller(now: context.now).pull(page, progress: Progress(context).show)
            Progress(context).clear()
            if !context.isJSON { context.terminal.write(PullText.line(report) + "\n") }
            return report
        } catch {
            try await session.remember(failure: error, of: page)
            throw error
        }
    }
}

/// The pages that the store keeps, brought up to date with one request for fifty of them.
struct KeptPages {
    let context: Context
    let store: Store

    /// Whether other pages of the same wiki may do better.
    static func isOfOnePage(_ error: TalkError) -> Bool { error.kind == .notFound || error.kind == .invalid }

    /// Pulls every kept page of every wiki; a wiki that cannot be reached does not stop the others.
    func pull(into results: inout PullResults) async {
        do throws(TalkError) {
            for wiki in try store.wikis() { await pull(wiki, into: &results) }
        } catch {
            context.terminal.tell(error)
            results.errors.append((error, nil, nil))
        }
    }

    private func pull(_ wiki: Wiki, into results: inout PullResults) async {
        do throws(TalkError) {
            let pages = try store.reader.states().filter { $0.page.wiki == wiki.key && $0.isKept }.map(\.page)
            if pages.isEmpty { return }
            let session = try await WikiSession.open(wiki, context: context, store: store)
            try await pull(pages, session, into: &results)
        } catch {
            context.terminal.tell(error.named(wiki.key))
            results.errors.append((error, nil, wiki.key))
        }
    }

    /// Pulls these pages of one wiki and prints a line about each that changed.
    ///
    /// What is wrong with one page is told and stands in the results; what stops the wiki is thrown.
    func pull(
        _ pages: [PageName], _ session: WikiSession, into results: inout PullResults
    ) async throws(TalkError) {
        let puller = session.puller(now: context.now)
        let checks = try await check(pages, session, puller)
        var unchanged = 0
        for (page, check) in zip(pages, checks) {
            do throws(TalkError) {
                let report = try await puller.pull(page, check: check, progress: Progress(context).show)
                Progress(context).clear()
                results.reports.append(report)
                if report.added.isEmpty {
                    unchanged += 1
                } else if !context.isJSON {
                    context.terminal.write(PullText.line(report) + "\n")
                }
            } catch {
                Progress(context).clear()
                try await session.remember(failure: error, of: page)
                guard Self.isOfOnePage(error) else { throw error }
                context.terminal.tell(error)
                results.errors.append((error, page.prefixedTitle, page.wiki))
            }
        }
        if !context.isJSON {
            context.terminal.write(
                "\(session.wiki.key): \(TimeText.count(pages.count, "page")) checked, \(unchanged) unchanged\n")
        }
    }

    /// Asks for the newest revisions; when that fails, every page knows why it is not fresh.
    private func check(
        _ pages: [PageName], _ session: WikiSession, _ puller: PagePuller
    ) async throws(TalkError) -> [PageCheck] {
        do throws(TalkError) { return try await puller.check(pages) } catch {
            for page in pages { try await session.remember(failure: error, of: page) }
            throw error
        }
    }
}

/// A line of progress on standard error: one that renews itself on a terminal, one a step elsewhere.
struct Progress: Sendable {
    let isTerminal: Bool
    let write: @Sendable (String) -> Void

    init(_ context: Context) {
        isTerminal = context.terminal.isErrorInteractive
        write = context.terminal.writeError
    }

    @Sendable func show(_ step: PullProgress) {
        let text =
            switch step {
            case .checking: "asking for the newest revision"
            case .fetching(let id, let number, let count): "fetching revision \(id) (\(number) of \(count))"
            case .writing: "writing"
            }
        write(isTerminal ? "\r\u{1B}[K\(text)…" : text + "\n")
    }

    func clear() { if isTerminal { write("\r\u{1B}[K") } }
}

/// A pull in one line.
enum PullText {
    static func line(_ report: PullReport) -> String {
        let title = TerminalText.safe(report.title)
        guard !report.added.isEmpty else { return "\(title): unchanged, revision \(report.revision)" }
        var line = "\(title): \(TimeText.count(report.added.count, "new revision")), now \(report.revision)"
        line += "; \(counts(report.changes))"
        if report.rebased > 0 {
            line += "; \(TimeText.count(report.rebased, "pending reply", "pending replies")) fitted to it"
        }
        return line
    }

    /// How many topics and comments were added, changed and removed.
    static func counts(_ diff: DiscussionDiff) -> String {
        let topics = counts(diff.topicsAdded.count, diff.topicsChanged.count, diff.topicsRemoved.count)
        let comments = counts(diff.commentsAdded.count, diff.commentsChanged.count, diff.commentsRemoved.count)
        return "topics: \(topics); comments: \(comments)"
    }

    private static func counts(_ added: Int, _ changed: Int, _ removed: Int) -> String {
        "\(added) added, \(changed) changed, \(removed) removed"
    }
}

/// `git talk pull --json`, schema `Schema/cli/pull.schema.json`.
struct PullOutput: Encodable {
    struct Page: Encodable {
        let added: [Int64]
        let commentsAdded: [String]
        let commentsChanged: [String]
        let commentsRemoved: [String]
        let first: Bool
        let page: String
        let rebased: Int
        let revision: Int64
        let setAside: [String]
        let title: String
        let topicsAdded: [String]
        let topicsChanged: [String]
        let topicsRemoved: [String]
        let wiki: String

        init(_ report: PullReport) {
            let changes = report.changes
            added = report.added.map(\.rawValue)
            commentsAdded = changes.commentsAdded.map(\.id)
            commentsChanged = changes.commentsChanged.map(\.id)
            commentsRemoved = changes.commentsRemoved.map(\.id)
            first = report.isFirst
            page = report.page.prefixedTitle
            rebased = report.rebased
            revision = report.revision.rawValue
            setAside = report.setAside.map(\.reply.id)
            title = report.title
            topicsAdded = changes.topicsAdded.map(\.id)
            topicsChanged = changes.topicsChanged.map(\.id)
            topicsRemoved = changes.topicsRemoved.map(\.id)
            wiki = report.page.wiki
        }
    }

    let schema = 1
    let errors: [ErrorOutput]
    let pages: [Page]

    init(_ results: PullResults) {
        errors = results.errors.map { ErrorOutput($0.error, page: $0.page, wiki: $0.wiki) }
        pages = results.reports.map(Page.init)
    }
}
