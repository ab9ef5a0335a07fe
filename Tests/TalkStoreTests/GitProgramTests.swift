import Foundation
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore

@Suite(.temporaryDirectory) struct GitProgramTests {
    private func program(_ environment: [String: String] = [:], path: String? = "/usr/bin/git") throws -> GitProgram {
        let store = try makeStore()
        return GitProgram(
            path: path, repository: store.layout.gitDirectory,
            environment: ["PATH": "/usr/bin:/bin", "HOME": TemporaryDirectory.current.path].merging(environment) { $1 })
    }

    /// What ties a git command to the repository that it was called in is git's own list.
    @Test func cleansWhatGitCallsLocal() throws {
        let names = String(decoding: try program().run(["rev-parse", "--local-env-vars"]).output, as: UTF8.self)
        #expect(!names.isEmpty)
        for name in names.split(separator: "\n") {
            #expect(GitProgram.repositoryVariables.contains(String(name)), "\(name)")
        }
    }

    @Test func touchesNoRepositoryButItsOwn() throws {
        let other = TemporaryDirectory.current.appending(path: "other").path
        let git = try program([
            "GIT_DIR": other, "GIT_WORK_TREE": other, "GIT_OBJECT_DIRECTORY": other, "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "core.bare", "GIT_CONFIG_VALUE_0": "false", "GIT_CONFIG_PARAMETERS": "'a.b'='c'",
        ])
        let place = try git.run(["rev-parse", "--absolute-git-dir", "--is-bare-repository"])
        let root = TemporaryDirectory.current.resolvingSymlinksInPath().path
        #expect(String(decoding: place.output, as: UTF8.self) == "\(root)/store/.git\ntrue\n")
    }

    @Test func readsTheUsersConfigurationOnlyWhereThatIsWanted() throws {
        let git = try program()
        try "[a]\n\tb = c\n[core]\n\thooksPath = /somewhere\n".write(
            to: TemporaryDirectory.current.appending(path: ".gitconfig"), atomically: true, encoding: .utf8)
        #expect(try git.run(["config", "a.b"]).status == 1)
        #expect(try git.run(["config", "a.b"], configuration: .users).output == Array("c\n".utf8))
        let hooks = try git.run(["config", "core.hooksPath"], configuration: .users)
        #expect(hooks.output == Array("/dev/null\n".utf8))
        let set = try git.run(["config", "a.b"], configuration: .users, settings: [("a.b", "d")])
        #expect(set.output == Array("d\n".utf8))
    }

    @Test func saysWhatGitSaid() throws {
        let answer = try program().run(["cat-file", "-p", "nothing"])
        #expect(answer.status == 128 && !answer.isSuccess)
        let error = answer.failure("the store cannot be packed", .damaged, hint: "look")
        #expect(error.kind == .damaged && error.hint == "look")
        #expect(error.message == "the store cannot be packed: git: Not a valid object name nothing")
    }

    @Test func aFullDiskIsNoDamage() {
        let answer = GitProgram.Answer(
            status: 128, output: [], errors: "error: x\nfatal: write error: No space left on device\n")
        #expect(answer.failure("it cannot be packed", .damaged).kind == .unwritable)
        #expect(
            answer.failure("it cannot be packed", .damaged).message == "it cannot be packed: no space left on device")
        #expect(answer.isDiskFull)
        let remote = GitProgram.Answer(
            status: 128, output: [],
            errors: "remote: fatal: write error: No space left on device\nfatal: index-pack failed\n")
        #expect(!remote.isDiskFull)
        let killed = GitProgram.Answer(status: nil, output: [], errors: "warning: a\n")
        #expect(killed.failure("it cannot be packed", .busy).message == "it cannot be packed: git: warning: a")
    }

    /// Git ends with what follows from the reason; the words are those of git 2.39.
    @Test(arguments: [
        (
            "fatal: bad object refs/remotes/hub/x\nerror: hub.git did not send all necessary objects\n",
            "bad object refs/remotes/hub/x"
        ),
        (
            "ssh: connect to host h port 22: Connection refused\nfatal: Could not read from remote repository.\n\nPlease\n",
            "ssh: connect to host h port 22: Connection refused"
        ),
        ("fatal: Could not read from remote repository.\n", "Could not read from remote repository."),
        ("", "it does not say why"),
    ])
    func theReasonComesBeforeWhatFollows(errors: String, reason: String) {
        #expect(GitProgram.Answer(status: 128, output: [], errors: errors).reason == reason)
    }

    @Test func saysThatGitIsMissing() throws {
        for path in [nil, "/nonexistent/git"] {
            let error = try #require(throws: TalkError.self) { try program(path: path).run(["version"]) }
            #expect(error.kind == .missingProgram && error.message == "this needs the program git, which was not found")
        }
    }
}
