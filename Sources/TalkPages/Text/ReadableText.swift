internal import TalkHTML

/// A page, or a piece of it, as text to be read: what a browser shows, without its looks.
///
/// One line a block, with the marks of `HTMLText`.
public enum ReadableText {
    /// The text of a stored file; headings are marked as in wikitext.
    ///
    /// Throws for HTML that is too large or nested too deeply.
    public static func text(of html: String) throws(TalkError) -> String {
        let document = try HTMLDocument(page: html)
        var options = HTMLText.Options()
        options.isDense = true
        options.marksHeadings = true
        return HTMLText.plainText(of: document.root, in: document, options: options)
    }

    /// The body of a comment, up to its last signature; nil when its words in a row are all there is to it.
    static func ofBody(_ outline: PageOutline, _ item: ScannedItem) -> String? {
        guard let signature = item.signatures.last, signature.first > item.start,
            isWanted(outline, from: item.start, until: signature.first)
        else { return nil }
        let last = DiscussionText.lastText(outline, from: item.start, until: signature.first)
        var walk = BodyWalk(outline, first: item.start, limit: signature.first, last: last)
        return walk.text()
    }

    /// Elements that do not change how a text reads.
    private static let plain: Set<String> = [
        "a", "abbr", "b", "bdi", "bdo", "big", "cite", "em", "font", "i", "ins", "mark", "q", "small", "span", "strong",
        "sub", "sup", "u", "var", "wbr", "link", "meta", "style",
    ]

    /// Whether anything in the range, or around its first text, reads otherwise than its words in a row.
    private static func isWanted(_ outline: PageOutline, from first: Int, until limit: Int) -> Bool {
        for node in first..<limit {
            switch outline.kind(node) {
            case .text, .comment, .a, .span, .link, .meta, .style: continue
            default: if !plain.contains(outline.name(node)) { return true }
            }
        }
        return !BodyWalk.around(first, outline).isEmpty
    }
}

/// Goes through the body of a comment and writes its text.
private struct BodyWalk {
    private let outline: PageOutline
    private let first: Int
    private let limit: Int
    /// The text from which the dashes before the signature are cut.
    private let last: Int?
    private var writer: HTMLText
    /// The elements that were begun and not ended yet.
    private var open: [Int] = []

    init(_ outline: PageOutline, first: Int, limit: Int, last: Int?) {
        self.outline = outline
        self.first = first
        self.limit = limit
        self.last = last
        var options = HTMLText.Options()
        options.isDense = true
        writer = HTMLText(options: options)
    }

    /// The elements within the paragraph around the comment's first text that put marks around it, the outermost first.
    static func around(_ first: Int, _ outline: PageOutline) -> [Int] {
        var elements: [Int] = []
        var node = outline.parent(first)
        while node > 0, !outline.has(.block, node) {
            if ["s", "strike", "del", "code", "tt", "kbd", "samp"].contains(outline.name(node)) {
                elements.append(node)
            }
            node = outline.parent(node)
        }
        return elements.reversed()
    }

    mutating func text() -> String {
        for node in Self.around(first, outline) { begin(node) }
        var within = outline.parent(first)
        var next: Int? = first
        while true {
            if let node = next {
                if node >= limit { break }
                if node != first && outline.has(.pending, node) {
                    next = outline.next(node)
                    continue
                }
                if outline.kind(node) == .text {
                    let text = outline.text(node)
                    writer.append(node == last ? String(DiscussionText.withoutSeparator(text)) : text)
                } else if outline.isElement(node) {
                    begin(node)
                }
                within = node
                next = outline.kind(node) == .comment ? nil : outline.first(node)
            } else {
                if within <= 0 { break }
                end(within)
                next = outline.next(within)
                within = outline.parent(within)
            }
        }
        while let node = open.popLast() { writer.close(outline.entries[node].node, in: outline.document) }
        return writer.result
    }

    private mutating func begin(_ node: Int) {
        // The lists around a comment only say how deep it stands.
        if isAround(node) { return writer.endLine() }
        writer.open(outline.entries[node].node, in: outline.document)
        open.append(node)
    }

    private mutating func end(_ node: Int) {
        if open.last == node {
            open.removeLast()
            writer.close(outline.entries[node].node, in: outline.document)
        } else if outline.isElement(node), outline.has(.block, node) {
            writer.endLine()
        }
    }

    /// Whether it is an item of a list that began before the comment.
    private func isAround(_ node: Int) -> Bool {
        switch outline.kind(node) {
        case .li, .dd, .dt: outline.parent(node) < first
        default: false
        }
    }
}

extension PageOutline {
    /// The name of an element; empty for other nodes.
    fileprivate func name(_ index: Int) -> String { document.name(entries[index].node) }
}
