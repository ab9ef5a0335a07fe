extension ItemPairing {
    /// Whether the items have the same parent, or none.
    func hasSameParent(_ oldIndex: Int, _ newIndex: Int) -> Bool {
        guard let parent = oldPlaces.parent[oldIndex] else { return newPlaces.parent[newIndex] == nil }
        return newOf[parent] != nil && newOf[parent] == newPlaces.parent[newIndex]
    }

    /// Whether the comments answer the same comment, or none.
    ///
    /// A heading that was put between comments of a topic changes their parent and nothing that a reader would see.
    func answersTheSame(_ oldIndex: Int, _ newIndex: Int) -> Bool {
        if hasSameParent(oldIndex, newIndex) { return true }
        func answersComment(_ parent: Int?, _ items: [ThreadItem]) -> Bool {
            parent.map { items[$0].kind == .comment } ?? false
        }
        return !answersComment(oldPlaces.parent[oldIndex], old) && !answersComment(newPlaces.parent[newIndex], new)
    }
}

extension DiscussionComparison {
    private struct Parents: Hashable {
        var old: Int?
        var new: Int?
        var kind: ThreadItem.Kind
    }

    /// The items with the same parent that stand in another order; new indices.
    static func reordered(_ pairing: ItemPairing) -> Set<Int> {
        // Of two topics that changed places, the one with fewer comments moved.
        var weights = Array(repeating: 1, count: pairing.new.count)
        for (items, places, isOld) in [(pairing.old, pairing.oldPlaces, true), (pairing.new, pairing.newPlaces, false)]
        {
            for (index, item) in items.enumerated() where item.kind == .comment {
                for heading in places.headings(above: index) {
                    if let new = isOld ? pairing.newOf[heading] : heading { weights[new] += 1 }
                }
            }
        }
        var siblings: [Parents: [StableOrder.Element]] = [:]
        for (oldIndex, newIndex) in pairing.newOf.enumerated() {
            guard let newIndex, pairing.hasSameParent(oldIndex, newIndex) else { continue }
            let parents = Parents(
                old: pairing.oldPlaces.parent[oldIndex], new: pairing.newPlaces.parent[newIndex],
                kind: pairing.old[oldIndex].kind)
            siblings[parents, default: []].append(
                StableOrder.Element(old: oldIndex, new: newIndex, weight: weights[newIndex]))
        }
        return Set(siblings.values.flatMap(StableOrder.moved).map(\.new))
    }
}
