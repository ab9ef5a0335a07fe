import Foundation
import TalkStore

/// Prints a line of the report: what was measured, the value, and the bar where there is one.
func line(_ what: String, _ value: String, _ bar: String = "") {
    print(
        what.padding(toLength: max(58, what.count), withPad: " ", startingAt: 0),
        value.padding(toLength: max(36, value.count), withPad: " ", startingAt: 0), bar.isEmpty ? "" : "bar: \(bar)")
    // Whoever waits for minutes sees how far it is.
    fflush(nil)
}

/// A number with so many digits after the point.
func text(_ number: Double, _ digits: Int = 2) -> String { String(format: "%.\(digits)f", number) }

/// A directory that is gone with the value.
final class ScratchDirectory {
    let path = FileManager.default.temporaryDirectory.appending(path: "git-talk-bench-\(UUID())").path

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// The bytes that the files below a directory take, in blocks; a file with several names counts once.
func disk(_ directory: String) throws -> Double {
    let words = try output(of: ["du", "-s", "--block-size=1", directory]).split(separator: "\t")
    return words.first.flatMap { Double($0) } ?? .nan
}

/// What a program writes to its standard output.
func output(of words: [String]) throws -> String {
    let process = Process(), pipe = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw Child.Failure(command: words.joined(separator: " ")) }
    return String(decoding: output, as: UTF8.self)
}

extension Store {
    /// The git program on the store.
    nonisolated var git: GitProgram {
        let environment = ProcessInfo.processInfo.environment
        let program = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").map { "\($0)/git" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
        return GitProgram(path: program, repository: layout.gitDirectory, environment: environment)
    }
}
