public import TalkHTML

/// How a wiki indents replies.
public enum ReplyIndentation: String, Codable, Sendable, CaseIterable {
    /// `:` in wikitext, `<dl><dd>` in HTML.
    case invisible
    /// `*` in wikitext, `<ul><li>` in HTML.
    case bullet

    var list: String { self == .invisible ? "dl" : "ul" }
    var item: String { self == .invisible ? "dd" : "li" }
}

/// Puts a reply into a page where DiscussionTools would put it.
public enum ReplyPlacement {
    /// Adds list items for a reply under an item of the tree, one for each element of `lines`, and gives them.
    ///
    /// The nodes of a line must be made by the document and not be in it yet. The reply stands after all that answers the
    /// item already; under a heading it stands at the end of the heading's own section, with `asParagraphs` as
    /// paragraphs instead of list items. `tree` must come from this very document. Throws when the item comes from
    /// another page.
    @discardableResult
    public static func insert(
        _ lines: [[HTMLDocument.NodeID]], under index: Int, of tree: ThreadTree, in document: inout HTMLDocument,
        indentation: ReplyIndentation, asParagraphs: Bool = false
    ) throws(TalkError) -> [HTMLDocument.NodeID] {
        let item = tree.items[index]
        if let other = item.transclusion { throw other.error(of: item) }
        var editor = PlacementEditor(document, indentation)
        var items: [HTMLDocument.NodeID]
        if item.kind == .heading {
            items = [editor.addItem(atEndOfSectionOf: tree.places[index].start, asParagraph: asParagraphs)]
        } else {
            var last = index
            while let reply = tree.items.lastIndex(where: { $0.parent == last }) { last = reply }
            items = [try editor.addItem(level: item.level + 1, after: tree.places[last], of: tree.items[last])]
        }
        for _ in lines.dropFirst() { items.append(editor.addSibling(after: items[items.count - 1])) }
        for (item, nodes) in zip(items, lines) {
            for node in nodes { editor.document.append(node, to: item) }
        }
        document = editor.document
        return items
    }
}

/// The changes that make room for a reply.
struct PlacementEditor {
    var document: HTMLDocument
    private let outline: PageOutline
    private let indexes: [HTMLDocument.NodeID: Int]
    private let transclusions: Transclusions
    private let indentation: ReplyIndentation

    init(_ document: HTMLDocument, _ indentation: ReplyIndentation) {
        self.document = document
        self.indentation = indentation
        outline = PageOutline(document)
        transclusions = Transclusions(outline)
        var indexes: [HTMLDocument.NodeID: Int] = [:]
        for (index, entry) in outline.entries.enumerated() {
            indexes[entry.node] = index
            for piece in outline.joined[index] ?? [] { indexes[piece] = index }
        }
        self.indexes = indexes
    }

    // MARK: After a comment

    /// Adds a list item of the level after a comment, the last one that answers the same comment.
    mutating func addItem(
        level: Int, after place: ThreadTree.Place, of comment: ThreadItem
    ) throws(TalkError) -> HTMLDocument.NodeID {
        guard let start = indexes[place.start], let end = indexes[place.end], end > 0 else {
            throw TalkError(.internal, "A comment's place is not in the page")
        }
        let target = anchor(start: start, end: end, isUnindented: comment.level == 1)
        // Lists inside the comment count too.
        let present = Int(outline.entries[target].indent) + (outline.kind(target).indents ? 1 : 0) + 1
        // The last piece, where a mark divides the text.
        let node = outline.joined[target]?.last ?? outline.entries[target].node
        return present < level
            ? nest(after: node, count: level - present)
            : split(from: node, levels: present - level + 1)
    }

    /// The node after which the reply goes.
    private func anchor(start: Int, end: Int, isUnindented: Bool) -> Int {
        var parent = outline.parent(end)
        var current = parent
        while current > 0 {
            if outline.kind(current).indents || outline.kind(current) == .p {
                parent = current
                break
            }
            current = outline.parent(current)
        }
        var target = outline.child(of: parent, holding: end)
        if isUnindented, let last = coveredSiblings(start: start, end: end).last { target = last }
        if let call = transclusions.call(of: target) { target = transclusions.last(ofCall: call) }
        // No list can stand in these.
        let outer = outline.parent(target)
        return [.p, .pre, .ul, .dl].contains(outline.kind(outer)) ? outer : target
    }

    /// The nodes that hold the comment and nothing else, such as a box around it.
    private func coveredSiblings(start: Int, end: Int) -> [Int] {
        let range = outline.range(first: start, last: end)
        var ancestor = outline.kind(end) == .text ? outline.parent(end) : end
        while !outline.contains(ancestor, outline.parent(start)) { ancestor = outline.parent(ancestor) }
        let first = outline.child(of: ancestor, holding: start)
        let last = ancestor == end ? outline.last(end) ?? end : outline.child(of: ancestor, holding: end)
        guard outline.overlap(outline.range(siblings: first, last), range) == .equal else { return [] }
        var siblings = [first, last]
        var outer = outline.parent(first)
        while outer > 0, outline.kind(outer) != .section,
            outline.overlap(outline.range(siblings: outer, outer), range) == .equal
        {
            siblings = [outer]
            outer = outline.parent(outer)
        }
        return siblings
    }

