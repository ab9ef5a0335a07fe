/// What a user wrote offline: a reply or a new topic, kept in a pending commit as `pending/<id>.json`.
///
/// Immutable but for a rebase, which changes `base` and may change the target's `id`.
public struct PendingReply: Codable, Hashable, Sendable {
    /// What is written.
    public enum Kind: String, Codable, Sendable {
        /// A reply under a comment or directly under a heading.
        case reply
        /// A topic with its own heading.
        case topic
    }

    /// The thread item that a reply answers, as it was when the reply was written.
    public struct Target: Codable, Hashable, Sendable {
        /// `ThreadItem.id`, or `pending:<id>` for a reply to a pending reply.
        public var id: String
        /// `ThreadItem.name`.
        public var name: String
        /// Author of the comment; nil when a heading is answered.
        public var author: String?
        /// Seconds since 1970 of the comment; nil when a heading is answered.
        public var timestamp: Int64?
        /// Text of the heading above.
        public var heading: String

        /// The pending reply that is answered, when it is one that is not on the wiki yet.
        ///
        /// Without an author its topic is answered, as with a target that the wiki has.
        public var pending: String? { id.hasPrefix("pending:") ? String(id.dropFirst("pending:".count)) : nil }

        /// Makes a target.
        public init(id: String, name: String, author: String?, timestamp: Int64?, heading: String) {
            self.id = id
            self.name = name
            self.author = author
            self.timestamp = timestamp
            self.heading = heading
        }
    }

    /// ULID in lower case: sorts by the time of writing.
    public var id: String
    /// What is written.
    public var kind: Kind
    /// Wikitext, NFC, LF line ends, otherwise byte for byte what the user wrote.
    public var text: String
    /// What is answered; nil for a topic.
    public var target: Target?
    /// Heading of a new topic; nil for a reply.
    public var heading: String?
    /// The revision that the reply was written against, 0 when the page does not exist.
    public var base: RevisionID
    /// Seconds since 1970, UTC.
    public var created: Int64
    /// Seconds since 1970, UTC, after which it is set aside instead of posted.
    public var expires: Int64

    /// Makes a pending reply.
    public init(
        id: String, kind: Kind, text: String, target: Target?, heading: String?, base: RevisionID, created: Int64,
        expires: Int64
    ) {
        self.id = id
        self.kind = kind
        self.text = text
        self.target = target
        self.heading = heading
        self.base = base
        self.created = created
        self.expires = expires
    }
}

/// The journal of one pending reply: where it stands on its way to the wiki.
///
/// Kept in `.git/git-talk/outbox/<id>.json`. Every change is durable before the next network byte.
public struct OutboxEntry: Codable, Hashable, Sendable {
    /// Where a reply stands (store-format: States).
    public enum State: String, Codable, Sendable, CaseIterable {
        /// Waits to be sent.
        case queued
        /// A request is under way, or was when the program died.
        case sending
        /// The wiki has it.
        case posted
        /// It may or may not have been saved.
        case unknown
        /// The user must decide or act.
        case held
        /// It will not be posted; its text is kept under `refs/discarded/<id>`.
        case discarded
    }

    /// The reply.
    public var reply: PendingReply
    /// The page it goes to.
    public var page: PageName
    /// The account as whom it is posted.
    public var account: String
    /// Where it stands.
    public var state: State
    /// Number of requests that were started.
    public var attempts: Int
    /// Revision that the last request was based on; nil when none can have been saved.
    public var sentBase: RevisionID?
    /// Server clock just before the last request, seconds since 1970.
    public var sentAt: Int64?
    /// Edit summary of the last request.
    public var sentSummary: String?
    /// What the last request added to the page; nil where it did not only add lines.
    public var sentAddition: Addition?
    /// Earlier requests that are looked for before the next one, the first one first; nil when there is none.
    public var lostRequests: [LostRequest]?
    /// The revision that the wiki made of it.
    public var postedRevision: RevisionID?
    /// Why it is held, unknown or discarded, in words for the user.
    public var reason: String?
    /// Where what it answered is now; nil where it was not set aside for that, or where that is not known.
    public var targetPage: PageName?
    /// Whether the outcome was shown to a person.
    public var isSeen: Bool
    /// When a round first saw it while the clocks agreed, seconds since 1970 at the wiki; until then it does not expire.
    public var firstSeen: Int64?
    /// Failures for a reason that passes, and until when they keep it from being sent by itself; nil when there is none.
    public var pause: SendPause?
    /// What the wiki wants from the user before it takes the reply; nil when nothing is.
    public var demand: SendDemand?

    /// Lines that a request adds to a page's wikitext, by which they are known again in the page's history.
    public struct Addition: Codable, Hashable, Sendable {
        /// Where lines stand.
        public struct Place: Codable, Hashable, Sendable {
            /// The line above them; nil where they stand first.
            public var above: String?
            /// How many lines equal to that one the page has so far, itself included.
            public var occurrence: Int

            /// Names a place.
            public init(above: String?, occurrence: Int) {
                self.above = above
                self.occurrence = occurrence
            }
        }

        /// The lines as the wiki writes them when it saves them, none of them blank.
        public var lines: [String]
        /// Where they stand; nil when the wiki itself places and indents them.
        public var place: Place?

        /// Makes an addition.
        public init(lines: [String], place: Place?) {
            self.lines = lines
            self.place = place
        }
    }

    /// A request of which the page's history had nothing when it must have ended, or one that the wiki refused.
    ///
    /// It may still come late; and something on the way may have sent it twice, of which one was saved.
    public struct LostRequest: Codable, Hashable, Sendable {
        /// The page of the reply then.
        public var page: PageName
        /// The text of the reply then.
        public var text: String
        /// `sentBase` then.
        public var base: RevisionID
        /// `sentAt` then.
        public var time: Int64
        /// `sentSummary` then.
        public var summary: String?
        /// `sentAddition` then.
        public var addition: Addition?
        /// Whether the wiki refused it.
        public var isRefused: Bool

        /// The last request of an entry; nil when there is none.
        public init?(_ entry: OutboxEntry, isRefused: Bool) {
            self.isRefused = isRefused
            guard let base = entry.sentBase else { return nil }
            page = entry.page
            text = entry.reply.text
            self.base = base
            time = entry.sentAt ?? 0
            summary = entry.sentSummary
            addition = entry.sentAddition
        }
    }

    /// Makes the entry of a reply that was just written.
    public init(reply: PendingReply, page: PageName, account: String) {
        self.reply = reply
        self.page = page
        self.account = account
        state = .queued
        attempts = 0
        isSeen = false
    }
}

extension OutboxEntry.State {
    /// Whether the reply is still on its way, so that it stands in its page.
    public var isPending: Bool {
        switch self {
        case .queued, .sending, .unknown, .held: true
        case .posted, .discarded: false
        }
    }
}
