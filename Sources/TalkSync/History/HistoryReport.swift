public import TalkPages

/// What a back-fill did to a page.
public struct HistoryReport: Hashable, Sendable {
    /// A revision that the wiki lists and the store has not got.
    public struct Missing: Hashable, Sendable {
        /// The revision.
        public var revision: RevisionID
        /// Why, in words for the user.
        public var reason: String

        /// Makes one.
        public init(revision: RevisionID, reason: String) {
            self.revision = revision
            self.reason = reason
        }
    }

    /// The page.
    public var page: PageName
    /// How many revisions the store did not have before.
    public var added: Int
    /// Revisions that cannot be had: hidden by administrators, or such that the store cannot take them.
    public var missing: [Missing]
    /// Revisions right before cached ones that the wiki hid or deleted later, so that they were purged.
    public var purged: Set<RevisionID>
    /// The page's revisions in the store, oldest first.
    public var records: [RevisionRecord]
    /// Whether the page's first revision is reached.
    public var isWhole: Bool
    /// Replies that were set aside since what they answer is gone.
    public var setAside: [OutboxEntry]

    /// The places between cached revisions where others are missing that can be had, each named by the revision after it.
    public var gaps: Set<RevisionID> {
        var gaps = HistoryGaps.before(records)
        for record in records where purged.contains(record.parent) { gaps.remove(record.id) }
        // Before the oldest one is no gap but what was not asked for.
        if let oldest = records.first { gaps.remove(oldest.id) }
        return gaps
    }
}

/// A step of a back-fill, for a line of progress.
public enum HistoryProgress: Hashable, Sendable {
    /// The wiki is asked for a part of the list of revisions.
    case listing
    /// Revision `number` of `count` is fetched; of more than `count` when `isMore`.
    case fetching(RevisionID, number: Int, count: Int, isMore: Bool)
    /// So many revisions are in the store now that were not before.
    case stored(Int)
}
