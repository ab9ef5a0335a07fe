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
            let port = Int.random(in: Self.ports)
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

    /// Below those that the system gives to who connects.
    private static let ports = 20_000...32_000

    /// Where the ssh server is; nil without one.
    static let sshd = ["/usr/sbin/sshd", "/usr/local/sbin/sshd"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// An ssh server with keys of its own, for who runs the tests.
    ///
    /// `ssh -F <root>/ssh_config` gets in. nil where it does not start, for want of its directory or of a user.
    static func ssh(_ root: String) async throws -> HubServer? {
        guard let sshd else { return nil }
        for key in ["host_key", "user_key"] {
            let words = ["-q", "-t", "ed25519", "-N", "", "-f", "\(root)/\(key)"]
            let process = try start(["ssh-keygen"] + words)
            process.waitUntilExit()
        }
        func write(_ name: String, _ lines: [String]) throws {
            let text = lines.map { $0 + "\n" }.joined()
            try Data(text.utf8).write(to: URL(filePath: "\(root)/\(name)"))
        }
        let key = try String(contentsOfFile: "\(root)/user_key.pub", encoding: .utf8)
        let host = try String(contentsOfFile: "\(root)/host_key.pub", encoding: .utf8)
        try write("authorized_keys", [key])
        for _ in 0..<20 {
            let port = Int.random(in: Self.ports)
            try write("known_hosts", ["[127.0.0.1]:\(port) \(host)"])
            try write(
                "sshd_config",
                [
                    "ListenAddress 127.0.0.1:\(port)", "HostKey \(root)/host_key", "PidFile none", "UsePAM no",
                    "AuthorizedKeysFile \(root)/authorized_keys", "StrictModes no", "PasswordAuthentication no",
                ])
            try write(
                "ssh_config",
                [
                    "Host *", "IdentityFile \(root)/user_key", "IdentitiesOnly yes", "BatchMode yes",
                    // Another server may have the port, and wait for us.
                    "ConnectTimeout 10",
                    "UserKnownHostsFile \(root)/known_hosts", "GlobalKnownHostsFile /dev/null",
                ])
            // Its directory may be missing, which Debian's package makes when it starts the server.
            let test = try start([sshd, "-t", "-f", "\(root)/sshd_config"])
            test.waitUntilExit()
            if test.terminationStatus != 0 { return nil }
            // It closes what it inherits, which Foundation takes for its end and waits for, and nobody else's end is seen
            // any more; so a shell stands between, and it ends with that.
            let process = try start([
                "sh", "-c", "setpriv --pdeathsig KILL \"$@\" & wait", "sh", sshd, "-D", "-e", "-f",
                "\(root)/sshd_config",
            ])
            let server = HubServer("ssh://127.0.0.1:\(port)\(root)/", process)
            let environment = ["GIT_SSH_COMMAND": "ssh -F \(root)/ssh_config"]
            for _ in 0..<200 where process.isRunning {
                let (status, _) = try runGit(
                    ["ls-remote", server.address + "hub"], in: root, environment: environment)
                if status == 0 { return server }
                try await Task.sleep(for: .milliseconds(20))
            }
        }
        return nil
    }

    private static func start(_ words: String..., output: Any? = nil) throws -> Process {
        try start(words, output: output)
    }

    private static func start(_ words: [String], output: Any? = nil) throws -> Process {
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
