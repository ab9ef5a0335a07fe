internal import Foundation
internal import TalkPages

/// Runs a command that works on files alone, without a store: for scripts, and for comparing with other tools.
///
/// Reads the named files and the zone data of the system, and nothing else. Gives what goes to standard output, or to
/// standard error when the status is not 0.
package func runPlumbing(_ arguments: [String]) -> (output: String, status: Int32) {
    do {
        return (try output(arguments), 0)
    } catch {
        switch error {
        case .usage(let message): return ("git-talk: \(message)\n", 64)
        case .failure(let error):
            let hint = error.hint.map { "hint: \($0)\n" } ?? ""
            return ("git-talk: \(error.message)\n\(hint)", 1)
        }
    }
}

private func output(_ arguments: [String]) throws(PlumbingError) -> String {
    let rest = arguments.dropFirst()
    switch arguments.first {
    case "parse": return try ParseCommand(rest).output()
    case "place": return try PlaceCommand(rest).output()
    case "new-comments": return try NewCommentsCommand(rest).output()
    default: throw .usage("no such command: \(arguments.first ?? "")")
    }
}

/// Why a plumbing command gave no output.
enum PlumbingError: Error {
    /// The command line is wrong.
    case usage(String)
    /// The command could not do it.
    case failure(TalkError)
}

/// Options and file names of a plumbing command.
struct PlumbingArguments {
    private(set) var options: [String: String] = [:]
    private(set) var files: [String] = []

    init(_ arguments: ArraySlice<String>, options known: [String], files count: Int) throws(PlumbingError) {
        var rest = arguments
        while let argument = rest.popFirst() {
            if known.contains(argument) {
                guard let value = rest.popFirst() else { throw .usage("\(argument) needs a value") }
                options[argument] = value
            } else if argument.hasPrefix("--") {
                throw .usage("no such option: \(argument)")
            } else {
                files.append(argument)
            }
        }
        for option in known where options[option] == nil { throw .usage("\(option) is missing") }
        guard files.count == count else { throw .usage("\(count) files are needed, not \(files.count)") }
    }

    func value(_ option: String) -> String { options[option] ?? "" }

    /// A parser for the page that the site file names, with the zone data of this system.
    func parser() throws(PlumbingError) -> ThreadParser {
        let bytes = Array(try PlumbingFile.data(value("--site")))
        let site: SiteFile
        do {
            site = try SiteFile(json: bytes)
        } catch {
            throw .failure(error)
        }
        return ThreadParser(wiki: site.wiki, title: site.title, zone: try PlumbingFile.zone(site.wiki.timezone))
    }
}

/// Files that plumbing commands read.
enum PlumbingFile {
    static func data(_ path: String) throws(PlumbingError) -> Data {
        do {
            return try Data(contentsOf: URL(filePath: path))
        } catch {
            throw .failure(TalkError(.notFound, "The file cannot be read: \(path)", underlying: error))
        }
    }

    static func text(_ path: String) throws(PlumbingError) -> String {
        String(decoding: try data(path), as: UTF8.self)
    }

    static func zone(_ name: String) throws(PlumbingError) -> TimeZoneRules {
        if name == "UTC" { return .utc }
        let isName = !name.split(separator: "/", omittingEmptySubsequences: false).contains { $0.isEmpty || $0 == ".." }
        guard isName, let zone = TimeZoneRules(tzif: Array(try data("/usr/share/zoneinfo/\(name)"))) else {
            throw .failure(TalkError(.notFound, "The time zone is not known here: \(name)"))
        }
        return zone
    }
}
