internal import TalkPages
internal import TalkStore
internal import TalkSync

/// `git talk pull --history`: the named pages, and then the older revisions of each.
struct HistoryPulls {
    let context: Context
    let store: Store
    let depth: HistoryDepth

    static let option = Option(
        "history", value: "<how far>", "also older revisions: a number in all, 'all', or 'since:2024-01-31'")

    /// How far back the command line wants to go; nil when it does not say.
    static func depth(_ arguments: Arguments) throws -> HistoryDepth? {
        guard let text = arguments["history"] else { return nil }
        guard let depth = HistoryDepth(text) else {
            throw UsageError("'--history \(text)': give a number of revisions, 'all', or 'since:2024-01-31'")
        }
        if arguments.positional.isEmpty { throw UsageError("'--history' wants a page") }
        return depth
    }

    /// Brings the pages one after another; one that cannot be had does not stop the others, a wiki that fails does.
    func run(_ typed: [String]) async throws -> ExitCode {
        var results = PullResults()
        var histories: [HistoryReport] = []
        for name in typed {
            var wiki: String?
            do throws(TalkError) {
                let named = try await WikiSession.name(name, context: context, store: store)
                wiki = named.wiki.key
                // A pull of hundreds of revisions gives way to a wiki that is busy.
                let session = try await WikiSession.open(named.wiki, context: context, store: store, isBulk: true)
                let outcome = await newest(named.page, session)
                await session.keepPrivacy()
                try results.take(outcome, context)
                guard case .moved(let move) = outcome else {
                    histories.append(try await older(named.page, session))
                    continue
                }
                try results.take(await newest(move.to, session), context)
                histories.append(try await older(move.to, session))
            } catch {
                context.terminal.tell(error)
                results.errors.append((error, name, wiki))
                if error.reach != .page { break }
            }
        }
        let pages = results.pulled.union(histories.map(\.page))
        if let error = await Upkeep(context: context, store: store).run(sparing: pages) {
            results.errors.append((error, nil, nil))
        }
        if context.isJSON { context.terminal.write(try JSONOutput.text(HistoryOutput(results, histories))) }
        for entry in results.reports.flatMap(\.setAside) + histories.flatMap(\.setAside) {
            context.tell(entry)
        }
        return ExitCode(gravestOf: results.errors.map { ExitCode($0.error.kind) })
    }

    private func newest(_ page: PageName, _ session: WikiSession) async -> PullOutcome {
        let line = ProgressLine(context, pages: 1)
        defer { line.clear() }
        return await session.puller(now: context.now).run(page, progress: line.show)
    }

    private func older(_ page: PageName, _ session: WikiSession) async throws(TalkError) -> HistoryReport {
        let line = HistoryLine(context)
        let puller = HistoryPuller(api: session.api, store: store, wiki: session.wiki)
        do throws(TalkError) {
            let report = try await puller.pull(page, depth, progress: line.show)
            line.clear()
            if !context.isJSON { context.terminal.write(HistoryText.text(report, session.wiki)) }
            return report
        } catch {
            line.clear()
            let title = TerminalText.safe(session.wiki.localTitle(of: page))
            context.note("git-talk: \(title): what has come is kept, and the same command goes on from there")
            throw error
        }
    }
}

/// The line of progress of a back-fill: with count and rate on a terminal, one a batch elsewhere.
private struct HistoryLine: Sendable {
    let context: Context
    let began: Int64

    init(_ context: Context) {
        self.context = context
        began = context.surroundings.milliseconds()
    }

    @Sendable func show(_ step: HistoryProgress) {
        let isTerminal = context.terminal.isErrorInteractive
        switch step {
        case .listing:
            if isTerminal { renew("asking for the list of revisions…") }
        case .fetching(let id, let number, let count, let isMore):
            guard isTerminal else { return }
            let spent = context.surroundings.milliseconds() - began
            // Ten times the revisions that are done in a second.
            let rate = spent > 0 ? Int64(number - 1) * 10_000 / spent : 0
            let speed = number > 1 ? ", \(rate / 10).\(rate % 10) a second" : ""
            renew("fetching revision \(id) (\(number) of \(count)\(isMore ? " or more" : "")\(speed))…")
        case .stored(let count):
            if !isTerminal { context.note("\(TimeText.count(count, "older revision")) stored") }
        }
    }

    /// Takes the line away.
    func clear() { if context.terminal.isErrorInteractive { renew("") } }

    private func renew(_ text: String) { context.terminal.writeError("\r\u{1B}[K\(text)") }
}

/// A back-fill in words.
enum HistoryText {
    static func text(_ report: HistoryReport, _ wiki: Wiki) -> String {
        let title = TerminalText.safe(wiki.localTitle(of: report.page))
        var text = "\(title): \(TimeText.count(report.added, "older revision")), \(report.records.count) cached"
        if let oldest = report.records.first {
            text += report.isWhole ? ", all since" : ", back to"
            text += " \(oldest.id) of \(TimeText.minute(oldest.timestamp))"
        }
        text += "\n"
        for missing in report.missing {
            text += "  revision \(missing.revision) is left out: \(TerminalText.safe(missing.reason))\n"
        }
        for id in report.purged.subtracting(report.missing.map(\.revision)).sorted() {
            text += "  revision \(id) is left out: it was purged\n"
        }
        let gaps = report.gaps.count
        if gaps > 0 {
            text +=
                "  \(TimeText.count(gaps, "gap")) between them, marked “…” in: git talk log \(ShellWord.quoted(title))\n"
        }
        return text
    }
}

/// `git talk pull --history --json`, schema `Schema/cli/pull.schema.json`.
private struct HistoryOutput: Encodable {
    struct History: Encodable {
        struct Missing: Encodable {
            let reason: String
            let revision: Int64
        }

        let added: Int
        let cached: Int
        let gaps: [Int64]
        let missing: [Missing]
        let oldest: Int64?
        let page: String
        let whole: Bool
        let wiki: String

        init(_ report: HistoryReport) {
            added = report.added
            cached = report.records.count
            gaps = report.gaps.map(\.rawValue).sorted()
            missing = report.missing.map { Missing(reason: $0.reason, revision: $0.revision.rawValue) }
            oldest = report.records.first?.id.rawValue
            page = report.page.prefixedTitle
            whole = report.isWhole
            wiki = report.page.wiki
        }
    }

    let schema = 1
    let errors: [ErrorOutput]
    let history: [History]
    let moves: [PullOutput.Move]
    let pages: [PullOutput.Page]

    init(_ results: PullResults, _ histories: [HistoryReport]) {
        errors = results.errors.map { ErrorOutput($0.error, page: $0.page, wiki: $0.wiki) }
        history = histories.map(History.init)
        moves = results.moves.map(PullOutput.Move.init)
        pages = results.reports.map(PullOutput.Page.init)
    }
}
