internal import TalkGit
public import TalkPages

/// What became of pages that were to be dropped.
public struct Eviction: Hashable, Sendable {
    /// The pages that are gone.
    public var evicted: [PageName] = []
    /// Pages that stay, since replies on them wait.
    public var pending: [PageName] = []
    /// Pages that stay, since somebody committed onto their branch.
    public var foreign: [PageName] = []
    /// Pages that stay, since a worktree has their branch checked out.
    public var checkedOut: [PageName] = []
    /// Pages that were not cached.
    public var missing: [PageName] = []
}

extension Eviction {
    /// Why pages stay, in words.
    public var refusals: [(page: PageName, error: TalkError)] {
        pending.map { page in
            (
                page,
                TalkError(
                    .invalid, "\(page) has pending replies, and stays",
                    hint: "post them, or set them aside: git talk outbox drop <id>")
            )
        }
            + checkedOut.map { page in
                (
                    page,
                    TalkError(
                        .invalid, "a worktree has the branch of \(page) checked out, and it stays",
                        hint: "see which, and remove it: git worktree list")
                )
            }
            + foreign.map { page in
                (
                    page,
                    TalkError(
                        .invalid,
                        "\(page) has a commit that is no revision's, and stays: somebody put it there with git",
                        hint: "keep its branch under another name: git branch -m")
                )
            }
    }
}

extension Store {
    /// Drops a page: its branch, its files and what is known of it; the disk is freed when the store is next packed.
    ///
    /// No exchange brings it back unless it is bookmarked; a pull does.
    ///
    /// Throws `.invalid` while the page has pending replies, or something of the user's own on its branch.
    public func evict(_ page: PageName) async throws(TalkError) {
        if let error = try await evict([page]).refusals.first?.error { throw error }
    }

    /// Drops pages, but for those on which replies wait or in which the user works with git.
    ///
    /// The branch goes last: until then everything else is made again from it. With `git`, what that leaves without a
    /// reference is added to the estimate by which the store is packed.
    public func evict(
        _ pages: [PageName], estimatingWith git: GitProgram? = nil, wait: Double? = nil
    ) async throws(TalkError) -> Eviction {
        let subject = pages.count == 1 ? "the page \(pages[0]) cannot be dropped" : "the pages cannot be dropped"
        return try exclusively(subject, wait: wait) { lock throws(TalkError) in
            var result = Eviction()
            let waiting = Set(try reader.outbox().entries.filter(\.state.isPending).map(\.page))
            let copies = try self.git(subject) { repository throws(GitError) in
                try repository.references(under: StoreLayout.remoteBranches)
            }
            let checkedOut = try checkedOutBranches(subject)
            var tips: [ObjectID] = []
            var directories: Set<String> = []
            for page in pages {
                let branch = StoreLayout.branch(of: page)
                let (tip, pending) = try self.git(subject) { repository throws(GitError) in
                    (try repository.resolve(branch), try repository.resolve(StoreLayout.pendingBranch(of: page)))
                }
                if pending != nil || waiting.contains(page) {
                    result.pending.append(page)
                    continue
                }
                if checkedOut.contains(branch) {
                    result.checkedOut.append(page)
                    continue
                }
                if let tip, try isForeign(tip, page, subject) {
                    result.foreign.append(page)
                    continue
                }
                // Remote-tracking branches would keep the objects.
                let references =
                    copies.filter { $0.isCopy(of: page) } + (tip.map { [Reference(name: branch, target: $0)] } ?? [])
                if !references.isEmpty { try markDropped(page, subject) }
                // Where nobody estimates, who is to pack the store knows by this that an eviction was stopped before.
                if git == nil, tips.isEmpty, !references.isEmpty { try addGarbage(1) }
                try removeFiles(of: page, subject)
                for reference in references {
                    faults.reach("delete branch")
                    try self.git(subject) { repository throws(GitError) in
                        try repository.deleteReference(reference.name, from: reference.target)
                    }
                    tips.append(reference.target)
                    directories.insert(Files.directory(of: reference.name))
                }
                if tip == nil { result.missing.append(page) } else { result.evicted.append(page) }
            }
            try onDisk(subject) { () throws(FileError) in try flush(directories) }
            if let git, !tips.isEmpty { try estimateGarbage(git, of: tips, lock) }
            return result
        }
    }

    /// Whether somebody put a commit of his own onto a page's branch, which nothing could bring again.
    private func isForeign(_ tip: ObjectID, _ page: PageName, _ subject: String) throws(TalkError) -> Bool {
        try git(subject) { repository throws(GitError) in
            // What cannot be read is nobody's work any more.
            guard let bytes = try? repository.bytes(of: .commit, tip) else { return false }
            return RevisionCommit.parse(bytes, wiki: page.wiki) == nil
        }
    }

    /// The branches that worktrees of the user's have checked out, which git does not delete either.
    private func checkedOutBranches(_ subject: String) throws(TalkError) -> Set<String> {
        let prefix = "ref: "
        return Set(
            try worktrees(subject).filter { $0.isThere && $0.head.hasPrefix(prefix) }
                .map { String($0.head.dropFirst(prefix.count)) })
    }

    /// An exchange must not bring it back.
    private func markDropped(_ page: PageName, _ subject: String) throws(TalkError) {
        try onDisk(subject) { () throws(FileError) in
            let mark = layout.evicted(page)
            guard try Files.information(mark) == nil else { return }
            faults.reach("mark page as dropped")
            try Files.makeDirectories(Files.directory(of: mark))
            try Files.create(mark, [], mode: 0o600)
        }
    }

    private func removeFiles(of page: PageName, _ subject: String) throws(TalkError) {
        try onDisk(subject) { () throws(FileError) in
            faults.reach("remove state")
            // The lock, too: it is taken only by who has the store's.
            for path in [
                layout.threads(of: page), layout.state(of: page), layout.unkept(page), layout.visit(of: page),
                layout.pageLock(of: page),
            ] {
                try Files.remove(path)
            }
            let directory = PageDirectory(layout: layout, page: page, faults: faults)
            try directory.cleanUp()
            try directory.remove()
        }
    }

    /// A reference that a power failure brought back would lead to objects that are gone by then.
    private func flush(_ directories: Set<String>) throws(FileError) {
        var flushed: Set<String> = []
        for name in directories {
            var path = "\(layout.gitDirectory)/\(name)"
            // With the last reference in it the directory is removed, too.
            while try Files.information(path) == nil { path = Files.directory(of: path) }
            guard flushed.insert(path).inserted else { continue }
            faults.reach("flush references")
            try Files.synchronizeDirectory(path)
        }
    }
}
