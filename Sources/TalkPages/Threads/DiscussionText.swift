/// Takes plain text out of a page, with white space as HTML shows it.
enum DiscussionText {
    /// The text of an element's content.
    static func ofContent(_ outline: PageOutline, _ element: Int) -> String {
        guard let first = outline.first(element) else { return "" }
        return text(outline, from: first, until: outline.end(element), withoutSeparatorAfter: nil)
    }

    /// The text of a line of a pending reply, without the replies to it.
    static func ofLine(_ outline: PageOutline, _ element: Int) -> String {
        var pieces: [String] = []
        var child = outline.first(element)
        while let node = child, !outline.kind(node).isList {
            if outline.kind(node) == .text { pieces.append(outline.text(node)) }
            if outline.isElement(node) { pieces.append(ofContent(outline, node)) }
            child = outline.next(node)
        }
        var text = pieces.joined()
        // In canonical form the end of a paragraph, and a list below it, stand on lines of their own.
        while text.last == "\n" { text.removeLast() }
        return text
    }

    /// The text of a comment up to its last signature, without the dashes that lead over to it.
    static func ofBody(_ outline: PageOutline, _ item: ScannedItem) -> String {
        guard let signature = item.signatures.last, signature.first > item.start else { return "" }
        let last = lastText(outline, from: item.start, until: signature.first)
        return text(outline, from: item.start, until: signature.first, withoutSeparatorAfter: last)
    }

    /// What stands between two nodes, with words kept apart where blocks begin and end.
    private static func text(
        _ outline: PageOutline, from first: Int, until limit: Int, withoutSeparatorAfter last: Int?
    ) -> String {
        var bytes: [UInt8] = []
        var needsSpace = false
        var within = outline.parent(first)
        var before: Int? = first
        while true {
            if let node = before {
                if node >= limit { break }
                if outline.has(.separatesWords, node) { needsSpace = true }
                if outline.has(.hidden, node) || node != first && outline.has(.pending, node) {
                    before = outline.next(node)
                    continue
                }
                if outline.kind(node) == .text {
                    let text = outline.text(node)
                    for byte in node == last ? withoutSeparator(text).utf8 : text[...].utf8 {
                        if byte == 32 || byte == 10 || byte == 13 || byte == 9 {
                            needsSpace = true
                        } else {
                            if needsSpace, !bytes.isEmpty { bytes.append(32) }
                            needsSpace = false
                            bytes.append(byte)
                        }
                    }
                }
                within = node
                before = outline.kind(node) == .comment ? nil : outline.first(node)
            } else {
                if within <= 0 { break }
                if outline.has(.separatesWords, within) { needsSpace = true }
                before = outline.next(within)
                within = outline.parent(within)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func withoutSeparator(_ text: String) -> Substring {
        var scalars = text.unicodeScalars[...]
        while let last = scalars.last {
            switch last.value {
            case 0x2D, 0x7E, 0x2010...0x2015, 0x2043, 0x2060: break
            default: if !last.properties.isWhitespace { return Substring(scalars) }
            }
            scalars.removeLast()
        }
        return ""
    }
}

// MARK: The end of a body

extension DiscussionText {
    /// The text with which a body ends, if it ends with one, as DiscussionTools finds it.
    ///
    /// The body is a piece cut out of the page, and ends where its last child of its last child ends. List items around
    /// the whole body are taken away before that, empty ones with them.
    static func lastText(_ outline: PageOutline, from first: Int, until limit: Int) -> Int? {
        var ancestor = outline.parent(limit)
        while !outline.contains(ancestor, outline.parent(first)) { ancestor = outline.parent(ancestor) }
        let top = outline.child(of: ancestor, holding: first)
        var current = outline.parent(limit) == ancestor ? outline.previous(limit) : nil
        if outline.parent(limit) != ancestor { current = outline.child(of: ancestor, holding: limit) }
        let listsAreTakenAway = isOnlyLists(outline, from: top, to: current)
        while let node = current {
            if node < top { return nil }
            if outline.kind(node) == .text { return node }
            if outline.kind(node) == .comment { return nil }
            var child = outline.last(node)
            if outline.contains(node, limit) {
                child =
                    outline.parent(limit) == node
                    ? outline.previous(limit) : outline.child(of: node, holding: limit)
            }
            if child == nil {
                // An empty item of a list that is taken away.
                let list = outline.parent(node)
                guard listsAreTakenAway, outline.kind(list).isList,
                    list == ancestor || outline.parent(list) == ancestor
                else { return nil }
                child = outline.previous(node) ?? (list == ancestor ? nil : outline.previous(list))
            }
            current = child
        }
        return nil
    }

    private static func isOnlyLists(_ outline: PageOutline, from top: Int, to last: Int?) -> Bool {
        guard let last else { return false }
        var kinds: [ElementKind] = []
        var node: Int? = top
        while let current = node, current <= last {
            if outline.isElement(current) { kinds.append(outline.kind(current)) }
            node = outline.next(current)
        }
        guard let first = kinds.first else { return false }
        let others = kinds.dropFirst()
        if first.isList || first.indents, others.allSatisfy({ $0 == first }) { return true }
        // A bullet followed by indented lines.
        return first == .ul && outline.kind(top) == .ul && others.allSatisfy { $0 == .dl }
    }
}
