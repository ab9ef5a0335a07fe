internal import CLibgit2
internal import Glibc

/// A program that is run to its end, with all that it prints kept.
///
/// Foundation's `Process` would put it into the background of a terminal, so that nobody could answer its questions, and
/// would close a lock that the program is to hold on to.
public struct ChildProcess: Sendable {
    /// How it ended.
    public enum Ending: Hashable, Sendable {
        /// By itself, with a status.
        case exited(Int32)
        /// A signal ended it.
        case signalled(Int32)
        /// It took longer than it may, and was stopped.
        case outOfTime
        /// It printed more than it may, and was stopped.
        case tooMuchOutput
    }

    /// What it left.
    public struct Result: Hashable, Sendable {
        /// How it ended.
        public let ending: Ending
        /// What it printed on standard output.
        public let output: [UInt8]
        /// What it printed on standard error, as far as it is kept.
        public let errors: [UInt8]
    }

    private let path: String
    private let arguments: [String]
    private let environment: [String: String]

    /// Describes a program by its path, its arguments without its own name, and its whole environment.
    public init(_ path: String, _ arguments: [String], environment: [String: String]) {
        self.path = path
        self.arguments = arguments
        self.environment = environment
    }

    /// Of what it says went wrong this much is kept.
    private static let errorLimit = 1 << 16

    /// Runs it to its end; throws only when it cannot be started.
    ///
    /// It stays in the foreground of the terminal and is interrupted together with this program. It is stopped after
    /// `seconds`, or when it printed more than `outputLimit` bytes. `lock` is held until it and all that it started have
    /// ended, even if this program is killed before.
    public func run(
        input: [UInt8] = [], seconds: Double, outputLimit: Int, holding lock: Int32? = nil
    ) throws(FileError) -> Result {
        let pipes = try Pipes(path)
        let child = try start(pipes, lock)
        let conversation = pipes.conversation(input: input, outputLimit: outputLimit)
        return Self.listen(to: child, conversation, until: Self.now + seconds)
    }

    private struct Pipes: ~Copyable {
        let input: DescriptorPair
        let output: DescriptorPair
        let errors: DescriptorPair

        init(_ path: String) throws(FileError) {
            let input = try DescriptorPair(path)
            let output = try DescriptorPair(path)
            let errors = try DescriptorPair(path)
            self.input = input
            self.output = output
            self.errors = errors
        }

        /// Closes the other program's ends: while this one has them, the pipes do not end.
        consuming func conversation(input bytes: [UInt8], outputLimit: Int) -> Conversation {
            Conversation(input: input.own, output: output.own, errors: errors.own, rest: bytes[...], limit: outputLimit)
        }
    }

