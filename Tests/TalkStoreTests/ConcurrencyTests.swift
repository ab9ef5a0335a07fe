import Foundation
import TalkGit
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore

@Suite(.temporaryDirectory) struct ConcurrencyTests {
    @Test func twoStoresOnOnePathLoseNothing() async throws {
        let first = try makeStore(), second = try Store.open(at: storePath(), wait: 60)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, store) in [first, second].enumerated() {
                group.addTask {
                    for id in stride(from: Int64(index + 1), through: 40, by: 2) {
                        try await store.add([(makeRecord(id), makeContent(["\(id)"]))], to: bridge)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await first.records(of: bridge).map(\.record.id.rawValue) == Array(1...40))
        #expect(try await first.records(of: bridge) == second.records(of: bridge))
        #expect(try first.reader.page(bridge)?.content == makeContent(["40"]))
        #expect(try fsck() == [])
    }

    /// git takes no lock of ours: a branch may move between reading it and moving it.
    @Test func joinsOnceMoreWhenGitMovedTheBranch() async throws {
        let path = storePath()
        let store = try makeStore()
        try await store.add([(makeRecord(1), makeContent(["one"])), (makeRecord(2), makeContent(["two"]))], to: bridge)
        let branch = StoreLayout.branch(of: bridge)
        let disturbed = try Store.open(
            at: path, wait: 5,
            faults: StoreFaults { step in
                // The user resets the branch to its first revision.
                if step == "move branch" { _ = try? git("update-ref", branch, branch + "~1", in: path) }
            })
        try await disturbed.add([(makeRecord(3), makeContent(["three"]))], to: bridge)
        #expect(try await store.records(of: bridge).map(\.record.id.rawValue) == [1, 3])
        #expect(try fsck() == [])
    }

    @Test func repliesOfTwoProgramsBothStand() async throws {
        let first = try makeStore(), second = try Store.open(at: storePath(), wait: 60)
        try await first.add([(makeRecord(1), makeContent(["one"]))], to: bridge)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (index, store) in [first, second].enumerated() {
                group.addTask {
                    for number in 1...5 {
                        // Reading, placing and appending again until nobody was faster.
                        while true {
                            let branch = try await store.pendingBranch(of: bridge)
                            let reply = makeReply(10 * index + number, base: 1)
                            let texts = ["one"] + branch.commits.map(\.reply.id) + [reply.id]
                            do {
                                try await store.appendPending(
                                    PlacedReply(reply: reply, author: "A", content: makeContent(texts)), to: branch)
                                break
                            } catch let error as TalkError where error.kind == .busy {
                                await Task.yield()
                            }
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let branch = try await first.pendingBranch(of: bridge)
        #expect(
            Set(branch.commits.map(\.reply.id)) == Set((1...5).flatMap { [makeReply($0).id, makeReply(10 + $0).id] }))
        #expect(try first.reader.page(bridge)?.content == makeContent(["one"] + branch.commits.map(\.reply.id)))
        #expect(try fsck() == [])
    }

    @Test func aPageOfAThousandRevisions() async throws {
        let store = try makeStore()
        func content(_ id: Int64) -> PageContent {
            makeContent((0..<20).map { section in "text of \(section), version \((id + Int64(section)) / 20)" })
        }
        let revisions = (1...1000).map { (makeRecord(Int64($0)), content(Int64($0))) }
        try await store.add(revisions, to: bridge)
        #expect(try store.packing().packs == 2)
        #expect(try await store.records(of: bridge).map(\.record.id.rawValue) == Array(1...1000))
        // An older one makes every later commit anew, and nothing else.
        try await store.add([(makeRecord(1001, minutes: -5), content(3))], to: bridge)
        #expect(try await store.records(of: bridge).first?.record.id.rawValue == 1001)
        #expect(try await store.content(of: bridge, at: RevisionID(rawValue: 500)) == content(500))
        #expect(try store.reader.page(bridge)?.content == content(1000))
        #expect(try git("rev-list", "--count", StoreLayout.branch(of: bridge), in: storePath()) == "1001\n")
        #expect(try fsck() == [])
        let bytes = try #require(try Files.list(storePath() + "/.git/objects/pack")).reduce(0) {
            try $0 + (Files.information(storePath() + "/.git/objects/pack/\($1)")?.size ?? 0)
        }
        #expect(bytes < 1_500_000, "\(bytes) bytes of packs")
    }
}
