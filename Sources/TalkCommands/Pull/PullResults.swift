internal import TalkPages
internal import TalkStore
internal import TalkSync

/// What pulls brought, and what went wrong with the others.
struct PullResults: Sendable {
    var reports: [PullReport] = []
    var errors: [(error: TalkError, page: String?, wiki: String?)] = []
    /// Kept pages that the wiki has no longer, as it had said before.
    var missing: [PageName] = []
    /// Pages that have another title now.
    var moves: [PageMove] = []
    /// What a recheck took out of the store.
    var purged: [RevisionPurge.Purge] = []
    var setAsideByPurge: [OutboxEntry] = []
    /// Pages of which it is not known what they are now; nothing is sent to them.
    var unknown: Set<PageName> = []
    /// The wiki's clock at the last check, seconds since 1970.
    var serverTime: Int64?

    /// The pages that came, which the same command does not drop.
    var pulled: Set<PageName> { Set(reports.map(\.page) + moves.flatMap { [$0.from, $0.to] }) }

    /// The replies that were set aside on the way.
    var setAside: [OutboxEntry] {
        reports.flatMap(\.setAside) + moves.filter(\.isGone).flatMap(\.setAside) + setAsideByPurge
    }

    /// Takes what became of a page and prints what is new; throws what went wrong.
    ///
    /// `isQuiet` leaves pages out that did not change.
    mutating func take(_ outcome: PullOutcome, isQuiet: Bool = false, _ context: Context) throws(TalkError) {
        switch outcome {
        case .pulled(let report):
            reports.append(report)
            if let move = report.move { moves.append(move) }
            if !context.isJSON {
                for line in PullText.news(report) { context.terminal.write(line + "\n") }
                if !isQuiet || !report.added.isEmpty || !report.regained.isEmpty {
                    context.terminal.write(PullText.line(report) + "\n")
                }
            }
            if let shortfall = report.changes?.shortfall { throw shortfall }
        case .moved(let move):
            moves.append(move)
            if !context.isJSON { context.terminal.write(PullText.line(move) + "\n") }
        case .missing(let error, _), .failed(let error): throw error
        }
    }
}

/// A pull in one line.
enum PullText {
    static func line(_ report: PullReport) -> String {
        let title = TerminalText.safe(report.title)
        let count = report.regained.count
        let again = count == 0 ? "" : "; \(TimeText.count(count, "damaged revision")) fetched again"
        guard !report.added.isEmpty else { return "\(title): unchanged, revision \(report.revision)\(again)" }
        var line = "\(title): \(TimeText.count(report.added.count, "new revision")), now \(report.revision)"
        if let changes = report.changes { line += "; \(counts(changes.discussion))" }
        if report.rebased > 0 {
            line += "; \(TimeText.count(report.rebased, "pending reply", "pending replies")) fitted to it"
        }
        return line + again
    }

    /// A page that went to another title.
    static func line(_ move: PageMove) -> String {
        let count = move.followed.count
        return "\(TerminalText.safe(move.from.prefixedTitle)) was moved to \(TerminalText.safe(move.title))"
            + (count == 0 ? "" : "; \(TimeText.count(count, "pending reply", "pending replies")) went there with it")
    }

    /// What happened to the page as a whole.
    static func news(_ report: PullReport) -> [String] {
        let title = TerminalText.safe(report.title)
        var lines: [String] = []
        if let move = report.move {
            lines.append(
                "\(title): another page has this title now; the one that was cached is at \(TerminalText.safe(move.title))"
            )
        }
        for event in report.events {
            switch event {
            case .restored: lines.append("\(title): it is on the wiki again")
            case .replaced:
                lines.append("\(title): the page that was cached was deleted, and another one has this title now")
            case .takenBack:
                lines.append(
                    "\(title): the wiki took later revisions back, and \(report.revision) is its newest now")
            case .redirect: break
            }
        }
        return lines
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
    struct Removal: Encodable {
        let destination: String?
        let heading: String
        let revision: Int64?
        let topic: String
        let user: String?

        init(_ topic: RemovedTopic) {
            destination = topic.destination?.prefixedTitle
            heading = topic.heading.text
            revision = topic.revision?.rawValue
            self.topic = topic.heading.id
            user = topic.user
        }
    }

    struct Page: Encodable {
        let added: [Int64]
        let commentsAdded: [String]
        let commentsChanged: [String]
        let commentsRemoved: [String]
        let events: [String]
        let first: Bool
        let page: String
        let rebased: Int
        let regained: [Int64]
        let removals: [Removal]
        let revision: Int64
        let setAside: [String]
        let title: String
        let topicsAdded: [String]
        let topicsChanged: [String]
        let topicsRemoved: [String]
        let wiki: String

        init(_ report: PullReport) {
            let changes = report.changes?.discussion
            added = report.added.map(\.rawValue)
            commentsAdded = changes?.commentsAdded.map(\.id) ?? []
            commentsChanged = changes?.commentsChanged.map(\.id) ?? []
            commentsRemoved = changes?.commentsRemoved.map(\.id) ?? []
            events = report.events.map(\.rawValue)
            first = report.isFirst
            page = report.page.prefixedTitle
            rebased = report.rebased
            regained = report.regained.map(\.rawValue)
            removals = report.changes?.topicsRemoved.map(Removal.init) ?? []
            revision = report.revision.rawValue
            setAside = report.setAside.map(\.reply.id)
            title = report.title
            topicsAdded = changes?.topicsAdded.map(\.id) ?? []
            topicsChanged = changes?.topicsChanged.map(\.id) ?? []
            topicsRemoved = changes?.topicsRemoved.map(\.id) ?? []
            wiki = report.page.wiki
        }
    }

    struct Missing: Encodable {
        let page: String
        let wiki: String
    }

    struct Move: Encodable {
        let from: String
        let gone: Bool
        let setAside: [String]
        let to: String
        let wiki: String

        init(_ move: PageMove) {
            from = move.from.prefixedTitle
            gone = move.isGone
            setAside = move.setAside.map(\.reply.id)
            to = move.to.prefixedTitle
            wiki = move.from.wiki
        }
    }

    struct Purge: Encodable {
        let page: String
        let parts: [String]
        let revision: Int64
        let wiki: String
    }

    let schema = 1
    let errors: [ErrorOutput]
    let missing: [Missing]
    let moves: [Move]
    let purged: [Purge]
    let pages: [Page]

    init(_ results: PullResults) {
        missing = results.missing.map { Missing(page: $0.prefixedTitle, wiki: $0.wiki) }
        errors = results.errors.map { ErrorOutput($0.error, page: $0.page, wiki: $0.wiki) }
        moves = results.moves.map(Move.init)
        purged = results.purged.map {
            Purge(
                page: $0.page.prefixedTitle, parts: $0.parts.words, revision: $0.revision.rawValue, wiki: $0.page.wiki)
        }
        pages = results.reports.map(Page.init)
    }
}
