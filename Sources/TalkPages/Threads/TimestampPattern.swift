/// One date format of MediaWiki as a list of pieces that text is matched against, byte by byte.
///
/// Does what DiscussionTools' regular expression does: every piece may be followed by a direction mark, and the date by
/// a space and the zone's abbreviation in parentheses.
struct TimestampPattern: Sendable {
    enum Field: Sendable { case year, thaiYear, month, monthName, day, hour, minute, ignored, zone }

    enum Piece: Sendable {
        case literal([UInt8])
        /// U+200E or U+200F, or nothing.
        case mark
        case number(Field, least: Int, most: Int, digits: [[UInt8]])
        case word(Field, [[UInt8]])
    }

    /// What a text says, as numbers of the format; month 1 to 12 unless written otherwise.
    struct Reading: Hashable, Sendable {
        var year = 0
        var month = 1
        var day = 0
        var hour = 0
        var minute = 0
        /// Abbreviation as the time zone data have it, in upper case.
        var zone = ""
    }

    private(set) var pieces: [Piece] = []
    /// Of the zone words, by index, as the time zone data write them.
    private let zones: [String]
    /// The local abbreviations in parentheses, with which a date ends.
    let ends: [[UInt8]]
    /// Bytes that a match can have before the parenthesis.
    private(set) var longest = 0

    init(_ format: SignatureFormat) {
        let abbreviations = format.timezoneAbbreviations.sorted { $0.key < $1.key }
        zones = abbreviations.map { $0.key.uppercased() }
        ends = abbreviations.map { Array("(\($0.value))".utf8) }
        var scalars = Array(format.format.unicodeScalars)[...]
        let localDigits = format.digits.unicodeScalars.map { Array(String($0).utf8) }
        let asciiDigits = (0...9).map { [UInt8(48 + $0)] }
        var isRaw = false
        while let first = scalars.popFirst() {
            var code = String(first)
            if first == "x", let next = scalars.popFirst() {
                code.unicodeScalars.append(next)
                if next == "k", let last = scalars.popFirst() { code.unicodeScalars.append(last) }
            }
            func number(_ field: Field, _ least: Int, _ most: Int) {
                pieces.append(.number(field, least: least, most: most, digits: isRaw ? asciiDigits : localDigits))
                isRaw = false
            }
            func word(_ field: Field, _ words: [String]) { pieces.append(.word(field, words.map { Array($0.utf8) })) }
            func literal(_ text: String) { pieces.append(.literal(Array(text.utf8))) }
            switch code {
            case "xx": literal("x")
            case "xn": isRaw = true
            case "xg": word(.monthName, format.monthsGenitive)
            case "F": word(.monthName, format.months)
            case "M": word(.monthName, format.monthsShort)
            case "l": word(.ignored, format.weekdays)
            case "D": word(.ignored, format.weekdaysShort)
            case "d": number(.day, 2, 2)
            case "j": number(.day, 1, 2)
            case "m": number(.month, 2, 2)
            case "n": number(.month, 1, 2)
            case "Y": number(.year, 4, 4)
            case "xkY": number(.thaiYear, 4, 4)
            case "G": number(.hour, 1, 2)
            case "H": number(.hour, 2, 2)
            case "i": number(.minute, 2, 2)
            case "s": number(.ignored, 2, 2)
            case "\\": literal(scalars.popFirst().map(String.init) ?? "\\")
            case "\"":
                if let end = scalars.firstIndex(of: "\"") {
                    var text = ""
                    text.unicodeScalars.append(contentsOf: scalars[..<end])
                    literal(text)
                    scalars = scalars[(end + 1)...]
                } else {
                    literal("\"")
                }
            default: literal(code.unicodeScalars.last.map(String.init) ?? "")
            }
            pieces.append(.mark)
        }
        longest = pieces.reduce(4) { $0 + Self.longest($1) }
        pieces += [.literal([32]), .mark, .literal([40])]
        pieces += [.word(.zone, abbreviations.map { Array($0.value.utf8) }), .literal([41])]
    }

