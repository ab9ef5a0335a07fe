internal import TalkGit
internal import TalkPages

/// Which versions of a store's format this code reads and writes.
enum StoreFormat {
    /// `talk.format` in the store's configuration; raised when an older program would misread the store.
    static let current = 1

    /// The store's configuration.
    ///
    /// Throws unless there is a store that this code understands; nothing is written.
    @discardableResult
    static func check(_ layout: StoreLayout) throws(TalkError) -> GitConfiguration {
        let subject = "the store at \(layout.root) cannot be opened"
        if try isLost(layout) {
            throw TalkError(
                .damaged, "the configuration of the store at \(layout.root) is lost",
                hint: "put it back: git talk doctor")
        }
        guard let text = try onDisk(subject, { () throws(FileError) in try Files.read(layout.configuration) }) else {
            throw try isVacant(layout) ? missing(layout) : foreign(layout)
        }
        guard let configuration = GitConfiguration(parsing: String(decoding: text, as: UTF8.self)) else {
            throw TalkError(
                .damaged, "the configuration of the store at \(layout.root) cannot be understood",
                hint: "correct \(layout.configuration), or put its last copy back: git talk doctor")
        }
        guard configuration.string(Setting.format.name) != nil else {
            guard try isUnreadable(layout) else { throw foreign(layout) }
            throw TalkError(
                .damaged, "the configuration of the store at \(layout.root) is damaged",
                hint: "put its last copy back: git talk doctor")
        }
        guard let format = configuration.integer(Setting.format.name), format >= 1 else {
            throw TalkError(
                .damaged, "the store at \(layout.root) does not say which format it has",
                hint: "set talk.format in \(layout.configuration) to \(current)")
        }
        guard format <= current else {
            throw TalkError(
                .damaged, "the store at \(layout.root) has format \(format), this git-talk knows \(current)",
                hint: "install a newer git-talk")
        }
        try checkRepository(configuration, layout)
        return configuration
    }

    /// Opening as a bare repository makes libgit2 look at neither of these.
    private static func checkRepository(_ configuration: GitConfiguration, _ layout: StoreLayout) throws(TalkError) {
        // What a git command may have added and what libgit2 1.5 does not mind.
        let harmless: Set = ["extensions.noop", "extensions.worktreeconfig", "extensions.preciousobjects"]
        let version = configuration.integer("core.repositoryformatversion") ?? 0
        let extensions = configuration.names(in: "extensions").filter { !harmless.contains($0) }
        guard version <= 1, version == 0 || extensions.isEmpty, !extensions.contains("extensions.objectformat") else {
            throw TalkError(
                .damaged, "the git repository of the store at \(layout.root) has a newer format",
                hint: extensions.first.map { "git's \($0) is set there" } ?? "install a newer git-talk")
        }
    }

    /// Whether a store may be made here: nothing but what a broken-off creation leaves.
    static func isVacant(_ layout: StoreLayout) throws(TalkError) -> Bool {
        try onDisk("the store at \(layout.root) cannot be opened") { () throws(FileError) in
            guard try Files.information(layout.root, followingLink: true) != nil else { return true }
            guard let names = try Files.list(layout.root) else { return false }
            return names.allSatisfy { $0.hasPrefix(StoreCreation.scratchPrefix) }
        }
    }

    private static func missing(_ layout: StoreLayout) -> TalkError {
        TalkError(
            .notFound, "there is no store at \(layout.root)",
            hint: "make one of what a hub has with init --from <address>, or by git talk pull <page>")
    }

    static func foreign(_ layout: StoreLayout) -> TalkError {
        TalkError(
            .damaged, "\(layout.root) is there but is no store of git-talk",
            hint: "name an empty or a new directory")
    }
}
