/// Where headings, comments, tags and templates stand in a wikitext, as MediaWiki's preprocessor sees them.
///
/// Sections are numbered before anything is expanded: a heading counts when its line is neither in a comment, in an
/// extension's tag, nor in the arguments of a template; but every candidate takes a number, so the numbers have gaps.
/// All positions are UTF-8 offsets. The scan needs no recursion and looks at each byte a bounded number of times.
struct WikitextScan: Sendable {
    /// A heading that begins a section.
    struct Heading: Hashable, Sendable {
        /// The number that `section=` means.
        var index: Int
        /// 1 to 6.
        var level: Int
        /// From the first equals sign to the end of the line.
        var range: Range<Int>
    }

    /// A part of the text whose content is not page structure.
    struct Span: Hashable, Sendable {
        enum Kind: Hashable, Sendable {
            /// `<!-- … -->`, or to the end of the text when it is not closed.
            case comment
            /// The element of an extension, `<nowiki>…</nowiki>`, its lower-case name.
            case tag(String)
            /// `{{…}}` or `{{{…}}}`.
            case template
        }
        var kind: Kind
        var range: Range<Int>
        /// False for a comment that runs to the end of the text.
        var isClosed = true
    }

    /// Headings that begin a section, in order.
    private(set) var headings: [Heading] = []
    /// Comments, tags and templates, in order, none inside another.
    private(set) var spans: [Span] = []
    /// Whether braces of a template are left open at the end.
    private(set) var hasOpenTemplate = false
    /// Lower-case names of tags that are opened but never closed, which leaves them plain text.
    private(set) var unclosedTags: Set<String> = []

    private let bytes: [UInt8]
    private let tags: Set<String>
    private var position = 0
    private var frames: [Frame] = []
    private var candidates: [Heading] = []
    /// Candidates that no template, and no other heading, contains.
    private var topCandidates: [Int] = []
    private var noMoreTagEnds = false
    private var namesWithoutClosing: Set<String> = []

    /// Scans `bytes`; `tags` are the lower-case names of extension tags.
    init(_ bytes: [UInt8], tags: Set<String>) {
        self.bytes = bytes
        self.tags = tags.union(["includeonly"])
        run()
        // Braces that were never closed are plain text, and so are the headings between them.
        for frame in frames { topCandidates += frame.candidates }
        hasOpenTemplate = frames.contains { $0.kind == .brace }
        unclosedTags = Set(namesWithoutClosing.map { $0.lowercased() })
        headings = topCandidates.sorted().map { candidates[$0] }
        mergeSpans()
    }
}

// MARK: The stack

extension WikitextScan {
    /// Something that was opened and whose closing is awaited.
    private struct Frame {
        enum Kind { case heading, brace, bracket, variant }
        var kind: Kind
        var start: Int
        /// Number of opening characters that are still free.
        var count: Int
        /// Whether a `-` before the braces may make them a language variant.
        var hasDash = false
        /// Whether a pipe was met, and no equals sign after the last one.
        var wantsEquals = false
        /// Last byte of the last comment of this part, and where the visible text before it ends.
        var commentEnd: Int?
        var visibleEnd = 0
        /// Heading candidates that stay text if this frame does.
        var candidates: [Int] = []

        var takesPipes: Bool { kind == .brace || kind == .variant }
    }

    private mutating func keep(_ found: [Int]) {
        if frames.isEmpty { topCandidates += found } else { frames[frames.count - 1].candidates += found }
    }

    private mutating func run() {
        startLine()
        while true {
            guard position < bytes.count else {
                guard frames.last?.kind == .heading else { return }
                endHeading()
                continue
            }
            let next = position + 1 < bytes.count ? bytes[position + 1] : 0
            switch bytes[position] {
            case UInt8(ascii: "\n"):
                if frames.last?.kind == .heading {
                    endHeading()
                } else {
                    position += 1
                    startLine()
                }
            case UInt8(ascii: "<"):
                angle()
            case UInt8(ascii: "|") where frames.last?.takesPipes == true:
                frames[frames.count - 1].wantsEquals = true
                frames[frames.count - 1].commentEnd = nil
                position += 1
            case UInt8(ascii: "=") where frames.last?.wantsEquals == true:
                frames[frames.count - 1].wantsEquals = false
                position += 1
            case UInt8(ascii: "}") where frames.last?.kind == .variant && next == UInt8(ascii: "-"):
                close(available: 2)
            case UInt8(ascii: "}") where frames.last?.kind == .brace,
                UInt8(ascii: "]") where frames.last?.kind == .bracket:
                close(available: run(of: bytes[position], from: position, atMost: frames[frames.count - 1].count))
            case UInt8(ascii: "-") where next == UInt8(ascii: "{"):
                openVariant()
            case UInt8(ascii: "{"):
                open(.brace, hasDash: false)
            case UInt8(ascii: "["):
                open(.bracket, hasDash: false)
            default:
                position += 1
            }
        }
    }