    private static func longest(_ piece: Piece) -> Int {
        switch piece {
        case .literal(let bytes): bytes.count
        case .mark: 3
        case .number(_, _, let most, let digits): most * (digits.map(\.count).max() ?? 0)
        case .word(_, let words): words.map(\.count).max() ?? 0
        }
    }
}

// MARK: Matching

extension TimestampPattern {
    /// A place to which matching goes back when what follows does not fit.
    struct Choice {
        var piece: Int
        var position: Int
        var taken: Int
        var end: Int
    }

    /// Matches the text from `start`, taking the first way that fits, as a regular expression does.
    ///
    /// `choices` is scratch space, so that a search allocates once. Gives the end of the match.
    func match(_ text: Span<UInt8>, from start: Int, choices: inout [Choice]) -> Int? {
        choices.removeAll(keepingCapacity: true)
        var piece = 0
        var position = start
        var from = 0
        // A real format needs a few dozen steps; the bound stops a format made to take for ever.
        for _ in 0..<4096 {
            if piece == pieces.count { return position }
            if let (end, taken) = take(pieces[piece], text, at: position, from: from) {
                choices.append(Choice(piece: piece, position: position, taken: taken, end: end))
                piece += 1
                position = end
                from = 0
            } else if let last = choices.popLast() {
                piece = last.piece
                position = last.position
                from = last.taken + 1
            } else {
                return nil
            }
        }
        return nil
    }

    /// The first way, counted from `from`, in which the piece fits.
    private func take(_ piece: Piece, _ text: Span<UInt8>, at position: Int, from: Int) -> (end: Int, taken: Int)? {
        switch piece {
        case .literal(let bytes):
            return from == 0 && text.contains(bytes, at: position) ? (position + bytes.count, 0) : nil
        case .mark:
            let isMark =
                position + 3 <= text.count && text[position] == 0xE2 && text[position + 1] == 0x80
                && (text[position + 2] == 0x8E || text[position + 2] == 0x8F)
            if isMark, from == 0 { return (position + 3, 0) }
            return from <= (isMark ? 1 : 0) ? (position, from) : nil
        case .number(_, let least, let most, let digits):
            var ends = [position]
            while ends.count <= most, let digit = digits.first(where: { text.contains($0, at: ends[ends.count - 1]) }) {
                ends.append(ends[ends.count - 1] + digit.count)
            }
            let count = ends.count - 1 - from
            return count >= least ? (ends[count], from) : nil
        case .word(_, let words):
            var index = from
            while index < words.count {
                if text.contains(words[index], at: position) { return (position + words[index].count, index) }
                index += 1
            }
            return nil
        }
    }

    /// What the match behind `choices` says.
    func reading(_ text: Span<UInt8>, choices: [Choice]) -> Reading {
        var reading = Reading()
        for choice in choices {
            switch pieces[choice.piece] {
            case .number(let field, _, _, let digits):
                var value = 0
                var position = choice.position
                while position < choice.end, let digit = digits.firstIndex(where: { text.contains($0, at: position) }) {
                    value = value * 10 + digit
                    position += digits[digit].count
                }
                switch field {
                case .year: reading.year = value
                case .thaiYear: reading.year = value - 543
                case .month: reading.month = value
                case .day: reading.day = value
                case .hour: reading.hour = value
                case .minute: reading.minute = value
                default: break
                }
            case .word(.monthName, _): reading.month = choice.taken + 1
            case .word(.zone, _): reading.zone = zones[choice.taken]
            default: break
            }
        }
        return reading
    }
}

extension Span<UInt8> {
    /// Whether the bytes stand at `position`.
    func contains(_ bytes: [UInt8], at position: Int) -> Bool {
        guard position + bytes.count <= count else { return false }
        var index = 0
        while index < bytes.count {
            if self[position + index] != bytes[index] { return false }
            index += 1
        }
        return true
    }
}
