/// Text of a page made safe for a terminal.
///
/// Whoever writes on a wiki chooses the characters; a terminal would obey some of them.
package enum TerminalText {
    /// The text with all that a terminal would obey, or that would show it in another order, made visible.
    ///
    /// Control characters become their pictures (`␛`), those without one and the embeddings, overrides and isolates of
    /// bidirectional text their numbers (`<U+202E>`), separators of lines and paragraphs as well. Newline and tab stay,
    /// and so do the marks U+200E, U+200F and U+061C, which move nothing but their neighbours.
    package static func safe(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if !isUnsafe(scalar) {
                result.append(scalar)
            } else if let picture = picture(of: scalar) {
                result.append(picture)
            } else {
                let digits = String(scalar.value, radix: 16, uppercase: true)
                result.append(
                    contentsOf: "<U+\(String(repeating: "0", count: 4 - digits.count))\(digits)>".unicodeScalars)
            }
        }
        return String(result)
    }

    /// Text that was made safe, kept apart from what stands beside it where it runs from right to left.
    ///
    /// First strong isolate and its end (U+2068, U+2069; Unicode Standard Annex 9) around each line. The page's own text
    /// cannot end it, since its isolates were made visible. Only for terminals: elsewhere the two would be in the way.
    package static func isolating(_ safe: String) -> String {
        guard safe.unicodeScalars.contains(where: runsRightToLeft) else { return safe }
        return safe.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.unicodeScalars.contains(where: runsRightToLeft) ? "\u{2068}\($0)\u{2069}" : String($0) }
            .joined(separator: "\n")
    }

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0A: false
        case 0x00...0x1F, 0x7F...0x9F: true
        case 0x2028...0x202E, 0x2066...0x206F, 0xFFF9...0xFFFB: true
        default: false
        }
    }

    private static func picture(of control: Unicode.Scalar) -> Unicode.Scalar? {
        switch control.value {
        case 0x00...0x1F: Unicode.Scalar(0x2400 + control.value)
        case 0x7F: "\u{2421}"
        default: nil
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
