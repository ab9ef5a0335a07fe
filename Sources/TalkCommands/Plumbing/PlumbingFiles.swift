internal import Foundation
internal import TalkPages

/// Files that plumbing verbs read: they need neither a store nor a wiki.
struct PlumbingFiles {
    let arguments: Arguments
    let surroundings: Surroundings

    /// Checks that the options are there, and the number of files.
    init(_ arguments: Arguments, _ context: Context, required: [String], files: Int) throws {
        for name in required where !arguments.has(name) { throw UsageError("option '--\(name)' is missing") }
        try arguments.expect(files...files, arguments.positional.isEmpty ? "file" : "second file")
        self.arguments = arguments
        surroundings = context.surroundings
    }

    /// The text of the file number `index`.
    func page(_ index: Int) throws(TalkError) -> String {
        String(decoding: try data(arguments.positional[index]), as: UTF8.self)
    }

    /// A parser for the page that the site file names, with the zone data of this system.
    func parser() throws(TalkError) -> ThreadParser {
        let site = try SiteFile(json: Array(try data(arguments["site"] ?? "")))
        return ThreadParser(wiki: site.wiki, title: site.title, zone: try zone(site.wiki.timezone))
    }

    private func data(_ name: String) throws(TalkError) -> Data {
        guard let data = FileManager.default.contents(atPath: surroundings.path(name)) else {
            throw TalkError(.notFound, "the file \(name) cannot be read", hint: "check its name and permissions")
        }
        return data
    }

    private func zone(_ name: String) throws(TalkError) -> TimeZoneRules {
        if name == "UTC" { return .utc }
        let isName = !name.split(separator: "/", omittingEmptySubsequences: false).contains { $0.isEmpty || $0 == ".." }
        guard isName, let zone = TimeZoneRules(tzif: Array(try data("/usr/share/zoneinfo/\(name)"))) else {
            throw TalkError(.notFound, "the time zone \(name) is not known here", hint: "install the package tzdata")
        }
        return zone
    }
}

extension Option {
    static let site = Option("site", value: "<file>", "what is known of the wiki, and the page's title, as JSON")
}
