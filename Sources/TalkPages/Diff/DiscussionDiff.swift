/// What happened to a discussion between two states of one page, comment by comment.
///
/// A pure function of two lists of thread items; docs/ARCHITECTURE.md tells how they are paired. Comments of two authors
/// are one comment only when their texts are identical. The comparison the other way round has the same changes, with
/// added and removed exchanged.
public struct DiscussionDiff: Hashable, Sendable {
    /// One way in which a heading or a comment differs.
    public enum Kind: String, Codable, CaseIterable, Sendable {
        /// It is new.
        case added
        /// It is gone.
        case removed
        /// A heading with another text.
        case renamed
        /// A comment with another text.
        case edited
        /// A comment with another author or time under it.
        case resigned
        /// A comment at another level or under another comment; a heading of another level.
        case indented
        /// A comment in another topic; a heading under another heading.
        case moved
        /// It stands elsewhere among its neighbours, which are the same.
        case reordered
    }

    /// A heading or a comment, and how it differs.
    public struct Change: Hashable, Sendable {
        /// How it differs, in the order of `Kind`; empty for a heading that only has changed comments below it.
        public let kinds: [Kind]
        /// As it was, an index of `oldItems`; nil when it was added.
        public let oldIndex: Int?
        /// As it is, an index of `newItems`; nil when it was removed.
        public let newIndex: Int?
        /// As it was.
        public let old: ThreadItem?
        /// As it is.
        public let new: ThreadItem?

        /// What changed in the text, word by word; nil unless it was renamed or edited.
        public var words: WordDiff? {
            guard let old, let new, kinds.contains(where: { $0 == .renamed || $0 == .edited }) else { return nil }
            return WordDiff(from: old.shownText, to: new.shownText)
        }
    }

    /// A heading with the changes directly under it.
    public struct Section: Hashable, Sendable {
        /// The heading, changed or not; nil for what stands before the first one.
        public let heading: Change?
        /// The changed comments up to the next heading in page order, those removed where they stood.
        public let comments: [Change]
    }

    /// The first state's items.
    public let oldItems: [ThreadItem]
    /// The second state's items.
    public let newItems: [ThreadItem]
    /// For each of `newItems` the index in `oldItems` of what it was; nil when it was added.
    public let oldIndices: [Int?]
    /// Every heading that changed or has changes directly under it, in page order.
    public let sections: [Section]

    /// Compares two lists of items of one page, each in document order.
    public init(from old: [ThreadItem], to new: [ThreadItem]) {
        oldItems = old
        newItems = new
        if old == new {
            oldIndices = Array(old.indices)
            sections = []
            return
        }
        let pairing = ItemPairing(old, new)
        oldIndices = pairing.oldOf
        sections = DiscussionComparison(pairing).sections()
    }

    /// Whether nothing happened that a reader of the discussion would see.
    public var isEmpty: Bool { sections.isEmpty }

    /// Every heading and comment that differs, in page order.
    public var changes: [Change] {
        sections.flatMap { section in (section.heading.map { [$0] } ?? []) + section.comments }
            .filter { !$0.kinds.isEmpty }
    }
}
