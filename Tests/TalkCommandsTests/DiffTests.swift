import Foundation
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkCommands

/// `git talk diff` on invented pages; the expected texts were written by hand.
@Suite(.temporaryDirectory) struct DiffTests {
    /// 2024-03-01 12:05 UTC.
    static let firstOfMarch: Int64 = 1_709_294_700

    private func bridge() async throws -> InventedPage {
        let page = try await InventedPage()
        try await page.add(
            101, by: "Dora", at: Self.firstOfMarch,
            """
            <p>Visitors this week: 120</p>
            <h2 id="Widht_of_the_bridge">Widht of the bridge</h2>
            <p>How wide is teh arch? ~Bob 10:00, 1 March 2024~</p>
            <dl><dd>Four metres. ~Carol 11:00, 1 March 2024~</dd></dl>
            <h2 id="Ramp">Ramp</h2>
            <p>And the <b>ramp</b>? ~Dora 12:00, 1 March 2024~</p>
            """)
        try await page.add(
            102, by: "Dora", at: Self.firstOfMarch + 77_100,
            """
            <p>Visitors this week: 130</p>
            <h2 id="Width_of_the_bridge">Width of the bridge</h2>
            <p>How wide is the arch? ~Bob 10:00, 1 March 2024~</p>
            <dl><dd>Four metres. ~Carol 11:00, 1 March 2024~
            <dl><dd>Thank you! I will measure it again. ~Dora 09:30, 2 March 2024~</dd></dl></dd></dl>
            <h2 id="Ramp">Ramp</h2>
            <p>And the <i>ramp</i>? ~Dora 12:00, 1 March 2024~</p>
            """)
        return page
    }

