import Foundation
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkCommands

/// The main job on a real MediaWiki: log in, pull, read, reply offline, post.
@Suite(.temporaryDirectory, .testWiki) struct EndToEndTests {
    static let text = """
        == Width ==
        How wide is it? [[User:Bob|Bob]] ([[User talk:Bob|talk]]) 10:00, 1 March 2024 (UTC)
        :Four metres. [[User:Carol|Carol]] ([[User talk:Carol|talk]]) 11:00, 1 March 2024 (UTC)

        == Ramp ==
        And the ramp? [[User:Bob|Bob]] ([[User talk:Bob|talk]]) 12:00, 1 March 2024 (UTC)
        """

    /// A page of its own on the shared wiki, logged in as Alice and pulled.
    private func prepared(_ wiki: TestWiki, _ title: String) async throws -> TestProgram {
        try wiki.edit(title, to: Self.text)
        let program = try TestProgram()
        try await logIn(program, wiki)
        let pull = await program.run("pull", title)
        try #require(pull.exitCode == .done, "\(pull.error)")
        return program
    }

    private func logIn(_ program: TestProgram, _ wiki: TestWiki) async throws {
        let account = TestWiki.Account.alice
        let result = await program.run(
            "login", wiki.url.absoluteString, input: "\(account.botName)\n\(account.password)\n")
        try #require(result.exitCode == .done, "\(result.error)")
        #expect(result.output.contains("as Alice"))
    }

    /// The code of the comment by an author, as `show` prints it.
    private func code(_ author: String, _ time: String, on title: String, _ program: TestProgram) async throws -> String
    {
        let shown = try await program.run("show", title, "--json").json()
        let items = try #require(shown["items"] as? [[String: Any]])
        let item = items.first {
            $0["author"] as? String == author && ($0["timestamp"] as? String)?.contains(time) == true
        }
        return try #require(item?["code"] as? String)
    }

    @Test func repliesOfflineAndPosts() async throws {
        let wiki = try TestWiki.required()
        let title = TestWiki.newTitle("Reply")
        let program = try await prepared(wiki, title)
        let target = try await code("Carol", "11:00", on: title, program)
        let reply = await program.run("reply", title, target, "-m", "Thank you,\r\nCarol.")
        #expect(reply.exitCode == .done)
        #expect(reply.output.contains("will be posted as Alice"))

        let branch = try #require(
            try program.git("for-each-ref", "--format=%(refname:short)", "refs/heads/pending").split(separator: "\n")
                .first)
        let page = branch.dropFirst("pending/".count)
        let log = try program.git("log", "--format=%an %s", "\(page)..\(branch)")
        #expect(log == "Alice Thank you, Carol.\n")
        #expect(await program.run("show", title).output.contains("Thank you,\n"))
        #expect(await program.run("show", title).output.contains("[pending: not on the wiki yet]"))

