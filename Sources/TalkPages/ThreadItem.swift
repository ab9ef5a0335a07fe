/// A heading or a comment of a talk page: DiscussionTools' `ThreadItem`.
///
/// `id` and `name` are DiscussionTools' own (mediawiki-extensions-DiscussionTools, CommentParser and
/// ThreadItem classes), so that links to comments and answers of the API can be matched.
public struct ThreadItem: Hashable, Sendable {
    /// What the item is.
    public enum Kind: String, Sendable {
        /// A heading, or the placeholder before the first one.
        case heading
        /// A signed comment.
        case comment
    }

    /// Where an item comes from that is not the page's own: replies belong there.
    public enum Transclusion: Hashable, Codable, Sendable {
        /// The page with this title.
        case page(String)
        /// Some other page, or several.
        case unknown
    }

    /// What the item is.
    public var kind: Kind
    /// 0 for a heading; 1 for a comment that is not indented.
    public var level: Int
    /// 1 to 6 for a heading, nil for a comment and for the placeholder heading.
    public var headingLevel: Int?
    /// Unique on the page; changes when the parent or its heading changes.
    public var id: String
    /// Stable across pages and archives; may be ambiguous.
    public var name: String
    /// Index of the parent among the page's items; nil for a top heading.
    public var parent: Int?
    /// The first signature's user; nil for a heading.
    public var author: String?
    /// Seconds since 1970, UTC, full minutes; nil for a heading.
    public var timestamp: Int64?
    /// A comment's body as plain text without the signature, or a heading's text.
    public var text: String
    /// The body with a line for each block, list marks, and images by their alternative text; nil when that is `text`.
    public var readableText: String?
    /// Where the item comes from when it is not the page's own; only Parsoid's output tells.
    public var transclusion: Transclusion?
    /// File of the page's tree in which the item starts: `lede.html` or `sections/….html`.
    public var file: String?
    /// Id of the pending reply that this comment is, when it is not on the wiki yet.
    public var pending: String?

    /// Makes an item.
    public init(
        kind: Kind, level: Int, headingLevel: Int? = nil, id: String, name: String, parent: Int?,
        author: String? = nil, timestamp: Int64? = nil, text: String, readableText: String? = nil,
        transclusion: Transclusion? = nil, file: String? = nil, pending: String? = nil
    ) {
        self.kind = kind
        self.level = level
        self.headingLevel = headingLevel
        self.id = id
        self.name = name
        self.parent = parent
        self.author = author
        self.timestamp = timestamp
        self.text = text
        self.readableText = readableText
        self.transclusion = transclusion
        self.file = file
        self.pending = pending
    }
    /// The text for a reader: `readableText`, or `text`.
    public var shownText: String { readableText ?? text }
}

extension ThreadItem {
    /// Who wrote it; nil for a heading, and for what was written here before anybody logged in.
    public var knownAuthor: String? { author.flatMap { $0.isEmpty ? nil : $0 } }

    /// Who wrote it, in words.
    public var shownAuthor: String { knownAuthor ?? (pending == nil ? "?" : "you") }
}
