internal import TalkPages

/// Reads one JSON document from UTF-8 bytes.
///
/// Anything after it is an error: a wiki whose database fails writes a JSON object with an HTML page behind it.
/// Nesting is limited, so that no answer can exhaust the stack.
struct JSONParser {
    private static let depthLimit = 200
    private var depth = 0

    static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
        var parser = JSONParser()
        var scanner = JSONScanner(bytes)
        let value = try parser.value(&scanner)
        guard scanner.next() == nil else { throw scanner.failure }
        return value
    }

    private mutating func value(_ scanner: inout JSONScanner) throws(JSONError) -> JSONValue {
        switch scanner.next() {
        case UInt8(ascii: "{"):
            var members: [String: JSONValue] = [:]
            try descend(scanner)
            try scanner.object { scanner, key throws(JSONError) in members[key] = try value(&scanner) }
            depth -= 1
            return .object(members)
        case UInt8(ascii: "["):
            var elements: [JSONValue] = []
            try descend(scanner)
            try scanner.array { scanner throws(JSONError) in elements.append(try value(&scanner)) }
            depth -= 1
            return .array(elements)
        case UInt8(ascii: "\""): return .string(try scanner.string())
        case UInt8(ascii: "t"):
            try scanner.word("true")
            return .bool(true)
        case UInt8(ascii: "f"):
            try scanner.word("false")
            return .bool(false)
        case UInt8(ascii: "n"):
            try scanner.word("null")
            return .null
        default: return try number(&scanner)
        }
    }

    private mutating func descend(_ scanner: JSONScanner) throws(JSONError) {
        guard depth < Self.depthLimit else { throw scanner.failure }
        depth += 1
    }

    private func number(_ scanner: inout JSONScanner) throws(JSONError) -> JSONValue {
        let failure = scanner.failure
        let text = scanner.numeral()
        if let integer = Int64(text), !text.hasPrefix("+") { return .integer(integer) }
        guard let number = Double(text), number.isFinite, !text.hasPrefix("+") else { throw failure }
        return .number(number)
    }
}
