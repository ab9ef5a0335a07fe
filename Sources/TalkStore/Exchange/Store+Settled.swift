internal import TalkGit
internal import TalkPages

/// Most exchanges find nothing to do. What the references were when one did is remembered for each remote; as long as they
/// are the same, nothing is looked at again, and libgit2 is not even started.
extension Store {
    /// Whether nothing has changed, here or in what was fetched, since an exchange with the remote had nothing to do.
    func isSettled(with remote: String, _ subject: String) throws(TalkError) -> Bool {
        let path = layout.settled(with: remote)
        guard let mark = try onDisk(subject, { () throws(FileError) in try Files.read(path) }) else { return false }
        return try exchangeState(with: remote, subject).utf8.elementsEqual(mark)
    }

    /// All that decides what an exchange does, as a digest.
    func exchangeState(with remote: String, _ subject: String) throws(TalkError) -> String {
        let areas = [
            StoreLayout.branches, SharedRecord.prefix, StoreLayout.tracking(remote), StoreLayout.sharedTracking(remote),
        ]
        let references = try onDisk(subject) { () throws(FileError) in
            try ReferenceFiles.read(layout.gitDirectory, below: areas)
        }
        var lines = references.filter { !$0.key.utf8.starts(with: StoreLayout.pendingBranches.utf8) }
            .map { "\($0.key) \($0.value)\n" }
        lines += try evictedComponents(subject).map { "evicted \($0)\n" }
        return SHA256.hexadecimal(of: lines.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined())
    }

    /// Remembers the state that there was before an exchange which had nothing to do, unless there is another one by now.
    func settle(_ state: String, with remote: String, _ subject: String) throws(TalkError) {
        guard try exchangeState(with: remote, subject) == state else { return }
        let path = layout.settled(with: remote)
        try onDisk(subject) { () throws(FileError) in
            try Files.makeDirectories(Files.directory(of: path))
            faults.reach("remember that an exchange has nothing to do")
            try Files.replace(path, Array(state.utf8), mode: 0o600, scratch: scratch(path))
        }
    }
}

extension ExchangeTake {
    /// Whether there is nothing to do, and nothing to tell.
    var isNothing: Bool {
        pages.isEmpty && refused.isEmpty && changes.isEmpty && bookmarks == 0 && stained.isEmpty && !wantsMore
            && !hasOtherMain
    }
}
