import Foundation
import TalkTestSupport
import Testing

@testable import TalkCommands

/// New topics and answers to what is not posted yet, without any wiki.
@Suite(.temporaryDirectory) struct NewTests {
    private func pulled() async throws -> TestProgram {
        let paper = PaperWiki(), program = try TestProgram()
        try #require(await program.run("pull", paper.page).exitCode == .done)
        // From now on there is no network.
        paper.stub.prepend { _ in .close }
        return program
    }

    private func entries(_ program: TestProgram) async throws -> [[String: Any]] {
        try #require(try await program.run("outbox", "--json").json()["entries"] as? [[String: Any]])
    }

    private func id(_ program: TestProgram, _ number: Int = 0) async throws -> String {
        try #require(try await entries(program)[number]["id"] as? String)
    }

    @Test func takesTheTextFromWhereItIsGiven() async throws {
        let program = try await pulled()
        try Data("From a file.\n".utf8).write(to: program.home.appending(path: "text"))
        for (words, input) in [
            (["-s", "One", "-m", "Here."], ""), (["-s", "Two", "-F", "text"], ""), (["-s", "Three", "-F", "-"], "In."),
            (["-s", "Four", "-"], "In, too."), (["-s", "Five"], "Piped."), ([], "\n== Six ==\n\nWith its heading."),
            (["--subject", "Seven", "-m", "=== Own ===\nText"], ""),
        ] {
            let result = await program.run(["new", "Talk:Bridge"] + words, input: input)
            #expect(result.exitCode == .done, "\(words): \(result.error)")
            #expect(result.output.contains("will be posted on Talk:Bridge at 127.0.0.1:"), "\(result.output)")
        }
        #expect(
            try await entries(program).map { $0["text"] as? String } == [
                "Here.", "From a file.\n", "In.", "In, too.", "Piped.", "With its heading.", "=== Own ===\nText",
            ])
        let shown = await program.run("show", "Talk:Bridge").output
        let headings = shown.split(separator: "\n").filter { $0.hasPrefix("==") }.map { $0.prefix { $0 != "[" } }
        #expect(
            headings.map { String($0.dropFirst(3).prefix { $0 != "=" }) } == [
                "Width ", "Ramp ", "One ", "Two ", "Three ", "Four ", "Five ", "Six ", "Seven ",
            ])
        #expect(shown.contains("7 pending replies wait for git talk sync"))
    }

    @Test func repliesOnTwoPagesFromWhereTheirTextsAreGiven() async throws {
        let program = try await pulled()
        await program.run("new", "Talk:Other", "-s", "Elsewhere", "-m", "Zero.")
        try Data("Two.\n".utf8).write(to: program.home.appending(path: "text"))
        let topic = try await id(program)
        for (words, input) in [
            (["Talk:Bridge", "c-Carol", "-m", "One."], ""), (["Talk:Other", topic, "-F", "text"], ""),
            (["Talk:Bridge", "h-Ramp", "-"], "Three."), (["Talk:Other", topic, "-F", "-"], "Four."),
            (["Talk:Bridge", "c-Carol"], "Five."),
        ] {
            let result = await program.run(["reply"] + words, input: input)
            #expect(result.exitCode == .done, "\(words): \(result.error)")
        }
        let kept = try await entries(program)
        #expect(kept.map { $0["text"] as? String } == ["Zero.", "One.", "Two.\n", "Three.", "Four.", "Five."])
        #expect(
            kept.map { $0["page"] as? String }
                == ["Other", "Bridge", "Other", "Bridge", "Other", "Bridge"].map { "Talk:" + $0 })
        for (page, words) in [
            ("Talk:Bridge", ["One.", "Five.", "Three."]), ("Talk:Other", ["Zero.", "Two.", "Four."]),
        ] {
            let shown = await program.run("show", page).output
            let places = words.compactMap { shown.range(of: " " + $0)?.lowerBound }
            #expect(places.count == words.count && places == places.sorted(), "\(shown)")
        }
    }

    @Test(arguments: [
        (["-m", "No heading."], "the topic has no heading, so nothing was queued", ExitCode.failure),
        (["-s", " ", "-m", "x"], "the topic has no heading", .failure),
        (["-s", "A", "-m", " \n"], "the topic is empty", .failure),
        (["-m", "== Only a heading ==\n"], "the topic is empty", .failure),
        (["-s", String(repeating: "x", count: 501), "-m", "x"], "the heading has 501 characters", .failure),
        (["-s", "Me ~~~~", "-m", "x"], "the tildes in the heading", .failure),
        (["-s", "{{", "-m", "x"], "the wiki would not see it as one", .failure),
        (["-s", "A", "-m", "x\n== B ==\ny"], "it would harm the page: its text would begin another topic", .failure),
        (["-m", "== A ==\n\n== B ==\ny"], "its text would begin another topic; headings in it need three", .failure),
        (["-s", "A", "-m", "x <!-- y"], "the topic was not queued, since it would harm the page", .failure),
        (["-s", "A", "-m", "x", "-F", "y"], "-m and -F exclude each other", .usage),
        (["-s", "A", "-m", "x", "-"], "- excludes -m and -F", .usage),
        (["-s", "A", "x"], "unexpected argument 'x'", .usage),
    ])
    func refusesBeforeAnythingIsKept(words: [String], reason: String, code: ExitCode) async throws {
        let program = try await pulled()
        let result = await program.run(["new", "Talk:Bridge"] + words)
        #expect(result.exitCode == code && result.error.contains(reason), "\(result.error)")
        #expect(try await entries(program).isEmpty)
        #expect(try program.git("for-each-ref", "refs/heads/pending") == "")
    }

    @Test func worksOnAPageThatNobodyHasSeen() async throws {
        let program = try await pulled()
        #expect(await program.run("new", "talk:not_there", "-s", "First", "-m", "Hello.").exitCode == .done)
        let shown = await program.run("show", "Talk:Not there")
        #expect(shown.exitCode == .done)
        #expect(
            shown.output.contains("nothing of it is cached but what is pending; never checked\n1 pending reply waits"))
        #expect(shown.output.contains("== First ==") && shown.output.contains("    Hello.\n"))
        #expect(try await entries(program).first?["base"] as? Int == 0)
        #expect(try await program.run("reply", "Talk:Not there", id(program), "-m", "And more.").exitCode == .done)
        #expect(
            try program.git("log", "--format=%s", "pending/127.0.0.1%3A\(try port(program))/Talk/Not_there")
                == "And more.\nFirst: Hello.\n")
        let list = await program.run("list")
        #expect(
            list.output.contains("Talk:Not there  127.0.0.1:")
                && list.output.contains("nothing cached, never checked  2 pending"))
        let diff = await program.run("diff", "Talk:Not there", "--pending")
        #expect(
            diff.exitCode == .done && diff.output.contains("Hello.") && diff.output.contains("no page"),
            "\(diff.output)")
        #expect(await program.run("show", "Talk:Not there", "--json").exitCode == .done)
        let article = await program.run("new", "Bridge", "-s", "A", "-m", "B")
        #expect(article.exitCode == .failure)
        #expect(
            article.error.contains("is not a talk page") && article.error.contains("hint: git talk new Talk:Bridge"))
    }

    private func port(_ program: TestProgram) throws -> String {
        let name = try program.git("for-each-ref", "--format=%(refname)", "refs/heads/pending")
        return String(name.firstMatch(of: /%3A(\d+)/)?.1 ?? "")
    }

    @Test func answersWhatIsNotPostedYet() async throws {
        let program = try await pulled()
        await program.run("new", "Talk:Bridge", "-s", "Age", "-m", "Old.")
        let topic = try await id(program)
        // By its id in the outbox, by the beginning of that, and by the code that show prints.
        await program.run("reply", "Talk:Bridge", String(topic.uppercased()).lowercased(), "-m", "Very.")
        await program.run("reply", "Talk:Bridge", "pending:\(topic)", "-m", "How old?")
        let items = try #require(
            try await program.run("show", "Talk:Bridge", "--json").json()["items"] as? [[String: Any]])
        let heading = try #require(items.first { $0["id"] as? String == "h-pending:\(topic)" }?["code"] as? String)
        await program.run("reply", "Talk:Bridge", heading, "-m", "Below it all.")
        await program.run("reply", "Talk:Bridge", "c-Carol", "-m", "Mine.")
        let mine = try await id(program, 4)
        await program.run("reply", "Talk:Bridge", mine, "-m", "Mine, too.")
        let shown = await program.run("show", "Talk:Bridge").output
        let words = ["Old.", "Very.", "How old?", "Below it all.", "Four metres.", "Mine.", "Mine, too."]
        let depths = words.map { word in
            shown.split(separator: "\n").first { $0.hasSuffix(" " + word) }.map { $0.prefix { $0 == " " }.count / 4 }
                ?? -1
        }
        #expect(depths == [1, 2, 2, 1, 2, 3, 4], "\(shown)")
        #expect(await program.run("outbox").output.contains("reply to your own \(topic)"))
        let several = await program.run("reply", "Talk:Bridge", String(topic.prefix(4)), "-m", "x")
        #expect(several.exitCode == .failure && several.error.contains("comments of"))
    }

    /// The journals make the branch and the files of the page again, with the next command that reads the page.
    @Test(arguments: ["show", "reply", "new"])
    func theNextCommandRestoresWhatWasDeleted(verb: String) async throws {
        let program = try await pulled()
        await program.run("new", "Talk:Bridge", "-s", "Age", "-m", "Old.")
        await program.run("reply", "Talk:Bridge", try await id(program), "-m", "Very.")
        let before = await program.run("show", "Talk:Bridge").output
        let branch = try program.git("for-each-ref", "--format=%(refname) %(objectname)", "refs/heads/pending")
        let name = String(branch.prefix { $0 != " " })
        try program.git("update-ref", "-d", name)
        let directory = name.dropFirst("refs/heads/pending/".count)
        try FileManager.default.removeItem(at: program.store.appending(path: String(directory)))
        switch verb {
        case "show": #expect(await program.run("show", "Talk:Bridge").output == before)
        case "reply": #expect(await program.run("reply", "Talk:Bridge", "c-Carol", "-m", "x").exitCode == .done)
        default: #expect(await program.run("new", "Talk:Bridge", "-s", "x", "-m", "x").exitCode == .done)
        }
        let commits = try program.git("log", "--format=%H", name)
        #expect(commits.contains(branch.split(whereSeparator: \.isWhitespace)[1]), "\(commits)")
    }

    @Test func thePreviewWithoutNetworkShowsThePlaceAndQueuesNothing() async throws {
        let program = try await pulled()
        let reply = await program.run("reply", "Talk:Bridge", "c-Carol", "-m", "No, ''five''.", "--preview")
        #expect(reply.exitCode == .later)
        #expect(reply.output.contains("    Four metres.\n") && reply.output.contains("    No, ''five''.\n"))
        #expect(reply.output.contains("[pending: not on the wiki yet]") && !reply.output.contains("And the ramp?"))
        #expect(reply.error.contains("so this is the text as it was written, in its place; nothing was queued"))
        let topic = await program.run("new", "Talk:Other", "-s", "Age", "-m", "Old.", "--preview")
        #expect(topic.exitCode == .later && topic.output.contains("== Age ==") && topic.output.contains("    Old.\n"))
        #expect(try await entries(program).isEmpty)
        #expect(try program.git("for-each-ref", "refs/heads/pending") == "")
        #expect(
            await program.run("reply", "Talk:Bridge", "c-Carol", "-m", "x", "--preview", "--json").exitCode == .usage)
    }

    @Test func aDiffOfWhatIsPendingNamesTheTopic() async throws {
        let program = try await pulled()
        await program.run("new", "Talk:Bridge", "-s", "Age", "-m", "Old.")
        let diff = await program.run("diff", "Talk:Bridge", "--pending")
        #expect(diff.exitCode == .done)
        #expect(diff.output.contains("Age") && diff.output.contains("Old."), "\(diff.output)")
    }

    /// On a terminal the editor begins with an empty heading; what is written there is kept until it is queued.
    @Test(.enabled(if: BuiltProgram.find("script") != nil, "no script(1) of util-linux to make a terminal with"))
    func theEditorAsksForTheHeading() throws {
        let program = try BuiltProgram(), paper = PaperWiki()
        try #require(try program.run("git-talk", "pull", paper.page).status == 0)
        let untouched = try program.script("untouched", #"cp "$1" seen"#)
        let empty = try program.onTerminal("git-talk new Talk:Bridge", with: ["GIT_EDITOR": untouched])
        #expect(
            empty.status == 1 && empty.output.contains("the topic is empty, so nothing was queued"), "\(empty.output)")
        let seen = try String(contentsOf: program.directory.appending(path: "seen"), encoding: .utf8)
        #expect(seen.hasPrefix("==  ==\n\n") && seen.contains("# The heading stands between the equals signs"))
        let killed = try program.script("killed", #"printf '== Age ==\nOld.\n' >"$1"; kill -9 $$"#)
        #expect(try program.onTerminal("git-talk new Talk:Bridge", with: ["GIT_EDITOR": killed]).status == 1)
        // A reply has a text of its own.
        let other = try program.script("other", #"cp "$1" seen; echo Reply >"$1""#)
        #expect(try program.onTerminal("git-talk reply Talk:Bridge c-Carol", with: ["GIT_EDITOR": other]).status == 0)
        #expect(!(try String(contentsOf: program.directory.appending(path: "seen"), encoding: .utf8)).contains("Age"))
        let more = try program.script("more", #"{ cat "$1" | sed '/^# ---/,$d'; echo "Very."; } >new; cat new >"$1""#)
        let result = try program.onTerminal("git-talk new Talk:Bridge", with: ["GIT_EDITOR": more])
        #expect(result.status == 0, "\(result.output)")
        let shown = try program.run("git-talk", "show", "Talk:Bridge").output
        #expect(
            shown.contains("== Age ==") && shown.contains("    Old.\n") && shown.contains("    Very.\n"), "\(shown)")
        #expect(!FileManager.default.fileExists(atPath: program.store.path + "/.git/git-talk/TOPIC_EDITMSG"))
    }
}

/// The preview by the wiki itself.
@Suite(.temporaryDirectory, .testWiki) struct PreviewTests {
    @Test func showsWhatTheWikiMakesOfIt() async throws {
        let wiki = try TestWiki.required(), title = TestWiki.newTitle("Preview")
        try wiki.edit(title, to: EndToEndTests.text)
        let program = try TestProgram(), account = TestWiki.Account.alice
        await program.run("login", wiki.url.absoluteString, input: "\(account.botName)\n\(account.password)\n")
        await program.run("pull", title)
        let name = try wikiName(wiki)
        let reply = await program.run(
            "reply", title, "c-Carol", "-m", "''{{subst:PAGENAME}}'', [[Foo (bar)|]]", "--preview")
        #expect(
            reply.exitCode == .done && reply.error == "shown as \(name) renders it; nothing was queued\n")
        #expect(
            reply.output.contains("Alice, ") && reply.output.contains("\(title.dropFirst(5)), Foo\n"), "\(reply.output)"
        )
        let topic = await program.run("new", title, "-s", "A ''b''", "-m", "* one\n* two", "--preview")
        #expect(
            topic.exitCode == .done && topic.output.contains("== A b ==")
                && topic.output.contains("    one\n    two\n"))
        let missing = await program.run(
            "new", TestWiki.newTitle("None"), "-s", "A", "-m", "{{subst:NAMESPACE}}", "--preview")
        #expect(missing.exitCode == .done && missing.output.contains("    Talk\n"))
        // What does not fit is said here as it would be when it is posted.
        let wrong = await program.run("new", title, "-s", "A", "-m", "x\n\n== B ==\ny", "--preview")
        #expect(wrong.exitCode == .failure && wrong.error.contains("its text would begin another topic"))
        #expect(await program.run("outbox").output == "the outbox is empty\n")
        #expect(try wiki.text(of: title) == EndToEndTests.text.trimmingCharacters(in: .newlines))
    }

    private func wikiName(_ wiki: TestWiki) throws -> String {
        "\(try #require(wiki.url.host)):\(try #require(wiki.url.port))"
    }
}
