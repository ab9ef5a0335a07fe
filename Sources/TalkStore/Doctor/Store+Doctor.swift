internal import TalkGit
public import TalkPages

/// Examining a store, and repairing what can be repaired, while nobody else writes to it.
///
/// Nothing that somebody wrote is ever removed: what cannot be repaired and may have text in it goes to
/// `.git/git-talk/damaged`. What the wiki has is taken out and fetched again.
extension Store {
    /// Says what is wrong with the store, and changes nothing on the disk.
    ///
    /// `now` is in seconds since 1970. Throws `.busy` while others write to the store.
    public func examine(now: Int64) async throws(TalkError) -> [StoreFinding] {
        let subject = "the store cannot be examined"
        return try quietly(subject) { () throws(TalkError) in
            reopen()
            var examination = Examination(repairs: false)
            examination.now = now * 1_000_000_000
            try examineAll(&examination)
            return examination.findings
        }
    }

    /// Repairs what can be repaired, and says what was found; some things need `git`.
    ///
    /// Throws `.busy` while others write to the store. Pending replies are fitted anew by `PendingFitting.healAll` then, and
    /// revisions that are lost come with the next pull of their page.
    public func repair(_ git: GitProgram?) async throws(TalkError) -> [StoreFinding] {
        let subject = "the store cannot be repaired"
        leaveLeftovers()
        return try exclusively(subject) { lock throws(TalkError) in
            var examination = Examination(repairs: true, program: git.map { ($0, lock) })
            examination.now = try onDisk(subject) { () throws(FileError) in try Files.touch(layout.lock) }
            try examineAll(&examination)
            return examination.findings
        }
    }

    private func examineAll(_ examination: inout Examination) throws(TalkError) {
        try examineLeftovers(&examination)
        try examineConfiguration(&examination)
        try examineHook(&examination)
        try examineObjects(&examination)
        if examination.repairs { reopen() }
        try examineReferences(&examination)
        try examineShared(&examination)
        try examineWriting(&examination)
        try examinePages(&examination)
        try examineFiles(&examination)
        try examineStates(&examination)
        try examineOthers(&examination)
        try examinePurged(&examination)
        if examination.repairs { try forgetLost() }
    }

    // MARK: For the parts

    /// Reads something of git's; nil where it is damaged or missing.
    func read<Result>(_ body: (borrowing Repository) throws(GitError) -> Result) throws(TalkError) -> Result? {
        do throws(TalkError) { return try git("the store cannot be examined", body) } catch {
            if error.kind == .damaged { return nil }
            throw error
        }
    }

    /// A path as the user knows it, from the store's directory on.
    func place(_ path: String) -> String {
        path.hasPrefix(layout.root + "/") ? String(path.dropFirst(layout.root.utf8.count + 1)) : path
    }

    /// Moves a file or a directory out of the way, and gives the name of its new place from the store's directory on.
    func moveAside(_ path: String, named name: String) throws(TalkError) -> String {
        try onDisk("\(place(path)) cannot be moved out of the way") { () throws(FileError) in
            let target = try asidePlace(name)
            faults.reach("move damaged file")
            try Files.rename(path, to: target)
            try Files.synchronizeDirectory(layout.damaged)
            return place(target)
        }
    }

    /// Keeps bytes out of the way, flushed.
    @discardableResult
    func keepAside(_ bytes: [UInt8], named name: String) throws(TalkError) -> String {
        try onDisk("\(name) cannot be kept") { () throws(FileError) in
            let target = try asidePlace(name)
            faults.reach("keep damaged file")
            try Files.create(target, bytes, mode: 0o600, durable: true)
            try Files.synchronizeDirectory(layout.damaged)
            return place(target)
        }
    }

    private func asidePlace(_ name: String) throws(FileError) -> String {
        try Files.makeDirectories(layout.damaged, durable: true)
        let stem = "\(layout.damaged)/\(RefComponent.escape(name, limit: 200))"
        var target = stem, number = 1
        while try Files.information(target) != nil {
            number += 1
            target = "\(stem)~\(number)"
        }
        return target
    }

    /// Calls `body` with the path below `directory`, from it on, of each file in it.
    func eachFile(below directory: String, _ body: (String) throws(TalkError) -> Void) throws(TalkError) {
        var paths: [String] = []
        try onDisk("the store cannot be examined") { () throws(FileError) in
            try StoreRecovery(layout: layout).visit(directory) { path, _ in
                paths.append(String(path.dropFirst(directory.utf8.count + 1)))
            }
        }
        for path in paths.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) { try body(path) }
    }
}
