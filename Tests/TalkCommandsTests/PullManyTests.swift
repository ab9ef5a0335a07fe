import Foundation
import Synchronization
import TalkPages
import TalkSync
import TalkTestSupport
import Testing

@testable import TalkCommands

/// Pulls of many pages: how many requests they take, what one bad page does to the others, and how they go on after a
/// kill.
@Suite(.temporaryDirectory) struct PullManyTests {
    private static func html(_ number: Int, _ text: String = "How wide?") -> String {
        #"<h2><span class="mw-headline" id="A">A \#(number)</span></h2><p>\#(text) "#
            + #"<a href="/wiki/User:Bob" title="User:Bob">Bob</a> 10:00, 1 March 2024 (UTC)</p>"#
    }

    private static func title(_ number: Int) -> String { "Talk:The old stone bridge number \(number)" }

    /// A wiki with so many pages of one revision each.
    private func paper(_ count: Int) -> PaperPages {
        let paper = PaperPages()
        for number in 1...count { paper.set(Self.title(number), [PaperPages.Revision(number * 10, Self.html(number))]) }
        return paper
    }

    /// Gives pages a second revision.
    private func edit(_ numbers: some Sequence<Int>, on paper: PaperPages) {
        for number in numbers {
            paper.set(
                Self.title(number),
                [
                    PaperPages.Revision(number * 10, Self.html(number)),
                    PaperPages.Revision(number * 10 + 1, Self.html(number, "How wide is it?")),
                ])
        }
    }

    private func addresses(_ count: Int, _ paper: PaperPages) -> [String] {
        (1...count).map { "\(paper.url)/wiki/\(Self.title($0).replacing(" ", with: "_"))" }
    }

    /// Has the program pull every page by name.
    private func pullAll(_ count: Int, _ paper: PaperPages, _ program: TestProgram) async throws {
        let result = await program.run(["pull"] + addresses(count, paper))
        try #require(result.exitCode == .done, "\(result.error)")
        paper.reset()
    }

    @Test func aHundredUnchangedPagesTakeTwoRequests() async throws {
        let paper = paper(100), program = try TestProgram()
        try await pullAll(100, paper, program)
        let before = paper.calls.count
        let result = await program.run("pull")
        #expect(result.exitCode == .done && result.output.hasSuffix(": 100 pages checked, 100 unchanged\n"))
        // No progress where no terminal is.
        #expect(result.error == "")
        let calls = paper.calls[before...]
        #expect(paper.kinds == ["check", "check"] && calls.count == 2)
        #expect(calls.map(\.method) == ["POST", "POST"])
        #expect(calls.map { $0["titles"].split(separator: "|").count } == [50, 50])
        #expect(calls.allSatisfy { $0["intestactions"].isEmpty })
    }

    @Test func anAccountWithHighLimitsAsksForFiveHundred() async throws {
        let paper = paper(120), program = try TestProgram()
        try await pullAll(120, paper, program)
        paper.logIn(#"{"id":1,"name":"Admin","rights":["read","apihighlimits"]}"#)
        let before = paper.calls.count
        #expect(await program.run("pull").exitCode == .done)
        #expect(paper.calls[before...].map { $0["titles"].split(separator: "|").count } == [50, 70])
    }

    @Test func whatAWikiSaysOfItselfIsAskedAgainAfterAWeek() async throws {
        let paper = paper(2), program = try TestProgram()
        try await pullAll(2, paper, program)
        let day: Int64 = 86_400_000
        program.shift.withLock { $0 = 6 * day }
        await program.run("pull")
        #expect(paper.kinds == ["check"])
        program.shift.withLock { $0 = 8 * day }
        for words in [["pull"], ["pull", Self.title(1), Self.title(2)]] {
            paper.reset()
            #expect(await program.run(words).exitCode == .done)
            #expect(paper.kinds.contains("siteinfo") == (words.count == 1))
        }
        // A wiki that does not tell is read as before.
        program.shift.withLock { $0 = 30 * day }
        paper.reset()
        paper.add { kind, _ in kind == "siteinfo" ? .error("internal_api_error_X") : nil }
        #expect(await program.run("pull", Self.title(1)).output.contains("unchanged"))
        #expect(paper.kinds == ["siteinfo", "siteinfo", "check"])
    }

    // MARK: Named pages

    @Test func namedPagesAreAskedForTogether() async throws {
        let paper = paper(60), program = try TestProgram()
        try await pullAll(3, paper, program)
        let result = await program.run("pull", Self.title(3), Self.title(1), Self.title(2), Self.title(1))
        #expect(
            result.output == [3, 1, 2].map { "\(Self.title($0)): unchanged, revision \($0 * 10)\n" }.joined(),
            "\(result.error)")
        #expect(paper.kinds == ["check"])
        #expect(paper.calls.last?["titles"] == [3, 1, 2].map(Self.title).joined(separator: "|"))
        // One that is new needs its rendering, and no check of its own.
        edit([2], on: paper)
        paper.reset()
        #expect(await program.run("pull", Self.title(1), Self.title(2), Self.title(4)).exitCode == .done)
        #expect(paper.kinds == ["check", "parse 21", "parse 40"])
        paper.reset()
        #expect(await program.run(["pull"] + (1...60).map(Self.title)).exitCode == .done)
        #expect(paper.kinds.filter { !$0.hasPrefix("parse") } == ["check", "check"] && paper.kinds.count == 58)
        paper.reset()
        let missing = await program.run("pull", Self.title(1), "Talk:Nowhere", Self.title(2))
        #expect(missing.exitCode == .failure && missing.error.contains("Talk:Nowhere does not exist"))
        #expect(missing.output.split(separator: "\n").count == 2 && paper.kinds == ["check"])
    }

