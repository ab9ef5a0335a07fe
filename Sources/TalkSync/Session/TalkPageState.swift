public import TalkPages

/// What a session says of its page at one moment; the next one takes its place as a whole.
public struct TalkPageState: Sendable {
    /// How what is shown stands to the wiki.
    public enum Phase: Sendable {
        /// It is shown while the wiki is asked whether it is the newest.
        case confirming
        /// The wiki says that it is the newest.
        case current
        /// The newest was fetched and stored; what is new in it.
        case updated(TalkPageChanges)
        /// It could not be brought up to date, and why; it stays on the screen.
        case stale(TalkError)
        /// The wiki says that there is no such page; `wasKnown` when it had said so before.
        case missing(wasKnown: Bool)
        /// The page has another title now, and nothing but a redirect is at this one; what is cached stays.
        case moved(PageMove)
        /// There is nothing to show, and why.
        case failed(TalkError)
    }

    /// How what is shown stands to the wiki.
    public let phase: Phase
    /// What is to be shown; nil when there is nothing.
    public let shown: ShownPage?
    /// Whether something can be written on the page now; it is queued, so this needs no wiki.
    public let canWrite: TalkPagePermission
    /// Whether what is queued would be sent now.
    public let canSend: TalkPagePermission
    /// What became of the page's pending replies.
    public let fitting: PendingFitting.Result
    /// Where the page that was cached went, when it did.
    public let move: PageMove?
    /// What else happened to the page as a whole.
    public let events: [PageEvent]
}

/// A page as a session shows it.
public struct ShownPage: Hashable, Sendable {
    /// The title as the wiki writes it.
    public var title: String
    /// The newest revision in it; nil when that is not known yet.
    public var revision: RevisionID?
    /// The page, pending replies in place.
    public var content: PageContent
    /// Its topics and comments.
    public var items: [ThreadItem]
    /// What the store knew of the page when it was read: language, direction, time of the last check.
    public var state: PageState?
    /// Whether the store has it; one that is not stored yet cannot be answered.
    public var isStored: Bool
    /// What the wiki said of the rendering beside its HTML; nil for a page from the store.
    var rendering: ParsedPage?

    /// Makes a page to show.
    public init(
        title: String, revision: RevisionID?, content: PageContent, items: [ThreadItem], state: PageState?,
        isStored: Bool
    ) {
        self.title = title
        self.revision = revision
        self.content = content
        self.items = items
        self.state = state
        self.isStored = isStored
    }
}

/// What an update brought.
public struct TalkPageChanges: Sendable {
    /// Revisions that the store did not have before, oldest first.
    public var added: [RevisionID]
    /// What happened in the discussion since the newest revision cached before.
    public var discussion: DiscussionDiff
    /// Whether nothing of the page was cached before.
    public var isFirst: Bool
    /// The topics that are gone, and what is known of their removal.
    public var topicsRemoved: [RemovedTopic]
    /// Why some of the older revisions could not be had; nil when all came.
    public var shortfall: TalkError?
}

/// A yes, or a no with its reason.
public enum TalkPagePermission: Hashable, Sendable {
    /// It may be done.
    case granted
    /// It may not be done now; one sentence for the user, without a full stop.
    case denied(reason: String)

    /// Whether it may be done.
    public var isGranted: Bool { self == .granted }

    /// Why it may not be done; nil when it may.
    public var reason: String? {
        if case .denied(let reason) = self { reason } else { nil }
    }
}
