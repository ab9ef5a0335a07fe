/// Parts of a revision that the wiki hid after they were cached, and that no store may have any more.
public struct PurgedParts: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// Makes a set from bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The text of the page in that revision.
    public static let text = PurgedParts(rawValue: 1)
    /// Who made it.
    public static let user = PurgedParts(rawValue: 2)
    /// The edit summary.
    public static let summary = PurgedParts(rawValue: 4)
    /// All of it: the wiki no longer has the revision.
    public static let revision = PurgedParts(rawValue: 8)

    /// Whether nothing is left of the revision: without its text it is in no branch.
    public var isWhole: Bool { !isDisjoint(with: [.text, .revision]) }

    private static let names: [(PurgedParts, String)] = [
        (.text, "text"), (.user, "user"), (.summary, "summary"), (.revision, "revision"),
    ]

    /// The parts by name, as the store has them.
    public var words: [String] { Self.names.filter { contains($0.0) }.map(\.1) }

    init(words: [Substring]) {
        self = PurgedParts(Self.names.filter { name in words.contains { $0 == name.1 } }.map(\.0))
    }
}
