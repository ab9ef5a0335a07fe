/// Finds the place of a reply in the outline of a section.
struct WikitextPlacement {
    private let section: String
    private let context: WikitextReply.Context
    private let outline: WikitextOutline
    private let found: WikitextComments
    /// The boxes by the place of their closing tags.
    private let closings: [Int: WikitextOutline.Block]

    init(_ section: String, _ context: WikitextReply.Context, _ displayed: (text: String, timestamp: Int64)?) {
        self.section = section
        self.context = context
        outline = WikitextOutline(section, tags: context.tags)
        found = WikitextComments(outline, wiki: context.wiki, dates: context.dates, displayed: displayed)
        let closed = outline.blocks.compactMap { block in block.close.map { ($0.lowerBound, block) } }
        closings = Dictionary(closed, uniquingKeysWith: { _, inner in inner })
    }

    // MARK: Below a heading

    /// Adds the draft below what stands before the first sub-heading.
    func append(_ draft: WikitextDraft) -> WikitextReply.Result {
        let bytes = outline.bytes
        let headings = outline.scan.headings.map(\.range.lowerBound)
        let isAtHeading = headings.first == 0
        let end = headings.dropFirst(isAtHeading ? 1 : 0).first ?? bytes.count
        if let comment = outline.scan.spans.last, !comment.isClosed {
            return .refused("The section has a comment that is not closed, so that a reply would not be seen")
        }
        let text = draft.lines.joined(separator: "\n")
        let before = bytes[..<end].trimmedEnd()
        let head = String(decoding: before, as: UTF8.self)
        let tail = String(decoding: bytes[end...], as: UTF8.self)
        return .placed(head + (head.isEmpty ? "" : "\n\n") + text + (tail.isEmpty ? "" : "\n\n" + tail))
    }

    // MARK: Below a comment

    private enum Match {
        case one(Int)
        case none(WikitextReply.Result)
    }

    private func match(_ comment: WikitextReply.Comment) -> Match {
        let author = WikitextUserLinks.normalized(comment.author)
        let matches = found.comments.indices.filter {
            found.comments[$0].timestamp == comment.timestamp && found.comments[$0].author == author
        }
        guard !matches.isEmpty else { return .none(.notFound) }
        guard matches.count == comment.occurrences ?? 1, matches.indices.contains(comment.occurrence) else {
            return .none(.ambiguous(matches.count))
        }
        return .one(matches[comment.occurrence])
    }

    func insert(
        _ draft: WikitextDraft, _ comment: WikitextReply.Comment, _ last: WikitextReply.Comment?
    ) -> WikitextReply.Result {
        let target: Int
        switch match(comment) {
        case .one(let index): target = index
        case .none(let result): return result
        }
        var end = target
        var reply = comment.replyLevel
        if let last {
            guard case .one(let index) = match(last), index >= target else {
                return .refused("A reply below the comment was not found in the wikitext")
            }
            end = index
        } else {
            (end, reply) = found.thread(of: target)
        }
        if found.comments[target].isInBox || found.comments[end].isInBox {
            return .refused("The comment stands inside a template")
        }
        let path = outline.path(of: outline.leaves[found.comments[end].last])
        if let reason = refusal(path) { return .refused(reason) }
        guard let depth = depth(of: found.comments[target], shown: comment.level, reply: reply) else {
            return .refused("The comment is indented in a way that its wikitext does not show")
        }
        return insert(draft, depth: depth, after: found.comments[end], path)
    }

    /// The number of list characters before a reply; `reply` is the smallest level in the thread below the comment.
    private func depth(of comment: WikitextComments.Comment, shown: Int?, reply: Int?) -> Int? {
        let level = shown ?? comment.level
        // Something invisible above, a category, may have lowered the level here.
        if level > comment.level { return level <= outline.leaves[comment.last].prefix.count + 1 ? level : nil }
        // Something visible above, a template or a `;term`, may have lowered it on the page. What one sees in the
        // wikitext is the better indentation, unless the reply would then hang on another reply.
        guard let reply, reply <= comment.depth else { return comment.depth }
        return level
    }

