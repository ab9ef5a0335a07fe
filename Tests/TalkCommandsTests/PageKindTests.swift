import Foundation
import TalkTestSupport
import Testing

@testable import TalkCommands

/// Pages that are not as most are, on a real MediaWiki.
@Suite(.temporaryDirectory, .testWiki) struct PageKindTests {
    private func loggedIn(_ wiki: TestWiki) async throws -> TestProgram {
        let program = try TestProgram()
        let account = TestWiki.Account.alice
        let login = await program.run(
            "login", wiki.url.absoluteString, input: "\(account.botName)\n\(account.password)\n")
        try #require(login.exitCode == .done, "\(login.error)")
        return program
    }

    @Test func theLongestTitleThereIs() async throws {
        let wiki = try TestWiki.required()
        let program = try await loggedIn(wiki)
        let start = "L\(UUID())"
        // 255 bytes without the namespace, the last letter of two bytes.
        let title = "Talk:" + start + String(repeating: "ö", count: (255 - start.utf8.count) / 2)
        #expect(title.utf8.count == 260)
        try wiki.edit(title, to: EndToEndTests.text)
        #expect(await program.run("pull", title).exitCode == .done)
        #expect(await program.run("reply", title, "c-Carol", "-m", "Long.").exitCode == .done)
        let sync = await program.run("sync")
        #expect(sync.exitCode == .done, "\(sync.error)")
        #expect(try wiki.text(of: title).contains("::Long. [[User:Alice|Alice]]"))
        #expect(await program.run("show", title).output.hasPrefix(title))
        #expect(await program.run("list").output.contains(title))
        #expect(try program.git("fsck", "--strict", "--no-dangling") == "")
        let longer = await program.run("pull", title + "x")
        #expect(longer.exitCode == .failure && longer.error.contains("is not a page name"), "\(longer.error)")
    }

    @Test func anEmptyPageIsCachedAndSaysSo() async throws {
        let wiki = try TestWiki.required()
        let program = try await loggedIn(wiki)
        let title = TestWiki.newTitle("Emptied")
        try wiki.edit(title, to: EndToEndTests.text)
        await program.run("pull", title)
        await program.run("reply", title, "c-Carol", "-m", "Too late.")
        try wiki.edit(title, to: "")
        let pull = await program.run("pull", title)
        #expect(pull.exitCode == .done, "\(pull.error)")
        #expect(pull.output.contains("topics: 0 added, 0 changed, 2 removed; comments: 0 added, 0 changed, 3 removed"))
        #expect(pull.error.contains("was set aside") && pull.error.contains("its text is kept"))
        #expect(await program.run("show", title).output.contains("(nothing on this page)"))
        #expect((try await program.run("show", title, "--json").json()["items"] as? [Any])?.isEmpty == true)
        let reply = await program.run("reply", title, "c-Carol", "-m", "x")
        #expect(reply.exitCode == .failure && reply.error.contains("no comment of"))
        #expect(await program.run("outbox").output.contains("“Too late.”"))
    }

    @Test func aPageWithoutHeadingsIsAnsweredAsAnyOther() async throws {
        let wiki = try TestWiki.required()
        let program = try await loggedIn(wiki)
        let title = TestWiki.newTitle("Plain")
        try wiki.edit(
            title, to: "Hello. [[User:Bob|Bob]] ([[User talk:Bob|talk]]) 10:00, 1 March 2024 (UTC)\n\nBare text.\n")
        #expect(
            await program.run("pull", title).output.contains("topics: 0 added, 0 changed, 0 removed; comments: 1 added")
        )
        #expect(await program.run("reply", title, "c-Bob", "-m", "Hello, Bob.").exitCode == .done)
        let sync = await program.run("sync")
        #expect(sync.exitCode == .done, "\(sync.error)")
        let saved = try wiki.text(of: title).replacing("\n\n", with: "\n")
        #expect(saved.contains("10:00, 1 March 2024 (UTC)\n:Hello, Bob. [[User:Alice|Alice]]"))
        #expect(saved.hasSuffix("(UTC)\nBare text."))
        let topic = await program.run("show", title + "#Nothing")
        #expect(topic.exitCode == .failure && topic.error.contains("has no topic “Nothing”"))
    }

    @Test func aPageThatIsNotWikitextIsNoTalkPage() async throws {
        let wiki = try TestWiki.required()
        let program = try await loggedIn(wiki)
        let title = TestWiki.newTitle("Data")
        try wiki.edit(title, to: EndToEndTests.text)
        await program.run("pull", title)
        await program.run("reply", title, "c-Carol", "-m", "A word.")
        let before = await program.run("show", title).output
        try wiki.delete(title)
        try wiki.call([
            "action": "edit", "title": title, "text": "{}", "contentmodel": "json", "contentformat": "application/json",
        ])
        for words in [["pull", title], ["pull"]] {
            let pull = await program.run(words)
            #expect(pull.exitCode == .failure)
            #expect(pull.error.contains("is a page of json, not a talk page this program can read"), "\(pull.error)")
            #expect(pull.error.contains("\nhint: "), "\(pull.error)")
        }
        let sync = await program.run("sync")
        #expect(sync.exitCode != .done, "\(sync.error)")
        #expect(try wiki.text(of: title) == "{}")
        #expect(
            await program.run("show", title).output.split(separator: "\n").dropFirst(2)
                == before.split(separator: "\n").dropFirst(2)[...])
        #expect(await program.run("outbox").output.contains("“A word.”"))
    }
}