    private func start(_ pipes: borrowing Pipes, _ lock: Int32?) throws(FileError) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (own, number) in [
            (pipes.input.other.number, STDIN_FILENO), (pipes.output.other.number, STDOUT_FILENO),
            (pipes.errors.other.number, STDERR_FILENO),
        ] {
            posix_spawn_file_actions_adddup2(&actions, own, number)
        }
        if let lock { posix_spawn_file_actions_adddup2(&actions, lock, 3) }
        shim_close_from(&actions, lock == nil ? 3 : 4)
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // The threads of this program block signals, and a child would inherit that.
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var words = ([path] + arguments).map { strdup($0) } + [nil]
        var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for word in words + variables { free(word) } }
        var child = pid_t()
        let status = posix_spawn(&child, path, &actions, &attributes, &words, &variables)
        guard status == 0 else { throw FileError(code: status, "posix_spawn", path) }
        return child
    }

    /// What is exchanged with the program while it runs.
    private struct Conversation: ~Copyable {
        let input: Descriptor
        let output: Descriptor
        let errors: Descriptor
        var rest: ArraySlice<UInt8>
        let limit: Int
        var isInputOpen = true, isOutputOpen = true, areErrorsOpen = true
        var kept: [UInt8] = [], keptErrors: [UInt8] = []

        init(
            input: consuming Descriptor, output: consuming Descriptor, errors: consuming Descriptor,
            rest: ArraySlice<UInt8>, limit: Int
        ) {
            self.input = input
            self.output = output
            self.errors = errors
            self.rest = rest
            self.limit = limit
        }

        var isOver: Bool { !isOutputOpen && !areErrorsOpen }
        var isFull: Bool { kept.count > limit }

        /// Moves what can be moved within so many milliseconds; false when nothing could.
        mutating func step(milliseconds: Int32) -> Bool {
            if isInputOpen, rest.isEmpty {
                shutdown(input.number, Int32(SHUT_WR))
                isInputOpen = false
            }
            // One that is not looked at has a negative number.
            var entries = [
                pollfd(fd: isInputOpen ? input.number : -1, events: Int16(POLLOUT), revents: 0),
                pollfd(fd: isOutputOpen ? output.number : -1, events: Int16(POLLIN), revents: 0),
                pollfd(fd: areErrorsOpen ? errors.number : -1, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&entries, 3, milliseconds) > 0 else { return false }
            if entries[0].revents != 0 { send() }
            if entries[1].revents != 0 { isOutputOpen = Self.read(output.number, into: &kept, limit + 1) }
            if entries[2].revents != 0 {
                areErrorsOpen = Self.read(errors.number, into: &keptErrors, ChildProcess.errorLimit)
            }
            return true
        }

        private mutating func send() {
            // A pipe would end this program when the other one does not read to the end.
            let sent = rest.withUnsafeBytes {
                Glibc.send(input.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            if sent > 0 {
                rest = rest.dropFirst(sent)
            } else if errno != EAGAIN && errno != EINTR {
                rest = []
            }
        }

        /// Adds what is there, and drops what is beyond the limit; false at the end.
        private static func read(_ number: Int32, into bytes: inout [UInt8], _ limit: Int) -> Bool {
            var count = 0
            let chunk = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, length in
                count = Glibc.read(number, buffer.baseAddress, buffer.count)
                length = max(0, count)
            }
            bytes += chunk.prefix(max(0, limit - bytes.count))
            return count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN))
        }
    }

    private static func listen(
        to child: pid_t, _ conversation: consuming Conversation, until deadline: Double
    ) -> Result {
        var status: Int32?
        var stopped: Ending?
        var killing = Double.infinity
        while true {
            if conversation.isOver { status = reap(child) }
            if status != nil { break }
            let isMoving = conversation.step(milliseconds: conversation.isOver ? 1 : 20)
            // What it started and left behind may keep the pipes open.
            if !isMoving || stopped != nil { status = reap(child) }
            if status != nil { break }
            if stopped == nil {
                if conversation.isFull { stopped = .tooMuchOutput }
                if now >= deadline { stopped = .outOfTime }
                guard stopped != nil else { continue }
                kill(child, SIGTERM)
                killing = now + 2
            } else if now >= killing {
                kill(child, SIGKILL)
            }
        }
        while !conversation.isOver, !conversation.isFull, conversation.step(milliseconds: 0) {}
        if stopped == nil, conversation.isFull { stopped = .tooMuchOutput }
        let code = status ?? 0
        let ending: Ending = code & 0x7F == 0 ? .exited(code >> 8 & 0xFF) : .signalled(code & 0x7F)
        return Result(ending: stopped ?? ending, output: conversation.kept, errors: conversation.keptErrors)
    }

    /// The status with which the program ended; nil while it runs.
    private static func reap(_ child: pid_t) -> Int32? {
        var status: Int32 = 0
        while true {
            let found = waitpid(child, &status, WNOHANG)
            if found == child { return status }
            if found == 0 { return nil }
            // Somebody else took it: nothing is known but that it is gone.
            if errno != EINTR { return 0 }
        }
    }

    /// Seconds by a clock that nobody sets.
    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
