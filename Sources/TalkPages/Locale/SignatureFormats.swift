/// Makes the formats of a wiki's signature dates from what its API tells.
public enum SignatureFormats {
    /// What a wiki says of itself that dates depend on.
    public struct Site: Hashable, Sendable {
        /// `general.lang`.
        public var language: String
        /// Codes of `general.fallback`, nearest first.
        public var fallback: [String]
        /// Codes of `general.variants`; empty when the language has none.
        public var variants: [String]
        /// Every abbreviation that the zone `general.timezone` ever had.
        public var zones: [String]

        /// Collects what is needed.
        public init(language: String, fallback: [String] = [], variants: [String] = [], zones: [String]) {
            self.language = language
            self.fallback = fallback
            self.variants = variants
            self.zones = zones
        }
    }

    /// An expanded `~~~~~`, and when the wiki expanded it.
    public struct Sample: Hashable, Sendable {
        /// The date with the zone in parentheses.
        public var text: String
        /// Server clock, seconds since 1970.
        public var timestamp: Int64
        /// Seconds east of UTC at that moment: 60 times `general.timeoffset`.
        public var offset: Int

        /// Keeps a sample.
        public init(text: String, timestamp: Int64, offset: Int) {
            self.text = text
            self.timestamp = timestamp
            self.offset = offset
        }
    }

    /// Formats, and what may go wrong with them.
    public struct Result: Hashable, Sendable {
        /// One for each variant, the content language first.
        public var formats: [SignatureFormat]
        /// Sentences for the user, without a full stop; empty when the sample was understood.
        public var warnings: [String]

        /// Collects both.
        public init(formats: [SignatureFormat], warnings: [String]) {
            self.formats = formats
            self.warnings = warnings
        }
    }

    /// Names of the messages to ask for in the content language, at most 50 in a request.
    public static func messageNames(zones: [String]) -> [[String]] {
        let others =
            [
                "signature", "signature-anon", "newsectionsummary", "discussiontools-defaultsummary-reply",
                "discussiontools-signature-prefix",
            ] + zones.map { "timezone-\($0.lowercased())" }
        let names = weekdays + weekdaysShort + months + months.map { genitive($0) } + monthsShort + others
        return stride(from: 0, to: names.count, by: 50).map { Array(names[$0..<min($0 + 50, names.count)]) }
    }

    /// Makes the formats; `messages` holds name → text by language or variant, missing messages left out.
    ///
    /// The format comes from a table and is compared with `sample`, from which it is inferred when they differ; the
    /// digits of the language are used only if the sample shows them. Never fails: what is doubtful becomes a warning.
    public static func make(_ site: Site, messages: [String: [String: String]], sample: Sample?) -> Result {
        var result = Result(formats: [], warnings: [])
        var language = format(site, site.language, messages[site.language] ?? messages.values.first ?? [:])
        if let sample {
            adopt(sample, &language, &result.warnings)
        } else {
            result.warnings.append(
                "The wiki's dates could not be compared with a sample; comments with other dates would be missed")
        }
        if language.format.isEmpty {
            language.format = "H:i, j F Y"
            result.warnings.append(
                "How the language \(site.language) writes dates is not known; comments may be missed")
        }
        result.formats = [language]
        for variant in site.variants where variant != site.language {
            var format = format(site, variant, messages[variant] ?? messages[site.language] ?? [:])
            if format.format.isEmpty || messages[variant] == nil { format.format = language.format }
            if language.digits == DateFormats.latinDigits { format.digits = language.digits }
            if messages[variant] == nil {
                result.warnings.append("Comments dated in the variant \(variant) may be missed")
            }
            format.timezoneAbbreviations.merge(language.timezoneAbbreviations) { own, _ in own }
            result.formats.append(format)
        }
        return result
    }

    /// Whether `format` writes the date of `sample`, zone included.
    public static func verify(_ format: SignatureFormat, _ sample: Sample) -> Bool {
        guard let (date, zone) = split(sample.text) else { return false }
        return format.timezoneAbbreviations.values.contains { withoutMarks($0) == zone } && writes(format, date, sample)
    }

