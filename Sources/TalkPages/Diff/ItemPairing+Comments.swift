extension ItemPairing {
    /// The same comment by its own words, or by author and minute alone: it was edited.
    mutating func pairCommentsByIdentity() {
        pairInOrder(groups(.comment) { ItemSign(first: $0.id, second: $0.text) })
        pairInOrder(groups(.comment) { ItemSign(first: $0.name, second: $0.text) })
        pairBest(groups(.comment) { $0.name }) { pairing, old, new in
            let hasSameID = pairing.old[old].id == pairing.new[new].id
            return pairing.similarity(old, new) + (hasSameID ? 0.001 : 0)
        }
    }

    /// The same text under another signature: it was signed anew, or its author was renamed.
    ///
    /// A short text may well be written twice: by one author it must stand in the same topic, by two it must bear the
    /// same time.
    mutating func pairCommentsByText() {
        pairBest(groups(.comment) { $0.text.isEmpty ? nil : $0.text }) { pairing, old, new in
            let hasSameAuthor = pairing.hasSameAuthor(old, new)
            let hasSameTime = pairing.old[old].timestamp == pairing.new[new].timestamp
            let isSameTopic = pairing.isSameTopic(old, new)
            guard pairing.words(ofOld: old).isDistinctive || (hasSameAuthor ? isSameTopic : hasSameTime) else {
                return nil
            }
            return (hasSameAuthor ? 4 : 0) + (isSameTopic ? 2 : 0) + (hasSameTime ? 1 : 0)
        }
    }

    /// A similar text of the same author: it was edited and signed anew.
    mutating func pairCommentsBySimilarity() {
        var candidates: [Candidate] = []
        for group in groups(.comment, { $0.author }) {
            for (old, new) in combinations(group) {
                let isDistinctive = words(ofOld: old).isDistinctive && words(ofNew: new).isDistinctive
                guard isDistinctive || isSameTopic(old, new) else { continue }
                let ratio = similarity(old, new)
                guard ratio >= TextSimilarity.commentThreshold else { continue }
                candidates.append(Candidate(old: old, new: new, score: ratio))
            }
        }
        pairBest(candidates)
    }

    private func hasSameAuthor(_ oldIndex: Int, _ newIndex: Int) -> Bool {
        old[oldIndex].author != nil && old[oldIndex].author == new[newIndex].author
    }

    /// The combinations of a group that are worth comparing: of a large one those that share a rare word.
    private mutating func combinations(_ group: Group) -> [(old: Int, new: Int)] {
        guard group.combinations > Self.maximalCombinations else {
            return group.old.flatMap { old in group.new.map { (old, $0) } }
        }
        var byWord: [Substring: Group] = [:]
        for index in group.old {
            for word in words(ofOld: index).counts.keys { byWord[word, default: Group()].old.append(index) }
        }
        for index in group.new {
            for word in words(ofNew: index).counts.keys { byWord[word]?.new.append(index) }
        }
        var seen: Set<[Int]> = []
        var result: [(old: Int, new: Int)] = []
        for shared in byWord.values where 1...4 ~= shared.combinations {
            for old in shared.old {
                for new in shared.new where seen.insert([old, new]).inserted { result.append((old, new)) }
            }
        }
        return result
    }
}
