/// The clock of a time zone, read from the bytes of a TZif file (RFC 8536).
///
/// A value without I/O: callers read `/usr/share/zoneinfo/<zone>` and hand in the bytes. UTC needs none.
public struct TimeZoneRules: Hashable, Sendable {
    /// What a zone's clocks show during some time.
    public struct LocalTime: Hashable, Sendable {
        /// Seconds to add to UTC.
        public var offset: Int
        /// Whether it is daylight saving time.
        public var isDaylightSaving: Bool
        /// `CET`, `+03`.
        public var abbreviation: String
    }

    /// Coordinated universal time.
    public static let utc = TimeZoneRules(
        transitions: [], kinds: [], localTimes: [LocalTime(offset: 0, isDaylightSaving: false, abbreviation: "UTC")])

    /// Moments at which the clock changes, rising.
    private let transitions: [Int64]
    /// What is shown from the transition of the same index on, as an index in `localTimes`.
    private let kinds: [UInt8]
    /// Never empty; the first one holds before the first transition.
    private let localTimes: [LocalTime]
    /// What holds after the last transition.
    private let rule: PosixTimeZone?

    private init(transitions: [Int64], kinds: [UInt8], localTimes: [LocalTime], rule: PosixTimeZone? = nil) {
        self.transitions = transitions
        self.kinds = kinds
        self.localTimes = localTimes
        self.rule = rule
    }

    /// Reads the bytes of a TZif file of any version; nil when they are none.
    public init?(tzif bytes: [UInt8]) {
        var reader = Reader(bytes: bytes[...])
        guard var header = reader.header() else { return nil }
        var width = 4
        if header.version >= 2 {
            // The first block repeats the data with 32-bit times, for old programs.
            guard reader.skip(header.length(width: 4)), let second = reader.header() else { return nil }
            header = second
            width = 8
        }
        guard header.kinds > 0, header.kinds <= 256, let block = reader.take(header.length(width: width)) else {
            return nil
        }
        var data = Reader(bytes: block)
        var transitions: [Int64] = []
        for _ in 0..<header.transitions {
            guard let moment = data.integer(width: width) else { return nil }
            if let last = transitions.last, last >= moment { return nil }
            transitions.append(moment)
        }
        guard let kinds = data.take(header.transitions), kinds.allSatisfy({ $0 < header.kinds }) else { return nil }
        var times: [(offset: Int, isDaylightSaving: Bool, name: Int)] = []
        for _ in 0..<header.kinds {
            guard let offset = data.integer(width: 4), let rest = data.take(2), abs(offset) < 7 * 86_400 else {
                return nil
            }
            times.append((Int(offset), rest[rest.startIndex] != 0, Int(rest[rest.startIndex + 1])))
        }
        guard let names = data.take(header.nameBytes) else { return nil }
        var localTimes: [LocalTime] = []
        for time in times {
            guard time.name < names.count else { return nil }
            let name = names[(names.startIndex + time.name)...].prefix { $0 != 0 }
            localTimes.append(
                LocalTime(
                    offset: time.offset, isDaylightSaving: time.isDaylightSaving,
                    abbreviation: String(decoding: name, as: UTF8.self)))
        }
        let footer = width == 8 ? reader.footer() : nil
        self.init(
            transitions: transitions, kinds: Array(kinds), localTimes: localTimes,
            rule: footer.flatMap(PosixTimeZone.init))
    }

    /// Every abbreviation that the zone's clocks ever had, the oldest first, without doubles.
    public var abbreviations: [String] {
        var result: [String] = []
        let used = [0] + kinds.map(Int.init)
        for name in used.map({ localTimes[$0].abbreviation }) + (rule?.abbreviations ?? [])
        where !result.contains(name) {
            result.append(name)
        }
        return result
    }

    /// What the zone's clocks show at the moment, in seconds since 1970 UTC.
    public func localTime(at moment: Int64) -> LocalTime {
        let moment = Self.bounded(moment)
        guard let last = transitions.last, moment < last else {
            if let rule { return rule.localTime(at: moment) }
            return localTimes[kinds.last.map(Int.init) ?? 0]
        }
        var low = 0
        var high = transitions.count
        while low < high {
            let middle = (low + high) / 2
            if transitions[middle] <= moment { low = middle + 1 } else { high = middle }
        }
        return localTimes[low == 0 ? 0 : Int(kinds[low - 1])]
    }

    /// The moment at which the zone's clocks show `local`, seconds since 1970-01-01T00:00 on the wall.
    ///
    /// Clocks that are put back show a time twice: the earlier moment. Clocks that are put forward leave times out: the
    /// moment that a clock not put forward would have shown it.
    public func moment(showing local: Int64) -> Int64 {
        let local = Self.bounded(local)
        let before = Int64(localTime(at: local - 86_400).offset)
        let after = Int64(localTime(at: local + 86_400).offset)
        if before == after { return local - before }
        if Int64(localTime(at: local - before).offset) == before { return local - before }
        if Int64(localTime(at: local - after).offset) == after { return local - after }
        return local - before
    }

    /// Within the first 30 million years of either side, so that no sum overflows.
    private static func bounded(_ seconds: Int64) -> Int64 { min(max(seconds, -1 << 50), 1 << 50) }
}

// MARK: Reading bytes

extension TimeZoneRules {
    private struct Header {
        var version: Int
        var universalMarks: Int
        var standardMarks: Int
        var leapSeconds: Int
        var transitions: Int
        var kinds: Int
        var nameBytes: Int

        func length(width: Int) -> Int {
            transitions * (width + 1) + kinds * 6 + nameBytes + leapSeconds * (width + 4) + standardMarks
                + universalMarks
        }
    }

    private struct Reader {
        var bytes: ArraySlice<UInt8>

        mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
            guard count >= 0, count <= bytes.count else { return nil }
            defer { bytes = bytes.dropFirst(count) }
            return bytes.prefix(count)
        }

        mutating func skip(_ count: Int) -> Bool { take(count) != nil }

        /// A signed big-endian number of 4 or 8 bytes.
        mutating func integer(width: Int) -> Int64? {
            guard let part = take(width) else { return nil }
            let value = part.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return width == 4 ? Int64(Int32(truncatingIfNeeded: value)) : Int64(bitPattern: value)
        }

        mutating func header() -> Header? {
            guard let magic = take(4), magic.elementsEqual("TZif".utf8), let version = take(16)?.first else {
                return nil
            }
            var counts: [Int] = []
            for _ in 0..<6 {
                // 2^24 of anything is beyond every real zone, and keeps `length` from overflowing.
                guard let count = integer(width: 4), count >= 0, count < 1 << 24 else { return nil }
                counts.append(Int(count))
            }
            return Header(
                version: version == 0 ? 1 : Int(version) - 48, universalMarks: counts[0], standardMarks: counts[1],
                leapSeconds: counts[2], transitions: counts[3], kinds: counts[4], nameBytes: counts[5])
        }

        func footer() -> String? {
            guard bytes.first == 10, let end = bytes.dropFirst().firstIndex(of: 10) else { return nil }
            return String(decoding: bytes[(bytes.startIndex + 1)..<end], as: UTF8.self)
        }
    }
}
