/// Turns HTML into text with line breaks, list marks and quotes, for a terminal and for search.
///
/// Works on events, so that a part of a tree can be written as well: `open` and `close` for each element, `append` for
/// its text. Lists keep their marks, quotations have `> ` before each line, the cells of a row are divided by ` | `, an
/// image is its alternative text in brackets, code stands between grave accents and what is struck out between `~~`.
/// Collapsed parts are shown; what never is on a page is left out.
public struct HTMLText: Sendable {
    /// What is written beside the text.
    public struct Options: Hashable, Sendable {
        /// Whether a block is one line and no line is left empty, so that texts can be compared by line.
        public var isDense = false
        /// Whether headings are marked as in wikitext, `== Heading ==`.
        public var marksHeadings = false

        /// Text alone.
        public init() {}
    }

    /// What stands before each line inside an element.
    private struct Margin {
        var first: String
        let rest: String
    }

    private let options: Options
    private var text = ""
    private var margins: [Margin] = []
    /// The next numbers of the lists that are open, -1 for those without.
    private var lists: [Int] = []
    /// Line breaks to write before the next text; 2 leaves a line empty.
    private var breaks = 0
    private var needsSpace = false
    private var preformatted = 0
    private var hidden = 0
    /// Marks to write before the next word.
    private var openMarks = ""
    /// Whether a cell began and nothing stands in it yet, so that its first block stays on the row's line.
    private var isAtCellStart = false
    /// Whether the next cell of the row stands on its line, whatever blocks the last one ended with.
    private var isInRow = false

    /// Starts with no text.
    public init(options: Options = Options()) { self.options = options }

    /// The text so far, without white space at its ends.
    public var result: String {
        var end = text.endIndex
        while end > text.startIndex, text[text.index(before: end)].isWhitespace { end = text.index(before: end) }
        return String(text[..<end])
    }

    /// The text of a node and of all below it.
    public static func plainText(
        of top: HTMLDocument.NodeID, in document: HTMLDocument, options: Options = Options()
    ) -> String {
        var writer = HTMLText(options: options)
        var node = top
        while true {
            switch document.kind(node) {
            case .text: writer.append(document.text(node))
            case .element: writer.open(node, in: document)
            case .comment, .root: break
            }
            if let child = document.firstChild(node) {
                node = child
                continue
            }
            if document.kind(node) == .element { writer.close(node, in: document) }
            while true {
                if node == top { return writer.result }
                if let sibling = document.nextSibling(node) {
                    node = sibling
                    break
                }
                guard let parent = document.parent(node) else { return writer.result }
                node = parent
                if document.kind(node) == .element { writer.close(node, in: document) }
            }
        }
    }

    /// Begins an element.
    public mutating func open(_ node: HTMLDocument.NodeID, in document: HTMLDocument) {
        let name = document.name(node)
        if Self.isHidden(node, in: document) { hidden += 1 }
        switch name {
        case "h1", "h2", "h3", "h4", "h5", "h6":
            breakLine(2)
            if options.marksHeadings { openMarks += Self.headingMark(name) + " " }
        case "p", "table", "pre": breakLine(2)
        case "ul", "ol", "dl":
            breakLine(lists.isEmpty ? 2 : 1)
            let start = document.attribute("start", of: node).flatMap { Int($0) } ?? 1
            lists.append(name == "ol" ? max(start, 0) : -1)
        case "li":
            breakLine(1)
            if let last = lists.indices.last, lists[last] >= 0 {
                let mark = "\(lists[last]). "
                lists[last] += lists[last] < .max ? 1 : 0
                indent(first: mark, rest: String(repeating: " ", count: mark.utf8.count))
            } else {
                indent(first: "* ", rest: "  ")
            }
        case "dd":
            breakLine(1)
            indent(first: "  ", rest: "  ")
        case "blockquote":
            breakLine(2)
            indent(first: "> ", rest: "> ")
        case "br": if hidden == 0 { breaks = min(breaks + 1, 2) }
        case "hr":
            breakLine(1)
            append("----")
            breakLine(1)
        case "td", "th": openCell()
        case "img": appendImage(document.attribute("alt", of: node))
        case "math":
            // MathML has the formula's letters and its source; the source is enough.
            guard let formula = document.attribute("alttext", of: node) else { break }
            append(formula)
            hidden += 1
        case "s", "strike", "del": open(mark: "~~")
        case "code", "tt", "kbd", "samp": if preformatted == 0 { open(mark: "`") }
        default: if Self.blocks.contains(name) { breakLine(1) }
        }
        if name == "pre" || name == "textarea" { preformatted += 1 }
    }

