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

    /// By whatever name: a commit of a reply, one below it, one above it, a tag of it, one that nothing names any more, and
    /// its text and its tree.
    @Test(
        arguments: [
            "pending", "pending~1", "pending^{tree}", "pending:pending", "above", "tag", "detached", "discarded",
            "discarded:text",
        ])
    func aPushCarriesNoReplyUnderAnotherName(what: String) async throws {
        let store = try await makeFilledStore()
        let path = storePath(), pending = "refs/heads/pending/en.wiki.example/Talk/Old_Stone_Bridge"
        var branch = try await store.pendingBranch(of: bridge)
        branch = try await store.appendPending(
            PlacedReply(reply: makeReply(3), author: "Chloe", content: makeContent(["one", "two and mine, twice"])),
            to: branch)
        #expect(branch.commits.count == 2)
        let above = try git(
            "-c", "user.name=U", "-c", "user.email=u@u", "commit-tree", "-p", pending, "-m", "mine",
            pending + "^{tree}",
            in: path)
        try git("update-ref", "refs/heads/own", above.trimmingCharacters(in: .newlines), in: path)
        try git("-c", "user.name=U", "-c", "user.email=u@u", "tag", "-m", "t", "t", pending, in: path)
        let tip = try git("rev-parse", pending, in: path).trimmingCharacters(in: .newlines)
        if what == "detached" {
            try await store.replacePending(branch, with: [])
            for name in ["refs/heads/own", "refs/tags/t"] { try git("update-ref", "-d", name, in: path) }
        }
        let names = [
            "above": "refs/heads/own", "tag": "refs/tags/t", "detached": tip,
            "discarded": "refs/discarded/\(makeReply(2).id)",
            "discarded:text": "refs/discarded/\(makeReply(2).id):text",
        ]
        let object = try git(
            "rev-parse", names[what] ?? what.replacing(/^pending/, with: pending), in: path)
        let hub = storePath("hub")
        try git("init", "--bare", "--quiet", hub, in: TemporaryDirectory.current.path)
        try git("push", "--quiet", hub, "en.wiki.example/Talk/Old_Stone_Bridge", in: path)
        let before = try git("for-each-ref", in: hub)
        for target in ["refs/heads/x", "refs/tags/x"] {
            let (status, output) = try runGit(
                ["push", hub, "\(object.trimmingCharacters(in: .newlines)):\(target)"], in: path)
            // A branch takes nothing but commits anyway.
            #expect(status != 0)
            if target.contains("tags") || !output.contains("invalid") {
                #expect(output.contains("holds replies that are not on the wiki"), "\(output)")
            }
            #expect(try git("for-each-ref", in: hub) == before)
        }
    }

    /// What somebody writes into the summary of an edit is taken for no reply.
    @Test func aSummaryThatLooksLikeAReplyStopsNoPush() async throws {
        let store = try makeStore(), id = makeReply(1).id
        for (number, summary) in ["Pending-Id: \(id)", "Wiki-Base: 1", "Pending-Id: \(id)\nWiki-Base: 1"].enumerated() {
            try await store.add(
                [(makeRecord(Int64(number + 1), summary: summary), makeContent(["\(number)"]))], to: bridge)
        }
        let hub = storePath("hub")
        try git("init", "--bare", "--quiet", hub, in: TemporaryDirectory.current.path)
        for what in ["--all", "--mirror"] { try git("push", "--quiet", hub, what, in: storePath()) }
        #expect(try git("for-each-ref", "--format=%(refname)", in: hub).split(separator: "\n").count == 2)
        // A push of nothing new, of a removal, and to a remote that went another way.
        try git("push", "--quiet", hub, "--all", in: storePath())
        let main = try git("rev-parse", "main", in: storePath()).trimmingCharacters(in: .newlines)
        let elsewhere = try git(
            "-c", "user.name=U", "-c", "user.email=u@u", "commit-tree", "-m", "there", main + "^{tree}", in: hub)
        try git("update-ref", "refs/heads/main", elsewhere.trimmingCharacters(in: .newlines), in: hub)
        try git("push", "--quiet", "--force", hub, "main", in: storePath())
        try git("push", "--quiet", hub, ":en.wiki.example/Talk/Old_Stone_Bridge", in: storePath())
        #expect(try git("for-each-ref", "--format=%(objectname)", in: hub) == main + "\n")
    }

    /// The user has hooks of his own in one place for all repositories, and replaces objects.
    @Test func neitherSettingsNorReplacementsHideTheHook() async throws {
        _ = try await makeFilledStore()
        let hub = storePath("hub"), pending = "refs/heads/pending/en.wiki.example/Talk/Old_Stone_Bridge"
        try git("init", "--quiet", "--bare", hub, in: TemporaryDirectory.current.path)
        #expect(try git("config", "core.hooksPath", in: storePath()) == storePath() + "/.git/hooks\n")
        try git("replace", pending, "main", in: storePath())
        let id = try git("rev-parse", pending, in: storePath()).trimmingCharacters(in: .newlines)
        let (status, output) = try runGit(["push", hub, id + ":refs/heads/x"], in: storePath())
        #expect(status != 0 && output.contains("nothing was pushed"), "\(output)")
        // A store that was moved names its new place; another place that was chosen for it stays.
        for (named, kept) in [("/gone/.git/hooks", storePath() + "/.git/hooks"), ("/chosen", "/chosen")] {
            try git("config", "core.hooksPath", named, in: storePath())
            try await Store.open(at: storePath()).configure("talk.history", to: "7")
            #expect(try git("config", "core.hooksPath", in: storePath()) == kept + "\n")
        }
    }

    /// A store of an older git-talk gets the hook of this one with the next write; a hook of the user's own stays.
    @Test func anOlderHookIsRenewed() async throws {
        let store = try makeStore(), path = store.layout.pushHook
        let old = "#!/bin/sh\n# What is not on the wiki yet never leaves this machine with a push.\nexit 0\n"
        for (standing, kept) in [(old, PushHook.text), ("#!/bin/sh\nexit 0\n", "#!/bin/sh\nexit 0\n")] {
            try Files.replace(path, Array(standing.utf8), mode: 0o700, scratch: path + ".x")
            try await Store.open(at: storePath()).configure("talk.history", to: "7")
            #expect(try Files.read(path) == Array(kept.utf8))
            #expect(try Files.information(path)?.permissions == 0o700)
        }
        try Files.remove(path)
        try await Store.open(at: storePath()).configure("talk.history", to: "8")
        #expect(try Files.list(storePath() + "/.git/hooks") == [])
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
