/// Where a JSON text stops being one.
struct JSONError: Error, Hashable {
    /// Bytes before the problem.
    let offset: Int
    /// Whether the text just ended too early.
    let isTruncated: Bool
}

/// Reads one JSON document from UTF-8 bytes.
///
/// Anything after it is an error: a wiki whose database fails writes a JSON object with an HTML page behind it.
/// Nesting is limited, so that no answer can exhaust the stack.
struct JSONParser {
    private static let depthLimit = 200
    private let bytes: [UInt8]
    private var offset = 0
    private var depth = 0

    static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
        var parser = JSONParser(bytes: bytes)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { parser.offset = 3 }
        let value = try parser.value()
        parser.skipSpace()
        guard parser.offset == bytes.count else { throw parser.failure }
        return value
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private var failure: JSONError { JSONError(offset: offset, isTruncated: offset >= bytes.count) }

    private mutating func skipSpace() {
        while offset < bytes.count,
            bytes[offset] == 0x20 || bytes[offset] == 0x0A || bytes[offset] == 0x0D
                || bytes[offset] == 0x09
        { offset += 1 }
    }

    private mutating func value() throws(JSONError) -> JSONValue {
        skipSpace()
        guard offset < bytes.count else { throw failure }
        switch bytes[offset] {
        case UInt8(ascii: "{"): return try nested { parser throws(JSONError) in try parser.object() }
        case UInt8(ascii: "["): return try nested { parser throws(JSONError) in try parser.array() }
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return try number()
        }
    }

    private mutating func nested(
        _ read: (inout JSONParser) throws(JSONError) -> JSONValue
    ) throws(JSONError) -> JSONValue {
        guard depth < Self.depthLimit else { throw failure }
        depth += 1
        defer { depth -= 1 }
        offset += 1
        return try read(&self)
    }

    private mutating func object() throws(JSONError) -> JSONValue {
        var members: [String: JSONValue] = [:]
        skipSpace()
        if take(UInt8(ascii: "}")) { return .object(members) }
        while true {
            skipSpace()
            guard offset < bytes.count, bytes[offset] == UInt8(ascii: "\"") else { throw failure }
            let key = try string()
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw failure }
            members[key] = try value()
            skipSpace()
            if take(UInt8(ascii: "}")) { return .object(members) }
            guard take(UInt8(ascii: ",")) else { throw failure }
        }
    }

    private mutating func array() throws(JSONError) -> JSONValue {
        var elements: [JSONValue] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return .array(elements) }
        while true {
            elements.append(try value())
            skipSpace()
            if take(UInt8(ascii: "]")) { return .array(elements) }
            guard take(UInt8(ascii: ",")) else { throw failure }
        }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard offset < bytes.count, bytes[offset] == byte else { return false }
        offset += 1
        return true
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
        for byte in word.description.utf8 {
            guard take(byte) else { throw failure }
        }
        return value
    }

    private mutating func number() throws(JSONError) -> JSONValue {
        let start = offset
        while offset < bytes.count, "+-.eE0123456789".utf8.contains(bytes[offset]) { offset += 1 }
        let text = String(decoding: bytes[start..<offset], as: UTF8.self)
        if let integer = Int64(text), !text.hasPrefix("+") { return .integer(integer) }
        guard let number = Double(text), number.isFinite, !text.hasPrefix("+") else {
            offset = start
            throw failure
        }
        return .number(number)
    }

    private mutating func string() throws(JSONError) -> String {
        offset += 1
        var text: [UInt8] = []
        while true {
            let start = offset
            while offset < bytes.count, bytes[offset] != UInt8(ascii: "\""), bytes[offset] != UInt8(ascii: "\\") {
                offset += 1
            }
            text += bytes[start..<offset]
            guard offset < bytes.count else { throw failure }
            if take(UInt8(ascii: "\"")) { return String(decoding: text, as: UTF8.self) }
            offset += 1
            try escape(into: &text)
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
