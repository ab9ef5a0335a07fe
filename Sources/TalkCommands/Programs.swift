internal import Foundation
internal import TalkPages

/// Other programs that a command starts: git, the user's editor and pager.
///
/// Each gets a cleaned environment, so that none touches the repository that the user stands in.
struct Programs: Sendable {
    let surroundings: Surroundings

    /// Runs a program to its end and returns what it printed; nil when it cannot be started or fails.
    func output(_ words: [String]) -> String? {
        let process = process(words)
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return nil }
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? String(decoding: data, as: UTF8.self) : nil
    }

    /// Where a program is, by `PATH`.
    func find(_ name: String) -> String? {
        (surroundings.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
            .map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Lets the user edit the file in place with the editor that git would use (`git var GIT_EDITOR`).
    ///
    /// Throws when the editor cannot be started or fails; the file stays as the editor left it.
    func edit(_ file: String) throws(TalkError) {
        let editor =
            output(["git", "var", "GIT_EDITOR"])?.trimmingCharacters(in: .newlines)
            ?? surroundings.environment["VISUAL"] ?? surroundings.environment["EDITOR"] ?? "vi"
        let process = process(["sh", "-c", "\(editor) \"$@\"", editor, file])
        do { try process.run() } catch {
            throw TalkError(.invalid, "the editor could not be started", hint: "give the text with -m or -F")
        }
        process.waitUntilExit()
        if process.terminationStatus != 0 {
            throw TalkError(
                .invalid, "the editor '\(editor)' ended with an error, nothing was queued",
                hint: "your text is kept in \(file); give it with -F")
        }
    }

    /// Shows the text in the user's pager; false when there is none.
    func page(_ text: String) -> Bool {
        let environment = surroundings.environment
        let pager = environment["GIT_PAGER"] ?? environment["PAGER"] ?? "less"
        if pager.isEmpty || pager == "cat" { return false }
        let process = process(["sh", "-c", pager])
        var variables = surroundings.cleanEnvironment
        if variables["LESS"] == nil { variables["LESS"] = "FRX" }
        process.environment = variables
        let pipe = Pipe()
        process.standardInput = pipe
        // The user may leave the pager before all is written.
        signal(SIGPIPE, SIG_IGN)
        guard (try? process.run()) != nil else { return false }
        try? pipe.fileHandleForWriting.write(contentsOf: Data(text.utf8))
        try? pipe.fileHandleForWriting.close()
        process.waitUntilExit()
        return process.terminationStatus != 127
    }

    private func process(_ words: [String]) -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.environment = surroundings.cleanEnvironment
        process.currentDirectoryURL = URL(filePath: surroundings.currentDirectory)
        return process
    }
}
