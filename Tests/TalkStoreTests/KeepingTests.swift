import TalkGit
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore

/// Which pages stay, and why.
@Suite(.temporaryDirectory) struct KeepingTests {
    private func page(_ title: String) -> PageName { PageName(wiki: bridge.wiki, namespace: "Talk", title: title) }

    private func facts(
        _ title: String, visited: Int64? = nil, checked: Int64? = nil,
        _ change: (inout PageKeeping.Facts) -> Void = { _ in }
    ) -> PageKeeping.Facts {
        var state = PageState(page: page(title), displayTitle: title)
        state.checked = checked
        var facts = PageKeeping.Facts(page: page(title), state: state, visited: visited)
        change(&facts)
        return facts
    }

    private func reasons(_ pages: [PageKeeping.Facts], _ limit: Int) -> [[KeepReason]] {
        PageKeeping.decide(pages, limit: limit).map(\.reasons)
    }

    @Test func theLastVisitedStay() {
        let pages = [facts("A", visited: 30), facts("B", visited: 10), facts("C", visited: 20)]
        #expect(reasons(pages, 2) == [[.recent], [], [.recent]])
        #expect(reasons(pages, 0) == [[], [], []])
        #expect(reasons(pages, 5) == [[.recent], [.recent], [.recent]])
    }

    @Test func ofThoseNobodyLookedAtTheLastToComeStay() {
        let pages = [facts("A", checked: 30), facts("B", visited: 1, checked: 2), facts("C", checked: 40)]
        #expect(reasons(pages, 2) == [[], [.recent], [.recent]])
    }

    @Test func whatIsWantedIsNotCounted() {
        let pages = [
            facts("A", visited: 1), facts("B", visited: 90) { $0.isBookmarked = true },
            facts("C", visited: 80) { $0.state?.isKept = true },
            facts("D", visited: 70) {
                $0.state?.history = HistorySpan(
                    newest: RevisionID(rawValue: 2), oldest: RevisionID(rawValue: 1), count: 2, isWhole: true)
            },
            facts("E", visited: 60) { $0.isPending = true }, facts("F", visited: 50) { $0.hasUnseenDiscarded = true },
            facts("G", visited: 40) { $0.state = nil },
            facts("H") {
                $0.isBookmarked = true
                $0.isPending = true
            },
        ]
        #expect(
            reasons(pages, 1) == [
                [.recent], [.bookmark], [.named], [.history], [.pending], [.discarded], [.unknown],
                [.bookmark, .pending],
            ])
        #expect(reasons(pages, 0)[0] == [])
    }

    @Test func aStoreTellsWhatKeepsItsPages() async throws {
        let store = try makeStore()
        for (number, title) in ["Visited", "Named", "Pending", "Waiting", "Discarded", "Seen", "Lost"].enumerated() {
            try await store.add([(makeRecord(2), makeContent(["one"]))], to: page(title))
            if title == "Lost" { continue }
            var state = PageState(page: page(title), displayTitle: title)
            state.isKept = title == "Named"
            state.checked = Int64(number)
            try await store.save(state)
        }
        // A journal whose branch is not made yet, and a branch whose journal is lost.
        try await store.save(OutboxEntry(reply: makeReply(1), page: page("Waiting"), account: "Chloe"))
        let branch = try await store.pendingBranch(of: page("Pending"))
        try await store.appendPending(
            PlacedReply(reply: makeReply(2), author: "Chloe", content: makeContent(["one, mine"])), to: branch)
        for (number, title) in [(3, "Discarded"), (4, "Seen")] {
            var entry = OutboxEntry(reply: makeReply(number), page: page(title), account: "Chloe")
            entry.state = .discarded
            entry.isSeen = title == "Seen"
            try await store.discard(entry, reason: "gone")
            try await store.save(entry)
        }
        try await store.bookmark([page("Seen")], true)
        store.visit(page("Visited"), at: 1_700_000_000)

        func reasons(_ limit: Int) async throws -> [String: [KeepReason]] {
            Dictionary(uniqueKeysWithValues: try await store.keeping(limit: limit).map { ($0.page.title, $0.reasons) })
        }
        let expected: [String: [KeepReason]] = [
            "Visited": [.recent], "Named": [.named], "Pending": [.pending], "Waiting": [.pending],
            "Discarded": [.discarded], "Seen": [.bookmark], "Lost": [.unknown],
        ]
        #expect(try await reasons(1) == expected)
        #expect(try await store.keeping(limit: 1).first { $0.page.title == "Visited" }?.visited == 1_700_000_000)
        // Seen is seen: without its bookmark nothing keeps it, and nobody looked at it.
        try await store.bookmark([page("Seen")], false)
        #expect(try await reasons(1)["Seen"] == [])
        #expect(try await store.evictUnkept(limit: 0, sparing: [page("Visited")]) == [page("Seen")])
        #expect(try await store.evictUnkept(limit: 0) == [page("Visited")])
        #expect(try await store.pages().map(\.title).sorted() == ["Discarded", "Lost", "Named", "Pending", "Waiting"])
        #expect(try store.reader.visited(page("Visited")) == nil)
        // A journal that is lost leaves open whether anybody saw what became of the reply.
        try await store.removeEntry(makeReply(3).id)
        #expect(try await reasons(1)["Discarded"] == [.discarded])
    }

    @Test func whatIsFollowedIsNamedOrBookmarked() async throws {
        let store = try makeStore()
        for title in ["A", "B", "C"] {
            var state = PageState(page: page(title), displayTitle: title)
            state.isKept = title == "A"
            if title == "C" { state.movedTo = page("A") }
            try await store.save(state)
        }
        try await store.bookmark(["A", "B", "C", "D"].map(page), true)
        #expect(try await store.followedPages().map(\.title) == ["A", "B", "D"])
    }

    @Test func aVisitNeedsNoWritableStore() async throws {
        let store = try makeStore()
        try Files.makeDirectories(storePath() + "/.git/git-talk")
        try Files.create(storePath() + "/.git/git-talk/visits", [], mode: 0o600)
        store.visit(bridge, at: 5)
        #expect(try store.reader.visited(bridge) == nil)
        try Files.remove(storePath() + "/.git/git-talk/visits")
        store.visit(bridge, at: 5)
        #expect(try store.reader.visited(bridge) == 5)
        store.visit(bridge, at: 7)
        #expect(try store.reader.visited(bridge) == 7)
    }
}
