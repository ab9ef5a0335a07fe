import Foundation
import TalkTestSupport
import Testing

@testable import TalkCommands

/// `pull --history`, and what `log` and `diff` make of it offline.
@Suite(.temporaryDirectory) struct HistoryTests {
    private static func signed(_ text: String, _ user: String, _ day: String) -> String {
        """
        <p>\(text) <a href="/wiki/User:\(user)" title="User:\(user)">\(user)</a> (<a href="/wiki/User_talk:\(user)" \
        title="User talk:\(user)">talk</a>) 12:00, \(day) 2024 (UTC)</p>
        """
    }

    /// Sixty revisions, 11 to 70; every second one brings a comment.
    private func longPage() -> PaperWiki {
        let paper = PaperWiki()
        for number in 1..<60 {
            paper.append(
                number.isMultiple(of: 2)
                    ? "<p>Without a name \(number).</p>"
                    : Self.signed("Word \(number).", "Dora", "\(number % 28 + 1) April"))
        }
        return paper
    }

    @Test func tellsWhatCameAndHowFarBack() async throws {
        let paper = longPage()
        let program = try TestProgram()
        let first = await program.run("pull", "--history", "20", paper.page)
        #expect(first.exitCode == .done, "\(first.error)")
        #expect(
            first.output.hasSuffix("Talk:Bridge: 17 older revisions, 20 cached, back to 51 of 2024-04-13 12:00 UTC\n"),
            "\(first.output)")
        #expect(first.error.hasSuffix("17 older revisions stored\n"))
        let rest = await program.run("pull", "--history=all", "Talk:Bridge")
        #expect(
            rest.output == """
                Talk:Bridge: unchanged, revision 70
                Talk:Bridge: 40 older revisions, 60 cached, all since 11 of 2024-03-01 12:00 UTC

                """)
        let requests = paper.stub.calls.count
        let again = await program.run("pull", "--history", "all", "Talk:Bridge")
        #expect(again.output.hasSuffix("0 older revisions, 60 cached, all since 11 of 2024-03-01 12:00 UTC\n"))
        #expect(paper.stub.calls.count == requests + 2)
        #expect(try program.git("rev-list", "--count", "--branches=*/Talk/Bridge").hasPrefix("60"))
        #expect(try program.git("fsck", "--strict").contains("error") == false)
    }

    @Test func logCountsCommentsAndShowsGaps() async throws {
        let paper = PaperWiki()
        let program = try TestProgram()
        await program.run("pull", paper.page)
        paper.append(Self.signed("Wide enough.", "Dora", "2 March"))
        paper.append(Self.signed("No.", "Eve", "3 March") + Self.signed("Yes.", "Fay", "3 March"))
        paper.replace(PaperWiki.first + Self.signed("No.", "Eve", "3 March"))
        paper.append("<p>Nothing is signed.</p>")
        paper.append("<p>Nor this.</p>")
        await program.run("pull", paper.page)
        let line = { (id: Int, day: Int, words: String) in
            "\(id)  2024-03-0\(day) 12:00 UTC  Bob  \(words)edit \(id)\n"
        }
        // Of 11 nothing is known but that it made the page; 13 stands beside 11 and took part of its way.
        let gap = await program.run("log", "Talk:Bridge").output
        #expect(
            gap == line(16, 6, "") + line(15, 5, "") + line(14, 4, "+1  ") + "…\n" + line(11, 1, "+3  "), "\(gap)")
        await program.run("pull", "--history", "all", "Talk:Bridge")
        let full = await program.run("log", "Talk:Bridge").output
        #expect(
            full
                == line(16, 6, "") + line(15, 5, "") + line(14, 4, "-2  ") + line(13, 3, "+2  ") + line(12, 2, "+1  ")
                + line(11, 1, "+3  "), "\(full)")
        #expect(
            await program.run("log", "-n", "3", "Talk:Bridge").output == line(16, 6, "") + line(15, 5, "")
                + line(14, 4, "-2  "))
        let log = await program.run("log", "-n1", "Talk:Bridge", "--json")
        #expect((try log.json()["revisions"] as? [[String: Any]])?.first?["commentsAdded"] as? Int == 0)
        for words in [["log", "-n", "0", "Talk:Bridge"], ["log", "-n", "x", "Talk:Bridge"]] {
            #expect(await program.run(words).exitCode == .usage)
        }
        // Any two of them can be compared.
        let diff = await program.run("diff", "Talk:Bridge", "12..14").output
        #expect(diff.contains("No.") && diff.contains("Wide enough."), "\(diff)")
        let two = await program.run("diff", "Talk:Bridge", "11..13").output
        #expect(two.contains("Yes."), "\(two)")
    }

    @Test func keepsAReplyThatWaits() async throws {
        let paper = longPage()
        let program = try TestProgram()
        await program.run("pull", paper.page)
        await program.run("reply", "Talk:Bridge", "c-Carol", "-m", "Thanks for that.")
        let before = try program.git("for-each-ref")
        // Below the lines that say how long ago the wiki was asked.
        let shown = await program.run("show", "Talk:Bridge").output.split(separator: "\n").dropFirst(2)
        let history = await program.run("pull", "--history", "all", "Talk:Bridge")
        #expect(history.exitCode == .done && history.output.contains("57 older revisions"), "\(history.error)")
        #expect(await program.run("show", "Talk:Bridge").output.split(separator: "\n").dropFirst(2) == shown)
        #expect(await program.run("outbox").output.contains("Thanks for that."))
        // The commits are others, and the reply stands on the new ones.
        #expect(try program.git("for-each-ref") != before)
        let branch = try program.git("for-each-ref", "--format=%(refname)", "refs/heads/pending").dropLast()
        let base = branch.replacing("refs/heads/pending/", with: "refs/heads/")
        #expect(try program.git("rev-list", "--count", "\(base)..\(branch)") == "1\n")
        #expect(try program.git("rev-list", "--count", String(branch)) == "61\n")
        #expect(await program.run("diff", "--pending", "Talk:Bridge").output.contains("Thanks for that."))
    }

    @Test func aServerThatFailsEndsItWithWhatItBrought() async throws {
        let paper = longPage()
        let program = try TestProgram()
        paper.stub.prepend { $0["oldid"] == "30" ? .http(status: 503, headers: [], body: "") : nil }
        let failed = await program.run("pull", "--history", "all", paper.page)
        #expect(failed.exitCode == .later)
        #expect(failed.error.contains("what has come is kept, and the same command goes on from there"))
        #expect(failed.error.contains("the server failed while it worked; asking again in "))
        #expect(failed.error.contains("\nhint: try again in ") && failed.error.hasSuffix(" min\n"), "\(failed.error)")
        // 5 + 10 + 20 + 40 + 80 seconds.
        #expect(program.slept.all.count == 5 && (155...186).contains(program.slept.all.reduce(0, +)))
        #expect(await program.run("log", "Talk:Bridge").output.hasSuffix("edit 31\n…\n"))
        #expect(!(await program.run("show", "Talk:Bridge").output.contains("the last try failed")))
        #expect(paper.stub.calls.filter { $0["oldid"] == "30" }.count == 6)
        // Bulk work asks only a wiki that is not behind.
        #expect(
            paper.stub.calls.filter { $0["action"] == "parse" && $0["onlypst"] == "" }.allSatisfy {
                $0["maxlag"] == "5"
            })
    }

    @Test func tellsProgramsWhatCame() async throws {
        let paper = longPage()
        let program = try TestProgram()
        let history = await program.run("pull", "--history", "since:2024-04-20", paper.page, "--json")
        try JSONSchemaTests().expectValid(history, "pull")
        let page = try #require((try history.json()["history"] as? [[String: Any]])?.first)
        #expect(page["cached"] as? Int == 13 && page["oldest"] as? Int == 58 && page["whole"] as? Bool == false)
        try JSONSchemaTests().expectValid(await program.run("log", "Talk:Bridge", "--json"), "log")
    }

    @Test(arguments: [
        ["--history"], ["--history", "0", "Talk:Bridge"], ["--history", "some", "Talk:Bridge"], ["--history", "all"],
        ["--history=", "Talk:Bridge"], ["--history", "since:2024-13-01", "Talk:Bridge"],
    ]) func refusesWhatItCannotRead(words: [String]) async throws {
        let result = try await TestProgram().run(["pull"] + words)
        #expect(result.exitCode == .usage && result.error.contains("hint: "), "\(result.error)")
    }
}
