/// The block structure of a section's wikitext: list items, paragraphs, and the boxes and tables around them.
///
/// This is the shape that MediaWiki's line rules give the text, as far as placing a reply needs it. All positions are
/// UTF-8 offsets.
struct WikitextOutline: Sendable {
    /// A piece of text without a block boundary in it: a list item, a paragraph, a heading.
    struct Leaf: Sendable {
        enum Kind: Hashable, Sendable { case paragraph, item, preformatted, heading, rule, tag }

        /// A line of the leaf.
        struct Line: Sendable {
            var range: Range<Int>
            /// Whether the line is nothing but templates.
            var isTemplates: Bool
        }

        var kind: Kind
        /// The list characters before an item, empty elsewhere.
        var prefix: [UInt8]
        /// Without the newline after the leaf.
        var range: Range<Int>
        var lines: [Line]
        /// The innermost box that holds the leaf, an index into `blocks`.
        var block: Int?
        /// Whether the leaf stands on a line of a table's own markup.
        var isOnTableLine = false
        /// Whether something else follows on the same line.
        var isFollowed = false
    }

    /// A box: an HTML block element, a table or a cell of a table.
    struct Block: Sendable {
        enum Kind: Hashable, Sendable { case element(String), table, cell }
        var kind: Kind
        /// Where its opening tag stands.
        var open: Range<Int>
        /// Where its closing tag stands; nil when it is not closed.
        var close: Range<Int>?
        var parent: Int?
    }

    let bytes: [UInt8]
    let scan: WikitextScan
    private(set) var leaves: [Leaf] = []
    private(set) var blocks: [Block] = []

    private var stack: [Int] = []
    private var openTables = 0
    private var openElements: [String: Int] = [:]
    /// Whether the next line may continue the last leaf.
    private var isOpen = false
    private var nextSpan = 0
    private let headings: [Int: WikitextScan.Heading]

    /// Reads `text`; `tags` are the lower-case names of the wiki's extension tags.
    init(_ text: String, tags: Set<String>) {
        bytes = Array(text.utf8)
        scan = WikitextScan(bytes, tags: tags)
        headings = Dictionary(scan.headings.map { ($0.range.lowerBound, $0) }, uniquingKeysWith: { first, _ in first })
        var start = 0
        while start <= bytes.count {
            let end = endOfLine(from: start)
            read(start..<end)
            start = end + 1
        }
    }

    /// The boxes around a leaf, innermost first.
    func path(of leaf: Leaf) -> [Int] {
        var path: [Int] = []
        var next = leaf.block
        while let block = next {
            path.append(block)
            next = blocks[block].parent
        }
        return path
    }

    /// The end of the line that begins at `start`; comments, tags and templates may hold newlines of their own.
    private mutating func endOfLine(from start: Int) -> Int {
        var index = start
        while index < bytes.count {
            while nextSpan < scan.spans.count, scan.spans[nextSpan].range.upperBound <= index { nextSpan += 1 }
            if nextSpan < scan.spans.count, scan.spans[nextSpan].range.contains(index) {
                index = scan.spans[nextSpan].range.upperBound
            } else if bytes[index] == UInt8(ascii: "\n") {
                return index
            } else {
                index += 1
            }
        }
        return bytes.count
    }
}

// MARK: Lines

extension WikitextOutline {
    private static let listCharacters = Set("*#:;".utf8)
    /// Extension tags that end a paragraph.
    private static let blockTags: Set<String> = [
        "pre", "syntaxhighlight", "source", "gallery", "poem", "references", "score", "timeline", "inputbox",
        "imagemap",
    ]

