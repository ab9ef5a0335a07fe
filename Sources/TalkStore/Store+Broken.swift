internal import TalkGit
internal import TalkPages

/// What a git command of the user's wrote in the moment in which the objects it leads to were removed.
///
/// It takes no lock of ours, so a `git fetch` or `git worktree add` may find objects which an `evict` then packs away. Git
/// refuses to fetch and to pack as long as anything leads nowhere.
struct BrokenReferences {
    /// Copies of what remotes have, which every fetch brings again.
    var copies: [Reference] = []
    /// Files of such copies that name nothing, as paths.
    var files: [String] = []
    /// References and worktrees of the user's own, as a person knows them.
    var others: [String] = []

    var isEmpty: Bool { copies.isEmpty && files.isEmpty && others.isEmpty }

    /// The error that names those of the user, while `subject`.
    func error(_ subject: String) -> TalkError {
        let names = others
        let more = names.count > 3 ? " and \(names.count - 3) more" : ""
        return TalkError(
            .damaged,
            "\(subject): \(names.prefix(3).joined(separator: ", "))\(more) "
                + "\(names.count == 1 ? "leads" : "lead") to objects that are not there any more",
            hint: TalkError.verify)
    }
}

extension Store {
    /// Looks for references that name nothing, and for references and worktrees whose commit is gone.
    func brokenReferences(_ subject: String) throws(TalkError) -> BrokenReferences {
        reopen()
        var broken = BrokenReferences()
        let directory = layout.gitDirectory
        try onDisk(subject) { () throws(FileError) in
            try StoreRecovery(layout: layout).visit("\(directory)/refs") { path, file throws(FileError) in
                guard !file.hasSuffix(".lock"), let bytes = try Files.read(path), Self.target(of: bytes) == nil else {
                    return
                }
                let name = String(decoding: path.utf8.dropFirst(directory.utf8.count + 1), as: UTF8.self)
                if StoreLayout.isCopy(name) { broken.files.append(path) } else { broken.others.append(name) }
            }
        }
        let gone = try git(subject) { repository throws(GitError) in
            try repository.references(under: "refs/").filter { !repository.contains($0.target) }
        }
        for reference in gone {
            if StoreLayout.isCopy(reference.name) {
                broken.copies.append(reference)
            } else {
                broken.others.append(reference.name)
            }
        }
        broken.others += try brokenWorktrees(subject).map { "the worktree \($0)" }
        return broken
    }

    /// The worktrees of the user's that have a commit checked out which is gone.
    func brokenWorktrees(_ subject: String) throws(TalkError) -> [String] {
        // One on a branch leads where that leads.
        let heads = try worktrees(subject).compactMap { tree in ObjectID(hex: tree.head).map { (tree.directory, $0) } }
        return try git(subject) { repository throws(GitError) in
            heads.filter { !repository.contains($0.1) }.map(\.0)
        }
    }

    /// Removes copies of remotes' references that lead nowhere; true when there were any.
    ///
    /// The caller has the store for himself. Throws what names the others, which nobody but the user may remove.
    func mendReferences(_ subject: String) throws(TalkError) -> Bool {
        let broken = try brokenReferences(subject)
        for copy in broken.copies {
            faults.reach("delete copy of a remote's reference")
            try git(subject) { repository throws(GitError) in
                try repository.deleteReference(copy.name, from: copy.target)
            }
        }
        try onDisk(subject) { () throws(FileError) in
            for file in broken.files {
                faults.reach("delete copy of a remote's reference")
                try Files.remove(file)
            }
        }
        if !broken.others.isEmpty { throw broken.error(subject) }
        return !broken.isEmpty
    }
}
