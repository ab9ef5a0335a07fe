internal import TalkGit
public import TalkPages

/// What this store remembers of its remotes: which references they have, and what was dropped here.
extension Store {
    /// What an exchange fetches from a remote into this store.
    ///
    /// All pages, but for those that were dropped here and are not bookmarked; never anybody's pending replies.
    public func exchangeRefspecs(of remote: String) async throws(TalkError) -> [String] {
        let subject = "the pages to fetch cannot be listed"
        let evicted = try evictedComponents(subject)
        var wanted: Set<String> = []
        if !evicted.isEmpty { wanted = SharedRecord.bookmarked(try sharedFiles(.bookmarks, subject)) }
        return [
            "+refs/heads/*:\(StoreLayout.tracking(remote))*", "^\(StoreLayout.pendingBranches)*",
            "+\(SharedRecord.prefix)*:\(StoreLayout.sharedTracking(remote))*",
        ] + evicted.filter { !wanted.contains($0) }.map { "^\(StoreLayout.branches)\($0)" }
    }

    /// Remembers that the remote has what it was given.
    public func pushed(_ changes: [RemoteChange], to remote: String) async throws(TalkError) {
        let subject = "what \(remote) has cannot be remembered"
        reopen()
        try locked(subject) { () throws(TalkError) in
            for change in changes {
                guard let hex = change.new, let new = ObjectID(hex: hex), let name = Self.copy(change.reference, remote)
                else { continue }
                // A page may have been dropped, and its objects with it, since it was given.
                guard try git(subject, { repository throws(GitError) in repository.contains(new) }) else { continue }
                let old = try git(subject) { repository throws(GitError) in try repository.resolve(name) }
                if old == new { continue }
                faults.reach("move copy of a remote's reference")
                try moveReference(name, from: old?.description, to: new, subject)
            }
        }
    }

    /// Removes the copies of remotes' branches that would keep what was purged, or a page that was dropped.
    public func removeCopies(of pages: [PageName]) async throws(TalkError) {
        let subject = "copies of remotes' branches cannot be removed"
        let evicted = Set(try evictedComponents(subject))
        let components = Set(pages.map { StoreLayout.component(of: $0) })
        guard !(evicted.isEmpty && components.isEmpty) else { return }
        let copies = try git(subject) { repository throws(GitError) in
            var copies: [Reference] = []
            for reference in try repository.references(under: "refs/remotes/") {
                // `<remote>/<wiki>/<Namespace>/<title>`
                let names = StoreLayout.names(in: reference.name)
                let component = names.suffix(3).joined(separator: "/")
                guard names.count >= 6, components.contains(component) || evicted.contains(component) else { continue }
                let tip = try repository.resolve(StoreLayout.branches + component)
                if components.contains(component) ? tip != reference.target : tip == nil { copies.append(reference) }
            }
            return copies
        }
        guard !copies.isEmpty else { return }
        try locked(subject, mode: .exclusive) { () throws(TalkError) in
            for copy in copies {
                faults.reach("delete copy of a remote's branch")
                try git(subject) { repository throws(GitError) in
                    try repository.deleteReference(copy.name, from: copy.target)
                }
            }
        }
    }

    func evictedComponents(_ subject: String) throws(TalkError) -> [String] {
        let root = layout.evictions
        return try onDisk(subject) { () throws(FileError) in
            var found: [String] = []
            for wiki in try Files.list(root) ?? [] {
                for namespace in try Files.list("\(root)/\(wiki)") ?? [] {
                    for title in try Files.list("\(root)/\(wiki)/\(namespace)") ?? [] {
                        found.append("\(wiki)/\(namespace)/\(title)")
                    }
                }
            }
            return found
        }
    }

    /// Where a reference of a remote is kept here.
    private static func copy(_ name: String, _ remote: String) -> String? {
        if name.utf8.starts(with: StoreLayout.branches.utf8) {
            return StoreLayout.tracking(remote) + StoreLayout.component(of: name, below: StoreLayout.branches)
        }
        guard name.utf8.starts(with: SharedRecord.prefix.utf8) else { return nil }
        return StoreLayout.sharedTracking(remote) + StoreLayout.component(of: name, below: SharedRecord.prefix)
    }
}