    private func insert(
        _ draft: WikitextDraft, depth: Int, after comment: WikitextComments.Comment, _ path: [Int]
    ) -> WikitextReply.Result {
        let leaf = outline.leaves[comment.last]
        var prefix = leaf.prefix.prefix(depth - 1).map(kind)
        while prefix.count < depth - 1 { prefix.append(mark) }
        // A numbered item has the same kind of sibling as a bulleted one.
        let isMixed = depth == 1 && endsMixedComment(comment, leaf)
        let sibling = leaf.prefix.count >= depth && !isMixed ? kind(leaf.prefix[depth - 1]) : mark
        prefix.append(mark == UInt8(ascii: "*") && sibling == UInt8(ascii: "#") ? sibling : mark)
        if prefix.contains(where: { $0 != UInt8(ascii: ":") }), draft.hasTable {
            return .refused("A table cannot stand in a bulleted or numbered list, as the comment does")
        }
        let lines = indented(draft.lines, prefix)
        let continues = (depth > 1 || leaf.prefix.first.map(kind) == prefix[0]) && !isMixed
        if leaf.kind == .item, continues { return insert(lines, prefix, intoListAfter: leaf) }
        return insert(lines, asListAfter: leaf, comment, path)
    }

    /// Why nothing can be placed inside these boxes.
    private func refusal(_ path: [Int]) -> String? {
        if let inner = path.first, outline.blocks[inner].kind == .table {
            return "The comment stands in a table, outside its cells"
        }
        let isList = path.contains {
            guard case .element(let name) = outline.blocks[$0].kind else { return false }
            return ["ul", "ol", "dl", "li", "dd", "dt"].contains(name)
        }
        return isList ? "The comment stands in a list that is written as HTML" : nil
    }

    /// Whether a comment that begins as a paragraph ends with the last item of a list, which is then its own.
    private func endsMixedComment(_ comment: WikitextComments.Comment, _ leaf: WikitextOutline.Leaf) -> Bool {
        guard outline.leaves[comment.first].prefix.isEmpty, let first = leaf.prefix.first else { return false }
        return !line(at: leaf.range.upperBound + 1).prefix(1).contains { kind($0) == kind(first) }
    }

    private var mark: UInt8 { context.indentation == .colon ? UInt8(ascii: ":") : UInt8(ascii: "*") }

    private func indented(_ lines: [String], _ prefix: [UInt8]) -> [String] {
        let start = String(decoding: prefix, as: UTF8.self)
        return lines.map { line in
            guard context.indentation == .bullet, let first = line.first, !"*#:;".contains(first), first != " " else {
                return start + line
            }
            return "\(start) \(line)"
        }
    }

    private func result(_ offset: Int, _ insertion: String) -> WikitextReply.Result {
        let head = String(decoding: outline.bytes[..<offset], as: UTF8.self)
        return .placed(head + insertion + String(decoding: outline.bytes[offset...], as: UTF8.self))
    }
}

// MARK: Within a list

extension WikitextPlacement {
    private func insert(
        _ lines: [String], _ prefix: [UInt8], intoListAfter leaf: WikitextOutline.Leaf
    ) -> WikitextReply.Result {
        let text = lines.joined(separator: "\n")
        var end = leaf.range.upperBound
        if leaf.isFollowed {
            switch rest(after: leaf) {
            case .closesOwn(let lineEnd): end = lineEnd
            case .closesOuter: return result(end, "\n" + text + "\n")
            case .other: return .refused("Something else stands in the same list item after the comment")
            }
        }
        // Comments on lines of their own belong to the item if its sub-list goes on after them.
        let comments = commentLines(from: end)
        let next = line(at: comments + 1)
        if comments > end, next.count > leaf.prefix.count, next.starts(with: leaf.prefix) {
            return result(comments, "\n" + text)
        }
        return result(end, "\n" + text + separator(leaf.prefix, prefix, line(at: end + 1)))
    }

    /// An empty item, where the next line would else become a sub-item of the reply.
    private func separator(_ current: [UInt8], _ reply: [UInt8], _ next: [UInt8]) -> String {
        var common = 0
        while common < min(current.count, next.count), kind(current[common]) == kind(next[common]) { common += 1 }
        guard common >= reply.count, common > 0, common < current.count, common < next.count else { return "" }
        return "\n" + String(decoding: next[..<common], as: UTF8.self)
    }

    private func kind(_ character: UInt8) -> UInt8 { character == UInt8(ascii: ";") ? UInt8(ascii: ":") : character }

    /// The list characters of the line that begins at `offset`.
    private func line(at offset: Int) -> [UInt8] {
        guard offset < outline.bytes.count else { return [] }
        return outline.bytes[offset...].prefix { "*#:;".utf8.contains($0) } + []
    }

    private enum Rest {
        /// Only the end of what the item itself opened; where the line ends.
        case closesOwn(Int)
        /// The end of a box that was opened before the item.
        case closesOuter
        case other
    }

