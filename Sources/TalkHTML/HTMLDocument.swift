/// An HTML tree in one array of nodes, a value without pointers.
///
/// Nodes are named by index; the links between them are kept both ways, so that a reader can walk forwards, backwards
/// and upwards. Removing a node unlinks it; its slot stays unused until the document goes.
public struct HTMLDocument: Sendable {
    /// A node's place in its document; means nothing in another one.
    public struct NodeID: Hashable, Sendable {
        /// Index in the node array.
        @usableFromInline let index: Int32

        @inlinable init(index: Int32) { self.index = index }
    }

    /// What a node is.
    public enum Kind: Sendable {
        /// An element with a lower-case name.
        case element
        /// Text, character references resolved.
        case text
        /// A comment.
        case comment
        /// The root, parent of the top nodes.
        case root
    }

    /// An attribute; names are lower-case and unique in their element.
    public struct Attribute: Hashable, Sendable {
        /// Lower-case name.
        public var name: String
        /// Value, character references resolved.
        public var value: String

        /// Makes an attribute.
        @inlinable public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    @usableFromInline struct Node: Sendable {
        /// The element's name, or the text of a text or comment node.
        @usableFromInline var value: String
        @usableFromInline var attributes: [Attribute] = []
        @usableFromInline var parent: Int32 = -1
        @usableFromInline var previous: Int32 = -1
        @usableFromInline var next: Int32 = -1
        @usableFromInline var first: Int32 = -1
        @usableFromInline var last: Int32 = -1
        @usableFromInline var kind: Kind
        /// The name's place in `tagNames`.
        @usableFromInline var tag: UInt8 = 255

        @usableFromInline init(kind: Kind, value: String, attributes: [Attribute] = []) {
            self.kind = kind
            self.value = value
            self.attributes = attributes
        }
    }

    @usableFromInline var nodes: [Node]

    /// Whether the parser moved or copied elements, so that the HTML of this tree may be read as another tree.
    public internal(set) var isRepaired = false

    /// An empty document.
    public init() { nodes = [Node(kind: .root, value: "")] }

    /// The root, parent of the top nodes.
    public var root: NodeID { NodeID(index: 0) }
}

// MARK: Reading

extension HTMLDocument {
    /// What the node is.
    @inlinable public func kind(_ id: NodeID) -> Kind { nodes[Int(id.index)].kind }
    /// The element's lower-case name; empty for other nodes.
    @inlinable public func name(_ id: NodeID) -> String {
        nodes[Int(id.index)].kind == .element ? nodes[Int(id.index)].value : ""
    }
    /// The text of a text or comment node; empty for other nodes.
    @inlinable public func text(_ id: NodeID) -> String {
        nodes[Int(id.index)].kind == .element ? "" : nodes[Int(id.index)].value
    }
    /// The element's attributes in source order.
    @inlinable public func attributes(_ id: NodeID) -> [Attribute] { nodes[Int(id.index)].attributes }
    /// The attribute's value, or nil when the element lacks it.
    @inlinable public func attribute(_ name: String, of id: NodeID) -> String? {
        for attribute in nodes[Int(id.index)].attributes where attribute.name == name { return attribute.value }
        return nil
    }
    /// Whether the element's `class` has the word.
    public func hasClass(_ word: StaticString, _ id: NodeID) -> Bool {
        for attribute in nodes[Int(id.index)].attributes where attribute.name == "class" {
            return attribute.value.hasWord(word)
        }
        return false
    }
    /// The name's place in `tagNames`; 255 for a name that is not there and for other nodes.
    @inlinable package func tag(_ id: NodeID) -> UInt8 { nodes[Int(id.index)].tag }
    /// The parent; nil for the root and for a removed node.
    @inlinable public func parent(_ id: NodeID) -> NodeID? { link(nodes[Int(id.index)].parent) }
    /// The sibling before.
    @inlinable public func previousSibling(_ id: NodeID) -> NodeID? { link(nodes[Int(id.index)].previous) }
    /// The sibling after.
    @inlinable public func nextSibling(_ id: NodeID) -> NodeID? { link(nodes[Int(id.index)].next) }
    /// The first child.
    @inlinable public func firstChild(_ id: NodeID) -> NodeID? { link(nodes[Int(id.index)].first) }
    /// The last child.
    @inlinable public func lastChild(_ id: NodeID) -> NodeID? { link(nodes[Int(id.index)].last) }
    /// The children in order.
    public func children(_ id: NodeID) -> [NodeID] {
        var result: [NodeID] = []
        var child = firstChild(id)
        while let node = child {
            result.append(node)
            child = nextSibling(node)
        }
        return result
    }
    /// The node after `id` in document order, inside `top`; nil at the end.
    @inlinable public func next(after id: NodeID, in top: NodeID) -> NodeID? {
        firstChild(id) ?? next(afterAllOf: id, in: top)
    }
    /// The node after `id` and all below it in document order, inside `top`; nil at the end.
    @inlinable public func next(afterAllOf id: NodeID, in top: NodeID) -> NodeID? {
        var node = id
        while node != top {
            if let sibling = nextSibling(node) { return sibling }
            guard let above = parent(node) else { return nil }
            node = above
        }
        return nil
    }
    /// All text below the node, as `textContent` of the DOM.
    public func textContent(_ id: NodeID) -> String {
        if kind(id) == .text { return text(id) }
        var result = ""
        var node = firstChild(id)
        while let current = node {
            if kind(current) == .text { result += text(current) }
            node = next(after: current, in: id)
        }
        return result
    }
    /// How many nodes were ever made; a bound for `index(of:)`.
    @inlinable public var nodeCount: Int { nodes.count }
    /// A number below `nodeCount` for the node, for tables kept beside the document.
    @inlinable public func index(of id: NodeID) -> Int { Int(id.index) }

