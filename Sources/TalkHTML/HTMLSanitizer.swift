/// Writes HTML of a wiki for a browser: what is listed here, and nothing else.
///
/// Nothing from a page is trusted. Elements that are not listed give way to their content, or go with it where the
/// content is no text of the page. What comes out has no script, no form, no comment, no raw text, no other namespace,
/// and cannot close an element of the page it is put into, as long as that is a block.
public struct HTMLSanitizer: Sendable {
    /// Put before each id, so that a page cannot take one that the reader uses.
    public var idPrefix = "wiki-"
    /// Whether images are fetched; otherwise their text stands for them.
    public var showsImages = true
    /// Words of `class` that are kept beside those of MediaWiki.
    public var classes: Set<String> = []
    /// The address to give the browser, made absolute for instance; nil drops it.
    ///
    /// Asked only for addresses that are safe by themselves; what it answers is checked again.
    public var resolve: @Sendable (String) -> String? = { $0 }

    /// Keeps what a talk page needs.
    public init() {}

    /// Safe HTML of a text of HTML.
    ///
    /// Throws `HTMLError` for a text beyond the limits.
    public func html(_ html: String) throws(HTMLError) -> String {
        let document = try HTMLDocument(parsing: html)
        return self.html(childrenOf: document.root, in: document)
    }

    /// Safe HTML of the node's children.
    public func html(childrenOf top: HTMLDocument.NodeID, in document: HTMLDocument) -> String {
        var writer = Writer(sanitizer: self, document: document)
        var child = document.firstChild(top)
        while let node = child {
            writer.write(node)
            child = document.nextSibling(node)
        }
        return writer.out.string
    }

    /// Safe HTML of the node itself.
    public func html(of node: HTMLDocument.NodeID, in document: HTMLDocument) -> String {
        var writer = Writer(sanitizer: self, document: document)
        writer.write(node)
        return writer.out.string
    }
}

extension HTMLSanitizer {
    private struct Writer {
        let sanitizer: HTMLSanitizer
        let document: HTMLDocument
        var out = HTMLBuffer()
        /// Names under which the open elements were written; nil for those that were left out.
        private var open: [String?] = []
        private var written: [String] = []
        private var openLinks = 0

        init(sanitizer: HTMLSanitizer, document: HTMLDocument) {
            self.sanitizer = sanitizer
            self.document = document
        }

        mutating func write(_ top: HTMLDocument.NodeID) {
            var node = top
            while true {
                var descend: HTMLDocument.NodeID?
                switch document.kind(node) {
                case .text: out.append(text: document.text(node))
                case .comment: break
                case .root: descend = document.firstChild(node)
                case .element:
                    if !Rules.dropped.contains(document.name(node)) {
                        let name = writeStart(node)
                        descend = document.firstChild(node)
                        if descend == nil { writeEnd(name) } else { open.append(name) }
                    }
                }
                if let descend {
                    node = descend
                    continue
                }
                while true {
                    if node == top { return }
                    if let sibling = document.nextSibling(node) {
                        node = sibling
                        break
                    }
                    guard let parent = document.parent(node) else { return }
                    node = parent
                    if document.kind(node) == .element { writeEnd(open.removeLast()) }
                }
            }
        }

        private mutating func writeStart(_ node: HTMLDocument.NodeID) -> String? {
            var name = document.name(node)
            if name == "img", !sanitizer.showsImages || document.attribute("src", of: node).flatMap(address) == nil {
                out.append(text: document.attribute("alt", of: node) ?? "")
                return nil
            }
            guard let own = Rules.elements[name] else { return nil }
            // Outside their lists and tables these would end elements of the page around.
            if let parents = Rules.parents[name], !parents.contains(written.last ?? "") {
                guard name == "li" || name == "dd" || name == "dt" else { return nil }
                name = "div"
            }
            // A link inside a link ends the outer one.
            if name == "a" {
                if openLinks > 0 { return nil }
                openLinks += 1
            }
            out.append(raw: "<\(name)")
            var isLink = false
            for attribute in document.attributes(node) {
                guard Rules.everywhere.contains(attribute.name) || own.contains(attribute.name),
                    let value = value(of: attribute)
                else { continue }
                if attribute.name == "href" { isLink = true }
                out.append(raw: " \(attribute.name)=\"")
                out.append(attribute: value)
                out.append(raw: "\"")
            }
            if isLink { out.append(raw: " rel=\"nofollow noopener noreferrer\"") }
            if name == "img" { out.append(raw: " loading=\"lazy\" referrerpolicy=\"no-referrer\"") }
            out.append(raw: ">")
            if Rules.void.contains(name) { return nil }
            written.append(name)
            return name
        }

        private mutating func writeEnd(_ name: String?) {
            guard let name else { return }
            out.append(raw: "</\(name)>")
            written.removeLast()
            if name == "a" { openLinks -= 1 }
        }

        private func value(of attribute: HTMLDocument.Attribute) -> String? {
            switch attribute.name {
            case "href":
                if attribute.value.utf8.first == UInt8(ascii: "#") {
                    return "#\(sanitizer.idPrefix)\(attribute.value.dropFirst())"
                }
                return address(attribute.value)
            case "src": return address(attribute.value)
            case "id": return attribute.value.isEmpty ? nil : sanitizer.idPrefix + attribute.value
            case "class": return classes(attribute.value)
            case "style": return StyleRules.safe(attribute.value)
            case "dir": return ["ltr", "rtl", "auto"].contains(attribute.value) ? attribute.value : nil
            default: return attribute.value
            }
        }

        private func classes(_ value: String) -> String? {
            let words = value.utf8.split(whereSeparator: HTMLTagName.isSpace).map { String(Substring($0)) }
            let kept = words.filter {
                $0.hasPrefix("mw-") || Rules.classes.contains($0) || sanitizer.classes.contains($0)
            }
            return kept.isEmpty ? nil : kept.joined(separator: " ")
        }

        private func address(_ address: String) -> String? {
            guard HTMLSanitizer.isSafeAddress(address), let resolved = sanitizer.resolve(address),
                HTMLSanitizer.isSafeAddress(resolved)
            else { return nil }
            return resolved
        }
    }

    /// Whether a browser takes the address for one without a scheme, or with a scheme that runs nothing.
    static func isSafeAddress(_ address: String) -> Bool {
        // As the URL standard does: no white space and control characters around, no tab and newline inside.
        var scheme = ""
        for scalar in address.unicodeScalars {
            switch scalar {
            case "\t", "\n", "\r": continue
            case "\0"..." " where scheme.isEmpty: continue
            case "a"..."z", "A"..."Z", "0"..."9", "+", "-", ".": scheme.unicodeScalars.append(scalar)
            case ":": return ["http", "https", "mailto", "irc", "ircs", "tel"].contains(scheme.lowercased())
            default: return true
            }
        }
        return true
    }
}
