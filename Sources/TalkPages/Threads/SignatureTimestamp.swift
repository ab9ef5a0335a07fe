/// Finds the dates that MediaWiki writes into signatures, and tells when they were.
public struct SignatureTimestamp: Sendable {
    /// A date in a text.
    public struct Match: Hashable, Sendable {
        /// Where it stands, in UTF-8 bytes from the start of the text.
        public var range: Range<Int>
        /// Seconds since 1970, UTC; nil when no calendar has that date, such as a day in the year 0.
        public var moment: Int64?
    }

    private let patterns: [TimestampPattern]
    private let zone: TimeZoneRules
    /// `(UTC)` and the like, of every pattern.
    private let ends: [[UInt8]]
    /// More than the bytes of a whole date of any pattern.
    let longest: Int

    /// Prepares the formats of a wiki, in the order in which they are tried, and its zone.
    public init(formats: [SignatureFormat], zone: TimeZoneRules) {
        var different: [SignatureFormat] = []
        for format in formats {
            // Variants of a language often share a format.
            var format = format
            format.variant = ""
            if !different.contains(format) { different.append(format) }
        }
        patterns = different.map(TimestampPattern.init)
        self.zone = zone
        ends = Array(Set(patterns.flatMap(\.ends)))
        longest = (patterns.map(\.longest).max() ?? 0) + (ends.map(\.count).max() ?? 0)
    }

    /// The leftmost date in the text, of the first format that has one.
    public func first(in text: String) -> Match? { first(in: text, after: 0) }

    /// As `first(in:)`, knowing that no date ends in the first `known` bytes.
    func first(in text: String, after known: Int) -> Match? {
        let bytes = text.utf8.span
        let closings = closings(in: bytes, after: known)
        if closings.isEmpty { return nil }
        var choices: [TimestampPattern.Choice] = []
        for pattern in patterns {
            var tried = 0
            for closing in closings {
                var start = max(tried, closing - pattern.longest)
                while start < closing {
                    if let end = pattern.match(bytes, from: start, choices: &choices) {
                        return Match(
                            range: start..<end, moment: moment(of: pattern.reading(bytes, choices: choices)))
                    }
                    start += 1
                }
                tried = max(tried, closing)
            }
        }
        return nil
    }

    /// Where the parenthesis of an abbreviation opens: nearly all text has none and is done with here.
    private func closings(in bytes: Span<UInt8>, after known: Int) -> [Int] {
        var result: [Int] = []
        let limit = known - (ends.map(\.count).max() ?? 0)
        var position = bytes.count - 2
        // From the end, since a date mostly stands there.
        while position > 0, position >= limit {
            if bytes[position] == 40, ends.contains(where: { bytes.contains($0, at: position) }) {
                result.append(position)
            }
            position -= 1
        }
        return result.reversed()
    }

    /// The moment of a date on the clock of the wiki's zone.
    private func moment(of reading: TimestampPattern.Reading) -> Int64? {
        let wall = CalendarTime.seconds(
            year: reading.year, month: reading.month, day: reading.day, hour: reading.hour, minute: reading.minute)
        var moment = zone.moment(showing: wall)
        let shown = zone.localTime(at: moment)
        if shown.abbreviation.uppercased() != reading.zone {
            // An hour comes twice when clocks are put back; the abbreviation tells which one is meant.
            let step: Int64 = shown.isDaylightSaving ? 3600 : -3600
            for other in [moment + step, moment - step] {
                let time = zone.localTime(at: other)
                // The other way only for zones that call winter their special time, such as Ireland's.
                if time.abbreviation.uppercased() == reading.zone,
                    other == moment + step || other + Int64(time.offset) == wall
                {
                    moment = other
                    break
                }
            }
        }
        let year = CalendarTime.date(days: CalendarTime.floorDivide(Int(moment), 86_400)).year
        return (1...9999).contains(year) ? moment : nil
    }
}
