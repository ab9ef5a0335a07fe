import Foundation
import TalkTestSupport
import Testing

@testable import TalkCommands

/// Answers that no wiki should give, at each step of a pull: what is said, the exit code, and that nothing is lost.
@Suite(.temporaryDirectory) struct BadAnswerTests {
    struct Accident: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answer: StubAnswer
        let exitCode: ExitCode
        let words: String
        let hint: String

        init(_ name: String, _ answer: StubAnswer, _ words: String, hint: String, _ exitCode: ExitCode = .later) {
            testDescription = name
            self.answer = answer
            self.exitCode = exitCode
            self.words = words
            self.hint = hint
        }

        func hint(_ paper: PaperWiki) -> String { hint.replacing("<server>", with: paper.stub.url) }
    }

    private static let html = "<!DOCTYPE html><html><body><form>Sign in to this hotel</form></body></html>"
    private static let gzip = [("Content-Type", "application/json"), ("Content-Encoding", "gzip")]

    static let accidents = [
        Accident(
            "HTML", .http(status: 200, headers: [("Content-Type", "text/html")], body: html),
            "perhaps a login page of this network", hint: "try again later"),
        Accident(
            "cut off", .cut(json: #"{"query":{"pages":[{"pageid":7,"title":"Talk:Bridge"}]}}"#, afterBytes: 40),
            "the connection ended before the answer was complete", hint: "check the connection and try again"),
        Accident(
            "truncated", .json(#"{"query":{"pages":[{"pageid":7,"ti"#), "the answer is cut off",
            hint: "try again in 60 s"),
        Accident("empty", .json(""), "the server gave an empty answer", hint: "try again in 60 s"),
        Accident(
            "no gzip", .http(status: 200, headers: gzip, body: "this is no gzip"), "Error while processing content",
            hint: "check the connection and try again"),
        Accident("503", .http(status: 503, headers: [], body: html), "the server failed", hint: "try again in 60 s"),
        Accident("500", .http(status: 500, headers: [], body: html), "the server failed", hint: "try again later"),
        Accident(
            "429", .http(status: 429, headers: [("Retry-After", "120")], body: "slow"), "the wiki asks to slow down",
            hint: "try again in 120 s"),
        Accident(
            "403", .http(status: 403, headers: [], body: html), "the server refuses this program or this network",
            hint: "try from another network, or ask who runs the wiki", .refused),
        Accident("closed", .close, "Empty reply from server", hint: "check the connection and try again"),
        Accident(
            "maxlag", .error("maxlag", "7 seconds lagged"), "7 seconds lagged [maxlag]", hint: "try again in 60 s"),
        Accident("ratelimited", .error("ratelimited"), "too many requests", hint: "try again in 60 s"),
        Accident(
            "readapidenied", .error("readapidenied", "You need read permission"),
            "this wiki can only be read after login", hint: "git talk login <server>", .refused),
        Accident("null", .json("null"), "the answer is no answer of a wiki", hint: "try again later"),
    ]

    /// What lets a page be fetched all the same when only the check fails: the wiki is not to be left alone for a while.
    private static let isOver: @Sendable (Accident) -> Bool = { !$0.hint.hasPrefix("try again in ") }

    @Test(arguments: accidents.filter(isOver)) func aCheckThatFailsDoesNotStopThePull(accident: Accident) async throws {
        let paper = PaperWiki()
        let program = try TestProgram()
        paper.answer(.check, with: accident.answer)
        let first = await program.run("pull", paper.page)
        #expect(first.exitCode == .done && first.output.contains("1 new revision, now 11"), "\(first.error)")
        paper.append("<p>A later word. Bob</p>")
        let second = await program.run("pull")
        #expect(second.exitCode == .done && second.output.contains("1 new revision, now 12"), "\(second.error)")
        let third = await program.run("pull", "Talk:Bridge")
        #expect(third.exitCode == .done && third.output.contains("unchanged, revision 12"), "\(third.error)")
        #expect(!(await program.run("show", "Talk:Bridge").output.contains("the last try failed")))
    }

    @Test(arguments: accidents.filter { !isOver($0) })
    func aWikiThatIsBusyAtTheCheckIsLeftInPeace(accident: Accident) async throws {
        let paper = PaperWiki()
        let program = try TestProgram()
        await program.run("pull", paper.page)
        paper.append("<p>A later word. Bob</p>")
        paper.answer(.check, with: accident.answer)
        for words in [["pull", "Talk:Bridge"], ["pull"]] {
            let before = paper.stub.calls.count
            let failed = await program.run(words)
            #expect(failed.exitCode == .later && failed.error.contains(accident.words), "\(failed.error)")
            #expect(Set(paper.stub.calls[before...].map { $0["prop"] }) == ["info|revisions"])
        }
        #expect(await program.run("show", "Talk:Bridge").output.contains("the last try failed: "))
    }

    @Test(arguments: [PaperWiki.Step.site, .messages, .revisions, .parse], accidents)
    func aFirstPullSaysWhatIsWrongAndLeavesNothing(step: PaperWiki.Step, accident: Accident) async throws {
        let paper = PaperWiki()
        let program = try TestProgram()
        paper.answer(step, with: accident.answer)
        let failed = await program.run("pull", paper.page)
        #expect(failed.exitCode == accident.exitCode)
        #expect(program.slept.all.reduce(0, +) <= 30)
        #expect(
            failed.error.contains(accident.words) && failed.error.hasSuffix("\nhint: \(accident.hint(paper))\n"),
            "\(failed.error)")
        #expect(try program.git("for-each-ref", "--format=%(refname)", "refs/heads") == "refs/heads/main\n")
        #expect(await program.run("list").output == "")

        paper.answer(step, with: nil)
        let pull = await program.run("pull", paper.page)
        #expect(pull.exitCode == .done && pull.output.contains("2 added, 0 changed, 0 removed; comments: 3 added"))
    }

    @Test(arguments: [PaperWiki.Step.revisions, .parse], accidents)
    func aLaterPullKeepsThePageAndTheReply(step: PaperWiki.Step, accident: Accident) async throws {
        let paper = PaperWiki()
        let program = try TestProgram()
        await program.run("pull", paper.page)
        await program.run("reply", "Talk:Bridge", "c-Carol", "-m", "Thanks.")
        paper.append("<p>A later word. Bob</p>")
        let before = try await state(program)
        paper.answer(step, with: accident.answer)
        for words in [["pull", "Talk:Bridge"], ["pull"], ["sync"]] {
            let failed = await program.run(words)
            #expect(failed.exitCode == accident.exitCode, "\(words): \(failed.error)")
            #expect(
                failed.error.contains(accident.words) && failed.error.contains("\nhint: \(accident.hint(paper))\n"),
                "\(failed.error)")
            #expect(try await state(program) == before)
        }
        let shown = await program.run("show", "Talk:Bridge").output
        #expect(shown.contains("the last try failed: ") && shown.contains(accident.words))
        // What the wiki did say is not forgotten.
        #expect(shown.contains("the wiki has revision 12"))

        paper.answer(step, with: nil)
        let pull = await program.run("pull", "Talk:Bridge")
        #expect(pull.output.contains("now 12") && pull.output.contains("1 pending reply fitted to it"), "\(pull.error)")
        #expect(!(await program.run("show", "Talk:Bridge").output.contains("the last try failed")))
    }

    /// References, page files and outbox.
    private func state(_ program: TestProgram) async throws -> [String] {
        let page = try #require(
            try FileManager.default.contentsOfDirectory(atPath: program.store.path).first { $0 != ".git" })
        let files = try BuiltProgram.listing(program.store.appending(path: page)).map { "\($0.key) \($0.value)" }
        return files.sorted() + [try program.git("for-each-ref"), await program.run("outbox", "--json").output]
    }

    /// JSON of the wrong form is no news about the page.
    @Test(arguments: [
        "[]", "{}", #"{"batchcomplete":true}"#, #"{"query":{"pages":"no","allmessages":{}},"parse":{"text":7}}"#,
    ])
    func anAnswerOfTheWrongFormIsToBeTriedLater(json: String) async throws {
        for step in [PaperWiki.Step.messages, .revisions, .parse] {
            let paper = PaperWiki()
            let program = try TestProgram(in: TemporaryDirectory.current.appending(path: step.rawValue))
            paper.answer(step, with: .json(json))
            let failed = await program.run("pull", paper.page)
            #expect(failed.exitCode == .later, "\(step): \(failed.error)")
            #expect(failed.error.contains("hint: try again later"), "\(step): \(failed.error)")
            #expect(await program.run("list").output == "")
        }
    }

    @Test func numbersThatCannotBeAreRefused() async throws {
        for revision in ["-5", "0", "99999999999999999999999", #""x""#, "1.5", "null"] {
            let paper = PaperWiki()
            let program = try TestProgram(in: TemporaryDirectory.current.appending(path: "r\(revision.hashValue)"))
            paper.answer(
                .check,
                with: .json(#"{"query":{"pages":[{"pageid":7,"title":"Talk:Bridge","lastrevid":\#(revision)}]}}"#))
            let failed = await program.run("pull", paper.page)
            #expect(
                failed.exitCode == .later && failed.error.contains("does not say which revision is the newest"),
                "\(failed.error)")
        }
    }

    @Test func theWikiIsFoundThoughThePageIsBroken() async throws {
        for accident in Self.accidents where ["HTML", "empty", "500", "429", "403"].contains(accident.testDescription) {
            let paper = PaperWiki()
            let program = try TestProgram(in: TemporaryDirectory.current.appending(path: accident.testDescription))
            paper.answer(.address, with: accident.answer)
            #expect(await program.run("pull", paper.page).exitCode == .done, "\(accident.testDescription)")
        }
    }

    @Test func aServerWithoutEncryptionIsNotTakenForOneWithIt() async throws {
        let paper = PaperWiki()
        let program = try TestProgram()
        let result = await program.run("pull", paper.page.replacing("http:", with: "https:"))
        #expect(result.exitCode == .later)
        #expect(result.error.contains("no secure connection to the wiki came about"), "\(result.error)")
        #expect(result.error.contains("\nhint: "))
        #expect(paper.stub.calls.isEmpty)
    }

    @Test func onePageThatIsWrongDoesNotStopTheOthers() async throws {
        let paper = PaperWiki()
        let program = try TestProgram()
        let result = await program.run("pull", paper.stub.url + "/wiki/Special:Version", paper.page, "Talk:[x]")
        #expect(result.exitCode == .failure)
        #expect(result.output.hasPrefix("Talk:Bridge: 1 new revision"))
        #expect(
            result.error.contains("Special:Version") && result.error.contains("is not a page name"), "\(result.error)")
    }
}
