internal import TalkGit
public import TalkPages

/// What this machine keeps beside the revisions. It is put in place in one step but not flushed: all of it can be made
/// again. What a power failure cut is taken for missing, a state for that of a page that was pulled by name.
extension Store {
    /// Keeps what this machine knows of a page.
    public func save(_ state: PageState) async throws(TalkError) { try put(state) }

    func put(_ state: PageState) throws(TalkError) {
        try check(state.page)
        try locked("what is known of \(state.page) cannot be saved") { () throws(TalkError) in try write(state) }
    }

    /// Keeps what a parser found in a page.
    public func save(_ threads: DerivedThreads, of page: PageName) async throws(TalkError) {
        try check(page)
        try put(threads.json, at: layout.threads(of: page), "the threads of \(page) cannot be saved")
    }

    /// Keeps what a wiki said of itself.
    public func save(_ wiki: Wiki) async throws(TalkError) {
        try put(encode(wiki), at: layout.wiki(wiki.key), "what is known of \(wiki.key) cannot be saved")
    }

    /// What this machine knows of a page; nil when nothing is known.
    public nonisolated func state(of page: PageName) throws(TalkError) -> PageState? { try reader.state(of: page) }

    /// The derived threads of a page as they were saved last, whether they are current or not.
    public nonisolated func threads(of page: PageName) throws(TalkError) -> DerivedThreads? {
        try reader.threads(of: page)
    }

    /// What is known of a wiki.
    public nonisolated func wiki(_ key: String) throws(TalkError) -> Wiki? { try reader.wiki(key) }

    /// Every wiki that this machine asked, sorted by key.
    public nonisolated func wikis() throws(TalkError) -> [Wiki] { try reader.wikis() }

    /// The file for the cookies of an account on a wiki, in a directory that exists.
    public func cookieFile(wiki key: String, user: String) async throws(TalkError) -> String {
        let path = layout.cookies(wiki: key, user: user)
        try onDisk("the session cannot be kept") { () throws(FileError) in
            try Files.makeDirectories(Files.directory(of: path))
        }
        return path
    }

    /// Remembers that somebody looks at a page; where the store cannot be written, nobody does.
    ///
    /// Beside the state, which a pull may be changing at the same time, and without a lock, since it comes before every
    /// page that is shown.
    public nonisolated func visit(_ page: PageName, at seconds: Int64) {
        let path = layout.visit(of: page)
        do throws(FileError) {
            do throws(FileError) { try Files.mark(path, at: seconds) } catch {
                guard error.isMissing else { return }
                try Files.makeDirectories(Files.directory(of: path))
                try Files.mark(path, at: seconds)
            }
        } catch {
            return
        }
    }

    private func put(_ bytes: [UInt8], at path: String, _ subject: String) throws(TalkError) {
        try locked(subject) { () throws(TalkError) in try write(bytes, at: path, subject) }
    }

    /// Keeps what this machine knows of a page, within the store's lock; flushed where nobody could say it again.
    func write(_ state: PageState, durable: Bool = false) throws(TalkError) {
        let subject = "what is known of \(state.page) cannot be saved", marks = UnkeptMarks(layout: layout)
        let bytes = try encode(state)
        try onDisk(subject) { () throws(FileError) in if state.isUnkept { try marks.set(state.page, true) } }
        try write(bytes, at: layout.state(of: state.page), subject, durable: durable)
        try onDisk(subject) { () throws(FileError) in if !state.isUnkept { try marks.set(state.page, false) } }
    }

    private func write(
        _ bytes: [UInt8], at path: String, _ subject: String, durable: Bool = false
    ) throws(TalkError) {
        try onDisk(subject) { () throws(FileError) in
            try Files.makeDirectories(Files.directory(of: path))
            faults.reach("write state")
            try Files.replace(path, bytes, mode: 0o600, scratch: scratch(path), durable: durable)
        }
    }

    func encode(_ value: some Encodable) throws(TalkError) -> [UInt8] {
        do { return try StoredJSON.encode(value) } catch {
            throw TalkError(.internal, "a value cannot be written as JSON", underlying: error)
        }
    }

    /// Another process may write the same file at the same time.
    func scratch(_ path: String) -> String {
        let name = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        return "\(Files.directory(of: path))/\(StoreRecovery.scratchPrefix)\(name)"
    }

}