    private func run(of byte: UInt8, from start: Int, atMost limit: Int = .max) -> Int {
        var count = 0
        while count < limit, start + count < bytes.count, bytes[start + count] == byte { count += 1 }
        return count
    }

    private func isBlank(_ index: Int) -> Bool {
        bytes[index] == UInt8(ascii: " ") || bytes[index] == UInt8(ascii: "\t")
    }
}

// MARK: Headings

extension WikitextScan {
    private mutating func startLine() {
        let count = run(of: UInt8(ascii: "="), from: position, atMost: min(bytes.count, 6))
        // A single equals sign among a template's arguments is taken for `name = value`.
        guard count > 0, !(count == 1 && frames.last?.wantsEquals == true) else { return }
        frames.append(Frame(kind: .heading, start: position, count: count))
        position += count
    }

    /// Ends the line of a possible heading; does not pass the newline, which may begin the next heading.
    private mutating func endHeading() {
        let frame = frames.removeLast()
        var end = position
        while end > 0, isBlank(end - 1) { end -= 1 }
        if let comment = frame.commentEnd, comment == end - 1 {
            end = frame.visibleEnd
            while end > 0, isBlank(end - 1) { end -= 1 }
        }
        var equals = 0
        while end - equals > 0, bytes[end - equals - 1] == UInt8(ascii: "=") { equals += 1 }
        let level: Int
        if equals > 0, end - equals == frame.start {
            level = equals < 3 ? 0 : min(6, (equals - 1) / 2)
        } else {
            level = min(equals, frame.count)
        }
        guard level > 0 else { return keep(frame.candidates) }
        candidates.append(Heading(index: candidates.count + 1, level: level, range: frame.start..<position))
        keep([candidates.count - 1])
    }
}

// MARK: Braces and brackets

extension WikitextScan {
    private mutating func open(_ kind: Frame.Kind, hasDash: Bool) {
        let count = run(of: bytes[position], from: position)
        if count >= 2 { frames.append(Frame(kind: kind, start: position, count: count, hasDash: hasDash)) }
        position += count
    }

    private mutating func openVariant() {
        // In `-{{` the braces win, and the dash may get its brace back later.
        if run(of: UInt8(ascii: "{"), from: position + 1) > 1 {
            position += 1
            open(.brace, hasDash: true)
        } else {
            frames.append(Frame(kind: .variant, start: position, count: 2))
            position += 2
        }
    }

    private mutating func close(available: Int) {
        var frame = frames[frames.count - 1]
        let matched: Int
        switch frame.kind {
        case .brace: matched = available >= 3 ? 3 : available == 2 ? 2 : 0
        case .bracket, .variant: matched = available >= 2 ? 2 : 0
        case .heading: matched = 0
        }
        guard matched > 0 else {
            position += available
            return
        }
        frames.removeLast()
        position += matched
        let inner = frame.kind == .brace ? [] : frame.candidates
        if frame.kind == .brace {
            spans.append(Span(kind: .template, range: frame.start + frame.count - matched..<position))
        }
        frame.count -= matched
        if frame.count > 0 {
            frame.candidates = []
            frame.wantsEquals = false
            frame.commentEnd = nil
            if frame.count >= 2 {
                frames.append(frame)
            } else if frame.kind == .brace, frame.hasDash {
                frames.append(Frame(kind: .variant, start: frame.start - 1, count: 2))
            }
        }
        keep(inner)
    }
}

// MARK: Comments and tags

extension WikitextScan {
    private static let commentStart = Array("<!--".utf8)
    private static let commentEnd = Array("-->".utf8)

    private func starts(_ text: [UInt8], at index: Int) -> Bool {
        index + text.count <= bytes.count && bytes[index..<index + text.count].elementsEqual(text)
    }

    private func commentEnd(from start: Int) -> Int? {
        var index = start
        while index + 3 <= bytes.count {
            if bytes[index] == UInt8(ascii: "-"), starts(Self.commentEnd, at: index) { return index }
            index += 1
        }
        return nil
    }

