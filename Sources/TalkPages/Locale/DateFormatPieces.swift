/// A date format of MediaWiki taken apart, as far as signatures use it.
enum DateFormatPiece: Hashable, Sendable {
    /// Two digits or one: `H`, `G`.
    case hour(isPadded: Bool)
    /// `i`.
    case minute
    /// `s`.
    case second
    /// `d`, `j`.
    case day(isPadded: Bool)
    /// `m`, `n`.
    case monthNumber(isPadded: Bool)
    /// `F`, `xg`, `M`.
    case month, monthGenitive, monthShort
    /// `l`, `D`.
    case weekday, weekdayShort
    /// `Y`; `xkY` is 543 years ahead.
    case year(offset: Int)
    /// `xn`: the next number has ASCII digits.
    case latinDigits
    case text(Character)

    /// The pieces of `format`; an unknown code is text, as in DiscussionTools.
    static func pieces(of format: String) -> [DateFormatPiece] {
        var pieces: [DateFormatPiece] = []
        let characters = Array(format)
        var index = 0
        func rest(_ text: String) -> Bool {
            index + text.count <= characters.count && String(characters[index..<index + text.count]) == text
        }
        while index < characters.count {
            var length = 1
            switch characters[index] {
            case "x" where rest("xx"): (pieces, length) = (pieces + [.text("x")], 2)
            case "x" where rest("xg"): (pieces, length) = (pieces + [.monthGenitive], 2)
            case "x" where rest("xn"): (pieces, length) = (pieces + [.latinDigits], 2)
            case "x" where rest("xkY"): (pieces, length) = (pieces + [.year(offset: 543)], 3)
            case "d": pieces.append(.day(isPadded: true))
            case "j": pieces.append(.day(isPadded: false))
            case "H": pieces.append(.hour(isPadded: true))
            case "G": pieces.append(.hour(isPadded: false))
            case "i": pieces.append(.minute)
            case "s": pieces.append(.second)
            case "m": pieces.append(.monthNumber(isPadded: true))
            case "n": pieces.append(.monthNumber(isPadded: false))
            case "F": pieces.append(.month)
            case "M": pieces.append(.monthShort)
            case "l": pieces.append(.weekday)
            case "D": pieces.append(.weekdayShort)
            case "Y": pieces.append(.year(offset: 0))
            case "\\" where index + 1 < characters.count:
                pieces.append(.text(characters[index + 1]))
                length = 2
            case "\"":
                if let end = characters[(index + 1)...].firstIndex(of: "\"") {
                    pieces += characters[(index + 1)..<end].map { .text($0) }
                    length = end - index + 1
                } else {
                    pieces.append(.text("\""))
                }
            default: pieces.append(.text(characters[index]))
            }
            index += length
        }
        return pieces
    }

    /// The code of the piece in a format.
    var code: String {
        switch self {
        case .hour(let isPadded): isPadded ? "H" : "G"
        case .minute: "i"
        case .second: "s"
        case .day(let isPadded): isPadded ? "d" : "j"
        case .monthNumber(let isPadded): isPadded ? "m" : "n"
        case .month: "F"
        case .monthGenitive: "xg"
        case .monthShort: "M"
        case .weekday: "l"
        case .weekdayShort: "D"
        case .year(let offset): offset == 0 ? "Y" : "xkY"
        case .latinDigits: "xn"
        case .text(let character):
            character.isASCII && (character.isLetter || character == "\\" || character == "\"")
                ? "\\\(character)" : String(character)
        }
    }
}

/// A moment as a clock on the wall of the wiki shows it.
struct WallClock: Hashable, Sendable {
    var year: Int
    var month: Int
    var day: Int
    /// 0 for Sunday.
    var weekday: Int
    var hour: Int
    var minute: Int
    var second: Int

    /// The time at `timestamp`, seconds since 1970, in a zone `offset` seconds east of UTC.
    init(at timestamp: Int64, offset: Int) {
        let seconds = timestamp + Int64(offset)
        let days = Int((Double(seconds) / 86_400).rounded(.down))
        let rest = Int(seconds - Int64(days) * 86_400)
        (hour, minute, second) = (rest / 3_600, rest / 60 % 60, rest % 60)
        weekday = ((days % 7) + 11) % 7
        // Days are counted from 1 March of a year 0 of four centuries, so that a leap day is the last of its year.
        let shifted = days + 719_468
        let era = Int((Double(shifted) / 146_097).rounded(.down))
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }
}

extension SignatureFormat {
    /// The date at `clock` as the wiki writes it, without the zone; nil when a name is missing.
    func text(at clock: WallClock) -> String? {
        var isLatin = false
        var text = ""
        func number(_ value: Int, _ width: Int) -> String {
            let plain = String(value)
            let padded = String(repeating: "0", count: max(0, width - plain.count)) + plain
            let own = Array(digits)
            defer { isLatin = false }
            return isLatin || own.count != 10 ? padded : String(padded.map { own[$0.wholeNumberValue ?? 0] })
        }
        func name(_ names: [String], _ index: Int) -> String? { names.indices.contains(index) ? names[index] : nil }
        for piece in DateFormatPiece.pieces(of: format) {
            let part: String?
            switch piece {
            case .hour(let isPadded): part = number(clock.hour, isPadded ? 2 : 1)
            case .minute: part = number(clock.minute, 2)
            case .second: part = number(clock.second, 2)
            case .day(let isPadded): part = number(clock.day, isPadded ? 2 : 1)
            case .monthNumber(let isPadded): part = number(clock.month, isPadded ? 2 : 1)
            case .month: part = name(months, clock.month - 1)
            case .monthGenitive: part = name(monthsGenitive, clock.month - 1)
            case .monthShort: part = name(monthsShort, clock.month - 1)
            case .weekday: part = name(weekdays, clock.weekday)
            case .weekdayShort: part = name(weekdaysShort, clock.weekday)
            case .year(let offset): part = number(clock.year + offset, 4)
            case .latinDigits:
                isLatin = true
                part = ""
            case .text(let character): part = String(character)
            }
            guard let part else { return nil }
            text += part
        }
        return text
    }
}
