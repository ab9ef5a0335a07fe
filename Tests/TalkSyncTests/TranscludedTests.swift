import Foundation
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore
@testable import TalkSync

/// A page that shows other pages: their comments are refused with the page to go to, and never posted to the wrong one.
@Suite(.temporaryDirectory, .testWiki) struct TranscludedTests {
    /// A stage whose page shows a poll with a heading and a note without one.
    private func stage(_ words: String) async throws -> (stage: SendingStage, poll: String, note: String) {
        let wiki = try TestWiki.required()
        let poll = TestWiki.newTitle("\(words) poll"), note = TestWiki.newTitle("\(words) note")
        try wiki.edit(
            poll,
            to:
                "== Colour ==\nWhich? [[User:Erin|Erin]] 08:00, 1 March 2024 (UTC)\n:Green. [[User:Fay|Fay]] 08:01, 1 March 2024 (UTC)"
        )
        try wiki.edit(note, to: "Mind this. [[User:Gus|Gus]] 08:02, 1 March 2024 (UTC)")
        let text = """
            == Width ==
            How wide? [[User:Bob|Bob]] 10:00, 1 March 2024 (UTC)

            {{\(note)}}

            {{\(poll)}}
            Thanks for the poll. [[User:Dora|Dora]] 11:30, 1 March 2024 (UTC)

            == Ramp ==
            And the ramp? [[User:Carol|Carol]] 12:00, 1 March 2024 (UTC)
            """
        return (try await SendingStage(words, text: text), poll, note)
    }

    private func refusal(_ author: String, _ stage: SendingStage) async throws -> TalkError? {
        do {
            try await stage.reply("No.", to: author)
            return nil
        } catch let error as TalkError {
            return error
        }
    }

