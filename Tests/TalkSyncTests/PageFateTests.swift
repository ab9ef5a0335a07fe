import Foundation
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore
@testable import TalkSync

/// Pages that are edited, moved, deleted or reverted while it is not known whether a reply was saved.
@Suite(.temporaryDirectory, .testWiki) struct PageFateTests {
    /// A page with a reply that the wiki saved, of which nobody knows: neither the answer nor the history arrived.
    private func unknown(_ words: String, _ fault: ProxyFault = .loseAnswer) async throws -> (SendingStage, String) {
        let stage = try await SendingStage(words)
        let id = try await stage.reply("Who knows?")
        let proxy = stage.proxy
        proxy.fail("edit", fault, nth: 1)
        proxy.add { $0.kind == "check" && proxy.count("edit") == 1 ? .refuse : nil }
        guard case .unknown(let reason) = try await stage.sync().first?.outcome else {
            Issue.record("the outcome is known")
            return (stage, id)
        }
        #expect(reason.contains("connection"))
        #expect(try stage.journal(id).state == .unknown)
        proxy.reset()
        return (stage, id)
    }

    @Test func aReplyThatWasRevertedMeanwhileIsPosted() async throws {
        let (stage, id) = try await unknown("Reverted")
        try stage.wiki.edit(stage.title, to: SendingStage.text, summary: "undo")
        #expect(try await stage.sync().first?.outcome.isPosted == true)
        #expect(try stage.journal(id).state == .posted)
        #expect(try stage.copies("Who knows?") == 0)
        #expect(stage.proxy.count("edit") == 0)
        #expect(try await stage.pending() == [])
    }

    @Test func aReplyThatWasMovedMeanwhileIsPosted() async throws {
        let (stage, id) = try await unknown("Shifted")
        let saved = try stage.wiki.text(of: stage.title)
        let line = try #require(saved.split(separator: "\n").first { $0.contains("Who knows?") })
        let elsewhere = saved.replacing(line + "\n", with: "") + "\n" + line.drop { $0 == ":" }
        try stage.wiki.edit(stage.title, to: elsewhere, summary: "wrong topic")
        #expect(try await stage.sync().first?.outcome.isPosted == true)
        try await stage.expectPosted(id, "Who knows?", edits: 0)
    }

    @Test func aReplyOnAPageThatWasMovedIsFoundThere() async throws {
        let (stage, id) = try await unknown("Moved")
        let title = TestWiki.newTitle("Moved there")
        try stage.wiki.move(stage.title, to: title)
        #expect(try await stage.sync().first?.outcome.isPosted == true)
        #expect(try stage.journal(id).state == .posted)
        #expect(try stage.copies("Who knows?", on: title) == 1)
        #expect(try stage.copies("Who knows?") == 0)
        #expect(stage.proxy.count("edit") == 0)
        #expect(try await stage.pending() == [])
    }

    @Test func aReplyOnAPageThatWasDeletedIsForTheUserToJudge() async throws {
        let (stage, id) = try await unknown("Deleted")
        try stage.wiki.delete(stage.title)
        for _ in 1...2 {
            guard case .held(let reason) = try await stage.sync().first?.outcome else {
                Issue.record("not held")
                return
            }
            #expect(reason.contains("was deleted"))
        }
        let entry = try stage.journal(id)
        #expect(entry.state == .held && entry.mayBePosted && entry.reply.text == "Who knows?")
        #expect(stage.proxy.count("edit") == 0)
    }

    /// Nothing sets a reply aside while it may be on the wiki; once that is known, the page decides.
    @Test func aReplyThatWasNotSavedIsSetAsideWhenItsCommentIsGone() async throws {
        let (stage, id) = try await unknown("Gone", .refuse)
        try stage.wiki.edit(stage.title, to: SendingStage.text.replacing(SendingStage.carol, with: ""))
        guard case .unknown = try await stage.sync().first?.outcome else {
            Issue.record("not unknown")
            return
        }
        #expect(try stage.journal(id).state == .unknown)
        try await stage.tenMinutesPass()
        guard case .setAside = try await stage.sync().first?.outcome else {
            Issue.record("not set aside")
            return
        }
        #expect(try stage.journal(id).state == .discarded)
        #expect(try await stage.store.discarded(id)?.text == "Who knows?")
        #expect(try stage.copies("Who knows?") == 0)
        #expect(stage.proxy.count("edit") == 0)
    }

