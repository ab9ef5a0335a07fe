import Foundation
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkCommands
@testable import TalkStore

/// What is written offline finds its way onto a real wiki, or back to the user.
@Suite(.temporaryDirectory, .testWiki) struct OutboxJourneyTests {
    static let carol = ":Four metres. [[User:Carol|Carol]] ([[User talk:Carol|talk]]) 11:00, 1 March 2024 (UTC)\n"

    private func prepared(_ wiki: TestWiki, _ title: String) async throws -> TestProgram {
        try wiki.edit(title, to: EndToEndTests.text)
        let program = try TestProgram(), account = TestWiki.Account.alice
        let login = await program.run(
            "login", wiki.url.absoluteString, input: "\(account.botName)\n\(account.password)\n")
        try #require(login.exitCode == .done, "\(login.error)")
        try #require(await program.run("pull", title).exitCode == .done)
        return program
    }

    private func reply(_ program: TestProgram, _ title: String, _ target: String, _ text: String) async throws -> String
    {
        let reply = await program.run("reply", title, target, "-m", text, "--json")
        return try #require(try reply.json()["id"] as? String, "\(reply.error)")
    }

    /// Two replies are queued offline, the wiki moves on: one follows its comment and is posted, the comment of the
    /// other goes to an archive; its text is restored and posted there.
    @Test func oneIsFittedAndPostedTheOtherRestoredToTheNewPlace() async throws {
        let wiki = try TestWiki.required()
        let title = TestWiki.newTitle("Journey"), archive = title + "/Archive 1"
        let program = try await prepared(wiki, title)
        let fitted = try await reply(program, title, "h-Ramp", "It is new.")
        let gone = try await reply(program, title, "c-Carol", "Are you sure?")
        try wiki.edit(archive, to: "== Width ==\n" + Self.carol)
        let revision = try wiki.edit(
            title, to: "Welcome.\n\n" + EndToEndTests.text.replacing(Self.carol, with: ""))

        let sync = await program.run("sync")
        #expect(sync.exitCode == .failure)
        let entry = try #require(try Store.open(at: program.store.path).outboxEntry(fitted))
        let posted = try #require(entry.postedRevision)
        let place = "on \(title) at \(entry.page.wiki)"
        #expect(
            sync.output.hasSuffix(
                "posted \(fitted) \(place) as Alice, fitted to revision \(revision): revision \(posted), \(wiki.url)index.php/Special:Diff/\(posted)\n"
            ) || sync.output.contains("fitted to revision \(revision): revision \(posted), http"), "\(sync.output)")
        #expect(
            sync.error.contains(
                "git-talk: \(gone) \(place) was set aside: the comment by Carol that it answers is no longer on the page"
            ))
        #expect(sync.error.contains("git talk outbox restore \(gone)\n"))

        #expect(await program.run("outbox", "restore", gone, "--to", archive).exitCode == .failure)
        try #require(await program.run("pull", archive).exitCode == .done)
        let restore = await program.run("outbox", "restore", gone, "--to", archive)
        #expect(restore.exitCode == .done, "\(restore.error)")
        let again = await program.run("sync")
        #expect(again.exitCode == .done, "\(again.error)")
        #expect(try wiki.text(of: archive).contains(Self.carol + "::Are you sure? [[User:Alice|Alice]]"))
        #expect(try wiki.text(of: title).ranges(of: "It is new.").count == 1)
        #expect(!(try wiki.text(of: title).contains("Are you sure?")))
        #expect(try program.git("for-each-ref", "refs/heads/pending", "refs/discarded") == "")
        // Nobody has seen any of it on a terminal yet.
        let news = await program.onTerminal("list").error
        #expect(news.contains("posted \(fitted)") && news.contains("posted \(gone)"))
        #expect(await program.run("outbox").output == "the outbox is empty\n")
    }

    /// One was dropped with the answer to it, put back and posted: the answer follows it, wherever it went.
    @Test(arguments: [true, false]) func anAnswerThatWasDroppedIsRestoredUnderWhatItAnswered(isKnown: Bool) async throws
    {
        let wiki = try TestWiki.required()
        let title = TestWiki.newTitle("Dropped chain")
        let program = try await prepared(wiki, title)
        let first = try await reply(program, title, "c-Carol", "First word.")
        let second = try await reply(program, title, "pending:\(first)", "Second word.")
        await program.run("outbox", "drop", first)
        let early = await program.run("outbox", "restore", second)
        #expect(early.exitCode == .failure)
        #expect(
            early.error.contains(
                "answers your reply \(first), which was set aside\nhint: put that back first: git talk"),
            "\(early.error)")
        await program.run("outbox", "restore", first)
        #expect(await program.run("sync").exitCode == .done)
        // Seen, it is no longer in the list, but known to those that answer it.
        await program.run("outbox", "ack")
        let store = try Store.open(at: program.store.path)
        #expect(!(await program.run("outbox").output.contains("\(first)  posted")))
        var named = ""
        if !isKnown {
            try FileManager.default.removeItem(atPath: store.layout.outboxEntry(first))
            let lost = await program.run("outbox", "restore", second)
            let command = try #require(lost.error.firstMatch(of: /name it: git talk (.*) --to '(.*)' (c-Alice-\S+)\n/))
            #expect(lost.exitCode == .failure && command.1 == "outbox restore \(second)" && command.2 == title)
            named = String(command.3)
        }
        let restore =
            isKnown
            ? await program.run("outbox", "restore", second)
            : await program.run("outbox", "restore", second, "--to", title, named)
        #expect(restore.exitCode == .done, "\(restore.error)")
        let sync = await program.run("sync")
        #expect(sync.exitCode == .done, "\(sync.error)")
        let text = try wiki.text(of: title)
        #expect(text.contains("\n::First word. [[User:Alice") && text.contains("\n:::Second word. [[User:Alice"))
        await program.run("outbox", "ack")
        #expect(try store.outbox().entries == [])
    }

    @Test func aReplyWhoseJournalIsDamagedIsPostedOnceItWasPutBack() async throws {
        let wiki = try TestWiki.required()
        let title = TestWiki.newTitle("Damaged journal")
        let program = try await prepared(wiki, title)
        let id = try await reply(program, title, "c-Carol", "Only git has it.")
        let store = try Store.open(at: program.store.path)
        try Data("{".utf8).write(to: URL(filePath: store.layout.outboxEntry(id)))
        let sync = await program.run("sync")
        #expect(sync.exitCode == .damaged && sync.error.contains("hint: see its text: git talk outbox show \(id)\n"))
        #expect(!(try wiki.text(of: title).contains("Only git has it.")))
        #expect(await program.run("outbox", "drop", id).exitCode == .done)
        #expect(await program.run("outbox", "restore", id).exitCode == .done)
        // An edit of another comment in between is none of it.
        try wiki.edit(title, to: EndToEndTests.text + "\n== New ==\nText")
        // Nobody knows when it was sent, if it was: a request may still be at work for some minutes.
        #expect(await program.run("sync").exitCode == .later)
        try await store.updateEntry(id) { entry in
            entry.sentAt = entry.sentAt.map { $0 - 600 }
            return true
        }
        let again = await program.run("sync")
        #expect(again.exitCode == .done, "\(again.error)")
        #expect(try wiki.text(of: title).ranges(of: "\n::Only git has it. [[User:Alice").count == 1)
    }

    @Test func anEditedReplyIsPostedAsItWasEdited() async throws {
        let wiki = try TestWiki.required()
        let title = TestWiki.newTitle("Edited")
        let program = try await prepared(wiki, title)
        let id = try await reply(program, title, "c-Carol", "First thought.")
        await program.run("outbox", "hold", id)
        let held = await program.run("sync")
        #expect(held.exitCode == .refused && held.error.contains("is held: you held it"), "\(held.error)")
        await program.run("outbox", "edit", id, "-m", "Second thought.")
        await program.run("outbox", "retry", id)
        #expect(await program.run("sync").exitCode == .done)
        let text = try wiki.text(of: title)
        #expect(text.contains("::Second thought. [[User:Alice") && !text.contains("First thought."))
    }

    @Test func postsAtOnceWhereThatIsSet() async throws {
        let wiki = try TestWiki.required()
        let title = TestWiki.newTitle("Auto")
        let program = try await prepared(wiki, title)
        try program.git("config", "talk.sync", "auto")
        let reply = await program.run("reply", title, "c-Carol", "-m", "At once.")
        #expect(reply.exitCode == .done, "\(reply.error)")
        #expect(reply.output.hasPrefix("queued ") && reply.output.contains("\nposted "), "\(reply.output)")
        #expect(try wiki.text(of: title).ranges(of: "At once.").count == 1)
        // A program reads one object, as without the setting.
        let json = await program.run("reply", title, "c-Carol", "-m", "And this.", "--json")
        #expect(try json.json()["state"] as? String == "queued")
        #expect(try wiki.text(of: title).ranges(of: "And this.").count == 1)
    }

    /// The wiki is away: it is asked once, nothing waits, and the reply is queued all the same.
    @Test func staysInTheQueueWhereTheWikiDoesNotAnswer() async throws {
        let program = try TestProgram()
        try await TestWiki.withPrivateWiki { wiki in
            let title = TestWiki.newTitle("Auto away")
            try wiki.edit(title, to: EndToEndTests.text)
            let account = TestWiki.Account.alice
            await program.run("login", wiki.url.absoluteString, input: "\(account.botName)\n\(account.password)\n")
            await program.run("pull", title)
            try program.git("config", "talk.sync", "auto")
            try wiki.pause()
            let reply = await program.run("reply", title, "c-Carol", "-m", "Later, then.")
            #expect(reply.exitCode == .done && reply.error.contains("cannot be reached"), "\(reply.error)")
            #expect(program.slept.all == [])
            try wiki.resume()
            // What the store knows of the wiki is gone; the configuration says where to ask.
            try FileManager.default.removeItem(atPath: program.store.path + "/.git/git-talk/wikis")
            let sync = await program.run("sync")
            #expect(sync.exitCode == .done, "\(sync.error)")
            #expect(try wiki.text(of: title).contains("::Later, then. [[User:Alice|Alice]]"))
        }
    }
}
