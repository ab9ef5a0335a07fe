internal import Foundation

/// One component of a ref or of a path in a store: a title, a wiki's key, a section's slug, escaped for git and for
/// files.
///
/// Readable as long as it can be: NFC, spaces as `_`, other characters as they are; `%XX` for bytes that git or a file
/// system refuses. Equal names only for equal texts, where space and `_` are equal as in MediaWiki's titles.
public enum RefComponent {
    /// The most bytes of a title before it is cut.
    public static let titleLimit = 200

    /// Escapes a text; the empty text stays empty, which no ref can be.
    ///
    /// What is longer than `limit` bytes when escaped is cut there, not inside a character or an escape, and gets `=`
    /// with the first 16 hexadecimal digits of the SHA-256 of the whole text (NFC, spaces as `_`, not escaped).
    public static func escape(_ text: String, limit: Int = titleLimit) -> String {
        if text.utf8.count <= limit, isPlain(text.utf8) { return exchanged(text, UInt8(ascii: " "), UInt8(ascii: "_")) }
        let text = normalize(text)
        let bytes = Array(text.utf8)
        var out: [UInt8] = []
        /// Where `out` could be cut.
        var end = 0
        for (index, byte) in bytes.enumerated() {
            if mustEscape(index, of: bytes) {
                out += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            } else {
                out.append(byte)
            }
            let isInsideCharacter = index + 1 < bytes.count && bytes[index + 1] & 0xC0 == 0x80
            if out.count <= limit, !isInsideCharacter { end = out.count }
        }
        guard out.count > limit else { return String(decoding: out, as: UTF8.self) }
        return String(decoding: out[..<end], as: UTF8.self) + "=" + SHA256.hexadecimal(of: text).prefix(16)
    }

    /// The text with spaces that was escaped; nil for what `escape` never makes and for a cut one.
    public static func unescape(_ component: String) -> String? {
        if isPlain(component.utf8), !component.utf8.contains(UInt8(ascii: " ")) {
            return exchanged(component, UInt8(ascii: "_"), UInt8(ascii: " "))
        }
        guard !component.utf8.contains(UInt8(ascii: "=")) else { return nil }
        var out: [UInt8] = []
        var bytes = component.utf8.makeIterator()
        while let byte = bytes.next() {
            guard byte == UInt8(ascii: "%") else {
                out.append(byte == UInt8(ascii: "_") ? UInt8(ascii: " ") : byte)
                continue
            }
            guard let high = bytes.next().flatMap(value), let low = bytes.next().flatMap(value) else { return nil }
            out.append(high << 4 | low)
        }
        guard let text = String(validating: out, as: UTF8.self) else { return nil }
        // By bytes: `==` also takes another normal form.
        return escape(text, limit: .max).utf8.elementsEqual(component.utf8) ? text : nil
    }

    /// Whether `escape` can have made the component with this limit.
    public static func isValid(_ component: String, limit: Int = titleLimit) -> Bool {
        guard !component.isEmpty else { return false }
        if component.utf8.count <= limit, isPlain(component.utf8), !component.utf8.contains(UInt8(ascii: " ")) {
            return true
        }
        // By bytes: what stands before the sign may be one character with it.
        let parts = component.utf8.split(separator: UInt8(ascii: "="), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard parts.count <= 2, parts[0].utf8.count <= limit else { return false }
        if parts.count == 1 { return unescape(component) != nil }
        guard parts[1].utf8.count == 16, parts[1].utf8.allSatisfy(isHashDigit) else { return false }
        // How the last character is escaped may depend on what was cut off.
        return endings.contains { unescape(parts[0] + $0) != nil }
    }

    /// Whether nothing but spaces is written otherwise: letters and digits of ASCII and what is harmless wherever it stands.
    ///
    /// Most titles are, and a store of many pages reads and writes them all the time.
    private static func isPlain(_ text: String.UTF8View) -> Bool {
        text.first != UInt8(ascii: "-") && text.allSatisfy { $0 < 128 && plain[Int($0)] }
    }

    private static let plain: [Bool] = {
        var plain = Array(repeating: false, count: 128)
        let bytes = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 _-,()'!&+;$".utf8
        for byte in bytes { plain[Int(byte)] = true }
        return plain
    }()

    private static func exchanged(_ text: String, _ old: UInt8, _ new: UInt8) -> String {
        String(decoding: text.utf8.map { $0 == old ? new : $0 }, as: UTF8.self)
    }

    private static let endings = ["x", "%7B", "lock", "ock", "ck", "k"]

    private static func isHashDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
    }

    /// A space that is one character with a mark after it, or a sign before it, stays a space, and is escaped: so are
    /// the names in the stores that there are.
    private static func normalize(_ text: String) -> String {
        text.precomposedStringWithCanonicalMapping.replacing(" ", with: "_")
    }

    private static func mustEscape(_ index: Int, of bytes: [UInt8]) -> Bool {
        let byte = bytes[index]
        switch byte {
        case 0...32, 127: return true
        case UInt8(ascii: "."):
            return index == 0 || index == bytes.count - 1 || bytes[index - 1] == byte || isLockSuffix(index, of: bytes)
        case UInt8(ascii: "-"): return index == 0
        case UInt8(ascii: "@"):
            return bytes.count == 1 || index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "{")
        case UInt8(ascii: "{"): return index > 0 && bytes[index - 1] == UInt8(ascii: "@")
        default: return refused.contains(byte)
        }
    }

    private static func isLockSuffix(_ index: Int, of bytes: [UInt8]) -> Bool {
        bytes.count - index == 5 && bytes[index...].elementsEqual(".lock".utf8) { $0 == $1 || $0 | 0x20 == $1 }
    }

    private static func value(_ digit: UInt8) -> UInt8? { digits.firstIndex(of: digit).map { UInt8($0) } }

    private static let refused = Set("~^:?*[\\%/\"<>|=".utf8)
    private static let digits = Array("0123456789ABCDEF".utf8)
}
