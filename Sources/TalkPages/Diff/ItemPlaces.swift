extension ThreadItem {
    /// Whether the item opens a topic: a heading of level 1 or 2, or a deeper one that stands under no other.
    public var isTopic: Bool {
        guard kind == .heading, let headingLevel else { return false }
        return parent == nil || headingLevel <= 2
    }
}

/// Where each item of a page stands: under which heading, and in which topic.
struct ItemPlaces {
    /// The parent of the item; nil for one that does not stand before it, which no page has.
    private(set) var parent: [Int?]
    /// The heading under which the item stands, itself for a heading; nil before the first one.
    private(set) var heading: [Int?]
    /// The topic in which the item stands, itself for a topic's heading; nil before the first one.
    private(set) var topic: [Int?]

    init(_ items: [ThreadItem]) {
        parent = []
        heading = []
        topic = []
        for (index, item) in items.enumerated() {
            let above = item.parent.flatMap { 0 <= $0 && $0 < index ? $0 : nil }
            parent.append(above)
            let isHeading = item.kind == .heading && item.headingLevel != nil
            heading.append(isHeading ? index : above.flatMap { heading[$0] })
            topic.append(item.isTopic ? index : above.flatMap { topic[$0] })
        }
    }

    /// The headings above the item, the nearest first.
    func headings(above index: Int) -> [Int] {
        var result: [Int] = []
        var next = heading[index]
        while let current = next {
            result.append(current)
            next = parent[current].flatMap { heading[$0] }
        }
        return result
    }
}
