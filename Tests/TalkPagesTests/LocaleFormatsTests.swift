import Foundation
import Testing

@testable import TalkPages

/// How signature dates of a wiki are made from what its API tells.
@Suite struct LocaleFormatsTests {
    /// 14:05 UTC on Sunday, 24 May 2026.
    static let time: Int64 = 1_779_631_500

    static let english: [String: String] = {
        let months = EnglishDates.months
        let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
        var messages: [String: String] = [:]
        for name in months {
            let key = name.lowercased()
            messages[key == "may" ? "may_long" : key] = name
            messages["\(key)-gen"] = name
            messages[String(key.prefix(3))] = String(name.prefix(3))
        }
        for name in weekdays {
            messages[name.lowercased()] = name
            messages[String(name.lowercased().prefix(3))] = String(name.prefix(3))
        }
        return messages
    }()

    private func make(
        _ language: String, _ text: String?, messages: [String: String] = english, zones: [String] = ["UTC"],
        offset: Int = 0, at timestamp: Int64 = time
    ) -> SignatureFormats.Result {
        let sample = text.map { SignatureFormats.Sample(text: $0, timestamp: timestamp, offset: offset) }
        let site = SignatureFormats.Site(language: language, zones: zones)
        return SignatureFormats.make(site, messages: [language: messages], sample: sample)
    }

    @Test func looksUpFormats() {
        #expect(DateFormats.format(language: "en") == "H:i, j F Y")
        #expect(DateFormats.format(language: "de") == "H:i, j. M Y")
        #expect(DateFormats.format(language: "fi") == #"j. F"ta" Y "kello" H.i"#)
        #expect(DateFormats.format(language: "fa") == "\u{200F}j xg Y، ساعت H:i")
        #expect(DateFormats.format(language: "ike-latn") == "H:i, j F Y")
        #expect(DateFormats.format(language: "nds-xx", fallback: ["xx", "nds", "de"]) == "H:i, j. M Y")
        #expect(DateFormats.format(language: "xx") == nil)
        #expect(DateFormats.digits(language: "hi") == "०१२३४५६७८९")
        #expect(DateFormats.digits(language: "xx", fallback: ["fa"]) == "۰۱۲۳۴۵۶۷۸۹")
        #expect(DateFormats.digits(language: "en", fallback: ["fa"]) == "0123456789")
    }

    @Test func asksForAtMostFiftyMessagesAtOnce() {
        let names = SignatureFormats.messageNames(zones: ["CET", "CEST", "+03"])
        #expect(names.map(\.count) == [50, 8])
        #expect(Set(names[0]).count == 50)
        #expect(Set(names[0]).isSuperset(of: ["sunday", "sun", "may_long", "may-gen", "may", "december-gen"]))
        #expect(names[1].suffix(3) == ["timezone-cet", "timezone-cest", "timezone-+03"])
        #expect(SignatureFormats.messageNames(zones: (0..<60).map(String.init)).allSatisfy { $0.count <= 50 })
    }

    @Test func understandsTheSampleOfAnEnglishWiki() throws {
        let result = make("en", "14:05, 24 May 2026 (UTC)")
        let format = try #require(result.formats.first)
        #expect(result.warnings.isEmpty)
        #expect(format.variant == "en")
        #expect(format.format == "H:i, j F Y")
        #expect(format.digits == "0123456789")
        #expect(format.months == EnglishDates.months)
        #expect(format.monthsGenitive == EnglishDates.months)
        #expect(format.monthsShort[4] == "May")
        #expect(format.weekdays.first == "Sunday")
        #expect(format.weekdaysShort.last == "Sat")
        #expect(format.timezoneAbbreviations == ["UTC": "UTC"])
    }

    @Test func acceptsTheMinuteBeforeAndAfter() {
        #expect(make("en", "14:04, 24 May 2026 (UTC)").warnings.isEmpty)
        #expect(make("en", "14:06, 24 May 2026 (UTC)").warnings.isEmpty)
        #expect(!make("en", "14:07, 24 May 2026 (UTC)").warnings.isEmpty)
        let format = make("en", "14:05, 24 May 2026 (UTC)").formats[0]
        for (text, isRight) in [("14:04", true), ("14:06", true), ("14:07", false)] {
            let sample = SignatureFormats.Sample(text: "\(text), 24 May 2026 (UTC)", timestamp: Self.time, offset: 0)
            #expect(SignatureFormats.verify(format, sample) == isRight)
        }
    }

    @Test func usesTheZoneOfTheWiki() throws {
        let result = make(
            "en", "16:05, 24 May 2026 (MESZ)", messages: Self.english.merging(["timezone-cest": "MESZ"]) { $1 },
            zones: ["CET", "CEST"], offset: 7_200)
        #expect(result.warnings.isEmpty)
        #expect(result.formats[0].timezoneAbbreviations == ["CET": "CET", "CEST": "MESZ"])
    }

    @Test func keepsAZoneThatNobodyNamed() {
        let result = make("en", "14:05, 24 May 2026 (GMT)")
        #expect(result.formats[0].timezoneAbbreviations == ["UTC": "UTC", "GMT": "GMT"])
        #expect(result.warnings.count == 1)
    }

    @Test func usesTheDigitsOfTheLanguageOnlyWhenTheSampleDoes() {
        let own = make("hi", "१४:०५, २४ May २०२६ (UTC)")
        #expect(own.formats[0].digits == "०१२३४५६७८९")
        #expect(own.warnings.isEmpty)
        let latin = make("hi", "14:05, 24 May 2026 (UTC)")
        #expect(latin.formats[0].digits == "0123456789")
        #expect(latin.warnings.isEmpty)
    }

