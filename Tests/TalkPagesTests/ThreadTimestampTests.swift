import Testing

@testable import TalkPages

@Suite struct ThreadTimestampTests {
    static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    static func format(
        _ format: String, digits: String = "0123456789", months: [String] = months, genitive: [String]? = nil,
        short: [String]? = nil, weekdays: [String] = [], zones: [String: String] = ["UTC": "UTC"]
    ) -> SignatureFormat {
        SignatureFormat(
            variant: "xx", format: format, digits: digits, timezoneAbbreviations: zones, months: months,
            monthsGenitive: genitive ?? months, monthsShort: short ?? months.map { String($0.prefix(3)) },
            weekdays: weekdays, weekdaysShort: weekdays.map { String($0.prefix(2)) })
    }

    static func moment(_ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int) -> Int64 {
        CalendarTime.seconds(year: year, month: month, day: day, hour: hour, minute: minute)
    }

    /// Formats of MediaWiki with a date in each, 5 February 2021, 07:08.
    @Test(arguments: [
        ("H:i, j F Y", "07:08, 5 February 2021 (UTC)"),
        ("H:i, j xg Y", "07:08, 5 of-February 2021 (UTC)"),
        ("j M Y, H.i", "5 Feb 2021, 07.08 (UTC)"),
        ("Y年n月j日 (D) H:i", "2021年2月5日 (Fr) 07:08 (UTC)"),
        ("ម៉ោងH:i l ទីd F ឆ្នាំY", "ម៉ោង07:08 Friday ទី05 February ឆ្នាំ2021 (UTC)"),
        ("H\\hi\\m\\i\\n \\d\\e j \\d\\e F", "07h08min de 5 de February (UTC)"),
        ("j. F\"ta\" Y \"kello\" H.i", "5. Februaryta 2021 kello 07.08 (UTC)"),
        ("H:i\"၊\" j F Y", "07:08၊ 5 February 2021 (UTC)"),
        ("xg j \"b.\" Y \"dii.\" G.i", "of-February 5 b. 2021 dii. 7.08 (UTC)"),
        ("H:i, j F xkY", "07:08, 5 February 2564 (UTC)"),
        ("d.m.Y H:i:s xx \\\\", "05.02.2021 07:08:59 x \\ (UTC)"),
        ("H:i, j-F Y \"", "07:08, 5-February 2021 \" (UTC)"),
    ])
    func readsFormats(format: String, text: String) throws {
        let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]
        let genitive = Self.months.map { "of-\($0)" }
        let timestamps = SignatureTimestamp(
            formats: [Self.format(format, genitive: genitive, weekdays: weekdays)], zone: .utc)
        let match = try #require(timestamps.first(in: "before \(text) after"))
        #expect(match.range == 7..<(7 + text.utf8.count))
        if format.contains("Y") { #expect(match.moment == Self.moment(2021, 2, 5, 7, 8)) }
        if !format.contains("Y") { #expect(match.moment == nil) }
    }

    @Test func readsOtherDigitsAndOnlyThose() {
        let arabic = SignatureTimestamp(
            formats: [Self.format("H:i, j F Y", digits: "٠١٢٣٤٥٦٧٨٩")], zone: .utc)
        #expect(arabic.first(in: "٠٧:٠٨, ٥ February ٢٠٢١ (UTC)")?.moment == Self.moment(2021, 2, 5, 7, 8))
        #expect(arabic.first(in: "07:08, 5 February 2021 (UTC)") == nil)
        // `xn` asks for the usual digits in the number after it.
        let mixed = SignatureTimestamp(
            formats: [Self.format("xnH:i, j F Y", digits: "٠١٢٣٤٥٦٧٨٩")], zone: .utc)
        #expect(mixed.first(in: "07:٠٨, ٥ February ٢٠٢١ (UTC)")?.moment == Self.moment(2021, 2, 5, 7, 8))
    }

    @Test func goesBackWhenTheFirstWayDoesNotFit() {
        // "1" and then "11" could both be the day; a month whose name begins another one.
        let tight = SignatureTimestamp(
            formats: [Self.format("H:i jnY", months: Self.months)], zone: .utc)
        #expect(tight.first(in: "10:00 1112021 (UTC)")?.moment == Self.moment(2021, 1, 11, 10, 0))
        #expect(tight.first(in: "10:00 112021 (UTC)")?.moment == Self.moment(2021, 1, 1, 10, 0))
        var short = Self.months.map { String($0.prefix(3)) }
        short[0] = "Ma"
        let months = SignatureTimestamp(formats: [Self.format("H:i, j M Y", short: short)], zone: .utc)
        #expect(months.first(in: "10:00, 1 Mar 2021 (UTC)")?.moment == Self.moment(2021, 3, 1, 10, 0))
        #expect(months.first(in: "10:00, 1 Ma 2021 (UTC)")?.moment == Self.moment(2021, 1, 1, 10, 0))
    }

    @Test func ignoresDirectionMarksAnywhere() {
        let timestamps = SignatureTimestamp(formats: [Self.format("H:i, j F Y")], zone: .utc)
        let text = "07\u{200E}:\u{200F}08, 5\u{200E} February\u{200E} 2021\u{200F} \u{200E}(UTC)"
        #expect(timestamps.first(in: text)?.moment == Self.moment(2021, 2, 5, 7, 8))
        #expect(timestamps.first(in: "07:08, 5 February 2021 \u{200E}\u{200E}(UTC)") == nil)
    }

    @Test(arguments: [
        "", "(UTC)", "07:08, 5 February 2021", "07:08, 5 February 2021 (XYZ)", "07:08, 5 February 2021(UTC)",
        "7:08, 5 February 2021 (UTC)", "07:08, 5 february 2021 (UTC)", "07:08, 5 February 21 (UTC)",
        "07:08, 5 February 2021 (UTC", "07:08, February 2021 (UTC)", "07:08, 5\u{A0}February 2021 (UTC)",
    ])
    func leavesOtherTextAlone(text: String) {
        #expect(SignatureTimestamp(formats: [Self.format("H:i, j F Y")], zone: .utc).first(in: text) == nil)
    }

    @Test func takesTheLeftmostDateOfTheFirstFormat() {
        let timestamps = SignatureTimestamp(
            formats: [Self.format("H:i, j F Y"), Self.format("Y F j, H:i")], zone: .utc)
        let text = "2021 March 1, 09:00 (UTC) 07:08, 5 February 2021 (UTC) 07:09, 5 February 2021 (UTC)"
        #expect(timestamps.first(in: text)?.moment == Self.moment(2021, 2, 5, 7, 8))
        #expect(timestamps.first(in: "2021 March 1, 09:00 (UTC)")?.moment == Self.moment(2021, 3, 1, 9, 0))
    }

    @Test func rollsOverImpossibleDaysAndRefusesTheYearZero() {
        let timestamps = SignatureTimestamp(formats: [Self.format("H:i, j F Y")], zone: .utc)
        #expect(timestamps.first(in: "25:61, 31 February 2021 (UTC)")?.moment == Self.moment(2021, 3, 4, 2, 1))
        let match = timestamps.first(in: "00:00, 0 January 0000 (UTC)")
        #expect(match != nil)
        #expect(match?.moment == nil)
    }

    @Test func theAbbreviationTellsWhichOfTwoEqualHours() throws {
        let zone = try #require(TimeZoneRules(tzif: ThreadTimeZoneTests.central))
        let timestamps = SignatureTimestamp(
            formats: [Self.format("H:i, j F Y", zones: ["CET": "CET", "CEST": "summer", "LMT": "LMT"])], zone: zone)
        #expect(
            timestamps.first(in: "02:30, 28 October 2018 (summer)")?.moment == Self.moment(2018, 10, 28, 0, 30))
        #expect(timestamps.first(in: "02:30, 28 October 2018 (CET)")?.moment == Self.moment(2018, 10, 28, 1, 30))
        #expect(timestamps.first(in: "03:30, 28 October 2018 (CET)")?.moment == Self.moment(2018, 10, 28, 2, 30))
        // Written with the wrong abbreviation: the clock of the day decides.
        #expect(timestamps.first(in: "12:00, 1 July 2018 (CET)")?.moment == Self.moment(2018, 7, 1, 10, 0))
        #expect(timestamps.first(in: "12:00, 1 July 2018 (CEST)") == nil)
    }

