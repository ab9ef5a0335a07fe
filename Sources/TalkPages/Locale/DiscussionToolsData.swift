internal import Foundation

/// The date data that DiscussionTools gives to its own client: exactly what its server reads signatures with.
///
/// It stands in the JavaScript of `load.php?modules=ext.discussionTools.init&only=scripts`, an internal format that may
/// change: when it cannot be read, `SignatureFormats.make` is the other way.
public struct DiscussionToolsData: Hashable, Sendable {
    /// One format for each variant; the order is that of the codes.
    public var formats: [SignatureFormat]
    /// IANA name of the wiki's zone.
    public var timezone: String
    /// Local name of Special:Contributions, with underscores.
    public var contributionsName: String?

    /// Reads the data out of the module's script; nil when they are not there or have another form.
    public init?(script: String) {
        let bytes = Array(script.utf8)
        var start = 0
        while let place = bytes.index(of: Array("\"dateFormat\":".utf8), from: start) {
            start = place + 1
            guard let open = bytes[..<place].lastIndex(of: UInt8(ascii: "{")),
                let end = Self.endOfObject(bytes, from: open),
                let object = try? JSONDecoder().decode(Object.self, from: Data(bytes[open..<end])),
                let data = Self(object)
            else { continue }
            self = data
            return
        }
        return nil
    }

    private struct Object: Decodable {
        var dateFormat: [String: String]
        var digits: [String: [String]]
        var localTimezone: String
        var specialContributionsName: String?
        var timezones: [String: [String: String]]
        var contLangMessages: [String: [String: String]]
    }

    private init?(_ object: Object) {
        timezone = object.localTimezone
        contributionsName = object.specialContributionsName
        formats = []
        for (variant, format) in object.dateFormat.sorted(by: { $0.key < $1.key }) {
            guard let messages = object.contLangMessages[variant], let zones = object.timezones[variant] else {
                return nil
            }
            let digits = object.digits[variant]?.joined() ?? DateFormats.latinDigits
            let names = SignatureFormats.names(in: messages)
            guard names.months.allSatisfy({ !$0.isEmpty }) else { return nil }
            formats.append(
                SignatureFormat(
                    variant: variant, format: format, digits: digits,
                    timezoneAbbreviations: Dictionary(zones.map { ($1, $0) }, uniquingKeysWith: { first, _ in first }),
                    months: names.months, monthsGenitive: names.genitive, monthsShort: names.short,
                    weekdays: names.weekdays, weekdaysShort: names.weekdaysShort))
        }
        if formats.isEmpty { return nil }
    }

    /// Past the closing brace of the JSON object that opens at `start`.
    private static func endOfObject(_ bytes: [UInt8], from start: Int) -> Int? {
        var depth = 0
        var isString = false
        var index = start
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\\") where isString: index += 1
            case UInt8(ascii: "\""): isString.toggle()
            case UInt8(ascii: "{") where !isString: depth += 1
            case UInt8(ascii: "}") where !isString:
                depth -= 1
                if depth == 0 { return index + 1 }
            default: break
            }
            index += 1
        }
        return nil
    }
}
