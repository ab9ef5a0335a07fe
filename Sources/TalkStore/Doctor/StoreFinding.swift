internal import TalkGit
public import TalkPages

/// Something in a store that is not as it should be, and what became of it.
public struct StoreFinding: Hashable, Sendable {
    /// What it is about.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The configuration of the store.
        case configuration
        /// A lock that a git which died has left.
        case lock
        /// What a program that died was writing.
        case litter
        /// A git object that is damaged.
        case object
        /// A pack that is damaged or not complete.
        case pack
        /// A file of a reference that names nothing.
        case reference
        /// Something that a git command of the user has made, and that is allowed.
        case git
        /// The history of a page.
        case history
        /// The files of a page.
        case files
        /// What this machine knows of a page or a wiki.
        case state
        /// The journal of a reply.
        case journal
        /// The replies of a page that wait.
        case pending
        /// A reply that was set aside.
        case discarded
        /// What stores share beside pages: bookmarks, what was purged, long titles.
        case shared
        /// What was purged and is there all the same.
        case purged
        /// The hook that keeps replies out of a push.
        case hook
    }

    /// What it is about.
    public let kind: Kind
    /// What is wrong, one sentence without a full stop.
    public let message: String
    /// The page, where it is about one.
    public var page: PageName?
    /// What was done about it; nil when nothing was, or nothing was to be.
    public var repair: String?
    /// What the user should do, one line.
    public var hint: String?
    /// Whether the store is sound all the same.
    public var isNote = false

    init(
        _ kind: Kind, _ message: String, page: PageName? = nil, repair: String? = nil, hint: String? = nil,
        isNote: Bool = false
    ) {
        self.kind = kind
        self.message = message
        self.page = page
        self.repair = repair
        self.hint = hint
        self.isNote = isNote
    }
}

/// What is known of a store while it is examined.
struct Examination {
    /// Whether what is found is repaired.
    let repairs: Bool
    /// The git program, where it may be run, and the store's lock for it to hold.
    var program: (git: GitProgram, lock: Int32)?
    /// The time by the file system's clock.
    var now: Int64 = 0
    var findings: [StoreFinding] = []
    var objects = ObjectSurvey()
    /// Every reference that can be read.
    var references: [String: ObjectID] = [:]
    /// The names of those that cannot.
    var lostReferences: Set<String> = []
    /// Whether git is to drop what nothing leads to any more.
    var wantsPacking = false

    /// The references whose name begins with `prefix`, lost ones as nil, sorted by name.
    func references(under prefix: String) -> [(name: String, target: ObjectID?)] {
        let names = references.keys.filter { $0.hasPrefix(prefix) } + lostReferences.filter { $0.hasPrefix(prefix) }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { ($0, references[$0]) }
    }

    /// Adds a finding; `repair` is what was done, which is left out when nothing is repaired.
    mutating func add(
        _ kind: StoreFinding.Kind, _ message: String, page: PageName? = nil, repair: String? = nil,
        hint: String? = nil, isNote: Bool = false
    ) {
        findings.append(
            StoreFinding(kind, message, page: page, repair: repairs ? repair : nil, hint: hint, isNote: isNote))
    }
}
