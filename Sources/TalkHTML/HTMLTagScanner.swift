/// Finds the tags in a text as an HTML tokenizer does, without making strings.
struct HTMLTagScanner {
    /// A tag, or the end of the text.
    struct Tag {
        var name = HTMLTagName(key: 0)
        var isClosing = false
        var attributes = 0
        /// Equal for tags written in the same way.
        var hash: UInt64 = 0
        /// Bytes of text before it.
        var textBytes = 0
        var isEnd = false
    }

    private let text: UnsafeBufferPointer<UInt8>
    private var index = 0

    init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

    /// The next tag, then once the end of the text, then nil.
    mutating func next() -> Tag? {
        guard index <= text.count else { return nil }
        var tag = Tag()
        let start = index
        while index < text.count {
            guard text[index] == UInt8(ascii: "<"), index + 1 < text.count else {
                index += 1
                continue
            }
            let next = text[index + 1]
            if HTMLTagName.isLetter(next) {
                tag.textBytes = index - start
                index += 1
                if readTag(&tag) { return tag }
            } else if next == UInt8(ascii: "/"), index + 2 < text.count {
                if HTMLTagName.isLetter(text[index + 2]) {
                    tag.textBytes = index - start
                    tag.isClosing = true
                    index += 2
                    if readTag(&tag) { return tag }
                } else {
                    skipBogusComment()
                }
            } else if next == UInt8(ascii: "!") {
                if matches("<!--", at: index) { skipComment() } else { skipBogusComment() }
            } else if next == UInt8(ascii: "?") {
                skipBogusComment()
            } else {
                index += 1
            }
        }
        index = text.count + 1
        tag = Tag()
        tag.textBytes = text.count - min(start, text.count)
        tag.isEnd = true
        return tag
    }

    /// Reads from the first letter of the name past the `>`; false when the text ends inside the tag.
    private mutating func readTag(_ tag: inout Tag) -> Bool {
        let start = index
        while index < text.count, !HTMLTagName.endsName(text[index]) { index += 1 }
        tag.name = HTMLTagName(UnsafeBufferPointer(rebasing: text[start..<index]))
        while index < text.count {
            let byte = text[index]
            if byte == UInt8(ascii: ">") {
                tag.hash = hash(start..<index)
                index += 1
                return true
            }
            if HTMLTagName.endsName(byte) {
                index += 1
            } else {
                tag.attributes += 1
                readAttribute()
            }
        }
        return false
    }

    private mutating func readAttribute() {
        index += 1
        while index < text.count, text[index] != UInt8(ascii: "="), !HTMLTagName.endsName(text[index]) { index += 1 }
        skipSpace()
        guard index < text.count, text[index] == UInt8(ascii: "=") else { return }
        index += 1
        skipSpace()
        guard index < text.count else { return }
        let quote = text[index]
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            index += 1
            while index < text.count, text[index] != quote { index += 1 }
            index += 1
        } else {
            while index < text.count, text[index] != UInt8(ascii: ">"), !HTMLTagName.isSpace(text[index]) { index += 1 }
        }
    }

    private mutating func skipSpace() {
        while index < text.count, HTMLTagName.isSpace(text[index]) { index += 1 }
    }

    private mutating func skipBogusComment() {
        while index < text.count, text[index] != UInt8(ascii: ">") { index += 1 }
        index += 1
    }

    private mutating func skipComment() {
        index += 4
        if matches(">", at: index) {
            index += 1
            return
        }
        if matches("->", at: index) {
            index += 2
            return
        }
        while index < text.count {
            if text[index] == UInt8(ascii: "-") {
                if matches("-->", at: index) {
                    index += 3
                    return
                }
                if matches("--!>", at: index) {
                    index += 4
                    return
                }
            }
            index += 1
        }
    }

    /// Moves to the end tag of a raw text element.
    mutating func skipRawText(until name: HTMLTagName) {
        if name == .plaintext { index = text.count }
        while index < text.count {
            if matches("</", at: index) {
                var end = index + 2
                while end < text.count, !HTMLTagName.endsName(text[end]) { end += 1 }
                if end < text.count, HTMLTagName(UnsafeBufferPointer(rebasing: text[(index + 2)..<end])) == name {
                    return
                }
            }
            index += 1
        }
    }

    private func matches(_ bytes: StaticString, at start: Int) -> Bool {
        guard start + bytes.utf8CodeUnitCount <= text.count else { return false }
        for offset in 0..<bytes.utf8CodeUnitCount where text[start + offset] != bytes.utf8Start[offset] { return false }
        return true
    }

    private func hash(_ range: Range<Int>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for index in range { hash = (hash ^ UInt64(text[index])) &* 0x100_0000_01B3 }
        return hash
    }
}
