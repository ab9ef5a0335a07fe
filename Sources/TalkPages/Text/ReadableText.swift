internal import TalkHTML

/// A page, or a piece of it, as text to be read: what a browser shows, without its looks.
///
/// A block is a line. Lists keep their marks (`* `, `1. `), quotations have `> ` and indented lines two spaces before
/// each line, the cells of a row are divided by ` | `, an image is its alternative text in brackets, code stands between
/// grave accents and what is struck out between `~~`. A link is its text. Collapsed parts are shown.
public enum ReadableText {
    /// The text of a stored file, one line a block; headings are marked as in wikitext.
    ///
    /// Throws for HTML that is too large or nested too deeply.
    public static func text(of html: String) throws(TalkError) -> String {
        let outline = PageOutline(try HTMLDocument(page: html))
        guard outline.count > 1 else { return "" }
        var walk = TextWalk(outline, first: 1, limit: outline.count)
        return walk.text()
    }

    /// The body of a comment, up to its last signature; nil when its words in a row are all there is to it.
    static func ofBody(_ outline: PageOutline, _ item: ScannedItem) -> String? {
        guard let signature = item.signatures.last, signature.first > item.start,
            TextWalk.isWanted(outline, from: item.start, until: signature.first)
        else { return nil }
        let last = DiscussionText.lastText(outline, from: item.start, until: signature.first)
        var walk = TextWalk(outline, first: item.start, limit: signature.first, withoutSeparatorAfter: last)
        return walk.text()
    }
}

/// Goes through a range of an outline and writes its text.
private struct TextWalk {
    private let outline: PageOutline
    private let first: Int
    private let limit: Int
    private let last: Int?
    private var writer = TextWriter()
    /// How many items a list has had, by its element.
    private var itemCounts: [Int: Int] = [:]
    private var preformatted = 0
    /// Marks that were opened before the range, or are not closed in it.
    private var openMarks: [String] = []
    private var hasFormula = false

    init(_ outline: PageOutline, first: Int, limit: Int, withoutSeparatorAfter last: Int? = nil) {
        self.outline = outline
        self.first = first
        self.limit = limit
        self.last = last
    }

    private static func layout(_ outline: PageOutline, _ node: Int) -> TextLayout {
        switch outline.kind(node) {
        case .text, .comment, .root, .a, .span, .link, .meta: .inline
        default: TextLayout.of(outline.document.name(outline.entries[node].node))
        }
    }

    /// Whether anything in the range, or around its first text, makes a difference.
    static func isWanted(_ outline: PageOutline, from first: Int, until limit: Int) -> Bool {
        for node in first..<limit {
            if case .inline = layout(outline, node) { continue }
            return true
        }
        return marksAround(first, outline).isEmpty == false
    }

    /// Marks of the elements in which the range begins.
    private static func marksAround(_ first: Int, _ outline: PageOutline) -> [String] {
        var marks: [String] = []
        var node = outline.parent(first)
        while node > 0, !outline.has(.block, node) {
            if case .marked(let mark) = layout(outline, node) { marks.append(mark) }
            node = outline.parent(node)
        }
        return marks.reversed()
    }

    mutating func text() -> String {
        for mark in first > 1 ? Self.marksAround(first, outline) : [] { open(mark) }
        var within = outline.parent(first)
        var next: Int? = first
        while true {
            if let node = next {
                if node >= limit { break }
                let layout = Self.layout(outline, node)
                if isLeftOut(node, layout) {
                    next = outline.next(node)
                    continue
                }
                begin(node, layout)
                within = node
                next = hasOwnText(node, layout) ? nil : outline.first(node)
            } else {
                if within <= 0 { break }
                end(within, Self.layout(outline, within))
                next = outline.next(within)
                within = outline.parent(within)
            }
        }
        for mark in openMarks.reversed() { writer.close(mark: mark) }
        writer.endLine()
        return writer.text
    }

