import Foundation
import Testing

@testable import TalkPages

@Suite struct ThreadTimeZoneTests {
    /// The bytes of a TZif file of version 2 whose 32-bit block is empty but for one kind.
    static func tzif(
        transitions: [(Int64, UInt8)], times: [(offset: Int32, isDaylightSaving: Bool, name: UInt8)], names: String,
        footer: String, version: Character = "2"
    ) -> [UInt8] {
        func big<T: FixedWidthInteger>(_ value: T) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }
        func header(_ transitions: Int, _ kinds: Int, _ names: Int) -> [UInt8] {
            Array("TZif\(version)".utf8) + [UInt8](repeating: 0, count: 15)
                + [0, 0, 0, transitions, kinds, names].flatMap { big(Int32($0)) }
        }
        var bytes = header(0, 1, 4) + [0, 0, 0, 0, 0, 0] + Array("OLD\0".utf8)
        bytes += header(transitions.count, times.count, names.utf8.count)
        bytes += transitions.flatMap { big($0.0) } + transitions.map(\.1)
        bytes += times.flatMap { big($0.offset) + [$0.isDaylightSaving ? 1 : 0, $0.name] }
        return bytes + Array(names.utf8) + Array("\n\(footer)\n".utf8)
    }

    /// Central European time with one summer in its table, 2018, and the rule for later.
    static let central = tzif(
        transitions: [(-2_422_054_408, 1), (1_521_939_600, 2), (1_540_688_400, 1)],
        times: [(3208, false, 0), (3600, false, 4), (7200, true, 8)], names: "LMT\0CET\0CEST\0",
        footer: "CET-1CEST,M3.5.0,M10.5.0/3")

    @Test func knowsTheTableAndTheRuleAfterIt() throws {
        let zone = try #require(TimeZoneRules(tzif: Self.central))
        #expect(zone.localTime(at: -3_000_000_000).abbreviation == "LMT")
        #expect(zone.localTime(at: 1_521_939_599).abbreviation == "CET")
        #expect(
            zone.localTime(at: 1_521_939_600)
                == TimeZoneRules.LocalTime(offset: 7200, isDaylightSaving: true, abbreviation: "CEST"))
        // 2026-03-29T00:59:59Z and one second later; 2026-10-25T00:59:59Z and one second later.
        #expect(zone.localTime(at: 1_774_745_999).offset == 3600)
        #expect(zone.localTime(at: 1_774_746_000).offset == 7200)
        #expect(zone.localTime(at: 1_792_889_999).offset == 7200)
        #expect(zone.localTime(at: 1_792_890_000).offset == 3600)
        #expect(zone.abbreviations == ["LMT", "CET", "CEST"])
    }

    @Test func findsTheMomentOfATimeOnTheWall() throws {
        let zone = try #require(TimeZoneRules(tzif: Self.central))
        // 2018-10-28 02:30 comes twice; the earlier one is 00:30 UTC.
        #expect(
            zone.moment(showing: CalendarTime.seconds(year: 2018, month: 10, day: 28, hour: 2, minute: 30))
                == CalendarTime.seconds(year: 2018, month: 10, day: 28, hour: 0, minute: 30))
        // 2018-03-25 02:30 never comes; clocks not put forward would show it at 01:30 UTC.
        #expect(
            zone.moment(showing: CalendarTime.seconds(year: 2018, month: 3, day: 25, hour: 2, minute: 30))
                == CalendarTime.seconds(year: 2018, month: 3, day: 25, hour: 1, minute: 30))
        #expect(
            zone.moment(showing: CalendarTime.seconds(year: 2030, month: 7, day: 1, hour: 12))
                == CalendarTime.seconds(year: 2030, month: 7, day: 1, hour: 10))
    }

    @Test func readsRulesOfTheSouthernHalfAndQuotedNames() throws {
        let chile = try #require(PosixTimeZone("<-04>4<-03>,M9.1.6/24,M4.1.6/24"))
        #expect(chile.abbreviations == ["-04", "-03"])
        // January is summer there, July is not.
        #expect(chile.localTime(at: CalendarTime.seconds(year: 2027, month: 1, day: 15)).offset == -10_800)
        #expect(chile.localTime(at: CalendarTime.seconds(year: 2027, month: 7, day: 15)).offset == -14_400)
        let kathmandu = try #require(PosixTimeZone("<+0545>-5:45"))
        #expect(kathmandu.localTime(at: 0).offset == 20_700)
        let godthab = try #require(PosixTimeZone("<-02>2<-01>,M3.5.0/-1,M10.5.0/0"))
        // Saturday 2027-03-27 23:00 on the wall = 2027-03-28T01:00Z.
        #expect(godthab.localTime(at: CalendarTime.seconds(year: 2027, month: 3, day: 28, minute: 59)).offset == -7200)
        #expect(godthab.localTime(at: CalendarTime.seconds(year: 2027, month: 3, day: 28, hour: 1)).offset == -3600)
        let julian = try #require(PosixTimeZone("AAA3BBB,J60/0,300"))
        #expect(julian.localTime(at: CalendarTime.seconds(year: 2028, month: 3, day: 1, hour: 3)).offset == -7200)
        #expect(julian.localTime(at: CalendarTime.seconds(year: 2028, month: 3, day: 1, hour: 2)).offset == -10_800)
    }

    @Test(arguments: ["", "CET", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0", "CET-1 ", "<CET", "X1"])
    func refusesWhatIsNoRule(text: String) {
        #expect(PosixTimeZone(text) == nil)
    }

    @Test func refusesWhatIsNoTZif() {
        #expect(TimeZoneRules(tzif: []) == nil)
        #expect(TimeZoneRules(tzif: Array("TZif".utf8)) == nil)
        for count in 0..<Self.central.count - 30 {
            #expect(TimeZoneRules(tzif: Array(Self.central.prefix(count))) == nil, "\(count) bytes")
        }
    }

    @Test func anyDamagedFileIsReadOrRefused() {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SplitMix(state: seed)
        for _ in 0..<2000 {
            var bytes = Self.central
            for _ in 0..<3 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            guard let zone = TimeZoneRules(tzif: bytes) else { continue }
            _ = zone.localTime(at: .max).offset + zone.localTime(at: .min).offset
            #expect(zone.moment(showing: 1_600_000_000) != 0, "seed \(seed)")
        }
    }

    @Test(
        .enabled(if: FileManager.default.fileExists(atPath: "/usr/share/zoneinfo/Europe/Paris"), "no zone data here"),
        arguments: ["Europe/Paris", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "Asia/Tehran", "UTC"])
    func agreesWithFoundation(name: String) throws {
        let zone = try #require(
            TimeZoneRules(tzif: Array(Data(contentsOf: URL(filePath: "/usr/share/zoneinfo/\(name)")))))
        let other = try #require(TimeZone(identifier: name))
        let seed = UInt64.random(in: 0 ... .max)
        var random = SplitMix(state: seed)
        for _ in 0..<500 {
            let moment = Int64.random(in: 0...2_000_000_000, using: &random)
            let date = Date(timeIntervalSince1970: TimeInterval(moment))
            #expect(zone.localTime(at: moment).offset == other.secondsFromGMT(for: date), "\(moment), seed \(seed)")
        }
    }

    @Test func datesGoThereAndBack() {
        for days in stride(from: -1_000_000, through: 1_000_000, by: 997) {
            let date = CalendarTime.date(days: days)
            #expect(CalendarTime.days(year: date.year, month: date.month, day: date.day) == days)
        }
        #expect(CalendarTime.days(year: 1970, month: 1, day: 1) == 0)
        #expect(CalendarTime.days(year: 2000, month: 2, day: 30) == CalendarTime.days(year: 2000, month: 3, day: 1))
        #expect(CalendarTime.days(year: 2021, month: 13, day: 0) == CalendarTime.days(year: 2021, month: 12, day: 31))
        #expect(CalendarTime.weekday(days: 0) == 4)
    }
}

/// A small random number generator that can be seeded, so that a failure can be repeated.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
