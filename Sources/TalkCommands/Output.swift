internal import Foundation
internal import TalkPages

/// The JSON form of an output: sorted keys, ISO 8601 times in UTC, one object with its schema's number.
enum JSONOutput {
    static func text(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
    }
}

/// An error in an output for programs, of a command that did other things all the same.
struct ErrorOutput: Encodable {
    let hint: String?
    let kind: String
    let message: String
    let page: String?
    let wiki: String?

    init(_ error: TalkError, page: String? = nil, wiki: String?) {
        hint = error.hint
        kind = error.kind.rawValue
        message = error.message
        self.page = page
        self.wiki = wiki
    }
}

/// Sizes in words.
enum SizeText {
    /// `512 B`, `12.3 kB`, `4.0 MB`.
    static func words(_ bytes: Int) -> String {
        if bytes < 1000 { return "\(bytes) B" }
        var tenths = (bytes + 50) / 100, unit = "kB"
        for next in ["MB", "GB"] where tenths >= 10_000 {
            tenths = (tenths + 500) / 1000
            unit = next
        }
        return "\(tenths / 10).\(tenths % 10) \(unit)"
    }
}

/// Times in words.
enum TimeText {
    /// `2026-03-01T12:00:00Z`.
    static func iso(_ seconds: Int64) -> String {
        let (date, clock) = parts(seconds)
        return "\(date)T\(clock)Z"
    }

    /// `2026-03-01 12:00 UTC`.
    static func minute(_ seconds: Int64) -> String {
        let (date, clock) = parts(seconds)
        return "\(date) \(clock.prefix(5)) UTC"
    }

    /// Without Foundation, whose first date loads what it knows of time zones: longer than a page takes to show.
    private static func parts(_ seconds: Int64) -> (date: String, clock: String) {
        func digits(_ number: Int, _ count: Int = 2) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
        }
        let days = CalendarTime.floorDivide(Int(seconds), 86_400)
        let rest = Int(seconds) - days * 86_400
        let date = CalendarTime.date(days: days)
        return (
            "\(digits(date.year, 4))-\(digits(date.month))-\(digits(date.day))",
            "\(digits(rest / 3600)):\(digits(rest / 60 % 60)):\(digits(rest % 60))"
        )
    }

    /// `3 hours ago`; a time in the future reads "just now", since clocks differ.
    static func ago(_ seconds: Int64, now: Int64) -> String {
        let age = now - seconds
        switch age {
        case ..<60: return "just now"
        case ..<3600: return count(age / 60, "minute") + " ago"
        case ..<86_400: return count(age / 3600, "hour") + " ago"
        default: return count(age / 86_400, "day") + " ago"
        }
    }

    /// `5 hours`, in hours, days or years, rounded.
    static func amount(_ seconds: Int64) -> String {
        func rounded(_ unit: Int64) -> Int64 { seconds / unit + (seconds % unit * 2 >= unit ? 1 : 0) }
        return switch seconds {
        case ..<172_800: count(rounded(3600), "hour")
        case ..<63_072_000: count(rounded(86_400), "day")
        default: count(rounded(31_536_000), "year")
        }
    }

    /// `1 reply`, `2 replies`.
    static func count(_ number: Int64, _ noun: String, _ plural: String? = nil) -> String {
        "\(number) \(number == 1 ? noun : plural ?? noun + "s")"
    }

    /// `1 reply`, `2 replies`.
    static func count(_ number: Int, _ noun: String, _ plural: String? = nil) -> String {
        count(Int64(number), noun, plural)
    }
}

/// Colours and isolates, where a terminal reads the text.
struct Style: Sendable {
    let isColoured: Bool
    /// Whether a terminal puts right-to-left text into order.
    var isTerminal = false

    /// Text of a page, made safe and kept from reordering what stands beside it.
    func page(_ text: String) -> String { isolated(TerminalText.safe(text)) }
    /// Safe text, kept from reordering what stands beside it.
    func isolated(_ text: String) -> String { isTerminal ? TerminalText.isolating(text) : text }
    func bold(_ text: String) -> String { wrap(text, "1") }
    func dim(_ text: String) -> String { wrap(text, "2") }
    func yellow(_ text: String) -> String { wrap(text, "33") }
    func red(_ text: String) -> String { wrap(text, "31") }
    func green(_ text: String) -> String { wrap(text, "32") }
    private func wrap(_ text: String, _ code: String) -> String {
        isColoured ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
