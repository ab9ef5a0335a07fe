/// A wikitext split into the sections that `section=N` names.
///
/// Gives and replaces the text of a section exactly as MediaWiki does (`Parser::getSection`, `replaceSection`): white
/// space at the end goes, and a blank line follows a replaced section. All positions are UTF-8 offsets.
public struct WikitextSections: Sendable {
    /// One section: a heading and what follows.
    public struct Section: Hashable, Sendable {
        /// The number for `section=`; 0 for what stands before the first heading.
        public var index: Int
        /// 1 to 6; 0 for section 0.
        public var level: Int
        /// The heading as wikitext, without equals signs, comments and outer blanks; empty for section 0.
        public var heading: String
        /// The section with its sub-sections.
        public var range: Range<Int>
        /// The section up to the next heading of any level.
        public var ownRange: Range<Int>
        /// Where it begins, counted in code points as `byteoffset` of the API is.
        public var codePointOffset: Int
    }

    /// Section 0, then one for each heading, in order; `index` may have gaps.
    public let sections: [Section]

    private let bytes: [UInt8]

    /// Splits `text`; `tags` are the lower-case names of the wiki's extension tags.
    public init(_ text: String, tags: Set<String> = WikitextTags.common) {
        let bytes = Array(text.utf8)
        let scan = WikitextScan(bytes, tags: tags)
        self.bytes = bytes
        let starts = [0] + scan.headings.map(\.range.lowerBound)
        var sections: [Section] = []
        var codePoints = 0
        for (place, start) in starts.enumerated() {
            let next = place + 1 < starts.count ? starts[place + 1] : bytes.count
            var section = Section(
                index: 0, level: 0, heading: "", range: start..<next, ownRange: start..<next,
                codePointOffset: codePoints)
            if place > 0 {
                let heading = scan.headings[place - 1]
                section.index = heading.index
                section.level = heading.level
                section.heading = Self.heading(heading, bytes, scan.spans)
                let end = scan.headings[place...].first { $0.level <= heading.level }?.range.lowerBound ?? bytes.count
                section.range = start..<end
            }
            sections.append(section)
            codePoints += bytes[start..<next].count { $0 & 0xC0 != 0x80 }
        }
        self.sections = sections
    }

    /// The section with this number.
    public func section(_ index: Int) -> Section? { sections.first { $0.index == index } }

    /// The text of a section with its sub-sections, as `rvsection=` gives it.
    public func text(of index: Int) -> String? {
        guard let section = section(index) else { return nil }
        return String(decoding: bytes[section.range].trimmedEnd(), as: UTF8.self)
    }

    /// The whole text after `action=edit` with `section=` and `text=`; nil when there is no such section.
    public func replacing(_ index: Int, with text: String) -> String? {
        guard let section = section(index) else { return nil }
        if bytes.isEmpty { return text }
        var result = Array(bytes[..<section.range.lowerBound])
        if !text.isEmpty { result += Array(text.utf8) + [10, 10] }
        result += bytes[section.range.upperBound...]
        return String(decoding: result[...].trimmedEnd(), as: UTF8.self)
    }

    private static func heading(
        _ heading: WikitextScan.Heading, _ bytes: [UInt8], _ spans: [WikitextScan.Span]
    ) -> String {
        var text: [UInt8] = []
        var from = heading.range.lowerBound
        for span in spans where span.kind == .comment && heading.range.overlaps(span.range) {
            text += bytes[from..<max(from, span.range.lowerBound)]
            from = min(span.range.upperBound, heading.range.upperBound)
        }
        text += bytes[from..<heading.range.upperBound]
        let isBlank = { (byte: UInt8) in byte == 32 || byte == 9 }
        while let last = text.last, isBlank(last) { text.removeLast() }
        let inner = text.dropFirst(heading.level).dropLast(heading.level).drop(while: isBlank)
        let trimmed = inner.reversed().drop(while: isBlank).reversed()
        return String(decoding: Array(trimmed), as: UTF8.self)
    }
}

extension ArraySlice<UInt8> {
    /// Without the white space at the end that PHP's `rtrim` removes.
    func trimmedEnd() -> ArraySlice<UInt8> {
        var rest = self
        while let last = rest.last, last == 32 || (9...11).contains(last) || last == 13 || last == 0 {
            rest.removeLast()
        }
        return rest
    }
}