    private mutating func read(_ line: Range<Int>) {
        let spans = scan.spans.filter(overlapping: line)
        let visible = Visible(bytes: bytes, line: line, spans: spans)
        guard let first = visible.first else {
            // A line that held only a comment goes with the comment; an empty one ends the paragraph.
            let isComment = !spans.isEmpty && line.lowerBound > 0 && line.upperBound < bytes.count
            if !isComment { isOpen = false }
            return
        }
        if let heading = headings[first] {
            add(.heading, [], heading.range, isTemplates: false)
            isOpen = false
            return
        }
        let lineStart = visible.lineStart
        if bytes[lineStart] == UInt8(ascii: ":"), let table = tableStart(after: lineStart, in: line) {
            return openTable(at: table, line: line)
        }
        if Self.listCharacters.contains(bytes[lineStart]) {
            var end = lineStart
            while end < line.upperBound, Self.listCharacters.contains(bytes[end]) { end += 1 }
            isOpen = false
            readContent(lineStart..<line.upperBound, from: end, .item, Array(bytes[lineStart..<end]), spans)
            isOpen = false
            return
        }
        if bytes[first] == UInt8(ascii: "{"), first + 1 < line.upperBound, bytes[first + 1] == UInt8(ascii: "|"),
            spans.containing(first) == nil
        {
            return openTable(at: first, line: line)
        }
        if openTables > 0, readTableLine(line, from: first, spans) { return }
        if bytes[line.lowerBound..<line.upperBound].starts(with: Array("----".utf8)) {
            add(.rule, [], line, isTemplates: false)
            isOpen = false
            return
        }
        let shown = Visible(bytes: bytes, line: line, spans: spans, hidesTemplates: true).first
        if shown == nil, isBox(at: first) {
            isOpen = false
            add(.paragraph, [], line, isTemplates: true)
            isOpen = false
            return
        }
        let isIndented = bytes[lineStart] == UInt8(ascii: " ") && !visible.startsWithTag
        readContent(line, from: lineStart, isIndented ? .preformatted : .paragraph, [], spans)
    }

    private mutating func add(
        _ kind: Leaf.Kind, _ prefix: [UInt8], _ range: Range<Int>, isTemplates: Bool, isOnTableLine: Bool = false
    ) {
        let line = Leaf.Line(range: range, isTemplates: isTemplates)
        if isOpen, let last = leaves.last, last.kind == kind, last.block == stack.last,
            kind == .paragraph || kind == .preformatted
        {
            leaves[leaves.count - 1].lines.append(line)
            leaves[leaves.count - 1].range = last.range.lowerBound..<range.upperBound
        } else {
            leaves.append(
                Leaf(
                    kind: kind, prefix: prefix, range: range, lines: [line], block: stack.last,
                    isOnTableLine: isOnTableLine))
        }
        isOpen = true
    }

    /// Reads the text of a line from `start` on, cut at the tags of block elements.
    private mutating func readContent(
        _ line: Range<Int>, from start: Int, _ kind: Leaf.Kind, _ prefix: [UInt8],
        _ spans: ArraySlice<WikitextScan.Span>,
        isOnTableLine: Bool = false
    ) {
        var pieceStart = line.lowerBound
        var index = start
        var isFirst = true
        func isText(_ range: Range<Int>) -> Bool {
            Visible(bytes: bytes, line: range, spans: spans).first != nil
        }
        func isTemplates(_ range: Range<Int>) -> Bool {
            Visible(bytes: bytes, line: range, spans: spans, hidesTemplates: true).first == nil && isText(range)
        }
        func flush(_ end: Int, isFollowed: Bool) {
            // A tag that ends the line may have begun on one before.
            guard pieceStart <= end else { return }
            let piece = pieceStart..<end
            let isEmptyItem = isFirst && kind == .item
            guard isText(piece) || (isEmptyItem && !isFollowed) else { return }
            add(kind, prefix, piece, isTemplates: isTemplates(piece), isOnTableLine: isOnTableLine)
            leaves[leaves.count - 1].isFollowed = isFollowed
            isFirst = false
        }
        while index < line.upperBound {
            if let span = spans.containing(index) {
                if case .tag(let name) = span.kind, Self.blockTags.contains(name), kind != .item {
                    flush(span.range.lowerBound, isFollowed: true)
                    isOpen = false
                    add(.tag, prefix, span.range, isTemplates: false, isOnTableLine: isOnTableLine)
                    isOpen = false
                    pieceStart = min(span.range.upperBound, line.upperBound)
                    isFirst = false
                }
                index = span.range.upperBound
            } else if bytes[index] == UInt8(ascii: "<"), let tag = BlockTag(bytes, at: index, before: line.upperBound) {
                flush(index, isFollowed: true)
                isOpen = false
                apply(tag)
                index = tag.range.upperBound
                pieceStart = index
                isFirst = false
            } else {
                index += 1
            }
        }
        if pieceStart <= line.upperBound { flush(line.upperBound, isFollowed: false) }
    }