    @Test(arguments: [
        ("th", "14:05, 24 May 2569 (UTC)"), ("fa", "\u{200F}۲۴ May ۲۰۲۶، ساعت ۱۴:۰۵ (UTC)"),
        ("fi", "24. Mayta 2026 kello 14.05 (UTC)"), ("zh", "2026年5月24日 (Sun) 14:05 (UTC)"),
        ("pt", "14h05min de 24 de May de 2026 (UTC)"), ("se", "May 24 b. 2026 dii. 14.05 (UTC)"),
        ("vi", "14:05, ngày 24 tháng 5 năm 2026 (UTC)"), ("km", "ម៉ោង១៤:០៥ Sunday ទី២៤ May ឆ្នាំ២០២៦ (UTC)"),
    ])
    func writesTheDatesOfALanguage(language: String, text: String) throws {
        let result = make(language, text)
        #expect(result.warnings.isEmpty)
        let sample = SignatureFormats.Sample(text: text, timestamp: Self.time, offset: 0)
        #expect(SignatureFormats.verify(try #require(result.formats.first), sample))
    }

    @Test(arguments: [
        ("November 30, 2026, 23:59 (UTC)", #"F j, Y, G:i"#), ("2026-11-30 23:59 (UTC)", "Y-n-j G:i"),
        ("Mon 30 Nov 2026 at 23.59 (UTC)", #"D j M Y \a\t G.i"#), ("23:59, 30. November 2569 (UTC)", "G:i, j. F xkY"),
    ])
    func infersTheFormatFromTheSample(text: String, format: String) {
        let result = make("en", text, at: 1_796_083_140)
        #expect(result.formats[0].format == format)
        let sample = SignatureFormats.Sample(text: text, timestamp: 1_796_083_140, offset: 0)
        #expect(SignatureFormats.verify(result.formats[0], sample))
    }

    @Test func takesTheNumberAfterTheHourForTheMinute() {
        // 11:12 on 12 November 2026.
        let result = make("en", "11:12; 12 November 2026 (UTC)", at: 1_794_481_920)
        #expect(result.formats[0].format == "G:i; j F Y")
        #expect(result.warnings.isEmpty)
    }

    @Test func readsAPaddedHourAsOne() {
        // 08:05 and 4 July 2026.
        let result = make("en", "04/07/2026 08:05 (UTC)", at: 1_783_152_300)
        #expect(result.formats[0].format == "d/m/Y H:i")
    }

    @Test func saysWhenTheSampleLeavesTwoFormats() {
        // 5 May: day and month look alike.
        let result = make("en", "05/05/2026 14:05 (UTC)", at: 1_777_989_900)
        #expect(result.warnings.count == 1)
        // May is the same short and long, and the language does not tell which is usual.
        let unknown = make("xx", "14:05, 24 May 2026 (UTC)")
        #expect(unknown.warnings.count == 1)
        #expect(unknown.formats[0].format.contains("24") == false)
    }

    @Test func warnsOfASampleThatItCannotRead() {
        let result = make("en", "14:05, 24 Florian 2026 (UTC)")
        #expect(result.formats[0].format == "H:i, j F Y")
        #expect(result.warnings.count == 1)
        #expect(result.warnings[0].contains("14:05, 24 Florian 2026 (UTC)"))
        #expect(make("en", "no date").warnings.count == 1)
        #expect(make("en", nil).warnings.count == 1)
    }

    @Test func makesOneFormatForEachVariant() {
        let site = SignatureFormats.Site(language: "sr", variants: ["sr", "sr-ec", "sr-el"], zones: ["CET", "CEST"])
        var cyrillic = Self.english
        cyrillic["may_long"] = "мај"
        var latin = Self.english
        latin["may_long"] = "maj"
        let sample = SignatureFormats.Sample(text: "16:05, 24. мај 2026. (CEST)", timestamp: Self.time, offset: 7_200)
        let result = SignatureFormats.make(site, messages: ["sr": cyrillic, "sr-el": latin], sample: sample)
        #expect(result.formats.map(\.variant) == ["sr", "sr-ec", "sr-el"])
        #expect(result.formats.map { $0.months[4] } == ["мај", "мај", "maj"])
        #expect(result.formats.allSatisfy { $0.format == "H:i, j. F Y." })
        #expect(result.warnings == ["Comments dated in the variant sr-ec may be missed"])
    }

    @Test func tellsTheTimeAsTheCalendarDoes() throws {
        let seed = UInt64.random(in: .min ... .max)
        print("seed \(seed)")
        var generator = SplitMix(state: seed)
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(secondsFromGMT: 0))
        for _ in 0..<2_000 {
            let timestamp = Int64.random(in: -2_000_000_000...5_000_000_000, using: &generator)
            let date = Date(timeIntervalSince1970: Double(timestamp))
            let parts = calendar.dateComponents([.year, .month, .day, .weekday, .hour, .minute, .second], from: date)
            let clock = WallClock(at: timestamp - 3_600, offset: 3_600)
            #expect(clock.year == parts.year && clock.month == parts.month && clock.day == parts.day)
            #expect(clock.weekday + 1 == parts.weekday && clock.hour == parts.hour)
            #expect(clock.minute == parts.minute && clock.second == parts.second)
        }
    }

    private struct SplitMix: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var value = state
            value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
            value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
            return value ^ (value >> 31)
        }
    }
}
