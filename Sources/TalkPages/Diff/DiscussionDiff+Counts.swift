extension DiscussionDiff {
    /// Topics that are new.
    public var topicsAdded: [ThreadItem] { topics(.added).compactMap(\.new) }
    /// Topics that are gone.
    public var topicsRemoved: [ThreadItem] { topics(.removed).compactMap(\.old) }
    /// Topics that stayed, with another heading or place or with a change among what stands in them.
    public var topicsChanged: [ThreadItem] {
        let oldTopics = ItemPlaces(oldItems).topic
        let newTopics = ItemPlaces(newItems).topic
        var touched: Set<Int> = []
        var touchedOld: Set<Int> = []
        for change in changes {
            if let topic = change.newIndex.flatMap({ newTopics[$0] }) { touched.insert(topic) }
            if let topic = change.oldIndex.flatMap({ oldTopics[$0] }) { touchedOld.insert(topic) }
        }
        var result: [ThreadItem] = []
        for (index, oldIndex) in oldIndices.enumerated() {
            guard let oldIndex, newItems[index].isTopic || oldItems[oldIndex].isTopic else { continue }
            if touched.contains(index) || touchedOld.contains(oldIndex) { result.append(newItems[index]) }
        }
        return result
    }

    /// Comments that are new.
    public var commentsAdded: [ThreadItem] { comments { $0.kinds == [.added] }.compactMap(\.new) }
    /// Comments that are gone.
    public var commentsRemoved: [ThreadItem] { comments { $0.kinds == [.removed] }.compactMap(\.old) }
    /// Comments that stayed, with another text, signature or place.
    public var commentsChanged: [ThreadItem] {
        comments { $0.kinds != [.added] && $0.kinds != [.removed] }.compactMap(\.new)
    }

    private func topics(_ kind: Kind) -> [Change] {
        changes.filter { $0.kinds == [kind] && ($0.new ?? $0.old)?.isTopic == true }
    }

    private func comments(_ matches: (Change) -> Bool) -> [Change] {
        changes.filter { ($0.new ?? $0.old)?.kind == .comment && matches($0) }
    }
}