    @Test func refusesOfflineWithThePageToGoTo() async throws {
        let (stage, poll, note) = try await stage("Shown")
        stage.proxy.reset()
        for author in ["Erin", "Fay"] {
            let error = try #require(try await refusal(author, stage))
            #expect(error.kind == .notFound)
            #expect(error.message == "the comment by \(author) comes from \(poll), so it must be answered there")
            #expect(error.hint == "git talk pull \(stage.site.url(of: SendingStage.page(poll, stage.site)))")
        }
        #expect(
            try await refusal("Colour", stage)?.message
                == "the topic “Colour” comes from \(poll), so it must be answered there")
        // No heading tells which of the two pages it is.
        let unknown = try #require(try await refusal("Gus", stage))
        #expect(
            unknown.message
                == "the comment by Gus comes from another page or from a template, so it must be answered there")
        #expect(try stage.store.outbox().entries.isEmpty)
        #expect(stage.proxy.count("query") == 0 && stage.proxy.count("parse") == 0)
        #expect(try stage.wiki.text(of: note).contains("Mind this."))
    }

    /// Where the other page is cached, too, the comment is named as it is there.
    @Test func namesTheCommandThatAnswersItThere() async throws {
        let (stage, poll, _) = try await stage("Named")
        try await stage.pull(poll)
        for (author, id) in [("Erin", "c-Erin-20240301080000"), ("Fay", "c-Fay-20240301080100")] {
            let error = try #require(try await refusal(author, stage))
            #expect(error.message == "the comment by \(author) comes from \(poll), so it must be answered there")
            #expect(
                error.hint?.hasPrefix("git talk reply \(ShellWord.quoted(poll)) \(id)") == true, "\(error.hint ?? "")")
        }
    }

    @Test func namesTheOnlyPageThatIsShownWithoutAHeading() async throws {
        let wiki = try TestWiki.required()
        let note = TestWiki.newTitle("Only note")
        try wiki.edit(note, to: "Mind this. [[User:Gus|Gus]] 08:02, 1 March 2024 (UTC)")
        let stage = try await SendingStage(
            "Only", text: "== Width ==\nHow wide? [[User:Bob|Bob]] 10:00, 1 March 2024 (UTC)\n\n{{\(note)}}")
        #expect(
            try await refusal("Gus", stage)?.message
                == "the comment by Gus comes from \(note), so it must be answered there")
        #expect(try await refusal("Bob", stage) == nil)
    }

    @Test func answersThePagesOwnCommentsAroundThem() async throws {
        let (stage, poll, _) = try await stage("Own")
        let pollText = try stage.wiki.text(of: poll)
        for author in ["Dora", "Carol"] { try await stage.reply("To \(author).", to: author) }
        #expect(try await stage.sync().map(\.outcome.isPosted) == [true, true])
        let text = try stage.wiki.text(of: stage.title)
        #expect(text.contains("11:30, 1 March 2024 (UTC)\n\n:To Dora. [[User:Alice"))
        #expect(text.contains("12:00, 1 March 2024 (UTC)\n\n:To Carol. [[User:Alice"))
        #expect(try stage.wiki.text(of: poll) == pollText)
    }

    /// The state beside the page is lost, so that the reply is queued; the wiki is asked before anything is sent.
    @Test func holdsAReplyThatWasQueuedAllTheSame() async throws {
        let (stage, poll, _) = try await stage("Lost")
        let store = try stage.store
        try FileManager.default.removeItem(atPath: store.layout.state(of: stage.page))
        try await PageThreads(store: store, wiki: stage.site).refresh(stage.page)
        let id = try await stage.reply("Mine.", to: "Fay")
        let before = try stage.wiki.text(of: stage.title)
        let outcome = SendOutcome.held(reason: "the comment by Fay comes from \(poll), so it must be answered there")
        #expect(try await stage.sync() == [.init(id: id, outcome: outcome)])
        #expect(stage.proxy.count("edit") == 0)
        #expect(try stage.wiki.text(of: stage.title) == before)
        #expect(!(try stage.wiki.text(of: poll).contains("Mine.")))
    }

    /// A template that makes a heading hides no comment of the page from the wikitext.
    @Test func answersBelowAHeadingThatATemplateMakes() async throws {
        let wiki = try TestWiki.required()
        let template = "Template:Welcome \(UUID())"
        try wiki.edit(template, to: "== Welcome ==\nHave fun.")
        let stage = try await SendingStage(
            "Template", text: "{{\(template.dropFirst(9))}} [[User:Bob|Bob]] 10:00, 1 March 2024 (UTC)\n\n== Next ==\nx"
        )
        try await stage.reply("Thanks.", to: "Bob")
        #expect(try await stage.sync().map(\.outcome.isPosted) == [true])
        #expect(try stage.wiki.text(of: stage.title).contains("10:00, 1 March 2024 (UTC)\n\n:Thanks. [[User:Alice"))
        #expect(
            try await refusal("Welcome", stage)?.message
                == "the heading of the topic “Welcome” is made by \(template), so that nothing can be put below it")
    }

    /// What ends the list that it is indented in is not posted.
    @Test func holdsWhatTheWikiWouldTearApart() async throws {
        let stage = try await SendingStage("Torn")
        let torn = try await stage.reply("see <pre>\na\nb\n</pre>\nok")
        let sent = try await stage.sync()
        let reason =
            "the reply has something over several lines that cannot be indented, so the wiki would tear it apart"
        #expect(sent == [.init(id: torn, outcome: .held(reason: reason))])
        #expect(stage.proxy.count("edit") == 0)
    }

    @Test(arguments: [
        "see <nowiki>\n== a ==\n* b\n</nowiki>\nok", "a <!-- b\n\nc --> d", "{{Done\n|x\n}}",
        "see\n{|\n| a\n|-\n| b\n|}\nok",
        "{| class=\"wikitable\"\n| a\n|}",
    ])
    func postsWhatStaysTogether(text: String) async throws {
        let stage = try await SendingStage("Together")
        try await stage.reply(text)
        #expect(try await stage.sync().map(\.outcome.isPosted) == [true])
        let saved = try stage.wiki.text(of: stage.title)
        let lines =
            text.hasPrefix("see") ? text.replacing("\nok", with: "\n::ok").replacing("\n{|", with: "\n::{|") : text
        #expect(saved.contains("11:00, 1 March 2024 (UTC)\n::\(lines) [[User:Alice|Alice]]"))
        let items = try #require(try await PageThreads.current(of: stage.page, store: stage.store, wiki: stage.site))
            .items
        #expect(items.map(\.author) == [nil, "Bob", "Carol", "Alice", "Dora", nil, "Bob"])
        #expect(items[3].level == 3)
    }
}