    @Test func anEditOfTheUsersOwnThatMayBeTheReplyIsAskedAbout() async throws {
        let (stage, id) = try await unknown("Doubt", .refuse)
        let text = SendingStage.text.replacing(SendingStage.carol, with: SendingStage.carol + "::Me again. ~~~~\n")
        try stage.wiki.edit(stage.title, to: text, as: .alice, summary: "/* Width */ Reply")
        try await stage.tenMinutesPass()
        for _ in 1...2 {
            guard case .held(let reason) = try await stage.sync().first?.outcome else {
                Issue.record("not held")
                return
            }
            #expect(reason.contains("of this account may be it"))
        }
        #expect(stage.proxy.count("edit") == 0)
        #expect(try stage.copies("Who knows?") == 0)
        // Nor is it set aside while it is asked about.
        try stage.wiki.edit(stage.title, to: text.replacing("Four metres", with: "Six metres"))
        _ = try await stage.sync()
        #expect(try stage.journal(id).state == .held)
        try await stage.store.updateEntry(id) { current in
            current.sendAgain()
            return true
        }
        #expect(try await stage.sync().first?.outcome.isPosted == true)
        try await stage.expectPosted(id, "Who knows?", edits: 1)
    }

    @Test(arguments: ["moved", "deleted"])
    func aPageThatGoesBetweenPreviewAndEditIsFollowedOrHeld(how: String) async throws {
        let stage = try await SendingStage("Going")
        let id = try await stage.reply("Too late.")
        let wiki = stage.wiki, title = stage.title, other = TestWiki.newTitle("Gone there")
        stage.proxy.fail(
            "edit",
            .meanwhile {
                do {
                    if how == "moved" { try wiki.move(title, to: other) } else { try wiki.delete(title) }
                } catch { Issue.record(error) }
            }, nth: 1)
        let sent = try await stage.sync()
        #expect(sent.count == 1 && sent.first?.outcome.isPosted == (how == "moved"))
        let entry = try stage.journal(id)
        #expect(entry.state == (how == "moved" ? .posted : .held))
        #expect(entry.reply.text == "Too late.")
        if how == "moved" {
            // It goes with the page, and the redirect is left alone.
            #expect(try stage.copies("Too late.") == 0)
            #expect(try stage.wiki.text(of: title).contains("#REDIRECT"))
            #expect(try stage.copies("Too late.", on: other) == 1)
            #expect(try await stage.pending() == [])
            #expect(try await stage.pending(on: other) == [])
            #expect(try await stage.store.discarded() == [])
        } else {
            #expect(!entry.mayBePosted)
            #expect(throws: TestWiki.Failure.self) { try stage.wiki.text(of: title) }
            #expect(try await stage.pending() == [id])
        }
    }

    @Test func aPageThatWasDeletedBeforeIsSaidToBeGone() async throws {
        let stage = try await SendingStage("Deleted before")
        let id = try await stage.reply("To whom?")
        try stage.wiki.delete(stage.title)
        guard case .held(let reason) = try await stage.sync().first?.outcome else {
            Issue.record("not held")
            return
        }
        #expect(reason.contains("does not exist any more"))
        #expect(try stage.journal(id).reply.text == "To whom?")
        #expect(stage.proxy.count("edit") == 0)
    }

    /// The reply is posted, then the network goes: it is not pending any more, and the next one waits for the page.
    @Test func whatIsPostedStaysPostedWhenThePageCannotBeBroughtBack() async throws {
        let stage = try await SendingStage("No way back")
        let first = try await stage.reply("Posted."), second = try await stage.reply("Behind it.")
        let proxy = stage.proxy
        proxy.add { _ in proxy.count("edit") == 1 && proxy.calls.last?.kind != "edit" ? .refuse : nil }
        let sent = try await stage.sync()
        #expect(sent.map(\.outcome.isPosted) == [true, false])
        #expect(try stage.journal(first).state == .posted)
        #expect(try await stage.pending() == [second])
        proxy.reset()
        #expect(try await stage.sync().map(\.outcome.isPosted) == [true])
        #expect(try stage.copies("Posted.") == 1 && stage.copies("Behind it.") == 1)
        #expect(try await stage.pending() == [])
        #expect(stage.proxy.count("edit") == 1)
    }

    @Test func onlyOneProgramSends() async throws {
        let stage = try await SendingStage("Two")
        let id = try await stage.reply("Once only.")
        let path = stage.path
        stage.proxy.fail(
            "edit",
            .meanwhile {
                waitFor {
                    let lock = try await Store.open(at: path).senderLock()
                    #expect(lock == nil)
                }
            })
        #expect(try await stage.sync().first?.outcome.isPosted == true)
        try await stage.expectPosted(id, "Once only.", edits: 1)
    }

    /// Another program pulls, and fits the reply to a newer revision, while it is on its way.
    @Test func aPullMeanwhileDoesNotSendTheReplyAgain() async throws {
        let stage = try await SendingStage("Pulled")
        let id = try await stage.reply("In the middle.")
        let direct = stage.wiki.api.absoluteString
        let proxied: @Sendable () -> Void = {
            do { try stage.wiki.append("\n\n== New ==\nText", to: stage.title) } catch { Issue.record(error) }
            waitFor { _ = try await stage.puller(stage.client(direct), stage.store).pull(stage.page) }
        }
        stage.proxy.fail("edit", .meanwhile(proxied), nth: 1)
        #expect(try await stage.sync().first?.outcome.isPosted == true)
        try await stage.expectPosted(id, "In the middle.", edits: 1)
        #expect(try await stage.sync() == [])
    }
}
