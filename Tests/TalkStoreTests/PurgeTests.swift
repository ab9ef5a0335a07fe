import Foundation
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore

/// What is purged is gone from the branch, stays gone, and leaves the same branch everywhere.
@Suite(.temporaryDirectory) struct PurgeTests {
    private func revision(_ id: Int64) -> (record: RevisionRecord, content: PageContent) {
        (makeRecord(id, minutes: id), makeContent(["text of \(id)"]))
    }

    private func id(_ number: Int64) -> RevisionID { RevisionID(rawValue: number) }

    @Test func theBranchIsAsIfTheHiddenPartsHadNeverBeenThere() async throws {
        let store = try makeStore()
        try await store.add((1...4).map { revision($0) }, to: bridge)
        let taken = try await store.purge([id(2): .text, id(4): [.user, .summary]], of: bridge)
        #expect(taken == [id(2): .text, id(4): [.user, .summary]])
        var hidden = revision(4)
        hidden.record.user = nil
        hidden.record.summary = nil
        let other = try makeStore("other")
        try await other.add([revision(1), revision(3), hidden], to: bridge)
        let left = try await store.records(of: bridge)
        #expect(try await other.records(of: bridge) == left)
        #expect(left.map(\.record.id) == [1, 3, 4].map(id))
        #expect(try await store.purged(of: bridge) == taken)
        #expect(try fsck("store") == [])
    }

    @Test func whatWasPurgedComesBackFromNowhere() async throws {
        let store = try makeStore(), arch = PageName(wiki: bridge.wiki, namespace: "Talk", title: "Arch")
        try await store.add((1...4).map { revision($0) }, to: bridge)
        _ = try await store.purge([id(2): .text, id(3): .user], of: bridge)
        let left = try await store.records(of: bridge)
        try await store.add((1...4).map { revision($0) }, to: bridge)
        #expect(try await store.records(of: bridge) == left)
        try await store.add((1...4).map { revision($0) }, to: arch)
        try await store.copyRevisions(of: revision(1).record.page, from: arch, to: bridge)
        #expect(try await store.records(of: bridge) == left)
        // Other titles have records of their own.
        #expect(try await store.records(of: arch).count == 4)
        #expect(try await store.purged(of: arch) == [:])
    }

    @Test func partsAddUpAndTheSameAgainChangesNothing() async throws {
        let store = try makeStore(), arch = PageName(wiki: bridge.wiki, namespace: "Talk", title: "Arch")
        try await store.add([revision(1), revision(2)], to: bridge)
        try await store.add([revision(1)], to: arch)
        _ = try await store.purge([id(1): .user], of: bridge)
        _ = try await store.purge([id(1): .summary], of: arch)
        let again = try await store.purge([id(1): .user], of: bridge)
        #expect(again == [:])
        let taken = try await store.purge([id(1): .summary], of: bridge)
        #expect(taken == [id(1): [.user, .summary]])
        #expect(try await store.purged(of: arch) == [id(1): .summary])
        // The record is the same whatever came first.
        let other = try makeStore("other")
        _ = try await other.purge([id(1): .summary], of: arch)
        _ = try await other.purge([id(1): [.user, .summary]], of: bridge)
        let name = "refs/meta/purged"
        let first = try git("rev-parse", name, in: storePath()),
            second = try git("rev-parse", name, in: storePath("other"))
        #expect(first == second)
        let file = try git("show", "\(name):en.wiki.example/Talk/Old_Stone_Bridge/1", in: storePath())
        #expect(file == "user summary\n")
    }

    @Test func aPageOfWhichNothingIsLeftIsNotCached() async throws {
        let store = try makeStore()
        try await store.add([revision(1)], to: bridge)
        _ = try await store.purge([id(1): .revision], of: bridge)
        #expect(try await store.tip(of: bridge) == nil)
        #expect(try store.reader.stamp(of: bridge) == nil)
        try await store.add([revision(1)], to: bridge)
        #expect(try await store.tip(of: bridge) == nil)
        try await store.add([revision(2)], to: bridge)
        #expect(try await store.tip(of: bridge)?.record.id == id(2))
    }
}
