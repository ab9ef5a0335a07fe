internal import TalkHTML

extension HTMLDocument {
    /// Puts an element that bears the mark, and its first children that do, into the one before it, which it continues.
    ///
    /// Where that is not an element of the same name and attributes, only the mark goes.
    mutating func rejoin(_ element: NodeID, mark: String) {
        var next: NodeID? = element
        var preserves = false
        while let node = next {
            next = nil
            guard kind(node) == .element, attribute(mark, of: node) != nil else { return }
            setAttributes(attributes(node).filter { $0.name != mark }, of: node)
            var previous = previousSibling(node)
            if let text = previous, kind(text) == .text, isSpace(self.text(text)) { previous = previousSibling(text) }
            guard let target = previous, kind(target) == .element, name(target) == name(node),
                attributes(target) == attributes(node)
            else { return }
            if let text = previousSibling(node), text != target { remove(text) }
            preserves = preserves || preservesSpace(target)
            if !preserves { trimEnd(of: target) }
            // The text that both meet at, and the next element to put together.
            if let first = firstChild(node), kind(first) == .text {
                if !preserves, isSpace(text(first)) {
                    next = nextSibling(first)
                }
                if let last = lastChild(target), kind(last) == .text {
                    appendText(text(first), to: last)
                    remove(first)
                }
            } else {
                next = firstChild(node)
            }
            moveChildren(of: node, to: target)
            remove(node)
        }
    }

    /// Takes white space off the end of an element's content.
    private mutating func trimEnd(of element: NodeID) {
        guard let last = lastChild(element), kind(last) == .text else { return }
        let text = text(last)
        let kept = text.utf8.reversed().drop(while: isSpace).count
        if kept == 0 {
            remove(last)
        } else if kept < text.utf8.count {
            setText(String(text.utf8.prefix(kept)) ?? text, of: last)
        }
    }
}
