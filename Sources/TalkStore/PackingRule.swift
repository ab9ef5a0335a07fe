/// What a store's objects take on disk.
public struct PackingState: Hashable, Sendable {
    /// Number of packs.
    public var packs = 0
    /// Number of objects in files of their own.
    public var loose = 0
    /// Bytes of packs and loose objects.
    public var bytes = 0
    /// Bytes that nothing refers to any more, as far as known.
    public var garbage = 0

    /// Whether something was purged that is still there.
    var hasPurged: Bool { garbage >= PackingRule.purged }
}

/// When a store is packed, and how thoroughly: a function of what it holds.
enum PackingRule: Hashable, Sendable {
    /// It is well as it is.
    case nothing
    /// Several packs become one; nothing is dropped.
    case consolidate
    /// All of it becomes one pack, without what nothing refers to.
    case collect

    /// More packs make every write slower.
    static let packLimit = 32
    /// None is ours: a git command of the user made them.
    static let looseLimit = 2000
    /// Bytes of a commit in a pack, its part of the index included.
    static let commitSize = 200
    /// Less is not worth the time.
    static let leastGarbage = 8 << 20

    /// So much counts what was purged: it is to go for good, even when whoever purged it is stopped before that.
    static let purged = 1 << 40

    init(_ state: PackingState) {
        if state.garbage > max(Self.leastGarbage, state.bytes / 4) {
            self = .collect
        } else {
            self = state.packs > Self.packLimit || state.loose > Self.looseLimit ? .consolidate : .nothing
        }
    }
}