    /// Ireland's data call winter the special time: clocks go back from IST, which is not summer time there.
    @Test func theAbbreviationTellsWhereWinterIsTheSpecialTime() throws {
        let bytes = ThreadTimeZoneTests.tzif(
            transitions: [(1_521_939_600, 0), (1_540_688_400, 1)],
            times: [(3600, false, 0), (0, true, 4)], names: "IST\0GMT\0", footer: "IST-1GMT0,M10.5.0,M3.5.0/1")
        let zone = try #require(TimeZoneRules(tzif: bytes))
        let timestamps = SignatureTimestamp(
            formats: [Self.format("H:i, j F Y", zones: ["IST": "IST", "GMT": "GMT"])], zone: zone)
        #expect(timestamps.first(in: "01:30, 28 October 2018 (IST)")?.moment == Self.moment(2018, 10, 28, 0, 30))
        #expect(timestamps.first(in: "01:30, 28 October 2018 (GMT)")?.moment == Self.moment(2018, 10, 28, 1, 30))
        #expect(timestamps.first(in: "12:00, 28 October 2026 (GMT)")?.moment == Self.moment(2026, 10, 28, 12, 0))
        #expect(timestamps.first(in: "12:00, 28 July 2026 (IST)")?.moment == Self.moment(2026, 7, 28, 11, 0))
    }

    @Test func hostileFormatsEnd() {
        let format = String(repeating: "j\"\"", count: 400)
        let timestamps = SignatureTimestamp(formats: [Self.format(format)], zone: .utc)
        #expect(timestamps.first(in: String(repeating: "1", count: 500) + " (UTC)") == nil)
    }
}
