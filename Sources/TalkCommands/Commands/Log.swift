internal import TalkPages
internal import TalkStore

extension Verb {
    static let log = Verb(
        "log", .read, "Show the cached revisions of a page, newest first", synopsis: "[-n <number>] [--all] <page>",
        details: """
            Works without network. A line has revision, time, user, "m" for a minor edit, how many comments came (+) and
            went (-), and the summary. A line "…" stands where the wiki has revisions that are not cached; git talk pull
            --history brings older ones. One that was purged is named. With git:
            git -C <store> log --stat <wiki>/<Namespace>/<title>

            When several pages had the title one after another, the one that the wiki has there now is shown, or, where it
            has none, the last one; --all shows all revisions that were seen at the title.
            """,
        options: [
            Option("number", letter: "n", value: "<number>", "the newest ones only"),
            Option("all", "show the revisions of all pages that had the title"),
        ],
        examples: ["git talk log User_talk:Example"]
    ) { arguments, context in
        try arguments.expect(1...1, "page")
        let store = try context.store()
        let named = try context.page(arguments.positional[0], store.reader)
        let all = try await store.records(of: named.page)
        guard !all.isEmpty else {
            throw TalkError(
                .notFound, "\(named.page) is not cached",
                hint: "git talk pull \(ShellWord.quoted(named.wiki.url(of: named.page)))")
        }
        store.visit(named.page, at: context.now)
        let state = try store.state(of: named.page)
        let stored = arguments.has("all") ? all : PageHistory.ofOnePage(all, state)
        PageHistory.tell(all.count - stored.count, state, named.page, context)
        let lines = try await LogLine.lines(stored, count: try number(arguments) ?? stored.count, named, store)
        if context.isJSON {
            let output = LogOutput(
                page: named.page.prefixedTitle, revisions: lines.map(LogOutput.Revision.init), wiki: named.wiki.key)
            context.terminal.write(try JSONOutput.text(output))
        } else {
            context.show(lines.map { $0.text(context.style) }.joined())
        }
        return .done
    }

    private static func number(_ arguments: Arguments) throws -> Int? {
        guard let text = arguments["number"] else { return nil }
        guard let number = Int(text), number > 0 else { throw UsageError("'-n \(text)' is no number of revisions") }
        return number
    }
}

/// A revision with what `log` tells of it.
private struct LogLine {
    let stored: StoredRevision
    /// Against the cached revision before it; nil without one, or where the trees cannot be read.
    let comments: CommentChange?
    /// Whether the wiki has revisions right before it that are not cached.
    let isAfterGap: Bool
    /// Whether the one right before it was purged.
    let isAfterPurged: Bool

    /// The newest `count` revisions, newest first.
    static func lines(
        _ stored: [StoredRevision], count: Int, _ named: NamedPage, _ store: Store
    ) async throws(TalkError) -> [LogLine] {
        let gaps = HistoryGaps.before(stored.map(\.record))
        let purged = try await store.purged(of: named.page).filter(\.value.isWhole)
        let shown = stored.suffix(count)
        // The one before the oldest that is shown is what that is compared with.
        let compared = Array(stored.suffix(min(shown.count + 1, stored.count)))
        var changes: [CommentChange?]
        do throws(TalkError) {
            changes = try await PageThreads(store: store, wiki: named.wiki).commentChanges(
                of: named.page, in: compared)
        } catch {
            // The list is worth more than the numbers.
            changes = []
        }
        changes = Array(repeating: nil, count: max(0, shown.count - changes.count)) + changes.suffix(shown.count)
        return zip(shown, changes).reversed().map { revision, change in
            LogLine(
                stored: revision, comments: change, isAfterGap: gaps.contains(revision.record.id),
                isAfterPurged: purged[revision.record.parent] != nil)
        }
    }

    func text(_ style: Style) -> String {
        let record = stored.record
        let user = record.user.map(style.page) ?? "(user hidden)"
        let summary = record.summary.map { $0.isEmpty ? "(no summary)" : style.page($0) } ?? "(summary hidden)"
        var words = [style.yellow(record.id.description), TimeText.minute(record.timestamp), style.bold(user)]
        if record.isMinor { words.append("m") }
        if let comments {
            let numbers = [
                comments.added > 0 ? style.green("+\(comments.added)") : nil,
                comments.removed > 0 ? style.red("-\(comments.removed)") : nil,
            ]
            if comments.added + comments.removed > 0 { words.append(numbers.compactMap { $0 }.joined(separator: " ")) }
        }
        words.append(summary)
        let gap = isAfterPurged ? "(revision \(record.parent) was purged)" : "…"
        return words.joined(separator: "  ") + "\n" + (isAfterGap ? style.dim(gap) + "\n" : "")
    }
}

/// Which of the revisions at a title belong to one page.
enum PageHistory {
    /// The revisions of the page that the wiki has at the title now, or else of the last one cached.
    static func ofOnePage(_ revisions: [StoredRevision], _ state: PageState?) -> [StoredRevision] {
        let newest = revisions.last { $0.record.id == state?.latest } ?? revisions.last
        return revisions.filter { $0.record.page == newest?.record.page }
    }

    /// Says what is left out, and where the page went.
    static func tell(_ others: Int, _ state: PageState?, _ page: PageName, _ context: Context) {
        if let target = state?.movedTo {
            context.note(
                "git-talk: \(page) was moved to \(target)\nhint: git talk log \(ShellWord.quoted(target.prefixedTitle))"
            )
        }
        if others > 0 {
            let count = TimeText.count(others, "revision")
            context.note(
                "git-talk: \(count) of other pages that had this title left out\nhint: git talk log --all \(ShellWord.quoted(page.prefixedTitle))"
            )
        }
    }
}

/// `git talk log --json`, schema `Schema/cli/log.schema.json`.
private struct LogOutput: Encodable {
    struct Revision: Encodable {
        let afterGap: Bool
        let commentsAdded: Int?
        let commentsRemoved: Int?
        let commit: String
        let minor: Bool
        let pageID: Int64
        let parent: Int64
        let revision: Int64
        let summary: String?
        let timestamp: String
        let user: String?

        init(_ line: LogLine) {
            let stored = line.stored
            afterGap = line.isAfterGap
            commentsAdded = line.comments?.added
            commentsRemoved = line.comments?.removed
            commit = stored.commit
            minor = stored.record.isMinor
            pageID = stored.record.page.rawValue
            parent = stored.record.parent.rawValue
            revision = stored.record.id.rawValue
            summary = stored.record.summary
            timestamp = TimeText.iso(stored.record.timestamp)
            user = stored.record.user
        }
    }

    let schema = 1
    let page: String
    let revisions: [Revision]
    let wiki: String
}
