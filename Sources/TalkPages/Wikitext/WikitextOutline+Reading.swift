extension WikitextOutline {
    /// What can be seen of a line once its comments are gone.
    struct Visible {
        /// The first byte that is neither blank nor in a comment.
        var first: Int?
        /// The first byte that is not in a comment: what MediaWiki takes for the start of the line.
        var lineStart: Int
        /// Whether the line begins, blanks aside, with a tag of a block element.
        var startsWithTag = false

        init(bytes: [UInt8], line: Range<Int>, spans: ArraySlice<WikitextScan.Span>, hidesTemplates: Bool = false) {
            var index = line.lowerBound
            var start: Int?
            lineStart = line.lowerBound
            while index < line.upperBound {
                if let span = spans.containing(index),
                    span.kind == .comment || span.kind == .tag("includeonly")
                        || (hidesTemplates && span.kind == .template)
                {
                    index = span.range.upperBound
                    continue
                }
                if start == nil { start = index }
                if bytes[index] != UInt8(ascii: " "), bytes[index] != UInt8(ascii: "\t"),
                    bytes[index] != UInt8(ascii: "\r")
                {
                    first = index
                    break
                }
                index += 1
            }
            lineStart = start ?? line.lowerBound
            if let first, bytes[first] == UInt8(ascii: "<") {
                startsWithTag = BlockTag(bytes, at: first, before: line.upperBound) != nil
            }
        }
    }

    /// An opening or closing tag of an HTML element, of a block where nothing else is said.
    struct BlockTag {
        var name: String
        var isClosing: Bool
        /// Whether the tag closes itself.
        var isEmpty: Bool
        var range: Range<Int>

        private static let names: Set<String> = [
            "div", "p", "center", "blockquote", "table", "caption", "tr", "td", "th", "thead", "tbody", "tfoot", "ul",
            "ol", "li", "dl", "dd", "dt", "h1", "h2", "h3", "h4", "h5", "h6", "section", "details", "hr",
        ]

        /// More than a tag with its attributes has, so that many brackets without an end take no time.
        private static let longest = 2_000

        init?(_ bytes: [UInt8], at start: Int, before end: Int, names: Set<String> = Self.names) {
            let limit = min(end, start + Self.longest)
            var index = start + 1
            isClosing = index < limit && bytes[index] == UInt8(ascii: "/")
            if isClosing { index += 1 }
            let nameStart = index
            while index < limit, index - nameStart < 12, Self.isNameByte(bytes[index]) { index += 1 }
            name = String(decoding: bytes[nameStart..<index], as: UTF8.self).lowercased()
            guard names.contains(name), let end = bytes[index..<limit].firstIndex(of: UInt8(ascii: ">")) else {
                return nil
            }
            isEmpty = name == "hr" || bytes[end - 1] == UInt8(ascii: "/")
            range = start..<end + 1
        }

        private static func isNameByte(_ byte: UInt8) -> Bool {
            (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
        }
    }
}

// MARK: Templates

extension WikitextOutline {
    /// Whether a template that begins or ends a box stands at `start`, to judge by its name: `{{collapse bottom}}`.
    func isBox(at start: Int) -> Bool {
        guard let span = scan.spans[...].containing(start), span.kind == .template else {
            return false
        }
        let name = templateName(at: start)
        return Self.boxWords.contains { name.hasSuffix($0) } || Self.boxNames.contains(name)
    }

    private static let boxWords = [
        "top", "begin", "start", "bottom", "end", "close", "foot", "footer", "fin", "début", "ende", "anfang", "slut",
        "koniec", "fine", "inizio", "fim", "início", "конец", "начало",
    ]
    private static let boxNames: Set<String> = ["hat", "hab", "cot", "cob", "atop", "abot"]

    func templateName(at start: Int) -> String {
        let text = String(decoding: bytes[start..<min(bytes.count, start + 200)], as: UTF8.self)
        return text.lowercased().drop(while: { $0 == "{" || $0.isWhitespace }).prefix {
            $0 != "|" && $0 != "}" && $0 != "\n"
        }
        .trimming { $0 == " " }
    }
}

extension ArraySlice<WikitextScan.Span> {
    /// The span at `index`; spans are in order and do not overlap.
    func containing(_ index: Int) -> WikitextScan.Span? {
        var low = startIndex
        var high = endIndex
        while low < high {
            let middle = (low + high) / 2
            if self[middle].range.upperBound <= index { low = middle + 1 } else { high = middle }
        }
        return low < endIndex && self[low].range.contains(index) ? self[low] : nil
    }
}

extension [WikitextScan.Span] {
    /// The spans, which are in order, that overlap `range`.
    func filter(overlapping range: Range<Int>) -> ArraySlice<WikitextScan.Span> {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if self[middle].range.upperBound <= range.lowerBound { low = middle + 1 } else { high = middle }
        }
        var end = low
        while end < count, self[end].range.lowerBound < range.upperBound { end += 1 }
        return self[low..<end]
    }
}
