/// A place between two nodes of an outline, or in a text; ordered as the page is.
struct OutlinePosition: Hashable, Comparable {
    /// Number of node starts and node ends before it.
    var token: Int
    /// In UTF-8 bytes of the text in which it is.
    var offset = 0

    static func < (a: OutlinePosition, b: OutlinePosition) -> Bool {
        a.token == b.token ? a.offset < b.offset : a.token < b.token
    }
}

/// Two places, the first one not after the second.
struct OutlineRange: Hashable {
    var start: OutlinePosition
    var end: OutlinePosition
    /// The node at which it starts and the one with which it ends.
    var first: Int
    var last: Int
}

extension PageOutline {
    private func opening(_ index: Int) -> Int { 2 * index - Int(entries[index].depth) }
    private func closing(_ index: Int) -> Int { opening(index) + 2 * (end(index) - index) - 1 }

    func position(before index: Int) -> OutlinePosition { OutlinePosition(token: opening(index)) }
    func position(after index: Int) -> OutlinePosition { OutlinePosition(token: closing(index) + 1) }
    /// Behind the last child of an element, or the last letter of a text.
    func position(atEndOf index: Int) -> OutlinePosition {
        OutlinePosition(
            token: closing(index), offset: kind(index) == .text ? text(index).utf8.count - trailingSpace(index) : 0)
    }

    private func trailingSpace(_ index: Int) -> Int { text(index).utf8.reversed().prefix { $0.isHTMLSpace }.count }

    /// The range of a comment from its first node to its last one.
    func range(first: Int, last: Int) -> OutlineRange {
        OutlineRange(
            start: position(before: first), end: position(atEndOf: last), first: first,
            last: kind(last) == .text ? last : self.last(last) ?? last)
    }

    /// The range of whole siblings.
    func range(siblings first: Int, _ last: Int) -> OutlineRange {
        OutlineRange(start: position(before: first), end: position(after: last), first: first, last: last)
    }
}

/// How one range lies to another.
enum OutlineOverlap {
    case equal, contains, contained, apart, partial
}

extension PageOutline {
    /// How `a` lies to `b`; content that nobody sees between two ends makes no difference.
    func overlap(_ a: OutlineRange, _ b: OutlineRange) -> OutlineOverlap {
        let startsEqual =
            a.start == b.start
            || (a.start < b.start ? !hasContent(from: a.first, to: b.first) : !hasContent(from: b.first, to: a.first))
        let endsEqual = endsAlike(a, b)
        if startsEqual && endsEqual { return .equal }
        if (startsEqual || a.start < b.start) && (endsEqual || a.end > b.end) { return .contains }
        if (startsEqual || a.start > b.start) && (endsEqual || a.end < b.end) { return .contained }
        if a.start >= b.end || a.end <= b.start { return .apart }
        return .partial
    }

    /// Whether both end at the same place but for what nobody sees.
    func endsAlike(_ a: OutlineRange, _ b: OutlineRange) -> Bool {
        a.end == b.end
            || (a.end < b.end ? !hasContent(after: a.last, within: b.last) : !hasContent(after: b.last, within: a.last))
    }

    private func hasContent(from first: Int, to last: Int) -> Bool { contentStart(first) < last }
    private func hasContent(after first: Int, within last: Int) -> Bool { contentStart(end(first)) < end(last) }
}