    @Test func pagesOfTwoWikisAreGroupedByWiki() async throws {
        let papers = [paper(3), paper(3)], program = try TestProgram()
        for paper in papers { try await pullAll(3, paper, program) }
        let mixed = (1...3).flatMap { number in papers.map { addresses(3, $0)[number - 1] } }
        let result = await program.run(["pull"] + mixed)
        #expect(result.exitCode == .done && result.output.split(separator: "\n").count == 6, "\(result.error)")
        #expect(papers.map(\.kinds) == [["check"], ["check"]])
        // A wiki that fails stops its own pages only, and is not asked about each of them.
        for paper in papers { paper.reset() }
        papers[0].add { _, _ in .error("internal_api_error_X", "away") }
        let half = try await program.run(["pull", "--json"] + mixed).json()
        #expect((half["pages"] as? [Any])?.count == 3)
        let errors = half["errors"] as? [[String: Any]]
        #expect(errors?.map { $0["page"] as? String } == [mixed[0]])
        #expect(papers[1].kinds == ["check"])
        #expect(papers[0].kinds == ["check", "check", "list", "list"])
        // Of a server that no wiki is known at, one name is enough to find that out.
        let dead = "http://127.0.0.1:\(StubWiki.closedPort())/wiki/Talk:"
        papers[1].reset()
        let some = await program.run("pull", dead + "A", addresses(1, papers[1])[0], dead + "B")
        #expect(some.exitCode == .later && some.output.contains("number 1: unchanged"))
        #expect(some.error.ranges(of: "hint:").count <= 1 && papers[1].kinds == ["check"])
    }

