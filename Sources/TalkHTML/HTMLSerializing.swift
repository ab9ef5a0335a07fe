extension HTMLDocument {
    /// Elements that have no end tag.
    static let voidElements: Set<String> = [
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr",
    ]

    /// The HTML of the node's children.
    public func innerHTML(_ id: NodeID) -> String {
        var out = ""
        var child = firstChild(id)
        while let node = child {
            write(node, to: &out)
            child = nextSibling(node)
        }
        return out
    }

    /// The HTML of the node itself.
    public func outerHTML(_ id: NodeID) -> String {
        var out = ""
        write(id, to: &out)
        return out
    }

    /// Appends the node's HTML; walks without recursion, since a page may be nested deeply.
    public func write(_ top: NodeID, to out: inout String) {
        var node = top
        while true {
            var descend: NodeID?
            switch kind(node) {
            case .root: descend = firstChild(node)
            case .text: Self.escape(text(node), to: &out, inAttribute: false)
            case .comment: out += "<!--\(text(node))-->"
            case .element:
                out += "<\(name(node))"
                for attribute in attributes(node) {
                    out += " \(attribute.name)=\""
                    Self.escape(attribute.value, to: &out, inAttribute: true)
                    out += "\""
                }
                out += ">"
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

    private func writeEnd(_ id: NodeID, to out: inout String) {
        if kind(id) == .element, !Self.voidElements.contains(name(id)) { out += "</\(name(id))>" }
    }

    static func escape(_ text: String, to out: inout String, inAttribute: Bool) {
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": out += "&amp;"
            case "<" where !inAttribute: out += "&lt;"
            case ">" where !inAttribute: out += "&gt;"
            case "\"" where inAttribute: out += "&quot;"
            case "\u{A0}": out += "&nbsp;"
            default: out.unicodeScalars.append(scalar)
            }
        }
    }
}
