internal import TalkHTML

// MARK: Sections

extension CanonicalTree {
    /// Finds where each section starts.
    mutating func findSections() {
        let root = document.root
        var next = document.firstChild(root)
        while let node = next {
            next = document.next(after: node, in: root)
            guard document.kind(node) == .element else { continue }
            if isDrawing(node) || isTableOfContentsBox(node) {
                next = document.next(afterAllOf: node, in: root)
            } else if isHeading(node) {
                let start = sectionStart(of: node)
                sectionAtNode[document.index(of: start)] = sectionStarts.count
                sectionStarts.append((start, node))
                next = document.next(afterAllOf: node, in: root)
            }
        }
    }

    /// A user's own contents list; its heading is not one of the page's.
    private func isTableOfContentsBox(_ node: NodeID) -> Bool {
        document.attribute("id", of: node) == "toc" || document.hasClass("toc", node)
    }

    /// The heading, or the outermost element that begins with it.
    private func sectionStart(of heading: NodeID) -> NodeID {
        var start = heading
        while true {
            var previous = document.previousSibling(start)
            while let node = previous, document.kind(node) == .text, isSpace(document.text(node)) {
                previous = document.previousSibling(node)
            }
            guard previous == nil, let parent = document.parent(start), parent != document.root else { return start }
            start = parent
        }
    }
}

// MARK: White space

extension CanonicalTree {
    /// Puts blocks on lines of their own, where the white space this takes never shows.
    ///
    /// So `git diff` shows one comment a hunk, and `git blame` names the author of each.
    mutating func layOut() {
        let root = document.root
        if let first = document.firstChild(root), document.kind(first) == .text {
            let text = document.text(first)
            let kept = text.utf8.drop(while: isSpace)
            if kept.isEmpty {
                document.remove(first)
            } else if kept.count < text.utf8.count {
                document.setText(String(decoding: kept, as: UTF8.self), of: first)
            }
        }
        var preserving = 0
        var next = document.firstChild(root)
        while var node = next {
            if document.kind(node) == .element, !isDrawing(node) {
                if preserving == 0 { breakLine(before: node) }
                if document.firstChild(node) != nil {
                    if preservesSpace(node) { preserving += 1 }
                    next = document.firstChild(node)
                    continue
                }
            }
            while true {
                if let sibling = document.nextSibling(node) {
                    next = sibling
                    break
                }
                guard let parent = document.parent(node), parent != root else {
                    next = nil
                    break
                }
                node = parent
                if preservesSpace(node) {
                    preserving -= 1
                } else if preserving == 0 {
                    breakLine(beforeEndOf: node)
                }
            }
        }
    }

    /// Whether white space shows inside the element, as far as its name and style tell.
    func preservesSpace(_ node: NodeID) -> Bool { document.preservesSpace(node) }

    /// Whether a style may put the element into a line, where white space before it shows.
    func isPlaced(_ node: NodeID) -> Bool {
        guard let style = document.attribute("style", of: node) else { return false }
        return style.containsBytes("display") || style.containsBytes("float") || style.containsBytes("position")
    }

    func isBlock(_ node: NodeID) -> Bool {
        document.kind(node) == .element && !ElementRoles.of(node, in: document).isDisjoint(with: [.block, .box])
    }

    private mutating func breakLine(before node: NodeID) {
        let roles = ElementRoles.of(node, in: document)
        let isStart = sectionAtNode[document.index(of: node)] != nil
        guard isStart || !roles.isDisjoint(with: [.block, .box]) else { return }
        guard isStart || !isPlaced(node) else { return }
        guard let parent = document.parent(node) else { return }
        guard let previous = document.previousSibling(node) else {
            // A list that is a lone term is a heading to DiscussionTools, white space would make it a list.
            if parent == document.root || roles.contains(.box) && !isStart && !isBlock(parent) { return }
            if document.name(node) == "dt", document.nextSibling(node) == nil { return }
            insertBreak(before: node, in: parent)
            return
        }
        switch document.kind(previous) {
        case .text:
            let text = document.text(previous)
            let kept = contentLength(text)
            if kept == text.utf8.count {
                if isStart || roles.contains(.block) { document.appendText("\n", to: previous) }
            } else if kept == 0, parent == document.root, document.previousSibling(previous) == nil {
                document.remove(previous)
            } else if text.utf8.count != kept + 1 || text.utf8.last != UInt8(ascii: "\n") {
                document.setText(String(decoding: text.utf8.prefix(kept), as: UTF8.self) + "\n", of: previous)
            }
        default:
            // A style right before a separator belongs to it, says the thread parser.
            if document.name(previous) == "style" { return }
            if isStart || roles.contains(.block) || isBlock(previous) { insertBreak(before: node, in: parent) }
        }
    }

    private mutating func breakLine(beforeEndOf node: NodeID) {
        let roles = ElementRoles.of(node, in: document)
        guard !roles.isDisjoint(with: [.block, .box]), !isPlaced(node) else { return }
        guard let last = document.lastChild(node) else { return }
        let endsOnOwnLine = roles.contains(.endsOnOwnLine)
        guard document.kind(last) == .text else {
            if document.name(last) == "dt", document.firstChild(node) == last { return }
            if endsOnOwnLine || roles.contains(.box) && isBlock(last) { insertBreak(before: nil, in: node) }
            return
        }
        let text = document.text(last)
        let kept = contentLength(text)
        if kept == 0, document.firstChild(node) == last { return document.remove(last) }
        let end = endsOnOwnLine || roles.contains(.box) && kept < text.utf8.count ? "\n" : ""
        if text.utf8.count == kept + end.utf8.count, kept == text.utf8.count || text.utf8.last == 0x0A { return }
        if kept == 0, end.isEmpty { return document.remove(last) }
        document.setText(String(decoding: text.utf8.prefix(kept), as: UTF8.self) + end, of: last)
    }

    private mutating func insertBreak(before node: NodeID?, in parent: NodeID) {
        let text = document.makeText("\n")
        document.insert(text, into: parent, before: node)
    }

    /// Bytes of the text without the white space at its end.
    private func contentLength(_ text: String) -> Int {
        var count = 0
        for byte in text.utf8.reversed() {
            guard isSpace(byte) else { break }
            count += 1
        }
        return text.utf8.count - count
    }
}

extension HTMLDocument {
    /// Whether white space shows inside the element, as far as its name and style tell.
    func preservesSpace(_ node: NodeID) -> Bool {
        if ElementRoles.of(node, in: self).contains(.preserves) { return true }
        guard let style = attribute("style", of: node), style.containsBytes("white-space") else { return false }
        return style.containsBytes("pre") || style.containsBytes("break-spaces")
    }
}