        let sync = await program.run("sync")
        #expect(sync.exitCode == .done, "\(sync.error)")
        #expect(sync.output.contains("posted "))
        let saved = try wiki.text(of: title)
        #expect(
            saved.contains(
                "11:00, 1 March 2024 (UTC)\n::Thank you,\n::Carol. [[User:Alice|Alice]] ([[User talk:Alice|talk]]) "))
        #expect(try program.git("for-each-ref", "refs/heads/pending") == "")
        #expect(!(await program.run("show", title).output.contains("[pending")))
        #expect(try program.git("fsck", "--strict", "--no-dangling") == "")

        // Nothing is left to do, and nothing is done twice.
        #expect(await program.run("sync").exitCode == .done)
        #expect(try wiki.text(of: title) == saved)
    }

    @Test func fitsAReplyToAPageThatMovedOn() async throws {
        let wiki = try TestWiki.required()
        let title = TestWiki.newTitle("Moved on")
        let program = try await prepared(wiki, title)
        let target = try await code("Bob", "10:00", on: title, program)
        await program.run("reply", title, target, "-m", "I measured it.")
        let edited = Self.text.replacing("== Width ==", with: "== Width of it ==").replacing(
            "(UTC)\n\n== Ramp",
            with: "(UTC)\n:Or five? [[User:Dora|Dora]] ([[User talk:Dora|talk]]) 13:00, 1 March 2024 (UTC)\n\n== Ramp")
        try wiki.edit(title, to: edited, as: .bob)
        let sync = await program.run("sync")
        #expect(sync.exitCode == .done, "\(sync.error)")
        #expect(sync.output.contains("1 pending reply fitted to it"))
        let saved = try wiki.text(of: title)
        #expect(saved.contains("== Width of it =="))
        #expect(saved.contains("13:00, 1 March 2024 (UTC)\n:I measured it. [[User:Alice|Alice]]"))
    }

    @Test func setsAReplyAsideWhenItsCommentIsGone() async throws {
        let wiki = try TestWiki.required()
        let title = TestWiki.newTitle("Gone")
        let program = try await prepared(wiki, title)
        let target = try await code("Carol", "11:00", on: title, program)
        await program.run("reply", title, target, "-m", "Are you sure?")
        try wiki.edit(
            title,
            to: Self.text.replacing(
                ":Four metres. [[User:Carol|Carol]] ([[User talk:Carol|talk]]) 11:00, 1 March 2024 (UTC)\n", with: ""))
        let sync = await program.run("sync")
        #expect(sync.exitCode == .failure)
        #expect(sync.error.contains("was set aside: the comment by Carol that it answers is no longer on the page"))
        #expect(!(try wiki.text(of: title).contains("Are you sure")))
        let outbox = await program.run("outbox")
        #expect(outbox.output.contains("  set aside  ") && outbox.output.contains("“Are you sure?”"))
        let entry = try #require(
            (try await program.run("outbox", "--json").json()["entries"] as? [[String: Any]])?.first)
        let id = try #require(entry["id"] as? String)
        #expect(await program.run("outbox", "show", String(id.prefix(24))).output == "Are you sure?\n")
        #expect(try program.git("cat-file", "-p", "refs/discarded/\(id):text") == "Are you sure?")
    }

    @Test func repliesToATopicStandAtItsEnd() async throws {
        let wiki = try TestWiki.required()
        let title = TestWiki.newTitle("Topic")
        let program = try await prepared(wiki, title)
        await program.run("reply", title, "h-Ramp", "-m", "The ramp is new.")
        let sync = await program.run("sync")
        #expect(sync.exitCode == .done, "\(sync.error)")
        #expect(try wiki.text(of: title).contains("12:00, 1 March 2024 (UTC)\n\nThe ramp is new. [[User:Alice|Alice]]"))
    }

    @Test func severalRepliesKeepTheirOrder() async throws {
        let wiki = try TestWiki.required()
        let title = TestWiki.newTitle("Several")
        let program = try await prepared(wiki, title)
        let target = try await code("Carol", "11:00", on: title, program)
        for number in ["One", "Two", "Three"] { await program.run("reply", title, target, "-m", "\(number).") }
        let shown = await program.run("show", title).output
        let order = ["One.", "Two.", "Three."].compactMap { shown.range(of: $0)?.lowerBound }
        #expect(order.count == 3 && order == order.sorted())
        let sync = await program.run("sync")
        #expect(sync.exitCode == .done, "\(sync.error)")
        let saved = try wiki.text(of: title)
        let places = ["::One.", "::Two.", "::Three."].compactMap { saved.range(of: $0)?.lowerBound }
        #expect(places.count == 3 && places == places.sorted())
    }

    @Test func anUnchangedPageCostsNoReferenceAndNoFile() async throws {
        let wiki = try TestWiki.required()
        let title = TestWiki.newTitle("Unchanged")
        let program = try await prepared(wiki, title)
        let before = try listing(program)
        let pull = await program.run("pull", title)
        #expect(pull.output.contains("unchanged"))
        #expect(try listing(program) == before)
    }

    /// References and page files with their inodes and times of change.
    private func listing(_ program: TestProgram) throws -> [String] {
        let root = program.store
        let files = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
        var lines: [String] = []
        for case let file as URL in files where !file.path.contains("/.git/git-talk/") {
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            lines.append("\(file.path) \(attributes[.systemFileNumber] ?? 0) \(attributes[.modificationDate] ?? 0)")
        }
        return lines.sorted()
    }

    @Test func theWikiMayGoAwayAndComeBack() async throws {
        let program = try TestProgram()
        try await TestWiki.withPrivateWiki { wiki in
            let title = TestWiki.newTitle("Away")
            try wiki.edit(title, to: Self.text)
            try await logIn(program, wiki)
            await program.run("pull", title)
            try wiki.pause()
            let shown = await program.run("show", title)
            #expect(shown.exitCode == .done && shown.output.contains("Four metres."))
            let target = try await code("Carol", "11:00", on: title, program)
            #expect(await program.run("reply", title, target, "-m", "From the train.").exitCode == .done)
            let away = await program.run("sync")
            #expect(away.exitCode == .later)
            #expect(away.error.contains("cannot be reached"))
            #expect(await program.run("outbox").output.contains("queued"))
            try wiki.resume()
            let back = await program.run("sync")
            #expect(back.exitCode == .done, "\(back.error)")
            #expect(try wiki.text(of: title).contains("::From the train. [[User:Alice|Alice]]"))
        }
    }

    @Test func saysWhatIsWrongWithAPage() async throws {
        let wiki = try TestWiki.required()
        let program = try await prepared(wiki, TestWiki.newTitle("Wrong"))
        for (page, words) in [
            ("Talk:There is no such page", "does not exist on"), ("Talk:a[b", "is not a page name"),
            ("Special:Version", "cannot be talked on"), (wiki.url.absoluteString, "names no page"),
            ("Talk:" + String(repeating: "x", count: 256), "is not a page name"),
        ] {
            let result = await program.run("pull", page)
            #expect(result.exitCode == .failure, "\(page)")
            #expect(result.error.contains(words), "\(page): \(result.error)")
        }
        #expect(await program.run("list").output.split(separator: "\n").count == 1)
    }

    @Test func aWrongPasswordIsRefusedAndKeptNowhere() async throws {
        let wiki = try TestWiki.required()
        let program = try TestProgram()
        let result = await program.run("login", wiki.url.absoluteString, input: "Alice@git-talk\nnot the password\n")
        #expect(result.exitCode == .refused)
        #expect(result.error.contains("does not accept this name and password"))
        #expect(!result.error.contains("not the password"))
        #expect(!FileManager.default.fileExists(atPath: program.home.appending(path: "passwords").path))
        let none = await program.run("login", wiki.url.absoluteString, input: "Alice@git-talk\n")
        #expect(none.exitCode == .failure && none.error.contains("no password was given"))
        let real = await program.run("login", wiki.url.absoluteString, input: "Alice\nsecret\n")
        #expect(real.exitCode == .failure && real.error.contains("is not the name of a bot password"))
    }

    @Test func aCodeThatMatchesNothingOrSeveralIsSaid() async throws {
        let wiki = try TestWiki.required()
        let title = TestWiki.newTitle("Codes")
        let program = try await prepared(wiki, title)
        let nothing = await program.run("reply", title, "ffffffffffff", "-m", "x")
        #expect(nothing.exitCode == .failure && nothing.error.contains("no comment of"))
        let several = await program.run("reply", title, "c-Bob", "-m", "x")
        #expect(several.exitCode == .failure)
        #expect(several.error.contains("2 comments of") && several.error.contains("Bob, 2024-03-01 10:00 UTC"))
        let empty = await program.run("reply", title, "c-Carol", "-m", " \n\t ")
        #expect(empty.exitCode == .failure && empty.error.contains("is empty"))
        #expect(await program.run("outbox").output == "the outbox is empty\n")
    }

    @Test func anyOtherTextSurvivesByteForByte() async throws {
        let wiki = try TestWiki.required()
        let title = TestWiki.newTitle("Bytes")
        let program = try await prepared(wiki, title)
        let text = "  Caf\u{65}\u{301} \u{202E}x\u{202C} <b>&amp;</b> \u{1F468}\u{200D}\u{1F469}\r\n\n: [[x|y]] ~~~ \t"
        await program.run("reply", title, "c-Carol", input: text)
        let entries = try #require(try await program.run("outbox", "--json").json()["entries"] as? [[String: Any]])
        let kept = try #require(entries.first?["text"] as? String)
        let expected = "  Caf\u{E9} \u{202E}x\u{202C} <b>&amp;</b> \u{1F468}\u{200D}\u{1F469}\n\n: [[x|y]] ~~~ \t"
        #expect(Array(kept.utf8) == Array(expected.utf8))
    }

    @Test func twoStoresHaveTheSameCommitsAndNoPendingBranchLeavesThem() async throws {
        let wiki = try TestWiki.required()
        let title = TestWiki.newTitle("Twins")
        let program = try await prepared(wiki, title)
        let second = try TestProgram(in: TemporaryDirectory.current.appending(path: "second"))
        await second.run("pull", wiki.url.absoluteString + "wiki/" + title.replacing(" ", with: "_"))
        let heads = ["for-each-ref", "--format=%(refname) %(objectname)", "refs/heads"]
        #expect(try runGit(heads, in: program.store.path).output == runGit(heads, in: second.store.path).output)
        await program.run("reply", title, "c-Carol", "-m", "Mine alone.")
        let clone = TemporaryDirectory.current.appending(path: "clone")
        _ = try runGit(["clone", "-q", program.store.path, clone.path], in: TemporaryDirectory.current.path)
        let branches = try runGit(["branch", "-r"], in: clone.path).output
        #expect(branches.contains("Talk/Twins") && !branches.contains("pending"))
        #expect(try program.git("fsck", "--strict", "--no-dangling") == "")
    }
}
