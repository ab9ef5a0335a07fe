internal import TalkGit
public import TalkPages

/// A store whose configuration a power failure has emptied, since `git config` and `git remote` do not flush it, or that a
/// failing disk has damaged.
extension Store {
    /// Says whether the configuration of the store at a path is lost, and puts it back where that is wanted.
    ///
    /// Nil where it is there, or where there is no store.
    public static func mendConfiguration(at path: String, repairs: Bool) throws(TalkError) -> StoreFinding? {
        let layout = StoreLayout(root: path), subject = "the configuration of the store cannot be put back"
        let isLost = try StoreFormat.isLost(layout)
        if !isLost, try !StoreFormat.isUnreadable(layout) { return nil }
        var finding = StoreFinding(
            .configuration, "the configuration of the store \(isLost ? "is lost" : "cannot be understood")",
            hint: "see whether it has what you had set, such as remotes: git -C \(ShellWord.quoted(path)) config --list"
        )
        guard repairs else { return finding }
        return try onDisk(subject) { () throws(FileError) in
            let kept = try Files.read(layout.keptConfiguration)
            if !isLost {
                let aside = "\(layout.damaged)/config"
                try Files.makeDirectories(layout.damaged, durable: true)
                let bytes = try Files.read(layout.configuration) ?? []
                try Files.replace(aside, bytes, mode: 0o600, scratch: "\(aside).new", durable: true)
            }
            let scratch = "\(layout.gitDirectory)/\(StoreRecovery.scratchPrefix)config"
            try Files.replace(
                layout.configuration, kept ?? Array(StoreCreation.configuration.utf8), mode: 0o600, scratch: scratch,
                durable: true)
            finding.repair = kept == nil ? "made anew" : "put back as it was"
            if !isLost { finding.repair? += "; what was there is .git/git-talk/damaged/config" }
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
            return try isStore(layout)
        }
    }

    /// Whether a store is here, whose configuration is none, or is only the beginning of its copy.
    ///
    /// One from which somebody took the format is no damage.
    static func isUnreadable(_ layout: StoreLayout) throws(TalkError) -> Bool {
        try onDisk("the store at \(layout.root) cannot be opened") { () throws(FileError) in
            guard let text = try Files.read(layout.configuration), try isStore(layout) else { return false }
            guard let configuration = parsed(text) else { return true }
            guard configuration.string(Setting.format.name) == nil,
                let kept = try Files.read(layout.keptConfiguration), kept.starts(with: text)
            else { return false }
            return parsed(kept)?.integer(Setting.format.name) == current
        }
    }

    private static func parsed(_ bytes: [UInt8]) -> GitConfiguration? {
        GitConfiguration(parsing: String(decoding: bytes, as: UTF8.self))
    }

    private static func isStore(_ layout: StoreLayout) throws(FileError) -> Bool {
        for path in [layout.privateDirectory, "\(layout.gitDirectory)/objects"] {
            guard try Files.information(path)?.kind == .directory else { return false }
        }
        return true
    }
}
