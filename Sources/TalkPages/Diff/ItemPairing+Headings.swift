extension ItemPairing {
    /// The same heading by its id, or by its text and its oldest comment.
    mutating func pairHeadingsByIdentity() {
        // What stands for the heading that the page's beginning lacks.
        pairInOrder(groups(.heading) { $0.headingLevel == nil ? 0 : nil })
        pairInOrder(groups(.heading) { $0.headingLevel == nil ? nil : $0.id })
        pairInOrder(groups(.heading) { Self.hasName($0) ? ItemSign(first: $0.name, second: $0.text) : nil })
    }

    /// The same heading by its text, when the comments below do not speak against it; then by its oldest comment.
    mutating func pairHeadingsByText() {
        let shared = SharedComments(self)
        pairBest(groups(.heading) { $0.headingLevel == nil ? nil : $0.text }) { pairing, old, new in
            let common = shared.count(old, new)
            guard common > 0 || shared.old[old] == nil || shared.new[new] == nil else { return nil }
            return Double(common) + (pairing.hasSameLevel(old, new) ? 0.5 : 0)
        }
        pairInOrder(
            groups(.heading) {
                Self.hasName($0) ? ItemSign(first: $0.name, second: "", number: $0.headingLevel ?? 0) : nil
            })
        pairInOrder(groups(.heading) { Self.hasName($0) ? $0.name : nil })
    }

    /// A heading with at least half of the comments of another one.
    mutating func pairHeadingsByComments() {
        let shared = SharedComments(self)
        var candidates: [Candidate] = []
        for (pair, count) in shared.pairs where newOf[pair.old] == nil && oldOf[pair.new] == nil {
            guard 2 * count >= min(shared.old[pair.old] ?? 0, shared.new[pair.new] ?? 0) else { continue }
            let score = Double(count) + (hasSameLevel(pair.old, pair.new) ? 0.5 : 0)
            candidates.append(Candidate(old: pair.old, new: pair.new, score: score))
        }
        pairBest(candidates)
    }

    /// Headings without comments, by a similar text.
    mutating func pairHeadingsBySimilarity() {
        let shared = SharedComments(self)
        let groups = groups(.heading) { $0.headingLevel }
            .map { group in
                Group(
                    old: group.old.filter { shared.old[$0] == nil }, new: group.new.filter { shared.new[$0] == nil })
            }
            .filter { $0.combinations <= Self.maximalCombinations }
        pairBest(groups) { pairing, old, new in
            let ratio = pairing.similarity(old, new)
            return ratio >= TextSimilarity.headingThreshold ? ratio : nil
        }
    }

    /// Whether DiscussionTools found a comment under the heading to name it after.
    private static func hasName(_ item: ThreadItem) -> Bool { item.headingLevel != nil && item.name != "h-" }

    private func hasSameLevel(_ oldIndex: Int, _ newIndex: Int) -> Bool {
        old[oldIndex].headingLevel == new[newIndex].headingLevel
    }
}

/// How many comments the headings of two revisions have below them, and how many in common.
private struct SharedComments {
    struct Pair: Hashable {
        var old: Int
        var new: Int
    }

    /// Comments below an old heading; nil for none.
    private(set) var old: [Int: Int] = [:]
    /// Comments below a new heading; nil for none.
    private(set) var new: [Int: Int] = [:]
    private(set) var pairs: [Pair: Int] = [:]

    init(_ pairing: ItemPairing) {
        for (index, item) in pairing.new.enumerated() where item.kind == .comment {
            for heading in pairing.newPlaces.headings(above: index) { new[heading, default: 0] += 1 }
        }
        for (index, item) in pairing.old.enumerated() where item.kind == .comment {
            let headings = pairing.oldPlaces.headings(above: index)
            let others = pairing.newOf[index].map { pairing.newPlaces.headings(above: $0) } ?? []
            for heading in headings {
                old[heading, default: 0] += 1
                for other in others { pairs[Pair(old: heading, new: other), default: 0] += 1 }
            }
        }
    }

    func count(_ oldHeading: Int, _ newHeading: Int) -> Int { pairs[Pair(old: oldHeading, new: newHeading)] ?? 0 }
}
