public import Foundation
public import Testing

/// A private MediaWiki that `Tests/Wiki/wiki` runs, for tests against the real thing.
///
/// `make test` starts one and names it in the environment: `GIT_TALK_TEST_WIKI` is the URL of its api.php,
/// `GIT_TALK_TEST_WIKI_CONTROL` the program that changes it. Without them the tests that want a wiki skip, and say so.
///
/// The wiki is shared by the tests of a run, which go on at the same time: work on a page of your own (`newTitle`), and
/// where the wiki itself has to change (paused, read-only, a blocked user) take a private one (`withPrivateWiki`).
public struct TestWiki: Sendable {
    /// An account of the wiki.
    public struct Account: Sendable {
        /// The user name.
        public let name: String
        /// The name to log in with by a bot password.
        public var botName: String { "\(name)@git-talk" }
        /// The bot password; the account has the same one.
        public var password: String {
            "localwikipasswordof\(name.lowercased())".padding(toLength: 32, withPad: "0", startingAt: 0)
        }

        /// Makes an account; the wiki makes it as well when it edits.
        public init(name: String) { self.name = name }

        /// An administrator.
        public static let admin = Account(name: "Admin")
        /// A user without special rights, by custom the one whom the tests log in as.
        public static let alice = Account(name: "Alice")
        /// A second user, by custom the one who edits meanwhile.
        public static let bob = Account(name: "Bob")
        /// A third user.
        public static let carol = Account(name: "Carol")
    }

    /// A command of the control program that failed.
    public struct Failure: Error, CustomStringConvertible {
        /// The command and what it printed.
        public let description: String
    }

    /// The URL of api.php.
    public let api: URL
    /// The URL a user would type, with a slash at the end.
    public var url: URL { api.deletingLastPathComponent().deletingLastPathComponent() }
    private let control: URL

    /// The wiki of this test run, if there is one.
    public static let current: TestWiki? = {
        let environment = ProcessInfo.processInfo.environment
        guard let address = environment["GIT_TALK_TEST_WIKI"], let api = URL(string: address),
            let control = environment["GIT_TALK_TEST_WIKI_CONTROL"]
        else { return nil }
        return TestWiki(api: api, control: URL(filePath: control))
    }()

    /// Whether tests that want a wiki can run.
    public static var isAvailable: Bool { current != nil }

    /// The wiki of this test run; fails the test where there is none, which `.testWiki` prevents.
    public static func required(sourceLocation: SourceLocation = #_sourceLocation) throws -> TestWiki {
        try #require(current, "no test wiki; run the tests with `make test`", sourceLocation: sourceLocation)
    }

    /// A title that no other test uses.
    public static func newTitle(_ words: String = "Test") -> String { "Talk:\(words) \(UUID())" }

    /// Runs `body` with a wiki of its own that holds only the sample pages, gone afterwards.
    ///
    /// It takes about half a second. `body` may pause it, or change its settings.
    public static func withPrivateWiki<Result>(
        _ body: (TestWiki) async throws -> Result
    ) async throws -> Result {
        let directory = FileManager.default.temporaryDirectory.appending(path: "git-talk-wiki-\(UUID())")
        let script = SharedData.repositoryRoot.appending(path: "Tests/Wiki/wiki")
        let owner = String(ProcessInfo.processInfo.processIdentifier)
        let location = ["--directory", directory.path]
        defer { _ = try? run(script, location + ["remove"]) }
        let address = try run(script, location + ["start", "--fresh", "--for", owner])
        guard let api = URL(string: address.trimmingCharacters(in: .whitespacesAndNewlines) + "w/api.php") else {
            throw Failure(description: "the wiki's address is “\(address)”")
        }
        return try await body(TestWiki(api: api, control: directory.appending(path: "control")))
    }

    /// Replaces the whole text of a page, or makes the page; returns the new revision's id.
    @discardableResult
    public func edit(
        _ title: String, to text: String, as account: Account = .bob, summary: String = ""
    ) throws -> Int {
        try revision(savedBy: ["edit", "--", title, account.name, summary], text: text)
    }

