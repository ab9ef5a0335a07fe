import Foundation
import TalkGit
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore

/// What a user sees who points plain git at a store.
@Suite(.temporaryDirectory) struct GitAccessTests {
    private func makeFilledStore() async throws -> Store {
        let store = try makeStore()
        try await store.add(
            [(makeRecord(1), makeContent(["one"])), (makeRecord(2), makeContent(["one", "two"]))], to: bridge)
        let branch = try await store.pendingBranch(of: bridge)
        let reply = makeReply(1)
        try await store.appendPending(
            PlacedReply(reply: reply, author: "Chloe", content: makeContent(["one", "two and mine"])), to: branch)
        try await store.discard(OutboxEntry(reply: makeReply(2), page: bridge, account: "Chloe"), reason: "gone")
        return store
    }

    @Test func gitWorksInTheStoreAndBelowIt() async throws {
        _ = try await makeFilledStore()
        let branch = "en.wiki.example/Talk/Old_Stone_Bridge"
        let below = storePath() + "/" + branch
        #expect(try git("log", "--format=%an %s", branch, in: storePath()) == "Chloe reply\nChloe reply\n")
        #expect(
            try git("diff", "--stat", "--format=", branch + "~1", branch, in: below).split(separator: "\n").count == 3)
        #expect(try git("grep", "-c", "two", branch, in: storePath()) == "\(branch):sections/T2.html:1\n")
        #expect(try git("check-attr", "-a", "sections/T1.html", in: storePath()).contains("text: unset"))
        try git("worktree", "add", "--detach", "--quiet", storePath("worktree"), branch, in: storePath())
        #expect(try Files.list(storePath("worktree")) == [".git", "lede.html", "page.json", "sections"])
        #expect(throws: Never.self) { try Store.open(at: storePath()) }
        let store = try Store.open(at: storePath())
        #expect(try await store.records(of: bridge).count == 2)
    }

    @Test func aCloneHasNoPendingReply() async throws {
        _ = try await makeFilledStore()
        for arguments in [["clone", "--quiet"], ["clone", "--quiet", "--mirror"]] {
            let target = storePath("clone\(arguments.count)")
            let (status, output) = try runGit(
                arguments + ["file://" + storePath(), target], in: TemporaryDirectory.current.path)
            #expect(status == 0, "\(output)")
            let references = try git("for-each-ref", "--format=%(refname)", in: target)
            #expect(references.contains("Old_Stone_Bridge"))
            #expect(!references.contains("pending") && !references.contains("discarded"), "\(references)")
            #expect(try runGit(["cat-file", "-e", "HEAD"], in: target).status == 0)
        }
        let hidden = try git("rev-parse", "refs/heads/pending/en.wiki.example/Talk/Old_Stone_Bridge", in: storePath())
        #expect(
            try runGit(["cat-file", "-e", hidden.trimmingCharacters(in: .newlines)], in: storePath("clone2")).status
                != 0)
    }

    @Test(arguments: ["--all", "--mirror", "refs/discarded/*", "refs/heads/pending/*:refs/heads/x/*"])
    func aPushCarriesNoPendingReply(what: String) async throws {
        _ = try await makeFilledStore()
        let hub = storePath("hub")
        try git("init", "--bare", "--quiet", hub, in: TemporaryDirectory.current.path)
        for directory in [storePath(), storePath() + "/en.wiki.example/Talk"] {
            let (status, output) = try runGit(["push", hub, what], in: directory)
            #expect(status != 0)
            #expect(output.contains("holds replies that are not on the wiki"), "\(output)")
            #expect(try git("for-each-ref", in: hub) == "")
        }
    }

    @Test func aPushOfAPageWorks() async throws {
        _ = try await makeFilledStore()
        let hub = storePath("hub")
        try git("init", "--bare", "--quiet", hub, in: TemporaryDirectory.current.path)
        try git("push", "--quiet", hub, "main", "en.wiki.example/Talk/Old_Stone_Bridge", in: storePath())
        #expect(try git("for-each-ref", "--format=%(refname)", in: hub).split(separator: "\n").count == 2)
    }

    @Test func packedReferencesAreReadAndMoved() async throws {
        let store = try await makeFilledStore()
        try git("pack-refs", "--all", in: storePath())
        try git("gc", "--quiet", in: storePath())
        try await store.add([(makeRecord(3), makeContent(["three"]))], to: bridge)
        #expect(try await store.records(of: bridge).count == 3)
        #expect(try await Store.open(at: storePath()).records(of: bridge).count == 3)
        let branch = try await store.pendingBranch(of: bridge)
        #expect(branch.commits.count == 1)
        try await store.replacePending(branch, with: [])
        #expect(try await store.pendingBranch(of: bridge).tip == nil)
        #expect(try fsck() == [])
    }
}