    @inlinable func link(_ index: Int32) -> NodeID? { index < 0 ? nil : NodeID(index: index) }
}

// MARK: Changing

extension HTMLDocument {
    /// Makes an element that is not in the tree yet.
    public mutating func makeElement(_ name: String, _ attributes: [Attribute] = []) -> NodeID {
        var node = Node(kind: .element, value: name, attributes: attributes)
        node.tag = Self.tag(named: name)
        return make(node)
    }
    /// Makes a text node that is not in the tree yet.
    public mutating func makeText(_ text: String) -> NodeID { make(Node(kind: .text, value: text)) }
    /// Makes a comment node that is not in the tree yet.
    public mutating func makeComment(_ text: String) -> NodeID { make(Node(kind: .comment, value: text)) }

    private mutating func make(_ node: Node) -> NodeID {
        nodes.append(node)
        return NodeID(index: Int32(nodes.count - 1))
    }

    /// Replaces the element's attributes.
    @inlinable public mutating func setAttributes(_ attributes: [Attribute], of id: NodeID) {
        nodes[Int(id.index)].attributes = attributes
    }
    /// Replaces the text of a text or comment node.
    @inlinable public mutating func setText(_ text: String, of id: NodeID) { nodes[Int(id.index)].value = text }
    /// Adds to the end of a text node.
    @inlinable public mutating func appendText(_ text: String, to id: NodeID) { nodes[Int(id.index)].value += text }
    /// Renames an element.
    public mutating func setName(_ name: String, of id: NodeID) {
        nodes[Int(id.index)].value = name
        nodes[Int(id.index)].tag = Self.tag(named: name)
    }

    /// Puts the node at the end of the parent's children; it must not be in the tree.
    public mutating func append(_ id: NodeID, to parent: NodeID) { insert(id, into: parent, before: nil) }

