internal import Foundation
internal import TalkStore

/// What a command knows of the process around it; the library below gets these as plain values.
package struct Surroundings: Sendable {
    /// The environment variables.
    package var environment: [String: String]
    /// The user's home directory.
    package var home: String
    /// The directory that relative file names start from.
    package var currentDirectory: String
    /// Milliseconds since 1970.
    package var milliseconds: @Sendable () -> Int64
    /// Chance for the id of a reply.
    package var random: @Sendable () -> (UInt64, UInt64)
    /// Lets so many seconds pass.
    package var sleep: @Sendable (Double) -> Void
    /// What ends work that goes on by itself.
    package var background: BackgroundWork

    /// Makes surroundings.
    package init(
        environment: [String: String], home: String, currentDirectory: String,
        milliseconds: @escaping @Sendable () -> Int64, random: @escaping @Sendable () -> (UInt64, UInt64),
        sleep: @escaping @Sendable (Double) -> Void, background: BackgroundWork = .once()
    ) {
        self.environment = environment
        self.home = home
        self.currentDirectory = currentDirectory
        self.milliseconds = milliseconds
        self.random = random
        self.sleep = sleep
        self.background = background
    }

    /// The process's own.
    package static var process: Surroundings {
        let environment = ProcessInfo.processInfo.environment
        return Surroundings(
            environment: environment, home: environment["HOME"] ?? NSHomeDirectory(),
            currentDirectory: FileManager.default.currentDirectoryPath,
            milliseconds: { Int64(Date().timeIntervalSince1970 * 1000) },
            random: { (UInt64.random(in: 0 ... .max), UInt64.random(in: 0 ... .max)) },
            sleep: { Thread.sleep(forTimeInterval: $0) }, background: .process)
    }

    /// Seconds since 1970.
    package var now: Int64 { milliseconds() / 1000 }

    /// A number from 0 to 1 by chance.
    package var chance: @Sendable () -> Double {
        let random = random
        return { Double(random().0 >> 11) * 0x1p-53 }
    }

    /// The environment for a program that we start: without the variables that tie git to the user's own repository.
    ///
    /// Called from an alias, a hook or another repository, git-talk must never touch that repository.
    package var cleanEnvironment: [String: String] { GitProgram.cleaned(environment) }

    /// Where files may stand for a while.
    var temporaryDirectory: String {
        environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    }

    /// The file's absolute path.
    package func path(_ name: String) -> String {
        name.hasPrefix("/") ? name : currentDirectory + "/" + name
    }
}
