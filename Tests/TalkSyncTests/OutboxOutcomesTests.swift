import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore
@testable import TalkSync

/// A round of sending as a sequence of what became of the replies.
@Suite(.temporaryDirectory, .testWiki) struct OutboxOutcomesTests {
    private func round(_ stage: SendingStage) async throws -> OutboxOutcomes {
        let store = try stage.store, api = stage.client()
        try await api.login(user: TestWiki.Account.alice.botName, botPassword: TestWiki.Account.alice.password)
        let sender = OutboxSender(
            api: api, store: store, wiki: stage.site, puller: stage.puller(api, store), now: { 0 })
        let lock = try #require(try await store.senderLock())
        return sender.outcomes(of: try store.outbox().entries, holding: lock)
    }

    @Test func givesEachOutcomeInOrder() async throws {
        let stage = try await SendingStage("Outcomes")
        let ids = [try await stage.reply("First."), try await stage.reply("Second.", to: "Dora")]
        var seen: [String] = []
        for try await one in try await round(stage) {
            #expect(one.outcome.isPosted && one.entry.state == .posted)
            seen.append(one.entry.reply.id)
        }
        #expect(seen == ids)
    }

    /// A reader that loses interest leaves no request without its answer in the journal.
    @Test func theRoundGoesOnWhenNobodyLooks() async throws {
        let stage = try await SendingStage("Unwatched")
        let ids = [try await stage.reply("First."), try await stage.reply("Second.", to: "Dora")]
        for try await one in try await round(stage) {
            #expect(one.entry.reply.id == ids[0])
            break
        }
        // The lock is free when the round has ended.
        let store = try stage.store
        while try await store.senderLock() == nil { await Task.yield() }
        #expect(try stage.copies("Second.") == 1)
        #expect(try ids.map { try stage.journal($0).state } == [.posted, .posted])
    }
}
