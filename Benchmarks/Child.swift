import Foundation

/// A program that ran to its end.
struct Child {
    /// The time from before its start until it was gone.
    let milliseconds: Double
    /// Its largest resident size.
    ///
    /// Linux counts what was resident before `exec`, too, so this process must not have grown large before.
    let megabytes: Double

    /// Runs a command of the shell with output thrown away; the same way for us and for the peers.
    ///
    /// With `posix_spawn`, since Foundation's `Process` takes longer than what is measured.
    init(_ command: String, environment: [String: String] = [:]) throws {
        let all = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let arguments = Self.pointers(["/bin/sh", "-c", command])
        let variables = Self.pointers(all.map { "\($0)=\($1)" })
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            for pointer in arguments + variables { free(pointer) }
        }
        for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
        }
        var process: pid_t = 0
        var status: Int32 = 0
        var usage = rusage()
        let clock = ContinuousClock()
        let began = clock.now
        guard posix_spawn(&process, "/bin/sh", &actions, nil, arguments, variables) == 0,
            wait4(process, &status, 0, &usage) == process, status == 0
        else { throw Failure(command: command) }
        milliseconds = (clock.now - began).milliseconds
        megabytes = Double(usage.ru_maxrss) / 1024
    }

    /// The same, started by a process of this program that is small yet, see `megabytes`.
    init(apart command: String, environment: [String: String] = [:]) throws {
        let words = try output(
            of: environment.map { "\($0)=\($1)" } + [CommandLine.arguments[0], "measure", command]
        ).split { $0 == " " || $0 == "\n" }.compactMap { Double($0) }
        guard words.count == 2 else { throw Failure(command: command) }
        (milliseconds, megabytes) = (words[0], words[1])
    }

    /// The strings as C wants them, nil at the end; to be freed.
    private static func pointers(_ strings: [String]) -> [UnsafeMutablePointer<CChar>?] {
        strings.map { $0.withCString { strdup($0) } } + [nil]
    }

    struct Failure: Error { let command: String }
}
