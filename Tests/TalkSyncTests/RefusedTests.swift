import Foundation
import TalkHTTP
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore
@testable import TalkSync

/// What a wiki refuses is kept, is not sent again before something has changed, and stops no more than it must.
@Suite(.temporaryDirectory, .testWiki) struct RefusedTests {
    /// The recorded answers of a wiki to an edit, what the journal says then, and whether the other pages wait as well.
    static let refusals: [(recording: String, state: OutboxEntry.State, isWide: Bool, words: String)] = [
        ("700", .queued, true, "blocked"), ("720", .held, false, "protected"),
        ("755", .held, false, "filter warns"), ("757", .held, false, "filter refuses"),
        ("765", .held, false, "does not allow"), ("745", .held, false, "captcha"),
        ("727", .queued, true, "only be read"), ("740", .queued, true, "too many requests"),
        ("775", .held, false, "too large"), ("404", .held, false, "may not"),
        ("606", .held, false, "no such page"), ("637", .held, false, "was deleted"),
        ("627", .queued, true, "no longer valid"),
    ]

    /// One page after the other: nothing is saved, so one story can hold them all.
    @Test func keepsTheReplyAndStopsWhatMustStop() async throws {
        let stage = try await SendingStage("Refused")
        let other = TestWiki.newTitle("Refused too")
        try stage.wiki.edit(other, to: SendingStage.text)
        try await stage.pull(other)
        let first = try await stage.reply("The first."), behind = try await stage.reply("The second.")
        let elsewhere = try await stage.reply("The third.", on: other)
        let api = stage.client()
        for refusal in Self.refusals {
            let name = Comment(rawValue: refusal.recording)
            let recording = try #require(
                try Recording.list("recorded-edits.json").map(Recording.init)
                    .first { $0.name.hasPrefix(refusal.recording) })
            stage.proxy.reset()
            stage.proxy.fail(
                "edit", .answer(.http(status: recording.response.status, headers: [], body: recording.body)))
            let sent = try await stage.sync(api: api)
            #expect(sent.map(\.id) == [first, behind, elsewhere], name)
            #expect(stage.proxy.count("edit") == (refusal.isWide ? 1 : 2), name)
            let entry = try stage.journal(first)
            #expect(entry.state == refusal.state, name)
            #expect(entry.reason?.contains(refusal.words) == true, "\(refusal.recording): \(entry.reason ?? "")")
            #expect(!entry.mayBePosted, name)
            guard case .waiting = sent[1].outcome else {
                Issue.record("\(refusal.recording): \(sent[1].outcome)")
                continue
            }
            #expect(try stage.journal(behind).state == .queued && stage.journal(behind).attempts == 0, name)
            #expect(try await stage.pending() == [first, behind], name)

            // What is held stays so until the user decides.
            if refusal.state == .held {
                #expect(try await stage.sync(api: api).first?.outcome == .held(reason: entry.reason ?? ""), name)
                #expect(stage.proxy.count("edit") == 2, name)
            }
            for id in [first, elsewhere] {
                try await stage.store.updateEntry(id) { current in
                    if current.state == .held { current.sendAgain() }
                    current.demand = nil
                    return true
                }
            }
        }
        stage.proxy.reset()
        #expect(try await stage.sync(api: api).map(\.outcome.isPosted) == [true, true, true])
        #expect(stage.proxy.count("edit") == 3 && stage.proxy.count("history") == 0)
        for (text, title) in [("The first.", stage.title), ("The second.", stage.title), ("The third.", other)] {
            #expect(try stage.copies(text, on: title) == 1)
        }
    }

    @Test func aTokenThatIsNoLongerTakenIsRenewedOnce() async throws {
        let stage = try await SendingStage("Token")
        let id = try await stage.reply("With a new token.")
        stage.proxy.fail("edit", .answer(.error("badtoken")), nth: 1)
        #expect(try await stage.sync().first?.outcome.isPosted == true)
        try await stage.expectPosted(id, "With a new token.", edits: 2)
        #expect(stage.proxy.count("tokens") == 2)
    }

    /// The wiki ends the session; it is noticed by the preview, or by the edit itself.
    @Test(arguments: ["preview", "edit"])
    func aLostSessionIsRenewedOnce(by kind: String) async throws {
        let stage = try await SendingStage("Session")
        let id = try await stage.reply("Logged in again.")
        let api = stage.client(), account = TestWiki.Account.alice
        let logIn: @Sendable () async throws(TalkError) -> Void = { () async throws(TalkError) in
            _ = try await api.login(user: account.botName, botPassword: account.password)
        }
        stage.proxy.fail(kind, .answer(.error("assertnameduserfailed")))
        let refused = try await stage.sync(api: api, logIn: logIn)
        guard case .held = refused.first?.outcome else {
            Issue.record("\(refused)")
            return
        }
        #expect(stage.proxy.count("login") == 2)
        #expect(stage.proxy.count(kind) == 2)
        let entry = try stage.journal(id)
        #expect(entry.state == .queued && !entry.mayBePosted)

        stage.proxy.reset()
        stage.proxy.fail(kind, .answer(.error("assertnameduserfailed")), nth: 1)
        #expect(try await stage.sync(api: api, logIn: logIn).first?.outcome.isPosted == true)
        #expect(stage.proxy.count("login") == 1)
        try await stage.expectPosted(id, "Logged in again.", edits: kind == "edit" ? 2 : 1)
    }

    @Test func aLoginThatFailsStopsTheWiki() async throws {
        let stage = try await SendingStage("No login")
        let first = try await stage.reply("Not now."), second = try await stage.reply("Nor this.")
        stage.proxy.fail("edit", .answer(.error("assertuserfailed")))
        let sent = try await stage.sync { () async throws(TalkError) in
            throw TalkError(.refused, "no password is stored")
        }
        #expect(
            sent.map(\.outcome) == [
                .held(reason: "no password is stored"), .waiting(reason: "the wiki stopped at a reply before it"),
            ])
        #expect(try [first, second].map { try stage.journal($0).state } == [.queued, .queued])
    }

    @Test func aReplyOfAnotherAccountIsNotSent() async throws {
        let stage = try await SendingStage("Account")
        let id = try await stage.reply("Bob's words.", as: "Bob")
        let own = try await stage.reply("Alice's words.", as: "Alice")
        let sent = try await stage.sync(as: .alice)
        #expect(sent.first?.outcome == .held(reason: "it was written as Bob, and Alice is logged in"))
        #expect(sent.last?.outcome.isPosted == true)
        #expect(try stage.journal(id).state == .queued && stage.journal(id).attempts == 0)
        #expect(try await stage.pending() == [id])
        #expect(try stage.copies("Bob's words.") == 0)
        #expect(try await stage.sync(as: .bob).map(\.outcome.isPosted) == [true])
        try await stage.expectPosted(id, "Bob's words.", edits: 2)
        #expect(try stage.journal(own).state == .posted)
    }

    @Test func whatTheWikiSaysNothingChangedByIsLookedFor() async throws {
        let stage = try await SendingStage("No change")
        let id = try await stage.reply("There already?")
        let noChange = StubAnswer.json(#"{"edit":{"result":"Success","nochange":true}}"#)
        stage.proxy.fail("edit", .answer(noChange))
        guard case .held(let reason) = try await stage.sync().first?.outcome else {
            Issue.record("not held")
            return
        }
        #expect(reason.contains("has this text already"))
        try await stage.store.updateEntry(id) { current in
            current.sendAgain()
            return true
        }
        stage.proxy.reset()
        stage.proxy.fail("edit", .replaceAnswer(noChange))
        #expect(try await stage.sync().first?.outcome.isPosted == true)
        try await stage.expectPosted(id, "There already?", edits: 1)
    }

    @Test func onePageMaySayNoWhileAnotherTakesItsReply() async throws {
        let stage = try await SendingStage("Says no")
        let other = TestWiki.newTitle("Says yes")
        try stage.wiki.edit(other, to: SendingStage.text)
        try await stage.pull(other)
        let held = try await stage.reply("Refused here."), behind = try await stage.reply("Waits here.")
        let posted = try await stage.reply("Taken there.", on: other)
        stage.proxy.fail("edit", .answer(.error("protectedpage")), nth: 1)
        let sent = try await stage.sync()
        #expect(sent.map(\.outcome.isPosted) == [false, false, true])
        #expect(sent[1].outcome == .waiting(reason: "\(held) before it on this page is held"))
        #expect(try stage.journal(held).state == .held)
        #expect(try stage.journal(behind).state == .queued)
        #expect(try stage.journal(posted).state == .posted)
        #expect(try stage.copies("Taken there.", on: other) == 1)
        #expect(try await stage.pending() == [held, behind])
        #expect(try await stage.pending(on: other) == [])
    }
}
