public import TalkHTML

/// The discussion of a page: its headings and comments, and where in the document each one stands.
public struct ThreadTree: Sendable {
    /// Where an item stands in the document that was parsed.
    public struct Place: Hashable, Sendable {
        /// The heading, or the first text or image of a comment; the root for the placeholder heading.
        public var start: HTMLDocument.NodeID
        /// The heading, or the last node of the paragraph with which a comment ends.
        public var end: HTMLDocument.NodeID
        /// First and last node of the comment's signatures, the date included, in page order.
        public var signatures: [Siblings]

        /// Some nodes in a row.
        public struct Siblings: Hashable, Sendable {
            /// The first one.
            public var first: HTMLDocument.NodeID
            /// The last one; it may be the first one too.
            public var last: HTMLDocument.NodeID
        }
    }

    /// Headings and comments in page order.
    public var items: [ThreadItem]
    /// The place of the item with the same index.
    public var places: [Place]

    /// Index of the item with the id.
    public func index(ofID id: String) -> Int? { items.firstIndex { $0.id == id } }

    /// Indices of the items with the name; several when somebody signed twice in a minute.
    public func indices(ofName name: String) -> [Int] { items.indices.filter { items[$0].name == name } }

    /// Index of the heading that the item stands under; itself for a heading.
    public func heading(of index: Int) -> Int? {
        var current: Int? = index
        while let item = current, items[item].kind == .comment { current = items[item].parent }
        return current
    }
}
