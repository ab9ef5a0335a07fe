internal import TalkHTML

/// A page as the discussion algorithm walks it: the nodes in document order, with the links between them.
///
/// Left out are the marks that DiscussionTools and the skin add to a page; Parsoid's sections stand for their children.
/// Texts that only such a mark divides are one text again. Everything that the algorithm asks of a node more than once
/// is worked out here, in one pass forwards and one backwards.
struct PageOutline {
    struct Entry {
        var node: HTMLDocument.NodeID
        var kind: ElementKind
        var traits: ElementTraits
        var parent: Int32
        /// The sibling before, or -1.
        var previous: Int32
        /// The last child, or -1.
        var last: Int32 = -1
        /// One past the last node below.
        var end: Int32 = 0
        /// Number of ancestors.
        var depth: Int32
        /// Number of list items that it stands in.
        var indent: Int32
        /// The first content from here on that may begin a comment: see `contentStart`.
        var content: Int32 = 0
    }

    let document: HTMLDocument
    /// The first one is the root.
    private(set) var entries: [Entry] = []
    /// Texts that were joined, by the entry of their first piece.
    private(set) var joined: [Int: [HTMLDocument.NodeID]] = [:]
    private var joinedText: [Int: String] = [:]
    /// Parsoid's `about` attribute, which groups the nodes of one template call.
    private(set) var abouts: [Int: String] = [:]
    /// Pending replies: their id, and which of their lines it is, from 1 on.
    private(set) var pendings: [Int: PendingMark] = [:]
    private let knownPendings: Set<String>
    /// Whether any node was made by a template.
    private(set) var hasTransclusions = false

    /// `pending` names the pending replies to look for, since any page may bear marks that look like theirs.
    init(_ document: HTMLDocument, pending: Set<String> = []) {
        self.document = document
        knownPendings = pending
        entries.reserveCapacity(document.nodeCount)
        collect(root: Self.pageRoot(of: document))
        complete()
    }

    var count: Int { entries.count }
    /// The text of a text node.
    func text(_ index: Int) -> String {
        if !joinedText.isEmpty, let text = joinedText[index] { return text }
        return document.text(entries[index].node)
    }
    func parent(_ index: Int) -> Int { Int(entries[index].parent) }
    func end(_ index: Int) -> Int { Int(entries[index].end) }
    func kind(_ index: Int) -> ElementKind { entries[index].kind }
    func has(_ traits: ElementTraits, _ index: Int) -> Bool { entries[index].traits.contains(traits) }
    func previous(_ index: Int) -> Int? { entries[index].previous < 0 ? nil : Int(entries[index].previous) }
    func last(_ index: Int) -> Int? { entries[index].last < 0 ? nil : Int(entries[index].last) }
    func first(_ index: Int) -> Int? { entries[index].end > index + 1 ? index + 1 : nil }
    func next(_ index: Int) -> Int? {
        entries[index].parent >= 0 && entries[index].end < entries[parent(index)].end ? end(index) : nil
    }
    func isElement(_ index: Int) -> Bool {
        let kind = entries[index].kind
        return kind != .text && kind != .comment
    }
    /// The child of `ancestor` that is the node or has it below.
    func child(of ancestor: Int, holding index: Int) -> Int {
        var index = index
        while parent(index) != ancestor { index = parent(index) }
        return index
    }
    func contains(_ ancestor: Int, _ index: Int) -> Bool { ancestor <= index && index < end(ancestor) }

    /// The first text or childless element that may begin a comment, from the entry on; `count` when there is none.
    func contentStart(_ index: Int) -> Int { index < count ? Int(entries[index].content) : count }

    /// The node that holds the discussion: MediaWiki's wrapper when the page stands in one, or the root.
    private static func pageRoot(of document: HTMLDocument) -> HTMLDocument.NodeID {
        var outer = document.root
        // A skin has a few boxes around the wrapper. What has text beside it is a page that only imitates one.
        for _ in 0..<8 {
            guard let inner = onlyBox(in: outer, document) else { break }
            if let value = document.attribute("class", of: inner),
                ElementKind.traits(ofClass: value).contains(.pageWrapper)
            {
                return inner
            }
            outer = inner
        }
        return document.root
    }

