import Foundation
import TalkTestSupport
import Testing

@testable import TalkCommands

/// What goes wrong before any wiki is asked: what is said, what is to be done, the exit code.
@Suite(.temporaryDirectory) struct OfflineTests {
    @Test func versionAndHelp() async throws {
        let program = try TestProgram()
        #expect(await program.run("--version").output == Help.version + "\n")
        #expect(await program.run("help", "pull").output.hasPrefix("usage: git talk pull"))
        #expect(await program.run("pull", "--help").output.hasPrefix("usage: git talk pull"))
        try expectGolden(await program.run("help").output, "help.txt")
    }

    @Test func aWrongCommandLineIs64() async throws {
        let program = try TestProgram()
        let unknown = await program.run("shw")
        #expect(unknown.exitCode == .usage)
        #expect(unknown.error == "git-talk: unknown command 'shw'; did you mean 'show'?\nhint: git talk help\n")
        #expect(await program.run("show", "--jsn", "X").exitCode == .usage)
        #expect(await program.run("show").exitCode == .usage)
        #expect(await program.run("show", "a", "b").exitCode == .usage)
    }

    @Test func withoutAStoreReadingSaysHowToMakeOne() async throws {
        let program = try TestProgram()
        for words in ["list", "outbox", "sync", "wiki", "pull", "setup-diff", "setup-diff --off"] {
            let result = await program.run(words.split(separator: " ").map(String.init))
            #expect(result.exitCode == .failure, "\(words)")
            #expect(result.error.contains("there is no store at") && result.error.contains("hint: "), "\(words)")
        }
        #expect(!FileManager.default.fileExists(atPath: program.store.path))
    }

    @Test func aDirectoryOfSomebodyElseIsLeftAlone() async throws {
        let program = try TestProgram()
        try FileManager.default.createDirectory(at: program.store, withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: program.store.appending(path: "letter.txt"))
        for verb in ["list", "show", "pull"] {
            let result = await program.run(verb, verb == "list" ? "--json" : "Talk:X")
            #expect(result.exitCode == .damaged, "\(verb)")
            #expect(result.error.contains("is no store of git-talk"))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: program.store.path) == ["letter.txt"])
    }

    @Test func aNewerFormatIsNotTouched() async throws {
        let program = try TestProgram()
        _ = await program.run("pull", "Talk:X")
        _ = try program.git("config", "talk.format", "99")
        let result = await program.run("list")
        #expect(result.exitCode == .damaged)
        #expect(result.error.contains("has format 99") && result.error.contains("newer git-talk"))
    }

    @Test func aTitleWithoutAWikiAsksForAnAddress() async throws {
        let program = try TestProgram()
        let result = await program.run("pull", "Talk:X")
        #expect(result.exitCode == .failure)
        #expect(result.error.contains("the store knows no wiki yet"))
    }

    @Test func aDeadHostIsToBeTriedLater() async throws {
        let program = try TestProgram()
        let result = await program.run("pull", "http://127.0.0.1:\(StubWiki.closedPort())/wiki/Talk:X")
        #expect(result.exitCode == .later)
        #expect(result.error.contains("cannot be reached"))
    }

    @Test func aServerThatIsNoWikiIsSaid() async throws {
        let program = try TestProgram()
        let stub = StubWiki({ _ in
            .http(status: 200, headers: [("Content-Type", "text/html")], body: "<html><body>Hello</body></html>")
        })
        let result = await program.run("pull", stub.url + "/wiki/Talk:X")
        #expect(result.exitCode == .failure)
        #expect(result.error.contains("no MediaWiki wiki was found"))
    }

    @Test func aPasswordNeverGoesOverAnOpenLine() async throws {
        let program = try TestProgram()
        let result = await program.run("login", "not an address")
        #expect(result.exitCode == .failure)
        #expect(result.error.contains("is no address of a wiki"))
    }
}