    /// Adds lists until the item is deep enough.
    private mutating func nest(after node: HTMLDocument.NodeID, count: Int) -> HTMLDocument.NodeID {
        var target = node
        var pointer = node
        // Comments and category links at the end of a line stand behind its paragraph, but belong to it.
        while let next = document.nextSibling(pointer), isSkipped(next) {
            pointer = next
            if document.kind(next) != .text { target = next }
        }
        var item = target
        for number in 0..<count {
            let list = document.makeElement(indentation.list)
            if number == 0 {
                let parent = document.parent(target) ?? document.root
                document.insert(list, into: parent, before: document.nextSibling(target))
            } else {
                document.append(list, to: item)
            }
            item = document.makeElement(indentation.item)
            document.append(item, to: list)
        }
        return item
    }

    private func isSkipped(_ node: HTMLDocument.NodeID) -> Bool {
        if document.kind(node) == .text {
            let text = document.text(node)
            return text.utf8.allSatisfy { $0.isHTMLSpace } && !text.replacing("\r\n", with: "\n").contains("\n\n")
        }
        // What the outline leaves out are marks of DiscussionTools.
        return indexes[node].map { outline.has(.transparent, $0) } ?? true
    }

    /// Splits the lists after the node until a new item is not too deep.
    private mutating func split(from node: HTMLDocument.NodeID, levels: Int) -> HTMLDocument.NodeID {
        var target = node
        var left = levels
        while left > 0, let parent = document.parent(target), parent != document.root {
            divide(parent, after: target)
            target = parent
            if ["li", "dd"].contains(document.name(target)) { left -= 1 }
        }
        if document.name(target) == indentation.item { return addSibling(after: target) }
        // The list is of the other kind: another one between its halves.
        if let list = document.parent(target) {
            divide(list, after: target)
            target = list
        }
        let list = document.makeElement(indentation.list)
        let item = document.makeElement(indentation.item)
        document.append(item, to: list)
        document.insert(list, into: document.parent(target) ?? document.root, before: document.nextSibling(target))
        return item
    }

    /// Moves what follows the child to a copy of its parent.
    private mutating func divide(_ parent: HTMLDocument.NodeID, after child: HTMLDocument.NodeID) {
        guard document.nextSibling(child) != nil, !isPendingEnd(parent, after: child),
            let above = document.parent(parent)
        else { return }
        let copy = document.makeElement(document.name(parent), document.attributes(parent))
        document.insert(copy, into: above, before: document.nextSibling(parent))
        while let next = document.nextSibling(child) {
            document.remove(next)
            document.append(next, to: copy)
        }
    }

    /// Whether nothing but the line end of a pending reply's layout follows, of which no second half must be made: it
    /// would bear the reply's mark.
    private func isPendingEnd(_ parent: HTMLDocument.NodeID, after child: HTMLDocument.NodeID) -> Bool {
        var next = document.nextSibling(child)
        while let node = next {
            guard document.kind(node) == .text, document.text(node).utf8.allSatisfy({ $0.isHTMLSpace }) else {
                return false
            }
            next = document.nextSibling(node)
        }
        var element: HTMLDocument.NodeID? = parent
        while let node = element {
            if document.hasClass("pending", node) { return true }
            element = document.parent(node)
        }
        return false
    }

    mutating func addSibling(after item: HTMLDocument.NodeID) -> HTMLDocument.NodeID {
        let sibling = document.makeElement(document.name(item))
        document.insert(sibling, into: document.parent(item) ?? document.root, before: document.nextSibling(item))
        return sibling
    }

    // MARK: Under a heading

    /// Adds a list item or a paragraph after the last thing before the next heading; at the root, before the first one.
    mutating func addItem(
        atEndOfSectionOf heading: HTMLDocument.NodeID, asParagraph: Bool
    ) -> HTMLDocument.NodeID {
        var index = indexes[heading] ?? 0
        // Today's markup has a wrapper around a heading and its edit link.
        while index > 0, outline.kind(outline.parent(index)) == .div, outline.first(outline.parent(index)) == index,
            outline.next(index) == nil
        {
            index = outline.parent(index)
        }
        // The last node with content, or the heading.
        var last = index == 0 ? nil : Int?(index)
        var next = index == 0 ? outline.first(0) : outline.next(index)
        while let node = next, !holdsHeading(node) {
            if !outline.has(.blank, node) { last = node }
            next = outline.next(node)
        }
        let item = document.makeElement(asParagraph ? "p" : indentation.item)
        let node = last.map { outline.entries[$0].node }
        var block = item
        if !asParagraph {
            if let node, node != heading, document.name(node) == indentation.list {
                document.append(item, to: node)
                return item
            }
            block = document.makeElement(indentation.list)
            document.append(item, to: block)
        }
        let root = outline.entries[0].node
        document.insert(
            block, into: node.flatMap { document.parent($0) } ?? root,
            before: node.map { document.nextSibling($0) } ?? document.firstChild(root))
        return item
    }

    private func holdsHeading(_ index: Int) -> Bool {
        (index..<outline.end(index)).contains { outline.kind($0).headingLevel != nil }
    }
}
