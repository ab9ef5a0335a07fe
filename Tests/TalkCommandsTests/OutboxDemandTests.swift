import Foundation
import TalkTestSupport
import Testing

@testable import TalkCommands
@testable import TalkStore

/// Edit filters and captchas of a real wiki, through the program: nothing but the user's word answers them.
@Suite(.temporaryDirectory, .testWiki) struct OutboxDemandTests {
    let program: TestProgram

    init() throws { program = try TestProgram() }

    private func prepare(_ wiki: TestWiki, _ titles: String...) async throws {
        let account = TestWiki.Account.alice
        for title in titles { try wiki.edit(title, to: EndToEndTests.text) }
        let login = await program.run(
            "login", wiki.url.absoluteString, input: "\(account.botName)\n\(account.password)\n")
        try #require(login.exitCode == .done, "\(login.error)")
        for title in titles { try #require(await program.run("pull", title).exitCode == .done) }
    }

    private func reply(_ title: String, _ text: String) async throws -> String {
        let reply = await program.run("reply", title, "c-Carol", "-m", text, "--json")
        return try #require(try reply.json()["id"] as? String, "\(reply.error)")
    }

    private func copies(_ text: String, _ title: String, _ wiki: TestWiki) throws -> Int {
        try wiki.text(of: title).ranges(of: "\n::\(text) [[User:Alice").count
    }

    /// How often a filter matched: every attempt to post is in its log.
    private func matches(_ wiki: TestWiki) throws -> Int {
        try wiki.call(["action": "query", "list": "abuselog", "aflprop": "ids"]).ranges(of: "\"filter_id\"").count
    }

    @Test func whatAFilterWarnsOfIsPostedOnTheUsersWordAndWhatItRefusesIsHeld() async throws {
        try await TestWiki.withPrivateWiki { wiki in
            try wiki.extend("AbuseFilter")
            try wiki.filter("warn", "bargain", description: "Shop talk")
            try wiki.filter("disallow", "swindle", description: "No fraud")
            let title = "Talk:Warned", other = "Talk:Refused"
            try await prepare(wiki, title, other)
            let warned = try await reply(title, "A bargain."), refused = try await reply(other, "A swindle.")

            let sync = await program.run("sync")
            #expect(sync.exitCode == .refused, "\(sync.error)")
            #expect(sync.error.contains("is held: an edit filter warns about the text: Shop talk"), "\(sync.error)")
            #expect(sync.error.contains("git talk outbox retry --confirm \(warned)\n"), "\(sync.error)")
            #expect(sync.error.contains("is held: an edit filter refuses the text: No fraud"), "\(sync.error)")
            let matched = try matches(wiki)
            #expect(matched == 2)

            // Sent again, the edit would count as confirmed: nothing does that but the user.
            #expect(await program.run("outbox", "retry", warned).exitCode == .failure)
            #expect(await program.run("sync").exitCode == .refused)
            #expect(try matches(wiki) == matched)
            #expect(try copies("A bargain.", title, wiki) == 0)

            #expect(await program.run("outbox", "retry", "--confirm", warned).exitCode == .done)
            let confirmed = await program.run("sync")
            #expect(confirmed.output.contains("posted \(warned)"), "\(confirmed.error)")
            #expect(try copies("A bargain.", title, wiki) == 1)

            // To ask once more changes nothing, another text does.
            #expect(await program.run("outbox", "retry", refused).exitCode == .done)
            let again = await program.run("sync")
            #expect(again.error.contains("refuses the text: No fraud") && again.exitCode == .refused, "\(again.error)")
            #expect(await program.run("outbox", "edit", refused, "-m", "A good deal.").exitCode == .done)
            #expect(await program.run("outbox", "retry", refused).exitCode == .done)
            let last = await program.run("sync")
            #expect(last.exitCode == .done, "\(last.error)")
            #expect(try copies("A good deal.", other, wiki) == 1)
            #expect(!(try wiki.text(of: other).contains("swindle")))
        }
    }

    @Test func aCaptchaIsAskedUntilItIsAnsweredRight() async throws {
        try await TestWiki.withPrivateWiki { wiki in
            let title = "Talk:Captcha"
            try await prepare(wiki, title)
            try wiki.set("CaptchaQuestions", to: #"{"How many days has a week?": "7"}"#)
            try wiki.set("CaptchaTriggers", to: #"{"edit": true}"#)
            try wiki.extend("ConfirmEdit", "ConfirmEdit/QuestyCaptcha")
            let id = try await reply(title, "I am no robot.")
            for (answer, isPosted) in [("8", false), ("7", true)] {
                let sync = await program.run("sync")
                #expect(sync.exitCode == .refused, "\(sync.error)")
                #expect(sync.error.contains("is held: the wiki wants a captcha answered"), "\(sync.error)")
                #expect(sync.error.contains("answer the captcha: git talk outbox retry --confirm \(id)\n"))
                // Nothing asks the wiki for another question meanwhile.
                #expect(await program.run("outbox", "retry", id).exitCode == .failure)

                let confirm = await program.run("outbox", "retry", "--confirm", id, input: "\(answer)\n")
                #expect(confirm.exitCode == .done)
                #expect(confirm.error.contains("the wiki asks: How many days has a week?"), "\(confirm.error)")
                let sent = await program.run("sync")
                #expect(sent.output.contains("posted \(id)") == isPosted, "\(sent.output)\(sent.error)")
                #expect(try copies("I am no robot.", title, wiki) == (isPosted ? 1 : 0))
            }
            #expect(await program.run("sync").exitCode == .done)
            #expect(try copies("I am no robot.", title, wiki) == 1)
        }
    }
}
