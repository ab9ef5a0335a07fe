internal import TalkPages

/// What a wiki can keep of a text, before it is queued.
enum WrittenText {
    /// A text in UTF-8; nil when the bytes are none.
    static func decode(_ bytes: [UInt8]) -> String? { String(validating: bytes, as: UTF8.self) }

    /// Throws `invalid` for a text without a word, and for characters that a wiki would replace without a word.
    static func check(_ text: String, _ what: String = "reply") throws(TalkError) {
        guard !text.allSatisfy(\.isWhitespace) else {
            throw TalkError(
                .invalid, "the \(what) is empty, so nothing was queued",
                hint: "give the text with -m, -F or in the editor")
        }
        var line = 1
        for scalar in text.unicodeScalars {
            if scalar == "\n" { line += 1 }
            guard isReplaced(scalar) else { continue }
            let hex = String(scalar.value, radix: 16, uppercase: true)
            let code = String(repeating: "0", count: max(0, 4 - hex.count)) + hex
            throw TalkError(
                .invalid,
                "line \(line) of the \(what) has the control character U+\(code), which no wiki can keep, so nothing was queued",
                hint: "take it out and give the text again")
        }
    }

    /// Whether MediaWiki puts U+FFFD in the place of a character: what XML cannot have.
    private static func isReplaced(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 9, 10, 13: false
        case 0..<32, 0xFFFE, 0xFFFF: true
        default: false
        }
    }
}