    private func isLeftOut(_ node: Int, _ layout: TextLayout) -> Bool {
        if case .hidden = layout { return true }
        return outline.has(.hidden, node) || first > 1 && node != first && outline.has(.pending, node)
    }

    /// Whether what stands in the node was told by itself, or is not shown.
    private func hasOwnText(_ node: Int, _ layout: TextLayout) -> Bool {
        if case .formula = layout { return attribute("alttext", of: node) != nil }
        return outline.kind(node) == .comment
    }

    private func attribute(_ name: String, of node: Int) -> String? {
        outline.document.attribute(name, of: outline.entries[node].node)
    }

    // MARK: Elements

    private mutating func begin(_ node: Int, _ layout: TextLayout) {
        switch layout {
        case .inline:
            guard outline.kind(node) == .text else { break }
            let text = outline.text(node)
            if preformatted > 0 {
                writer.addPreformatted(text)
            } else if node == last {
                writer.add(DiscussionText.withoutSeparator(text))
            } else {
                writer.add(text)
            }
        case .block, .heading, .lineBreak, .bulletList, .numberedList, .definitionList, .row: writer.endLine()
        case .rule:
            writer.endLine()
            writer.add("----")
            writer.endLine()
        case .listItem, .definition:
            let list = outline.parent(node)
            if isInside(list) {
                let mark = mark(of: node, in: list)
                writer.push(mark, String(repeating: " ", count: mark.count))
            } else {
                writer.endLine()
            }
        case .quotation: writer.push("> ", "> ")
        case .preformatted:
            writer.endLine()
            preformatted += 1
        case .cell: writer.beginCell(isFirst: !followsCell(node))
        case .image: beginImage(node)
        case .formula:
            guard let formula = attribute("alttext", of: node) else { break }
            writer.add(formula)
            hasFormula = true
        case .marked(let mark): if preformatted == 0 { open(mark) }
        case .hidden: break
        }
    }

    private mutating func end(_ node: Int, _ layout: TextLayout) {
        switch layout {
        case .block, .bulletList, .numberedList, .definitionList: writer.endLine()
        case .heading(let level):
            if node >= first { writer.endHeading(mark: String(repeating: "=", count: level)) }
        case .listItem, .definition:
            if node >= first, isInside(outline.parent(node)) { writer.pop() } else { writer.endLine() }
        case .quotation: if node >= first { writer.pop() } else { writer.endLine() }
        case .preformatted:
            writer.endLine()
            if node >= first { preformatted -= 1 }
        case .row: writer.endRow()
        case .marked(let mark):
            guard preformatted == 0, openMarks.last == mark else { break }
            openMarks.removeLast()
            writer.close(mark: mark)
        case .cell, .inline, .lineBreak, .rule, .image, .formula, .hidden: break
        }
    }

    /// Whether a list belongs to the text; the lists around a comment only say how deep it stands.
    private func isInside(_ list: Int) -> Bool { list >= first && outline.kind(list).isList }

    private func followsCell(_ node: Int) -> Bool {
        var before = outline.previous(node)
        while let node = before, !outline.isElement(node) { before = outline.previous(node) }
        guard let before, case .cell = Self.layout(outline, before) else { return false }
        return true
    }

    private mutating func mark(of node: Int, in list: Int) -> String {
        itemCounts[list, default: 0] += 1
        return switch outline.kind(list) {
        case .ul: "* "
        case .ol: "\(itemCounts[list] ?? 1). "
        default: "  "
        }
    }

    private mutating func open(_ mark: String) {
        openMarks.append(mark)
        writer.open(mark: mark)
    }

    private mutating func beginImage(_ node: Int) {
        defer { hasFormula = false }
        // The picture of a formula that was there as MathML.
        if hasFormula, attribute("class", of: node)?.hasPrefix("mwe-math-fallback") == true { return }
        guard let alternative = attribute("alt", of: node) else { return writer.add("[image]") }
        let text = alternative.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        // An emoji that a wiki draws itself.
        if !text.isEmpty { writer.add(text.count == 1 ? text : "[\(text)]") }
    }
}
