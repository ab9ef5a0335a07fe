public import TalkPages

/// Every path of a store and every reference name in it; see `Schema/STORE.md`.
///
/// Pure: nothing is looked up. The root arrives from the caller.
public struct StoreLayout: Hashable, Sendable {
    /// The store's directory.
    public let root: String

    /// Makes the layout of the store at `root`.
    public init(root: String) {
        var root = root
        while root.count > 1 && root.hasSuffix("/") { root.removeLast() }
        self.root = root
    }

    // MARK: Paths

    /// The git directory.
    public var gitDirectory: String { "\(root)/.git" }
    /// What belongs to this machine alone and is never exchanged.
    public var privateDirectory: String { "\(gitDirectory)/git-talk" }
    /// Configuration of git and git-talk.
    public var configuration: String { "\(gitDirectory)/config" }
    /// The configuration as it was when the store was last looked through.
    var keptConfiguration: String { "\(privateDirectory)/config.kept" }
    /// Which driver of git shows which files.
    var attributes: String { "\(gitDirectory)/info/attributes" }
    /// What keeps replies out of a push.
    var pushHook: String { "\(gitDirectory)/hooks/pre-push" }
    /// Shared by every write; exclusive for collecting garbage, deleting references and recovery.
    public var lock: String { "\(privateDirectory)/lock" }
    /// Held by the one process that sends replies.
    public var senderLock: String { "\(privateDirectory)/sender" }
    /// The text of a reply while it is in the editor; what an editor or a crash left is offered again.
    public var draft: String { "\(privateDirectory)/REPLY_EDITMSG" }
    /// The same for a new topic.
    public var topicDraft: String { "\(privateDirectory)/TOPIC_EDITMSG" }
    /// Held while a reply or a topic is in the editor.
    public var draftLock: String { "\(privateDirectory)/draft" }
    /// The same for another text of a reply that is in the outbox.
    public func changeDraft(_ id: String) -> String { "\(privateDirectory)/EDIT_\(id)" }
    /// A text that came on standard input and was refused at this time, milliseconds since 1970.
    public func refusedText(_ name: String) -> String { "\(privateDirectory)/refused-\(name).txt" }
    /// Its time says when the store was last looked through for what a crash leaves.
    public var recoveryMark: String { "\(privateDirectory)/recovered" }
    /// How many bytes of the packs nothing refers to any more, as far as known.
    var garbage: String { "\(privateDirectory)/garbage" }
    /// What was purged, a line a revision.
    public var purgeLog: String { "\(privateDirectory)/purge.log" }
    /// The journals of pending replies.
    public var outbox: String { "\(privateDirectory)/outbox" }
    /// Held while a journal is changed.
    public var outboxLock: String { "\(outbox).lock" }
    /// What is known of wikis.
    public var wikis: String { "\(privateDirectory)/wikis" }
    /// What is known of pages beside their revisions.
    public var states: String { "\(privateDirectory)/state" }
    /// New versions of page directories while they are built.
    public var stagings: String { "\(privateDirectory)/staging" }

    /// References that a repair looks for; there until it is done.
    var repairing: String { "\(privateDirectory)/repairing" }
    /// What a repair took out of the way, since somebody's text may be in it.
    public var damaged: String { "\(privateDirectory)/damaged" }

    /// The journal of one reply.
    public func outboxEntry(_ id: String) -> String { "\(outbox)/\(id).json" }
    /// What this machine knows of a page.
    public func state(of page: PageName) -> String { state(at: Self.component(of: page)) }
    func state(at component: String) -> String { "\(states)/\(component).json" }
    /// Its time says when somebody last looked at the page.
    public func visit(of page: PageName) -> String { "\(privateDirectory)/visits/\(Self.component(of: page))" }
    /// The derived threads of a page.
    public func threads(of page: PageName) -> String { "\(privateDirectory)/threads/\(Self.component(of: page)).json" }
    /// Held while one page's branches or directory change.
    public func pageLock(of page: PageName) -> String { "\(privateDirectory)/locks/\(Self.component(of: page))" }
    /// There while the user does not want the page, so that no exchange brings it back.
    func evicted(_ page: PageName) -> String { "\(evictions)/\(Self.component(of: page))" }
    /// There while a page goes when too many others were visited later.
    func unkept(_ page: PageName) -> String { "\(unkept)/\(Self.component(of: page))" }
    /// The pages that their states do not keep.
    var unkept: String { "\(privateDirectory)/unkept" }
    /// The pages that the user dropped.
    var evictions: String { "\(privateDirectory)/evicted" }
    /// A new version of a page's directory while it is built, and the old one while it is removed.
    public func staging(of page: PageName) -> String { "\(stagings)/\(Self.component(of: page))" }
    /// What the references were when an exchange with the remote had nothing to do.
    func settled(with remote: String) -> String { "\(privateDirectory)/exchanged/\(RefComponent.escape(remote))" }
    /// The page as plain files.
    public func pageDirectory(of page: PageName) -> String { "\(root)/\(Self.component(of: page))" }
    /// What is known of a wiki.
    public func wiki(_ key: String) -> String { "\(wikis)/\(Self.wikiComponent(key)).json" }

    /// The cookies of an account on a wiki; the file must have mode 0600.
    public func cookies(wiki key: String, user: String) -> String {
        let wiki = RefComponent.escape(key, limit: 100)
        return "\(privateDirectory)/cookies/\(wiki)-\(RefComponent.escape(user, limit: 100))"
    }