    private mutating func angle() {
        if starts(Self.commentStart, at: position) { return comment() }
        guard let name = tagName(at: position + 1) else {
            position += 1
            return
        }
        guard !noMoreTagEnds, let tagEnd = bytes[(position + 1 + name.utf8.count)...].firstIndex(of: UInt8(ascii: ">"))
        else {
            noMoreTagEnds = true
            position += 1
            return
        }
        let lower = name.lowercased()
        if Self.ignored.contains(lower) {
            position = tagEnd + 1
            return
        }
        let start = position
        if bytes[tagEnd - 1] == UInt8(ascii: "/") {
            position = tagEnd + 1
        } else if !namesWithoutClosing.contains(name), let end = closingTag(lower, from: tagEnd + 1) {
            position = end
        } else if name == "includeonly" {
            position = bytes.count
        } else {
            namesWithoutClosing.insert(name)
            position = tagEnd + 1
            return
        }
        spans.append(Span(kind: .tag(lower), range: start..<position))
    }

    private static let ignored: Set<String> = ["noinclude", "/noinclude", "onlyinclude", "/onlyinclude"]

    /// The name of a known tag at `index`, as it is written.
    private func tagName(at index: Int) -> String? {
        var end = index
        if end < bytes.count, bytes[end] == UInt8(ascii: "/") { end += 1 }
        while end < bytes.count, !Self.endsTagName(bytes[end]) { end += 1 }
        guard end > index, end < bytes.count, end - index < 64 else { return nil }
        if bytes[end] == UInt8(ascii: "/"), end + 1 >= bytes.count || bytes[end + 1] != UInt8(ascii: ">") { return nil }
        let name = String(decoding: bytes[index..<end], as: UTF8.self)
        let lower = name.lowercased()
        return tags.contains(lower) || Self.ignored.contains(lower) ? name : nil
    }

    private static func endsTagName(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: " ")
            || (9...13).contains(byte)
    }

    /// Past the end of `</name >`, in any case.
    private func closingTag(_ lower: String, from start: Int) -> Int? {
        let name = Array(lower.utf8)
        var index = start
        while let open = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
            index = open + 1
            guard index < bytes.count, bytes[index] == UInt8(ascii: "/"), index + 1 + name.count < bytes.count,
                zip(bytes[(index + 1)...], name).allSatisfy({ ($0 | ($0 &- 65 < 26 ? 32 : 0)) == $1 })
            else { continue }
            var end = index + 1 + name.count
            while end < bytes.count, bytes[end] == UInt8(ascii: " ") || (9...13).contains(bytes[end]) { end += 1 }
            if end < bytes.count, bytes[end] == UInt8(ascii: ">") { return end + 1 }
        }
        return nil
    }

    /// Passes a comment; one that has its line for itself takes the line with it, so that the next one may be a heading.
    private mutating func comment() {
        let start = position
        guard let close = commentEnd(from: start + 4) else {
            spans.append(Span(kind: .comment, range: start..<bytes.count, isClosed: false))
            position = bytes.count
            return
        }
        var blankStart = start
        while blankStart > 0, isBlank(blankStart - 1) { blankStart -= 1 }
        func pastBlank(_ index: Int) -> Int {
            var end = index
            while end < bytes.count, isBlank(end) { end += 1 }
            return end
        }
        var ranges = [start..<close + 3]
        var end = pastBlank(close + 3)
        while starts(Self.commentStart, at: end), let another = commentEnd(from: end + 3) {
            ranges.append(end..<another + 3)
            end = pastBlank(another + 3)
        }
        let hasOwnLine =
            blankStart > 0 && bytes[blankStart - 1] == UInt8(ascii: "\n") && end < bytes.count
            && bytes[end] == UInt8(ascii: "\n")
        let last = hasOwnLine ? end : close + 2
        if !frames.isEmpty {
            let top = frames.count - 1
            if frames[top].commentEnd == nil || frames[top].commentEnd != blankStart - 1 {
                frames[top].visibleEnd = blankStart
            }
            frames[top].commentEnd = last
        }
        position = last + 1
        if hasOwnLine {
            spans += ranges.map { Span(kind: .comment, range: $0) }
            startLine()
        } else {
            spans.append(Span(kind: .comment, range: ranges[0]))
        }
    }

    /// Leaves the outermost spans only, in order.
    private mutating func mergeSpans() {
        spans.sort { ($0.range.lowerBound, $1.range.upperBound) < ($1.range.lowerBound, $0.range.upperBound) }
        var end = 0
        spans.removeAll { span in
            if span.range.lowerBound < end { return true }
            end = span.range.upperBound
            return false
        }
    }
}
