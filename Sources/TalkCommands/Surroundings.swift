internal import Foundation

/// What a command knows of the process around it; the library below gets these as plain values.
package struct Surroundings: Sendable {
    /// The environment variables.
    package var environment: [String: String]
    /// The user's home directory.
    package var home: String
    /// The directory that relative file names start from.
    package var currentDirectory: String
    /// Seconds since 1970.
    package var now: @Sendable () -> Int64
    /// Ten random bytes for the id of a reply.
    package var randomBytes: @Sendable () -> [UInt8]

    /// Makes surroundings.
    package init(
        environment: [String: String], home: String, currentDirectory: String, now: @escaping @Sendable () -> Int64,
        randomBytes: @escaping @Sendable () -> [UInt8]
    ) {
        self.environment = environment
        self.home = home
        self.currentDirectory = currentDirectory
        self.now = now
        self.randomBytes = randomBytes
    }

    /// The process's own.
    package static var process: Surroundings {
        let environment = ProcessInfo.processInfo.environment
        return Surroundings(
            environment: environment, home: environment["HOME"] ?? NSHomeDirectory(),
            currentDirectory: FileManager.default.currentDirectoryPath,
            now: { Int64(Date().timeIntervalSince1970) },
            randomBytes: { (0..<10).map { _ in UInt8.random(in: .min ... .max) } })
    }

    /// The environment for a program that we start: without the variables that tie git to the user's own repository.
    ///
    /// Called from an alias, a hook or another repository, git-talk must never touch that repository. The list is
    /// that of `git rev-parse --local-env-vars`.
    package var cleanEnvironment: [String: String] {
        environment.filter { !Self.repositoryVariables.contains($0.key) && !$0.key.hasPrefix("GIT_CONFIG_KEY_")
            && !$0.key.hasPrefix("GIT_CONFIG_VALUE_") }
    }

    package static let repositoryVariables: Set<String> = [
        "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_CONFIG", "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT",
        "GIT_OBJECT_DIRECTORY", "GIT_DIR", "GIT_WORK_TREE", "GIT_IMPLICIT_WORK_TREE", "GIT_GRAFT_FILE",
        "GIT_INDEX_FILE", "GIT_NO_REPLACE_OBJECTS", "GIT_REPLACE_REF_BASE", "GIT_PREFIX", "GIT_SHALLOW_FILE",
        "GIT_COMMON_DIR", "GIT_INTERNAL_SUPER_PREFIX",
    ]

    /// The file's absolute path.
    package func path(_ name: String) -> String {
        name.hasPrefix("/") ? name : currentDirectory + "/" + name
    }
}
