import Foundation
import TalkTestSupport
import Testing

@testable import TalkCommands

/// What `reply` says of a text before it is queued, without any wiki.
@Suite(.temporaryDirectory) struct ReplyTextTests {
    private func pulled() async throws -> (TestProgram, page: String) {
        let paper = PaperWiki(), program = try TestProgram()
        try #require(await program.run("pull", paper.page).exitCode == .done)
        return (program, paper.page)
    }

    @Test(arguments: [
        ("a <small>b", "<small> is not closed, so that it goes on below the reply"),
        ("a <!-- b", "<!-- is not closed with -->, so that it hides the signature and the rest of the page"),
        ("a </div>", "</div> ends something that the reply did not begin"),
    ])
    func queuesNothingThatWouldHarmThePage(text: String, reason: String) async throws {
        let (program, page) = try await pulled()
        let result = await program.run("reply", page, "c-Carol", "-m", text)
        #expect(result.exitCode == .failure)
        #expect(
            result.error
                == "git-talk: the reply was not queued, since it would harm the page: \(reason)\nhint: correct it and give it again\n"
        )
        #expect(result.output == "")
        #expect(try program.git("for-each-ref", "refs/heads/pending") == "")
    }

    @Test func warnsOfWhatWillLookOtherwiseAndQueuesIt() async throws {
        let (program, page) = try await pulled()
        let result = await program.run("reply", page, "c-Carol", "-m", "== a ==\n[[Category:B]]")
        #expect(result.exitCode == .done)
        #expect(
            result.error.hasPrefix(
                "warning: a heading in a reply to a comment is shown as plain text, with its equals signs\n"
                    + "warning: [[Category:B]] puts the page into that category; for a link write [[:Category:B]]\n"))
        #expect(result.output.hasPrefix("queued "))
    }

    @Test func showsAReplyToATopicAsDeepAsItWillBePosted() async throws {
        let (program, page) = try await pulled()
        try #require(await program.run("reply", page, "h-Width", "-m", "One.\n\nTwo.").exitCode == .done)
        let shown = await program.run("show", page)
        let lines = shown.output.split(separator: "\n").map(String.init)
        let place = try #require(lines.firstIndex { $0.contains("[pending") })
        #expect(lines[place].hasPrefix("  you") && lines[place - 1].contains("Four metres."))
        #expect(lines[place + 1] == "    One." && lines[place + 2].isEmpty == false)
        let heading = await program.run("reply", page, "h-Ramp", "-m", "a\n== b ==\nc")
        #expect(heading.exitCode == .failure && heading.error.contains("a heading in a reply begins another section"))
    }
}
