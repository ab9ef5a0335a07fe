public import TalkPages

/// What a wiki says of a revision; parts that it hides are nil even for an account that may see them.
public struct RevisionInfo: Hashable, Sendable {
    /// `revid`.
    public var id: RevisionID
    /// `parentid`; 0 when the page was created here.
    public var parent: RevisionID
    /// `pageid`.
    public var page: PageID
    /// Seconds since 1970, UTC.
    public var timestamp: Int64
    /// The user, nil when hidden.
    public var user: String?
    /// The edit summary, nil when hidden.
    public var summary: String?
    /// Whether the text is hidden.
    public var isTextHidden: Bool
    /// Whether the revision is hidden from administrators too.
    public var isSuppressed: Bool
    /// Whether the edit was marked minor.
    public var isMinor: Bool
    /// Bytes of the text.
    public var size: Int?
    /// SHA-1 of the text in 40 hexadecimal digits, nil when hidden.
    public var sha1: String?
    /// Change tags.
    public var tags: [String]
    /// The wikitext, when it was asked for and is not hidden.
    public var text: String?

    /// Whether the user's name is hidden.
    public var isUserHidden: Bool { user == nil }
    /// Whether the summary is hidden.
    public var isSummaryHidden: Bool { summary == nil }

    /// Makes a revision.
    public init(
        id: RevisionID, parent: RevisionID, page: PageID, timestamp: Int64, user: String?, summary: String?,
        isTextHidden: Bool = false, isSuppressed: Bool = false, isMinor: Bool = false, size: Int? = nil,
        sha1: String? = nil, tags: [String] = [], text: String? = nil
    ) {
        self.id = id
        self.parent = parent
        self.page = page
        self.timestamp = timestamp
        self.user = user
        self.summary = summary
        self.isTextHidden = isTextHidden
        self.isSuppressed = isSuppressed
        self.isMinor = isMinor
        self.size = size
        self.sha1 = sha1
        self.tags = tags
        self.text = text
    }

    /// Whether it came right after a cached one, as the next edit of the page does.
    func follows(_ record: RevisionRecord) -> Bool {
        parent == record.id && page == record.page && id > record.id && timestamp >= record.timestamp
    }

    /// What a store keeps of it.
    public func record(format: Int, render: Int = 0) -> RevisionRecord {
        RevisionRecord(
            id: id, parent: parent, page: page, timestamp: timestamp, user: user, summary: summary, isMinor: isMinor,
            format: format, render: render)
    }

    /// Reads an element of `revisions`; a flag that hides a part wins over a value that an administrator is given.
    init?(_ value: JSONValue, page: PageID) {
        guard let id = value["revid"]?.integer, let time = value["timestamp"]?.text.flatMap(APITimestamp.seconds)
        else { return nil }
        let main = value["slots"]?["main"]
        // Only who asks for the text is told that it is hidden, others that its digest is.
        let isTextHidden =
            main?.flag("texthidden") == true || value.flag("texthidden") || value.flag("sha1hidden")
        self.init(
            id: RevisionID(rawValue: id), parent: RevisionID(rawValue: value["parentid"]?.integer ?? 0), page: page,
            timestamp: time, user: value.flag("userhidden") ? nil : value["user"]?.text,
            summary: value.flag("commenthidden") ? nil : value["comment"]?.text, isTextHidden: isTextHidden,
            isSuppressed: value.flag("suppressed"), isMinor: value.flag("minor"),
            size: value["size"]?.integer.map(Int.init), sha1: value.flag("sha1hidden") ? nil : value["sha1"]?.text,
            tags: value["tags"]?.elements?.compactMap(\.text) ?? [], text: isTextHidden ? nil : main?["content"]?.text)
    }
}