    private func rest(after leaf: WikitextOutline.Leaf) -> Rest {
        let bytes = outline.bytes
        let end = leaf.range.upperBound
        let lineStart = (bytes[..<end].lastIndex(of: UInt8(ascii: "\n")) ?? -1) + 1
        var index = end
        var isFirst = true
        while index < bytes.count, bytes[index] != UInt8(ascii: "\n") {
            if let block = closings[index], let close = block.close {
                guard block.open.lowerBound >= lineStart else { return isFirst ? .closesOuter : .other }
                index = close.upperBound
            } else if bytes[index] == UInt8(ascii: " ") {
                index += 1
            } else {
                return .other
            }
            isFirst = false
        }
        return .closesOwn(index)
    }

    /// The end of the comments that follow on lines of their own directly after `offset`, or `offset` itself.
    private func commentLines(from offset: Int) -> Int {
        var end = offset
        while end + 1 < outline.bytes.count, outline.bytes[end] == UInt8(ascii: "\n") {
            var index = end + 1
            var isComment = false
            while index < outline.bytes.count, outline.bytes[index] != UInt8(ascii: "\n") {
                if let span = outline.scan.spans[...].containing(index), span.kind == .comment,
                    span.isClosed, span.range.lowerBound == index
                {
                    index = span.range.upperBound
                    isComment = true
                } else if outline.bytes[index] == UInt8(ascii: " ") || outline.bytes[index] == UInt8(ascii: "\t") {
                    index += 1
                } else {
                    return end
                }
            }
            guard isComment else { return end }
            end = index
        }
        return end
    }
}

// MARK: A new list

extension WikitextPlacement {
    private func insert(
        _ lines: [String], asListAfter leaf: WikitextOutline.Leaf, _ comment: WikitextComments.Comment, _ path: [Int]
    ) -> WikitextReply.Result {
        let text = lines.joined(separator: "\n")
        var end = leaf.range.upperBound
        var isOutside = false
        // A box that holds nothing but the comment is its frame.
        for index in path {
            guard let close = outline.blocks[index].close,
                outline.blocks[index].open.lowerBound >= comment.previousEnd,
                isEmpty(end..<close.lowerBound)
            else { break }
            guard outline.blocks[index].kind != .cell else { continue }
            end = close.upperBound
            isOutside = true
        }
        if !isOutside {
            if leaf.isOnTableLine, leaf.isFollowed { return .refused("The comment stands in a row of a table") }
            let comments = leaf.kind != .item || endsMixedComment(comment, leaf) ? commentLines(from: end) : end
            if comments > end { return result(comments, "\n" + text + gap(after: comments)) }
        }
        return result(end, "\n\n" + text + gap(after: end))
    }

    /// Whether a part of the text shows nothing.
    private func isEmpty(_ range: Range<Int>) -> Bool {
        guard range.lowerBound <= range.upperBound else { return false }
        var index = range.lowerBound
        while index < range.upperBound {
            if let span = outline.scan.spans[...].containing(index), span.kind == .comment {
                index = span.range.upperBound
            } else if let block = closings[index], let close = block.close,
                !close.isEmpty
            {
                index = close.upperBound
            } else if outline.bytes[index] <= 32 {
                index += 1
            } else {
                return false
            }
        }
        return true
    }

    /// What must be added so that the text after `offset` stays a block of its own.
    private func gap(after offset: Int) -> String {
        let bytes = outline.bytes
        var newlines = 0
        var index = offset
        var start = offset
        while index < bytes.count, bytes[index] <= 32 {
            if bytes[index] == UInt8(ascii: "\n") {
                newlines += 1
                start = index + 1
            }
            index += 1
        }
        guard index < bytes.count else { return "" }
        switch newlines {
        case 0: return "\n"
        case 1: return needsNoBlank(start) ? "" : "\n"
        case 2: return ""
        default: return "\n"
        }
    }

    private func isCommentLine(_ start: Int) -> Bool {
        outline.scan.spans[...].containing(start)?.kind == .comment
    }

    /// Whether the line at `start` is a block that follows a list without a blank line.
    private func needsNoBlank(_ start: Int) -> Bool {
        let bytes = outline.bytes
        switch bytes[start] {
        case UInt8(ascii: "*"), UInt8(ascii: "#"), UInt8(ascii: ":"), UInt8(ascii: ";"):
            return kind(bytes[start]) != mark
        case UInt8(ascii: "{"): return outline.isBox(at: start)
        case UInt8(ascii: "|"): return true
        case UInt8(ascii: "<"):
            if isCommentLine(start) {
                let next = commentLines(from: start - 1) + 1
                return next <= start || line(at: next).first.map(kind) != mark
            }
            if WikitextOutline.BlockTag(bytes, at: start, before: bytes.count) != nil { return true }
            guard let span = outline.scan.spans[...].containing(start) else { return false }
            return span.kind == .tag("pre")
        default: return false
        }
    }
}
