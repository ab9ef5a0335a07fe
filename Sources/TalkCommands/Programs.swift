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
    /// Throws when the editor cannot be started or fails; the file stays as the editor left it, for the verb to offer.
    func edit(_ file: String, for verb: String) throws(TalkError) {
        let editor =
            output(["git", "var", "GIT_EDITOR"])?.trimmingCharacters(in: .newlines)
            ?? surroundings.environment["VISUAL"] ?? surroundings.environment["EDITOR"] ?? "vi"
        // The editor may be a command with arguments, so the shell takes it apart.
        guard foreground("\(editor) \(ForegroundProgram.quoted(file))").run() else {
            throw TalkError(
                .invalid, "the editor '\(editor)' ended with an error, nothing was queued",
                hint: "your text is kept in \(file), and offered again by: git talk \(verb)")
        }
    }

    /// Shows the text in the pager that git would use; false when there is none.
    func page(_ text: String) -> Bool {
        let pager =
            surroundings.environment["GIT_PAGER"]
            ?? output(["git", "var", "GIT_PAGER"])?.trimmingCharacters(in: .newlines)
            ?? surroundings.environment["PAGER"] ?? "less"
        if pager.isEmpty || pager == "cat" { return false }
        return foreground(pager, ["LESS": "FRX", "LV": "-c"]).run(input: text)
    }

    /// A program with the terminal to itself; `defaults` are variables that the user may have set otherwise.
    private func foreground(_ command: String, _ defaults: [String: String] = [:]) -> ForegroundProgram {
        ForegroundProgram(
            command, environment: surroundings.cleanEnvironment.merging(defaults) { own, _ in own },
            directory: surroundings.currentDirectory)
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
