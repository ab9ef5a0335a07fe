internal import TalkGit
internal import TalkPages

/// Removes what programs that died have left in a store.
///
/// What is left never makes a store wrong, only full or, with a lock of git's, closed for one reference; so a store is
/// looked through about once an hour, and a lock that is in the way is judged when it is met. Ages are counted by the
/// file system's own clock.
struct StoreRecovery {
    let layout: StoreLayout

    /// Files that are being written begin like this.
    static let scratchPrefix = ".new-"

    private static let second: Int64 = 1_000_000_000
    private static let interval = 3600 * second
    /// A git command of the user may hold a lock; none holds it for a minute.
    private static let lockAge = 60 * second
    /// A fetch of the user may be writing a pack.
    private static let scratchAge = 3600 * second

    /// Looks the store through unless that was done within the hour, or somebody is writing to it.
    ///
    /// A store that cannot be written is left to the operation that wants to write.
    func runIfDue() throws(TalkError) {
        do throws(FileError) {
            try Files.makeDirectories(layout.privateDirectory)
            // Nobody holds the lock: no process of ours is alive in here.
            guard let lock = try FileLock.take(.exclusive, at: layout.lock, wait: 0) else { return }
            // Whoever had the lock before may just have made it.
            let mark = try Files.information(layout.recoveryMark)?.modified
            let now = try Files.touch(layout.lock)
            // A clock that was set back must not put it off for ever.
            if let mark, mark <= now, now - mark < Self.interval { return lock.release() }
            try run(now)
            if mark == nil { try Files.create(layout.recoveryMark, [], mode: 0o600) }
            _ = try Files.touch(layout.recoveryMark)
            lock.release()
        } catch {
            guard error.cause != nil else { throw TalkError(error, "the store cannot be cleaned up") }
        }
    }

    /// Removes the lock of one reference when it is too old to be anybody's; true when it did.
    ///
    /// The caller holds the lock of the page or of the store, so it is no living process of ours that has it.
    func removeStaleLock(of reference: String) throws(TalkError) -> Bool {
        let path = "\(layout.gitDirectory)/\(reference).lock"
        return try onDisk("a lock left by another program cannot be removed") { () throws(FileError) in
            guard let age = try Files.information(path)?.modified else { return false }
            guard try Files.touch(layout.lock) - age >= Self.lockAge else { return false }
            try Files.remove(path)
            return true
        }
    }

    private func run(_ now: Int64) throws(FileError) {
        let git = layout.gitDirectory
        for name in ["HEAD.lock", "packed-refs.lock", "config.lock"] {
            try removeFile("\(git)/\(name)", olderThan: Self.lockAge, now)
        }
        try visit("\(git)/refs") { path, name throws(FileError) in
            if name.hasSuffix(".lock") { try removeFile(path, olderThan: Self.lockAge, now) }
        }
        for worktree in try Files.list("\(git)/worktrees") ?? [] {
            for name in ["HEAD.lock", "index.lock"] {
                try removeFile("\(git)/worktrees/\(worktree)/\(name)", olderThan: Self.lockAge, now)
            }
        }
        try visit("\(git)/objects") { path, name throws(FileError) in
            if Self.isScratch(name) {
                try removeFile(path, olderThan: Self.scratchAge, now)
            } else if name.utf8.count == 38, try Files.information(path)?.size == 0 {
                // Whoever writes the object again sees the file and believes that it is there.
                try Files.remove(path)
            }
        }
        try removePackLeftovers(now)
        // Only we write here, and no process of ours is alive.
        try Files.removeTree(layout.stagings)
        for directory in ["outbox", "state", "threads", "wikis", "cookies"] {
            try visit("\(layout.privateDirectory)/\(directory)") { path, name throws(FileError) in
                if name.hasPrefix(Self.scratchPrefix) { try Files.remove(path) }
            }
        }
    }

    /// Removes what a git that was stopped while it packed left, and git itself never removes.
    ///
    /// That is packs under a name for the time being, and packs without index or the reverse. A git command of the user
    /// may be writing them just now; what is ours is left of a program that died, since the caller has the store for himself.
    func removePackLeftovers(_ now: Int64) throws(FileError) {
        let objects = "\(layout.gitDirectory)/objects", directory = "\(objects)/pack"
        for name in try Files.list(objects) ?? [] where name.hasPrefix(PackPlace.scratchPrefix) {
            try Files.removeTree("\(objects)/\(name)")
        }
        let names = Set(try Files.list(directory) ?? [])
        for name in names where name.hasSuffix(".keep") {
            let path = "\(directory)/\(name)"
            if try Files.read(path) == Array(PackPlace.keepMark.utf8) { try Files.remove(path) }
        }
        for name in names {
            let stem = name.prefix { $0 != "." }
            let isHalf = !names.contains("\(stem).pack") || !names.contains("\(stem).idx")
            guard name.hasPrefix(".tmp-") || (name.hasPrefix("pack-") && isHalf) else { continue }
            try removeFile("\(directory)/\(name)", olderThan: Self.scratchAge, now)
        }
    }

    private static func isScratch(_ name: String) -> Bool {
        ["tmp_object_", "tmp_obj_", "tmp_pack_", "tmp_idx_", "pack_git2_"].contains { name.hasPrefix($0) }
    }

    private func removeFile(_ path: String, olderThan age: Int64, _ now: Int64) throws(FileError) {
        guard let file = try Files.information(path), file.kind == .file, now - file.modified >= age else { return }
        try Files.remove(path)
    }

    /// Calls `body` with path and name of each file below a directory.
    private func visit(_ directory: String, _ body: (String, String) throws(FileError) -> Void) throws(FileError) {
        var pending = [directory]
        while let directory = pending.popLast() {
            for name in try Files.list(directory) ?? [] {
                let path = "\(directory)/\(name)"
                if try Files.information(path)?.kind == .directory {
                    pending.append(path)
                } else {
                    try body(path, name)
                }
            }
        }
    }
}
