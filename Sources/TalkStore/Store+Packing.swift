internal import TalkGit
public import TalkPages

/// Packing runs the git program, while no other git-talk writes. It holds the store's lock together with this program,
/// so that nobody writes beside it when this one is killed.
extension Store {
    /// What the store's objects take on disk.
    public nonisolated func packing() throws(TalkError) -> PackingState {
        try onDisk("the packs of the store cannot be counted") { () throws(FileError) in
            let objects = "\(layout.gitDirectory)/objects"
            var state = PackingState()
            for directory in try Files.list(objects) ?? [] where directory != "info" {
                for name in try Files.list("\(objects)/\(directory)") ?? [] {
                    // One that another program removes meanwhile counts nothing.
                    guard let file = try Files.information("\(objects)/\(directory)/\(name)") else { continue }
                    state.bytes += file.size
                    if directory.utf8.count == 2 { state.loose += 1 }
                    if name.hasPrefix("pack-"), name.hasSuffix(".pack") { state.packs += 1 }
                }
            }
            state.garbage = try garbage()
            return state
        }
    }

    /// Packs the store as far as that is due, unless somebody else is at work on it; what a pull ends with.
    ///
    /// Throws `.missingProgram` where it is due and git is not installed.
    public func packIfDue(_ git: GitProgram) async throws(TalkError) {
        let state = try packing(), rule = PackingRule(state)
        if rule == .nothing { return }
        do throws(TalkError) {
            try exclusively("the store cannot be packed", wait: 0) { lock throws(TalkError) in
                if rule == .collect { return try collect(git, lock, afterPurge: state.hasPurged) }
                try removeLeftovers()
                faults.reach("consolidate packs")
                try run(git, ["repack", "--geometric=2", "-d", "-q", "-n"], lock)
            }
        } catch {
            guard error.kind == .busy else { throw error }
        }
    }

    /// Makes one pack of all that a reference leads to and removes everything else, for good.
    ///
    /// Objects in files of their own stay for an hour: a `git fetch` of the user may just be about to refer to them. Not so
    /// after a purge; then the reflogs of the user's worktrees are emptied, too: they would keep what was purged.
    ///
    /// Throws `.busy` when others are at work on the store longer than it waits, `.missingProgram` without git.
    public func collectGarbage(_ git: GitProgram, afterPurge: Bool = false) async throws(TalkError) {
        try exclusively("the store cannot be packed") { lock throws(TalkError) in
            let state = try packing()
            try collect(git, lock, afterPurge: afterPurge || state.hasPurged)
        }
    }

    func collect(_ git: GitProgram, _ lock: Int32, afterPurge: Bool) throws(TalkError) {
        if afterPurge {
            faults.reach("expire reflogs")
            try run(git, ["reflog", "expire", "--expire=now", "--expire-unreachable=now", "--all"], lock)
        }
        try removeLeftovers()
        try onDisk("the store cannot be packed") { () throws(FileError) in
            // A user's `git gc` makes them; of commits that go they would still speak, and git fsck complains of that.
            faults.reach("remove commit-graph")
            let information = "\(layout.gitDirectory)/objects/info"
            try Files.remove("\(information)/commit-graph")
            try Files.removeTree("\(information)/commit-graphs")
        }
        faults.reach("repack")
        try run(git, ["repack", "-a", "-d", "-q", "-n"], lock)
        let age = afterPurge ? 0 : StoreRecovery.looseAge
        let isDue = try onDisk("the store cannot be packed") { () throws(FileError) in
            try StoreRecovery(layout: layout).hasLooseObjects(olderThan: age, Files.touch(layout.lock))
        }
        if isDue {
            faults.reach("prune")
            try run(git, ["prune", "--expire=\(afterPurge ? "now" : "1.hour.ago")"], lock)
        }
        try onDisk("the store cannot be packed") { () throws(FileError) in
            faults.reach("remove estimate")
            try Files.remove(layout.garbage)
        }
    }

    /// A pack that a program which died protects would never be joined with others.
    private func removeLeftovers() throws(TalkError) {
        try onDisk("the store cannot be packed") { () throws(FileError) in
            faults.reach("remove leftovers")
            try StoreRecovery(layout: layout).removePackLeftovers(Files.touch(layout.lock))
        }
    }

    private func run(_ git: GitProgram, _ words: [String], _ lock: Int32) throws(TalkError) {
        // Bitmaps serve who clones from here, and take a part of the time and the disk. Nobody reads the list of references
        // and packs either, which `-n` leaves out.
        let subject = "the store cannot be packed"
        let settings = [("repack.writeBitmaps", "false")]
        var answer = try git.run(words, settings: settings, holding: lock)
        if let status = answer.status, status != 0, !answer.isDiskFull {
            // What led nowhere a moment ago may be gone: a git of the user's was at work.
            _ = try mendReferences(subject)
            answer = try git.run(words, settings: settings, holding: lock)
        }
        guard answer.isSuccess else { throw answer.failure(subject, .damaged, hint: TalkError.verify) }
    }

    /// Adds what nothing refers to any more, of what these commits lead to, to the estimate; without git there is none.
    func estimateGarbage(_ git: GitProgram, of tips: [ObjectID], _ lock: Int32) throws(TalkError) {
        let words = ["rev-list", "--objects", "--disk-usage"] + tips.map(\.description) + ["--not", "--all"]
        guard let answer = try? git.run(words, holding: lock), answer.isSuccess,
            let bytes = Int(String(decoding: answer.output, as: UTF8.self).filter { $0 != "\n" })
        else { return }
        try addGarbage(bytes)
    }

    /// Adds to the estimate.
    ///
    /// Of two that do so at once one may be lost: it decides only when the store is packed.
    func addGarbage(_ bytes: Int) throws(TalkError) {
        let path = layout.garbage
        try onDisk("the store cannot be packed") { () throws(FileError) in
            let sum = try garbage() + bytes
            faults.reach("write estimate")
            try Files.replace(path, Array("\(sum)\n".utf8), mode: 0o600, scratch: scratch(path))
        }
    }

    private nonisolated func garbage() throws(FileError) -> Int {
        guard let bytes = try Files.read(layout.garbage) else { return 0 }
        // What a power failure has cut still says that there is some.
        return Int(String(decoding: bytes, as: UTF8.self).filter { $0 != "\n" }) ?? 1
    }
}
