import Foundation
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore
@testable import TalkSync

/// Every reply comes onto the wiki once, whatever happens to the requests.
///
/// On a real wiki, through a proxy that breaks them; after each story the copies on the wiki are counted.
@Suite(.temporaryDirectory, .testWiki) struct SendingTests {
    @Test func postsOnce() async throws {
        let stage = try await SendingStage("Once")
        let id = try await stage.reply("Measured twice.")
        #expect(try await stage.pending() == [id])
        let sent = try await stage.sync()
        #expect(sent.map(\.id) == [id])
        #expect(sent.first?.outcome.isPosted == true)
        try await stage.expectPosted(id, "Measured twice.", edits: 1)
        #expect(try await stage.sync() == [])
        #expect(stage.proxy.count("edit") == 1)
    }

    /// The wiki saves, and the answer does not arrive as it was sent.
    @Test(arguments: ["closed", "cut", "empty 500", "page of a proxy", "error after saving", "cut to nothing"])
    func findsASavedReplyWhoseAnswerWasLost(how: String) async throws {
        let stage = try await SendingStage("Lost")
        let id = try await stage.reply("Lost and found.")
        let html = StubAnswer.http(status: 200, headers: [("Content-Type", "text/html")], body: "<html>Log in</html>")
        let fault: ProxyFault =
            switch how {
            case "closed": .loseAnswer
            case "cut": .cutAnswer(afterBytes: 40)
            case "cut to nothing": .cutAnswer(afterBytes: 0)
            case "empty 500": .replaceAnswer(.http(status: 500, headers: [], body: ""))
            case "page of a proxy": .replaceAnswer(html)
            default: .replaceAnswer(.error("internal_api_error_RuntimeException"))
            }
        stage.proxy.fail("edit", fault, nth: 1)
        let sent = try await stage.sync()
        #expect(sent.first?.outcome.isPosted == true)
        try await stage.expectPosted(id, "Lost and found.", edits: 1)
        #expect(try await stage.sync() == [])
    }

    /// The wiki never saw the request, and nobody can know: only time tells.
    @Test(arguments: ["closed", "503", "504 html"])
    func sendsAgainOnlyWhenTheFirstRequestMustHaveEnded(how: String) async throws {
        let stage = try await SendingStage("Unsaved")
        let id = try await stage.reply("Second time lucky.")
        let page = StubAnswer.http(status: 504, headers: [("Content-Type", "text/html")], body: "<h1>Time-out</h1>")
        let fault: ProxyFault =
            switch how {
            case "closed": .refuse
            case "503": .answer(.http(status: 503, headers: [], body: "{}"))
            default: .answer(page)
            }
        stage.proxy.fail("edit", fault, nth: 1)
        for round in 1...2 {
            let sent = try await stage.sync()
            guard case .unknown = sent.first?.outcome else {
                Issue.record("round \(round): \(sent)")
                continue
            }
            let entry = try stage.journal(id)
            #expect(entry.state == .unknown && entry.attempts == 1)
            #expect(stage.proxy.count("edit") == 1)
            #expect(try stage.copies("Second time lucky.") == 0)
            #expect(try await stage.pending() == [id])
        }
        try await stage.tenMinutesPass()
        #expect(try await stage.sync().first?.outcome.isPosted == true)
        try await stage.expectPosted(id, "Second time lucky.", edits: 2)
    }

    @Test func aRequestThatNeverLeftIsSentAtOnceTheNextTime() async throws {
        let stage = try await SendingStage("Unsent")
        let id = try await stage.reply("Not yet gone.")
        let api = stage.client()
        // The wiki goes away after the preview.
        let gone = stage.client("http://127.0.0.1:\(StubWiki.closedPort())/w/api.php")
        let outcome = await gone.edit(
            EditRequest(page: .title(stage.title), text: "x", summary: "", base: nil, started: nil, account: "Alice"))
        guard case .notSent = outcome else {
            Issue.record("\(outcome)")
            return
        }
        stage.proxy.fail("tokens", .refuse)
        let sent = try await stage.sync(api: api)
        guard case .waiting = sent.first?.outcome else {
            Issue.record("\(sent)")
            return
        }
        let entry = try stage.journal(id)
        #expect(entry.state == .queued && !entry.mayBePosted)
        stage.proxy.reset()
        #expect(try await stage.sync().first?.outcome.isPosted == true)
        try await stage.expectPosted(id, "Not yet gone.", edits: 1)
        #expect(stage.proxy.count("history") == 0)
    }

