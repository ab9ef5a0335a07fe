internal import TalkGit
internal import TalkPages

/// What a git command of the user's wrote in the moment in which the objects it leads to were removed.
///
/// It takes no lock of ours, so a `git fetch` or `git worktree add` may find objects which an `evict` then packs away. Git
/// refuses to fetch and to pack as long as anything leads nowhere.
struct BrokenReferences {
    /// Copies of what remotes have, which every fetch brings again.
    var copies: [Reference] = []
    /// References and worktrees of the user's own, as a person knows them.
    var others: [String] = []

    var isEmpty: Bool { copies.isEmpty && others.isEmpty }

    /// The error that names them, while `subject`.
    func error(_ subject: String) -> TalkError {
        let names = others + copies.map(\.name)
        let more = names.count > 3 ? " and \(names.count - 3) more" : ""
        return TalkError(
            .damaged,
            "\(subject): \(names.prefix(3).joined(separator: ", "))\(more) "
                + "\(names.count == 1 ? "leads" : "lead") to objects that are not there any more",
            hint: TalkError.verify)
    }
}

extension Store {
    /// Looks for references and worktrees whose commit is gone.
    func brokenReferences(_ subject: String) throws(TalkError) -> BrokenReferences {
        reopen()
        var broken = BrokenReferences()
        try git(subject) { repository throws(GitError) in
            broken = BrokenReferences()
            for reference in try repository.references(under: "refs/") where !repository.contains(reference.target) {
                if StoreLayout.isCopy(reference.name) {
                    broken.copies.append(reference)
                } else {
                    broken.others.append(reference.name)
                }
            }
        }
        broken.others += try brokenWorktrees(subject).map { "the worktree \($0)" }
        return broken
    }

    /// The worktrees of the user's that have a commit checked out which is gone.
    func brokenWorktrees(_ subject: String) throws(TalkError) -> [String] {
        let all = "\(layout.gitDirectory)/worktrees"
        var heads: [(directory: String, commit: ObjectID)] = []
        try onDisk(subject) { () throws(FileError) in
            for name in try Files.list(all) ?? [] {
                func line(_ file: String) throws(FileError) -> String {
                    String(
                        decoding: (try Files.read("\(all)/\(name)/\(file)") ?? []).prefix { $0 != 10 }, as: UTF8.self)
                }
                // One on a branch leads where that leads.
                guard let commit = ObjectID(hex: try line("HEAD")) else { continue }
                let directory = try line("gitdir")
                heads.append((directory.isEmpty ? name : Files.directory(of: directory), commit))
            }
        }
        return try git(subject) { repository throws(GitError) in
            heads.filter { !repository.contains($0.commit) }.map(\.directory)
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
        if !broken.others.isEmpty { throw BrokenReferences(others: broken.others).error(subject) }
        return !broken.copies.isEmpty
    }
}
