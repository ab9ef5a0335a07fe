/// A text cut into words, runs of white space, and single characters for all else.
///
/// A character is a grapheme cluster, so that an emoji or a letter with its marks is never divided. Scripts that are
/// written without spaces give one word a character.
struct WordTokens {
    enum Kind: Equatable {
        case word, space, other
    }

    struct Token {
        var text: Substring
        var kind: Kind
    }

    private(set) var tokens: [Token] = []

    /// `limit` is the number of tokens after which the text is not read on.
    init(_ text: String, limit: Int = .max) {
        var start = text.startIndex
        while start < text.endIndex, tokens.count < limit {
            let first = text[start]
            let kind = Self.kind(of: first)
            var end = text.index(after: start)
            if kind == .space {
                while end < text.endIndex, Self.kind(of: text[end]) == .space { end = text.index(after: end) }
            } else if kind == .word, !Self.standsAlone(first) {
                end = Self.endOfWord(text, from: end, after: first)
            }
            tokens.append(Token(text: text[start..<end], kind: kind))
            start = end
        }
    }

    /// The words alone; of a text without any, such as emoji, all that is not white space.
    var words: [Substring] {
        let words = tokens.filter { $0.kind == .word }
        return (words.isEmpty ? tokens.filter { $0.kind == .other } : words).map(\.text)
    }

    private static func endOfWord(_ text: String, from start: String.Index, after first: Character) -> String.Index {
        var end = start
        var previous = first
        while end < text.endIndex {
            let character = text[end]
            let next = text.index(after: end)
            if kind(of: character) == .word {
                if standsAlone(character) { break }
            } else {
                // An apostrophe within a word, a point or comma within a number.
                guard next < text.endIndex else { break }
                let joins =
                    switch character {
                    case "'", "\u{2019}": previous.isLetter && text[next].isLetter && !standsAlone(text[next])
                    case ".", ",", ":": previous.isNumber && text[next].isNumber
                    default: false
                    }
                guard joins else { break }
            }
            previous = character
            end = next
        }
        return end
    }

    private static func kind(of character: Character) -> Kind {
        if let ascii = character.asciiValue {
            switch ascii {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                return .word
            case 9...13, 32: return .space
            default: return .other
            }
        }
        if character.isWhitespace { return .space }
        return character.isLetter || character.isNumber || standsAlone(character) ? .word : .other
    }

    /// Whether the character's script has no spaces between words.
    private static func standsAlone(_ character: Character) -> Bool {
        guard let scalar = character.unicodeScalars.first, scalar.value >= 0xE00 else { return false }
        return switch scalar.value {
        // Thai, Lao, Tibetan, Myanmar, Khmer.
        case 0xE00...0xEFF, 0xF00...0xFFF, 0x1000...0x109F, 0x1780...0x17FF: scalar.properties.isAlphabetic
        // Kana, Bopomofo; ideographs.
        case 0x3005...0x3007, 0x3031...0x3035, 0x3041...0x30FA, 0x30FC...0x312F, 0x31A0...0x31BF, 0x31F0...0x31FF: true
        case 0x2E80...0x2FDF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0xFF66...0xFF9F: true
        case 0x20000...0x3FFFF: true
        default: false
        }
    }
}