    @Test func onlyRedirectsAreFollowed() async throws {
        let paper = paper(3), program = try TestProgram()
        try await pullAll(3, paper, program)
        let titles = (1...3).map(Self.title)
        paper.add { kind, call in
            if call["redirects"] == "1" {
                return .json(
                    #"{"query":{"redirects":[{"from":"\#(titles[1])","to":"\#(titles[0])"}],"#
                        + #""pages":[{"pageid":10,"title":"\#(titles[0])"}]}}"#)
            }
            guard kind == "check", call["titles"].contains(titles[1]) else { return nil }
            let pages = titles.indices.map {
                #"{"pageid":\#($0 * 10 + 10),"title":"\#(titles[$0])","lastrevid":\#($0 * 10 + 10),"#
                    + #""contentmodel":"wikitext","redirect":\#($0 == 1)}"#
            }
            return .json(#"{"query":{"pages":[\#(pages.joined(separator: ","))]}}"#)
        }
        let told = await program.run(["pull"] + titles)
        #expect(told.error.hasSuffix("hint: git talk pull --follow '\(titles[1])'\n"), "\(told.error)")
        let before = paper.calls.count
        let followed = await program.run(["pull", "--follow"] + titles)
        #expect(
            followed.output == [1, 1, 3].map { "\(Self.title($0)): unchanged, revision \($0 * 10)\n" }.joined(),
            "\(followed.error)")
        #expect(paper.calls[before...].map { $0["redirects"] } == ["", "1", ""])
        let kept = await program.run("pull", "--follow")
        #expect(kept.output.hasSuffix(": 3 pages checked, 3 unchanged\n"), "\(kept.output)")
        #expect(kept.error.contains("\(titles[1]) is a redirect to \(titles[0])"), "\(kept.error)")
    }

    @Test func firstPullsAndUpdatesShareTheCheck() async throws {
        let paper = paper(3), program = try TestProgram()
        try await pullAll(1, paper, program)
        paper.reset()
        await program.run("pull", Self.title(2), Self.title(3))
        #expect(paper.kinds == ["check", "parse 20", "parse 30"])
        paper.reset()
        edit([1, 3], on: paper)
        let result = await program.run("pull")
        #expect(result.output.contains(": 3 pages checked, 1 unchanged"))
        #expect(paper.kinds == ["check", "parse 11", "parse 31"])
    }

    @Test func aPageThatIsGoneIsAnErrorOnceAndThenANote() async throws {
        let paper = paper(3), program = try TestProgram()
        try await pullAll(3, paper, program)
        paper.set(Self.title(2), [])
        edit([3], on: paper)
        let first = await program.run("pull")
        #expect(first.exitCode == .failure && first.error.contains("number 2 does not exist on"))
        #expect(first.output.contains("number 3: 1 new revision"))
        edit([1], on: paper)
        let second = await program.run("pull")
        #expect(second.exitCode == .done && second.output.contains("number 1: 1 new revision"))
        #expect(
            second.error.hasPrefix("git-talk: still missing on ")
                && second.error.hasSuffix(": Talk:The old stone bridge number 2; what is cached stays\n"))
        let json = try await program.run("pull", "--json").json()
        #expect((json["errors"] as? [Any])?.isEmpty == true && (json["pages"] as? [Any])?.count == 2)
        #expect((json["missing"] as? [[String: Any]])?.compactMap { $0["page"] as? String } == [Self.title(2)])
        // Who names it wants to know.
        #expect(await program.run("pull", Self.title(2)).exitCode == .failure)
        #expect(await program.run("show", Self.title(2)).output.contains("How wide?"))
        edit([2], on: paper)
        #expect(await program.run("pull").output.contains("number 2: 1 new revision"))
    }

    @Test func aPageThatWasNeverThereIsNotKept() async throws {
        let paper = paper(1), program = try TestProgram()
        try await pullAll(1, paper, program)
        #expect(await program.run("pull", "Talk:Nowhere").exitCode == .failure)
        let result = await program.run("pull")
        #expect(result.exitCode == .done && result.error == "" && result.output.contains(": 1 page checked"))
        #expect(await program.run("list").output.split(separator: "\n").count == 1)
    }

