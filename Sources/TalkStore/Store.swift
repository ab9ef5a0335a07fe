internal import TalkGit
public import TalkPages

/// One store on disk: the revisions of talk pages as git branches, and what was written here and is not on a wiki yet.
///
/// Runs on a queue of its own, so that git and the disk never hold a thread of the cooperative pool. Several stores, in
/// this process or in others, may have the same directory open. What only reads plain files is in `reader`.
public actor Store {
    /// Reads what needs no git.
    public nonisolated let reader: PageReader

    let faults: StoreFaults
    private let wait: Double
    private let executor = BlockingExecutor(label: "store")
    /// Opened when it is first needed: starting libgit2 takes longer than showing a page.
    private var opened: OpenRepository?
    /// When a pack was last added to, or removed from, the packs that `opened` knows.
    private var packsChanged: Int64?
    /// What protects new packs until references lead to them.
    private let guards = PackGuards()
    private var isCleanedUp = false

    /// The actor's own queue.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Where the store is.
    public nonisolated var layout: StoreLayout { reader.layout }

    init(reader: PageReader, wait: Double, faults: StoreFaults) {
        self.reader = reader
        self.wait = wait
        self.faults = faults
    }

    /// Opens the store at a path; nothing is written yet.
    ///
    /// `wait` is the number of seconds that an operation waits for another process before it throws `.busy`. Throws
    /// `.notFound` when there is no store, `.damaged` when something else is there or its format is newer.
    public static func open(at path: String, wait: Double = 10) throws(TalkError) -> Store {
        try open(at: path, wait: wait, faults: .none)
    }

    package static func open(at path: String, wait: Double, faults: StoreFaults) throws(TalkError) -> Store {
        Store(reader: try PageReader(at: path), wait: wait, faults: faults)
    }

    /// Makes a store at a path, or opens the one that is there.
    ///
    /// Throws `.damaged` when the directory has anything else in it: a store is never made within somebody's files.
    public static func create(at path: String, wait: Double = 10) throws(TalkError) -> Store {
        try create(at: path, wait: wait, faults: .none)
    }

    package static func create(at path: String, wait: Double, faults: StoreFaults) throws(TalkError) -> Store {
        try StoreCreation(layout: StoreLayout(root: path), faults: faults).run()
        return try open(at: path, wait: wait, faults: faults)
    }

    /// The store's settings as they are now.
    public nonisolated func configuration() throws(TalkError) -> GitConfiguration { try StoreFormat.check(layout) }

    /// Sets a key of the store's configuration, `talk.history` or `wiki.<key>.user`; nil removes it.
    public func configure(_ key: String, to value: String?) throws(TalkError) {
        let path = layout.configuration
        try locked("the setting \(key) cannot be changed") { () throws(TalkError) in
            faults.reach("write configuration")
            try git("the setting \(key) cannot be changed") { _ throws(GitError) in
                try ConfigurationFile.change(path) { file throws(GitError) in try file.set(key, to: value) }
            }
        }
    }

    /// The right to send replies, which one process at a time has; nil while another one has it.
    public func senderLock() async throws(TalkError) -> HeldLock? { try hold(layout.senderLock) }

    /// The right to have a reply in the editor, which one process at a time has; nil while another one has it.
    public func draftLock() async throws(TalkError) -> HeldLock? { try hold(layout.draftLock) }

    private func hold(_ path: String) throws(TalkError) -> HeldLock? {
        try onDisk("the store cannot be locked") { () throws(FileError) in
            try Files.makeDirectories(Files.directory(of: path))
            guard let lock = try FileLock.take(.exclusive, at: path, wait: 0) else { return nil }
            return HeldLock(lock)
        }
    }

    // MARK: For the extensions

    /// Calls `body` with the repository; once more when what it looked for went to another pack meanwhile, or when a lock
    /// of git's was in the way that nobody can hold any longer.
    func git<Result>(
        _ subject: @autoclosure () -> String, _ body: (borrowing Repository) throws(GitError) -> Result
    ) throws(TalkError) -> Result {
        var attempts = 0
        var isUnlocked = false
        while true {
            let opened = try open()
            do throws(GitError) { return try body(opened.repository) } catch {
                if error.code == .locked, !isUnlocked, try StoreRecovery(layout: layout).removeOldLocks() {
                    isUnlocked = true
                    continue
                }
                // A git command of the user, which takes no lock of ours, packs the store.
                let time = try packsTime(subject())
                attempts += 1
                // Even where their time is the same: the file system's clock has steps of some milliseconds.
                guard error.code == .notFound || error.code == .generic, attempts == 1 || time != packsChanged,
                    attempts < 8
                else {
                    throw TalkError(error, subject())
                }
                packsChanged = time
                self.opened = nil
            }
        }
    }

    /// Makes the next use of the repository look at its packs anew.
    func reopen() { opened = nil }

    private func open() throws(TalkError) -> OpenRepository {
        if let opened { return opened }
        let path = layout.gitDirectory
        let opened = OpenRepository(
            try inGit("the store cannot be opened") { () throws(GitError) in
                try Repository(openingAt: path, guards: guards)
            })
        self.opened = opened
        return opened
    }

    /// Runs `body` while nobody collects garbage, deletes references or cleans up; `.exclusive`: while nobody else
    /// writes at all.
    func locked<Result>(
        _ subject: String, mode: FileLock.Mode = .shared, _ body: () throws(TalkError) -> Result
    ) throws(TalkError) -> Result {
        try locked(subject, mode: mode, wait: wait, handsOn: false) { _ throws(TalkError) in try body() }
    }

    /// Runs `body` while nobody else writes to the store, with the lock for the programs that it starts.
    ///
    /// Throws `.busy` when others are at work longer than `seconds`, by default as long as the store waits.
    func exclusively<Result>(
        _ subject: String, wait seconds: Double? = nil, _ body: (Int32) throws(TalkError) -> Result
    ) throws(TalkError) -> Result {
        try locked(subject, mode: .exclusive, wait: seconds ?? wait, handsOn: true) { lock throws(TalkError) in
            // Whatever it does to the packs, they are looked at again.
            defer { opened = nil }
            return try body(lock)
        }
    }

    /// Runs `body`, which adds objects to the store, while nobody removes any, with the lock for the programs that it starts.
    func addingObjects<Result>(
        _ subject: String, _ body: (Int32) throws(TalkError) -> Result
    ) throws(TalkError) -> Result {
        try locked(subject, mode: .shared, wait: wait, handsOn: true) { lock throws(TalkError) in
            // What it added is to be seen.
            defer { opened = nil }
            return try body(lock)
        }
    }

    private func locked<Result>(
        _ subject: String, mode: FileLock.Mode, wait: Double, handsOn: Bool,
        _ body: (Int32) throws(TalkError) -> Result
    ) throws(TalkError) -> Result {
        if !isCleanedUp {
            isCleanedUp = true
            try StoreRecovery(layout: layout).runIfDue()
            try PushHook(layout: layout).renew(scratch: scratch(layout.pushHook))
        }
        let reason = "another git-talk is at work on this store"
        return try holding(mode, layout.lock, subject, reason, wait, handsOn: handsOn) { lock throws(TalkError) in
            // A repository that was repacked meanwhile would still find in its old packs what is in no pack any more.
            if try packsTime(subject) != packsChanged { opened = nil }
            defer { guards.release() }
            let result = try body(lock)
            guards.release()
            packsChanged = try packsTime(subject)
            return result
        }
    }

    /// Runs `body`, which writes nothing, while nobody else writes to the store; no file is made or touched for that.
    func quietly<Result>(_ subject: String, _ body: () throws(TalkError) -> Result) throws(TalkError) -> Result {
        let path = layout.lock
        // Without the file nobody ever wrote.
        guard try onDisk(subject, { () throws(FileError) in try Files.information(path) }) != nil else {
            return try body()
        }
        guard
            let lock = try onDisk(
                subject, { () throws(FileError) in try FileLock.takeQuietly(.exclusive, at: path, wait: wait) })
        else { throw Self.busy(subject, "another git-talk is at work on this store") }
        do throws(TalkError) {
            let result = try body()
            lock.release()
            return result
        } catch {
            lock.release()
            throw error
        }
    }

    /// From now on nothing is cleaned up in passing: what is found is to be told.
    func leaveLeftovers() { isCleanedUp = true }

    private static func busy(_ subject: String, _ reason: String) -> TalkError {
        TalkError(.busy, "\(subject): \(reason)", hint: "try again when it is done")
    }

    private func packsTime(_ subject: String) throws(TalkError) -> Int64? {
        let path = "\(layout.gitDirectory)/objects/pack"
        return try onDisk(subject) { () throws(FileError) in try Files.information(path)?.modified }
    }

    /// Runs `body` while nobody else changes the page's branches or directory.
    func changing<Result>(
        _ page: PageName, _ subject: String, mode: FileLock.Mode = .shared,
        _ body: () throws(TalkError) -> Result
    ) throws(TalkError) -> Result {
        try locked(subject, mode: mode) { () throws(TalkError) in
            try holding(
                .exclusive, layout.pageLock(of: page), subject, "another git-talk is at work on this page", wait
            ) { _ throws(TalkError) in try body() }
        }
    }

    /// Runs `body` while nobody else changes a journal.
    func changingOutbox<Result>(
        _ subject: String, _ body: () throws(TalkError) -> Result
    ) throws(TalkError) -> Result {
        try locked(subject) { () throws(TalkError) in
            try onDisk(subject) { () throws(FileError) in
                try Files.makeDirectories(layout.outbox, durable: true)
            }
            return try holding(
                .exclusive, layout.outboxLock, subject, "another git-talk is at work on the outbox", wait
            ) { _ throws(TalkError) in try body() }
        }
    }

    private func holding<Result>(
        _ mode: FileLock.Mode, _ path: String, _ subject: String, _ reason: String, _ wait: Double,
        handsOn: Bool = false, _ body: (Int32) throws(TalkError) -> Result
    ) throws(TalkError) -> Result {
        guard
            var lock = try onDisk(
                subject,
                { () throws(FileError) in
                    try Files.makeDirectories(Files.directory(of: path))
                    return try FileLock.take(mode, at: path, wait: wait)
                })
        else { throw Self.busy(subject, reason) }
        do throws(TalkError) {
            let result = try body(handsOn ? lock.handOn() : -1)
            lock.release()
            return result
        } catch {
            lock.release()
            throw error
        }
    }
}

/// Gives the one repository of an actor to closures.
final class OpenRepository {
    let repository: Repository

    init(_ repository: consuming Repository) { self.repository = repository }
}

/// The right to send replies, held as long as the value lives or until the process ends.
public final class HeldLock: Sendable {
    private let lock: FileLock

    init(_ lock: consuming FileLock) { self.lock = lock }
}
