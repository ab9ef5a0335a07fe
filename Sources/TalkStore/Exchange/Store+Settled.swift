internal import TalkGit
internal import TalkPages

/// Most exchanges find nothing to do. What the references were when one did is remembered for each remote; as long as they
/// are the same, nothing is looked at again, and libgit2 is not even started.
extension Store {
    /// Whether nothing has changed, here or in what was fetched, since an exchange with the remote had nothing to do.
    func isSettled(with remote: String, _ subject: String) throws(TalkError) -> Bool {
        let path = layout.settled(with: remote)
        guard let mark = try onDisk(subject, { () throws(FileError) in try Files.read(path) }) else { return false }
        let lines = mark.split(separator: UInt8(ascii: "\n"))
        if lines.count == 2, let stamp = try stamp(with: remote, subject),
            try digest(of: stamp.text, subject).utf8.elementsEqual(lines[1])
        {
            return true
        }
        // The files may be others, or too young, with the same in them.
        let now = try settlement(with: remote, subject)
        guard let state = lines.first, now.state.utf8.elementsEqual(state) else { return false }
        if now.stamp != nil { try put(now, with: remote, subject) }
        return true
    }

    /// All that decides what an exchange does, as a digest.
    func exchangeState(with remote: String, _ subject: String) throws(TalkError) -> String {
        let references = try onDisk(subject) { () throws(FileError) in
            try ReferenceFiles.read(layout.gitDirectory, below: Self.areas(of: remote))
        }
        let lines = references.filter { !$0.key.utf8.starts(with: StoreLayout.pendingBranches.utf8) }
            .map { "\($0.key) \($0.value)\n" }
        return try digest(of: lines.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.joined(), subject)
    }

    /// Remembers the state that there was before an exchange which had nothing to do, unless there is another one by now.
    func settle(_ state: String, with remote: String, _ subject: String) throws(TalkError) {
        let now = try settlement(with: remote, subject)
        guard now.state == state else { return }
        try put(now, with: remote, subject)
    }

    private static func areas(of remote: String) -> [String] {
        [StoreLayout.branches, SharedRecord.prefix, StoreLayout.tracking(remote), StoreLayout.sharedTracking(remote)]
    }

    private func stamp(with remote: String, _ subject: String) throws(TalkError) -> ReferenceStamp? {
        try onDisk(subject) { () throws(FileError) in
            try ReferenceStamp(
                layout.gitDirectory, below: Self.areas(of: remote), excluding: StoreLayout.pendingBranches)
        }
    }

    private func digest(of references: String, _ subject: String) throws(TalkError) -> String {
        let evicted = try evictedComponents(subject).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return SHA256.hexadecimal(of: references + evicted.map { "evicted \($0)\n" }.joined())
    }

    /// The state, and the digest of a stamp that proves it where there is one.
    private func settlement(
        with remote: String, _ subject: String
    ) throws(TalkError) -> (state: String, stamp: String?) {
        let time = try onDisk(subject) { () throws(FileError) in try Files.touch(layout.lock) }
        // Before the files are read: what is changed in between has another stamp.
        let stamp = try stamp(with: remote, subject)
        let proof = try stamp.map { stamp throws(TalkError) in
            stamp.isProof(at: time) ? try digest(of: stamp.text, subject) : nil
        }
        return (try exchangeState(with: remote, subject), proof ?? nil)
    }

    private func put(
        _ settlement: (state: String, stamp: String?), with remote: String, _ subject: String
    ) throws(TalkError) {
        let path = layout.settled(with: remote)
        let text = [settlement.state, settlement.stamp].compactMap(\.self).joined(separator: "\n")
        try onDisk(subject) { () throws(FileError) in
            try Files.makeDirectories(Files.directory(of: path))
            faults.reach("remember that an exchange has nothing to do")
            try Files.replace(path, Array(text.utf8), mode: 0o600, scratch: scratch(path))
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
