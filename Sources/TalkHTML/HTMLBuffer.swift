/// UTF-8 bytes of HTML that grow; faster than a `String` for many short pieces.
public struct HTMLBuffer: Sendable {
    /// What was written.
    public private(set) var bytes: [UInt8] = []

    /// An empty buffer.
    public init() {}

    /// What was written, as a string.
    public var string: String { String(decoding: bytes, as: UTF8.self) }

    /// The number of bytes.
    public var count: Int { bytes.count }

    /// Appends HTML.
    public mutating func append(raw html: String) { bytes.append(contentsOf: html.utf8) }

    /// Appends one ASCII character of HTML.
    public mutating func append(byte: UInt8) { bytes.append(byte) }

    /// Appends text, escaped.
    public mutating func append(text: String) { append(text, special: Self.specialInText) }

    /// Appends the value of an attribute, escaped for double quotes.
    public mutating func append(attribute value: String) { append(value, special: Self.specialInAttributes) }

    /// Removes ASCII white space from the end, down to `start` bytes.
    public mutating func trimEnd(downTo start: Int = 0) {
        while bytes.count > start, let last = bytes.last, HTMLTagName.isSpace(last) { bytes.removeLast() }
    }

    private mutating func append(_ text: String, special: [Bool]) {
        var text = text
        text.withUTF8 { utf8 in
            var start = 0
            var index = 0
            while index < utf8.count {
                let byte = utf8[index]
                guard special[Int(byte)], let (length, escape) = Self.escape(at: index, of: utf8) else {
                    index += 1
                    continue
                }
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start..<index]))
                bytes.append(contentsOf: escape.utf8)
                index += length
                start = index
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[start...]))
        }
    }

    /// The bytes at which `escape` must look.
    private static let specialInText: [Bool] = (0...255).map { byte in
        switch UInt8(byte) {
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), 0x7F, 0xC2, 0xEF, 0xF0...0xF4: true
        case 0x09, 0x0A, 0x0C: false
        default: byte < 0x20
        }
    }
    private static let specialInAttributes: [Bool] = {
        var table = specialInText
        table[Int(UInt8(ascii: "\""))] = true
        return table
    }()

    /// How the character at `index` is written, and its length, when not as it is.
    ///
    /// Control characters and noncharacters have a reference, since a parser would replace them.
    private static func escape(at index: Int, of utf8: UnsafeBufferPointer<UInt8>) -> (Int, String)? {
        switch utf8[index] {
        case UInt8(ascii: "&"): return (1, "&amp;")
        case UInt8(ascii: "<"): return (1, "&lt;")
        case UInt8(ascii: ">"): return (1, "&gt;")
        case UInt8(ascii: "\""): return (1, "&quot;")
        case 0: return (1, "\u{FFFD}")
        case let byte where byte < 0x80: return (1, "&#\(byte);")
        case 0xC2 where utf8[index + 1] == 0xA0: return (2, "&nbsp;")
        case let byte:
            let length = byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
            let bytes = UnsafeBufferPointer(rebasing: utf8[index..<(index + length)])
            guard let scalar = String(decoding: bytes, as: UTF8.self).unicodeScalars.first, scalar.isHTMLInvalid else {
                return nil
            }
            return (length, "&#\(scalar.value);")
        }
    }
}
