import Foundation
import TalkTestSupport
import Testing

@testable import TalkCommands

/// Passwords, access tokens and cookies stay where they belong: in git's keeping, and in one file that only its owner
/// reads.
@Suite(.temporaryDirectory, .testWiki) struct SecretsTests {
    /// Everything that a program of ours printed or was given as an argument or variable, and how it was asked.
    private static let verbose = [
        "GIT_TRACE": "1", "GIT_TRACE_CURL": "1", "GIT_CURL_VERBOSE": "1", "GIT_TRACE_SETUP": "1", "GIT_TRACE2": "1",
        "GIT_TRACE_REDACT": "0",
    ]

    /// A git before the real one that writes down with what words and variables it is called.
    private func spy(_ program: BuiltProgram) throws -> [String: String] {
        let real = try #require(BuiltProgram.find("git"))
        let directory = program.directory.appending(path: "spy")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        let file = try program.script(
            "spy/git", "{ printf '%s\\n' \"$@\"; env; } >>'\(program.directory.path)/calls'\nexec \(real) \"$@\"")
        #expect(FileManager.default.isExecutableFile(atPath: file))
        return Self.verbose.merging(["PATH": directory.path + ":" + (program.environment["PATH"] ?? "")]) { $1 }
    }

    @Test func noSecretIsWrittenAnywhereElse() async throws {
        let wiki = try TestWiki.required()
        let program = try BuiltProgram()
        let variables = try spy(program)
        let account = TestWiki.Account.alice
        let title = TestWiki.newTitle("Secrets")
        try wiki.edit(title, to: EndToEndTests.text)
        let page = wiki.url.absoluteString + "wiki/" + title.replacing(" ", with: "_")
        let closed = "http://127.0.0.1:\(StubWiki.closedPort())"
        var printed = ""
        func run(_ words: String..., status: Int32 = 0, input: String = "", more: [String: String] = [:]) throws {
            let result = try program.run(words, with: variables.merging(more) { $1 }, input: input)
            #expect(result.status == status, "\(words): \(result.error)")
            printed += result.output + result.error
        }
        let server = wiki.url.absoluteString
        try run("git", "talk", "login", server, status: 77, input: "\(account.botName)\nnotthepasswordofalice\n")
        try run("git", "talk", "login", server, input: "\(account.botName)\n\(account.password)\n")
        try run("git", "talk", "pull", page)
        try run("git", "talk", "reply", title, "c-Carol", "-m", "In the open.")
        try run(
            "git", "talk", "sync", status: 75, more: ["http_proxy": closed.replacing("//", with: "//me:proxysecret@")])
        try run("git", "talk", "sync")
        // Not through git: that traces what the user typed.
        try run("git-talk", "pull", "https://alice:hunter2@wiki.example/wiki/X", status: 1)
        try run("git", "talk", "pull", title, "--json")
        // The password is another one now: the session goes on, then ends.
        let cookies = program.store.appending(path: ".git/git-talk/cookies")
        let files = try FileManager.default.contentsOfDirectory(atPath: cookies.path)
        #expect(files.count == 1)
        let jar = cookies.appending(path: files[0])
        let lines = try String(contentsOf: jar, encoding: .utf8).split(separator: "\n")
        let values = lines.compactMap { $0.split(separator: "\t").last.map(String.init) }.filter { $0.count >= 16 }
        #expect(!values.isEmpty)
        for (path, mode) in [(jar.path, 0o600), (cookies.path, 0o700), (program.store.path, 0o700)] {
            let permissions = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
            #expect(permissions?.intValue == mode, "\(path)")
        }

        let secrets = [account.password, "notthepasswordofalice", "hunter2", "proxysecret"] + values
        for secret in secrets {
            #expect(!printed.contains(secret), "printed: \(secret)")
            let kept = try places(of: secret, below: program.directory)
            let allowed: [String] =
                secret == account.password
                ? ["home/passwords"]
                : values.contains(secret) ? ["home/.local/share/git-talk/.git/git-talk/cookies/\(files[0])"] : []
            // A variable of the caller's own goes to the git that it starts.
            #expect(kept.filter { secret != "proxysecret" || $0 != "calls" } == allowed, "\(secret)")
            // What git compresses.
            let search = "{ git cat-file --batch-all-objects --batch; git config --list; git for-each-ref; }"
            let found = try program.run("sh", "-c", search + " | grep -acF -- \"$1\"", "sh", secret, in: program.store)
            #expect(found.output == "0\n", "\(secret)")
        }
    }

    /// The files below a directory that hold a text, compressed objects aside.
    private func places(of secret: String, below directory: URL) throws -> [String] {
        let files = try #require(FileManager.default.enumerator(atPath: directory.path))
        var found: [String] = []
        for case let name as String in files {
            let data = FileManager.default.contents(atPath: directory.appending(path: name).path) ?? Data()
            if data.range(of: Data(secret.utf8)) != nil { found.append(name) }
        }
        return found.sorted()
    }
}
