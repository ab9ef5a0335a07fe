/// Which item of one revision is which item of another.
///
/// The surest signs come first, and what is paired stays so: DiscussionTools' id with the text, the name with the text,
/// the name alone, the text alone, a similar text. Every step treats both sides alike, so that a comparison the other
/// way round gives the same pairs. Signs are looked up in tables, so that the time grows with the size of the page.
struct ItemPairing {
    let old: [ThreadItem]
    let new: [ThreadItem]
    let oldPlaces: ItemPlaces
    let newPlaces: ItemPlaces
    /// For each old item the new one that it became.
    private(set) var newOf: [Int?]
    /// For each new item the old one that it was.
    private(set) var oldOf: [Int?]
    private var oldWords: [Int: TextSimilarity] = [:]
    private var newWords: [Int: TextSimilarity] = [:]

    /// More combinations of items with one sign are not weighed against each other; they are paired in order.
    static let maximalCombinations = 1024

    init(_ old: [ThreadItem], _ new: [ThreadItem]) {
        self.old = old
        self.new = new
        oldPlaces = ItemPlaces(old)
        newPlaces = ItemPlaces(new)
        newOf = Array(repeating: nil, count: old.count)
        oldOf = Array(repeating: nil, count: new.count)
        pairHeadingsByIdentity()
        pairCommentsByIdentity()
        pairHeadingsByText()
        pairCommentsByText()
        pairCommentsBySimilarity()
        pairHeadingsByComments()
        pairHeadingsBySimilarity()
    }

    // MARK: For the steps

    /// Items of one sign that have no partner yet, in page order.
    struct Group {
        var old: [Int] = []
        var new: [Int] = []

        var combinations: Int { old.count.multipliedReportingOverflow(by: new.count).partialValue }
    }

    /// A pair that may be made; the greater the score the better.
    struct Candidate {
        var old: Int
        var new: Int
        var score: Double
    }

    /// The groups of items without partner that both sides have, by their sign; items without sign are left out.
    func groups<Sign: Hashable>(_ kind: ThreadItem.Kind, _ sign: (ThreadItem) -> Sign?) -> [Group] {
        var groups: [Sign: Group] = [:]
        for (index, item) in old.enumerated() where item.kind == kind && newOf[index] == nil {
            if let sign = sign(item) { groups[sign, default: Group()].old.append(index) }
        }
        for (index, item) in new.enumerated() where item.kind == kind && oldOf[index] == nil {
            if let sign = sign(item), groups[sign] != nil { groups[sign]?.new.append(index) }
        }
        return groups.values.filter { !$0.new.isEmpty }
    }

    mutating func pair(_ oldIndex: Int, _ newIndex: Int) {
        newOf[oldIndex] = newIndex
        oldOf[newIndex] = oldIndex
    }

    mutating func pairInOrder(_ groups: [Group]) {
        for group in groups {
            for (old, new) in zip(group.old, group.new) { pair(old, new) }
        }
    }

    /// Pairs within each group what fits best; a combination with the score nil is never paired.
    mutating func pairBest(_ groups: [Group], score: (inout Self, Int, Int) -> Double?) {
        for group in groups {
            guard group.combinations <= Self.maximalCombinations else {
                for (old, new) in zip(group.old, group.new) where score(&self, old, new) != nil { pair(old, new) }
                continue
            }
            var candidates: [Candidate] = []
            for old in group.old {
                for new in group.new {
                    if let score = score(&self, old, new) {
                        candidates.append(Candidate(old: old, new: new, score: score))
                    }
                }
            }
            pairBest(candidates)
        }
    }

    mutating func pairBest(_ candidates: [Candidate]) {
        // Of equal ones those that stand nearest to each other; the last rule leaves equal only what does not compete.
        let sorted = candidates.sorted {
            if $0.score != $1.score { return $0.score > $1.score }
            let (a, b) = (abs($0.old - $0.new), abs($1.old - $1.new))
            return a == b ? min($0.old, $0.new) < min($1.old, $1.new) : a < b
        }
        for candidate in sorted where newOf[candidate.old] == nil && oldOf[candidate.new] == nil {
            pair(candidate.old, candidate.new)
        }
    }

    /// How similar the texts of two items are, from 0 to 1.
    mutating func similarity(_ oldIndex: Int, _ newIndex: Int) -> Double {
        words(ofOld: oldIndex).ratio(to: words(ofNew: newIndex))
    }

    mutating func words(ofOld index: Int) -> TextSimilarity {
        if let known = oldWords[index] { return known }
        let words = TextSimilarity(old[index].text)
        oldWords[index] = words
        return words
    }

    mutating func words(ofNew index: Int) -> TextSimilarity {
        if let known = newWords[index] { return known }
        let words = TextSimilarity(new[index].text)
        newWords[index] = words
        return words
    }

    /// Whether the items stand in one topic, as far as topics are paired.
    func isSameTopic(_ oldIndex: Int, _ newIndex: Int) -> Bool {
        guard let topic = oldPlaces.topic[oldIndex] else { return newPlaces.topic[newIndex] == nil }
        return newOf[topic] != nil && newOf[topic] == newPlaces.topic[newIndex]
    }
}

/// Two or three strings as one sign.
struct ItemSign: Hashable {
    var first: String
    var second: String
    var number = 0
}