    /// A request that was given up arrives after all, between the look at the history and the next request.
    @Test func aRequestThatComesLateIsNotPostedBesideTheNextOne() async throws {
        let stage = try await SendingStage("Late")
        let id = try await stage.reply("Better late.")
        stage.proxy.fail("edit", .delay, nth: 1)
        _ = try await stage.sync()
        try await stage.tenMinutesPass()
        let proxy = stage.proxy
        stage.proxy.fail("edit", .meanwhile { proxy.deliver() }, nth: 2)
        #expect(try await stage.sync().first?.outcome.isPosted == true)
        try await stage.expectPosted(id, "Better late.", edits: 2)
    }

    /// The same, but somebody edits too, so that the late request is merged and not refused.
    @Test func aRequestThatComesLateIsFoundBehindTheEditOfAnother() async throws {
        let stage = try await SendingStage("Late merge")
        let id = try await stage.reply("Better late.")
        stage.proxy.fail("edit", .delay, nth: 1)
        _ = try await stage.sync()
        try await stage.tenMinutesPass()
        let proxy = stage.proxy, wiki = stage.wiki, title = stage.title
        stage.proxy.fail(
            "edit",
            .meanwhile {
                do {
                    try wiki.append("\n:New. [[User:Bob|Bob]] 12:30, 1 March 2024 (UTC)", to: title)
                } catch { Issue.record(error) }
                proxy.deliver()
            }, nth: 2)
        #expect(try await stage.sync().first?.outcome.isPosted == true)
        try await stage.expectPosted(id, "Better late.", edits: 2)
    }

    /// A request that must have ended arrives days later, when the next one was refused for another reason.
    @Test(arguments: ["ratelimited", "protectedpage"], [false, true])
    func aRequestThatComesLaterThanTheNextIsFound(refusal: String, isChanged: Bool) async throws {
        let stage = try await SendingStage("Days late")
        let id = try await stage.reply("Days later.")
        stage.proxy.fail("edit", .delay, nth: 1)
        _ = try await stage.sync()
        try await stage.tenMinutesPass()
        stage.proxy.fail("edit", .answer(.error(refusal)), nth: 2)
        _ = try await stage.sync()
        #expect(try stage.journal(id).state == (refusal == "ratelimited" ? .queued : .held))
        stage.proxy.deliver()
        _ = try await stage.store.updateEntry(id) { entry in
            if isChanged { entry.reply.text = "Days later, really." }
            entry.queue()
            return true
        }
        let outcome = try await stage.sync().first?.outcome
        #expect(try stage.copies("Days later") == 1 && stage.proxy.count("edit") == 2)
        guard isChanged else { return try await stage.expectPosted(id, "Days later.", edits: 2) }
        guard case .held(let reason) = outcome else {
            Issue.record("\(try stage.journal(id))")
            return
        }
        #expect(reason.hasSuffix("is this reply as it was before you changed it"))
        #expect(try stage.journal(id).mayBePosted && stage.journal(id).reply.text == "Days later, really.")
    }

    /// The page is archived by a move, and the title made anew; the request comes late.
    @Test func aRequestThatComesLateFollowsAPageThatWasMoved() async throws {
        let stage = try await SendingStage("Moved away")
        let id = try await stage.reply("Where to?")
        stage.proxy.fail("edit", .delay, nth: 1)
        _ = try await stage.sync()
        let archive = TestWiki.newTitle("Archive")
        try stage.wiki.move(stage.title, to: archive)
        try stage.wiki.edit(stage.title, to: SendingStage.text)
        stage.proxy.deliver()
        #expect(try stage.copies("Where to?") == 0 && stage.copies("Where to?", on: archive) == 1)
        try await stage.tenMinutesPass()
        _ = try await stage.sync()
        #expect(try stage.copies("Where to?") == 0 && stage.copies("Where to?", on: archive) == 1)
        #expect(try stage.journal(id).state == .posted && stage.proxy.count("edit") == 1)
    }

