import TalkPages
import Testing

@testable import TalkSync

/// When a pull need not know what else is cached.
@Suite struct NextRevisionTests {
    private func info(_ id: Int64, parent: Int64, page: Int64 = 7, at time: Int64) -> RevisionInfo {
        RevisionInfo(
            id: RevisionID(rawValue: id), parent: RevisionID(rawValue: parent), page: PageID(rawValue: page),
            timestamp: time, user: "Bob", summary: "")
    }

    @Test func theNextEditFollowsTheCachedOne() {
        let cached = info(12, parent: 11, at: 100).record(format: 1)
        #expect(info(15, parent: 12, at: 101).follows(cached))
        // Two edits in a second.
        #expect(info(13, parent: 12, at: 100).follows(cached))
    }

    @Test func whatMayBeCachedAlreadyDoesNot() {
        let cached = info(12, parent: 11, at: 100).record(format: 1)
        // Others came between, it was taken back, the page was moved, imported, or brought back from a backup.
        #expect(!info(15, parent: 13, at: 101).follows(cached))
        #expect(!info(11, parent: 10, at: 90).follows(cached))
        #expect(!info(15, parent: 12, page: 8, at: 101).follows(cached))
        #expect(!info(15, parent: 12, at: 99).follows(cached))
        #expect(!info(12, parent: 12, at: 101).follows(cached))
    }
}
