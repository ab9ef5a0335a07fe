internal import Foundation

/// A program that has the terminal to itself until it ends: the editor, the pager.
///
/// Foundation's `Process` would put it into a process group in the background, where the terminal gives it no input, and
/// hand on to it that the threads of this program block every signal. The C library starts it as a shell would.
struct ForegroundProgram: Sendable {
    private let line: String

    /// A command for `sh` that sees these variables and starts in this directory.
    init(_ command: String, environment: [String: String], directory: String) {
        let own = ProcessInfo.processInfo.environment
        var line =
            directory == FileManager.default.currentDirectoryPath ? "" : "cd \(Self.quoted(directory)) || exit 127; "
        for name in own.keys.sorted() where environment[name] == nil && Self.isName(name) { line += "unset \(name); " }
        for (name, value) in environment.sorted(by: { $0.key < $1.key }) where own[name] != value && Self.isName(name) {
            line += "export \(name)=\(Self.quoted(value)); "
        }
        self.line = line + command
    }

    /// Runs it to its end; whether it succeeded.
    func run() -> Bool { Self.withUsualSignals { unsafe system(line) } == 0 }

    /// Runs it to its end with a text as its standard input; false when it could not be started.
    func run(input text: String) -> Bool {
        guard let file = unsafe Self.withUsualSignals({ unsafe popen(line, "w") }) else { return false }
        // Whether a key that interrupts ends it is for the program to say; and it may end before it has read all.
        let interrupt = signal(SIGINT, SIG_IGN)
        signal(SIGPIPE, SIG_IGN)
        _ = unsafe fputs(text, file)
        let status = unsafe pclose(file)
        signal(SIGINT, interrupt)
        // What the shell says of a command that it does not find, in the place where an exit status is kept.
        return status != -1 && status != 127 << 8
    }

    /// The text as one word for `sh`.
    static func quoted(_ text: String) -> String { "'" + text.replacing("'", with: #"'\''"#) + "'" }

    /// Whether `sh` can set a variable of that name.
    private static func isName(_ name: String) -> Bool {
        name.utf8.first.map { !(48...57).contains($0) } == true
            && name.utf8.allSatisfy { $0 == 95 || (48...57).contains($0) || (65...90).contains($0 & 0xDF) }
    }

    /// A child inherits what its parent's thread blocks.
    private static func withUsualSignals<Value>(_ body: () -> Value) -> Value {
        var none = sigset_t()
        var before = sigset_t()
        unsafe sigemptyset(&none)
        unsafe pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { unsafe pthread_sigmask(SIG_SETMASK, &before, nil) }
        return body()
    }
}
