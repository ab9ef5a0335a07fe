public import TalkPages

/// A reference of a remote that is not what it should be.
public struct RemoteChange: Hashable, Sendable {
    /// The full name there, `refs/heads/…`.
    public let reference: String
    /// The commit that it names, 40 hexadecimal digits; nil when it is not there.
    public let old: String?
    /// The commit that it should name; nil when it should not be there.
    public let new: String?
}

/// What was taken from a remote, and what the remote lacks.
public struct ExchangeTake: Hashable, Sendable {
    /// A page that changed here.
    public struct Page: Hashable, Sendable {
        /// The page.
        public let page: PageName
        /// The revisions that are new here, or took the place of another rendering, oldest first.
        public let written: [RevisionID]
        /// What others have purged of it, and was here.
        public let purged: [RevisionID: PurgedParts]
        /// Whether the store did not have the page.
        public let isNew: Bool
        /// Whether nothing is left of it.
        public let isGone: Bool

        /// Makes a value.
        public init(
            page: PageName, written: [RevisionID], purged: [RevisionID: PurgedParts], isNew: Bool, isGone: Bool
        ) {
            self.page = page
            self.written = written
            self.purged = purged
            self.isNew = isNew
            self.isGone = isGone
        }
    }

    /// Something of the remote's that was not taken.
    public struct Refusal: Hashable, Sendable {
        /// The name of the branch or of the shared record.
        public let name: String
        /// Why, in words.
        public let reason: String
    }

    /// The pages that changed here.
    public var pages: [Page] = []
    /// What was not taken.
    public var refused: [Refusal] = []
    /// What the remote lacks.
    public var changes: [RemoteChange] = []
    /// The pages that came on or off the list of bookmarks.
    public var bookmarks = 0
    /// Whether a page that was dropped here is wanted again, since somebody bookmarked it: it is to be fetched.
    public var wantsMore = false
    /// Whether the remote's branch `main` is another one than every store has.
    public var hasOtherMain = false
    /// Pages of which the remote, or a copy of it here, has what was purged.
    public var stained: [PageName] = []
    /// The wikis of the pages that this store has, sorted.
    public var wikis: [String] = []
}