    /// Adds `text` at the end of a page; returns the new revision's id.
    @discardableResult
    public func append(
        _ text: String, to title: String, as account: Account = .bob, summary: String = ""
    ) throws -> Int {
        try revision(savedBy: ["append", "--", title, account.name, summary], text: text)
    }

    /// The wikitext of the page as it is now.
    public func text(of title: String) throws -> String { try run(["text", "--", title]) }

    /// Deletes a page.
    public func delete(_ title: String) throws { try run(["delete", "--", title]) }

    /// Moves a page and leaves a redirect.
    public func move(_ title: String, to newTitle: String) throws { try run(["move", "--", title, newTitle]) }

    /// Calls the API as `account`, with the right token; returns the answer's JSON.
    @discardableResult
    public func call(_ parameters: [String: String], as account: Account = .admin) throws -> String {
        try run(["api", "--", account.name] + parameters.map { "\($0.key)=\($0.value)" }.sorted())
    }

    /// Overrides the setting `$wg<key>`, or takes the override back; for a private wiki.
    public func set(_ key: String, to value: String?) throws {
        try run(["set", "--", key] + (value.map { [$0] } ?? []))
    }

    /// Switches on extensions that MediaWiki comes with, `ConfirmEdit/QuestyCaptcha`; for a private wiki, once.
    public func extend(_ extensions: String...) throws { try run(["extend", "--"] + extensions) }

    /// Makes an edit filter for texts that have `word`; `action` is `warn` or `disallow`.
    public func filter(_ action: String, _ word: String, description: String) throws {
        try run(["filter", "--", action, word, description])
    }

    /// Stops the server, so that connections are refused until `resume`; for a private wiki.
    public func pause() throws { try run(["pause"]) }

    /// Starts the server again at the same port.
    public func resume() throws { try run(["resume"]) }

    private func revision(savedBy arguments: [String], text: String) throws -> Int {
        struct Answer: Decodable {
            struct Edit: Decodable {
                let newrevid: Int?
                let oldrevid: Int?
            }
            let edit: Edit
        }
        let answer = try run(arguments, input: text)
        let edit = try JSONDecoder().decode(Answer.self, from: Data(answer.utf8)).edit
        guard let revision = edit.newrevid ?? edit.oldrevid else {
            throw Failure(description: "the edit was not saved: \(answer)")
        }
        return revision
    }

    @discardableResult
    private func run(_ arguments: [String], input: String = "") throws -> String {
        try Self.run(control, arguments, input: input)
    }

    /// Runs a program to its end.
    ///
    /// Input and output go through files: a pipe that fills up would stop it.
    @discardableResult
    private static func run(_ program: URL, _ arguments: [String], input: String = "") throws -> String {
        let directory = FileManager.default.temporaryDirectory.appending(path: "git-talk-control-\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let (inputFile, outputFile, errorFile) = (
            directory.appending(path: "input"), directory.appending(path: "output"), directory.appending(path: "error")
        )
        try Data(input.utf8).write(to: inputFile)
        for file in [outputFile, errorFile] { try Data().write(to: file) }

        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.standardInput = try FileHandle(forReadingFrom: inputFile)
        process.standardOutput = try FileHandle(forWritingTo: outputFile)
        process.standardError = try FileHandle(forWritingTo: errorFile)
        try process.run()
        process.waitUntilExit()
        let output = try String(contentsOf: outputFile, encoding: .utf8)
        guard process.terminationStatus == 0 else {
            let error = try String(contentsOf: errorFile, encoding: .utf8)
            throw Failure(description: "wiki \(arguments.joined(separator: " ")): \(error)\(output)")
        }
        return output
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips the test, visibly, where there is no wiki to test with.
    public static var testWiki: Self {
        .enabled(if: TestWiki.isAvailable, "no test wiki; `make test` starts one")
    }
}
