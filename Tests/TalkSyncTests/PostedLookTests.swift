import Foundation
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore
@testable import TalkSync

/// How the history is asked for: all of it, and the texts of the few revisions that matter.
@Suite(.temporaryDirectory) struct PostedLookTests {
    static let wiki = Wiki(
        key: "stub.example", api: "", server: "", articlePath: "/wiki/$1", script: "", generator: "", siteName: "",
        language: "en", isRightToLeft: false, timezone: "UTC",
        namespaces: [Namespace(id: 1, name: "Talk", canonical: "Talk")], interwikiPrefixes: [], contributionsNames: [],
        signatureFormats: [], hasDiscussionTools: false)

    /// 700 revisions since the base; number 612 is the reply.
    static let ours = 612

    static func revision(_ id: Int, withText: Bool) -> String {
        let user = id == ours ? "Alice" : "Bob"
        let text = id < ours ? "Hello" : "Hello\\n:Found. [[User:Alice]] 12:00"
        let slot = withText ? #","slots":{"main":{"contentmodel":"wikitext","content":"\#(text)"}}"# : ""
        return #"""
            {"revid":\#(id),"parentid":\#(id - 1),"user":"\#(user)","timestamp":"2024-03-01T10:00:00Z",
            "comment":"/* T */ Reply"\#(slot)}
            """#
    }

    static func entry() -> OutboxEntry {
        var entry = OutboxEntry(
            reply: PendingReply(
                id: ReplyID.make(milliseconds: 1, random: (0, 0)), kind: .reply, text: "Found.", target: nil,
                heading: nil, base: RevisionID(rawValue: 1), created: 0, expires: 0),
            page: PageName(wiki: "stub.example", namespace: "Talk", title: "T"), account: "Alice")
        entry.sentBase = RevisionID(rawValue: 1)
        entry.sentAt = 1_709_287_200
        entry.sentSummary = "/* T */ Reply"
        entry.sentAddition = OutboxEntry.Addition(
            lines: [":Found. [[User:Alice]] 12:00"], place: .init(above: "Hello", occurrence: 1))
        return entry
    }

    @Test func readsALongHistoryToItsEndAndFewTexts() async throws {
        let stub = StubWiki { call in
            if call["list"] == "logevents" { return .json(#"{"query":{"logevents":[]}}"#) }
            guard call["prop"] == "revisions" else { return nil }
            if !call["revids"].isEmpty {
                let revisions = call["revids"].split(separator: "|").compactMap { Int($0) }
                    .map { Self.revision($0, withText: true) }.joined(separator: ",")
                return .json(
                    #"""
                    {"query":{"pages":[{"pageid":7,"title":"Talk:T","revisions":[\#(revisions)]}]}}
                    """#)
            }
            let first = Int(call["rvcontinue"]) ?? Int(call["rvstartid"]) ?? 0, limit = Int(call["rvlimit"]) ?? 0
            let last = min(first + limit - 1, 701)
            let revisions = (first...last).map { Self.revision($0, withText: call["rvprop"].contains("content")) }
            let more = last < 701 && limit > 2 ? #""continue":{"rvcontinue":"\#(last + 1)"},"# : ""
            return .json(
                #"""
                {\#(more)"query":{"pages":[{"pageid":7,"title":"Talk:T","revisions":[\#(revisions.joined(separator: ","))]}]}}
                """#)
        }
        stub.prepend { call in
            guard call["prop"] == "info|revisions" else { return nil }
            return .json(
                #"""
                {"curtimestamp":"2024-03-01T10:05:00Z","query":{"pages":[{"pageid":7,"title":"Talk:T","lastrevid":701}]}}
                """#)
        }
        let store = try Store.create(at: TemporaryDirectory.current.appending(path: "store").path)
        let api = MediaWikiAPI(endpoint: stub.api, settings: NetworkSettings(userAgent: "test"))
        let look = PostedLook(api: api, store: store, wiki: Self.wiki)
        let sight = try await look.look(for: Self.entry(), claimed: [])
        #expect(sight.found == .posted(RevisionID(rawValue: 612)))
        #expect(sight.serverTime == 1_709_287_500)
        let texts = stub.calls.filter { $0["rvprop"].contains("content") }
        #expect(texts.map { $0["revids"] } == ["611|612"])
        #expect(stub.calls.filter { $0["prop"] == "revisions" }.count == 3)

        let claimed = try await look.look(for: Self.entry(), claimed: [RevisionID(rawValue: 612)])
        #expect(claimed.found == .absent)

        // Who restored the page may have left the revision out.
        stub.prepend { call in
            guard call["list"] == "logevents" else { return nil }
            let event = #"{"type":"delete","action":"delete","timestamp":"2024-03-01T10:01:00Z"}"#
            return .json(#"{"query":{"logevents":[\#(event)]}}"#)
        }
        let error = await #expect(throws: TalkError.self) {
            try await look.look(for: Self.entry(), claimed: [RevisionID(rawValue: 612)])
        }
        #expect(error?.kind == .notFound)
    }
}
