/// Finds out which of several things changed their places, so that as few as possible did.
enum StableOrder {
    /// One thing that is in both orders.
    struct Element {
        /// Its place in the old order.
        var old: Int
        /// Its place in the new order.
        var new: Int
        /// Of two that may have moved past each other, the lighter one did.
        var weight: Int
    }

    /// The elements that moved: all but a longest row of elements that have the same order in both.
    ///
    /// Places are unique on each side. Of several longest rows it takes a heaviest one.
    static func moved(_ elements: [Element]) -> [Element] {
        let sorted = elements.sorted { $0.old < $1.old }
        let rank = Dictionary(
            sorted.map(\.new).sorted().enumerated().map { ($1, $0 + 1) }, uniquingKeysWith: { first, _ in first })
        // A Fenwick tree: the best row that ends at a new place up to some number.
        var tree = [Row?](repeating: nil, count: sorted.count + 1)
        var previous = [Int?](repeating: nil, count: sorted.count)
        var best: Row?
        for (index, element) in sorted.enumerated() {
            let place = rank[element.new] ?? 1
            var before: Row?
            var node = place - 1
            while node > 0 {
                if let row = tree[node], row.isBetter(than: before) { before = row }
                node &= node - 1
            }
            previous[index] = before?.last
            let row = Row(
                length: (before?.length ?? 0) + 1, weight: (before?.weight ?? 0) + element.weight, last: index)
            if row.isBetter(than: best) { best = row }
            node = place
            while node < tree.count {
                if row.isBetter(than: tree[node]) { tree[node] = row }
                node += node & -node
            }
        }
        var stays: Set<Int> = []
        var last = best?.last
        while let index = last {
            stays.insert(index)
            last = previous[index]
        }
        return sorted.enumerated().filter { !stays.contains($0.offset) }.map(\.element)
    }

    private struct Row {
        var length: Int
        var weight: Int
        var last: Int

        func isBetter(than other: Row?) -> Bool {
            guard let other else { return true }
            return length == other.length ? weight > other.weight : length > other.length
        }
    }
}
