/// The rule at the end of a TZif file for the years after its table, `CET-1CEST,M3.5.0,M10.5.0/3`.
struct PosixTimeZone: Hashable, Sendable {
    /// The day of the year and the time at which clocks change.
    private struct Change: Hashable {
        enum Day: Hashable {
            /// 1 to 365, 29 February never counted.
            case julian(Int)
            /// 0 to 365, 29 February counted.
            case ofYear(Int)
            /// The n-th weekday of a month; week 5 is the last one.
            case ofMonth(month: Int, week: Int, weekday: Int)
        }
        var day: Day
        /// Seconds after midnight; may be negative or above a day.
        var time: Int

        /// Seconds since 1970-01-01T00:00 on the wall.
        func wallTime(year: Int) -> Int64 {
            let days =
                switch day {
                case .julian(let day):
                    CalendarTime.days(year: year, month: 1, day: day + (CalendarTime.isLeap(year) && day > 59 ? 1 : 0))
                case .ofYear(let day): CalendarTime.days(year: year, month: 1, day: day + 1)
                case .ofMonth(let month, let week, let weekday):
                    Self.days(year: year, month: month, week: week, weekday: weekday)
                }
            return Int64(days) * 86_400 + Int64(time)
        }

        private static func days(year: Int, month: Int, week: Int, weekday: Int) -> Int {
            let first = CalendarTime.days(year: year, month: month, day: 1)
            let skip = (weekday - CalendarTime.weekday(days: first) + 7) % 7
            let next = CalendarTime.days(year: year, month: month + 1, day: 1)
            var day = first + skip + (week - 1) * 7
            while day >= next { day -= 7 }
            return day
        }
    }

    private let standard: TimeZoneRules.LocalTime
    private let daylight: TimeZoneRules.LocalTime?
    private let start: Change
    private let end: Change

    var abbreviations: [String] { [standard.abbreviation] + (daylight.map { [$0.abbreviation] } ?? []) }

    /// Reads the rule; nil when it is empty or none.
    init?(_ text: String) {
        var scanner = Scanner(rest: Array(text.utf8)[...])
        guard let name = scanner.name(), let west = scanner.time() else { return nil }
        standard = TimeZoneRules.LocalTime(offset: -west, isDaylightSaving: false, abbreviation: name)
        // The rule of the United States, which POSIX leaves open when none is written.
        var changes = [
            Change(day: .ofMonth(month: 3, week: 2, weekday: 0), time: 7200),
            Change(day: .ofMonth(month: 11, week: 1, weekday: 0), time: 7200),
        ]
        if let name = scanner.name() {
            var offset = 3600 - west
            if let first = scanner.rest.first, first != 44 {
                guard let west = scanner.time() else { return nil }
                offset = -west
            }
            daylight = TimeZoneRules.LocalTime(offset: offset, isDaylightSaving: true, abbreviation: name)
            if !scanner.rest.isEmpty {
                guard let start = scanner.change(), let end = scanner.change() else { return nil }
                changes = [start, end]
            }
        } else {
            daylight = nil
        }
        guard scanner.rest.isEmpty else { return nil }
        start = changes[0]
        end = changes[1]
    }

    func localTime(at moment: Int64) -> TimeZoneRules.LocalTime {
        guard let daylight else { return standard }
        let wall = Int(moment) + standard.offset
        let year = CalendarTime.date(days: CalendarTime.floorDivide(wall, 86_400)).year
        let from = start.wallTime(year: year) - Int64(standard.offset)
        let to = end.wallTime(year: year) - Int64(daylight.offset)
        let isDaylight = from < to ? moment >= from && moment < to : moment >= from || moment < to
        return isDaylight ? daylight : standard
    }

    private struct Scanner {
        var rest: ArraySlice<UInt8>

        mutating func eat(_ character: Character) -> Bool {
            guard let byte = rest.first, byte == character.asciiValue else { return false }
            rest = rest.dropFirst()
            return true
        }

        mutating func name() -> String? {
            if eat("<") {
                guard let end = rest.firstIndex(of: 62) else { return nil }
                defer { rest = rest[(end + 1)...] }
                return String(decoding: rest[..<end], as: UTF8.self)
            }
            let letters = rest.prefix { ($0 | 32) >= 97 && ($0 | 32) <= 122 }
            guard letters.count >= 3 else { return nil }
            rest = rest[letters.endIndex...]
            return String(decoding: letters, as: UTF8.self)
        }

        mutating func number() -> Int? {
            let digits = rest.prefix { $0 >= 48 && $0 <= 57 }
            guard !digits.isEmpty, digits.count <= 3 else { return nil }
            rest = rest[digits.endIndex...]
            return digits.reduce(0) { $0 * 10 + Int($1) - 48 }
        }

        /// `[+-]hh[:mm[:ss]]` in seconds.
        mutating func time() -> Int? {
            let isNegative = eat("-")
            if !isNegative { _ = eat("+") }
            guard var seconds = number().map({ $0 * 3600 }) else { return nil }
            for unit in [60, 1] where eat(":") {
                guard let part = number() else { return nil }
                seconds += part * unit
            }
            return isNegative ? -seconds : seconds
        }

        mutating func change() -> Change? {
            guard eat(",") else { return nil }
            var day: Change.Day
            if eat("M") {
                guard let month = number(), eat("."), let week = number(), eat("."), let weekday = number(),
                    (1...12).contains(month), (1...5).contains(week), weekday <= 6
                else { return nil }
                day = .ofMonth(month: month, week: week, weekday: weekday)
            } else {
                let isJulian = eat("J")
                guard let number = number() else { return nil }
                day = isJulian ? .julian(number) : .ofYear(number)
            }
            guard eat("/") else { return Change(day: day, time: 7200) }
            return time().map { Change(day: day, time: $0) }
        }
    }
}
