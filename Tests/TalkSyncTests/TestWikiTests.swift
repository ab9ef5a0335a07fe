import Foundation
import TalkTestSupport
import Testing

/// The wiki that the other tests talk to does what they ask of it.
@Suite(.testWiki) struct TestWikiTests {
    @Test func savesWhatIsWrittenAndCountsRevisions() throws {
        let wiki = try TestWiki.required()
        let title = TestWiki.newTitle("Wiki “control”")
        let first = try wiki.edit(title, to: "One: tschüß 🎆.", as: .carol, summary: "first & only")
        let second = try wiki.append("\nTwo.", to: title)
        #expect(second > first)
        #expect(try wiki.text(of: title) == "One: tschüß 🎆.\nTwo.")
        let history = try wiki.call([
            "action": "query", "prop": "revisions", "titles": title, "rvprop": "ids|user|comment", "rvlimit": "2",
        ])
        #expect(history.contains("\"revid\":\(first)"))
        #expect(history.contains("first & only"))
        #expect(history.contains("\"user\":\"Carol\""))
    }

    @Test func privateWikiLeavesTheSharedOneAlone() async throws {
        let shared = try TestWiki.required()
        let title = TestWiki.newTitle("Private")
        try await TestWiki.withPrivateWiki { wiki in
            #expect(wiki.api != shared.api)
            try wiki.edit(title, to: "Here only.")
            try wiki.pause()
            try wiki.append(" And more.", to: title)
            try wiki.resume()
            #expect(try wiki.text(of: title) == "Here only. And more.")
        }
        #expect(throws: TestWiki.Failure.self) { try shared.text(of: title) }
    }

    @Test func refusalsAreErrorsWithTheCodeOfTheWiki() throws {
        let wiki = try TestWiki.required()
        let error = #expect(throws: TestWiki.Failure.self) { try wiki.delete(TestWiki.newTitle("Nothing")) }
        #expect(error?.description.contains("missingtitle") == true)
    }
}
