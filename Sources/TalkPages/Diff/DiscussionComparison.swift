/// Works out the changes from the pairs.
struct DiscussionComparison {
    private let pairing: ItemPairing
    /// New indices of the items that stand elsewhere among their neighbours.
    private let reordered: Set<Int>

    init(_ pairing: ItemPairing) {
        self.pairing = pairing
        reordered = Self.reordered(pairing)
    }

    // MARK: One item

    /// How a pair differs.
    private func kinds(_ oldIndex: Int, _ newIndex: Int) -> [DiscussionDiff.Kind] {
        let (old, new) = (pairing.old[oldIndex], pairing.new[newIndex])
        var kinds: [DiscussionDiff.Kind] = []
        if old.kind == .heading {
            if old.text != new.text { kinds.append(.renamed) }
            if old.headingLevel != new.headingLevel { kinds.append(.indented) }
            if !pairing.hasSameParent(oldIndex, newIndex) { kinds.append(.moved) }
        } else {
            if Self.differ(old, new) { kinds.append(.edited) }
            if old.author != new.author || old.timestamp != new.timestamp { kinds.append(.resigned) }
            let isSameTopic = pairing.isSameTopic(oldIndex, newIndex)
            if old.level != new.level || isSameTopic && !pairing.answersTheSame(oldIndex, newIndex) {
                kinds.append(.indented)
            }
            if !isSameTopic { kinds.append(.moved) }
        }
        if reordered.contains(newIndex) { kinds.append(.reordered) }
        return kinds
    }

    /// Whether a reader sees other words; how they are broken into lines depends on the wiki's version.
    private static func differ(_ old: ThreadItem, _ new: ThreadItem) -> Bool {
        if old.text != new.text { return true }
        guard old.readableText != new.readableText else { return false }
        return !old.shownText.split(whereSeparator: \.isWhitespace)
            .elementsEqual(new.shownText.split(whereSeparator: \.isWhitespace))
    }

    private func change(old oldIndex: Int?, new newIndex: Int?) -> DiscussionDiff.Change {
        let kinds: [DiscussionDiff.Kind] =
            if let oldIndex, let newIndex {
                self.kinds(oldIndex, newIndex)
            } else {
                [oldIndex == nil ? .added : .removed]
            }
        return DiscussionDiff.Change(
            kinds: kinds, oldIndex: oldIndex, newIndex: newIndex, old: oldIndex.map { pairing.old[$0] },
            new: newIndex.map { pairing.new[$0] })
    }

    // MARK: The page

    /// The changed sections in page order; what was removed stands after what was before it.
    func sections() -> [DiscussionDiff.Section] {
        let removed = Removed(pairing)
        var sections: [DiscussionDiff.Section] = []
        var heading: Int?
        var comments: [DiscussionDiff.Change] = []

        func append(_ heading: DiscussionDiff.Change?, _ comments: [DiscussionDiff.Change]) {
            if comments.isEmpty, heading?.kinds.isEmpty ?? true { return }
            sections.append(DiscussionDiff.Section(heading: heading, comments: comments))
        }
        func finish() {
            append(heading.map { change(old: pairing.oldOf[$0], new: $0) }, comments)
            comments = []
            let place = if let heading { pairing.oldOf[heading] } else { -1 as Int? }
            guard let place else { return }
            for section in removed.sections[place] ?? [] {
                append(change(old: section.heading, new: nil), section.comments.map { change(old: $0, new: nil) })
            }
        }
        comments += (removed.comments[-1] ?? []).map { change(old: $0, new: nil) }
        for index in pairing.new.indices {
            let oldIndex = pairing.oldOf[index]
            if pairing.new[index].kind == .heading {
                guard pairing.new[index].headingLevel != nil else { continue }
                finish()
                heading = index
            } else {
                let change = change(old: oldIndex, new: index)
                if !change.kinds.isEmpty { comments.append(change) }
            }
            guard let oldIndex else { continue }
            comments += (removed.comments[oldIndex] ?? []).map { self.change(old: $0, new: nil) }
        }
        finish()
        return sections
    }
}

/// Where in the new page the old items that are gone are told of.
private struct Removed {
    struct Section {
        var heading: Int
        var comments: [Int]
    }

    /// Comments to tell of after an old item that stayed; -1 for the beginning of the page.
    private(set) var comments: [Int: [Int]] = [:]
    /// Sections to tell of after the section of an old heading that stayed; -1 for what is before the first heading.
    private(set) var sections: [Int: [Section]] = [:]

    init(_ pairing: ItemPairing) {
        // The last heading that stayed, and the item of its section after which a comment is told of.
        var heading = -1
        var item = -1
        var isInRemoved = false
        for (index, old) in pairing.old.enumerated() {
            if old.kind == .heading {
                guard old.headingLevel != nil else { continue }
                isInRemoved = pairing.newOf[index] == nil
                if isInRemoved {
                    sections[heading, default: []].append(Section(heading: index, comments: []))
                } else {
                    heading = index
                    item = index
                }
            } else if let new = pairing.newOf[index] {
                let place = pairing.newPlaces.heading[new]
                if !isInRemoved, place == (heading < 0 ? nil : pairing.newOf[heading]) { item = index }
            } else if isInRemoved {
                let last = (sections[heading]?.count ?? 1) - 1
                sections[heading]?[last].comments.append(index)
            } else {
                comments[item, default: []].append(index)
            }
        }
    }
}
