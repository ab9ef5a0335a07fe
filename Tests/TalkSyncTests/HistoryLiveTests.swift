import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore
@testable import TalkSync

/// A back-fill on a real MediaWiki, with a reply that waits.
@Suite(.temporaryDirectory, .testWiki) struct HistoryLiveTests {
    @Test func fillsAGapBelowAReplyThatWaits() async throws {
        let stage = try await SendingStage("History")
        var ids: [Int] = []
        for number in 1...8 {
            ids.append(
                try stage.wiki.append(
                    "\n\n== Topic \(number) ==\nText \(number). ~~~~", to: stage.title, summary: "\(number)"))
        }
        try await stage.pull()
        let id = try await stage.reply("I waited.")
        let store = try stage.store
        #expect(try await store.records(of: stage.page).count == 4)
        let tree = try await store.tip(of: stage.page)?.tree
        stage.proxy.reset()

        let puller = HistoryPuller(api: stage.client(), store: store, wiki: stage.site)
        let report = try await puller.pull(stage.page, .all)
        #expect(report.added == 5 && report.isWhole && report.setAside == [])
        #expect(stage.proxy.count("parse") == 5 && stage.proxy.calls.count == 6)
        #expect(report.missing == [] && report.gaps == [])
        #expect(report.records.dropFirst().map(\.id.rawValue) == ids.map(Int64.init))
        #expect(report.records.dropFirst().map(\.summary) == (1...8).map(String.init))
        #expect(zip(report.records.dropFirst(), report.records).allSatisfy { $0.parent == $1.id })

        // The page is the same, the reply stands on its new commit, and can be sent.
        #expect(try await store.tip(of: stage.page)?.tree == tree)
        #expect(try await store.pendingBranch(of: stage.page).isOnBase)
        #expect(try await stage.pending() == [id])
        #expect(try await stage.sync().first?.outcome.isPosted == true)
        try await stage.expectPosted(id, "I waited.", edits: 1)
    }

    /// What came later and what came at once are the same bytes.
    @Test func anOldRevisionIsTheOneThatWasNew() async throws {
        let stage = try await SendingStage("Then and now")
        let old = try #require(try await stage.store.tip(of: stage.page))
        for number in 1...4 { try stage.wiki.append("\n\n== Topic \(number) ==\nText. ~~~~", to: stage.title) }
        let other = try Store.create(at: stage.path + ".other")
        _ = try await stage.puller(stage.client(), other).pull(stage.page)
        _ = try await HistoryPuller(api: stage.client(), store: other, wiki: stage.site).pull(stage.page, .newest(5))
        #expect(try await other.records(of: stage.page).first == old)
    }
}
