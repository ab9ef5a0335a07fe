public import TalkPages

/// What happened to a discussion between two revisions, by comment identity.
///
/// A pure function of two lists of thread items. Comments are paired by DiscussionTools' name (author and minute);
/// among equal names the ones with equal text first, then in page order.
public struct ThreadChanges: Hashable, Sendable {
    /// Topics that are new.
    public var topicsAdded: [ThreadItem] = []
    /// Topics that stayed, with another heading or with a change among their comments.
    public var topicsChanged: [ThreadItem] = []
    /// Topics that are gone.
    public var topicsRemoved: [ThreadItem] = []
    /// Comments that are new.
    public var commentsAdded: [ThreadItem] = []
    /// Comments whose text is another one.
    public var commentsChanged: [ThreadItem] = []
    /// Comments that are gone.
    public var commentsRemoved: [ThreadItem] = []

    /// Whether nothing happened that a reader would see.
    public var isEmpty: Bool {
        topicsAdded.isEmpty && topicsChanged.isEmpty && topicsRemoved.isEmpty && commentsAdded.isEmpty
            && commentsChanged.isEmpty && commentsRemoved.isEmpty
    }

    /// Compares two lists of items of one page, in document order.
    public init(from old: [ThreadItem], to new: [ThreadItem]) {
        let oldComments = Pairing(old.indices.filter { old[$0].kind == .comment }, of: old)
        let newComments = new.indices.filter { new[$0].kind == .comment }
        var touched: Set<Int> = []
        var touchedOld: Set<Int> = []
        let pairs = oldComments.pair(newComments, of: new)
        for index in newComments {
            if let before = pairs[index] {
                if old[before].text == new[index].text { continue }
                commentsChanged.append(new[index])
            } else {
                commentsAdded.append(new[index])
            }
            if let topic = Self.topic(of: index, in: new) { touched.insert(topic) }
        }
        let kept = Set(pairs.values)
        for index in old.indices where old[index].kind == .comment && !kept.contains(index) {
            commentsRemoved.append(old[index])
            if let topic = Self.topic(of: index, in: old) { touchedOld.insert(topic) }
        }
        compareTopics(old, new, touched: touched, touchedOld: touchedOld)
    }

    private mutating func compareTopics(
        _ old: [ThreadItem], _ new: [ThreadItem], touched: Set<Int>, touchedOld: Set<Int>
    ) {
        let oldTopics = old.indices.filter { Self.isTopic(old[$0]) }
        var free = Set(oldTopics)
        for index in new.indices where Self.isTopic(new[index]) {
            let item = new[index]
            let sameName = oldTopics.first { free.contains($0) && item.name != "h-" && old[$0].name == item.name }
            let match = sameName ?? oldTopics.first { free.contains($0) && old[$0].text == item.text }
            guard let match else {
                topicsAdded.append(item)
                continue
            }
            free.remove(match)
            if touched.contains(index) || touchedOld.contains(match) || old[match].text != item.text {
                topicsChanged.append(item)
            }
        }
        topicsRemoved = oldTopics.filter(free.contains).map { old[$0] }
    }

    /// Whether the item opens a topic: a heading of level 1 or 2, or a deeper one that stands under no other.
    public static func isTopic(_ item: ThreadItem) -> Bool {
        item.kind == .heading && item.headingLevel != nil && (item.parent == nil || item.headingLevel ?? 6 <= 2)
    }

    /// Index of the topic in which the item stands; nil before the first heading.
    public static func topic(of index: Int, in items: [ThreadItem]) -> Int? {
        var index = index
        while !isTopic(items[index]) {
            guard let parent = items[index].parent else { return nil }
            index = parent
        }
        return index
    }
}

/// Comments of the old side by name, to be paired with those of the new side.
private struct Pairing {
    private let items: [ThreadItem]
    private var byName: [String: [Int]] = [:]

    init(_ indices: [Int], of items: [ThreadItem]) {
        self.items = items
        for index in indices { byName[items[index].name, default: []].append(index) }
    }

    func pair(_ indices: [Int], of new: [ThreadItem]) -> [Int: Int] {
        var free = byName
        var pairs: [Int: Int] = [:]
        for equalText in [true, false] {
            for index in indices where pairs[index] == nil {
                guard let candidates = free[new[index].name] else { continue }
                let place = candidates.firstIndex { !equalText || items[$0].text == new[index].text }
                guard let place else { continue }
                pairs[index] = candidates[place]
                free[new[index].name]?.remove(at: place)
            }
        }
        return pairs
    }
}
