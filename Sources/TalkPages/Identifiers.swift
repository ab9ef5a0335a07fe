/// The number MediaWiki gives one revision of one page (`revid`).
public struct RevisionID: RawRepresentable, Hashable, Comparable, Codable, Sendable, CustomStringConvertible {
    /// The number, above 0 for a revision that exists; 0 as a parent means "the page was created here".
    public let rawValue: Int64
    /// Wraps a `revid`.
    public init(rawValue: Int64) { self.rawValue = rawValue }
    /// Orders by number, which is not always the order in time.
    public static func < (a: RevisionID, b: RevisionID) -> Bool { a.rawValue < b.rawValue }
    /// The number in digits.
    public var description: String { String(rawValue) }
}

/// The number MediaWiki gives a page (`pageid`); it survives a move.
public struct PageID: RawRepresentable, Hashable, Codable, Sendable, CustomStringConvertible {
    /// The number, above 0.
    public let rawValue: Int64
    /// Wraps a `pageid`.
    public init(rawValue: Int64) { self.rawValue = rawValue }
    /// The number in digits.
    public var description: String { String(rawValue) }
}
