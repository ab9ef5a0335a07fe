import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore
@testable import TalkSync

/// How long a reply that could not be sent is left alone.
@Suite struct SendBackoffTests {
    private func seconds(_ failures: Int, chance: Double = 0.5, least: Int? = nil) -> Int64 {
        SendBackoff(chance: { chance }).seconds(after: failures, least: least)
    }

    @Test func growsToAQuarterOfAnHour() {
        #expect((1...10).map { seconds($0) } == [5, 10, 20, 40, 80, 160, 320, 640, 900, 900])
        #expect(seconds(4000) == 900)
    }

    @Test func chanceSpreadsItByAFifth() {
        #expect(seconds(2, chance: 0) == 8 && seconds(2, chance: 1) == 12)
        #expect(seconds(9, chance: 0) == 720 && seconds(9, chance: 1) == 1080)
        #expect(seconds(2, chance: -3) == 8 && seconds(2, chance: 7) == 12)
    }

    @Test func obeysWhatTheWikiAsksForUpToADay() {
        #expect(seconds(1, least: 60) == 60)
        #expect(seconds(9, least: 60) == 900)
        #expect(seconds(1, least: 7200) == 7200)
        #expect(seconds(1, least: 900_000) == 86_400)
    }

    @Test func endsAfterFiftyFailures() {
        let backoff = SendBackoff(chance: { 0.5 })
        let first = backoff.pause(after: nil, least: nil, now: 1000, stopsWiki: true)
        #expect(first == SendPause(failures: 1, until: 1005, stopsWiki: true))
        let before = { SendPause(failures: $0, until: 0, stopsWiki: false) }
        #expect(
            backoff.pause(after: before(48), least: nil, now: 0, stopsWiki: false)
                == SendPause(failures: 49, until: 900, stopsWiki: false))
        #expect(backoff.pause(after: before(49), least: nil, now: 0, stopsWiki: false) == nil)
    }

    @Test func aClockThatWasSetBackDoesNotStopItForYears() {
        let pause = SendPause(failures: 1, until: 2_000_000_000, stopsWiki: false)
        #expect(!pause.isOver(at: 1_999_999_999) && pause.isOver(at: 2_000_000_000))
        #expect(!pause.isOver(at: 1_999_913_600) && pause.isOver(at: 1_999_913_599))
    }
}

/// The pauses of the journal, on a real wiki through a proxy that breaks the requests.
@Suite(.temporaryDirectory, .testWiki) struct SendPauseTests {
    static let slow = StubAnswer.http(
        status: 200,
        headers: [
            ("Content-Type", "application/json; charset=utf-8"), ("MediaWiki-API-Error", "ratelimited"),
            ("Retry-After", "120"),
        ], body: #"{"errors":[{"code":"ratelimited","text":"","data":{},"module":"edit"}]}"#)

    @Test func aReplyThatFailedIsLeftAloneInTheBackground() async throws {
        let stage = try await SendingStage("Paused")
        let other = TestWiki.newTitle("Paused too")
        try stage.wiki.edit(other, to: SendingStage.text)
        try await stage.pull(other)
        let id = try await stage.reply("Patience."), elsewhere = try await stage.reply("There as well.", on: other)
        stage.proxy.fail("edit", .answer(Self.slow), nth: 1)
        _ = try await stage.sync(isBackground: true, now: 1000)
        #expect(try stage.journal(id).pause == SendPause(failures: 1, until: 1120, stopsWiki: true))
        #expect(try stage.journal(elsewhere).pause == nil)

        // The whole wiki asked for it, so the other page waits, too.
        let waiting = try await stage.sync(isBackground: true, now: 1119)
        #expect(waiting.map(\.id) == [id, elsewhere])
        #expect(
            waiting.map(\.outcome)
                == Array(repeating: .waiting(reason: "too many requests in a short time"), count: 2))
        #expect(stage.proxy.count("edit") == 1)
        #expect(try await stage.sync(isBackground: true, now: 1120).map(\.outcome.isPosted) == [true, true])
        #expect(try stage.journal(id).pause == nil)
        try await stage.expectPosted(id, "Patience.", edits: 3)
    }

    @Test func thePersonsOwnCommandTriesAtOnce() async throws {
        let stage = try await SendingStage("At once")
        let id = try await stage.reply("Now.")
        stage.proxy.fail("edit", .answer(Self.slow), nth: 1)
        stage.proxy.fail("edit", .answer(Self.slow), nth: 2)
        _ = try await stage.sync(now: 1000)
        _ = try await stage.sync(now: 1001)
        // The wiki asked for two minutes, which is longer than the second pause of 10 seconds.
        #expect(try stage.journal(id).pause == SendPause(failures: 2, until: 1121, stopsWiki: true))
        #expect(try await stage.sync(now: 1002).first?.outcome.isPosted == true)
        try await stage.expectPosted(id, "Now.", edits: 3)
    }

