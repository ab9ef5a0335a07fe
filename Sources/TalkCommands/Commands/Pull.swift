internal import TalkPages
internal import TalkStore
internal import TalkSync

extension Verb {
    static let pull = Verb(
        "pull", .exchange, "Bring pages from the wiki into the store", synopsis: "[<page>…]",
        details: """
            A page is named by its address, or by its title on the default wiki. The first pull brings the newest three
            revisions (talk.history); later ones ask for the newest revision and fetch only what is new. Without a page,
            all kept pages are brought up to date.
            """,
        examples: ["git talk pull https://en.wikipedia.org/wiki/User_talk:Example", "git talk pull Talk:Bridge"]
    ) { arguments, context in
        let store = try Store.create(at: context.storePath)
        var reports: [PullReport] = []
        if arguments.positional.isEmpty {
            reports = try await KeptPages(context: context, store: store).pull()
        }
        for typed in arguments.positional {
            let (named, session) = try await WikiSession.find(typed, context: context, store: store)
            guard named.page.title.isEmpty == false else { continue }
            let puller = session.puller(now: context.now)
            let report: PullReport
            do {
                report = try await puller.pull(named.page, progress: Progress(context).show)
            } catch let error as TalkError {
                try await session.remember(failure: error, of: named.page)
                throw error
            }
            Progress(context).clear()
            if !context.isJSON { context.terminal.write(PullText.line(report) + "\n") }
            reports.append(report)
        }
        if context.isJSON { context.terminal.write(try JSONOutput.text(PullOutput(reports))) }
        for entry in reports.flatMap(\.setAside) { OutboxText.tellSetAside(entry, context) }
        return .done
    }
}

/// The pages that the store keeps, brought up to date with one request for fifty of them.
struct KeptPages {
    let context: Context
    let store: Store

    /// Pulls every kept page of every wiki; a wiki that cannot be reached fails at the end, after the others.
    func pull() async throws(TalkError) -> [PullReport] {
        var reports: [PullReport] = []
        var failure: TalkError?
        for wiki in try store.wikis() {
            let pages = try store.reader.states().filter { $0.page.wiki == wiki.key && $0.isKept }.map(\.page)
            if pages.isEmpty { continue }
            do throws(TalkError) {
                let session = try await WikiSession.open(wiki, context: context, store: store)
                reports += try await pull(pages, session)
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return reports
    }

    /// Pulls these pages of one wiki and prints a line about each that changed.
    func pull(_ pages: [PageName], _ session: WikiSession) async throws(TalkError) -> [PullReport] {
        let puller = session.puller(now: context.now)
        let checks = try await puller.check(pages)
        var reports: [PullReport] = []
        var failure: TalkError?
        for (page, check) in zip(pages, checks) {
            do throws(TalkError) {
                let report = try await puller.pull(page, check: check, progress: Progress(context).show)
                Progress(context).clear()
                reports.append(report)
                if !context.isJSON, !report.added.isEmpty { context.terminal.write(PullText.line(report) + "\n") }
            } catch {
                try await session.remember(failure: error, of: page)
                if error.kind != .notFound && error.kind != .invalid { throw error }
                context.note("git-talk: \(TerminalText.safe(error.message))")
                failure = failure ?? error
            }
        }
        if !context.isJSON {
            let unchanged = reports.count { $0.added.isEmpty }
            context.terminal.write("\(session.wiki.key): \(TimeText.count(pages.count, "page")) checked, \(unchanged) unchanged\n")
        }
        return reports
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
        if report.rebased > 0 { line += "; \(TimeText.count(report.rebased, "pending reply", "pending replies")) fitted to it" }
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
        let page: String
        let rebased: Int
        let revision: Int64
        let setAside: [String]
        let title: String
        let topicsAdded: [String]
        let topicsChanged: [String]
        let topicsRemoved: [String]
        let wiki: String
    }

    let schema = 1
    let pages: [Page]

    init(_ reports: [PullReport]) {
        pages = reports.map { report in
            let changes = report.changes
            return Page(
                added: report.added.map(\.rawValue), commentsAdded: changes.commentsAdded.map(\.id),
                commentsChanged: changes.commentsChanged.map(\.id), commentsRemoved: changes.commentsRemoved.map(\.id),
                page: report.page.prefixedTitle, rebased: report.rebased, revision: report.revision.rawValue,
                setAside: report.setAside.map(\.reply.id), title: report.title,
                topicsAdded: changes.topicsAdded.map(\.id), topicsChanged: changes.topicsChanged.map(\.id),
                topicsRemoved: changes.topicsRemoved.map(\.id), wiki: report.page.wiki)
        }
    }
}
