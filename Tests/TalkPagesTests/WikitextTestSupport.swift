import Foundation
import TalkPages

/// Finds dates such as `10:00, 1 March 2024 (UTC)`.
struct EnglishDates: SignatureDates {
    static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    func dates(in text: String) -> [SignatureDate] {
        guard text.contains("(UTC)") else { return [] }
        return text.matches(of: /(\d\d):(\d\d), (\d{1,2}) ([A-Z][a-z]+) (\d{4}) \(UTC\)/).compactMap { match in
            let (_, hour, minute, day, name, year) = match.output
            guard let month = Self.months.firstIndex(of: String(name)), let day = Int(day), let year = Int(year),
                let hour = Int64(hour), let minute = Int64(minute)
            else { return nil }
            let days = Self.days(year: year, month: month + 1, day: day)
            return SignatureDate(range: match.range, timestamp: Int64(days) * 86_400 + hour * 3_600 + minute * 60)
        }
    }

    /// Days since 1970, counted one by one.
    static func days(year: Int, month: Int, day: Int) -> Int {
        func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }
        let lengths = [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return (1970..<year).reduce(0) { $0 + (isLeap($1) ? 366 : 365) } + lengths.prefix(month - 1).reduce(0, +) + day
            - 1
    }
}

extension Wiki {
    /// A German wiki, whose namespaces have English aliases as everywhere.
    static let example = Wiki(
        key: "wiki.example", api: "https://wiki.example/w/api.php", server: "https://wiki.example",
        articlePath: "/wiki/$1", script: "/w/index.php", generator: "MediaWiki 1.39.17", siteName: "Example",
        language: "de", isRightToLeft: false, timezone: "UTC",
        namespaces: [
            Namespace(id: -1, name: "Spezial", canonical: "Special"), Namespace(id: 0, name: "", canonical: ""),
            Namespace(id: 1, name: "Diskussion", canonical: "Talk"),
            Namespace(id: 2, name: "Benutzer", canonical: "User", aliases: ["Benutzerin", "BN"]),
            Namespace(id: 3, name: "Benutzer Diskussion", canonical: "User talk", aliases: ["Benutzerin Diskussion"]),
            Namespace(id: 10, name: "Vorlage", canonical: "Template"),
            Namespace(id: 14, name: "Kategorie", canonical: "Category"),
        ], interwikiPrefixes: ["w", "en"], contributionsNames: ["Beiträge"], signatureFormats: [],
        hasDiscussionTools: true)
}

extension WikitextReply.Context {
    static func example(user: String? = "Alice", _ indentation: WikitextReply.Indentation = .colon) -> Self {
        Self(wiki: .example, user: user, dates: EnglishDates(), indentation: indentation)
    }
}

/// A file below `Fixtures/wikitext`.
func wikitextFixture<T: Decodable>(_ name: String, as type: T.Type = T.self) throws -> T {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(components: "Fixtures", "wikitext", name)
    return try JSONDecoder().decode(type, from: Data(contentsOf: file))
}

/// The wikitext as the wiki saves it: tildes outside of `<nowiki>` and comments expanded for Alice.
func expanded(_ text: String, date: String) -> String {
    let signature = "[[User:Alice|Alice]] ([[User talk:Alice|talk]]) \(date)"
    var result = ""
    var rest = text[...]
    while !rest.isEmpty {
        if rest.hasPrefix("<nowiki>"), let end = rest.firstRange(of: "</nowiki>") {
            result += rest[..<end.upperBound]
            rest = rest[end.upperBound...]
        } else if rest.hasPrefix("<!--") {
            let end = rest.firstRange(of: "-->")?.upperBound ?? rest.endIndex
            result += rest[..<end]
            rest = rest[end...]
        } else if rest.hasPrefix("~~~~~") {
            result += date
            rest = rest.dropFirst(5)
        } else if rest.hasPrefix("~~~~") {
            result += signature
            rest = rest.dropFirst(4)
        } else {
            result.append(rest.removeFirst())
        }
    }
    return result
}
