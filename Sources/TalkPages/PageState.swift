/// What this machine knows of a page beside its revisions; kept in `.git/git-talk/state/<page>.json`.
public struct PageState: Codable, Hashable, Sendable {
    /// The page.
    public var page: PageName
    /// The title as the wiki writes it, local namespace included.
    public var displayTitle: String
    /// `pageid` as last seen.
    public var pageID: PageID?
    /// The newest revision that the wiki named.
    public var latest: RevisionID?
    /// Seconds since 1970 of the last check that the wiki answered.
    public var checked: Int64?
    /// Why the last check failed, when it did after `checked`.
    public var failure: String?
    /// Whether the wiki said that the page does not exist.
    public var isMissing: Bool
    /// Where the page went that was at this title, when nothing but a redirect took its place.
    public var movedTo: PageName?
    /// Language code of the page.
    public var language: String?
    /// Whether the page's language is written right to left.
    public var isRightToLeft: Bool
    /// Whether the user asked for the page by name, so that it is kept.
    public var isKept: Bool
    /// What of the newest cached revision comes from other pages; nil when nothing does.
    public var transcluded: TranscludedItems?
    /// What a back-fill brought of the page's history; nil when there was none.
    public var history: HistorySpan?
    /// Revisions that were cached and are damaged, for the next pull to bring again; nil when there are none.
    public var lost: [RevisionID]?

    /// The revision that the wiki called the newest of the page at this title; nil when it has none there.
    public var newest: RevisionID? { isMissing || movedTo != nil ? nil : latest }

    /// Makes the state of a page that was not checked yet.
    public init(page: PageName, displayTitle: String) {
        self.page = page
        self.displayTitle = displayTitle
        isMissing = false
        isRightToLeft = false
        isKept = false
    }
}