    // MARK: Parts

    private static let weekdays = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
    private static let weekdaysShort = weekdays.map { String($0.prefix(3)) }
    private static let months = [
        "january", "february", "march", "april", "may_long", "june", "july", "august", "september", "october",
        "november", "december",
    ]
    private static let monthsShort = months.map { String($0.prefix(3)) }

    private static func genitive(_ month: String) -> String { (month == "may_long" ? "may" : month) + "-gen" }

    /// The names of months and weekdays among messages; one that is missing is empty.
    static func names(
        in messages: [String: String]
    ) -> (months: [String], genitive: [String], short: [String], weekdays: [String], weekdaysShort: [String]) {
        func texts(_ names: [String]) -> [String] { names.map { messages[$0] ?? "" } }
        let full = texts(months)
        let genitives = zip(texts(months.map { genitive($0) }), full).map { $0.isEmpty ? $1 : $0 }
        return (full, genitives, texts(monthsShort), texts(weekdays), texts(weekdaysShort))
    }

    private static func format(_ site: Site, _ code: String, _ messages: [String: String]) -> SignatureFormat {
        let fallback = code == site.language ? site.fallback : [site.language] + site.fallback
        let names = names(in: messages)
        var zones: [String: String] = [:]
        for zone in site.zones {
            zones[zone.uppercased()] = messages["timezone-\(zone.lowercased())"] ?? zone.uppercased()
        }
        return SignatureFormat(
            variant: code, format: DateFormats.format(language: code, fallback: fallback) ?? "",
            digits: DateFormats.digits(language: code, fallback: fallback), timezoneAbbreviations: zones,
            months: names.months, monthsGenitive: names.genitive, monthsShort: names.short, weekdays: names.weekdays,
            weekdaysShort: names.weekdaysShort)
    }

    /// Bring a format into line with a sample.
    private static func adopt(_ sample: Sample, _ format: inout SignatureFormat, _ warnings: inout [String]) {
        guard let (date, zone) = split(sample.text) else {
            warnings.append("The wiki's sample date “\(sample.text)” has no zone; its comments may be missed")
            return
        }
        let own = format.digits
        if !date.contains(where: { own.contains($0) && !$0.isASCII }) { format.digits = DateFormats.latinDigits }
        if !writes(format, date, sample) {
            if let inferred = DateFormatInference.format(of: date, sample, like: format) {
                format.format = inferred.format
                if inferred.isDoubtful {
                    warnings.append("The date format was guessed from “\(sample.text)”; some comments may be missed")
                }
            } else {
                warnings.append("The wiki's date “\(sample.text)” is not understood; comments dated so may be missed")
            }
        }
        if !format.timezoneAbbreviations.values.contains(where: { withoutMarks($0) == zone }) {
            format.timezoneAbbreviations[zone.uppercased()] = zone
            warnings.append("The wiki writes the zone “\(zone)”, which its zone data do not have")
        }
    }

    /// Whether the format writes the date in the sample's minute, or in one next to it.
    private static func writes(_ format: SignatureFormat, _ date: String, _ sample: Sample) -> Bool {
        [0, -60, 60].contains { shift in
            let clock = WallClock(at: sample.timestamp + Int64(shift), offset: sample.offset)
            return format.text(at: clock).map(withoutMarks) == date
        }
    }

    /// Date and zone of a sample, without direction marks.
    static func split(_ text: String) -> (date: String, zone: String)? {
        let plain = withoutMarks(text).trimming { $0.isNewline }
        guard plain.last == ")", let open = plain.lastIndex(of: "("), open > plain.startIndex else { return nil }
        let before = plain.index(before: open)
        guard plain[before] == " " else { return nil }
        return (String(plain[..<before]), String(plain[plain.index(after: open)...].dropLast()))
    }

    static func withoutMarks(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.value != 0x200E && $0.value != 0x200F }))
    }
}
