import Foundation
import TalkTestSupport

/// The built program as a user has it: a process of its own, on the `PATH`, with a home and a store.
struct BuiltProgram {
    /// What a command printed, and how it ended.
    struct Result {
        let status: Int32
        let wasKilled: Bool
        let output: String
        let error: String
    }

    static let file = Bundle.main.bundleURL.appending(path: "git-talk")

    /// Where a program of this machine is; nil when it has none.
    static func find(_ name: String) -> String? {
        (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
            .first(where: FileManager.default.isExecutableFile)
    }

    let directory: URL
    let home: URL
    /// The store that `HOME` alone leads to.
    let store: URL

    init(in directory: URL = TemporaryDirectory.current) throws {
        self.directory = directory
        home = directory.appending(path: "home")
        store = home.appending(path: ".local/share/git-talk")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        let configuration = """
            [credential]
            \thelper = store --file \(home.path)/passwords
            [user]
            \tname = U
            \temail = u@u
            [init]
            \tdefaultBranch = main

            """
        try Data(configuration.utf8).write(to: home.appending(path: ".gitconfig"))
    }

    var environment: [String: String] {
        [
            "HOME": home.path, "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C.UTF-8", "TERM": "xterm",
            "PATH": "\(Self.file.deletingLastPathComponent().path):"
                + (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"),
            // The program is built with the sanitizer of the tests, and has the same suppressions.
            "LSAN_OPTIONS": ProcessInfo.processInfo.environment["LSAN_OPTIONS"] ?? "",
        ]
    }

    /// Runs a command of any program to its end, in `place`, with more variables.
    @discardableResult
    func run(
        _ words: String..., in place: URL? = nil, with extra: [String: String] = [:], input: String = "",
        output: FileHandle? = nil
    ) throws -> Result {
        try run(words, in: place, with: extra, input: input, output: output)
    }

    /// Runs a command that was put together.
    @discardableResult
    func run(
        _ words: [String], in place: URL? = nil, with extra: [String: String] = [:], input: String = "",
        output: FileHandle? = nil
    ) throws -> Result {
        let files = try ["input", "output", "error"].map { name in
            let file = directory.appending(path: "\(name)-\(UUID())")
            try Data(name == "input" ? input.utf8 : "".utf8).write(to: file)
            return file
        }
        defer { for file in files { try? FileManager.default.removeItem(at: file) } }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.environment = environment.merging(extra) { $1 }
        process.currentDirectoryURL = place ?? directory
        process.standardInput = try FileHandle(forReadingFrom: files[0])
        process.standardOutput = try output ?? FileHandle(forWritingTo: files[1])
        process.standardError = try FileHandle(forWritingTo: files[2])
        try process.run()
        process.waitUntilExit()
        return Result(
            status: process.terminationStatus, wasKilled: process.terminationReason == .uncaughtSignal,
            output: try String(contentsOf: files[1], encoding: .utf8),
            error: try String(contentsOf: files[2], encoding: .utf8))
    }

    /// Runs a command line of the shell on a terminal; what is typed there is nothing.
    func onTerminal(_ line: String, with extra: [String: String] = [:]) throws -> Result {
        let log = directory.appending(path: "terminal").path
        return try run("script", "-qec", line, log, with: extra)
    }

    /// Writes a script that the program is to start.
    func script(_ name: String, _ text: String) throws -> String {
        let file = directory.appending(path: name)
        try Data("#!/bin/sh\n\(text)\n".utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
        return file.path
    }

    /// Every file below a directory: inode, time of change and content.
    static func listing(_ root: URL) throws -> [String: String] {
        var lines: [String: String] = [:]
        let files = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
        for case let file as URL in files! {
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            let content = FileManager.default.contents(atPath: file.path).map { $0.base64EncodedString() }
            lines[file.path] =
                "\(attributes[.systemFileNumber] ?? 0) \(attributes[.modificationDate] ?? 0) \(content ?? "directory")"
        }
        return lines
    }
}
