/// What a wiki said of one revision and what never changes there; a store keeps it as a commit.
///
/// `store-format`: tags, title, language and anchors are not in it, since they change or are derived.
public struct RevisionRecord: Codable, Hashable, Sendable {
    /// `revid`.
    public var id: RevisionID
    /// `parentid`; 0 when the page was created here.
    public var parent: RevisionID
    /// `pageid`.
    public var page: PageID
    /// Seconds since 1970, UTC.
    public var timestamp: Int64
    /// The user, or nil when the wiki hid the name.
    public var user: String?
    /// The edit summary, or nil when the wiki hid it; empty when there is none.
    public var summary: String?
    /// Whether the edit was marked minor.
    public var isMinor: Bool
    /// Version of the canonical form of the tree, `CanonicalPage.formatVersion` when new.
    public var format: Int
    /// 0 for the first rendering; counts up when the same revision is rendered again on request.
    public var render: Int

    /// Makes a record.
    public init(
        id: RevisionID, parent: RevisionID, page: PageID, timestamp: Int64, user: String?, summary: String?,
        isMinor: Bool, format: Int, render: Int = 0
    ) {
        self.id = id
        self.parent = parent
        self.page = page
        self.timestamp = timestamp
        self.user = user
        self.summary = summary
        self.isMinor = isMinor
        self.format = format
        self.render = render
    }
}

/// One section of a page in canonical form: a heading and what follows up to the next heading of any level.
public struct PageSection: Hashable, Sendable {
    /// Path below the page's directory, `sections/First_topic.html`.
    public var file: String
    /// The heading's text.
    public var heading: String
    /// 1 to 6.
    public var level: Int
    /// Canonical HTML, the heading first, ending in a newline.
    public var html: String

    /// Makes a section.
    public init(file: String, heading: String, level: Int, html: String) {
        self.file = file
        self.heading = heading
        self.level = level
        self.html = html
    }
}

/// A page in canonical form, as the files of its tree.
public struct PageContent: Hashable, Sendable {
    /// What stands before the first heading; empty when nothing does.
    public var lede: String
    /// The sections in page order.
    public var sections: [PageSection]

    /// Makes a page.
    public init(lede: String, sections: [PageSection]) {
        self.lede = lede
        self.sections = sections
    }
}
