import TalkPages
import Testing

@testable import TalkStore
@testable import TalkSync

/// What a recheck purges: the decisions alone.
@Suite struct PageRecheckTests {
    private static let record = RevisionRecord(
        id: RevisionID(rawValue: 10), parent: RevisionID(rawValue: 9), page: PageID(rawValue: 7), timestamp: 100_000,
        user: "Bob", summary: "reply", isMinor: false, format: 1)

    private static func info(
        user: String? = "Bob", summary: String? = "reply", isTextHidden: Bool = false
    ) -> RevisionInfo {
        RevisionInfo(
            id: record.id, parent: record.parent, page: record.page, timestamp: record.timestamp, user: user,
            summary: summary, isTextHidden: isTextHidden)
    }

    @Test func eachHiddenPartIsPurged() {
        let record = Self.record
        #expect(PageRecheck.parts(of: record, Self.info()) == [])
        // A user who was renamed, a summary that was changed: no part is hidden.
        #expect(PageRecheck.parts(of: record, Self.info(user: "Rob", summary: "")) == [])
        #expect(PageRecheck.parts(of: record, Self.info(user: nil)) == .user)
        #expect(PageRecheck.parts(of: record, Self.info(summary: nil)) == .summary)
        #expect(PageRecheck.parts(of: record, Self.info(isTextHidden: true)) == .text)
        #expect(
            PageRecheck.parts(of: record, Self.info(user: nil, summary: nil, isTextHidden: true)) == [
                .text, .user, .summary,
            ])
        var hidden = record
        hidden.user = nil
        hidden.summary = nil
        #expect(PageRecheck.parts(of: hidden, Self.info(user: nil, summary: nil)) == [])
    }

    private static func page(_ latest: Int64, at time: Int64) -> PageCheck {
        var check = PageCheck(requested: "", title: "Talk:Bridge", status: .exists)
        check.latest = RevisionID(rawValue: latest)
        check.serverTime = time
        return check
    }

    @Test func aRevisionIsDeletedWhenItsPageIsThereAndNoReplicaCanLagSoFar() {
        let record = Self.record
        #expect(PageRecheck.parts(ofLost: record, Self.page(11, at: 100_001)) == .revision)
        #expect(PageRecheck.parts(ofLost: record, Self.page(9, at: 100_001)) == [])
        #expect(PageRecheck.parts(ofLost: record, Self.page(9, at: 103_601)) == .revision)
        #expect(PageRecheck.parts(ofLost: record, nil) == [])
        let gone = PageCheck(requested: "", title: "Talk:Bridge", status: .missing)
        #expect(PageRecheck.parts(ofLost: record, gone) == [])
    }

    @Test func hiddenTextIsSeenByTheDigestToo() throws {
        let value = try JSONParser.parse(
            Array(
                #"{"revid":10,"parentid":9,"user":"Bob","timestamp":"2024-03-01T10:00:00Z","comment":"","sha1hidden":true}"#
                    .utf8))
        #expect(RevisionInfo(value, page: PageID(rawValue: 7))?.isTextHidden == true)
    }

    @Test func aPageOfLiquidThreadsIsRefused() async throws {
        #expect(
            MediaWikiAPI.hasLiquidThreads(
                try JSONParser.parse(Array(#"{"extensions":[{"name":"Liquid Threads"}]}"#.utf8))))
        #expect(
            !MediaWikiAPI.hasLiquidThreads(
                try JSONParser.parse(Array(#"{"extensions":[{"name":"DiscussionTools"}]}"#.utf8))))
    }
}
