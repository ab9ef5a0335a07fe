internal import TalkGit
public import TalkPages

/// A git remote of the store, spoken to by the program git.
///
/// Git itself does the connections: credential helpers, the user's ssh, proxies. Nothing that the remote says is run.
public struct RemoteRepository: Sendable {
    /// The remote's name in the store's configuration.
    public let name: String
    private let git: GitProgram
    private let directory: String

    /// Describes a remote of the store in `directory`, from where a relative path to it counts.
    public init(name: String, git: GitProgram, directory: String) {
        self.name = name
        self.git = git
        self.directory = directory
    }

    /// A connection that says nothing for a minute is given up; a large hub may take an hour.
    private static let seconds = 3600.0
    private var settings: [(key: String, value: String)] {
        [
            // A broken or hostile object is not kept; what is fetched is one pack.
            ("fetch.fsckObjects", "true"), ("fetch.fsck.badFilemode", "error"), ("fetch.unpackLimit", "1"),
            ("fetch.writeCommitGraph", "false"),
            ("fetch.showForcedUpdates", "false"), ("maintenance.auto", "false"), ("submodule.recurse", "false"),
            ("remote.\(name).mirror", "false"), ("http.lowSpeedLimit", "1"), ("http.lowSpeedTime", "60"),
        ]
    }

    /// Fetches into the references of this remote; gives the branches that could not be fetched, and why.
    ///
    /// nil when git failed and `isBroken` says that something here leads nowhere, of which git complains for every branch.
    /// Throws when the remote cannot be reached, `.missingProgram` without git.
    func fetch(
        _ refspecs: [String], holding lock: Int32, isBroken: () throws(TalkError) -> Bool
    ) throws(TalkError) -> [ExchangeTake.Refusal]? {
        let whole = try depth()
        let answer = try fetchOnce(refspecs, ["--prune"] + whole, lock)
        if answer.isSuccess { return [] }
        let subject = "nothing could be fetched from \(name)"
        // What there is no room for here is no fault of a branch.
        if answer.isDiskFull { throw answer.failure(subject, .unwritable) }
        if try isBroken() { return nil }
        let list = try run(["ls-remote", "--refs", name])
        guard list.isSuccess else { throw RemoteTrouble.error(answer, subject) }
        // It can be reached, so one of its references is to blame: halves are tried until it stands alone.
        var refused: [ExchangeTake.Refusal] = []
        var open = [Self.wanted(String(decoding: list.output, as: UTF8.self), refspecs)]
        while let references = open.popLast() {
            guard !references.isEmpty else { continue }
            let part = try fetchOnce(references.map { "+\($0.name):\($0.copy)" }, whole, lock)
            if part.isSuccess { continue }
            if part.isDiskFull { throw part.failure(subject, .unwritable) }
            if references.count > 1 {
                open.append(Array(references[(references.count / 2)...]))
                open.append(Array(references[..<(references.count / 2)]))
            } else {
                if try !run(["ls-remote", "--refs", name]).isSuccess { throw RemoteTrouble.error(part, subject) }
                refused.append(ExchangeTake.Refusal(name: references[0].short, reason: "git: \(part.reason)"))
            }
        }
        return refused
    }

    /// After a user's `git fetch --depth` git would go on to leave the older commits out; no depth but this ends that.
    private func depth() throws(TalkError) -> [String] {
        let path = "\(directory)/.git/shallow"
        do throws(FileError) { return try Files.information(path) == nil ? [] : ["--depth=2147483647"] } catch {
            throw TalkError(error, "nothing could be fetched from \(name)")
        }
    }

    private func fetchOnce(
        _ refspecs: [String], _ options: [String], _ lock: Int32
    ) throws(TalkError) -> GitProgram.Answer {
        let words = [
            "fetch", "--quiet", "--no-tags", "--no-write-fetch-head", "--no-recurse-submodules", "--refmap=",
            "--no-auto-maintenance",
        ]
        return try run(words + options + ["--stdin", name], refspecs.map { $0 + "\n" }.joined(), holding: lock)
    }

    private struct Wanted {
        let name: String
        let copy: String
        let short: String
    }

    /// What the refspecs of an exchange take of a remote's references.
    private static func wanted(_ list: String, _ refspecs: [String]) -> [Wanted] {
        let maps = refspecs.filter { $0.hasPrefix("+") }.map {
            $0.dropFirst().split(separator: ":").map { $0.dropLast() }
        }
        let excluded = refspecs.filter { $0.hasPrefix("^") }.map { $0.dropFirst() }
        return list.split(separator: "\n").compactMap { line in
            guard let name = line.split(separator: "\t").last else { return nil }
            let isOut = excluded.contains { pattern in
                pattern.hasSuffix("*") ? name.utf8.starts(with: pattern.dropLast().utf8) : name == pattern
            }
            guard !isOut, let map = maps.first(where: { name.utf8.starts(with: $0[0].utf8) }) else { return nil }
            let rest = String(decoding: name.utf8.dropFirst(map[0].utf8.count), as: UTF8.self)
            let isBranch = map[0] == StoreLayout.branches
            return Wanted(name: String(name), copy: map[1] + rest, short: isBranch ? rest : String(name))
        }
    }

