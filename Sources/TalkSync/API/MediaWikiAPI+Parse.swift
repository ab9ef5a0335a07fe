public import TalkPages

extension MediaWikiAPI {
    /// Flags that make two renderings of one revision equal.
    private static let stable: [(String, String)] = [
        ("action", "parse"), ("prop", "text|sections|revid|displaytitle|templates"), ("disablelimitreport", "1"),
        ("disableeditsection", "1"), ("disabletoc", "1"), ("disablestylededuplication", "1"), ("wrapoutputclass", ""),
    ]

    /// The HTML of a revision.
    ///
    /// Throws `notFound` when the revision is gone or its text is hidden, whoever is logged in.
    public func parse(revision: RevisionID) throws(TalkError) -> ParsedPage {
        do throws(TalkError) {
            return try parse([("oldid", revision.description)], subject: "revision \(revision)")
        } catch  where (error.underlying as? APIError)?.code == "permissiondenied" {
            throw Self.hidden("revision \(revision)")
        }
    }

    /// The HTML of a page as it is now.
    ///
    /// The wiki reads the number of the revision before it renders, so in a race it may be one behind the HTML:
    /// compare it with `check(titles:)`.
    public func parse(title: String) throws(TalkError) -> ParsedPage {
        try parse([("page", title)], subject: title)
    }

    /// The HTML that wikitext would give on a page, signatures expanded for the account that is logged in.
    ///
    /// Nothing is saved. `text` is a whole page or a section with its heading.
    public func parsePreview(wikitext text: String, title: String) throws(TalkError) -> ParsedPage {
        let text = [
            ("title", title), ("text", text), ("contentmodel", "wikitext"), ("pst", "1"), ("curtimestamp", "1"),
        ]
        return try parse(text + assertion, subject: title, isPost: true)
    }

    private func parse(
        _ parameters: [(String, String)], subject: String, isPost: Bool = false
    ) throws(TalkError) -> ParsedPage {
        let answer = try callOrExplain(Self.stable + parameters, subject: subject, isPost: isPost)
        guard let value = answer["parse"], var page = ParsedPage(value) else {
            throw TalkError(.unreachable, "\(subject): the wiki gave no HTML", hint: "try again later")
        }
        // The account may see hidden text; a store that is exchanged must not.
        guard !value.flag("textdeleted"), !value.flag("textsuppressed") else {
            throw Self.hidden(subject)
        }
        page.serverTime = answer["curtimestamp"]?.text.flatMap(APITimestamp.seconds)
        return page
    }

    static func hidden(_ subject: String) -> TalkError {
        TalkError(.notFound, "\(subject): the wiki's administrators have hidden this version")
    }

    /// What the wiki makes of `~~~~` and `~~~~~` for the account that is logged in.
    public func expandedSignature() throws(TalkError) -> (signature: String, date: String) {
        let answer = try callOrExplain(
            [
                ("action", "parse"), ("onlypst", "1"), ("contentmodel", "wikitext"), ("title", "Talk:Sandbox"),
                ("text", "~~~~~|~~~~"), ("prop", "text"),
            ] + assertion, isPost: true)
        let text = answer["parse"]?["text"]?.text ?? answer["parse"]?["text"]?["*"]?.text ?? ""
        guard let bar = text.firstIndex(of: "|") else {
            throw TalkError(.unreachable, "the wiki does not say how it signs")
        }
        return (String(text[text.index(after: bar)...]), String(text[..<bar]))
    }

    /// What wikitext becomes when the wiki saves it on a page, for the account that is logged in; dates of signatures are
    /// those of this moment (the pre-save transform, https://www.mediawiki.org/wiki/API:Parsing_wikitext, `onlypst`).
    func saved(_ text: String, title: String) throws(TalkError) -> String {
        let answer = try callOrExplain(
            [
                ("action", "parse"), ("onlypst", "1"), ("contentmodel", "wikitext"), ("title", title), ("text", text),
                ("prop", "text"),
            ] + assertion, subject: title, isPost: true)
        return answer["parse"]?["text"]?.text ?? answer["parse"]?["text"]?["*"]?.text ?? ""
    }

    /// Where an account is expected, a lost session is an error instead of a signature with this machine's address.
    private var assertion: [(String, String)] {
        account.map { [("assert", "user"), ("assertuser", $0)] } ?? []
    }
}
