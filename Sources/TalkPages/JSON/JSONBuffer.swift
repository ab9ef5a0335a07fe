/// UTF-8 bytes of JSON that grow, for texts that are too large for `JSONEncoder`.
package struct JSONBuffer {
    /// What was written.
    package private(set) var bytes: [UInt8] = []

    /// An empty buffer.
    package init() {}

    /// Appends JSON.
    package mutating func append(raw json: String) { bytes.append(contentsOf: json.utf8) }

    /// Appends a string, escaped.
    package mutating func append(string: String) {
        bytes.append(UInt8(ascii: "\""))
        if string.utf8.contains(where: Self.isSpecial) {
            for byte in string.utf8 {
                switch byte {
                case UInt8(ascii: "\""): append(raw: #"\""#)
                case UInt8(ascii: "\\"): append(raw: #"\\"#)
                case UInt8(ascii: "\n"): append(raw: #"\n"#)
                case ..<0x10: append(raw: #"\u000"# + String(byte, radix: 16))
                case ..<0x20: append(raw: #"\u00"# + String(byte, radix: 16))
                default: bytes.append(byte)
                }
            }
        } else {
            append(raw: string)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }
}
