/// The signed comments of a section's wikitext, as DiscussionTools would find them in its HTML.
struct WikitextComments: Sendable {
    /// A signed comment.
    struct Comment: Sendable {
        var author: String
        var timestamp: Int64
        /// Indices into the outline's leaves.
        var first: Int
        var last: Int
        /// Where the date of the first signature stands.
        var date: Int
        /// As DiscussionTools counts it, 1 for a comment that is not indented.
        var level: Int
        /// 1 more than the list characters before it, `;` included.
        var depth: Int
        /// Where the previous comment, or the heading above, ended.
        var previousEnd: Int
        /// Whether a template writes the signature.
        var isTemplate: Bool
        /// Whether the template holds more than the signature.
        var isInBox: Bool
    }

    let outline: WikitextOutline
    private(set) var comments: [Comment] = []
    /// For each leaf that is a heading, the number of comments before it.
    private(set) var headings: [(leaf: Int, comments: Int)] = []

    private let masked: [UInt8]
    private let links: WikitextUserLinks
    private let dates: any SignatureDates

    /// Finds the comments; `displayed` is a date as a page shows it, which counts even where `dates` does not know it.
    init(
        _ outline: WikitextOutline, wiki: Wiki, dates: any SignatureDates,
        displayed: (text: String, timestamp: Int64)? = nil
    ) {
        self.outline = outline
        self.dates = dates
        links = WikitextUserLinks(wiki)
        masked = Self.masked(outline)
        var next = 0
        var previousEnd = 0
        for (index, leaf) in outline.leaves.enumerated() {
            if leaf.kind == .heading {
                headings.append((index, comments.count))
                next = index + 1
                previousEnd = leaf.range.upperBound
                continue
            }
            guard leaf.kind == .item || leaf.kind == .paragraph || leaf.kind == .preformatted,
                !isQuote(leaf), let signature = signature(in: leaf, displayed)
            else { continue }
            let first = start(from: next, to: index)
            let prefixes = [outline.leaves[first].prefix, leaf.prefix]
            let indents = prefixes.map { $0.count { $0 != UInt8(ascii: ";") } }.min() ?? 0
            comments.append(
                Comment(
                    author: signature.author, timestamp: signature.timestamp, first: first, last: index,
                    date: signature.date, level: 1 + indents,
                    depth: 1 + (prefixes.map(\.count).min() ?? 0), previousEnd: previousEnd,
                    isTemplate: signature.isTemplate,
                    isInBox: signature.isInBox))
            next = index + 1
            previousEnd = leaf.range.upperBound
        }
    }

    /// The last comment of the thread under `index`, itself when it has no replies, and the smallest level among them.
    func thread(of index: Int) -> (last: Int, level: Int?) {
        var levels: [Int?] = [nil]
        var heading = 0
        var thread: Set<Int> = [index]
        var level: Int?
        for (place, comment) in comments.enumerated() {
            while heading < headings.count, headings[heading].comments <= place {
                levels = [nil]
                heading += 1
            }
            while levels.count < comment.level { levels.append(levels[levels.count - 1]) }
            if let parent = levels[comment.level - 1], thread.contains(parent) {
                thread.insert(place)
                level = min(level ?? comment.level, comment.level)
            }
            levels.removeSubrange(comment.level...)
            levels.append(place)
        }
        return (thread.max() ?? index, level)
    }

    // MARK: Signatures

    /// The users whose signatures stand in `range`, in order.
    func signatures(in range: Range<Int>) -> [String] {
        let text = String(decoding: masked[range], as: UTF8.self)
        return dates.dates(in: text).compactMap { date in
            let end = range.lowerBound + text.utf8Range(date.range).lowerBound
            return links.links(in: masked, range.lowerBound..<end).last?.user
        }
    }

    private struct Signature {
        var author: String
        var timestamp: Int64
        var date: Int
        var isTemplate: Bool
        var isInBox: Bool
    }

    private func signature(
        in leaf: WikitextOutline.Leaf, _ displayed: (text: String, timestamp: Int64)?
    ) -> Signature? {
        let text = String(decoding: masked[leaf.range], as: UTF8.self)
        var found = dates.dates(in: text).map { (text.utf8Range($0.range), $0.timestamp) }
        if let displayed {
            for range in text.occurrences(of: displayed.text) where !found.contains(where: { $0.0.overlaps(range) }) {
                found.append((range, displayed.timestamp))
            }
            found.sort { $0.0.lowerBound < $1.0.lowerBound }
        }
        for (range, timestamp) in found {
            let date = leaf.range.lowerBound + range.lowerBound
            if let template = outline.scan.spans.first(where: { $0.range.contains(date) }) {
                guard template.kind == .template, let author = templateAuthor(template.range, before: date) else {
                    continue
                }
                let isInBox = outline.bytes[template.range].contains(UInt8(ascii: "\n"))
                return Signature(
                    author: author, timestamp: timestamp, date: date, isTemplate: true, isInBox: isInBox)
            }
            guard let link = links.links(in: masked, leaf.range.lowerBound..<date).last,
                visibleLength(link.range.upperBound..<date) <= 100
            else { continue }
            return Signature(author: link.user, timestamp: timestamp, date: date, isTemplate: false, isInBox: false)
        }
        return nil
    }

