internal import TalkGit
public import TalkPages

/// A store whose configuration a power failure has emptied: `git config` and `git remote` do not flush it.
extension Store {
    /// Says whether the configuration of the store at a path is lost, and puts it back where that is wanted.
    ///
    /// Nil where it is there, or where there is no store.
    public static func mendConfiguration(at path: String, repairs: Bool) throws(TalkError) -> StoreFinding? {
        let layout = StoreLayout(root: path), subject = "the configuration of the store cannot be put back"
        guard try StoreFormat.isLost(layout) else { return nil }
        var finding = StoreFinding(
            .configuration, "the configuration of the store is lost",
            hint: "see whether it has what you had set, such as remotes: git -C \(ShellWord.quoted(path)) config --list"
        )
        guard repairs else { return finding }
        return try onDisk(subject) { () throws(FileError) in
            let kept = try Files.read(layout.keptConfiguration)
            let scratch = "\(layout.gitDirectory)/\(StoreRecovery.scratchPrefix)config"
            try Files.replace(
                layout.configuration, kept ?? Array(StoreCreation.configuration.utf8), mode: 0o600, scratch: scratch,
                durable: true)
            finding.repair = kept == nil ? "made anew" : "put back as it was"
            return finding
        }
    }
}

extension StoreFormat {
    /// Whether a store is here, and its configuration is gone or has nothing in it.
    static func isLost(_ layout: StoreLayout) throws(TalkError) -> Bool {
        try onDisk("the store at \(layout.root) cannot be opened") { () throws(FileError) in
            let text = try Files.read(layout.configuration) ?? []
            guard text.allSatisfy({ $0 == 0 }) else { return false }
            for path in [layout.privateDirectory, "\(layout.gitDirectory)/objects"] {
                guard try Files.information(path)?.kind == .directory else { return false }
            }
            return true
        }
    }
}