    private mutating func push(_ kind: Block.Kind, open: Range<Int>) {
        blocks.append(Block(kind: kind, open: open, close: nil, parent: stack.last))
        stack.append(blocks.count - 1)
        count(kind, by: 1)
    }

    private mutating func pop(from place: Int) {
        for index in stack[place...] { count(blocks[index].kind, by: -1) }
        stack.removeSubrange(place...)
    }

    private mutating func count(_ kind: Block.Kind, by change: Int) {
        switch kind {
        case .element(let name): openElements[name, default: 0] += change
        case .table: openTables += change
        case .cell: break
        }
    }

    private mutating func apply(_ tag: BlockTag) {
        if tag.isClosing {
            guard openElements[tag.name, default: 0] > 0,
                let place = stack.lastIndex(where: { blocks[$0].kind == .element(tag.name) })
            else { return }
            blocks[stack[place]].close = tag.range
            pop(from: place)
        } else if !tag.isEmpty {
            // These end where the next one begins.
            if ["li", "dd", "dt", "tr", "td", "th", "p"].contains(tag.name), let top = stack.last,
                case .element(let name) = blocks[top].kind,
                name == tag.name || Set([name, tag.name]) == ["dd", "dt"] || Set([name, tag.name]) == ["td", "th"]
            {
                pop(from: stack.count - 1)
            }
            push(.element(tag.name), open: tag.range)
        }
    }
}

// MARK: Tables

extension WikitextOutline {
    private func tableStart(after lineStart: Int, in line: Range<Int>) -> Int? {
        var index = lineStart
        while index < line.upperBound, bytes[index] == UInt8(ascii: ":") || bytes[index] == UInt8(ascii: " ") {
            index += 1
        }
        let isTable =
            index + 1 < line.upperBound && bytes[index] == UInt8(ascii: "{") && bytes[index + 1] == UInt8(ascii: "|")
        return isTable && scan.spans[...].containing(index) == nil ? index : nil
    }

    private mutating func openTable(at start: Int, line: Range<Int>) {
        isOpen = false
        push(.table, open: start..<line.upperBound)
    }

    /// Reads a line of a table's markup; false when the line is content of a cell.
    private mutating func readTableLine(
        _ line: Range<Int>, from first: Int, _ spans: ArraySlice<WikitextScan.Span>
    ) -> Bool {
        let byte = bytes[first]
        guard byte == UInt8(ascii: "|") || byte == UInt8(ascii: "!"),
            let table = stack.lastIndex(where: { blocks[$0].kind == .table })
        else { return false }
        isOpen = false
        let next = first + 1 < line.upperBound ? bytes[first + 1] : 0
        if let cell = stack[(table + 1)...].first(where: { blocks[$0].kind == .cell }) {
            blocks[cell].close = line.lowerBound..<line.lowerBound
        }
        pop(from: table + 1)
        if byte == UInt8(ascii: "|"), next == UInt8(ascii: "}") {
            blocks[stack[table]].close = first..<first + 2
            pop(from: table)
            if first + 2 < line.upperBound {
                readContent(first + 2..<line.upperBound, from: first + 2, .paragraph, [], spans)
            }
            return true
        }
        guard next != UInt8(ascii: "-") else { return true }
        var start = first + 1
        while start <= line.upperBound {
            let end = endOfCell(from: start, in: line, isHeader: byte == UInt8(ascii: "!"), spans)
            push(.cell, open: start - 1..<start)
            readContent(start..<end, from: start, .paragraph, [], spans, isOnTableLine: true)
            isOpen = false
            guard end < line.upperBound else { break }
            blocks[stack[table + 1]].close = end..<end + 2
            pop(from: table + 1)
            if leaves.last?.range.upperBound == end { leaves[leaves.count - 1].isFollowed = true }
            start = end + 2
        }
        return true
    }

    private func endOfCell(
        from start: Int, in line: Range<Int>, isHeader: Bool, _ spans: ArraySlice<WikitextScan.Span>
    ) -> Int {
        var index = start
        while index + 1 < line.upperBound {
            if let span = spans.containing(index) {
                index = span.range.upperBound
                continue
            }
            let pair = (bytes[index], bytes[index + 1])
            if pair == (UInt8(ascii: "|"), UInt8(ascii: "|")) { return index }
            if isHeader, pair == (UInt8(ascii: "!"), UInt8(ascii: "!")) { return index }
            index += 1
        }
        return line.upperBound
    }
}
