internal import TalkPages

/// The way back through a page's history: what was dealt with so far, and where a stretch that was brought before lets
/// it jump.
struct HistoryWalk {
    /// A stretch that was brought before; nil when there is none, or the store no longer has it.
    let known: HistorySpan?
    /// Revisions of the page that were dealt with, from the newest on.
    private(set) var count = 0
    /// Whether the page's first revision was dealt with.
    private(set) var isWhole = false
    private(set) var hasJoined = false
    private var newest: RevisionID?
    private var oldest: (id: RevisionID, count: Int)?

    init(known: HistorySpan?) { self.known = known }

    /// Notes a revision that is dealt with; `isCached` says whether the store has it or is about to get it.
    mutating func pass(_ id: RevisionID, isCached: Bool) {
        count += 1
        guard isCached else { return }
        newest = newest ?? id
        oldest = (id, count)
    }

    /// At the beginning of the known stretch: takes all of it at once and gives its end, where the list goes on.
    mutating func join(at id: RevisionID) -> RevisionID? {
        guard !hasJoined, let known, known.newest == id else { return nil }
        hasJoined = true
        count += known.count
        newest = newest ?? known.newest
        oldest = (known.oldest, count)
        isWhole = known.isWhole
        return known.oldest
    }

    /// Notes that the list has ended.
    mutating func end() { isWhole = true }

    /// What to remember: the stretch of this walk, unless the known one, which it did not reach, is longer.
    var span: HistorySpan? {
        guard let newest, let oldest else { return known }
        if !hasJoined, let known, known.count > count { return known }
        return HistorySpan(
            newest: newest, oldest: oldest.id, count: isWhole ? count : oldest.count, isWhole: isWhole)
    }
}
