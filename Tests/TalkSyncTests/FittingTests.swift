import Foundation
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore
@testable import TalkSync

/// Replies keep their place and their text when programs come together or a journal is damaged.
@Suite(.temporaryDirectory, .testWiki) struct FittingTests {
    @Test func keepsAReplyWhoseJournalIsDamaged() async throws {
        let stage = try await SendingStage("Damaged")
        let damaged = try await stage.reply("Only the commit has it."), whole = try await stage.reply("Whole.")
        try Data("{".utf8).write(to: URL(filePath: stage.store.layout.outboxEntry(damaged)))
        try stage.wiki.append("\n\n== New ==\nText", to: stage.title)
        let report = try await stage.pull()
        #expect(report.rebased == 1 && report.setAside == [])
        #expect(try await stage.pending() == [damaged, whole])
        #expect(try await stage.sync().map(\.id) == [whole])
        #expect(try await stage.pending() == [damaged])
        #expect(try stage.copies("Only the commit has it.") == 0)
        // Its target goes: the text is kept where such texts are.
        try stage.wiki.edit(stage.title, to: "== Width ==\nNothing.")
        try await stage.pull()
        #expect(try await stage.pending() == [])
        #expect(try await stage.store.discarded(damaged)?.text == "Only the commit has it.")
    }

    /// A program that read a journal before another one sent the reply must not set it aside.
    @Test func setsNothingAsideThatAnotherProgramHasInItsHands() async throws {
        let stage = try await SendingStage("Hands")
        let id = try await stage.reply("Mine.")
        let fitting = PendingFitting(store: try stage.store, wiki: stage.site)
        let stale = try stage.journal(id)
        try await stage.store.updateEntry(id) { entry in
            entry.state = .sending
            entry.sentBase = entry.reply.base
            return true
        }
        #expect(try await fitting.setAside(stale, reason: "gone") == nil)
        #expect(try stage.journal(id).state == .sending)
        #expect(try await stage.store.discarded() == [])
        #expect(try await fitting.setAside(stage.journal(id), reason: "gone") == nil)
    }

    /// The page is in the hands of another program while the user writes: the reply is queued, and shows later.
    @Test func aReplyIsQueuedWhileItsPageIsBusy() async throws {
        let stage = try await SendingStage("Busy")
        let other = try stage.store, page = stage.page
        try await other.hold(page) {
            waitFor { try await stage.reply("Patience.", waiting: 0) }
        }
        let entries = try stage.store.outbox().entries
        #expect(entries.map(\.reply.text) == ["Patience."])
        #expect(try await stage.pending() == [])
        try await stage.pull()
        #expect(try await stage.pending() == entries.map(\.reply.id))
    }
}

extension Store {
    /// Holds a page as an operation on it does.
    fileprivate func hold(_ page: PageName, _ body: @Sendable () -> Void) throws(TalkError) {
        try changing(page, "test") { () throws(TalkError) in body() }
    }
}
