import Foundation
import TalkTestSupport
import Testing

@testable import TalkCommands

@Suite(.temporaryDirectory) struct PlumbingTests {
    /// A site file and a page with one comment and one reply to it.
    static func files() throws -> (site: String, page: String) {
        let folder = TemporaryDirectory.current
        let months = ["", "", "March", "", "", "", "", "", "", "", "", ""]
        let site: [String: Any] = [
            "wiki": "w", "language": "en", "direction": "ltr", "page_title": "Talk:X", "article_path": "/wiki/$1",
            "timezone": "UTC", "contributions_names": ["Contributions"],
            "namespaces": [
                ["id": -1, "name": "Special", "canonical": "Special", "aliases": [String]()] as [String: Any],
                ["id": 2, "name": "User", "canonical": "User", "aliases": [String]()],
            ],
            "timestamps": [
                [
                    "variant": "en", "format": "H:i, j F Y", "digits": "0123456789",
                    "timezone_abbreviations": ["UTC": "UTC"], "months": months, "months_genitive": months,
                    "months_short": months, "weekdays": [String](), "weekdays_short": [String](),
                ] as [String: Any]
            ],
        ]
        let files = (site: folder.appending(path: "site.json"), page: folder.appending(path: "page.html"))
        try JSONSerialization.data(withJSONObject: site).write(to: files.site)
        try Data(
            """
            <h2 id="A">A "topic"</h2>
            <p>One <a href="/wiki/User:Ann">Ann</a> 10:00, 3 March 2024 (UTC)
            </p><dl><dd>Two <a href="/wiki/User:Bo">Bo</a> 10:05, 3 March 2024 (UTC)</dd></dl>

            """.utf8
        ).write(to: files.page)
        return (files.site.path, files.page.path)
    }

    private func run(_ words: [String]) async throws -> (output: String, status: Int32, error: String) {
        let result = await (try TestProgram()).run(words: words)
        return (result.output, result.exitCode.rawValue, result.error)
    }

    @Test func parsePrintsOneObjectALine() async throws {
        let (site, page) = try Self.files()
        let (output, status, _) = try await run(["parse", "--site", site, page])
        #expect(status == 0)
        #expect(
            output == """
                {"type": "heading", "level": 0, "heading_level": 2, "id": "h-A-20240303100000", \
                "name": "h-Ann-20240303100000", "parent": null, "text": "A \\"topic\\"", "transcluded_from": false}
                {"type": "comment", "level": 1, "id": "c-Ann-20240303100000-A", "name": "c-Ann-20240303100000", \
                "parent": 0, "author": "Ann", "timestamp": "2024-03-03T10:00:00Z", "text": "One", \
                "transcluded_from": false}
                {"type": "comment", "level": 2, "id": "c-Bo-20240303100500-Ann-20240303100000", \
                "name": "c-Bo-20240303100500", "parent": 1, "author": "Bo", "timestamp": "2024-03-03T10:05:00Z", \
                "text": "Two", "transcluded_from": false}

                """)
    }

    @Test func placePrintsTheWholeDocument() async throws {
        let (site, page) = try Self.files()
        let body = try String(contentsOfFile: page, encoding: .utf8)
        try Data("<!DOCTYPE html>\n<html><head></head><body class='a>b'>\(body)</body></html>\n".utf8)
            .write(to: URL(filePath: page))
        let (output, status, _) = try await run([
            "place", "--site", site, "--id", "c-Bo-20240303100500-Ann-20240303100000", "--indent", "bullet", "--text",
            "a < b", page,
        ])
        #expect(status == 0)
        #expect(output.hasPrefix("<!DOCTYPE html>\n<html><head></head><body class='a>b'><h2 id=\"A\">"))
        #expect(output.contains("(UTC)<ul><li>a &lt; b</li></ul></dd></dl>\n</body></html>\n"))
    }

    @Test func newCommentsPrintsIdentifiers() async throws {
        let (site, page) = try Self.files()
        let old = TemporaryDirectory.current.appending(path: "old.html")
        let text = try String(contentsOfFile: page, encoding: .utf8)
        try Data(text.prefix(while: { $0 != "d" }).utf8).write(to: old)
        let (output, status, _) = try await run([
            "new-comments", "--site", site, "--by", "Bo", "--at", "2024-03-03T10:06:00Z", old.path, page,
        ])
        #expect(output == "c-Bo-20240303100500-Ann-20240303100000\n")
        #expect(status == 0)
    }

    @Test func tellsWhatIsWrong() async throws {
        let (site, page) = try Self.files()
        for (words, status, message) in [
            (["parse", page], Int32(64), "option '--site' is missing"),
            (["parse", "--site", site], 64, "no file was given"),
            (["parse", "--site"], 64, "option '--site' needs a value"),
            (["parse", "--site", site, page, page], 64, "unexpected argument"),
            (["parse", "--site", site, "/nowhere"], 1, "the file /nowhere cannot be read"),
            (["parse", "--site", page, page], 1, "site file"),
            (["place", "--site", site, "--id", "c-Nobody", "--indent", "bullet", "--text", "x", page], 1, "c-Nobody"),
            (["place", "--site", site, "--id", "x", "--indent", "up", "--text", "x", page], 64, "invisible or bullet"),
            (["new-comments", "--site", site, "--by", "Bo", "--at", "noon", page, page], 64, "2026-01-30T12:00:00Z"),
        ] {
            let result = try await run(words)
            #expect(result.status == status, "\(words)")
            #expect(result.error.contains(message), "\(words): \(result.error)")
            #expect(result.output == "")
        }
    }
}
