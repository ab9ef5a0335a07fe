/// Which stretch of a page's history was brought: where a back-fill goes on.
///
/// In the wiki's order (time, then id) every revision from `newest` back to `oldest` is cached or cannot be had.
public struct HistorySpan: Codable, Hashable, Sendable {
    /// The first revision of the stretch, a cached one.
    public var newest: RevisionID
    /// The last one, a cached one too.
    public var oldest: RevisionID
    /// How many revisions the wiki has in it, those included that cannot be had.
    public var count: Int
    /// Whether the wiki has no cached or obtainable revision before it.
    public var isWhole: Bool

    /// Makes a stretch.
    public init(newest: RevisionID, oldest: RevisionID, count: Int, isWhole: Bool) {
        self.newest = newest
        self.oldest = oldest
        self.count = count
        self.isWhole = isWhole
    }
}

/// Where revisions are missing among those that are cached.
public enum HistoryGaps {
    /// The revisions whose parent on the wiki is not among them: a gap is right before each of these.
    ///
    /// The order of time does not matter: an imported revision may stand anywhere between its parent and its child.
    public static func before(_ records: some Collection<RevisionRecord>) -> Set<RevisionID> {
        let known = Set(records.map(\.id))
        return Set(records.filter { $0.parent.rawValue > 0 && !known.contains($0.parent) }.map(\.id))
    }
}
