import Foundation
import TalkGit
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore

/// What a user's own git commands leave in a store: it is said or healed, and nothing is lost.
@Suite(.temporaryDirectory) struct UserGitTests {
    private static let other = PageName(wiki: bridge.wiki, namespace: "Talk", title: "Other")
    private let branch = StoreLayout.branch(of: bridge), pendingBranch = StoreLayout.pendingBranch(of: bridge)

    private func filled(_ count: Int64) async throws -> Store {
        let store = try makeStore()
        for id in 1...count { try await store.add([(makeRecord(id), makeContent(["text \(id)"]))], to: bridge) }
        return store
    }

    /// `fetch --depth` hides history from git, and a repack would remove for good what git does not see.
    @Test(arguments: ["shallow", "graft", "replace"]) func aRepackKeepsHistoryThatGitDoesNotSee(how: String)
        async throws
    {
        let store = try await filled(5)
        let tip = try git("rev-parse", branch, in: storePath()).dropLast()
        switch how {
        case "shallow": try Data("\(tip)\n".utf8).write(to: URL(filePath: storePath() + "/.git/shallow"))
        case "graft": try Data("\(tip)\n".utf8).write(to: URL(filePath: storePath() + "/.git/info/grafts"))
        default: try git("replace", "--graft", String(tip), in: storePath())
        }
        try await store.collectGarbage(gitProgram())
        #expect(try await store.records(of: bridge).map(\.record.id.rawValue) == [1, 2, 3, 4, 5])
        if how == "replace" { try git("replace", "-d", String(tip), in: storePath()) }
        for file in ["shallow", "info/grafts"] {
            try? FileManager.default.removeItem(atPath: "\(storePath())/.git/\(file)")
        }
        #expect(try git("rev-list", "--count", branch, in: storePath()) == "5\n")
    }