    /// Puts the node before `sibling`, or at the end when nil; it must not be in the tree.
    public mutating func insert(_ id: NodeID, into parent: NodeID, before sibling: NodeID?) {
        let node = Int(id.index)
        let previous = sibling.map { nodes[Int($0.index)].previous } ?? nodes[Int(parent.index)].last
        nodes[node].parent = parent.index
        nodes[node].previous = previous
        nodes[node].next = sibling?.index ?? -1
        if previous >= 0 { nodes[Int(previous)].next = id.index } else { nodes[Int(parent.index)].first = id.index }
        if let sibling {
            nodes[Int(sibling.index)].previous = id.index
        } else {
            nodes[Int(parent.index)].last = id.index
        }
    }

    /// Takes the node and all below it out of the tree.
    public mutating func remove(_ id: NodeID) {
        let node = (
            parent: nodes[Int(id.index)].parent, previous: nodes[Int(id.index)].previous,
            next: nodes[Int(id.index)].next
        )
        if node.previous >= 0 {
            nodes[Int(node.previous)].next = node.next
        } else if node.parent >= 0 {
            nodes[Int(node.parent)].first = node.next
        }
        if node.next >= 0 {
            nodes[Int(node.next)].previous = node.previous
        } else if node.parent >= 0 {
            nodes[Int(node.parent)].last = node.previous
        }
        nodes[Int(id.index)].parent = -1
        nodes[Int(id.index)].previous = -1
        nodes[Int(id.index)].next = -1
    }

    /// Replaces the node by its children.
    public mutating func unwrap(_ id: NodeID) {
        let node = nodes[Int(id.index)]
        guard node.parent >= 0 else { return }
        if node.first < 0 { return remove(id) }
        var child = node.first
        while child >= 0 {
            nodes[Int(child)].parent = node.parent
            child = nodes[Int(child)].next
        }
        nodes[Int(node.first)].previous = node.previous
        nodes[Int(node.last)].next = node.next
        if node.previous >= 0 {
            nodes[Int(node.previous)].next = node.first
        } else {
            nodes[Int(node.parent)].first = node.first
        }
        if node.next >= 0 {
            nodes[Int(node.next)].previous = node.last
        } else {
            nodes[Int(node.parent)].last = node.last
        }
        nodes[Int(id.index)].parent = -1
        nodes[Int(id.index)].previous = -1
        nodes[Int(id.index)].next = -1
        nodes[Int(id.index)].first = -1
        nodes[Int(id.index)].last = -1
    }

    /// Takes all children of `id` out of the tree.
    public mutating func removeChildren(of id: NodeID) {
        while let child = lastChild(id) { remove(child) }
    }

    /// Moves all children of `source` to the end of the children of `target`.
    public mutating func moveChildren(of source: NodeID, to target: NodeID) {
        while let child = firstChild(source) {
            remove(child)
            append(child, to: target)
        }
    }

    /// Copies the top nodes of another document, and all below them, to the end of the children of `parent`.
    ///
    /// Returns the first one's copy. Their numbers (`index(of:)`) follow those that were there.
    @discardableResult
    public mutating func append(copyOf other: HTMLDocument, to parent: NodeID) -> NodeID? {
        guard let first = other.firstChild(other.root) else { return nil }
        let offset = Int32(nodes.count) - 1
        nodes.reserveCapacity(nodes.count + other.nodes.count)
        for node in other.nodes.dropFirst() {
            var node = node
            if node.parent == 0 {
                node.parent = parent.index
            } else if node.parent > 0 {
                node.parent += offset
            }
            if node.previous >= 0 { node.previous += offset }
            if node.next >= 0 { node.next += offset }
            if node.first >= 0 { node.first += offset }
            if node.last >= 0 { node.last += offset }
            nodes.append(node)
        }
        let last = nodes[Int(parent.index)].last
        nodes[Int(first.index + offset)].previous = last
        if last >= 0 {
            nodes[Int(last)].next = first.index + offset
        } else {
            nodes[Int(parent.index)].first = first.index + offset
        }
        nodes[Int(parent.index)].last = other.nodes[0].last + offset
        isRepaired = isRepaired || other.isRepaired
        return NodeID(index: first.index + offset)
    }
}
