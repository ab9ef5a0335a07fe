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
    static let lockAge = 60 * second
    /// A fetch of the user may be writing a pack.
    private static let scratchAge = 3600 * second
    /// A fetch of the user writes objects before the references to them; `git prune` is told the same.
    static let looseAge = 3600 * second

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

    /// Removes git's locks that are too old to be anybody's; true when there were any.
    ///
    /// The caller holds a lock of the store, and no process of ours has a lock of git's for a minute.
    func removeOldLocks() throws(TalkError) -> Bool {
        try onDisk("a lock left by another program cannot be removed") { () throws(FileError) in
            let old = try locks(Files.touch(layout.lock))
            for path in old { try Files.remove(path) }
            return !old.isEmpty
        }
    }

    private func run(_ now: Int64) throws(FileError) {
        for path in try locks(olderThan: Self.lockAge, now) + litter(now) { try Files.remove(path) }
        try removePackLeftovers(now)
        for path in try emptyObjects() { try Files.remove(path) }
        // Only we write here, and no process of ours is alive.
        try Files.removeTree(layout.stagings)
        try keepConfiguration()
    }

    /// Keeps a copy of the configuration, which git does not flush when somebody changes it with `git config`.
    private func keepConfiguration() throws(FileError) {
        let kept = layout.keptConfiguration
        guard let bytes = try Files.read(layout.configuration), try Files.read(kept) != bytes,
            GitConfiguration(parsing: String(decoding: bytes, as: UTF8.self))?.string(Setting.format.name) != nil
        else { return }
        let scratch = "\(layout.privateDirectory)/\(Self.scratchPrefix)config"
        try Files.replace(kept, bytes, mode: 0o600, scratch: scratch, durable: true)
    }

    /// The lock files of git that nobody has touched for so many nanoseconds.
    ///
    /// No process of ours is alive while the caller has the store for himself, and no git command of the user holds one for
    /// a minute.
    func locks(olderThan age: Int64 = Self.lockAge, _ now: Int64) throws(FileError) -> [String] {
        let git = layout.gitDirectory
        var paths = ["HEAD.lock", "packed-refs.lock", "config.lock", "config.lock.lock", "shallow.lock"].map {
            "\(git)/\($0)"
        }
        try visit("\(git)/refs") { path, name in if name.hasSuffix(".lock") { paths.append(path) } }
        for worktree in try Files.list("\(git)/worktrees") ?? [] {
            paths += ["HEAD.lock", "index.lock"].map { "\(git)/worktrees/\(worktree)/\($0)" }
        }
        var old: [String] = []
        for path in paths where try isOld(path, age, now) { old.append(path) }
        return old
    }

    /// Files that were being written when their program died, packs aside.
    func litter(_ now: Int64) throws(FileError) -> [String] {
        var paths: [String] = []
        try visit("\(layout.gitDirectory)/objects") { path, name throws(FileError) in
            if Self.isScratch(name), try isOld(path, Self.scratchAge, now) { paths.append(path) }
        }
        for directory in ["outbox", "state", "threads", "wikis", "cookies"] {
            try visit("\(layout.privateDirectory)/\(directory)") { path, name in
                if name.hasPrefix(Self.scratchPrefix) { paths.append(path) }
            }
        }
        for name in try Files.list(layout.privateDirectory) ?? [] where name.hasPrefix(Self.scratchPrefix) {
            paths.append("\(layout.privateDirectory)/\(name)")
        }
        return paths
    }

    /// Loose objects without a byte: whoever writes the object again sees the file and believes that it is there.
    func emptyObjects() throws(FileError) -> [String] {
        var paths: [String] = []
        try visit("\(layout.gitDirectory)/objects") { path, name throws(FileError) in
            if name.utf8.count == 38, try Files.information(path)?.size == 0 { paths.append(path) }
        }
        return paths
    }

    /// Whether an object stands in a file of its own that nobody has touched for so many nanoseconds.
    func hasLooseObjects(olderThan age: Int64, _ now: Int64) throws(FileError) -> Bool {
        let objects = "\(layout.gitDirectory)/objects"
        for directory in try Files.list(objects) ?? [] where directory.utf8.count == 2 {
            for name in try Files.list("\(objects)/\(directory)") ?? [] {
                if try isOld("\(objects)/\(directory)/\(name)", age, now) { return true }
            }
        }
        return false
    }

    /// Removes what a git that was stopped while it packed left, and git itself never removes.
    ///
    /// That is packs under a name for the time being, and packs without index or the reverse. A git command of the user
    /// may be writing them just now; what is ours is left of a program that died, since the caller has the store for himself.
    func removePackLeftovers(_ now: Int64) throws(FileError) {
        for path in try packLeftovers(now) { try Files.removeTree(path) }
    }

    /// What it removes.
    func packLeftovers(_ now: Int64) throws(FileError) -> [String] {
        let objects = "\(layout.gitDirectory)/objects", directory = "\(objects)/pack"
        var paths = (try Files.list(objects) ?? []).filter { $0.hasPrefix(PackPlace.scratchPrefix) }
            .map { "\(objects)/\($0)" }
        let names = Set(try Files.list(directory) ?? [])
        for name in names where name.hasSuffix(".keep") {
            let path = "\(directory)/\(name)"
            guard let text = try Files.read(path) else { continue }
            let isFetch = ["fetch-pack ", "receive-pack "].contains { text.starts(with: $0.utf8) }
            if text == Array(PackPlace.keepMark.utf8) {
                paths.append(path)
            } else if isFetch || text.isEmpty, try isOld(path, Self.lockAge, now) {
                // A git was stopped between its pack and its references: no git ever removes what is in there.
                paths.append(path)
            }
        }
        for name in names {
            let stem = name.prefix { $0 != "." }
            let isHalf = !names.contains("\(stem).pack") || !names.contains("\(stem).idx")
            guard name.hasPrefix(".tmp-") || (name.hasPrefix("pack-") && isHalf) else { continue }
            let path = "\(directory)/\(name)"
            if !paths.contains(path), try isOld(path, Self.scratchAge, now) { paths.append(path) }
        }
        return paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private static func isScratch(_ name: String) -> Bool {
        ["tmp_object_", "tmp_obj_", "tmp_pack_", "tmp_idx_", "pack_git2_"].contains { name.hasPrefix($0) }
    }

    private func isOld(_ path: String, _ age: Int64, _ now: Int64) throws(FileError) -> Bool {
        guard let file = try Files.information(path), file.kind == .file else { return false }
        return now - file.modified >= age
    }

    /// Calls `body` with path and name of each file below a directory.
    func visit(_ directory: String, _ body: (String, String) throws(FileError) -> Void) throws(FileError) {
        var pending = [directory]
        while let directory = pending.popLast() {
            for (name, isDirectory) in try Files.kinds(in: directory) ?? [] {
                let path = "\(directory)/\(name)"
                if isDirectory { pending.append(path) } else { try body(path, name) }
            }
        }
    }
}
