internal import TalkGit
public import TalkPages

/// The `git` program, run on one repository and with nothing of the repository that the user stands in.
///
/// Every call names its `--git-dir`, runs no hook, and is bounded in time and output. It blocks until git has ended.
public struct GitProgram: Sendable {
    /// Which configuration counts beside the repository's own.
    public enum Configuration: Hashable, Sendable {
        /// None: what happens in the store is the same on every machine.
        case none
        /// The user's and the machine's: proxies, credential helpers, ssh.
        case users
    }

    /// What git said.
    public struct Answer: Hashable, Sendable {
        /// How it ended; nil when it was stopped or killed.
        public let status: Int32?
        /// What it printed.
        public let output: [UInt8]
        /// What it said on standard error.
        public let errors: String

        /// Whether it did what it was to do.
        public var isSuccess: Bool { status == 0 }
    }

    /// Variables that tie git to the repository that a caller stands in: `git rev-parse --local-env-vars`.
    public static let repositoryVariables: Set<String> = [
        "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_CONFIG", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT",
        "GIT_OBJECT_DIRECTORY", "GIT_DIR", "GIT_WORK_TREE", "GIT_IMPLICIT_WORK_TREE", "GIT_GRAFT_FILE",
        "GIT_INDEX_FILE", "GIT_NO_REPLACE_OBJECTS", "GIT_REPLACE_REF_BASE", "GIT_PREFIX", "GIT_SHALLOW_FILE",
        "GIT_COMMON_DIR", "GIT_INTERNAL_SUPER_PREFIX",
    ]

    /// The environment without what ties git to a repository or configures one call of it.
    public static func cleaned(_ environment: [String: String]) -> [String: String] {
        environment.filter {
            !repositoryVariables.contains($0.key) && !$0.key.hasPrefix("GIT_CONFIG_KEY_")
                && !$0.key.hasPrefix("GIT_CONFIG_VALUE_")
        }
    }

    private let path: String?
    private var repository: String
    private let environment: [String: String]

    /// The same program on another git directory.
    func on(_ repository: String) -> GitProgram {
        var other = self
        other.repository = repository
        return other
    }

    /// Describes how git is called.
    ///
    /// `path` is the program, nil where there is none; `repository` is a git directory; `environment` is the caller's,
    /// and is cleaned here. Without `mayAsk` git asks neither on the terminal nor in a window.
    public init(path: String?, repository: String, environment: [String: String], mayAsk: Bool = false) {
        self.path = path
        self.repository = repository
        var environment = Self.cleaned(environment)
        // Its words are looked at, and shown among ours.
        environment["LC_ALL"] = "C"
        environment["LANGUAGE"] = nil
        if !mayAsk {
            environment["GIT_TERMINAL_PROMPT"] = "0"
            environment["GIT_ASKPASS"] = ""
        }
        self.environment = environment
    }

    /// Runs git to its end, whatever it answers.
    ///
    /// `settings` count more than any configuration. It is stopped after `seconds`. Throws `.missingProgram` where git is
    /// not installed, `.unwritable` or `.internal` where it cannot be started.
    public func run(
        _ arguments: [String], configuration: Configuration = .none, settings: [(key: String, value: String)] = [],
        input: [UInt8] = [], seconds: Double = 600
    ) throws(TalkError) -> Answer {
        try run(
            arguments, configuration: configuration, settings: settings, input: input, seconds: seconds, holding: nil)
    }

    /// The same with a lock that is held as long as git runs, even when this program is killed.
    func run(
        _ arguments: [String], configuration: Configuration = .none, settings: [(key: String, value: String)] = [],
        input: [UInt8] = [], seconds: Double = 600, holding lock: Int32?
    ) throws(TalkError) -> Answer {
        guard let path else { throw Self.missing(nil) }
        var environment = environment
        if configuration == .none {
            environment["GIT_CONFIG_NOSYSTEM"] = "1"
            environment["GIT_CONFIG_GLOBAL"] = "/dev/null"
            // A user's `fetch --depth`, graft or replacement hides history, which a repack would then remove for good.
            environment["GIT_SHALLOW_FILE"] = ""
            environment["GIT_GRAFT_FILE"] = "/dev/null"
            environment["GIT_NO_REPLACE_OBJECTS"] = "1"
        }
        // No hook of the user's, no file system monitor, no other repository's part in this one.
        let always = [("core.hooksPath", "/dev/null"), ("core.fsmonitor", "false"), ("gc.auto", "0")]
        let words = (always + settings).flatMap { ["-c", "\($0.0)=\($0.1)"] }
        let program = ChildProcess(path, ["--git-dir=\(repository)"] + words + arguments, environment: environment)
        do {
            let result = try program.run(input: input, seconds: seconds, outputLimit: 1 << 28, holding: lock)
            return Answer(result, seconds)
        } catch {
            if error.isMissing || error.cause == .denied { throw Self.missing(error) }
            throw TalkError(error, "git cannot be started")
        }
    }

    private static func missing(_ error: (any Error)?) -> TalkError {
        TalkError(
            .missingProgram, "this needs the program git, which was not found", hint: "install git, and try again",
            underlying: error)
    }
}

extension GitProgram.Answer {
    fileprivate init(_ result: ChildProcess.Result, _ seconds: Double) {
        output = result.output
        var errors = String(decoding: result.errors, as: UTF8.self)
        switch result.ending {
        case .exited(let status): self.status = status
        case .signalled(let number):
            status = nil
            errors += "\nfatal: git was ended by signal \(number)"
        case .outOfTime:
            status = nil
            errors += "\nfatal: git took longer than \(Int(seconds)) s and was stopped"
        case .tooMuchOutput:
            status = nil
            errors += "\nfatal: git printed too much and was stopped"
        }
        self.errors = errors
    }

    /// The line in which git says what went wrong.
    public var reason: String {
        let lines = errors.split(whereSeparator: \.isNewline).map(String.init)
        // After the reason, which may be ssh's, or an object that is not there, git says this, too.
        let ends = ["fatal: Could not read from remote repository.", "did not send all necessary objects"]
        let told = lines.prefix { line in !ends.contains(where: line.hasSuffix) }
        let line = told.last { $0.hasPrefix("fatal: ") || $0.hasPrefix("error: ") } ?? told.last ?? lines.last
        guard let line else { return "it does not say why" }
        return line.hasPrefix("fatal: ") || line.hasPrefix("error: ") ? String(line.dropFirst(7)) : line
    }

    /// Whether it had no room on a disk of this machine.
    var isDiskFull: Bool {
        errors.split(whereSeparator: \.isNewline).contains { line in
            !line.hasPrefix("remote: ")
                && ["No space left on device", "Disk quota exceeded"].contains(where: line.contains)
        }
    }

    /// The error for a git that did not do what it was to do; `subject` is what could not be done.
    ///
    /// `kind` and `hint` are for what is no matter of the disk.
    public func failure(_ subject: String, _ kind: TalkError.Kind, hint: String? = nil) -> TalkError {
        let causes = ["No space left on device", "Disk quota exceeded", "Permission denied", "Read-only file system"]
        guard let cause = causes.first(where: errors.contains) else {
            return TalkError(kind, "\(subject): git: \(reason)", hint: hint)
        }
        return TalkError(
            .unwritable, "\(subject): \(cause.lowercased())", hint: "see to the store's disk, and repeat the command")
    }
}
