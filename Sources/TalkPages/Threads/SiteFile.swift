internal import Foundation

/// A file that describes a wiki and one page of it, for the commands that take a page apart without a store.
package struct SiteFile: Sendable {
    /// What the file says of the wiki.
    package var wiki: Wiki
    /// The page's title with its local namespace.
    package var title: String

    /// Reads the JSON of the file.
    package init(json: [UInt8]) throws(TalkError) {
        let file: File
        do {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            file = try decoder.decode(File.self, from: Data(json))
        } catch {
            throw TalkError(
                .invalid, "The site file is not what is expected", hint: "It needs the keys that the manual lists.",
                underlying: error)
        }
        title = file.pageTitle ?? ""
        wiki = Wiki(
            key: file.wiki ?? "", api: "", server: "", articlePath: file.articlePath, script: "", generator: "",
            siteName: "", language: file.language ?? "", isRightToLeft: file.direction == "rtl",
            timezone: file.timezone,
            namespaces: file.namespaces.map {
                Namespace(id: $0.id, name: $0.name, canonical: $0.canonical, aliases: $0.aliases)
            },
            interwikiPrefixes: [], contributionsNames: file.contributionsNames,
            signatureFormats: file.timestamps.map(\.format), hasDiscussionTools: false)
    }

    private struct File: Decodable {
        struct NamespaceEntry: Decodable {
            var id: Int
            var name: String
            var canonical: String
            var aliases: [String]
        }

        struct Timestamp: Decodable {
            var format: SignatureFormat

            enum Key: String, CodingKey {
                case variant, format, digits, timezoneAbbreviations, months, monthsGenitive, monthsShort, weekdays
                case weekdaysShort
            }

            init(from decoder: any Decoder) throws {
                let values = try decoder.container(keyedBy: Key.self)
                func words(_ key: Key) throws -> [String] { try values.decode([String].self, forKey: key) }
                // The file names the zones the other way round: as the wiki writes them first.
                let zones = try values.decode([String: String].self, forKey: .timezoneAbbreviations)
                format = SignatureFormat(
                    variant: try values.decode(String.self, forKey: .variant),
                    format: try values.decode(String.self, forKey: .format),
                    digits: try values.decode(String.self, forKey: .digits),
                    timezoneAbbreviations: Dictionary(
                        zones.map { ($0.value, $0.key) }, uniquingKeysWith: { a, b in max(a, b) }),
                    months: try words(.months), monthsGenitive: try words(.monthsGenitive),
                    monthsShort: try words(.monthsShort), weekdays: try words(.weekdays),
                    weekdaysShort: try words(.weekdaysShort))
            }
        }

        var wiki: String?
        var language: String?
        var direction: String?
        var pageTitle: String?
        var articlePath: String
        var timezone: String
        var contributionsNames: [String]
        var namespaces: [NamespaceEntry]
        var timestamps: [Timestamp]
    }
}
