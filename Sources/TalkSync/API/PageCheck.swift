public import TalkPages

/// What a wiki says of one title or page number: the cheap question before anything is fetched.
public struct PageCheck: Hashable, Sendable {
    /// What stands behind a title.
    public enum Status: Hashable, Sendable {
        /// A page.
        case exists
        /// No page, and one may be made.
        case missing
        /// No title at all; the wiki's words.
        case invalid(String)
        /// A page that the wiki makes up, which nobody can write on.
        case special
        /// A title of another wiki, with its address where the wiki tells.
        case interwiki(url: String?)
    }

    /// The title as it was asked for; empty when a page number was.
    public var requested: String
    /// The title as the wiki writes it.
    public var title: String
    /// What stands behind it.
    public var status: Status
    /// `pageid`.
    public var page: PageID?
    /// The newest revision; another one than the one known means a change, even when it is smaller.
    public var latest: RevisionID?
    /// The newest revision in full, where the wiki gave it.
    public var revision: RevisionInfo?
    /// Whether the page is a redirect now, as the old title of a moved page is.
    public var isRedirect: Bool
    /// `wikitext` for an ordinary talk page.
    public var contentModel: String?
    /// Language code of the page, as HTML wants it.
    public var language: String?
    /// Whether the page's language is written right to left.
    public var isRightToLeft: Bool
    /// Seconds since 1970 of the last change or re-rendering.
    public var touched: Int64?
    /// Why the account may not edit the page, when that was asked.
    public var editError: APIError?
    /// The wiki's clock, seconds since 1970.
    public var serverTime: Int64?

    /// Makes the answer for a title.
    public init(requested: String, title: String, status: Status) {
        self.requested = requested
        self.title = title
        self.status = status
        isRedirect = false
        isRightToLeft = false
    }

    /// Reads an element of `pages`.
    init(_ value: JSONValue, requested: String, serverTime: Int64?) {
        let status: Status =
            if value.flag("invalid") {
                .invalid(value["invalidreason"]?["text"]?.text ?? value["invalidreason"]?.text ?? "")
            } else if value.flag("special") {
                .special
            } else if value.flag("missing") || value["pageid"] == nil {
                .missing
            } else {
                .exists
            }
        self.init(requested: requested, title: value["title"]?.text ?? requested, status: status)
        page = status == .exists ? value["pageid"]?.integer.map(PageID.init(rawValue:)) : nil
        latest = value["lastrevid"]?.integer.map(RevisionID.init(rawValue:))
        revision = page.flatMap { page in value["revisions"]?[0].flatMap { RevisionInfo($0, page: page) } }
        isRedirect = value.flag("redirect")
        contentModel = value["contentmodel"]?.text
        language = value["pagelanguagehtmlcode"]?.text ?? value["pagelanguage"]?.text
        isRightToLeft = value["pagelanguagedir"]?.text == "rtl"
        touched = value["touched"]?.text.flatMap(APITimestamp.seconds)
        let refusals = value["actions"]?["edit"]?.elements ?? []
        editError = APIError.gravest(refusals.compactMap { APIAnswer.entry(in: $0, isWrite: true) })
        self.serverTime = serverTime
    }
}