    @Test func onePageThatIsDamagedOrNoTalkPageDoesNotStopTheOthers() async throws {
        let paper = paper(4), program = try TestProgram()
        try await pullAll(4, paper, program)
        let key = try #require(
            try FileManager.default.contentsOfDirectory(atPath: program.store.path).first { $0 != ".git" })
        let branch = "refs/heads/\(key)/Talk/The_old_stone_bridge_number_2"
        let missing = String(repeating: "1", count: 40) + "\n"
        try Data(missing.utf8).write(to: program.store.appending(path: ".git/\(branch)"))
        paper.add { kind, call in
            guard kind == "check" else { return nil }
            let pages = (1...4).map { number in
                #"{"pageid":\#(number * 10),"title":"\#(Self.title(number))","lastrevid":\#(number * 10 + 1),"#
                    + #""contentmodel":"\#(number == 3 ? "json" : "wikitext")"}"#
            }
            return .json(#"{"query":{"pages":[\#(pages.joined(separator: ","))]}}"#)
        }
        edit(1...4, on: paper)
        let result = await program.run("pull")
        #expect(result.exitCode == .damaged)
        #expect(
            result.output.contains("number 1: 1 new revision") && result.output.contains("number 4: 1 new revision"))
        #expect(
            result.error.contains("number 3 is a page of json, not a talk page this program can read"),
            "\(result.error)")
        #expect(result.error.contains("its git objects are damaged or missing"), "\(result.error)")
    }

    @Test func aWikiThatIsAwayIsAskedTwiceAndEveryPageKnows() async throws {
        let paper = paper(60), program = try TestProgram()
        try await pullAll(60, paper, program)
        paper.add { _, _ in .error("internal_api_error_X", "away") }
        let result = await program.run("pull")
        #expect(result.exitCode == .later && result.error.contains("away"))
        // Each question once more.
        #expect(paper.kinds == ["check", "check", "list", "list"])
        let pages = try await program.run("list", "--json").json()["pages"] as? [[String: Any]]
        #expect(pages?.count { ($0["failure"] as? String)?.contains("away") == true } == 60)
    }

    /// A page that takes the wiki too long to render is usual; the others are pulled all the same.
    @Test func onePageThatTheWikiCannotRenderDoesNotStopTheOthers() async throws {
        let paper = paper(6), program = try TestProgram()
        try await pullAll(6, paper, program)
        edit([1, 3, 6], on: paper)
        paper.add { kind, _ in kind == "parse 11" ? .http(status: 500, headers: [], body: "<html>") : nil }
        let result = await program.run("pull")
        #expect(result.exitCode == .later && result.output.contains(": 6 pages checked, 3 unchanged"))
        #expect(result.error.contains("\(Self.title(1)): "), "\(result.error)")
        #expect(Set(paper.kinds) == ["check", "parse 11", "parse 31", "parse 61"])
        #expect(await program.run("sync").exitCode == .later)
    }

    @Test func threePagesInARowThatTheWikiCannotGiveAreTheWikis() async throws {
        let paper = paper(6), program = try TestProgram()
        try await pullAll(6, paper, program)
        edit(1...6, on: paper)
        paper.add { kind, _ in kind.hasPrefix("parse") ? .http(status: 500, headers: [], body: "<html>") : nil }
        let result = await program.run("pull")
        #expect(result.exitCode == .later)
        #expect(Set(paper.kinds) == ["check", "parse 11", "parse 21", "parse 31"])
    }

    @Test func aLockThatIsLeftOverStopsOnePage() async throws {
        let paper = paper(4), program = try TestProgram()
        try await pullAll(4, paper, program)
        edit(2...4, on: paper)
        let heads = program.store.appending(path: ".git/refs/heads")
        let files = FileManager.default.enumerator(at: heads, includingPropertiesForKeys: nil)
        let branch = try #require(
            files?.compactMap { $0 as? URL }.first { $0.lastPathComponent.hasSuffix("number_3") })
        try Data().write(to: URL(filePath: branch.path + ".lock"))
        let result = await program.run("pull")
        #expect(result.exitCode == .later && result.output.contains("number 4: 1 new revision"), "\(result.error)")
        #expect(result.output.contains("number 2: 1 new revision"))
    }

    @Test func progressIsALineOnATerminal() throws {
        guard BuiltProgram.find("script") != nil else { return }
        let paper = paper(3), program = try BuiltProgram()
        try program.run(["git-talk", "pull"] + addresses(3, paper))
        edit(1...3, on: paper)
        let shown = try program.onTerminal("git-talk pull >/dev/null")
        let log = shown.output
        #expect(log.contains("0 of 3 pages; asking for the newest revisions"), "\(log)")
        #expect(log.firstMatch(of: /2 of 3 pages, [0-9.]+ a second; fetching revision 31 \(1 of 1\)/) != nil, "\(log)")
    }

    // MARK: Broken off

    /// Runs the program and sends it a signal while the wiki works on the nth request of a kind.
    @discardableResult
    private func stop(_ program: BuiltProgram, _ paper: PaperPages, at nth: Int, with signal: Int32) throws -> String {
        let process = Process()
        process.executableURL = BuiltProgram.file
        process.arguments = ["pull"]
        process.environment = program.environment
        process.standardOutput = FileHandle.nullDevice
        let said = Pipe()
        process.standardError = said
        let victim = Victim()
        paper.add { kind, _ in
            guard kind.hasPrefix("parse"), victim.count() == nth else { return nil }
            kill(victim.process, signal)
            // An interrupt is answered in the program's own time: it may not ask again before it ends.
            var information = siginfo_t()
            waitid(P_PID, id_t(victim.process), &information, WEXITED | WNOWAIT)
            return .close
        }
        try victim.start(process)
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == signal)
        return String(decoding: try said.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    }

    private final class Victim: Sendable {
        private let state = Mutex((process: Int32(0), requests: 0))

        /// The process's number; who asks waits until it is known.
        var process: Int32 { state.withLock { $0.process } }

        func start(_ process: Process) throws {
            try state.withLock {
                try process.run()
                $0.process = process.processIdentifier
            }
        }

        func count() -> Int {
            state.withLock {
                $0.requests += 1
                return $0.requests
            }
        }
    }

    @Test(arguments: [SIGKILL, SIGINT]) func aPullThatWasBrokenOffGoesOnWhereItWas(signal: Int32) async throws {
        let paper = paper(60), program = try BuiltProgram()
        try program.run(["git-talk", "pull"] + addresses(60, paper))
        edit(1...60, on: paper)
        paper.reset()
        let said = try stop(program, paper, at: 41, with: signal)
        #expect(
            said.hasSuffix("what has come is kept, and the same command goes on\n") == (signal == SIGINT), "\(said)")
        let asked = paper.kinds
        #expect(asked.first == "check" && asked.count == 42)
        paper.reset()
        let again = try program.run("git-talk", "pull")
        #expect(again.status == 0 && again.output.contains(": 60 pages checked, 40 unchanged"), "\(again.error)")
        #expect(paper.kinds.count { $0 == "check" } == 2)
        // What the first one had is not asked for again, what it was asking for is.
        let parsed = Set(asked.filter { $0.hasPrefix("parse") }),
            later = Set(paper.kinds.filter { $0.hasPrefix("parse") })
        #expect(parsed.count == 41 && later.count == 20)
        #expect(parsed.intersection(later).count == 1 && parsed.union(later).count == 60)
        let (status, output) = try runGit(["fsck", "--strict", "--no-dangling"], in: program.store.path)
        #expect(status == 0 && output == "")
        paper.reset()
        _ = try program.run("git-talk", "pull")
        #expect(paper.kinds == ["check", "check"])
    }

    // MARK: A real wiki

    @Test(.testWiki) func aHundredPagesOfARealWikiTakeTwoRequests() async throws {
        let wiki = try TestWiki.required(), program = try TestProgram()
        let account = TestWiki.Account.alice
        let api = MediaWikiAPI(
            endpoint: wiki.api.absoluteString, settings: NetworkSettings(userAgent: "git-talk-tests/1 (local)"))
        try await api.login(user: account.botName, botPassword: account.password)
        let start = TestWiki.newTitle("Many")
        let titles = (1...100).map { "\(start) \($0)" }
        for title in titles {
            let outcome = await api.edit(
                EditRequest(
                    page: .title(title), text: EndToEndTests.text, summary: "", base: nil, started: nil,
                    existence: .mustNotExist, account: account.name))
            guard case .saved = outcome else {
                Issue.record("\(outcome)")
                return
            }
        }
        let proxy = FaultyProxy(wiki.api.absoluteString)
        let pull = await program.run(
            ["pull", "\(wiki.url)wiki/\(titles[0].replacing(" ", with: "_"))"] + titles.dropFirst())
        try #require(pull.exitCode == .done, "\(pull.error)")
        // From now on the program asks through the proxy.
        let wikis = program.store.appending(path: ".git/git-talk/wikis")
        let file = wikis.appending(
            path: try #require(try FileManager.default.contentsOfDirectory(atPath: wikis.path).first))
        let known = try String(contentsOf: file, encoding: .utf8)
        try Data(known.replacing(wiki.api.absoluteString, with: proxy.api).utf8).write(to: file)
        let result = await program.run("pull")
        #expect(
            result.exitCode == .done && result.output.hasSuffix(": 100 pages checked, 100 unchanged\n"),
            "\(result.error)")
        #expect(proxy.calls.map(\.kind) == ["check", "check"])
        proxy.reset()
        try wiki.append("\n:One more. ~~~~", to: titles[70])
        #expect(await program.run("pull").output.contains("99 unchanged"))
        #expect(proxy.calls.map(\.kind) == ["check", "check", "parse"])
    }
}
