/// An HTML tree in one array of nodes, a value without pointers.
///
/// Nodes are named by index; the links between them are kept both ways, so that a reader can walk forwards, backwards
/// and upwards. Removing a node unlinks it; its slot stays unused until the document goes.
public struct HTMLDocument: Sendable {
    /// A node's place in its document; means nothing in another one.
    public struct NodeID: Hashable, Sendable {
        /// Index in the node array.
        let index: Int32
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
        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    struct Node: Sendable {
        var kind: Kind
        /// The element's name, or the text of a text or comment node.
        var value: String
        var attributes: [Attribute] = []
        var parent: Int32 = -1
        var previous: Int32 = -1
        var next: Int32 = -1
        var first: Int32 = -1
        var last: Int32 = -1
    }

    var nodes: [Node]

    /// An empty document.
    public init() { nodes = [Node(kind: .root, value: "")] }

    /// The root, parent of the top nodes.
    public var root: NodeID { NodeID(index: 0) }
}

// MARK: Reading

extension HTMLDocument {
    /// What the node is.
    public func kind(_ id: NodeID) -> Kind { nodes[Int(id.index)].kind }
    /// The element's lower-case name; empty for other nodes.
    public func name(_ id: NodeID) -> String {
        nodes[Int(id.index)].kind == .element ? nodes[Int(id.index)].value : ""
    }
    /// The text of a text or comment node; empty for other nodes.
    public func text(_ id: NodeID) -> String {
        nodes[Int(id.index)].kind == .element ? "" : nodes[Int(id.index)].value
    }
    /// The element's attributes in source order.
    public func attributes(_ id: NodeID) -> [Attribute] { nodes[Int(id.index)].attributes }
    /// The attribute's value, or nil when the element lacks it.
    public func attribute(_ name: String, of id: NodeID) -> String? {
        for attribute in nodes[Int(id.index)].attributes where attribute.name == name { return attribute.value }
        return nil
    }
    /// The parent; nil for the root and for a removed node.
    public func parent(_ id: NodeID) -> NodeID? { link(nodes[Int(id.index)].parent) }
    /// The sibling before.
    public func previousSibling(_ id: NodeID) -> NodeID? { link(nodes[Int(id.index)].previous) }
    /// The sibling after.
    public func nextSibling(_ id: NodeID) -> NodeID? { link(nodes[Int(id.index)].next) }
    /// The first child.
    public func firstChild(_ id: NodeID) -> NodeID? { link(nodes[Int(id.index)].first) }
    /// The last child.
    public func lastChild(_ id: NodeID) -> NodeID? { link(nodes[Int(id.index)].last) }
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

    private func link(_ index: Int32) -> NodeID? { index < 0 ? nil : NodeID(index: index) }
}

// MARK: Changing

extension HTMLDocument {
    /// Makes an element that is not in the tree yet.
    public mutating func makeElement(_ name: String, _ attributes: [Attribute] = []) -> NodeID {
        make(Node(kind: .element, value: name, attributes: attributes))
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
    public mutating func setAttributes(_ attributes: [Attribute], of id: NodeID) {
        nodes[Int(id.index)].attributes = attributes
    }
    /// Replaces the text of a text or comment node.
    public mutating func setText(_ text: String, of id: NodeID) { nodes[Int(id.index)].value = text }
    /// Renames an element.
    public mutating func setName(_ name: String, of id: NodeID) { nodes[Int(id.index)].value = name }

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
        if let sibling { nodes[Int(sibling.index)].previous = id.index } else { nodes[Int(parent.index)].last = id.index }
    }

    /// Takes the node and all below it out of the tree.
    public mutating func remove(_ id: NodeID) {
        let node = nodes[Int(id.index)]
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
        guard let parent = parent(id) else { return }
        while let child = firstChild(id) {
            remove(child)
            insert(child, into: parent, before: id)
        }
        remove(id)
    }
}
