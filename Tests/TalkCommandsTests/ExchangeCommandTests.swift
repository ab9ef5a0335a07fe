import Foundation
import TalkPages
import TalkStore
import TalkTestSupport
import Testing

@testable import TalkCommands

/// `exchange`, `init --from` and `purge` as a user types them.
@Suite(.temporaryDirectory) struct ExchangeCommandTests {
    private let paper = PaperWiki()

    private func machine(_ name: String) throws -> TestProgram {
        try TestProgram(in: TemporaryDirectory.current.appending(path: name))
    }

    private var hub: String { TemporaryDirectory.current.appending(path: "hub").path }

    private func makeHub() throws {
        let (status, output) = try runGit(["init", "--quiet", "--bare", hub], in: TemporaryDirectory.current.path)
        try #require(status == 0, "\(output)")
    }

    /// A machine that has pulled the page, and has the hub as a remote.
    private func makeFirst() async throws -> TestProgram {
        try makeHub()
        let first = try machine("a")
        await first.run("pull", paper.page)
        try first.git("remote", "add", "hub", hub)
        return first
    }

    @Test func aStoreGoesToAnotherMachine() async throws {
        let first = try await makeFirst()
        let given = await first.run("exchange")
        #expect(given.exitCode == .done && given.output == "1 branch given to hub\n" && given.error == "", "\(given)")
        let (_, head) = try runGit(["symbolic-ref", "HEAD"], in: hub)
        #expect(head == "refs/heads/main\n")
        let second = try machine("b")
        let made = await second.run("init", "--from", hub)
        #expect(
            made.exitCode == .done && made.output.hasSuffix("Talk:Bridge: 1 revision taken, a new page\n"), "\(made)")
        let shown = await second.run("show", "Talk:Bridge")
        #expect(shown.output.contains("Four metres."))
        // What is new goes both ways.
        paper.append("<p>A later word. Bob</p>")
        await second.run("pull")
        #expect(await second.run("exchange").output == "1 branch given to origin\n")
        #expect(await first.run("exchange", "hub").output == "Talk:Bridge: 1 revision taken\n")
        #expect(await first.run("exchange").output == "hub has nothing new, and lacks nothing\n")
        #expect(await first.run("show", "Talk:Bridge").output.contains("cached: revision 12 "))
    }

    @Test func whatWaitsStaysAndIsFitted() async throws {
        let first = try await makeFirst()
        await first.run("exchange")
        let second = try machine("b")
        await second.run("init", "--from", hub)
        await first.run("reply", "Talk:Bridge", "c-Carol", "-m", "A secret word.")
        paper.append("<p>A later word. Bob</p>")
        await second.run("pull")
        await second.run("exchange")
        let taken = await first.run("exchange")
        #expect(taken.exitCode == .done, "\(taken)")
        let shown = await first.run("show", "Talk:Bridge")
        #expect(shown.output.contains("cached: revision 12 ") && shown.output.contains("A secret word."), "\(shown)")
        let (_, all) = try runGit(["cat-file", "--batch-all-objects", "--batch"], in: hub)
        #expect(!all.contains("A secret word"))
    }

    @Test func theRemoteIsNamedOrFound() async throws {
        let program = try machine("a")
        await program.run("pull", paper.page)
        let none = await program.run("exchange")
        #expect(
            none.exitCode == .failure && none.error.contains("hint: git -C ")
                && none.error.contains(" remote add hub <address>"))
        try program.git("remote", "add", "one", hub)
        try program.git("remote", "add", "two", hub)
        let several = await program.run("exchange")
        #expect(several.error.contains("(one, two)\nhint: name one: git talk exchange one\n"), "\(several.error)")
        #expect(await program.run("exchange", "on").error.contains("hint: git talk exchange one\n"))
        let typed = await program.run("exchange", "git@h.example:x.git")
        #expect(typed.error.contains(" remote add hub git@h.example:x.git\n"), "\(typed.error)")
        let gone = await program.run("exchange", "one")
        #expect(
            gone.exitCode == .failure && gone.error.contains("hint: look at its address, in the store: git remote -v;"),
            "\(gone.error)")
        try program.git("remote", "add", "origin", "git://127.0.0.1:1/hub")
        #expect(await program.run("exchange").exitCode == .later)
        let without = await program.run(["exchange"], with: ["PATH": "/nonexistent"])
        #expect(without.exitCode == .failure && without.error.contains("needs the program git"), "\(without.error)")
    }

    @Test func aHubThatRefusesSaysWhatToChange() async throws {
        let first = try await makeFirst()
        paper.append("<p>A later word. Bob</p>")
        await first.run("pull")
        await first.run("exchange")
        _ = try runGit(["config", "receive.denyNonFastForwards", "true"], in: hub)
        let purge = await first.run("purge", "Talk:Bridge", "11")
        #expect(purge.exitCode == .refused && purge.output.contains("Talk:Bridge: revision 11 purged\n"), "\(purge)")
        #expect(
            purge.error.contains(
                """
                git-talk: hub refused 1 branch: non-fast-forward
                hint: branches are sorted anew; on the hub: git config receive.denyNonFastForwards false

                """), "\(purge.error)")
    }

    @Test func pagesOfMembersAreNotGivenUnasked() async throws {
        let first = try await makeFirst()
        let store = try Store.open(at: first.store.path)
        var wiki = try #require(try store.wikis().first)
        wiki.isPrivate = true
        try await store.save(wiki)
        let silent = await first.run("exchange")
        #expect(silent.exitCode == .failure && silent.error.contains("nothing was given to hub: only the members of"))
        #expect(try runGit(["for-each-ref"], in: hub).output == "")
        let no = await first.run(words: ["exchange"], input: "\n", isTyped: true, error: true)
        #expect(no.exitCode == .failure && no.error.contains("[y/N]"), "\(no.error)")
        let yes = await first.run(words: ["exchange"], input: "y\n", isTyped: true, error: true)
        #expect(yes.exitCode == .done && yes.output == "1 branch given to hub\n", "\(yes)")
        // Once for each remote.
        #expect(try first.git("config", "wiki.\(wiki.key).remotes") == "hub\n")
        #expect(await first.run("exchange").exitCode == .done)
    }

    /// What is known of a wiki may be deleted at any time, and is damaged at times.
    @Test(arguments: [true, false]) func pagesOfAWikiThatDoesNotTellAreNotGivenUnasked(isDamaged: Bool) async throws {
        let first = try await makeFirst()
        let store = try Store.open(at: first.store.path)
        let wiki = try #require(try store.wikis().first), file = store.layout.wiki(wiki.key), other = PaperWiki()
        await first.run("pull", other.page)
        if isDamaged {
            try Data("{".utf8).write(to: URL(filePath: file))
        } else {
            try FileManager.default.removeItem(atPath: file)
        }
        paper.answer(.site, with: .error("readapidenied", "You need read permission"))
        for words in [["exchange"], ["exchange", "--json"], ["purge", other.page, "11"]] {
            let silent = await first.run(words)
            #expect(
                silent.exitCode == .failure
                    && silent.error.contains("nothing was given to hub: it is not known whether only the members of")
                    && silent.error.contains("hint: where only members read: git talk login \(wiki.server)/\n")
                    && silent.error.contains(" config wiki.\(wiki.key).remotes hub\n"), "\(silent)")
            if words.contains("--json") { try expectValid(silent, "exchange") }
            #expect(try runGit(["for-each-ref"], in: hub).output == "")
        }
        let no = await first.run(words: ["exchange"], input: "\n", isTyped: true, error: true)
        #expect(no.exitCode == .failure && no.error.contains("It is not known") && no.error.contains("[y/N]"), "\(no)")
        // One that answers is a public one.
        paper.answer(.site, with: nil)
        let given = await first.run("exchange")
        #expect(
            given.exitCode == .done && given.output == "1 branch and what was purged given to hub\n"
                && given.error == "", "\(given)")
    }

    /// A wiki that was open at the first pull.
    @Test(arguments: ["pull", "sync"]) func pagesOfAWikiThatBecamePrivateAreNotGivenUnasked(verb: String) async throws {
        let first = try await makeFirst()
        for step in [PaperWiki.Step.site, .check, .revisions, .parse] {
            paper.answer(step, with: .error("readapidenied", "You need read permission"))
        }
        let denied = await first.run(verb)
        #expect(denied.exitCode == .refused, "\(denied)")
        let store = try Store.open(at: first.store.path)
        #expect(try store.wikis().map(\.isPrivate) == [true])
        let silent = await first.run("exchange")
        #expect(silent.exitCode == .failure && silent.error.contains("nothing was given to hub: only the members of"))
        #expect(try runGit(["for-each-ref"], in: hub).output == "")
    }

    @Test func aPurgeReachesTheHubAndComesBackFromNowhere() async throws {
        let first = try await makeFirst()
        paper.append("<p>An ugly word. Bob</p>")
        await first.run("pull")
        await first.run("exchange")
        let second = try machine("b")
        await second.run("init", "--from", hub)
        paper.append("<p>A later word. Bob</p>")
        await second.run("pull")
        await second.run("exchange")
        let purge = await first.run("purge", "Talk:Bridge", "12")
        #expect(purge.exitCode == .done && purge.output.contains("Talk:Bridge: revision 12 purged\n"), "\(purge)")
        #expect(await second.run("exchange").output.contains("Talk:Bridge: revision 12 purged\n"))
        for store in [first.store.path, second.store.path] {
            let (_, commits) = try runGit(["cat-file", "--batch-all-objects", "--batch"], in: store)
            #expect(!commits.contains("Wiki-Revision: 12\n") && commits.contains("Wiki-Revision: 13\n"))
        }
        #expect(try runGit(["log", "--all", "--format=%B"], in: hub).output.contains("Wiki-Revision: 12\n") == false)
        for program in [first, second] {
            await program.run("pull", "--history", "all", "Talk:Bridge")
            #expect(try !program.git("log", "--all", "--format=%B").contains("Wiki-Revision: 12\n"))
        }
        #expect(await first.run("purge", "Talk:Bridge", "99").exitCode == .failure)
        #expect(await first.run("purge", "Talk:Bridge", "x").exitCode == .usage)
    }

    /// However few visited pages are kept, what an exchange brought is no visited page.
    @Test func whatCameStaysUntilItIsEvicted() async throws {
        let first = try await makeFirst()
        await first.run("exchange")
        let second = try machine("b")
        await second.run("init", "--from", hub)
        try second.git("config", "talk.keep", "0")
        paper.append("<p>A later word. Bob</p>")
        #expect(await second.run("pull").exitCode == .done)
        #expect(await second.run("exchange").output == "1 branch given to origin\n")
        #expect(await second.run("list").output.contains("Bridge"))
        #expect(await second.run("evict", "Talk:Bridge").exitCode == .done)
        #expect(await second.run("exchange").output == "origin has nothing new, and lacks nothing\n")
        await first.run("bookmark", "add", "Talk:Bridge")
        await first.run("exchange")
        #expect(await second.run("exchange").output.contains("Talk:Bridge: 2 revisions taken, a new page\n"))
    }

    /// An address is where to fetch from, and nothing that is run.
    @Test(arguments: ["ext::sh -c touch% OWNED", "--upload-pack=touch OWNED", "-uOWNED", "file::OWNED"])
    func noAddressIsRun(address: String) async throws {
        let program = try machine("a"), mark = TemporaryDirectory.current.appending(path: "owned").path
        let made = await program.run("init", "--from=" + address.replacing("OWNED", with: mark))
        #expect(made.exitCode != .done)
        #expect(made.error.hasPrefix("git-talk: nothing could be fetched from origin"), "\(made)")
        #expect(!FileManager.default.fileExists(atPath: mark))
    }

    @Test func nothingThatAHubSaysReachesTheTerminalAsItIs() async throws {
        let first = try await makeFirst(), escape = "\u{1B}]0;owned\u{7}"
        try script("\(hub)/hooks/pre-receive", "printf '\(escape) no\\n' >&2; exit 1")
        let refused = await first.run("exchange")
        #expect(refused.exitCode == .refused && refused.error.contains("pre-receive hook declined"), "\(refused)")
        #expect(!refused.error.contains("\u{1B}") && refused.error.contains("allow forced pushes there"))
        let line = "ERR \(escape) go away", length = String(line.utf8.count + 4, radix: 16)
        let program = TemporaryDirectory.current.appending(path: "upload").path
        try script(program, "printf '00\(length)\(line)'")
        try first.git("config", "remote.hub.uploadpack", program)
        let gone = await first.run("exchange")
        #expect(gone.exitCode != .done && gone.error.contains("go away") && !gone.error.contains("\u{1B}"), "\(gone)")
    }

    private func script(_ path: String, _ text: String) throws {
        try Data("#!/bin/sh\n\(text)\n".utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    }

    @Test func aWorktreeThatKeepsWhatWasPurgedIsNamed() async throws {
        let first = try machine("a")
        await first.run("pull", paper.page)
        let branches = try first.git("for-each-ref", "--format=%(refname)", "refs/heads").split(separator: "\n")
        let branch = try #require(branches.first { $0 != "refs/heads/main" })
        let place = TemporaryDirectory.current.appending(path: "tree").path
        try first.git("worktree", "add", "--quiet", "--detach", place, String(branch))
        let purge = await first.run("purge", "Talk:Bridge")
        #expect(
            purge.exitCode == .failure && purge.error.contains("still in the store, since these refer to it: "),
            "\(purge)")
        #expect(purge.error.contains(place))
    }

    /// The pending branch stood on what was purged, and has a copy of it.
    @Test func aPageThatIsPurgedAsAWholeTakesWhatWaitsOffIt() async throws {
        let first = try await makeFirst()
        await first.run("exchange")
        let second = try machine("b")
        await second.run("init", "--from", hub)
        await second.run("reply", "Talk:Bridge", "c-Carol", "-m", "A word of mine.")
        await first.run("reply", "Talk:Bridge", "c-Carol", "-m", "Another word.")
        let purge = await first.run("purge", "Talk:Bridge")
        #expect(purge.exitCode == .done && purge.output == "Talk:Bridge: revision 11 purged\n", "\(purge)")
        let taken = await second.run("exchange")
        #expect(taken.exitCode == .done && taken.output == "Talk:Bridge: revision 11 purged\n", "\(taken)")
        for (program, text) in [(first, "Another word."), (second, "A word of mine.")] {
            let objects = try program.git("cat-file", "--batch-all-objects", "--batch")
            #expect(!objects.contains("Four metres"))
            let outbox = await program.run("outbox")
            #expect(outbox.output.contains("set aside") && outbox.output.contains(text), "\(outbox)")
            let pull = await program.run("pull")
            #expect(pull.exitCode == .done, "\(pull)")
            #expect(try !program.git("cat-file", "--batch-all-objects", "--batch").contains("Four metres"))
        }
    }

    @Test func aHubThatIsFullIsNamed() {
        #expect(Exchanging.hint("unpacker error")?.contains("disk is full") == true)
    }

    @Test func whatProgramsRead() async throws {
        let first = try await makeFirst()
        let given = await first.run("exchange", "--json")
        try expectValid(given, "exchange")
        #expect((try given.json()["given"] as? [String])?.count == 2)
        let second = try machine("b")
        let made = await second.run("init", "--from", hub, "--json")
        try expectValid(made, "init")
        #expect(((try made.json()["exchange"] as? [String: Any])?["pages"] as? [Any])?.count == 1)
        try expectValid(await machine("c").run("init", "--json"), "init")
        let purge = await first.run("purge", "Talk:Bridge", "11", "--json")
        try expectValid(purge, "purge")
        #expect((try purge.json()["remotes"] as? [[String: Any]])?.first?["reached"] as? Bool == true, "\(purge)")
        _ = try runGit(["update-ref", "refs/heads/topic", "refs/heads/main"], in: hub)
        let refused = await second.run("exchange", "--json")
        try expectValid(refused, "exchange")
        #expect(
            refused.exitCode == .failure
                && refused.error.contains("topic was left alone, here and at origin: it is no page's branch"))
    }

    private func expectValid(_ result: TestProgram.Result, _ verb: String) throws {
        let file = SharedData.repositoryRoot.appending(path: "Schema/cli/\(verb).schema.json")
        let problems = try JSONSchema(Data(contentsOf: file)).problems(in: Data(result.output.utf8))
        #expect(problems == [], "\(result.output)\(result.error)")
    }
}
