import Foundation
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore

/// A branch is a function of the set of its records.
@Suite(.temporaryDirectory) struct UnionTests {
    private func revision(_ id: Int64) -> (record: RevisionRecord, content: PageContent) {
        // Some revisions share their minute, some come out of the order of their ids, as after an import.
        (
            makeRecord(id, minutes: id % 7 == 0 ? id - 5 : id / 2),
            makeContent((0...(id % 4)).map { "text \($0) of \(id / 3)" })
        )
    }

    @Test func anyOrderAndAnyBatchesGiveTheSameBranch() async throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var generator = SeededGenerator(seed: seed)
        let whole = try makeStore("whole")
        let revisions = (1...40).map { revision(Int64($0)) }
        try await whole.add(revisions, to: bridge)
        let expected = try await whole.records(of: bridge)
        #expect(expected.count == 40)
        for round in 0..<4 {
            let store = try makeStore("s\(round)")
            var rest = revisions.shuffled(using: &generator)
            while !rest.isEmpty {
                let batch = Array(rest.prefix(Int.random(in: 1...9, using: &generator)))
                rest.removeFirst(batch.count)
                // Some are added again.
                let again =
                    Bool.random(using: &generator) ? [revision(Int64.random(in: 1...40, using: &generator))] : []
                try await store.add(batch + again, to: bridge)
            }
            #expect(try await store.records(of: bridge) == expected, "seed \(seed), round \(round)")
            #expect(try fsck("s\(round)") == [])
        }
    }

    @Test func anOlderRevisionIsPutWhereItBelongs() async throws {
        let store = try makeStore()
        try await store.add([revision(1), revision(4), revision(9)], to: bridge)
        let before = try await store.records(of: bridge)
        let result = try await store.add([revision(6)], to: bridge)
        let after = try await store.records(of: bridge)
        #expect(after.map(\.record.id.rawValue) == [1, 4, 6, 9])
        #expect(after[..<2].map(\.commit) == before[..<2].map(\.commit))
        #expect(after[3].commit != before[2].commit && after[3].tree == before[2].tree)
        #expect(result.written == [RevisionID(rawValue: 6)])
        #expect(result.previous?.record == result.current?.record)
        // The page's directory follows, though its files are the same.
        #expect(try store.reader.stamp(of: bridge)?.commit == after[3].commit)
    }

    @Test func theFirstRenderingStaysUntilANewerFormatOrANewRenderingIsAskedFor() async throws {
        let store = try makeStore()
        func text() async throws -> String? {
            try await store.content(of: bridge, at: RevisionID(rawValue: 1))?.sections.first?.html
        }
        try await store.add([(makeRecord(1), makeContent(["first"]))], to: bridge)
        let repeated = try await store.add([(makeRecord(1), makeContent(["second"]))], to: bridge)
        #expect(repeated.written == [])
        #expect(try await text() == "<h2>T1</h2>\n<p>first</p>\n")
        try await store.add([(makeRecord(1, render: 1), makeContent(["asked for"]))], to: bridge)
        #expect(try await text() == "<h2>T1</h2>\n<p>asked for</p>\n")
        let newer = try await store.add([(makeRecord(1, format: 2), makeContent(["newer"]))], to: bridge)
        #expect(newer.written == [RevisionID(rawValue: 1)])
        #expect(try await text() == "<h2>T1</h2>\n<p>newer</p>\n")
        try await store.add([(makeRecord(1, format: 1, render: 9), makeContent(["older"]))], to: bridge)
        #expect(try await text() == "<h2>T1</h2>\n<p>newer</p>\n")
        #expect(try await store.records(of: bridge).count == 1)
    }

    @Test func twoStoresThatJoinEachOtherBecomeEqual() async throws {
        let a = try makeStore("a"), b = try makeStore("b")
        // Revision 5 was rendered differently on the two machines.
        func canonical(_ ids: [Int64]) throws -> [(record: RevisionRecord, content: PageContent)] {
            try ids.map { (revision($0).record, try makeCanonicalContent(["text of \($0)"])) }
        }
        try await a.add(canonical([1, 2, 5, 8]), to: bridge)
        try await b.add(canonical([2, 3, 8, 9]), to: bridge)
        try await b.add([(revision(5).record, try makeCanonicalContent(["another rendering"]))], to: bridge)
        let branch = StoreLayout.branch(of: bridge)
        for (target, source) in [("a", "b"), ("b", "a")] {
            let copy = "refs/remotes/other/" + branch.dropFirst("refs/heads/".count)
            try git("fetch", "--quiet", storePath(source), "+\(branch):\(copy)", in: storePath(target))
        }
        let inA = try await a.take(from: "other"), inB = try await b.take(from: "other")
        #expect(inA.refused == [] && inB.refused == [])
        #expect(try await a.records(of: bridge) == b.records(of: bridge))
        #expect(try await a.records(of: bridge).map(\.record.id.rawValue) == [1, 2, 3, 5, 8, 9])
        #expect(inB.pages.map(\.page) == [bridge])
        // Once more changes nothing.
        #expect(try await a.take(from: "other").pages == [])
    }

    @Test func aMovedPageTakesItsRevisionsToTheNewTitle() async throws {
        let store = try makeStore()
        let other = PageName(wiki: bridge.wiki, namespace: "Talk", title: "New Bridge")
        try await store.add([1, 2, 3].map(revision), to: bridge)
        // Another page stood at the new title before.
        var foreign = makeRecord(90, minutes: -1)
        foreign.page = PageID(rawValue: 7)
        try await store.add([(foreign, makeContent(["foreign"]))], to: other)
        let result = try await store.copyRevisions(of: PageID(rawValue: 45), from: bridge, to: other)
        #expect(result.written.map(\.rawValue) == [1, 2, 3])
        #expect(try await store.records(of: other).map(\.record.id.rawValue) == [90, 1, 2, 3])
        #expect(try await store.records(of: bridge).count == 3)
        #expect(try await store.copyRevisions(of: PageID(rawValue: 45), from: bridge, to: other).written == [])
    }

    @Test func saysThatSomebodyCommittedOntoAPage() async throws {
        let store = try makeStore()
        try await store.add([revision(1)], to: bridge)
        let branch = StoreLayout.branch(of: bridge)
        let commit = try git("commit-tree", branch + "^{tree}", "-p", branch, in: storePath(), input: "mine")
        try git("update-ref", branch, commit, in: storePath())
        let error = await #expect(throws: TalkError.self) { try await store.add([revision(2)], to: bridge) }
        #expect(error?.kind == .damaged)
        #expect(error?.message.contains("Talk:Old Stone Bridge") == true)
    }
}
