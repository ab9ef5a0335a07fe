internal import TalkPages

/// `git talk diff --json`, schema `Schema/cli/diff.schema.json`.
struct DiffOutput: Encodable {
    /// A revision, or the page with its pending replies when `revision` is left out.
    struct Side: Encodable {
        let pending: [String]
        let revision: Int64?
        let timestamp: String?
        let user: String?

        init(_ side: DiffSide) {
            pending = side.pending
            revision = side.record?.id.rawValue
            timestamp = side.record.map { TimeText.iso($0.timestamp) }
            user = side.record?.user
        }
    }

    /// A heading or comment on one side.
    struct Item: Encodable {
        let author: String?
        let code: String
        let file: String?
        let headingLevel: Int?
        let id: String
        let kind: String
        let level: Int
        let name: String
        let parent: String?
        let pending: String?
        let text: String
        let timestamp: String?
        let topic: String?
    }

    /// How a heading or comment differs; a side that lacks it is left out.
    struct Change: Encodable {
        struct Run: Encodable {
            let kind: String
            let text: String
        }

        let changes: [String]
        let new: Item?
        let old: Item?
        let words: [Run]?
    }

    struct Section: Encodable {
        let comments: [Change]
        let heading: Change?
    }

    struct File: Encodable {
        let file: String
        let markupOnly: Bool
        let oldFile: String
    }

    struct Counts: Encodable {
        let added: Int
        let changed: Int
        let removed: Int
    }

    let schema = 1
    let behind: Bool
    let comments: Counts
    let new: Side
    let old: Side
    let page: String
    let renderOnly: [File]
    let sections: [Section]
    let topics: Counts
    let wiki: String

    init(_ report: DiffReport) {
        let diff = report.discussion
        behind = report.isBehind
        comments = Counts(
            added: diff.commentsAdded.count, changed: diff.commentsChanged.count, removed: diff.commentsRemoved.count)
        topics = Counts(
            added: diff.topicsAdded.count, changed: diff.topicsChanged.count, removed: diff.topicsRemoved.count)
        old = Side(report.old)
        new = Side(report.new)
        page = report.named.page.prefixedTitle
        wiki = report.named.wiki.key
        renderOnly = report.renderOnly.map { File(file: $0.file, markupOnly: $0.isMarkupOnly, oldFile: $0.oldFile) }
        sections = report.sections.map { section in
            Section(
                comments: section.comments.map { Self.change($0, report) },
                heading: section.heading.map { Self.change($0, report) })
        }
    }

    private static func change(_ change: DiscussionDiff.Change, _ report: DiffReport) -> Change {
        Change(
            changes: change.kinds.map(\.rawValue),
            new: change.newIndex.map { item($0, report.discussion.newItems, report.newCodes) },
            old: change.oldIndex.map { item($0, report.discussion.oldItems, report.oldCodes) },
            words: change.words?.runs.map { Change.Run(kind: $0.kind.rawValue, text: $0.text) })
    }

    private static func item(_ index: Int, _ items: [ThreadItem], _ codes: [String]) -> Item {
        let item = items[index]
        var topic: Int? = index
        while let current = topic, !items[current].isTopic { topic = items[current].parent }
        return Item(
            author: item.knownAuthor, code: codes[index], file: item.file, headingLevel: item.headingLevel, id: item.id,
            kind: item.kind.rawValue, level: item.level, name: item.name, parent: item.parent.map { items[$0].id },
            pending: item.pending, text: item.shownText, timestamp: item.timestamp.map(TimeText.iso),
            topic: topic.map { items[$0].id })
    }
}