    /// Something on the way sends the request twice: the wiki saves the first and refuses the second, whose answer comes.
    @Test(arguments: ["editconflict", "ratelimited", "readonly", "protectedpage", "abusefilter-warning"])
    func aRefusalMayBeThatOfASecondCopy(code: String) async throws {
        let stage = try await SendingStage("Twice")
        let id = try await stage.reply("Said once.")
        stage.proxy.fail("edit", .replaceAnswer(.error(code)), nth: 1)
        _ = try await stage.sync()
        if try stage.journal(id).state == .held {
            _ = try await stage.store.updateEntry(id) { entry in
                entry.demand = nil
                entry.queue()
                return true
            }
        }
        _ = try await stage.sync()
        try await stage.expectPosted(id, "Said once.", edits: 1)
    }

    /// A firewall that reads what leaves puts a page of its own in the place of the wiki's answer; or it stands before
    /// the wiki, which never saw the request.
    @Test(arguments: [302, 400, 401, 403, 404, 413, 429], [true, false])
    func aPageOfAnotherServerSaysNothingOfTheEdit(status: Int, isSaved: Bool) async throws {
        let stage = try await SendingStage("Firewall")
        let id = try await stage.reply("Through the wall.")
        let page = StubAnswer.http(status: status, headers: [("Content-Type", "text/html")], body: "<h1>No</h1>")
        stage.proxy.fail("edit", isSaved ? .replaceAnswer(page) : .answer(page), nth: 1)
        let outcome = try await stage.sync().first?.outcome
        if isSaved {
            #expect(outcome?.isPosted == true)
            return try await stage.expectPosted(id, "Through the wall.", edits: 1)
        }
        // Only the user can make a text smaller.
        switch (outcome, status == 413) {
        case (.held, true), (.unknown, false): break
        default: Issue.record("\(try stage.journal(id))")
        }
        #expect(try stage.journal(id).mayBePosted)
        _ = try await stage.sync()
        #expect(stage.proxy.count("edit") == 1)
        try await stage.tenMinutesPass()
        if status == 413 {
            _ = try await stage.store.updateEntry(id) {
                $0.queue(); return true
            }
        }
        #expect(try await stage.sync().first?.outcome.isPosted == true)
        try await stage.expectPosted(id, "Through the wall.", edits: 2)
    }

    @Test func aConflictLeadsToThePagesNewText() async throws {
        let stage = try await SendingStage("Conflict")
        let id = try await stage.reply("Between the two.")
        let other = "::Really? [[User:Bob|Bob]] ([[User talk:Bob|talk]]) 12:00, 2 March 2024 (UTC)\n"
        stage.proxy.fail(
            "edit", change(stage) { $0.replacing(SendingStage.carol, with: SendingStage.carol + other) }, nth: 1)
        #expect(try await stage.sync().first?.outcome.isPosted == true)
        try await stage.expectPosted(id, "Between the two.", edits: 2)
        #expect(try stage.copies("::Really?") == 1)
        #expect(try stage.journal(id).attempts == 2)
    }

    /// A conflict with an edit of the user's own, in the same topic and with the same summary, is no reason to ask.
    @Test func aConflictWithAnEditOfOnesOwnIsNoDoubt() async throws {
        let stage = try await SendingStage("Own conflict")
        let id = try await stage.reply("From the train.")
        let wiki = stage.wiki, title = stage.title
        let text = SendingStage.text.replacing(SendingStage.carol, with: SendingStage.carol + "::From home. ~~~~\n")
        stage.proxy.fail(
            "edit",
            .meanwhile {
                do { try wiki.edit(title, to: text, as: .alice, summary: "/* Width */ Reply") } catch {
                    Issue.record(error)
                }
            }, nth: 1)
        #expect(try await stage.sync().first?.outcome.isPosted == true)
        try await stage.expectPosted(id, "From the train.", edits: 2)
        #expect(try stage.copies("From home.") == 1)
    }