    /// The user whom a template such as `{{unsigned|name|date}}` names before the date.
    private func templateAuthor(_ range: Range<Int>, before date: Int) -> String? {
        if let link = links.links(in: masked, range.lowerBound + 2..<date).last { return link.user }
        let arguments = masked[range.lowerBound..<date].split(
            separator: UInt8(ascii: "|"), omittingEmptySubsequences: false)
        guard arguments.count > 1 else { return nil }
        var text = String(decoding: arguments[1], as: UTF8.self)
        if text.hasPrefix("1=") || text.hasPrefix("user=") {
            text = String(text[text.firstIndex(of: "=")!...].dropFirst())
        }
        let name = WikitextUserLinks.normalized(links.user(title: text) ?? text)
        return name.isEmpty || name.count > 100 || name.contains("\n") ? nil : name
    }

    /// How much of the wikitext between a link and a date can be read on the page.
    private func visibleLength(_ range: Range<Int>) -> Int {
        var count = 0
        var isHidden = false
        for byte in masked[range] {
            switch byte {
            case UInt8(ascii: "<"): isHidden = true
            case UInt8(ascii: ">"): isHidden = false
            case UInt8(ascii: "["): isHidden = true
            case UInt8(ascii: "|"): isHidden = false
            case UInt8(ascii: "]"), UInt8(ascii: "'"): isHidden = false
            default: if !isHidden, byte & 0xC0 != 0x80 { count += 1 }
            }
        }
        return count
    }

    private func isQuote(_ leaf: WikitextOutline.Leaf) -> Bool {
        outline.path(of: leaf).contains { outline.blocks[$0].kind == .element("blockquote") }
    }

    /// The leaf with which a comment begins: the first one that shows something.
    private func start(from: Int, to end: Int) -> Int {
        (from..<end).first { index in
            let leaf = outline.leaves[index]
            guard leaf.kind != .rule, leaf.kind != .heading, !leaf.lines.allSatisfy(\.isTemplates) else { return false }
            let text = outline.bytes[leaf.range].dropFirst(leaf.prefix.count)
            guard text.contains(where: { $0 > 32 }) else { return false }
            return !isFakeHeading(index)
        } ?? end
    }

    /// Whether a `;term` line stands alone, as a heading that somebody made by hand.
    private func isFakeHeading(_ index: Int) -> Bool {
        func isDefinition(_ other: Int) -> Bool {
            guard outline.leaves.indices.contains(other) else { return false }
            let first = outline.leaves[other].prefix.first
            return first == UInt8(ascii: ":") || first == UInt8(ascii: ";")
        }
        func isAdjacent(_ a: Int, _ b: Int) -> Bool {
            isDefinition(a) && isDefinition(b)
                && outline.leaves[b].range.lowerBound == outline.leaves[a].range.upperBound + 1
        }
        return outline.leaves[index].prefix == [UInt8(ascii: ";")] && !isAdjacent(index - 1, index)
            && !isAdjacent(index, index + 1)
    }

    /// The text with everything blanked that cannot hold a signature: comments, unread tags, quotations.
    private static func masked(_ outline: WikitextOutline) -> [UInt8] {
        var bytes = outline.bytes
        func blank(_ range: Range<Int>) {
            for index in range where bytes[index] != UInt8(ascii: "\n") { bytes[index] = UInt8(ascii: " ") }
        }
        for span in outline.scan.spans where span.kind != .template { blank(span.range) }
        for name in ["q", "cite"] {
            var start = 0
            let open = Array("<\(name)".utf8)
            let close = Array("</\(name)>".utf8)
            while let from = bytes.index(of: open, from: start) {
                start = from + open.count
                guard start < bytes.count, bytes[start] == UInt8(ascii: ">") || bytes[start] == UInt8(ascii: " "),
                    let end = bytes.index(of: close, from: start)
                else { continue }
                blank(from..<end + close.count)
                start = end
            }
        }
        return bytes
    }
}

extension [UInt8] {
    /// The first place of `needle` at or after `start`.
    func index(of needle: [UInt8], from start: Int) -> Int? {
        guard let first = needle.first else { return nil }
        var index = start
        while index + needle.count <= count {
            guard let candidate = self[index...].firstIndex(of: first), candidate + needle.count <= count else {
                return nil
            }
            if self[candidate..<candidate + needle.count].elementsEqual(needle) { return candidate }
            index = candidate + 1
        }
        return nil
    }
}

extension String {
    /// UTF-8 offsets of a range.
    func utf8Range(_ range: Range<Index>) -> Range<Int> {
        let start = utf8.distance(from: startIndex, to: range.lowerBound)
        return start..<start + utf8.distance(from: range.lowerBound, to: range.upperBound)
    }

    /// UTF-8 offsets of every occurrence of `needle`, direction marks in either text ignored.
    func occurrences(of needle: String) -> [Range<Int>] {
        let needle = Array(needle.unicodeScalars.filter { $0.value != 0x200E && $0.value != 0x200F })
        guard !needle.isEmpty else { return [] }
        let scalars = Array(unicodeScalars)
        var offsets: [Int] = [0]
        for scalar in scalars { offsets.append(offsets[offsets.count - 1] + UTF8.width(scalar)) }
        var found: [Range<Int>] = []
        var index = 0
        while index < scalars.count {
            var place = index
            var matched = 0
            while place < scalars.count, matched < needle.count {
                if scalars[place] == needle[matched] {
                    matched += 1
                } else if matched == 0 || (scalars[place].value != 0x200E && scalars[place].value != 0x200F) {
                    break
                }
                place += 1
            }
            if matched == needle.count {
                found.append(offsets[index]..<offsets[place])
                index = place
            } else {
                index += 1
            }
        }
        return found
    }
}
