internal import TalkGit
internal import TalkPages

/// A revision as a commit without its parent: what a branch is a set of.
struct RevisionCommit: Hashable {
    let record: RevisionRecord
    let tree: ObjectID
    /// The commit's bytes without the line `parent`.
    ///
    /// They are kept as they were found, so that what a newer program wrote there is not lost when an older one sorts a
    /// revision in before it.
    let parentless: [UInt8]

    static let noSummary = "(no summary)"
    static let hiddenSummary = "(summary hidden)"
    static let hiddenUser = "(hidden)"

    /// What a branch is sorted by; it never changes for a revision.
    struct Position: Comparable, Hashable {
        let timestamp: Int64
        let id: RevisionID

        init(timestamp: Int64, id: RevisionID) {
            self.timestamp = timestamp
            self.id = id
        }

        init(_ record: RevisionRecord) { self.init(timestamp: record.timestamp, id: record.id) }

        static func < (a: Position, b: Position) -> Bool { (a.timestamp, a.id) < (b.timestamp, b.id) }
    }

    var position: Position { Position(timestamp: record.timestamp, id: record.id) }

    /// The bytes of the commit object.
    func bytes(parent: ObjectID?) -> [UInt8] {
        guard let parent else { return parentless }
        // After the first line, `tree` and 40 digits.
        return parentless[..<46] + Array("parent \(parent)\n".utf8) + parentless[46...]
    }

    /// The commit's name without its parent: the last word on which of two renderings stays.
    func digest() throws(GitError) -> ObjectID { try ObjectID(of: .commit, parentless) }

    /// Makes the commit of a record on the wiki with this key.
    init(_ record: RevisionRecord, tree: ObjectID, wiki: String) {
        let author = CommitText.Signature(
            name: record.user ?? Self.hiddenUser, mail: "\(record.user ?? "hidden")@\(wiki)",
            timestamp: record.timestamp)
        var subject = Self.hiddenSummary
        if let summary = record.summary { subject = summary.isEmpty ? Self.noSummary : summary }
        var trailers = [
            "Wiki-Revision: \(record.id)", "Wiki-Parent: \(record.parent)", "Wiki-Page-Id: \(record.page)",
        ]
        if record.isMinor { trailers.append("Wiki-Minor: true") }
        trailers.append("Wiki-Format: \(record.format)")
        if record.render > 0 { trailers.append("Wiki-Render: \(record.render)") }
        let text = CommitText(
            tree: tree, parents: [], author: author, committer: CommitText.committer(at: record.timestamp),
            subject: subject, trailers: trailers)
        self.init(record: record, tree: tree, parentless: text.bytes)
    }
}

extension RevisionCommit {
    private init(record: RevisionRecord, tree: ObjectID, parentless: [UInt8]) {
        self.record = record
        self.tree = tree
        self.parentless = parentless
    }

    /// Reads a commit and the one before it; nil when it is no revision's.
    ///
    /// One that a git command wrote anew is none: it has another committer, or a name without the dot at its end, and would
    /// stand in the way of the right one here and elsewhere.
    static func parse(_ bytes: [UInt8], wiki: String) -> (commit: RevisionCommit, parent: ObjectID?)? {
        guard let text = CommitText(parsing: bytes), text.parents.count <= 1,
            let id = text.number("Wiki-Revision"), id > 0, let parent = text.number("Wiki-Parent"),
            let page = text.number("Wiki-Page-Id"), let format = text.number("Wiki-Format").flatMap(Int.init(exactly:))
        else { return nil }
        let isHidden = text.author.name == hiddenUser && text.author.mail == "hidden@\(wiki)"
        guard isHidden || text.author.mail == "\(text.author.name)@\(wiki)",
            text.committer == CommitText.committer(at: text.author.timestamp)
        else { return nil }
        var summary: String? = text.subject == noSummary ? "" : text.subject
        if summary == hiddenSummary { summary = nil }
        let record = RevisionRecord(
            id: RevisionID(rawValue: id), parent: RevisionID(rawValue: parent), page: PageID(rawValue: page),
            timestamp: text.author.timestamp, user: isHidden ? nil : text.author.name, summary: summary,
            isMinor: text.trailer("Wiki-Minor") == "true", format: format,
            render: text.number("Wiki-Render").flatMap(Int.init(exactly:)) ?? 0)
        let before = text.parents.first
        // The line `parent` and 40 digits stands after the first line.
        let parentless = before == nil ? bytes : Array(bytes[..<46] + bytes[94...])
        return (RevisionCommit(record: record, tree: text.tree, parentless: parentless), before)
    }
}

extension CommitText {
    fileprivate func number(_ key: String) -> Int64? { trailer(key).flatMap(Self.number) }
}