    /// Ends an element.
    public mutating func close(_ node: HTMLDocument.NodeID, in document: HTMLDocument) {
        let name = document.name(node)
        switch name {
        case "h1", "h2", "h3", "h4", "h5", "h6":
            if options.marksHeadings { close(mark: Self.headingMark(name), space: " ") }
            breakLine(2)
        case "p", "table", "pre": breakLine(2)
        case "tr":
            isInRow = false
            isAtCellStart = false
            breakLine(1)
        case "ul", "ol", "dl":
            _ = lists.popLast()
            breakLine(lists.isEmpty ? 2 : 1)
        case "li", "dd":
            _ = margins.popLast()
            breakLine(1)
        case "blockquote":
            _ = margins.popLast()
            breakLine(2)
        case "s", "strike", "del": close(mark: "~~")
        case "code", "tt", "kbd", "samp": if preformatted == 0 { close(mark: "`") }
        case "math": if document.attribute("alttext", of: node) != nil { hidden = max(0, hidden - 1) }
        default: if Self.blocks.contains(name) { breakLine(1) }
        }
        if name == "pre" || name == "textarea" { preformatted = max(0, preformatted - 1) }
        if Self.isHidden(node, in: document) { hidden = max(0, hidden - 1) }
    }

    /// Writes text; white space counts as in HTML.
    public mutating func append(_ string: String) {
        guard hidden == 0 else { return }
        if preformatted > 0 {
            for (index, line) in string.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                if index > 0 {
                    flushBreaks()
                    text += "\n"
                    isAtLineStart = true
                }
                if !line.isEmpty { write(line) }
            }
            return
        }
        var start = string.utf8.startIndex
        while start < string.utf8.endIndex {
            let end = string.utf8[start...].firstIndex(where: HTMLTagName.isSpace) ?? string.utf8.endIndex
            if start < end { write(string[start..<end]) }
            guard end < string.utf8.endIndex else { return }
            needsSpace = true
            start = string.utf8.index(after: end)
        }
    }

    /// Ends the line, if anything stands on it.
    public mutating func endLine() { breakLine(1) }

    private var isAtLineStart = true

    /// What stands deeper than this is not indented any more; a hostile page would be all indentation.
    private static let deepestMargin = 40

    private mutating func indent(first: String, rest: String) {
        let isTooDeep = margins.count >= Self.deepestMargin
        margins.append(isTooDeep ? Margin(first: "", rest: "") : Margin(first: first, rest: rest))
    }

    private mutating func breakLine(_ count: Int) {
        guard hidden == 0, !isAtCellStart else { return }
        breaks = max(breaks, options.isDense ? 1 : count)
        needsSpace = false
    }

    private mutating func openCell() {
        guard hidden == 0 else { return }
        if isInRow {
            breaks = 0
            needsSpace = true
            write("|")
            needsSpace = true
        }
        isInRow = true
        isAtCellStart = true
    }

    private mutating func appendImage(_ alternative: String?) {
        guard let alternative else { return append("[image]") }
        // An emoji that a wiki draws itself needs no brackets.
        if !alternative.isEmpty { append(alternative.count == 1 ? alternative : "[\(alternative)]") }
    }

    /// Begins something with a mark on both sides.
    private mutating func open(mark: String) { if hidden == 0 { openMarks += mark } }

    /// Ends it; a mark never stands alone.
    private mutating func close(mark: String, space: String = "") {
        guard hidden == 0 else { return }
        if openMarks.hasSuffix(mark + space) {
            openMarks.removeLast(mark.count + space.count)
        } else {
            text += space + mark
        }
    }

    private static func headingMark(_ name: String) -> String {
        String(repeating: "=", count: name.last?.wholeNumberValue ?? 1)
    }

    private mutating func flushBreaks() {
        guard breaks > 0 else { return }
        if !text.isEmpty {
            let missing = isAtLineStart ? breaks - 1 : breaks
            text += String(repeating: "\n", count: max(0, missing))
            isAtLineStart = true
        }
        breaks = 0
    }

    private mutating func write(_ word: some StringProtocol) {
        guard hidden == 0 else { return }
        isAtCellStart = false
        flushBreaks()
        if isAtLineStart {
            for index in margins.indices {
                text += margins[index].first
                margins[index].first = margins[index].rest
            }
            isAtLineStart = false
        } else if needsSpace {
            text += " "
        }
        needsSpace = false
        text += openMarks
        text += word
        openMarks = ""
    }

    private static func isHidden(_ node: HTMLDocument.NodeID, in document: HTMLDocument) -> Bool {
        if invisible.contains(document.name(node)) { return true }
        // A part that the reader may open.
        if document.hasClass("NavContent", node) { return false }
        guard let style = document.attribute("style", of: node), style.containsBytes("display") else { return false }
        return style.filter { !$0.isWhitespace }.containsBytes("display:none")
    }

    private static let invisible: Set<String> = ["script", "style", "title", "template", "noscript", "head"]
    private static let blocks: Set<String> = [
        "div", "dt", "tr", "caption", "center", "section", "article", "aside", "header", "footer", "figure",
        "figcaption", "details", "summary", "form", "fieldset", "tbody", "thead", "tfoot",
    ]
}
