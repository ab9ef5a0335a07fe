import Foundation
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore

@Suite(.temporaryDirectory) struct RevisionsTests {
    @Test func keepsRevisionsAsCommitsThatGitAccepts() async throws {
        let store = try makeStore()
        let first = try await store.add([(makeRecord(1), makeContent(["one"]))], to: bridge)
        #expect(first.previous == nil)
        #expect(first.current?.record == makeRecord(1))
        let second = try await store.add(
            [(makeRecord(2, user: nil, summary: nil), makeContent(["one", "two"]))], to: bridge)
        #expect(second.previous == first.current)
        #expect(second.written == [RevisionID(rawValue: 2)])
        let records = try await store.records(of: bridge)
        #expect(records.map(\.record) == [makeRecord(1), makeRecord(2, user: nil, summary: nil)])
        #expect(try await store.tip(of: bridge) == records.last)
        #expect(try await store.pages() == [bridge])
        #expect(try await store.content(of: bridge, at: RevisionID(rawValue: 1)) == makeContent(["one"]))
        #expect(try store.reader.page(bridge)?.content == makeContent(["one", "two"]))

        let fsck = try git("fsck", "--strict", "--no-dangling", in: storePath())
        #expect(!fsck.contains("error") && !fsck.contains("warning"), "\(fsck)")
        let log = try git(
            "cat-file", "-p", "refs/heads/en.wiki.example/Talk/Old_Stone_Bridge", in: storePath())
        #expect(
            log == """
                tree \(records[1].tree)
                parent \(records[0].commit)
                author (hidden) <hidden@en.wiki.example> 1700000120 +0000
                committer git-talk <git-talk@localhost> 1700000120 +0000

                (summary hidden)

                Wiki-Revision: 2
                Wiki-Parent: 1
                Wiki-Page-Id: 45
                Wiki-Format: 1

                """)
    }
}