    /// The only child that shows anything, when it is a `div`.
    private static func onlyBox(in parent: HTMLDocument.NodeID, _ document: HTMLDocument) -> HTMLDocument.NodeID? {
        var box: HTMLDocument.NodeID?
        var child = document.firstChild(parent)
        while let node = child {
            child = document.nextSibling(node)
            switch document.kind(node) {
            case .comment, .root: continue
            case .text: if document.text(node).utf8.allSatisfy({ $0.isHTMLSpace }) { continue }
            case .element:
                if ["script", "style", "link", "meta"].contains(document.name(node)) { continue }
                if box == nil, document.name(node) == "div" {
                    box = node
                    continue
                }
            }
            return nil
        }
        return box
    }
}

// MARK: Forwards

extension PageOutline {
    private mutating func collect(root: HTMLDocument.NodeID) {
        entries.append(Entry(node: root, kind: .root, traits: [], parent: -1, previous: -1, depth: 0, indent: 0))
        var classes: [String: ElementTraits] = [:]
        // The open elements; the entry is -1 for one that stands for its children.
        var open: [(node: HTMLDocument.NodeID, entry: Int32, isMark: Bool)] = [(root, 0, false)]
        var parent: Int32 = 0
        // Whether a mark of DiscussionTools was left out since the text before.
        var isDivided = false
        var next = document.firstChild(root)
        while let level = open.last {
            guard let node = next else {
                open.removeLast()
                if level.entry >= 0 {
                    close(Int(level.entry))
                    isDivided = false
                } else {
                    isDivided = level.isMark
                }
                next = open.isEmpty ? nil : document.nextSibling(level.node)
                parent = level.entry >= 0 ? max(entries[Int(level.entry)].parent, 0) : parent
                continue
            }
            next = document.nextSibling(node)
            switch document.kind(node) {
            case .root: break
            case .text:
                addText(node, to: parent, isDivided: isDivided)
                isDivided = false
            case .comment:
                if document.text(node).hasPrefix("__DT") {
                    isDivided = true
                } else {
                    close(Int(add(node, .comment, [], to: parent)))
                    isDivided = false
                }
            case .element:
                let (kind, traits, about) = describe(node, classes: &classes)
                if traits.contains(.foreign) {
                    isDivided = true
                } else if traits.contains(.unwrapped) {
                    open.append((node, -1, kind != .section))
                    isDivided = kind != .section
                    next = document.firstChild(node)
                } else {
                    parent = add(node, kind, traits, to: parent)
                    if let about { abouts[Int(parent)] = about }
                    if traits.contains(.transclusion) { hasTransclusions = true }
                    if traits.contains(.pending), let id = document.attribute("id", of: node) {
                        pendings[Int(parent)] = PendingMark(id: id)
                    }
                    open.append((node, parent, false))
                    isDivided = false
                    next = document.firstChild(node)
                }
            }
        }
    }

    /// Kind, traits and `about` of an element.
    private func describe(
        _ node: HTMLDocument.NodeID, classes: inout [String: ElementTraits]
    ) -> (ElementKind, ElementTraits, about: String?) {
        let name = document.name(node)
        var (kind, traits) = ElementKind.table[name] ?? (.other, [])
        if kind == .other, name.hasPrefix("mw:dt-") {
            traits.insert(name == "mw:dt-timestamplink" ? .unwrapped : .foreign)
        }
        var about: String?
        for attribute in document.attributes(node) {
            switch attribute.name {
            case "class":
                let known = classes[attribute.value]
                let found = known ?? ElementKind.traits(ofClass: attribute.value)
                if known == nil { classes[attribute.value] = found }
                traits.formUnion(found)
                if found.contains(.references), kind == .ol { traits.insert(.noTalk) }
            case "id":
                if attribute.value == "toc" { traits.insert(.noTalk) }
                if let mark = PendingMark(id: attribute.value), knownPendings.contains(mark.pending) {
                    traits.insert(.pending)
                }
            case "about": about = attribute.value
            case "typeof":
                if attribute.value == "mw:Entity" { traits.insert(.entity) }
                if attribute.value.split(separator: " ").contains("mw:Transclusion") { traits.insert(.transclusion) }
            case "rel":
                if kind == .link,
                    attribute.value.split(whereSeparator: \.isWhitespace).contains(where: {
                        ["mw:PageProp/Category", "mw:PageProp/redirect", "mw:PageProp/Language"].contains($0)
                    })
                {
                    traits.insert(.transparent)
                }
            case "data-mw-section-id": if kind == .section { traits.insert(.unwrapped) }
            case "data-mw-comment-start", "data-mw-comment-end", "data-mw-comment-sig":
                if document.firstChild(node) == nil { traits.insert(.foreign) }
            default: break
            }
        }
        return (kind, traits, about)
    }

