import Foundation
import TalkTestSupport
import Testing

/// A server of git repositories on this machine; it ends with the value.
final class HubServer {
    let address: String
    private let process: Process

    deinit {
        // Foundation starts it with every signal blocked but this one.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    private init(_ address: String, _ process: Process) {
        self.address = address
        self.process = process
    }

    /// `git daemon` for the repositories of a directory.
    static func daemon(_ root: String) async throws -> HubServer {
        // Not by way of `git`, whose end would not be that of the daemon.
        let place = try runGit(["--exec-path"], in: root).output.trimmingCharacters(in: .newlines)
        for _ in 0..<20 {
            let port = Int.random(in: 20_000...60_000)
            let process = try start(
                "\(place)/git-daemon", "--listen=127.0.0.1", "--port=\(port)", "--base-path=\(root)", "--export-all",
                "--enable=receive-pack", "--reuseaddr", root)
            let server = HubServer("git://127.0.0.1:\(port)/", process)
            for _ in 0..<500 where process.isRunning {
                if try runGit(["ls-remote", server.address + "hub"], in: root).status == 0 { return server }
                try await Task.sleep(for: .milliseconds(10))
            }
        }
        throw NoDaemon()
    }

    /// `git http-backend` behind a password.
    static func web(_ root: String, password: String) throws -> HubServer {
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/http-hub.py").path
        let output = Pipe()
        let process = try start("python3", script, root, password, output: output)
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        let port = try #require(Int(line.trimmingCharacters(in: .whitespacesAndNewlines)))
        return HubServer("http://127.0.0.1:\(port)/", process)
    }

    private struct NoDaemon: Error {}

    private static func start(_ words: String..., output: Any? = nil) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.environment = ["PATH": "/usr/bin:/bin", "HOME": "/nonexistent", "GIT_CONFIG_NOSYSTEM": "1"]
        process.standardOutput = output ?? FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        return process
    }
}
