extension HTMLDocument {
    /// The HTML of the node's children.
    public func innerHTML(_ id: NodeID) -> String {
        var out = HTMLBuffer()
        var child = firstChild(id)
        while let node = child {
            write(node, to: &out)
            child = nextSibling(node)
        }
        return out.string
    }

    /// The HTML of the node itself.
    public func outerHTML(_ id: NodeID) -> String {
        var out = HTMLBuffer()
        write(id, to: &out)
        return out.string
    }

    /// Appends the node's HTML.
    public func write(_ id: NodeID, to out: inout String) { out += outerHTML(id) }

    /// Appends the node's HTML; walks without recursion, since a page may be nested deeply.
    public func write(_ top: NodeID, to out: inout HTMLBuffer) {
        var node = top
        while true {
            var descend: NodeID?
            switch kind(node) {
            case .root: descend = firstChild(node)
            case .text:
                if let parent = parent(node), isRawText(parent) {
                    out.append(raw: text(node))
                } else {
                    out.append(text: text(node))
                }
            case .comment:
                out.append(raw: "<!--")
                out.append(raw: text(node))
                out.append(raw: "-->")
            case .element:
                writeStart(node, to: &out)
                descend = firstChild(node)
                if descend == nil { writeEnd(node, to: &out) }
            }
            if let descend {
                node = descend
                continue
            }
            while true {
                if node == top { return }
                if let sibling = nextSibling(node) {
                    node = sibling
                    break
                }
                guard let above = parent(node) else { return }
                node = above
                writeEnd(node, to: &out)
            }
        }
    }

    /// Appends the element's start tag.
    public func writeStart(_ id: NodeID, to out: inout HTMLBuffer) {
        writeStart(id, attributes: attributes(id), to: &out)
    }

    /// Appends a start tag with the element's name and other attributes than its own.
    public func writeStart(_ id: NodeID, attributes: [Attribute], to out: inout HTMLBuffer) {
        out.append(byte: UInt8(ascii: "<"))
        out.append(raw: name(id))
        for attribute in attributes {
            out.append(byte: UInt8(ascii: " "))
            out.append(raw: attribute.name)
            out.append(raw: "=\"")
            out.append(attribute: attribute.value)
            out.append(byte: UInt8(ascii: "\""))
        }
        out.append(byte: UInt8(ascii: ">"))
        // A parser drops one newline here.
        switch name(id) {
        case "pre", "textarea", "listing":
            if let first = firstChild(id), kind(first) == .text, text(first).utf8.first == UInt8(ascii: "\n") {
                out.append(byte: UInt8(ascii: "\n"))
            }
        default: break
        }
    }

    /// Appends the element's end tag, unless it has none.
    public func writeEnd(_ id: NodeID, to out: inout HTMLBuffer) {
        guard kind(id) == .element, !Self.voidElements.contains(name(id)) else { return }
        out.append(raw: "</")
        out.append(raw: name(id))
        out.append(byte: UInt8(ascii: ">"))
    }

    /// Whether text below the element is written as it is.
    private func isRawText(_ id: NodeID) -> Bool {
        guard kind(id) == .element else { return false }
        switch name(id) {
        case "style", "script", "xmp", "iframe", "noembed", "noframes", "plaintext": return true
        default: return false
        }
    }

    /// Elements that have no end tag.
    static let voidElements: Set<String> = [
        "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "img", "input", "keygen", "link",
        "menuitem", "meta", "param", "source", "track", "wbr",
    ]
}
