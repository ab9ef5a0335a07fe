public import TalkPages

/// A page that has another title now.
public struct PageMove: Hashable, Sendable {
    /// The title that it had when it was cached.
    public var from: PageName
    /// The title that it has now; what was cached of it stands there, too.
    public var to: PageName
    /// The new title as the wiki writes it.
    public var title: String
    /// Whether the former title has no page of its own now: none at all, or a redirect.
    public var isGone: Bool
    /// Replies that waited at the former title and were set aside.
    public var setAside: [OutboxEntry]
    /// Replies that waited at the former title and wait at the new one now.
    public var followed: [OutboxEntry] = []
}

/// What happened to a page as a whole since it was checked last.
public enum PageEvent: String, Hashable, Sendable {
    /// The wiki had no such page; it is there again.
    case restored
    /// The page that was cached was deleted, and another one has its title.
    case replaced
    /// It is a redirect.
    case redirect
    /// What the wiki calls the newest revision is older than another cached one.
    case takenBack
}
