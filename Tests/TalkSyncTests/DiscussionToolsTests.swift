import Foundation
import Synchronization
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore
@testable import TalkSync

/// Replies that our own placing finds no place for, on a wiki that has DiscussionTools.
///
/// The wiki of the tests has not, so the proxy answers for it as a real one did, after an edit that saves what it would.
@Suite(.temporaryDirectory, .testWiki) struct DiscussionToolsTests {
    static let text = "== Votes ==\nYes. {{Signed by Carol}}"

    /// Made once for all tests.
    private static let template = Result {
        try TestWiki.required().edit(
            "Template:Signed by Carol",
            to: "[[User:Carol|Carol]] ([[User talk:Carol|talk]]) 11:00, 1 March 2024 (UTC)")
    }

    private func stage(_ words: String, has: Bool = true) async throws -> (SendingStage, String) {
        _ = try Self.template.get()
        var stage = try await SendingStage(words, text: Self.text)
        stage.site.hasDiscussionTools = has
        return (stage, try await stage.reply("Why yes?"))
    }

    /// Saves the reply as DiscussionTools would and gives the recorded answer, with the number of the new revision in it.
    private static func save(_ stage: SendingStage, _ number: String) throws -> StubAnswer {
        let revision = try stage.wiki.edit(
            stage.title, to: text + "\n:Why yes? ~~~~", as: .alice, summary: "/* Votes */ Reply")
        let body = try Recording(number).body.replacing(/"newrevid":\d+/, with: "\"newrevid\":\(revision)")
        return .json(body)
    }

    private func calls(_ stage: SendingStage) -> [StubCall] {
        stage.proxy.calls.filter { $0.kind == "discussiontoolsedit" }.map(\.call)
    }

    @Test func placesByNameAndByIdOnlyWhereThatIsAmbiguous() async throws {
        let (stage, id) = try await stage("Ambiguous")
        let ambiguous = try Recording("504").body
        stage.proxy.add { call in
            guard call.kind == "discussiontoolsedit" else { return nil }
            if call.nth == 1 { return .answer(.json(ambiguous)) }
            return .answer((try? Self.save(stage, "505")) ?? .close)
        }
        #expect(try await stage.sync().first?.outcome.isPosted == true)
        let calls = calls(stage)
        #expect(calls.map { $0["commentname"] } == ["c-Carol-20240301110000", "c-Carol-20240301110000"])
        #expect(calls.map { $0["commentid"] } == ["", "c-Carol-20240301110000-Votes"])
        #expect(calls.map { $0["formtoken"] } == [String(id.suffix(16)), String(id.suffix(16))])
        #expect(calls.map { $0["wikitext"] } == ["Why yes?", "Why yes?"])
        #expect(calls.allSatisfy { $0["assert"] == "user" && $0["assertuser"] == "Alice" && $0["page"] == stage.title })
        #expect(calls.allSatisfy { $0["summary"] == "/* Votes */ Reply" && $0["paction"] == "addcomment" })
        try await stage.expectPosted(id, "Why yes?", edits: 0)
    }

    /// An error of the rendering after the save looks like any other; and the answer of a first request may be lost.
    @Test(arguments: ["790", "507", "lost"])
    func looksForWhatMayHaveBeenSaved(how: String) async throws {
        let (stage, id) = try await stage("May be saved")
        let answer: StubAnswer = how == "lost" ? .close : .json(try Recording(how).body)
        stage.proxy.add { call in
            guard call.kind == "discussiontoolsedit" else { return nil }
            _ = try? Self.save(stage, "500")
            return .answer(answer)
        }
        #expect(try await stage.sync().first?.outcome.isPosted == true)
        #expect(calls(stage).count == 1 && stage.proxy.count("history") > 0)
        try await stage.expectPosted(id, "Why yes?", edits: 0)
    }

    /// The user said the same to somebody else in the topic, and the request never arrived.
    @Test func theSameWordsBelowAnotherCommentAreNotIt() async throws {
        let (stage, id) = try await stage("Elsewhere")
        let text = Self.text + "\n\nNo. [[User:Bob|Bob]] ([[User talk:Bob|talk]]) 11:05, 1 March 2024 (UTC)"
        stage.proxy.add { call in
            guard call.kind == "discussiontoolsedit" else { return nil }
            do {
                try stage.wiki.edit(stage.title, to: text)
                try stage.wiki.edit(
                    stage.title, to: text + "\n:Why yes? ~~~~", as: .alice, summary: "/* Votes */ Reply")
            } catch { Issue.record(error) }
            return .answer(.close)
        }
        guard case .held(let reason) = try await stage.sync().first?.outcome else {
            Issue.record("not held")
            return
        }
        #expect(reason.contains("of this account may be it"))
        #expect(try stage.journal(id).mayBePosted)
    }

    @Test func isHeldWhereItFindsNoPlaceEither() async throws {
        let (stage, id) = try await stage("No place")
        stage.proxy.fail("discussiontoolsedit", .answer(.json(try Recording("945").body)))
        guard case .held(let reason) = try await stage.sync().first?.outcome else {
            Issue.record("not held")
            return
        }
        #expect(
            reason
                == "the signature of the comment that it answers is not in the page's wikitext, and DiscussionTools finds no place for it either"
        )
        let entry = try stage.journal(id)
        #expect(entry.state == .held && !entry.mayBePosted && entry.attempts == 1)
        #expect(try stage.copies("Why yes?") == 0)
    }

    @Test func isHeldOnAPlainWiki() async throws {
        let (stage, _) = try await stage("Plain", has: false)
        let sent = try await stage.sync()
        #expect(
            sent.first?.outcome
                == .held(reason: "the signature of the comment that it answers is not in the page's wikitext"))
        #expect(calls(stage).isEmpty && stage.proxy.count("edit") == 0)
    }

    /// Somebody edits between the pull and the request: DiscussionTools would take the page as it is now.
    @Test func isNotSentWhenThePageIsAnotherOne() async throws {
        let (stage, id) = try await stage("Changes")
        let isChanged = Mutex(false)
        stage.proxy.add { call in
            guard call.kind == "wikitext", !isChanged.withLock({ $0 }) else { return nil }
            isChanged.withLock { $0 = true }
            do { try stage.wiki.edit(stage.title, to: "== Other ==\nNothing. ") } catch { Issue.record(error) }
            return nil
        }
        guard case .setAside = try await stage.sync().first?.outcome else {
            Issue.record("not set aside")
            return
        }
        #expect(calls(stage).isEmpty)
        #expect(try await stage.store.discarded(id)?.text == "Why yes?")
    }
}