    /// Gives the remote what it lacks; each change is made only where it still has what it had.
    ///
    /// Throws when nothing could be given at all.
    func push(_ changes: [RemoteChange], holding lock: Int32) throws(TalkError) -> PushOutcome {
        var outcome = PushOutcome()
        var rest = changes[...]
        while !rest.isEmpty {
            let part = Array(rest.prefix(Self.most))
            rest = rest.dropFirst(part.count)
            let leases = part.map { "--force-with-lease=\($0.reference):\($0.old ?? "")" }
            let words = [
                "push", "--porcelain", "--no-verify", "--no-follow-tags", "--no-signed", "--recurse-submodules=no",
            ]
            let references = part.map { "\($0.new ?? ""):\($0.reference)" }
            let answer = try run(words + leases + [name] + references, holding: lock)
            let given = PushOutcome(part, output: String(decoding: answer.output, as: UTF8.self))
            if !answer.isSuccess, given.isEmpty {
                throw RemoteTrouble.error(answer, "nothing could be given to \(name)")
            }
            outcome.accepted += given.accepted
            outcome.outrun += given.outrun
            outcome.denied += given.denied
        }
        return outcome
    }

    /// As many as a command line holds.
    private static let most = 400

    /// Whether a clone of the remote shows the branch `main`; a new repository at a path is made to.
    public func showsMain() throws(TalkError) -> Bool {
        if try !run(["ls-remote", name, "HEAD"]).output.isEmpty { return true }
        guard let place = try path() else { return false }
        return try git.on(place).run(["symbolic-ref", "HEAD", StoreLayout.mainBranch]).isSuccess
    }

    /// Whether the remote is known to be a store itself, whose own programs alone move its branches.
    public func isStore() throws(TalkError) -> Bool {
        guard let place = try path() else { return false }
        for directory in [place, place + "/.git"] {
            let words = ["config", "--file", "\(directory)/config", "--get", Setting.format.name]
            if try run(words).isSuccess { return true }
        }
        return false
    }

    /// The directory of a remote on this machine.
    private func path() throws(TalkError) -> String? {
        let address = String(decoding: try run(["ls-remote", "--get-url", name]).output, as: UTF8.self)
        let place = address.hasPrefix("file://") ? address.dropFirst("file://".count) : Substring(address)
        let path = String(place.prefix { $0 != "\n" })
        if path.hasPrefix("/") { return path }
        return path.utf8.contains(UInt8(ascii: ":")) ? nil : "\(directory)/\(path)"
    }

    private func run(
        _ words: [String], _ input: String = "", holding lock: Int32? = nil
    ) throws(TalkError) -> GitProgram.Answer {
        try git.run(
            ["-C", directory] + words, configuration: .users, settings: settings, input: Array(input.utf8),
            seconds: Self.seconds, holding: lock)
    }
}

extension Store {
    /// Gives a remote what it lacks, while nobody removes objects from the store; each change is made only where the
    /// remote still has what it had.
    ///
    /// What was dropped here since is left out. Throws when nothing could be given at all.
    public func push(_ changes: [RemoteChange], to remote: RemoteRepository) async throws(TalkError) -> PushOutcome {
        let subject = "nothing could be given to \(remote.name)"
        return try addingObjects(subject) { lock throws(TalkError) in
            let standing = try git(subject) { repository throws(GitError) in
                changes.filter { $0.new.flatMap { ObjectID(hex: $0) }.map { repository.contains($0) } ?? true }
            }
            return try remote.push(standing, holding: lock)
        }
    }

    /// Fetches what an exchange with a remote takes; gives the branches that could not be fetched, and why.
    public func fetch(from remote: RemoteRepository) async throws(TalkError) -> [ExchangeTake.Refusal] {
        let refspecs = try await exchangeRefspecs(of: remote.name)
        let subject = "nothing could be fetched from \(remote.name)"
        var attempts = 0
        while true {
            if let refused = try fetchOnce(refspecs, from: remote, subject) { return refused }
            attempts += 1
            // Only who has the store for himself may delete a reference.
            try exclusively(subject) { _ throws(TalkError) in
                // What led nowhere may be gone by now: a git of the user's was at work.
                _ = try mendReferences(subject)
                guard attempts < 3 else {
                    throw TalkError(
                        .busy, "\(subject): another git is at work on the store", hint: "try again in a minute")
                }
            }
        }
    }

    private func fetchOnce(
        _ refspecs: [String], from remote: RemoteRepository, _ subject: String
    ) throws(TalkError) -> [ExchangeTake.Refusal]? {
        try addingObjects(subject) { lock throws(TalkError) in
            faults.reach("fetch")
            let refused = try fetch(refspecs, from: remote, holding: lock, subject)
            guard refused?.contains(where: { $0.reason.contains(".lock': File exists") }) == true else {
                return refused
            }
            // A lock that a git which died has left goes when it is old enough; until then nothing is taken of the rest.
            guard try StoreRecovery(layout: layout).removeOldLocks() else {
                throw TalkError(
                    .busy, "\(subject): another git is at work on the store", hint: "try again in a minute")
            }
            return try fetch(refspecs, from: remote, holding: lock, subject)
        }
    }

    private func fetch(
        _ refspecs: [String], from remote: RemoteRepository, holding lock: Int32, _ subject: String
    ) throws(TalkError) -> [ExchangeTake.Refusal]? {
        try remote.fetch(refspecs, holding: lock) { () throws(TalkError) in try !brokenReferences(subject).isEmpty }
    }
}
