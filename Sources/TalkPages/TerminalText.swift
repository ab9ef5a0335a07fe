/// Makes text of a wiki safe to print on a terminal.
public enum TerminalText {
    /// The text with what a terminal would obey, or what would turn the text around, in visible form.
    ///
    /// Control characters but newline and tab become their pictures (`␛`), C1 controls, overrides and isolates of the
    /// writing direction and line separators become `<U+202E>`. Right-to-left letters and marks stay as they are.
    public static func safe(_ text: String) -> String {
        guard contains(text, mayBeUnsafe), text.unicodeScalars.contains(where: isUnsafe) else { return text }
        var out = ""
        for scalar in text.unicodeScalars {
            if !isUnsafe(scalar) {
                out.unicodeScalars.append(scalar)
            } else if scalar.value < 0x20, let picture = Unicode.Scalar(0x2400 + scalar.value) {
                out.unicodeScalars.append(picture)
            } else if scalar.value == 0x7F {
                out += "␡"
            } else {
                let hexadecimal = String(scalar.value, radix: 16, uppercase: true)
                out += "<U+" + String(repeating: "0", count: max(0, 4 - hexadecimal.count)) + hexadecimal + ">"
            }
        }
        return out
    }

    /// Text that was made safe, kept apart from what stands beside it where it runs from right to left.
    ///
    /// First strong isolate and its end (U+2068, U+2069; Unicode Standard Annex 9) around each line. The page's own text
    /// cannot end it, since its isolates were made visible. Only for terminals: elsewhere the two would be in the way.
    public static func isolating(_ safe: String) -> String {
        guard contains(safe, { $0 >= 0x80 }), safe.unicodeScalars.contains(where: runsRightToLeft) else {
            return safe
        }
        return safe.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.unicodeScalars.contains(where: runsRightToLeft) ? "\u{2068}\($0)\u{2069}" : String($0) }
            .joined(separator: "\n")
    }

    private static func contains(_ text: String, _ isWanted: (UInt8) -> Bool) -> Bool {
        let bytes = text.utf8Span.span
        for index in bytes.indices where isWanted(bytes[index]) { return true }
        return false
    }

    /// Whether a character that is not safe may begin with the byte.
    private static func mayBeUnsafe(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x0A: false
        case 0...0x1F, 0x7F, 0xC2, 0xE2: true
        default: false
        }
    }

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A: false
        case 0...0x1F, 0x7F...0x9F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// Whether the character belongs to a script that is written from right to left, or marks that direction.
    private static func runsRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0590...0x08FF, 0x200F, 0xFB1D...0xFDFF, 0xFE70...0xFEFE: true
        case 0x10800...0x10FFF, 0x1E800...0x1EFFF: true
        default: false
        }
    }
}
