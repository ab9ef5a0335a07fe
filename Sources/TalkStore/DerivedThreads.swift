public import TalkPages

/// What a parser found in a page: its topics and comments.
///
/// It can be deleted and is made again.
public struct DerivedThreads: Hashable, Sendable {
    /// The tree that was parsed, `PageStamp.tree`.
    public var treeID: String
    /// Version of the parser.
    public var parserVersion: Int
    /// Which locale data it had.
    public var localeHash: String
    /// The revision that was parsed, pending replies aside; nil when the page is not on the wiki yet.
    public var revision: RevisionID?
    /// When it was saved on the wiki, seconds since 1970.
    public var revisionTime: Int64?
    /// Who saved it; nil when the wiki hides the name.
    public var revisionUser: String?
    /// Headings and comments in page order.
    public var items: [ThreadItem]

    /// Makes the derived threads of a tree.
    public init(
        treeID: String, parserVersion: Int, localeHash: String, revision: RevisionID?, revisionTime: Int64? = nil,
        revisionUser: String? = nil, items: [ThreadItem]
    ) {
        self.treeID = treeID
        self.parserVersion = parserVersion
        self.localeHash = localeHash
        self.revision = revision
        self.revisionTime = revisionTime
        self.revisionUser = revisionUser
        self.items = items
    }

    /// Whether they still say what the page says and what this parser would find.
    public func isCurrent(for stamp: PageStamp, parserVersion: Int, localeHash: String) -> Bool {
        treeID == stamp.tree && self.parserVersion == parserVersion && self.localeHash == localeHash
    }
}