    /// A rebase and `filter-branch` write commits that look like ours but for who committed, or a dot at a name's end.
    @Test(arguments: [
        ("committer git-talk <git-talk@localhost>", "committer U <u@u>"),
        ("author Chloe. <", "author Chloe <"), (" <Chloe.@en.wiki.example>", " <u@u>"), ("Wiki-Revision: 1\n", ""),
        (" +0000\n\n", " +0100\n\n"),
    ])
    func aCommitThatIsNotOursIsNamedAndLeftAlone(old: String, new: String) async throws {
        let store = try makeStore()
        try await store.add([(makeRecord(1, user: "Chloe."), makeContent(["one"]))], to: bridge)
        let text = try git("cat-file", "commit", branch, in: storePath())
        try #require(text.contains(old))
        let foreign = try git(
            "hash-object", "-t", "commit", "-w", "--stdin", in: storePath(), input: text.replacing(old, with: new))
        try git("update-ref", branch, foreign, in: storePath())
        let error = await #expect(throws: TalkError.self) {
            try await store.add([(makeRecord(2), makeContent(["two"]))], to: bridge)
        }
        #expect(error?.kind == .damaged)
        #expect(
            error?.message
                == "the page Talk:Old Stone Bridge cannot be stored: the commit \(foreign) is no revision's: somebody put it there with git"
        )
        #expect(error?.hint?.contains("git branch -m") == true)
        #expect(try git("rev-parse", branch, in: storePath()) == foreign + "\n")
        // As the hint says.
        try git("branch", "-m", String(branch.dropFirst(11)), "mine", in: storePath())
        try await store.add([(makeRecord(2), makeContent(["two"]))], to: bridge)
        #expect(try await store.records(of: bridge).count == 1)
        #expect(try git("rev-parse", "mine", in: storePath()) == foreign + "\n")
    }

    /// A revision comes again from the wiki, a commit of the user's does not.
    @Test func whatTheUserWorksOnIsNotDropped() async throws {
        let store = try await filled(2), short = String(branch.dropFirst("refs/heads/".count))
        try git("worktree", "add", "--quiet", storePath("tree"), short, in: storePath())
        #expect(try await store.evict([bridge]) == Eviction(checkedOut: [bridge]))
        try FileManager.default.moveItem(atPath: storePath("tree"), toPath: storePath("moved"))
        try await store.add([(makeRecord(9), makeContent(["nine"]))], to: Self.other)
        try git("symbolic-ref", "HEAD", StoreLayout.branch(of: Self.other), in: storePath("moved"))
        #expect(try await store.evict([Self.other]) == Eviction(evicted: [Self.other]))
        try git("symbolic-ref", "HEAD", branch, in: storePath("moved"))
        try FileManager.default.moveItem(atPath: storePath("moved"), toPath: storePath("tree"))
        #expect(
            await #expect(throws: TalkError.self) { try await store.evict(bridge) }?.message
                == "a worktree has the branch of Talk:Old Stone Bridge checked out, and it stays")
        try git(
            "-c", "user.name=U", "-c", "user.email=u@u", "commit", "--allow-empty", "-qm", "mine", in: storePath("tree")
        )
        try git("worktree", "remove", storePath("tree"), in: storePath())
        let mine = try git("rev-parse", branch, in: storePath())
        #expect(try await store.evict([bridge]) == Eviction(foreign: [bridge]))
        #expect(
            await #expect(throws: TalkError.self) { try await store.evict(bridge) }?.message
                == "Talk:Old Stone Bridge has a commit that is no revision's, and stays: somebody put it there with git"
        )
        try await store.collectGarbage(gitProgram())
        #expect(try git("rev-parse", branch, in: storePath()) == mine)
        // As the hint says; then the page is the wiki's again.
        try git("branch", "-m", short, "mine", in: storePath())
        try await store.add([(makeRecord(2), makeContent(["two"]))], to: bridge)
        #expect(try await store.evict([bridge]) == Eviction(evicted: [bridge]))
        try await store.collectGarbage(gitProgram())
        #expect(try git("rev-parse", "mine", in: storePath()) == mine)
    }

    @Test func whatSomebodyCommittedOntoPendingRepliesIsNotOverwritten() async throws {
        let store = try await filled(2)
        let placed = PlacedReply(reply: makeReply(1), author: "Alice", content: makeContent(["text 2", "reply"]))
        let branch = try await store.appendPending(placed, to: store.pendingBranch(of: bridge))
        let tree = try git("rev-parse", "\(pendingBranch)^{tree}", in: storePath()).dropLast()
        let mine = try git("commit-tree", "-p", pendingBranch, "-m", "mine", String(tree), in: storePath()).dropLast()
        try git("update-ref", pendingBranch, String(mine), in: storePath())
        let error = await #expect(throws: TalkError.self) { try await store.pendingBranch(of: bridge) }
        #expect(error?.message.contains("the commit \(mine) is no reply's: somebody put it there") == true)
        await #expect(throws: TalkError.self) { try await store.replacePending(branch, with: []) }
        #expect(try git("rev-parse", pendingBranch, in: storePath()) == mine + "\n")
        // Moved back or away, all is as before.
        try git("update-ref", pendingBranch, branch.tip ?? "", in: storePath())
        #expect(try await store.pendingBranch(of: bridge) == branch)
        try git("update-ref", pendingBranch, StoreLayout.mainBranch, in: storePath())
        await #expect(throws: TalkError.self) { try await store.pendingBranch(of: bridge) }
    }

    /// Git says that it must not run beside a writer: what is written here is protected until a reference leads to it.
    @Test func aGitThatPrunesAtAnyMomentTakesNothingThatIsWritten() async throws {
        let path = storePath(), counter = StepCounter()
        _ = try makeStore()
        let store = try Store.open(
            at: path, wait: 5,
            faults: StoreFaults { _ in
                counter.count()
                let result = try? runGit(["gc", "--quiet", "--prune=now"], in: path)
                #expect(result?.status == 0, "\(result?.output ?? "")")
            })
        try await store.add([(makeRecord(2), makeContent(["two"]))], to: bridge)
        try await store.add(
            [(makeRecord(1), makeContent(["one"])), (makeRecord(3), makeContent(["three"]))], to: bridge)
        let placed = PlacedReply(reply: makeReply(1), author: "Alice", content: makeContent(["three", "reply"]))
        try await store.appendPending(placed, to: store.pendingBranch(of: bridge))
        try await store.bookmark([bridge], true)
        var entry = OutboxEntry(reply: makeReply(2), page: bridge, account: "Alice")
        entry.state = .discarded
        try await store.discard(entry, reason: "moved")
        #expect(counter.value > 15)
        #expect(try await store.records(of: bridge).map(\.record.id.rawValue) == [1, 2, 3])
        #expect(try await store.content(of: bridge, at: RevisionID(rawValue: 2)) == makeContent(["two"]))
        #expect(try await store.pendingBranch(of: bridge).commits.map(\.reply) == [makeReply(1)])
        #expect(try await store.discarded().map(\.text) == ["I agree."])
        #expect(try await store.bookmarks() == [bridge])
        #expect(try git("fsck", "--strict", "--no-dangling", in: path).contains("error") == false)
        let left = try FileManager.default.contentsOfDirectory(atPath: path + "/.git/objects/pack")
        #expect(left.filter { $0.hasSuffix(".keep") } == [])
    }
}
