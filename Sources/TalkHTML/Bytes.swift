extension String {
    /// Whether the bytes stand anywhere in the text; many times faster than `contains`.
    package func containsBytes(_ bytes: StaticString) -> Bool {
        var text = self
        return text.withUTF8 { text in
            let count = bytes.utf8CodeUnitCount
            guard text.count >= count, count > 0 else { return count == 0 }
            let first = bytes.utf8Start[0]
            for start in 0...(text.count - count) where text[start] == first {
                if Self.equal(text, start, bytes) { return true }
            }
            return false
        }
    }

    /// Whether the text begins with the bytes.
    package func startsWithBytes(_ bytes: StaticString) -> Bool {
        var text = self
        return text.withUTF8 { $0.count >= bytes.utf8CodeUnitCount && Self.equal($0, 0, bytes) }
    }

    /// Whether one of the words that ASCII white space separates is `word`.
    package func hasWord(_ word: StaticString) -> Bool {
        var text = self
        return text.withUTF8 { text in
            var start = 0
            while start < text.count {
                var end = start
                while end < text.count, !HTMLTagName.isSpace(text[end]) { end += 1 }
                if end - start == word.utf8CodeUnitCount, Self.equal(text, start, word) { return true }
                start = end + 1
            }
            return false
        }
    }

    private static func equal(_ text: UnsafeBufferPointer<UInt8>, _ start: Int, _ bytes: StaticString) -> Bool {
        for offset in 0..<bytes.utf8CodeUnitCount where text[start + offset] != bytes.utf8Start[offset] {
            return false
        }
        return true
    }
}
