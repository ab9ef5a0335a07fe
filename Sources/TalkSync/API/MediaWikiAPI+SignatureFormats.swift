internal import TalkPages

extension MediaWikiAPI {
    private static let monthKeys = [
        "january", "february", "march", "april", "may_long", "june", "july", "august", "september", "october",
        "november", "december",
    ]
    private static let monthWords = [
        "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
        "december",
    ]
    private static let weekdayKeys = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]

    /// How the wiki writes the date of a signature, from its messages.
    ///
    /// `site` is the answer to `meta=siteinfo`, with `general.fallback` and `languagevariants`.
    func signatureFormats(for wiki: Wiki, site: JSONValue) throws(TalkError) -> [SignatureFormat] {
        let short = { (word: String) in String(word.prefix(3)) }
        let names =
            Self.monthKeys + Self.monthWords.map { $0 + "-gen" } + Self.monthWords.map(short) + Self.weekdayKeys
            + Self.weekdayKeys.map(short) + ["timezone-utc"]
        let found = try messages(names, language: wiki.language)
        // Without them no comment would be found on any page, for as long as the site information is kept.
        guard Self.monthKeys.allSatisfy({ found[$0] != nil }) else {
            throw TalkError(
                .unreachable, "\(wiki.key): the wiki does not say how it names the months", hint: "try again later")
        }
        let texts = { (keys: [String]) in keys.map { found[$0] ?? $0 } }
        return [
            SignatureFormat(
                variant: wiki.language, format: "H:i, j F Y",
                timezoneAbbreviations: ["UTC": found["timezone-utc"] ?? "UTC"], months: texts(Self.monthKeys),
                monthsGenitive: texts(Self.monthWords.map { $0 + "-gen" }),
                monthsShort: texts(Self.monthWords.map(short)), weekdays: texts(Self.weekdayKeys),
                weekdaysShort: texts(Self.weekdayKeys.map(short)))
        ]
    }

    /// Interface messages in a language, those that exist.
    func messages(_ names: [String], language: String) throws(TalkError) -> [String: String] {
        var found: [String: String] = [:]
        for start in stride(from: 0, to: names.count, by: 50) {
            let batch = names[start..<min(start + 50, names.count)]
            let answer = try callOrExplain([
                ("action", "query"), ("meta", "allmessages"), ("amlang", language),
                ("ammessages", batch.joined(separator: "|")),
            ])
            for message in answer["query"]?["allmessages"]?.elements ?? [] {
                if let name = message["name"]?.text, let text = message["content"]?.text { found[name] = text }
            }
        }
        return found
    }
}