    @Test func aReplyATypingErrorAndAHeading() async throws {
        let page = try await bridge()
        let result = await page.program.run("diff", "Talk:Old Stone Bridge")
        #expect(result.exitCode == .done, "\(result.error)")
        try expectGolden(result.output, "diff-reply.txt")
        for range in ["101", "101..102", "101.."] {
            #expect(await page.program.run("diff", "Talk:Old Stone Bridge", range).output == result.output, "\(range)")
        }
        #expect(await page.program.run("diff", "Talk:Old Stone Bridge@101").output == result.output)
        let backwards = await page.program.run("diff", "Talk:Old Stone Bridge", "..101")
        #expect(backwards.output.contains("{+teh+}") && backwards.output.contains("[removed]"))
        #expect(
            await page.program.run("diff", "Talk:Old Stone Bridge", "--stat").output == """
                Talk:Old Stone Bridge  en.wiki.example
                --- revision 101 of 2024-03-01 12:05 UTC by Dora
                +++ revision 102 of 2024-03-02 09:30 UTC by Dora
                 Width of the bridge | renamed; comments: 1 added, 1 edited
                 lede.html           | outside of comments
                 sections/Ramp.html  | outside of comments
                 topics: 0 added, 1 changed, 0 removed; comments: 1 added, 1 changed, 0 removed

                """)
    }

    @Test func anArchivedAndAMovedTopicAndAnIndentedComment() async throws {
        let page = try await InventedPage()
        let old = """
            <h2 id="Old_question">Old question</h2>
            <p>Is the bridge older than the mill? ~Ann 08:00, 1 February 2024~</p>
            <dl><dd>Yes, by a century. ~Ben 09:00, 1 February 2024~</dd></dl>
            """
        func hours(_ last: String) -> String {
            """
            <h2 id="Opening_hours">Opening hours</h2>
            <p>Is it open on Sundays? ~Ann 10:00, 2 February 2024~</p>
            <dl><dd>In summer. ~Ben 11:00, 2 February 2024~\(last)</dl>
            """
        }
        let cem = "So it is, the whole summer. ~Cem 12:00, 2 February 2024~"
        let parking = """
            <h2 id="Parking">Parking</h2>
            <p>There is none. ~Dora 10:00, 3 February 2024~</p>
            """
        try await page.add(201, by: "Cem", at: Self.firstOfMarch, old + hours("</dd><dd>\(cem)</dd>") + parking)
        try await page.add(202, by: nil, at: Self.firstOfMarch + 60, parking + hours("<dl><dd>\(cem)</dd></dl></dd>"))
        let result = await page.program.run("diff", "Talk:Old Stone Bridge")
        try expectGolden(result.output, "diff-archive.txt")
        let stat = await page.program.run("diff", "Talk:Old Stone Bridge", "--stat").output
        #expect(
            stat.contains(
                """
                 Old question  | removed; comments: 2 removed
                 Parking       | reordered
                 Opening hours | comments: 1 indented
                 topics: 0 added, 2 changed, 1 removed; comments: 0 added, 1 changed, 2 removed

                """), "\(stat)")
        let topic = await page.program.run("diff", "Talk:Old Stone Bridge#Opening hours").output
        #expect(
            topic.contains("[indented, level 2 → 3]") && !topic.contains("Parking") && !topic.contains("Old question"))
        #expect(await page.program.run("diff", "Talk:Old Stone Bridge#Nothing").exitCode == .failure)
    }

    @Test func aPendingReplyInPlace() async throws {
        let page = try await InventedPage()
        try await page.add(
            301, by: "Carol", at: Self.firstOfMarch,
            """
            <h2 id="Width">Width</h2>
            <p>How wide is it? ~Bob 10:00, 1 March 2024~</p>
            <dl><dd>Four metres. ~Carol 11:00, 1 March 2024~</dd></dl>
            """)
        let none = await page.program.run("diff", "--pending", "Talk:Old Stone Bridge")
        #expect(none.exitCode == .done && none.output.hasSuffix("\n+++ no pending reply\n\n(no difference)\n"))
        try await page.reply("Thank you.\nSee [[the plan]].", to: "c-Carol-20240301110000-Bob-20240301100000")
        let result = await page.program.run("diff", "--pending", "Talk:Old Stone Bridge")
        #expect(result.exitCode == .done && result.error.isEmpty, "\(result.error)")
        try expectGolden(result.output, "diff-pending.txt")
        try expectGolden(
            await page.program.run("diff", "--pending", "Talk:Old Stone Bridge", "--json").output, "diff-pending.json")
        // The reply stands on the older revision until it is fitted to the new one.
        try await page.add(302, by: "Bob", at: Self.firstOfMarch + 60, "<p>Emptied.</p>")
        let behind = await page.program.run("diff", "--pending", "Talk:Old Stone Bridge")
        #expect(behind.output == result.output)
        #expect(behind.error.contains("stand on an older revision than the newest"))
    }

    @Test func aPendingReplyOfNobodyYetIsYours() async throws {
        let page = try await InventedPage.single()
        try await page.reply("Hello, Bob.", to: "c-Bob-20240301100000", account: "")
        for words in [["diff", "--pending"], ["show"]] {
            let result = await page.program.run(words: words + ["Talk:Old Stone Bridge"])
            #expect(result.output.contains("  you, 2024-03-05 08:00 UTC  "), "\(result.output)")
            let json = await page.program.run(words: words + ["Talk:Old Stone Bridge", "--json"]).output
            #expect(json.contains("Hello, Bob.") && !json.contains(#""author" : """#), "\(json)")
        }
    }

    @Test func saysThatTwoPagesAreCompared() async throws {
        let page = try await InventedPage()
        try await page.add(85, by: "Bob", at: 60, page: 45, "<p>The old one. ~Bob 10:00, 1 March 2024~</p>")
        try await page.add(90, by: "Ann", at: 120, page: 46, "<p>The new one. ~Ann 11:00, 1 March 2024~</p>")
        try await page.add(91, by: "Ann", at: 180, page: 46, "<p>The new one! ~Ann 11:00, 1 March 2024~</p>")
        let two = await page.program.run("diff", "Talk:Old Stone Bridge", "85..90")
        #expect(two.error == "git-talk: revisions 85 and 90 are of two different pages at this title\n")
        #expect(two.output.contains("[removed]") && two.output.contains("[added]"))
        #expect(await page.program.run("diff", "Talk:Old Stone Bridge").error == "")
    }

    @Test func theOutputForProgramsIsComplete() async throws {
        let page = try await bridge()
        let result = await page.program.run("diff", "Talk:Old Stone Bridge", "--json")
        let text = try String(
            contentsOf: SharedData.repositoryRoot.appending(path: "Schema/cli/diff.schema.json"), encoding: .utf8)
        let strict = text.replacing(#""additionalProperties": true"#, with: #""additionalProperties": false"#)
        #expect(try JSONSchema(Data(strict.utf8)).problems(in: Data(result.output.utf8)) == [])
        let sections = try #require(try result.json()["sections"] as? [[String: Any]])
        let changes = sections.flatMap {
            ($0["comments"] as? [[String: Any]] ?? []) + [$0["heading"] as? [String: Any] ?? [:]]
        }
        #expect(changes.compactMap { $0["changes"] as? [String] } == [["edited"], ["added"], ["renamed"]])
        let words = try #require(changes.first?["words"] as? [[String: String]])
        #expect(words.compactMap { $0["kind"] } == ["same", "removed", "added", "same"])
        #expect(words.compactMap { $0["text"] } == ["How wide is ", "teh", "the", " arch?"])
        let files = try #require(try result.json()["renderOnly"] as? [[String: Any]])
        #expect(files.map { $0["markupOnly"] as? Bool } == [false, true])
    }

    @Test func saysWhatIsNotThere() async throws {
        let page = try await bridge()
        for (arguments, code, words) in [
            (["Talk:Nothing"], ExitCode.failure, "Talk:Nothing is not cached"),
            (
                ["Talk:Old Stone Bridge", "99"], .failure,
                "revision 99 of Talk:Old Stone Bridge is not cached; cached are 101, 102\n"
                    + "hint: git talk pull --history all https://en.wiki.example/wiki/Talk:Old_Stone_Bridge\n"
            ),
            (
                ["Talk:Old Stone Bridge", "101..103"], .failure,
                "101, 102\nhint: git talk pull https://en.wiki.example/wiki/Talk:Old_Stone_Bridge\n"
            ),
            (["Talk:Old Stone Bridge", "newest"], .usage, "'newest' is no revision"),
            (["Talk:Old Stone Bridge", ".."], .usage, "names no revision"),
            (["Talk:Old Stone Bridge", "101..102", "--pending"], .usage, "not a range"),
        ] {
            let result = await page.program.run(words: ["diff"] + arguments)
            #expect(result.exitCode == code, "\(arguments)")
            #expect(result.error.contains(words), "\(arguments): \(result.error)")
        }
        let equal = await page.program.run("diff", "Talk:Old Stone Bridge", "102..102")
        #expect(equal.exitCode == .done && equal.output.hasSuffix("\n(no difference)\n"))
        let single = try await InventedPage.single()
        let result = await single.program.run("diff", "Talk:Old Stone Bridge")
        #expect(result.exitCode == .failure && result.error.contains("only revision 7 of"))
    }

    @Test func coloursWordsOnATerminalAndKeepsTricksOut() throws {
        func item(_ text: String) -> ThreadItem {
            ThreadItem(
                kind: .comment, level: 1, id: "c-a", name: "c-a", parent: nil, author: "ש\u{202E}x", timestamp: 60,
                text: text)
        }
        let content = PageContent(lede: "", sections: [])
        let report = try DiffReport(
            named: NamedPage(wiki: InventedPage.wiki, page: InventedPage.name, fragment: nil),
            old: DiffSide(record: nil, pending: [], content: content, items: [item("one \u{1B}[2J two")]),
            new: DiffSide(
                record: nil, pending: [], content: content, items: [item("one \u{1B}[2J deux, and a longer line")]),
            isBehind: false)
        let text = DiffText(report, style: Style(isColoured: true, isTerminal: true), width: 34).text()
        #expect(
            text.hasSuffix(
                """
                  \u{1B}[1m\u{2068}ש<U+202E>x\u{2069}\u{1B}[0m, 1970-01-01 00:01 UTC  \u{1B}[2m\(report.newCodes[0])\u{1B}[0m  \
                \u{1B}[33m[edited]\u{1B}[0m
                    one ␛[2J \u{1B}[31mtwo\u{1B}[0m\u{1B}[32mdeux, and a longer\u{1B}[0m
                    \u{1B}[32mline\u{1B}[0m

                """), "\(text.debugDescription)")
    }
}

extension InventedPage {
    /// A page with one revision, in a store beside the others of the test.
    static func single() async throws -> InventedPage {
        let directory = TemporaryDirectory.current.appending(path: "single")
        return try await TemporaryDirectory.$current.withValue(directory) {
            let page = try await InventedPage()
            try await page.add(7, by: "Bob", at: 60, "<p>Hello. ~Bob 10:00, 1 March 2024~</p>")
            return page
        }
    }
}