    /// Throws unless the page's names fit into git and the file system.
    func check(_ page: PageName) throws(TalkError) {
        guard !page.wiki.isEmpty, !page.namespace.isEmpty, !page.title.isEmpty else {
            throw TalkError(.invalid, "a page must have a wiki, a namespace and a title")
        }
        // The longest path below: a section in a staging directory.
        guard staging(of: page).utf8.count + 260 < 4096 else {
            throw TalkError(
                .invalid, "the path of the store is too long for the page \(page)",
                hint: "use a store with a shorter path")
        }
    }

    // MARK: References

    /// The branch of every clone's first sight: one constant commit with a README.
    public static let mainBranch = "refs/heads/main"
    static let branches = "refs/heads/"
    static let pendingBranches = "refs/heads/pending/"
    static let discardedReferences = "refs/discarded/"
    static let remoteBranches = "refs/remotes/"
    /// Whether a reference is a copy of what a remote has.
    static func isCopy(_ name: String) -> Bool { name.hasPrefix(remoteBranches) || name.hasPrefix("refs/exchange/") }

    /// A branch that a repair took out of the way, since somebody had committed onto it.
    static func aside(_ branch: String) -> String { "refs/aside/" + branch.dropFirst(branches.count) }

    /// Where git keeps the branches of a remote, as it does by itself.
    public static func tracking(_ remote: String) -> String { "refs/remotes/\(remote)/" }
    /// Where an exchange keeps what a remote has below `refs/meta`.
    public static func sharedTracking(_ remote: String) -> String { "refs/exchange/\(remote)/" }

    /// The branch with a page's revisions.
    public static func branch(of page: PageName) -> String { branches + component(of: page) }
    /// The branch with a page's pending replies.
    public static func pendingBranch(of page: PageName) -> String { pendingBranches + component(of: page) }
    /// The reference to a reply that was set aside.
    public static func discarded(_ id: String) -> String { discardedReferences + id }

    /// The page of a branch or pending branch; nil when it is neither, or when its title was too long to be kept whole.
    public static func page(ofBranch name: String) -> PageName? {
        // By bytes: a title may begin with a character that joins with the slash before it.
        let prefix = name.utf8.starts(with: pendingBranches.utf8) ? pendingBranches : branches
        guard name.utf8.starts(with: prefix.utf8) else { return nil }
        let component = name.utf8.dropFirst(prefix.utf8.count)
        let parts = names(in: String(decoding: component, as: UTF8.self))
        guard parts.count == 3, !parts.contains(""), let wiki = wiki(of: parts[0]),
            let namespace = RefComponent.unescape(parts[1]),
            let title = RefComponent.unescape(parts[2])
        else { return nil }
        let page = PageName(wiki: wiki, namespace: namespace, title: title)
        return component.elementsEqual(Self.component(of: page).utf8) ? page : nil
    }

    /// What stands between the slashes; by bytes, since a title may begin with a character that joins with the slash.
    static func names(in path: String) -> [String] {
        path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    /// The page of `<wiki>/<Namespace>/<title>` whose title is this, which may be too long for that; nil for another one.
    static func page(_ component: String, titled title: String) -> PageName? {
        let parts = names(in: component)
        guard parts.count == 3, let wiki = wiki(of: parts[0]), let namespace = RefComponent.unescape(parts[1]) else {
            return nil
        }
        let page = PageName(wiki: wiki, namespace: namespace, title: title)
        return component.utf8.elementsEqual(Self.component(of: page).utf8) ? page : nil
    }

    /// The rest of the name of a reference below `prefix`; by bytes, as `names`.
    static func component(of reference: String, below prefix: String) -> String {
        String(decoding: reference.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    }

    /// Whether a branch may be that of a page.
    static func isOwn(_ branch: String) -> Bool {
        branch != mainBranch && !branch.utf8.starts(with: pendingBranches.utf8)
    }

    /// The key of the wiki of a page's path.
    static func wiki(ofComponent component: String) -> String? { names(in: component).first.flatMap { wiki(of: $0) } }

    /// `<wiki>/<Namespace>/<title>`, escaped.
    static func component(of page: PageName) -> String { components(of: page).joined(separator: "/") }

    /// The three of them: a title may begin with a character that joins with the slash before it.
    static func components(of page: PageName) -> [String] {
        [
            wikiComponent(page.wiki), RefComponent.escape(page.namespace, limit: RefComponent.titleLimit),
            RefComponent.escape(page.title, limit: RefComponent.titleLimit),
        ]
    }

    /// A host may be called like a branch of ours; its first letter is then escaped.
    private static func wikiComponent(_ key: String) -> String {
        switch key {
        case "main": "%6Dain"
        case "pending": "%70ending"
        default: RefComponent.escape(key, limit: RefComponent.titleLimit)
        }
    }

    /// Whether wiki, namespace and title of a page can be written like this.
    static func areComponents(_ names: some Collection<String>) -> Bool {
        guard names.count == 3, let wiki = names.first else { return false }
        return (self.wiki(of: wiki).map { wikiComponent($0) == wiki } ?? RefComponent.isValid(wiki))
            && names.dropFirst().allSatisfy { RefComponent.isValid($0) }
    }

    private static func wiki(of component: String) -> String? {
        switch component {
        case "%6Dain": "main"
        case "%70ending": "pending"
        // A key has no space; what looks like one is the underscore that it has.
        default: RefComponent.unescape(component)?.replacing(" ", with: "_")
        }
    }
}
