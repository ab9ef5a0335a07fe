import Foundation
import TalkTestSupport
import Testing

@testable import TalkCommands

/// The account is called what the wiki calls it, however the user wrote it.
@Suite(.temporaryDirectory, .testWiki) struct LoginNameTests {
    @Test func aNameInSmallLettersIsTheSameAccount() async throws {
        let wiki = try TestWiki.required()
        let title = TestWiki.newTitle("Small letters")
        try wiki.edit(title, to: EndToEndTests.text)
        let program = try TestProgram()
        let login = await program.run(
            "login", wiki.url.absoluteString, input: "alice@git-talk\n\(TestWiki.Account.alice.password)\n")
        try #require(login.exitCode == .done, "\(login.error)")
        await program.run("pull", title)
        let reply = await program.run("reply", title, "c-Carol", "-m", "By whom?")
        #expect(reply.output.contains("will be posted as Alice"))
        for _ in 1...2 {
            let sync = await program.run("sync")
            #expect(sync.exitCode == .done, "\(sync.error)")
        }
        #expect(try wiki.text(of: title).ranges(of: "By whom?").count == 1)
    }
}
