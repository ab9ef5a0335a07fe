import Foundation
import TalkGit
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore

@Suite(.temporaryDirectory) struct PendingTests {
    private func placed(_ number: Int, _ texts: [String], base: Int64 = 1) -> PlacedReply {
        PlacedReply(reply: makeReply(number, base: base), author: "Chloe", content: makeContent(texts))
    }

    private func makeFilledStore() async throws -> Store {
        let store = try makeStore()
        try await store.add([(makeRecord(1), makeContent(["one"]))], to: bridge)
        return store
    }

    @Test func commitsEachReplyAndShowsIt() async throws {
        let store = try await makeFilledStore()
        var branch = try await store.pendingBranch(of: bridge)
        #expect(branch.tip == nil && branch.isOnBase && branch.commits == [])
        branch = try await store.appendPending(placed(1, ["one, mine"]), to: branch)
        let first = branch.tip
        branch = try await store.appendPending(placed(2, ["one, mine, more"]), to: branch)
        #expect(branch.commits.map(\.reply) == [makeReply(1, base: 1), makeReply(2, base: 1)])
        #expect(branch.commits.map(\.author) == ["Chloe", "Chloe"])
        #expect(branch.foot == branch.base?.commit)
        let page = try #require(try store.reader.page(bridge))
        #expect(page.content == makeContent(["one, mine, more"]))
        #expect(page.pending == [makeReply(1, base: 1), makeReply(2, base: 1)])
        #expect(page.stamp.commit == branch.tip)
        #expect(try await store.pagesWithPendingReplies() == [bridge])
        #expect(try await store.pages() == [bridge])
        // The page's own branch is as it was.
        #expect(try await store.records(of: bridge).count == 1)
        #expect(
            try git("cat-file", "commit", #require(branch.tip), in: storePath()) == """
                tree \(page.stamp.tree)
                parent \(#require(first))
                author Chloe <Chloe@en.wiki.example> 1700000502 +0000
                committer git-talk <git-talk@localhost> 1700000502 +0000

                I agree.

                Pending-Id: \(makeReply(2).id)
                Pending-Target: c-Ben-20231114000000-T1
                Wiki-Base: 1

                """)
        #expect(try fsck() == [])
    }

    @Test func aTopicOnAMissingPageStandsOnNothing() async throws {
        let store = try makeStore()
        var reply = makeReply(1, text: "First!", base: 0)
        reply.kind = .topic
        reply.target = nil
        reply.heading = "Welcome"
        let content = makeContent(["First!"], lede: "")
        let empty = try await store.pendingBranch(of: bridge)
        let branch = try await store.appendPending(PlacedReply(reply: reply, author: "A", content: content), to: empty)
        #expect(branch.foot == nil && branch.base == nil)
        #expect(branch.commits.map(\.reply) == [reply])
        #expect(try store.reader.page(bridge)?.content == content)
        #expect(try await store.pages() == [])
        #expect(
            try git("log", "-1", "--format=%B", StoreLayout.pendingBranch(of: bridge), in: storePath())
                == "Welcome: First!\n\nPending-Id: \(reply.id)\nWiki-Base: 0\n\n")
        // The page appears on the wiki: the reply is then beside it.
        try await store.add([(makeRecord(1), makeContent(["one"]))], to: bridge)
        let later = try await store.pendingBranch(of: bridge)
        #expect(!later.isOnBase)
        #expect(try store.reader.page(bridge)?.content == content)
    }

    @Test func aNewRevisionWaitsForTheRebase() async throws {
        let store = try await makeFilledStore()
        let before = try await store.pendingBranch(of: bridge)
        try await store.appendPending(placed(1, ["one, mine"]), to: before)
        try await store.add([(makeRecord(2), makeContent(["one, theirs"]))], to: bridge)
        #expect(try store.reader.page(bridge)?.content == makeContent(["one, mine"]))
        let branch = try await store.pendingBranch(of: bridge)
        #expect(!branch.isOnBase)
        let moved = try await store.replacePending(branch, with: [placed(1, ["one, theirs, mine"], base: 2)])
        #expect(moved.isOnBase)
        #expect(moved.commits.map(\.reply.base.rawValue) == [2])
        #expect(try store.reader.page(bridge)?.content == makeContent(["one, theirs, mine"]))
        // Done again with what it gave, nothing changes.
        #expect(try await store.replacePending(moved, with: [placed(1, ["one, theirs, mine"], base: 2)]) == moved)
        try await store.replacePending(moved, with: [])
        #expect(try store.reader.page(bridge)?.content == makeContent(["one, theirs"]))
        #expect(try await store.pendingBranch(of: bridge).tip == nil)
        #expect(try await store.pagesWithPendingReplies() == [])
        #expect(try Files.list("\(StoreLayout(root: storePath()).pageDirectory(of: bridge))/pending") == nil)
    }

    @Test func dropsOneOfThree() async throws {
        let store = try await makeFilledStore()
        var branch = try await store.pendingBranch(of: bridge)
        for number in 1...3 {
            branch = try await store.appendPending(placed(number, ["one", "\(number)"]), to: branch)
        }
        branch = try await store.replacePending(branch, with: [placed(1, ["one", "1"]), placed(3, ["one", "1, 3"])])
        #expect(branch.commits.map(\.reply.id) == [makeReply(1).id, makeReply(3).id])
        #expect(try store.reader.page(bridge)?.pending.map(\.id) == [makeReply(1).id, makeReply(3).id])
    }

    @Test func neverOverwritesWhatItHasNotSeen() async throws {
        let store = try await makeFilledStore(), other = try Store.open(at: storePath())
        let branch = try await store.pendingBranch(of: bridge)
        try await other.appendPending(placed(1, ["one, other"]), to: branch)
        for attempt in [
            { try await store.appendPending(placed(2, ["one, mine"]), to: branch) },
            { try await store.replacePending(branch, with: []) },
        ] {
            let error = await #expect(throws: TalkError.self) { _ = try await attempt() }
            #expect(error?.kind == .busy)
        }
        let seen = try await store.pendingBranch(of: bridge)
        try await other.add([(makeRecord(2), makeContent(["two"]))], to: bridge)
        let error = await #expect(throws: TalkError.self) {
            try await store.replacePending(seen, with: [placed(1, ["one"])])
        }
        #expect(error?.kind == .busy)
        #expect(try await store.pendingBranch(of: bridge).commits.map(\.reply.id) == [makeReply(1).id])
    }

    @Test func aReplyIsCommittedOnce() async throws {
        let store = try await makeFilledStore()
        let before = try await store.pendingBranch(of: bridge)
        let once = try await store.appendPending(placed(1, ["one, mine"]), to: before)
        // The program died before it learned that; it does the same again, from what it knew.
        #expect(try await store.appendPending(placed(1, ["one, mine"]), to: before) == once)
    }

    @Test func keepsPendingPagesFromEviction() async throws {
        let store = try await makeFilledStore()
        let before = try await store.pendingBranch(of: bridge)
        let branch = try await store.appendPending(placed(1, ["one, mine"]), to: before)
        #expect(await #expect(throws: TalkError.self) { try await store.evict(bridge) }?.kind == .invalid)
        try await store.replacePending(branch, with: [])
        try await store.save(PageState(page: bridge, displayTitle: "Talk:Old Stone Bridge"))
        try git("update-ref", "refs/remotes/hub/en.wiki.example/Talk/Old_Stone_Bridge", "main", in: storePath())
        try await store.evict(bridge)
        #expect(try await store.pages() == [])
        #expect(try store.reader.page(bridge) == nil)
        #expect(try store.state(of: bridge) == nil)
        #expect(try git("for-each-ref", "--format=%(refname)", in: storePath()) == "refs/heads/main\n")
        try await store.evict(bridge)
    }

    @Test(arguments: ["", "x", "../../x", "01ARZ3NDEKTSV4RRFFQ69G5FAV"])
    func refusesAnIDThatIsNoName(id: String) async throws {
        let store = try await makeFilledStore()
        var reply = makeReply(1)
        reply.id = id
        let branch = try await store.pendingBranch(of: bridge)
        await #expect(throws: TalkError.self) {
            try await store.appendPending(
                PlacedReply(reply: reply, author: "A", content: makeContent(["x"])), to: branch)
        }
        await #expect(throws: TalkError.self) {
            try await store.save(OutboxEntry(reply: reply, page: bridge, account: "A"))
        }
        #expect(try store.outbox().entries == [])
    }
}

@Suite(.temporaryDirectory) struct OutboxTests {
    @Test func keepsJournalsInTheOrderOfWriting() async throws {
        let store = try makeStore()
        #expect(try store.outbox() == OutboxListing(entries: [], unreadable: []))
        var entries = [3, 1, 2].map {
            OutboxEntry(reply: makeReply($0, text: "Text \($0)\n\0 \u{202E}"), page: bridge, account: "Chloe")
        }
        for entry in entries { try await store.save(entry) }
        #expect(try store.outbox().entries.map(\.reply.id) == [1, 2, 3].map { makeReply($0).id })
        entries[1].state = .sending
        entries[1].sentAt = 1_700_000_600
        try await store.save(entries[1])
        #expect(try store.outboxEntry(makeReply(1).id) == entries[1])
        #expect(try store.outboxEntry(makeReply(9).id) == nil)
        #expect(try store.outboxEntry("../config") == nil)
        let path = store.layout.outboxEntry(makeReply(1).id)
        #expect(try Files.information(path)?.permissions == 0o600)
        try await store.removeEntry(makeReply(1).id)
        try await store.removeEntry(makeReply(1).id)
        #expect(try store.outbox().entries.count == 2)
        #expect(try Files.list(store.layout.outbox)?.count == 2)
    }

    /// Two programs that change a journal do so one after the other, each from what the other one wrote.
    @Test func changesAJournalFromWhatItSaysThen() async throws {
        let stores = [try makeStore(), try Store.open(at: storePath())]
        let id = makeReply(1).id
        #expect(try await stores[0].updateEntry(id) { _ in true } == nil)
        try await stores[0].save(OutboxEntry(reply: makeReply(1), page: bridge, account: "Chloe"))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for store in stores {
                group.addTask {
                    for _ in 1...20 {
                        _ = try await store.updateEntry(id) { entry in
                            entry.attempts += 1
                            return true
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let entry = try #require(try stores[1].outboxEntry(id))
        #expect(entry.attempts == 40)
        let refused = try await stores[0].updateEntry(id) { entry in
            entry.state = .discarded
            return false
        }
        #expect(refused == nil)
        #expect(try stores[1].outboxEntry(id) == entry)
    }

    @Test func oneDamagedJournalHidesNoOther() async throws {
        let store = try makeStore()
        for number in [1, 2] {
            try await store.save(OutboxEntry(reply: makeReply(number), page: bridge, account: "Chloe"))
        }
        let path = store.layout.outboxEntry(makeReply(1).id)
        try Files.replace(path, Array("{".utf8), mode: 0o600, scratch: path + ".x")
        try Files.create(store.layout.outbox + "/notes.txt", [1], mode: 0o600)
        let listing = try store.outbox()
        #expect(listing.entries.map(\.reply.id) == [makeReply(2).id])
        #expect(listing.unreadable == [makeReply(1).id])
        #expect(#expect(throws: TalkError.self) { try store.outboxEntry(makeReply(1).id) }?.kind == .damaged)
    }

    @Test func theJournalAloneRebuildsTheBranch() async throws {
        let store = try makeStore()
        try await store.add([(makeRecord(1), makeContent(["one"]))], to: bridge)
        let empty = try await store.pendingBranch(of: bridge)
        let placed = PlacedReply(reply: makeReply(1, base: 1), author: "Chloe", content: makeContent(["one, mine"]))
        try await store.save(OutboxEntry(reply: placed.reply, page: bridge, account: placed.author))
        let branch = try await store.appendPending(placed, to: empty)
        try git("update-ref", "-d", StoreLayout.pendingBranch(of: bridge), in: storePath())
        let entry = try #require(try store.outbox().entries.first)
        let again = PlacedReply(reply: entry.reply, author: entry.account, content: placed.content)
        #expect(try await store.appendPending(again, to: store.pendingBranch(of: bridge)) == branch)
    }

    /// Where a posted reply went is needed until those that answer it know; others go at once.
    @Test func keepsTheJournalOfAPostedReplyThatIsAnswered() async throws {
        let store = try makeStore()
        var parent = OutboxEntry(reply: makeReply(1), page: bridge, account: "Chloe")
        parent.state = .posted
        var answer = OutboxEntry(reply: makeReply(2), page: bridge, account: "Chloe")
        answer.reply.target?.id = "pending:\(makeReply(1).id)"
        for entry in [parent, answer] { try await store.save(entry) }
        try await store.removeEntry(makeReply(1).id)
        #expect(try store.outboxEntry(makeReply(1).id)?.isSeen == true)
        try await store.updateEntry(makeReply(2).id) { entry in
            entry.reply.target?.id = "c-Chloe-20231114000000"
            return true
        }
        try await store.removeEntry(makeReply(1).id)
        #expect(try store.outbox().entries.map(\.reply.id) == [makeReply(2).id])
    }

    @Test func aParentThatWillNotBePostedIsRemovedAtOnce() async throws {
        let store = try makeStore()
        var answer = OutboxEntry(reply: makeReply(2), page: bridge, account: "Chloe")
        answer.reply.target?.id = "pending:\(makeReply(1).id)"
        try await store.save(OutboxEntry(reply: makeReply(1), page: bridge, account: "Chloe"))
        try await store.save(answer)
        try await store.removeEntry(makeReply(1).id)
        #expect(try store.outboxEntry(makeReply(1).id) == nil)
    }

    @Test func oneProcessAtATimeMaySend() async throws {
        let store = try makeStore(), other = try Store.open(at: storePath())
        var lock = try await store.senderLock()
        #expect(lock != nil)
        #expect(try await other.senderLock() == nil)
        lock = nil
        #expect(try await other.senderLock() != nil)
    }

    @Test func whatIsSetAsideKeepsTextAndReason() async throws {
        let store = try makeStore()
        var entry = OutboxEntry(reply: makeReply(1, text: "Über\n\n: *x*  \n"), page: bridge, account: "Chloe")
        entry.state = .discarded
        entry.reason = "the comment was removed"
        let discarded = try await store.discard(entry, reason: "  the comment was removed\n\nPending-Id: fake\n")
        #expect(discarded.entry == entry)
        #expect(discarded.text == "Über\n\n: *x*  \n")
        #expect(discarded.reason == "the comment was removed\nPending-Id: fake")
        #expect(try await store.discard(entry, reason: "  the comment was removed\n\nPending-Id: fake\n") == discarded)
        #expect(try await store.discarded() == [discarded])
        #expect(try await store.discarded(makeReply(1).id) == discarded)
        #expect(
            try git("ls-tree", "--name-only", "refs/discarded/\(makeReply(1).id)", in: storePath())
                == "entry.json\ntext\n")
        #expect(
            try git("log", "--format=%an%n%B", "refs/discarded/\(makeReply(1).id)", in: storePath()) == """
                Chloe
                Über : *x*

                the comment was removed
                Pending-Id: fake

                Pending-Id: \(makeReply(1).id)
                Pending-Target: c-Ben-20231114000000-T1
                Wiki-Base: 2


                """)
        #expect(try fsck() == [])
        let other = try await store.discard(entry, reason: "another reason")
        #expect(try await store.discarded() == [other])
        try await store.removeDiscarded(makeReply(1).id)
        try await store.removeDiscarded(makeReply(1).id)
        #expect(try await store.discarded() == [])
    }
}
