internal import TalkHTML

/// The text of a page file, with what stands around its body when it is a whole HTML document.
package struct PageText: Sendable {
    /// Up to and with the start tag of the body; empty for a fragment.
    package var head: Substring
    /// What the body holds.
    package var body: Substring
    /// From the end tag of the body on; empty for a fragment.
    package var tail: Substring

    /// Takes the text apart.
    package init(_ text: String) {
        head = ""
        body = text[...]
        tail = ""
        let start = text.drop { $0.isWhitespace }.prefix(9).lowercased()
        guard start.hasPrefix("<!doctype") || start.hasPrefix("<html"), let open = Self.bodyTagEnd(text) else { return }
        head = text[..<open]
        body = text[open...]
        let bytes = body.utf8
        // The last one: text of the page cannot hold it unescaped.
        guard let close = bytes.ranges(of: "</body".utf8).last?.lowerBound else { return }
        tail = body[close...]
        body = body[..<close]
    }

    /// Behind the `>` of the body's start tag, whose attributes may hold that character too.
    private static func bodyTagEnd(_ text: String) -> String.Index? {
        var rest = text.utf8[...]
        while let tag = rest.firstRange(of: "<body".utf8) {
            rest = rest[tag.upperBound...]
            guard let next = rest.first, next.isHTMLSpace || next == UInt8(ascii: ">") else { continue }
            var quote: UInt8?
            for index in rest.indices {
                let byte = rest[index]
                if let open = quote {
                    if byte == open { quote = nil }
                } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                    quote = byte
                } else if byte == UInt8(ascii: ">") {
                    return rest.index(after: index)
                }
            }
            return nil
        }
        return nil
    }
}

extension ThreadParser {
    /// Parses the text of a page, a fragment or a whole document.
    package func parse(text: String) throws(TalkError) -> ThreadTree {
        parse(try HTMLDocument(page: String(PageText(text).body)))
    }
}

extension HTMLDocument {
    /// Parses the body of a page; throws for one beyond the limits.
    init(page body: String) throws(TalkError) {
        do {
            try self.init(parsing: body)
        } catch {
            let reason =
                switch error {
                case .tooDeep: "its elements are nested too deeply"
                case .tooLarge(let limit): "it is larger than \(limit) bytes"
                }
            throw TalkError(
                .invalid, "The page is not read as HTML, because \(reason)",
                hint: "Look at the page on the wiki; it may have been damaged.", underlying: error)
        }
    }
}
