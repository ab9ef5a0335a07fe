internal import TalkGit
public import TalkPages

/// A page as it stands in its directory.
public struct CachedPage: Hashable, Sendable {
    /// Which commit it equals.
    public let stamp: PageStamp
    /// The page, pending replies in place.
    public let content: PageContent
    /// The pending replies that are in it, by id.
    public let pending: [PendingReply]
}

/// Reads what a store keeps as plain files, without git: libgit2 takes longer to start than a page to read.
///
/// It takes no lock. Every file and every page directory is put in place in one step, so what is read is whole.
public struct PageReader: Sendable {
    /// Where the store is.
    public let layout: StoreLayout
    /// Git's and git-talk's settings of this store, as they were when it was opened.
    public let configuration: GitConfiguration

    /// Opens the store at a path for reading; nothing is written.
    ///
    /// Throws `.notFound` when there is none, `.damaged` when something else is there or its format is newer.
    public init(at path: String) throws(TalkError) {
        try self.init(StoreLayout(root: path))
    }

    init(_ layout: StoreLayout) throws(TalkError) {
        self.layout = layout
        configuration = try StoreFormat.check(layout)
    }

    /// The page in its directory; nil when it is not cached.
    ///
    /// Throws `.damaged` when the directory is not what its stamp says; `Store.refresh` makes it anew from git.
    public func page(_ page: PageName) throws(TalkError) -> CachedPage? {
        let path = layout.pageDirectory(of: page)
        for _ in 0..<8 {
            do throws(FileError) {
                let directory = try OpenDirectory(path)
                guard let stamp = PageStamp(parsing: try directory.read(PageStamp.name)) else { break }
                if let page = try read(directory, stamp) { return page }
                break
            } catch {
                guard error.isMissing else { throw TalkError(error, "the page \(page) cannot be read") }
                guard try exists(path, page) else { return nil }
                // A newer version has just taken the place of the one that was being read.
            }
        }
        throw TalkError(
            .damaged, "the cached files of the page \(page) are not whole", hint: "make them anew: git talk pull")
    }

    /// Which commit the page's directory equals; nil when the page is not cached or its directory is damaged.
    public func stamp(of page: PageName) throws(TalkError) -> PageStamp? {
        try onDisk("the page \(page) cannot be read") { () throws(FileError) in
            try Files.read("\(layout.pageDirectory(of: page))/\(PageStamp.name)").flatMap(PageStamp.init(parsing:))
        }
    }

    /// What this machine knows of a page; nil when nothing is known.
    ///
    /// What a power failure has cut counts as a page that was asked for by name, so that the next pull asks for it again.
    public func state(of page: PageName) throws(TalkError) -> PageState? {
        guard let bytes = try bytes(layout.state(of: page)) else { return nil }
        return (try? StoredJSON.decode(PageState.self, bytes)) ?? Self.cut(page)
    }

    private static func cut(_ page: PageName) -> PageState {
        var state = PageState(page: page, displayTitle: page.prefixedTitle)
        state.isKept = true
        return state
    }

    /// The same by `<wiki>/<Namespace>/<title>`.
    func state(ofComponent component: String) throws(TalkError) -> PageState? {
        try decode(PageState.self, "\(layout.states)/\(component).json")
    }

    /// The title of the page with this path of a branch; nil when nothing is known of it.
    func title(at component: String) throws(TalkError) -> String? {
        try decode(PageState.self, layout.state(at: component))?.page.title
    }

    /// Bytes of the page's files, its history not counted; nil when it is not cached.
    public func size(of page: PageName) throws(TalkError) -> Int? {
        try stamp(of: page)?.files.reduce(0) { $0 + $1.size }
    }

    /// When somebody looked at a page last, seconds since 1970; nil when nobody did.
    public func visited(_ page: PageName) throws(TalkError) -> Int64? {
        try onDisk("the store cannot be read") { () throws(FileError) in
            try Files.information(layout.visit(of: page)).map { $0.modified / 1_000_000_000 }
        }
    }

    /// What is known of every page that this machine asked about, sorted by wiki, namespace and title.
    public func states() throws(TalkError) -> [PageState] {
        let subject = "the list of pages cannot be read"
        var states: [PageState] = []
        for wiki in try list(layout.states, subject) {
            for namespace in try list(wiki, subject) {
                for file in try list(namespace, subject) where file.hasSuffix(".json") {
                    guard let bytes = try bytes(file) else { continue }
                    if let state = try? StoredJSON.decode(PageState.self, bytes) {
                        states.append(state)
                    } else if let page = page(ofState: file) {
                        states.append(Self.cut(page))
                    }
                }
            }
        }
        return states
    }

    private func page(ofState file: String) -> PageName? {
        let component = file.utf8.dropFirst(layout.states.utf8.count + 1).dropLast(".json".utf8.count)
        return StoreLayout.page(ofBranch: StoreLayout.branches + String(decoding: component, as: UTF8.self))
    }

    /// The derived threads of a page as they were saved last, whether they are current or not.
    public func threads(of page: PageName) throws(TalkError) -> DerivedThreads? {
        try bytes(layout.threads(of: page)).flatMap(DerivedThreads.init(json:))
    }

    /// What is known of a wiki.
    public func wiki(_ key: String) throws(TalkError) -> Wiki? {
        try decode(Wiki.self, layout.wiki(key))
    }

    /// Every wiki that this machine asked, sorted by key.
    public func wikis() throws(TalkError) -> [Wiki] {
        var wikis: [Wiki] = []
        for file in try list(layout.wikis, "the list of wikis cannot be read") where file.hasSuffix(".json") {
            if let wiki = try decode(Wiki.self, file) { wikis.append(wiki) }
        }
        return wikis.sorted { $0.key < $1.key }
    }

    /// nil also for what cannot be understood: all that is read this way can be made again.
    private func decode<Value: Decodable>(_ type: Value.Type, _ path: String) throws(TalkError) -> Value? {
        try bytes(path).flatMap { try? StoredJSON.decode(type, $0) }
    }

    private func bytes(_ path: String) throws(TalkError) -> [UInt8]? {
        try onDisk("the store cannot be read") { () throws(FileError) in try Files.read(path) }
    }

    private func list(_ path: String, _ subject: String) throws(TalkError) -> [String] {
        let names = try onDisk(subject) { () throws(FileError) in try Files.list(path) }
        return (names ?? []).map { "\(path)/\($0)" }
    }

    private func exists(_ path: String, _ page: PageName) throws(TalkError) -> Bool {
        try onDisk("the page \(page) cannot be read") { () throws(FileError) in try Files.information(path) != nil }
    }

    private func read(_ directory: borrowing OpenDirectory, _ stamp: PageStamp) throws(FileError) -> CachedPage? {
        var files: [String: [UInt8]] = [:]
        for file in stamp.files {
            guard PageFiles.isAllowed(file.path) else { return nil }
            let bytes = try directory.read(file.path)
            guard bytes.count == file.size else { return nil }
            files[file.path] = bytes
        }
        guard let content = PageFiles.content({ files[$0] }) else { return nil }
        var pending: [PendingReply] = []
        for path in files.keys.filter({ $0.hasPrefix("pending/") }).sorted() {
            guard let reply = try? StoredJSON.decode(PendingReply.self, files[path] ?? []) else { return nil }
            pending.append(reply)
        }
        return CachedPage(stamp: stamp, content: content, pending: pending)
    }
}
