public import TalkPages

/// One `action=edit`.
public struct EditRequest: Hashable, Sendable {
    /// The page as it is addressed.
    public enum Page: Hashable, Sendable {
        /// By title.
        case title(String)
        /// By number, which reaches a page that was moved.
        case id(PageID)
    }

    /// What must be true of the page.
    public enum Existence: Hashable, Sendable {
        /// It exists (`nocreate`).
        case mustExist
        /// It does not exist (`createonly`).
        case mustNotExist
    }

    /// The page.
    public var page: Page
    /// The section's number, 0 for what stands before the first heading; nil for the whole page.
    ///
    /// An index `T-…` has no number here: the wiki would write to the page that transcludes.
    public var section: Int?
    /// The wikitext of the section with its heading, or of the page.
    public var text: String
    /// The edit summary; sent as one line of at most 500 characters.
    public var summary: String
    /// The revision that the text was made from.
    public var base: RevisionID?
    /// The wiki's clock when the text was made, seconds since 1970; shows a deletion since.
    public var started: Int64?
    /// What must be true of the page.
    public var existence: Existence
    /// The account that must be logged in; nil only for a visitor without one.
    public var account: String?
    /// The answer to a captcha: its id and the user's word.
    public var captcha: Captcha?

    /// The answer to a captcha.
    public struct Captcha: Hashable, Sendable {
        /// The id that came with the question.
        public var id: String
        /// The user's answer.
        public var word: String

        /// Makes an answer.
        public init(id: String, word: String) {
            self.id = id
            self.word = word
        }
    }

    /// Makes a request.
    public init(
        page: Page, section: Int? = nil, text: String, summary: String, base: RevisionID?, started: Int64?,
        existence: Existence = .mustExist, account: String?, captcha: Captcha? = nil
    ) {
        self.page = page
        self.section = section
        self.text = text
        self.summary = summary
        self.base = base
        self.started = started
        self.existence = existence
        self.account = account
        self.captcha = captcha
    }

    /// The summary as it is sent.
    public var sentSummary: String {
        let line = summary.split(whereSeparator: \.isNewline).joined(separator: " ")
        return String(String.UnicodeScalarView(line.unicodeScalars.prefix(500)))
    }

    var parameters: [(String, String)] {
        var all: [(String, String)] = [("action", "edit")]
        switch page {
        case .title(let title): all.append(("title", title))
        case .id(let id): all.append(("pageid", id.description))
        }
        if let section { all.append(("section", String(section))) }
        all.append(("text", text))
        all.append(("summary", sentSummary))
        if let base { all.append(("baserevid", base.description)) }
        if let started { all.append(("starttimestamp", APITimestamp.text(started))) }
        all.append((existence == .mustExist ? "nocreate" : "createonly", "1"))
        all += [("notminor", "1"), ("watchlist", "preferences")]
        if let account {
            all += [("assert", "user"), ("assertuser", account)]
        } else {
            all.append(("assert", "anon"))
        }
        if let captcha { all += [("captchaid", captcha.id), ("captchaword", captcha.word)] }
        return all
    }
}

/// What became of an edit.
public enum EditOutcome: Hashable, Sendable {
    /// It is a revision now; `timestamp` is the wiki's, seconds since 1970.
    case saved(newRevision: RevisionID, oldRevision: RevisionID, timestamp: Int64?)
    /// The page had exactly this text already, perhaps from an earlier attempt.
    case noChange
    /// The wiki did not save it.
    case refused(APIError)
    /// Something that is not the wiki refused it; the wiki may have saved it before.
    case intercepted(APIError)
    /// It may have been saved: look before anything else.
    case unknown(reason: String)
    /// The wiki cannot have seen it.
    case notSent(reason: String)
}
