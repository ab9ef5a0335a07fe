import Foundation
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore

let bridge = PageName(wiki: "en.wiki.example", namespace: "Talk", title: "Old Stone Bridge")

/// A store of its own for the test that runs.
func makeStore(_ name: String = "store") throws -> Store {
    try Store.create(at: storePath(name), wait: 5)
}

func storePath(_ name: String = "store") -> String { TemporaryDirectory.current.appending(path: name).path }

/// A page with a lede and sections `T1`, `T2`, … with these texts.
func makeContent(_ texts: [String], lede: String = "<p>Lede</p>\n") -> PageContent {
    PageContent(
        lede: lede,
        sections: texts.enumerated().map { index, text in
            PageSection(
                file: "sections/T\(index + 1).html", heading: "T\(index + 1)", level: 2,
                html: "<h2>T\(index + 1)</h2>\n<p>\(text)</p>\n")
        })
}

/// Revision `id`, one minute after revision `id - 1`.
func makeRecord(
    _ id: Int64, user: String? = "Chloe", summary: String? = "reply", minutes: Int64? = nil, format: Int = 1,
    render: Int = 0
) -> RevisionRecord {
    RevisionRecord(
        id: RevisionID(rawValue: id), parent: RevisionID(rawValue: id - 1), page: PageID(rawValue: 45),
        timestamp: 1_700_000_000 + 60 * (minutes ?? id), user: user, summary: summary, isMinor: id % 3 == 0, format: format,
        render: render)
}

func makeReply(_ number: Int, text: String = "I agree.", base: Int64 = 2) -> PendingReply {
    PendingReply(
        id: ReplyID.make(milliseconds: 1_700_000_500_000 + Int64(number), random: (1, 2)), kind: .reply, text: text,
        target: PendingReply.Target(
            id: "c-Ben-20231114000000-T1", name: "c-Ben-20231114000000", author: "Ben", timestamp: 1_699_920_000, heading: "T1"),
        heading: nil, base: RevisionID(rawValue: base), created: 1_700_000_500 + Int64(number), expires: 1_702_000_000)
}

/// Runs git without anybody's configuration and gives what it printed; throws when it fails.
@discardableResult
func git(_ arguments: String..., in directory: String, input: String? = nil) throws -> String {
    let (status, output) = try runGit(arguments, in: directory)
    guard status == 0 else { throw GitFailure(description: "git \(arguments.joined(separator: " ")): \(output)") }
    return output
}

struct GitFailure: Error, CustomStringConvertible {
    let description: String
}

func runGit(_ arguments: [String], in directory: String) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["git"] + arguments
    process.currentDirectoryURL = URL(filePath: directory)
    process.environment = [
        "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "HOME": directory, "LC_ALL": "C",
        "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_AUTHOR_NAME": "T", "GIT_AUTHOR_EMAIL": "t@t",
        "GIT_COMMITTER_NAME": "T", "GIT_COMMITTER_EMAIL": "t@t",
    ]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
}

/// A generator whose seed a failing test prints.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
