import Foundation
import Synchronization
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

/// The same, as a wiki's page comes to be written.
func makeCanonicalContent(_ texts: [String]) throws -> PageContent {
    let sections = texts.enumerated().map { "<h2>T\($0 + 1)</h2><p>\($1)</p>" }
    return try CanonicalPage.content(of: "<p>Lede</p>" + sections.joined(), wiki: nil)
}

/// Revision `id`, one minute after revision `id - 1`.
func makeRecord(
    _ id: Int64, user: String? = "Chloe", summary: String? = "reply", minutes: Int64? = nil, format: Int = 1,
    render: Int = 0
) -> RevisionRecord {
    RevisionRecord(
        id: RevisionID(rawValue: id), parent: RevisionID(rawValue: id - 1), page: PageID(rawValue: 45),
        timestamp: 1_700_000_000 + 60 * (minutes ?? id), user: user, summary: summary, isMinor: id % 3 == 0,
        format: format,
        render: render)
}

func makeReply(_ number: Int, text: String = "I agree.", base: Int64 = 2) -> PendingReply {
    PendingReply(
        id: ReplyID.make(milliseconds: 1_700_000_500_000 + Int64(number), random: (1, 2)), kind: .reply, text: text,
        target: PendingReply.Target(
            id: "c-Ben-20231114000000-T1", name: "c-Ben-20231114000000", author: "Ben", timestamp: 1_699_920_000,
            heading: "T1"),
        heading: nil, base: RevisionID(rawValue: base), created: 1_700_000_500 + Int64(number), expires: 1_702_000_000)
}

/// Runs git without anybody's configuration and gives what it printed, without the last newline when there is input;
/// throws when it fails.
@discardableResult
func git(_ arguments: String..., in directory: String, input: String? = nil) throws -> String {
    let (status, output) = try runGit(arguments, in: directory, input: input)
    guard status == 0 else { throw GitFailure(description: "git \(arguments.joined(separator: " ")): \(output)") }
    return input == nil ? output : String(output.dropLast())
}

/// The git program on a store of the test, with nothing of the machine's configuration.
func gitProgram(_ name: String = "store", path: String? = "/usr/bin/git") -> GitProgram {
    GitProgram(
        path: path, repository: StoreLayout(root: storePath(name)).gitDirectory,
        environment: ["PATH": "/usr/bin:/bin", "HOME": TemporaryDirectory.current.path])
}

/// Counts the changes of the disk that a store makes.
final class StepCounter: Sendable {
    private let number = Mutex(0)
    var value: Int { number.withLock { $0 } }

    @discardableResult
    func count() -> Int {
        number.withLock {
            $0 += 1
            return $0
        }
    }
}

struct GitFailure: Error, CustomStringConvertible {
    let description: String
}
