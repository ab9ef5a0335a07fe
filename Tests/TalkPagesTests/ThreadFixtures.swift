import Foundation
import Testing

@testable import TalkPages

/// A page with what must be found in it.
///
/// A folder has `site.json`, `expected.json` and one or more pages, which must all give the same items.
struct ThreadFixture: Sendable, CustomTestStringConvertible {
    var folder: URL
    var page: String

    var testDescription: String { "\(folder.lastPathComponent)/\(page)" }

    static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(components: "Fixtures", "threads")

    /// Every page below the folder.
    static func all(below root: URL) -> [ThreadFixture] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: root.path).sorted()) ?? []
        return names.flatMap { name in
            let folder = root.appending(path: name)
            let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()) ?? []
            guard files.contains("expected.json") else { return [ThreadFixture]() }
            return files.filter { $0.hasSuffix(".html") }.map { ThreadFixture(folder: folder, page: $0) }
        }
    }

    func text() throws -> String { String(decoding: try Data(contentsOf: folder.appending(path: page)), as: UTF8.self) }
    func expected() throws -> [ExpectedItem] { try ExpectedItem.read(folder.appending(path: "expected.json")) }
    func parser() throws -> ThreadParser { try Self.parser(site: folder.appending(path: "site.json")) }

    static func parser(site: URL) throws -> ThreadParser {
        let site = try SiteFile(json: Array(try Data(contentsOf: site)))
        return ThreadParser(wiki: site.wiki, title: site.title, zone: try zone(site.wiki.timezone))
    }

    static func zone(_ name: String) throws -> TimeZoneRules {
        if name == "UTC" { return .utc }
        let file = URL(filePath: "/usr/share/zoneinfo/\(name)")
        // Enough of Central Europe for the fixtures, where a system has no zone data.
        let bytes = (try? Data(contentsOf: file)).map(Array.init) ?? ThreadTimeZoneTests.central
        return try #require(TimeZoneRules(tzif: bytes))
    }
}

/// An item as `expected.json` writes it.
struct ExpectedItem: Hashable, Decodable, CustomStringConvertible {
    enum Transclusion: Hashable, Decodable {
        case page(String)
        case unknown
        case none

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let flag = try? container.decode(Bool.self) {
                self = flag ? .unknown : .none
            } else {
                self = .page(try container.decode(String.self))
            }
        }
    }

    var type: String
    var level: Int
    var headingLevel: Int?
    var id: String
    /// Left out where it is the wiki's answer and not told there.
    var name: String?
    var parent: Int?
    var author: String?
    var timestamp: String?
    var text: String?
    var transcludedFrom: Transclusion?

    var description: String {
        "\(type) \(level) \(id) ^\(parent.map(String.init) ?? "") \(timestamp ?? "") “\(text ?? "")”"
    }

    static func read(_ file: URL) throws -> [ExpectedItem] {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode([ExpectedItem].self, from: try Data(contentsOf: file))
    }

    init(_ item: ThreadItem, like expected: ExpectedItem?) {
        type = item.kind.rawValue
        level = item.level
        headingLevel = item.headingLevel
        id = item.id
        name = expected?.name == nil ? nil : item.name
        parent = item.parent
        author = item.author
        timestamp = item.timestamp.map { Date(timeIntervalSince1970: TimeInterval($0)).formatted(.iso8601) }
        text = expected?.text == nil ? nil : item.text
        if expected?.transcludedFrom != nil {
            switch item.transclusion {
            case nil: transcludedFrom = Transclusion.none
            case .unknown: transcludedFrom = .unknown
            case .page(let title): transcludedFrom = .page(title)
            }
        }
    }
}

/// Compares items with what is expected, and tells of the first difference.
func expectItems(
    _ items: [ThreadItem], _ expected: [ExpectedItem], _ name: String,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(items.count == expected.count, "\(name): number of items", sourceLocation: sourceLocation)
    for (item, expected) in zip(items, expected) {
        let found = ExpectedItem(item, like: expected)
        if found != expected {
            Issue.record("\(name): found \(found), expected \(expected)", sourceLocation: sourceLocation)
            return
        }
    }
}