    /// But after an earlier request of the reply that edit may be what became of it.
    @Test func aConflictOfASecondRequestIsADoubt() async throws {
        let stage = try await SendingStage("Second conflict")
        let id = try await stage.reply("From the train.")
        let wiki = stage.wiki, title = stage.title
        let text = SendingStage.text.replacing(SendingStage.carol, with: SendingStage.carol + "::From home. ~~~~\n")
        stage.proxy.fail("edit", .refuse, nth: 1)
        _ = try await stage.sync()
        try await stage.tenMinutesPass()
        stage.proxy.fail(
            "edit",
            .meanwhile {
                do { try wiki.edit(title, to: text, as: .alice, summary: "/* Width */ Reply") } catch {
                    Issue.record(error)
                }
            }, nth: 2)
        guard case .held = try await stage.sync().first?.outcome else {
            Issue.record("\(try stage.journal(id))")
            return
        }
        #expect(stage.proxy.count("edit") == 2)
        #expect(try stage.copies("From the train.") == 0)
    }

    @Test func whatItAnswersVanishesBetweenPreviewAndEdit() async throws {
        let stage = try await SendingStage("Vanished")
        let id = try await stage.reply("To nobody.")
        stage.proxy.fail("edit", change(stage) { $0.replacing(SendingStage.carol, with: "") }, nth: 1)
        let sent = try await stage.sync()
        guard case .setAside(let reason) = sent.first?.outcome else {
            Issue.record("\(sent)")
            return
        }
        #expect(reason.contains("Carol"))
        #expect(try stage.journal(id).state == .discarded)
        #expect(try await stage.store.discarded(id)?.text == "To nobody.")
        #expect(try stage.copies("To nobody.") == 0)
        #expect(try await stage.pending() == [])
    }

    @Test func twoEqualRepliesAreTwoRevisions() async throws {
        let stage = try await SendingStage("Equal")
        let ids = [try await stage.reply("Agreed.", to: "Carol"), try await stage.reply("Agreed.", to: "Dora")]
        stage.proxy.fail("edit", .loseAnswer)
        let sent = try await stage.sync()
        #expect(sent.map(\.outcome.isPosted) == [true, true])
        let revisions = try ids.map { try stage.journal($0).postedRevision }
        #expect(Set(revisions).count == 2 && !revisions.contains(nil))
        #expect(try stage.copies("::Agreed.") == 2)
        #expect(stage.proxy.count("edit") == 2)
        #expect(try await stage.pending() == [])
    }

    /// The first of two equal replies was shown to a person and left the outbox; its revision is not the second one's.
    @Test func anEqualReplyIsNotTakenForTheOneBeforeIt() async throws {
        let stage = try await SendingStage("Equal again")
        let first = try await stage.reply("Agreed.", to: "Carol")
        let second = try await stage.reply("Agreed.", to: "Dora")
        // The page cannot be brought back after the first one, so the second one waits for that.
        let proxy = stage.proxy
        proxy.add { ["check", "history"].contains($0.kind) && proxy.count("edit") == 1 ? .refuse : nil }
        let sent = try await stage.sync()
        #expect(sent.map(\.outcome.isPosted) == [true, false])
        #expect(try stage.journal(second).state == .queued)
        try await stage.store.removeEntry(first)
        proxy.reset()
        proxy.fail("edit", .refuse, nth: 1)
        guard case .unknown = try await stage.sync().first?.outcome else {
            Issue.record("the first reply was taken for the second one")
            return
        }
        try await stage.tenMinutesPass()
        #expect(try await stage.sync().map(\.outcome.isPosted) == [true])
        #expect(try stage.copies("::Agreed.") == 2)
        #expect(try await stage.pending() == [])
    }

    private func change(
        _ stage: SendingStage, _ change: @escaping @Sendable (String) -> String
    ) -> ProxyFault {
        let wiki = stage.wiki, title = stage.title
        return .meanwhile {
            do { try wiki.edit(title, to: change(SendingStage.text + "\n")) } catch { Issue.record(error) }
        }
    }
}
