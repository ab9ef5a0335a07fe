public import TalkPages
internal import TalkStore

/// A name and a password; neither description nor mirror shows the password.
public struct Credential: Sendable, CustomStringConvertible, CustomReflectable {
    /// The name, `Alice@git-talk` for a bot password.
    public let user: String
    /// The password.
    public let password: String

    /// Makes a credential.
    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }

    /// The name alone.
    public var description: String { "credential of \(user)" }
    /// No children, so that `dump` shows no password.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Passwords in git's own keeping: the `git credential` commands and whatever helper the user configured.
///
/// Blocks until git has ended, which may be after the user typed something.
public struct CredentialHelper: Sendable {
    private let git: GitProgram

    /// Describes how git is called.
    ///
    /// `git` is the path of the program, `repository` the store's `.git`, `environment` what git gets of the caller's.
    /// Without `mayAsk` git asks neither on the terminal nor in a window.
    public init(git: String?, repository: String, environment: [String: String], mayAsk: Bool) {
        self.git = GitProgram(path: git, repository: repository, environment: environment, mayAsk: mayAsk)
    }

    /// Whether a helper is configured that may know a password for that server.
    public func isConfigured(for server: String) throws(TalkError) -> Bool {
        let (status, output) = try run(["config", "--get-urlmatch", "credential.helper", server], input: "")
        return status == 0 && !output.allSatisfy(\.isWhitespace)
    }

    /// The password for a server, from a helper or from the user; nil when nobody knows one.
    ///
    /// `server` is scheme, host and port, as in `Wiki.server`.
    public func fill(server: String, user: String?) throws(TalkError) -> Credential? {
        let (status, output) = try run(
            ["credential", "fill"], input: try description(server, user: user, password: nil))
        guard status == 0 else { return nil }
        var found: [Substring: Substring] = [:]
        for line in output.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { found[parts[0]] = parts[1] }
        }
        guard let name = found["username"], let password = found["password"], !password.isEmpty else { return nil }
        return Credential(user: String(name), password: String(password))
    }

    /// Tells the helpers that the password works, so that they keep it.
    public func approve(_ credential: Credential, server: String) throws(TalkError) {
        _ = try run(
            ["credential", "approve"],
            input: try description(server, user: credential.user, password: credential.password))
    }

    /// Tells the helpers that the password does not work, so that they forget it.
    public func reject(_ credential: Credential, server: String) throws(TalkError) {
        _ = try run(
            ["credential", "reject"],
            input: try description(server, user: credential.user, password: credential.password))
    }

    private func description(_ server: String, user: String?, password: String?) throws(TalkError) -> String {
        guard let parts = URLParts(server) else {
            throw TalkError(.invalid, "“\(server)” is not the address of a server")
        }
        let host = parts.host + (parts.port.map { ":\($0)" } ?? "")
        var fields = [("protocol", parts.scheme), ("host", host)]
        if let user { fields.append(("username", user)) }
        if let password { fields.append(("password", password)) }
        // A line break would begin another field, and send the password to another host.
        guard !fields.contains(where: { $0.1.unicodeScalars.contains { $0.value < 32 || $0.value == 127 } }) else {
            throw TalkError(.invalid, "a name or password with a control character cannot be kept")
        }
        return fields.map { "\($0.0)=\($0.1)\n" }.joined() + "\n"
    }

    /// A helper may wait for the user to unlock a keyring.
    private func run(_ arguments: [String], input: String) throws(TalkError) -> (status: Int32?, output: String) {
        let answer = try git.run(arguments, configuration: .users, input: Array(input.utf8), seconds: .infinity)
        return (answer.status, String(decoding: answer.output, as: UTF8.self))
    }
}