    private mutating func add(
        _ node: HTMLDocument.NodeID, _ kind: ElementKind, _ traits: ElementTraits, to parent: Int32
    ) -> Int32 {
        let index = Int32(entries.count)
        let above = entries[Int(parent)]
        entries.append(
            Entry(
                node: node, kind: kind, traits: traits, parent: parent, previous: above.last, depth: above.depth + 1,
                indent: above.indent + (above.kind.indents ? 1 : 0)))
        entries[Int(parent)].last = index
        return index
    }

    private mutating func close(_ index: Int) { entries[index].end = Int32(entries.count) }

    private mutating func addText(_ node: HTMLDocument.NodeID, to parent: Int32, isDivided: Bool) {
        let text = document.text(node)
        let isBlank = text.utf8.allSatisfy { $0.isHTMLSpace }
        let before = Int(entries[Int(parent)].last)
        if isDivided, before >= 0, entries[before].kind == .text {
            joined[before, default: [entries[before].node]].append(node)
            // In place, so that any number of pieces is joined in linear time.
            joinedText[before, default: document.text(entries[before].node)] += text
            if !isBlank { entries[before].traits.remove(.blank) }
            return
        }
        close(Int(add(node, .text, isBlank ? .blank : [], to: parent)))
    }
}

// MARK: Backwards

extension PageOutline {
    /// Works out what depends on the nodes after a node.
    private mutating func complete() {
        entries[0].end = Int32(entries.count)
        var index = count - 1
        while index > 0 {
            var traits = entries[index].traits
            switch kind(index) {
            case .a, .span:
                // Thumbnails are links or spans around an image.
                if let first = first(index), kind(first) == .comment || has(.leaf, first) { traits.insert(.leaf) }
                if kind(index) == .span, traits.contains(.transclusion), isEmpty(index) {
                    let next = next(index)
                    if next.map({ !isElement($0) || abouts[$0] != abouts[index] }) ?? true {
                        traits.insert(.transparent)
                    }
                }
            case .link, .style:
                // The style sheet of a template that comes next.
                if let next = next(index), has(.separator, next) { traits.insert(.separator) }
            case .dl:
                // A term without description is used as a heading.
                if let first = first(index), kind(first) == .dt, next(first) == nil { traits.insert(.separator) }
            case .comment: traits.insert(.transparent)
            default: break
            }
            entries[index].traits = traits
            let isContent = kind(index) == .text ? !traits.contains(.blank) : traits.contains(.leaf)
            if !traits.isDisjoint(with: [.separator, .transparent, .pending]) {
                entries[index].content = Int32(contentStart(end(index)))
            } else {
                entries[index].content = isContent ? Int32(index) : Int32(contentStart(index + 1))
            }
            index -= 1
        }
        entries[0].content = Int32(contentStart(1))
    }

    /// Whether the element shows no text and has no element or comment in it.
    private func isEmpty(_ index: Int) -> Bool {
        guard let first = first(index) else { return true }
        return has(.blank, first) && next(first) == nil
    }
}

extension UInt8 {
    /// ASCII white space as HTML defines it.
    var isHTMLSpace: Bool { self == 32 || self == 10 || self == 9 || self == 13 || self == 12 }
}
