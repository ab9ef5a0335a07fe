import Foundation
import TalkPages
import TalkSync
import TalkTestSupport
import Testing

/// Passwords through the real `git`, with git's file store as helper.
@Suite(.temporaryDirectory) struct CredentialHelperTests {
    let server = "https://wiki.example:8443"

    /// A repository whose only configuration is its own.
    func helper(_ configuration: String, mayAsk: Bool = false, more: [String: String] = [:]) throws -> CredentialHelper
    {
        let directory = TemporaryDirectory.current.appending(path: "store.git")
        for part in ["objects", "refs"] {
            try FileManager.default.createDirectory(
                at: directory.appending(path: part), withIntermediateDirectories: true)
        }
        try "ref: refs/heads/main\n".write(to: directory.appending(path: "HEAD"), atomically: true, encoding: .utf8)
        try ("[core]\n\trepositoryformatversion = 0\n\tbare = true\n" + configuration)
            .write(to: directory.appending(path: "config"), atomically: true, encoding: .utf8)
        let environment = [
            "PATH": "/usr/local/bin:/usr/bin:/bin", "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": "/dev/null",
            "HOME": TemporaryDirectory.current.path,
        ]
        return CredentialHelper(
            git: "/usr/bin/git", repository: directory.path,
            environment: environment.merging(more) { $1 }, mayAsk: mayAsk)
    }

    func store() throws -> CredentialHelper {
        let file = TemporaryDirectory.current.appending(path: "passwords").path
        return try helper("[credential]\n\thelper = store --file=\(file)\n")
    }

    @Test func keepsAndForgetsAPassword() throws {
        let helper = try store()
        #expect(try helper.isConfigured(for: server))
        #expect(try helper.fill(server: server, user: "Alice@git-talk") == nil)
        let credential = Credential(user: "Alice@git-talk", password: "päss=w ord")
        try helper.approve(credential, server: server)
        let found = try #require(try helper.fill(server: server, user: "Alice@git-talk"))
        #expect(found.user == "Alice@git-talk")
        #expect(found.password == "päss=w ord")
        #expect(try helper.fill(server: server, user: nil)?.user == "Alice@git-talk")
        #expect(try helper.fill(server: "https://wiki.example", user: nil) == nil)
        try helper.reject(credential, server: server)
        #expect(try helper.fill(server: server, user: "Alice@git-talk") == nil)
    }

    @Test func seesThatNoHelperIsConfigured() throws {
        #expect(try !helper("").isConfigured(for: server))
        #expect(try !helper("[credential]\n\thelper =\n").isConfigured(for: server))
        let other = "[credential \"https://other.example\"]\n\thelper = store\n"
        #expect(try !helper(other).isConfigured(for: server))
        #expect(try helper(other).isConfigured(for: "https://other.example"))
    }

    @Test func isNotLedAwayByTheCallersRepository() throws {
        let elsewhere = [
            "GIT_DIR": "/nonexistent", "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "credential.helper",
            "GIT_CONFIG_VALUE_0": "store",
        ]
        #expect(try !helper("", more: elsewhere).isConfigured(for: server))
    }

    @Test(arguments: ["a\nhost=evil.example", "a\u{0}", "a\r"])
    func refusesAPasswordThatWouldBeMoreThanOne(password: String) throws {
        let helper = try store()
        #expect(throws: TalkError.self) {
            try helper.approve(Credential(user: "Alice", password: password), server: server)
        }
    }

    @Test func saysThatGitIsMissing() throws {
        let helper = CredentialHelper(git: "/nonexistent/git", repository: "/", environment: [:], mayAsk: false)
        #expect(throws: TalkError.self) { try helper.fill(server: server, user: nil) }
    }

    @Test func showsNoPassword() {
        let credential = Credential(user: "Alice", password: "secret")
        var dumped = ""
        dump(credential, to: &dumped)
        #expect(!"\(credential)\(String(reflecting: credential))\(dumped)".contains("secret"))
    }
}
