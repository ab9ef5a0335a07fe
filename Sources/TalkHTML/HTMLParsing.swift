internal import CGumbo

/// Why a text was not read as HTML.
public enum HTMLError: Error, Hashable, Sendable {
    /// The nesting, or the number of open formatting elements, is beyond what is read.
    case tooDeep
    /// The text or its tree is larger than what is read; the limit in bytes.
    case tooLarge(limit: Int)
}

extension HTMLDocument {
    /// Parses the text of a `<body>` as HTML5 does; the top nodes are the body's children.
    ///
    /// Throws `HTMLError` for a text beyond the limits; never fails on bad markup.
    public init(parsing html: String) throws(HTMLError) {
        self.init()
        nodes.reserveCapacity(html.utf8.count / 16 + 16)
        var html = html
        html.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { bytes in
                var options = kGumboDefaultOptions
                options.max_errors = 0
                options.fragment_context = GUMBO_TAG_BODY
                guard let output = gumbo_parse_with_options(&options, bytes.baseAddress, bytes.count) else { return }
                defer { gumbo_destroy_output(&options, output) }
                var pending: [(UnsafeMutablePointer<GumboNode>, NodeID)] = []
                func push(_ vector: GumboVector, _ parent: NodeID) {
                    for i in (0..<Int(vector.length)).reversed() {
                        pending.append((vector.data[i]!.assumingMemoryBound(to: GumboNode.self), parent))
                    }
                }
                push(output.pointee.root.pointee.v.element.children, root)
                while let (node, parent) = pending.popLast() {
                    switch node.pointee.type {
                    case GUMBO_NODE_TEXT, GUMBO_NODE_WHITESPACE, GUMBO_NODE_CDATA:
                        append(makeText(String(cString: node.pointee.v.text.text)), to: parent)
                    case GUMBO_NODE_COMMENT:
                        append(makeComment(String(cString: node.pointee.v.text.text)), to: parent)
                    case GUMBO_NODE_ELEMENT, GUMBO_NODE_TEMPLATE:
                        let element = makeElement(Self.name(of: node), Self.attributes(of: node))
                        append(element, to: parent)
                        push(node.pointee.v.element.children, element)
                    default: break
                    }
                }
            }
        }
    }

    private static func name(of node: UnsafeMutablePointer<GumboNode>) -> String {
        let element = node.pointee.v.element
        if element.tag != GUMBO_TAG_UNKNOWN { return String(cString: gumbo_normalized_tagname(element.tag)) }
        var piece = element.original_tag
        gumbo_tag_from_original_text(&piece)
        return String(decoding: UnsafeRawBufferPointer(start: piece.data, count: piece.length), as: UTF8.self)
            .lowercased()
    }

    private static func attributes(of node: UnsafeMutablePointer<GumboNode>) -> [Attribute] {
        let vector = node.pointee.v.element.attributes
        return (0..<Int(vector.length)).map {
            let attribute = vector.data[$0]!.assumingMemoryBound(to: GumboAttribute.self).pointee
            return Attribute(String(cString: attribute.name), String(cString: attribute.value))
        }
    }
}
