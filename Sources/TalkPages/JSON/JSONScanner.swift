/// Where a JSON text stops being one.
package struct JSONError: Error, Hashable {
    /// Bytes before the problem.
    package let offset: Int
    /// Whether the text just ended too early.
    package let isTruncated: Bool

    /// Makes an error.
    package init(offset: Int, isTruncated: Bool) {
        self.offset = offset
        self.isTruncated = isTruncated
    }
}

/// Reads a JSON text from UTF-8 bytes, one token after the other.
package struct JSONScanner {
    private let bytes: [UInt8]
    private var offset = 0

    /// Starts at the first byte, behind a byte order mark.
    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
    }

    /// The error that the text is none from here on.
    package var failure: JSONError { JSONError(offset: offset, isTruncated: offset >= bytes.count) }

    /// The next byte that is no white space; nil at the end.
    package mutating func next() -> UInt8? {
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x20, 0x0A, 0x0D, 0x09: offset += 1
            default: return bytes[offset]
            }
        }
        return nil
    }

    /// Takes the byte when it comes next, white space aside.
    package mutating func take(_ byte: UInt8) -> Bool {
        guard next() == byte else { return false }
        offset += 1
        return true
    }

    /// Reads `true`, `false` or `null`.
    package mutating func word(_ word: StaticString) throws(JSONError) {
        _ = next()
        for byte in word.description.utf8 {
            guard offset < bytes.count, bytes[offset] == byte else { throw failure }
            offset += 1
        }
    }

    /// Reads an object; `member` reads the value of each key.
    package mutating func object(
        _ member: (inout JSONScanner, String) throws(JSONError) -> Void
    ) throws(JSONError) {
        guard take(UInt8(ascii: "{")) else { throw failure }
        if take(UInt8(ascii: "}")) { return }
        while true {
            let key = try string()
            guard take(UInt8(ascii: ":")) else { throw failure }
            try member(&self, key)
            if take(UInt8(ascii: "}")) { return }
            guard take(UInt8(ascii: ",")) else { throw failure }
        }
    }

    /// Reads an array; `element` reads each value.
    package mutating func array(_ element: (inout JSONScanner) throws(JSONError) -> Void) throws(JSONError) {
        guard take(UInt8(ascii: "[")) else { throw failure }
        if take(UInt8(ascii: "]")) { return }
        while true {
            try element(&self)
            if take(UInt8(ascii: "]")) { return }
            guard take(UInt8(ascii: ",")) else { throw failure }
        }
    }

    /// Reads a number without fraction or exponent that fits.
    package mutating func integer() throws(JSONError) -> Int64 {
        guard next() != nil else { throw failure }
        let start = offset
        guard let integer = Int64(numeral()) else {
            offset = start
            throw failure
        }
        return integer
    }

    /// Passes over a value that nobody here knows.
    ///
    /// Nesting is limited, so that no file can exhaust the stack.
    package mutating func skip(depth: Int = 0) throws(JSONError) {
        guard depth < 200 else { throw failure }
        switch next() {
        case UInt8(ascii: "{"): try object { scanner, _ throws(JSONError) in try scanner.skip(depth: depth + 1) }
        case UInt8(ascii: "["): try array { scanner throws(JSONError) in try scanner.skip(depth: depth + 1) }
        case UInt8(ascii: "\""): _ = try string()
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        default: guard Double(numeral()) != nil else { throw failure }
        }
    }

    /// Takes whatever a number can be made of.
    package mutating func numeral() -> String {
        _ = next()
        let start = offset
        while offset < bytes.count, "+-.eE0123456789".utf8.contains(bytes[offset]) { offset += 1 }
        return String(decoding: bytes[start..<offset], as: UTF8.self)
    }

    /// Reads a string.
    package mutating func string() throws(JSONError) -> String {
        guard take(UInt8(ascii: "\"")) else { throw failure }
        let start = offset
        skipPlain()
        guard offset < bytes.count else { throw failure }
        if bytes[offset] == UInt8(ascii: "\"") {
            offset += 1
            return String(decoding: bytes[start..<(offset - 1)], as: UTF8.self)
        }
        var text = Array(bytes[start..<offset])
        while true {
            guard offset < bytes.count else { throw failure }
            offset += 1
            if bytes[offset - 1] == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
            try escape(into: &text)
            let start = offset
            skipPlain()
            text += bytes[start..<offset]
        }
    }

    /// Goes to the next quotation mark or backslash.
    private mutating func skipPlain() {
        while offset < bytes.count, bytes[offset] != UInt8(ascii: "\""), bytes[offset] != UInt8(ascii: "\\") {
            offset += 1
        }
    }

    private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
        guard offset < bytes.count else { throw failure }
        let byte = bytes[offset]
        offset += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text += Array(String(try unicodeScalar()).utf8)
        default: throw failure
        }
    }

    /// The four digits after `\u`, joined with those of a following low surrogate; a lone surrogate is U+FFFD.
    private mutating func unicodeScalar() throws(JSONError) -> Unicode.Scalar {
        let first = try fourDigits()
        if (0xD800..<0xDC00).contains(first), offset + 1 < bytes.count, bytes[offset] == UInt8(ascii: "\\"),
            bytes[offset + 1] == UInt8(ascii: "u")
        {
            let back = offset
            offset += 2
            let second = try fourDigits()
            if (0xDC00..<0xE000).contains(second) {
                return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00)) ?? "\u{FFFD}"
            }
            offset = back
        }
        return Unicode.Scalar(first) ?? "\u{FFFD}"
    }

    private mutating func fourDigits() throws(JSONError) -> UInt32 {
        var value: UInt32 = 0
        for _ in 0..<4 {
            guard offset < bytes.count, let digit = Character(Unicode.Scalar(bytes[offset])).hexDigitValue else {
                throw failure
            }
            value = value << 4 + UInt32(digit)
            offset += 1
        }
        return value
    }
}
