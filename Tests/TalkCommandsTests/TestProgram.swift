import Foundation
import Synchronization
import TalkCommands
import TalkTestSupport
import Testing

/// Runs commands in this process as the program would, with a home, a store and a clock of their own.
final class TestProgram: Sendable {
    /// What a command printed, and its exit code.
    struct Result: Sendable {
        let exitCode: ExitCode
        let output: String
        let error: String

        /// The JSON object that was printed.
        func json() throws -> [String: Any] {
            try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any] ?? [:]
        }
    }

    let home: URL
    let store: URL
    /// Added to the time of every command, in milliseconds.
    let shift = Mutex<Int64>(0)
    /// How long the commands would have waited, in seconds; nobody does.
    let slept = Pauses()

    init(in directory: URL = TemporaryDirectory.current) throws {
        home = directory.appending(path: "home")
        store = directory.appending(path: "store")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        let configuration = "[credential]\n\thelper = store --file \(home.path)/passwords\n"
        try Data(configuration.utf8).write(to: home.appending(path: ".gitconfig"))
    }

    var environment: [String: String] {
        [
            "HOME": home.path, "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
            "GIT_TALK_STORE": store.path, "GIT_CONFIG_NOSYSTEM": "1",
        ]
    }

    /// Runs one command; `input` is its standard input.
    @discardableResult
    func run(_ arguments: String..., input: String = "", with extra: [String: String] = [:]) async -> Result {
        await run(arguments, input: input, with: extra)
    }

    /// Runs one command.
    func run(_ arguments: [String], input: String = "", with extra: [String: String] = [:]) async -> Result {
        await run(words: arguments, input: input, with: extra)
    }

    /// Runs a command that a person sees on a terminal.
    @discardableResult
    func onTerminal(_ arguments: String...) async -> Result {
        await run(words: arguments, with: ["GIT_PAGER": "cat", "TERM": "dumb"], output: true, error: true)
    }

    /// Runs one command that was put together; `output` and `error` say which streams are a terminal.
    @discardableResult
    func run(
        words arguments: [String], input: String? = "", with extra: [String: String] = [:], isTyped: Bool = false,
        output: Bool = false, error: Bool = false, background: BackgroundWork = .once()
    ) async -> Result {
        let written = Written()
        // What is typed ends with a line end; before Ctrl-D there is no empty line.
        var typed = input ?? ""
        if isTyped, typed.hasSuffix("\n") { typed.removeLast() }
        let lines = Mutex(
            input == nil ? [] : typed.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)[...])
        let readLine: @Sendable () -> String? = { lines.withLock { $0.popFirst() } }
        let terminal = Terminal(
            isInteractive: output, isInputInteractive: isTyped, isErrorInteractive: error,
            write: { text in written.text.withLock { $0.output += text } },
            writeError: { text in written.text.withLock { $0.error += text } },
            readAll: { Array((input ?? "").utf8) }, readLine: readLine, readSecret: readLine)
        let slept = slept
        let surroundings = Surroundings(
            environment: environment.merging(extra) { $1 }, home: home.path, currentDirectory: home.path,
            milliseconds: { [self] in Int64(Date().timeIntervalSince1970 * 1000) + shift.withLock { $0 } },
            random: { (UInt64.random(in: 0 ... .max), UInt64.random(in: 0 ... .max)) },
            sleep: slept.append, background: background)
        let exitCode = await runTalk(arguments, terminal: terminal, surroundings: surroundings)
        let text = written.text.withLock { $0 }
        return Result(exitCode: exitCode, output: text.output, error: text.error)
    }

    final class Pauses: Sendable {
        private let seconds = Mutex<[Double]>([])

        var all: [Double] { seconds.withLock { $0 } }
        func append(_ pause: Double) { seconds.withLock { $0.append(pause) } }
    }

    private final class Written: Sendable {
        let text = Mutex((output: "", error: ""))
    }

    /// Sets a key of the user's own git configuration, or takes it out.
    func configure(_ key: String, _ value: String?) throws {
        let words = ["config", "--file", home.appending(path: ".gitconfig").path]
        let (status, output) = try runGit(words + (value.map { [key, $0] } ?? ["--unset-all", key]), in: home.path)
        try #require(status == 0, "\(output)")
    }

    /// Runs git in the store; its output, standard error included.
    @discardableResult
    func git(_ arguments: String...) throws -> String {
        let (status, output) = try runGit(arguments, in: store.path)
        try #require(status == 0, "git \(arguments.joined(separator: " ")): \(output)")
        return output
    }
}
