/// Looks up how MediaWiki writes dates in a language.
public enum DateFormats {
    /// The date format of a language; nil for a code that is not known, and whose fallbacks are not known.
    ///
    /// `fallback` are the codes that the language falls back to, nearest first (`siteinfo.general.fallback`).
    public static func format(language: String, fallback: [String] = []) -> String? {
        for code in [language] + fallback { if let format = formats[code.lowercased()] { return format } }
        return nil
    }

    /// The ten digits of a language, zero first; a wiki may be configured not to use them.
    public static func digits(language: String, fallback: [String] = []) -> String {
        for code in [language] + fallback where formats[code.lowercased()] != nil {
            return digits[code.lowercased()] ?? latinDigits
        }
        return latinDigits
    }

    /// `0123456789`.
    public static let latinDigits = "0123456789"

    private static let formats = byLanguage(DateFormatTable.formats.map { ($0.format, $0.languages) })
    private static let digits = byLanguage(DateFormatTable.digits.map { ($0.digits, $0.languages) })

    private static func byLanguage(_ table: [(value: String, languages: String)]) -> [String: String] {
        var result: [String: String] = [:]
        for row in table { for code in row.languages.split(separator: " ") { result[String(code)] = row.value } }
        return result
    }
}
