import Foundation
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore
@testable import TalkSync

/// New topics, on a real wiki: on a page that has some, an empty one and none.
@Suite(.temporaryDirectory, .testWiki) struct TopicSendingTests {
    /// The wikitext of a page with the signatures of this year taken out.
    private func text(_ stage: SendingStage, on title: String? = nil) throws -> String {
        try stage.wiki.text(of: title ?? stage.title).replacing(
            #/ \[\[User:Alice\|Alice\]\] \(\[\[User talk:Alice\|talk\]\]\) \d\d:\d\d, \d+ \w+ \d+ \(UTC\)/#, with: " ~")
    }

    @Test func extendsTheLastSection() async throws {
        let stage = try await SendingStage("Topic")
        let id = try await stage.topic("Its ''age'' = ?", "Since [[1742]].\n\n* or 1743")
        #expect(try await stage.pending() == [id])
        #expect(try await stage.sync().map(\.outcome.isPosted) == [true])
        let saved = try stage.wiki.text(of: stage.title)
        #expect(
            saved.hasPrefix(
                SendingStage.text + "\n\n== Its ''age'' = ? ==\n\nSince [[1742]].\n\n* or 1743\n[[User:Alice"))
        let revision = try #require(try stage.journal(id).postedRevision)
        let record = try #require(try await stage.store.records(of: stage.page).last?.record)
        #expect(record.id == revision && record.summary == "/* Its age = ? */ new section" && record.user == "Alice")
        let threads = try #require(
            try await PageThreads.current(of: stage.page, store: stage.store, wiki: stage.site))
        #expect(threads.items.suffix(2).map(\.text) == ["Its age =\u{A0}?", "Since 1742. or 1743"])
        #expect(threads.items.allSatisfy { $0.pending == nil })
        #expect(stage.proxy.count("edit") == 1)
    }

    @Test(arguments: ["", "A lede without a heading."])
    func beginsTheFirstTopicOfAPage(before: String) async throws {
        let stage = try await SendingStage("First topic", text: before.isEmpty ? "x" : before)
        if before.isEmpty {
            try stage.wiki.edit(stage.title, to: "")
            try await stage.pull()
        }
        try await stage.topic("Hello", "Anybody here?")
        #expect(try await stage.sync().map(\.outcome.isPosted) == [true])
        #expect(try text(stage) == (before.isEmpty ? "" : before + "\n\n") + "== Hello ==\n\nAnybody here? ~")
    }

    @Test func makesAPageThatIsMissing() async throws {
        let stage = try await SendingStage("Other")
        let title = TestWiki.newTitle("Missing"), page = SendingStage.page(title, stage.site)
        let id = try await stage.topic("Hello", "First.", on: title)
        let second = try await stage.topic("Again", "Second.", on: title)
        #expect(try stage.journal(id).reply.base == RevisionID(rawValue: 0))
        #expect(try await stage.pending(on: title) == [id, second])
        #expect(try await stage.store.tip(of: page) == nil)
        #expect(try stage.store.reader.page(page)?.content.sections.map(\.heading) == ["Hello", "Again"])
        // The first one makes the page, and the second one is then fitted to it.
        #expect(try await stage.sync().map(\.outcome.isPosted) == [true, true])
        #expect(try text(stage, on: title) == "== Hello ==\n\nFirst. ~\n\n== Again ==\n\nSecond. ~")
        #expect(try await stage.pending(on: title) == [])
        #expect(try stage.journal(second).reply.base == stage.journal(id).postedRevision)
        #expect(try stage.store.reader.page(page)?.pending == [])
    }

    /// The page exists, but this store has never seen it.
    @Test func aTopicOnAPageThatIsNotCachedGoesBelowWhatIsThere() async throws {
        let stage = try await SendingStage("Cached")
        let title = TestWiki.newTitle("Uncached")
        try stage.wiki.edit(title, to: SendingStage.text)
        let id = try await stage.topic("Hello", "Late.", on: title)
        #expect(try await stage.sync().map(\.outcome.isPosted) == [true])
        #expect(try text(stage, on: title) == SendingStage.text + "\n\n== Hello ==\n\nLate. ~")
        #expect(try stage.journal(id).attempts == 1)
    }

    /// Two programs make the page at once: the one that comes second puts its topic below the other one.
    @Test func twoThatMakeOnePageBothHaveTheirTopic() async throws {
        let stage = try await SendingStage("Race")
        let title = TestWiki.newTitle("Made twice"), wiki = stage.wiki
        let id = try await stage.topic("Mine", "Me.", on: title)
        stage.proxy.fail(
            "edit",
            .meanwhile {
                do { try wiki.edit(title, to: "== Theirs ==\nThem.", as: .bob) } catch { Issue.record(error) }
            }, nth: 1)
        #expect(try await stage.sync().map(\.outcome.isPosted) == [true])
        #expect(try text(stage, on: title) == "== Theirs ==\nThem.\n\n== Mine ==\n\nMe. ~")
        #expect(try stage.journal(id).attempts == 2 && stage.proxy.count("edit") == 2)
    }

    /// The last section changes between the look at it and the edit.
    @Test(arguments: ["topic", "reply"])
    func aConflictIsTakenUpWithTheNewText(what: String) async throws {
        let stage = try await SendingStage("Topic conflict")
        let added =
            what == "topic"
            ? "\n\n== Steps ==\nAnd steps? [[User:Bob|Bob]] ([[User talk:Bob|talk]]) 12:30, 2 March 2024 (UTC)"
            : "\n:Steep. [[User:Carol|Carol]] ([[User talk:Carol|talk]]) 12:30, 2 March 2024 (UTC)"
        let wiki = stage.wiki, title = stage.title
        stage.proxy.fail(
            "edit",
            .meanwhile { do { try wiki.append(added, to: title) } catch { Issue.record(error) } }, nth: 1)
        let id = try await stage.topic("Mine", "Me.")
        #expect(try await stage.sync().map(\.outcome.isPosted) == [true])
        #expect(try text(stage) == SendingStage.text + added + "\n\n== Mine ==\n\nMe. ~")
        #expect(try stage.journal(id).attempts == 2)
    }

    /// Saved, and the answer lost: it is found, and not posted again, whether it made the page or not.
    @Test(arguments: [true, false], ["closed", "empty 500"])
    func findsASavedTopicWhoseAnswerWasLost(isMissing: Bool, how: String) async throws {
        let stage = try await SendingStage("Lost topic")
        let title = isMissing ? TestWiki.newTitle("Lost and made") : stage.title
        let id = try await stage.topic("Mine", "Found {{subst:PAGENAME}}.", on: title)
        stage.proxy.fail(
            "edit", how == "closed" ? .loseAnswer : .replaceAnswer(.http(status: 500, headers: [], body: "")), nth: 1)
        #expect(try await stage.sync().map(\.outcome.isPosted) == [true])
        #expect(try stage.journal(id).state == .posted && stage.proxy.count("edit") == 1)
        #expect(try stage.copies("== Mine ==", on: title) == 1)
        #expect(try await stage.pending(on: title) == [])
    }

    /// Nothing was saved: it is sent once more when the first request must have ended.
    @Test func aTopicForAMissingPageThatWasNotSavedIsSentAgain() async throws {
        let stage = try await SendingStage("Unsaved topic")
        let title = TestWiki.newTitle("Unsaved")
        let id = try await stage.topic("Mine", "Me.", on: title)
        stage.proxy.fail("edit", .refuse, nth: 1)
        guard case .unknown = try await stage.sync().first?.outcome else {
            Issue.record("it is not known whether the page was made")
            return
        }
        #expect(try stage.journal(id).sentBase == RevisionID(rawValue: 0))
        try await stage.tenMinutesPass()
        #expect(try await stage.sync().map(\.outcome.isPosted) == [true])
        #expect(try stage.copies("== Mine ==", on: title) == 1 && stage.proxy.count("edit") == 2)
    }

    /// The page was made by the lost request, and somebody took it away: only the user can tell what to do.
    @Test(arguments: ["deleted", "moved"])
    func aPageThatWasMadeAndTakenAwayIsNotMadeAgain(how: String) async throws {
        let stage = try await SendingStage("Taken")
        let title = TestWiki.newTitle("Taken away"), wiki = stage.wiki
        let id = try await stage.topic("Mine", "Me.", on: title)
        let stop = stage.proxy
        stage.proxy.fail("edit", .loseAnswer, nth: 1)
        stop.add { kind in ["check", "history", "list"].contains(kind.kind) && stop.count("edit") == 1 ? .refuse : nil }
        _ = try await stage.sync()
        #expect(try stage.journal(id).state == .unknown)
        stage.proxy.reset()
        if how == "deleted" { try wiki.delete(title) } else { try wiki.move(title, to: title + " elsewhere") }
        try await stage.tenMinutesPass()
        guard case .held(let reason) = try await stage.sync().first?.outcome else {
            Issue.record("the page was made again")
            return
        }
        #expect(reason == "whether it was posted cannot be seen: a page with this title was deleted or moved since")
        #expect(stage.proxy.count("edit") == 0)
    }

    @Test func aRedirectGetsNoTopic() async throws {
        let stage = try await SendingStage("Redirect")
        let id = try await stage.topic("Mine", "Me.")
        try stage.wiki.edit(stage.title, to: "#REDIRECT [[Talk:Elsewhere]]")
        guard case .held(let reason) = try await stage.sync().first?.outcome else {
            Issue.record("it was posted on a redirect")
            return
        }
        #expect(reason == "\(stage.title) is a redirect now, to Talk:Elsewhere")
        #expect(try stage.journal(id).state == .held && stage.proxy.count("edit") == 0)
    }

    /// The wiki would read something else than one topic: nothing is sent.
    @Test(arguments: [
        ("x\n\n== Second ==\ny", "its text would begin another topic"),
        (
            "He said: Hi [[User:Bob|Bob]] ([[User talk:Bob|talk]]) 10:00, 1 March 2024 (UTC)\n\nAnd I say no.",
            "it would be read as 2 comments"
        ),
    ])
    func holdsWhatIsNotOneTopic(text: String, problem: String) async throws {
        let stage = try await SendingStage("Two topics")
        try await stage.topic("Mine", text)
        guard case .held(let reason) = try await stage.sync().first?.outcome else {
            Issue.record("it was posted")
            return
        }
        #expect(reason == "the topic does not fit into the page's wikitext: \(problem)")
        #expect(stage.proxy.count("edit") == 0)
    }

    // MARK: Texts that the wiki writes otherwise as a whole

    @Test(arguments: ["~~~~", "{{subst:PAGENAME}}"])
    func findsASavedTextThatTellsNothing(text: String) async throws {
        let stage = try await SendingStage("Rewritten")
        let id = try await stage.reply(text)
        stage.proxy.fail("edit", .loseAnswer, nth: 1)
        #expect(try await stage.sync().map(\.outcome.isPosted) == [true])
        #expect(try stage.journal(id).state == .posted && stage.proxy.count("edit") == 1)
    }

    // MARK: Chains

    @Test func aChainIsPostedInItsOrder() async throws {
        let stage = try await SendingStage("Chain")
        let topic = try await stage.topic("Mine", "One.")
        let second = try await stage.answer(topic, "Two.")
        let third = try await stage.answer(second, "Three.")
        let fourth = try await stage.answer(topic, "Four.", toHeading: true)
        #expect(try await stage.pending() == [topic, second, third, fourth])
        let trailers = try stage.store.outbox().entries.map { $0.reply.target?.id }
        #expect(trailers == [nil, "pending:\(topic)", "pending:\(second)", "pending:\(topic)"])
        #expect(try await stage.sync().map(\.id) == [topic, second, third, fourth])
        #expect(
            try text(stage) == SendingStage.text
                + "\n\n== Mine ==\n\nOne. ~\n\n:Two. ~\n::Three. ~\n\nFour. ~")
        #expect(try stage.store.outbox().entries.allSatisfy { $0.state == .posted })
        let targets = try stage.store.outbox().entries.map(\.reply.target)
        #expect(targets[1]?.name.hasPrefix("c-Alice-") == true && targets[1]?.heading == "Mine")
        #expect(targets[3]?.author == nil && targets[3]?.id.hasPrefix("h-Mine") == true)
    }

    @Test func aChainOnAMissingPage() async throws {
        let stage = try await SendingStage("Chain start")
        let title = TestWiki.newTitle("Chain missing")
        let topic = try await stage.topic("Mine", "One.", on: title)
        try await stage.answer(topic, "Two.", on: title)
        #expect(try await stage.sync().map(\.outcome.isPosted) == [true, true])
        #expect(try text(stage, on: title) == "== Mine ==\n\nOne. ~\n\n:Two. ~")
    }

    /// The wiki moves on under the chain, and somebody answers the first part before the second one is sent.
    @Test func aChainFollowsAPageThatMovesOn() async throws {
        let stage = try await SendingStage("Chain moves")
        let first = try await stage.reply("One.", to: "Carol")
        let second = try await stage.answer(first, "Two.")
        let other = "::Who? [[User:Bob|Bob]] ([[User talk:Bob|talk]]) 12:00, 2 March 2024 (UTC)\n"
        try stage.wiki.edit(
            stage.title,
            to: "== Above ==\nx\n\n" + SendingStage.text.replacing(SendingStage.carol, with: SendingStage.carol + other)
        )
        #expect(try await stage.sync().map(\.id) == [first, second])
        #expect(try text(stage).contains(SendingStage.carol + other + "::One. ~\n:::Two. ~\n"))
    }

    /// Programs that are killed between the steps: the next one goes on where the chain stood.
    @Test func aChainGoesOnWhenTheFirstAnswerWasLostAndThePageDidNotComeBack() async throws {
        let stage = try await SendingStage("Chain broken")
        let first = try await stage.reply("One.", to: "Carol")
        let second = try await stage.answer(first, "Two.")
        let proxy = stage.proxy
        proxy.add { ["check", "history"].contains($0.kind) && proxy.count("edit") == 1 ? .refuse : nil }
        #expect(try await stage.sync().map(\.outcome.isPosted) == [true, false])
        // Somebody saw the first one's outcome: its journal stays as long as the second one needs it.
        try await stage.store.removeEntry(first)
        #expect(try stage.journal(first).isSeen)
        #expect(try stage.journal(second).reply.target?.pending == first)
        proxy.reset()
        #expect(try await stage.sync().map(\.outcome.isPosted) == [true])
        #expect(try text(stage).contains("::One. ~\n:::Two. ~\n"))
        #expect(try stage.store.outboxEntry(first) == nil)
    }

    @Test func whatAnswersAReplyThatIsSetAsideIsSetAsideWithIt() async throws {
        let stage = try await SendingStage("Chain gone")
        let first = try await stage.reply("One.", to: "Carol")
        let second = try await stage.answer(first, "Two.")
        let third = try await stage.answer(second, "Three.")
        let other = try await stage.reply("Other.", to: "Dora")
        try stage.wiki.edit(stage.title, to: SendingStage.text.replacing(SendingStage.carol, with: ""))
        let report = try await stage.pull()
        #expect(report.setAside.map(\.reply.id) == [first, second, third])
        #expect(
            report.setAside.map { $0.reason ?? "" } == [
                "the comment by Carol that it answers is no longer on the page",
                "your reply \(first) (“One.”), which it answers, was set aside",
                "your reply \(second) (“Two.”), which it answers, was set aside",
            ])
        #expect(try await stage.pending() == [other])
        #expect(try await stage.store.discarded(third)?.text == "Three.")
        #expect(try await stage.sync().map(\.id) == [other])
    }

    @Test func whatAnswersAReplyThatWasDroppedIsSetAside() async throws {
        let stage = try await SendingStage("Chain dropped")
        let first = try await stage.reply("One.", to: "Carol")
        let second = try await stage.answer(first, "Two.")
        try await stage.store.removeEntry(first)
        let fitting = PendingFitting(store: try stage.store, wiki: stage.site)
        #expect(
            try await fitting.heal(stage.page).setAside.map(\.reason) == [
                "your reply \(first), which it answers, was dropped"
            ])
        #expect(try await stage.pending() == [])
        #expect(try stage.journal(second).state == .discarded)
    }

    /// The pending commit is all that is left of the parent: its answer stays below it, and neither is sent.
    @Test func anAnswerStaysWithAParentWhoseJournalIsDamaged() async throws {
        let stage = try await SendingStage("Chain damaged")
        let first = try await stage.reply("One.", to: "Carol")
        let second = try await stage.answer(first, "Two.")
        try Data("{".utf8).write(to: URL(filePath: stage.store.layout.outboxEntry(first)))
        try stage.wiki.append("\n\n== New ==\nText", to: stage.title)
        try await stage.pull()
        #expect(try await stage.pending() == [first, second])
        #expect(try await stage.sync().map(\.outcome) == [.waiting(reason: "what it answers is not posted yet")])
        #expect(stage.proxy.count("edit") == 0)
    }

    /// The journals alone make the branch and the page's files again.
    @Test func theJournalsRebuildTopicsAndChains() async throws {
        let stage = try await SendingStage("Rebuild")
        let topic = try await stage.topic("Mine", "One."), second = try await stage.answer(topic, "Two.")
        let before = try #require(try stage.store.reader.page(stage.page))
        let reference = StoreLayout.pendingBranch(of: stage.page)
        #expect(try runGit(["update-ref", "-d", reference], in: stage.path).status == 0)
        try FileManager.default.removeItem(atPath: stage.store.layout.pageDirectory(of: stage.page))
        try await PendingFitting(store: stage.store, wiki: stage.site).heal(stage.page)
        #expect(try await stage.pending() == [topic, second])
        #expect(try stage.store.reader.page(stage.page) == before)
    }
}