    @Test func anOutcomeThatIsNotKnownIsLookedForAfterAPause() async throws {
        let stage = try await SendingStage("Looks later")
        let id = try await stage.reply("Perhaps.")
        let page = StubAnswer.http(status: 504, headers: [("Content-Type", "text/html")], body: "<h1>Time-out</h1>")
        stage.proxy.fail("edit", .answer(page), nth: 1)
        _ = try await stage.sync(isBackground: true, now: 1000)
        let entry = try stage.journal(id)
        #expect(entry.state == .unknown && entry.pause == SendPause(failures: 1, until: 1005, stopsWiki: false))
        let looks = stage.proxy.count("check")
        guard case .waiting = try await stage.sync(isBackground: true, now: 1004).first?.outcome else {
            Issue.record("looked too early")
            return
        }
        // The pull of the page asks once; nothing asked for the reply.
        #expect(stage.proxy.count("check") == looks + 1 && stage.proxy.count("history") == 0)
        try await stage.tenMinutesPass()
        #expect(try await stage.sync(isBackground: true, now: 1600).first?.outcome.isPosted == true)
        try await stage.expectPosted(id, "Perhaps.", edits: 2)
    }

    /// However often one looks for a reply, it is never sent for that.
    @Test func looksAreNoFailures() async throws {
        let stage = try await SendingStage("Looks")
        let id = try await stage.reply("Late.")
        stage.proxy.fail("edit", .answer(.http(status: 504, headers: [], body: "<h1>Time-out</h1>")), nth: 1)
        _ = try await stage.sync(now: 1000)
        for _ in 1...12 {
            guard case .unknown = try await stage.sync(now: 1000).first?.outcome else {
                Issue.record("decided")
                return
            }
        }
        #expect(stage.proxy.count("edit") == 1)
        #expect(try stage.journal(id).pause?.failures == 9)
    }

    @Test func afterFiftyFailuresTheUserDecides() async throws {
        let stage = try await SendingStage("Fifty")
        let id = try await stage.reply("At last.")
        try await stage.store.updateEntry(id) { entry in
            entry.pause = SendPause(failures: 49, until: 0, stopsWiki: true)
            return true
        }
        stage.proxy.fail("edit", .answer(Self.slow), nth: 1)
        guard case .held(let reason) = try await stage.sync(now: 1000).first?.outcome else {
            Issue.record("not held")
            return
        }
        #expect(reason == "it could not be sent 50 times, at last since: too many requests in a short time")
        let entry = try stage.journal(id)
        #expect(entry.state == .held && entry.pause == nil && !entry.mayBePosted)
        try await stage.store.updateEntry(id) { entry in
            entry.sendAgain()
            return true
        }
        #expect(try await stage.sync(now: 1001).first?.outcome.isPosted == true)
        try await stage.expectPosted(id, "At last.", edits: 2)
    }

    /// A block is not tried again every few minutes: each try feeds it.
    @Test func whatOnlyTheUserCanMendRestsForAnHour() async throws {
        let stage = try await SendingStage("Rest")
        let id = try await stage.reply("Blocked.")
        stage.proxy.fail("edit", .answer(.error("blocked")), nth: 1)
        _ = try await stage.sync(isBackground: true, now: 1000)
        #expect(try stage.journal(id).pause == SendPause(failures: 0, until: 4600, stopsWiki: true))
        _ = try await stage.sync(isBackground: true, now: 4599)
        #expect(stage.proxy.count("edit") == 1)
        #expect(try await stage.sync(isBackground: true, now: 4600).first?.outcome.isPosted == true)
        try await stage.expectPosted(id, "Blocked.", edits: 2)
    }

    /// A journal of before there were pauses.
    @Test func readsAnOldJournal() throws {
        let json =
            #"{"account":"Alice","attempts":1,"isSeen":false,"page":{"namespace":"Talk","title":"T","wiki":"w"},"#
            + #""reply":{"base":1,"created":0,"expires":9,"id":"01hf0000000000000000000000","kind":"reply","text":"x"},"#
            + #""state":"queued"}"#
        let entry = try StoredJSON.decode(OutboxEntry.self, Array(json.utf8))
        #expect(entry.pause == nil && entry.demand == nil && entry.state == .queued)
    }
}
