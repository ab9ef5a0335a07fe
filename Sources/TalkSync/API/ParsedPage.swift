public import TalkPages

/// The HTML of a revision, as `action=parse` gives it.
public struct ParsedPage: Hashable, Sendable {
    /// One heading of the page, in document order.
    public struct Section: Hashable, Sendable {
        /// 1 to 6.
        public var level: Int
        /// The heading's HTML.
        public var line: String
        /// Fragment of the heading's address, not escaped.
        public var anchor: String
        /// `3` to edit section 3 of this page, `T-2` for section 2 of `fromTitle`, empty when it cannot be edited.
        public var index: String
        /// The page that the heading's wikitext is on, with underscores; nil when unknown.
        public var fromTitle: String?
        /// Unicode code points before it in the wikitext; nil when it comes from elsewhere.
        public var codepointOffset: Int?

        /// Makes a section.
        public init(
            level: Int, line: String, anchor: String, index: String, fromTitle: String?, codepointOffset: Int?
        ) {
            self.level = level
            self.line = line
            self.anchor = anchor
            self.index = index
            self.fromTitle = fromTitle
            self.codepointOffset = codepointOffset
        }

        init(_ value: JSONValue) {
            self.init(
                level: (value["level"] ?? value["hLevel"])?.integer.map(Int.init) ?? 2,
                line: value["line"]?.text ?? "", anchor: value["anchor"]?.text ?? "",
                index: value["index"]?.text ?? "", fromTitle: (value["fromtitle"] ?? value["fromTitle"])?.text,
                codepointOffset: (value["byteoffset"] ?? value["codepointOffset"])?.integer.map(Int.init))
        }
    }

    /// A page that is shown on this one.
    public struct Transclusion: Hashable, Sendable {
        /// The wiki's number of its namespace.
        public var namespace: Int
        /// The title as the wiki writes it.
        public var title: String

        /// Whether it is there to be used on other pages: a template or a module.
        public var isTemplate: Bool { namespace == 10 || namespace == 828 }

        /// Makes a transclusion.
        public init(namespace: Int, title: String) {
            self.namespace = namespace
            self.title = title
        }

        init?(_ value: JSONValue) {
            guard let namespace = value["ns"]?.integer, let title = value["title"]?.text else { return nil }
            self.init(namespace: Int(namespace), title: title)
        }
    }

    /// The title as the wiki writes it.
    public var title: String
    /// `pageid`; nil for a preview of a page that does not exist.
    public var page: PageID?
    /// The revision; nil for a preview.
    public var revision: RevisionID?
    /// The page's HTML without a wrapper.
    public var html: String
    /// The headings.
    public var sections: [Section]
    /// The templates and other pages in it, at any depth.
    public var transclusions: [Transclusion]
    /// The title's HTML as it is shown above the page.
    public var displayTitle: String?
    /// The wiki's clock, seconds since 1970, for a preview.
    public var serverTime: Int64?

    /// Makes a page.
    public init(
        title: String, page: PageID?, revision: RevisionID?, html: String, sections: [Section],
        transclusions: [Transclusion] = [], displayTitle: String? = nil
    ) {
        self.title = title
        self.page = page
        self.revision = revision
        self.html = html
        self.sections = sections
        self.transclusions = transclusions
        self.displayTitle = displayTitle
    }

    init?(_ value: JSONValue) {
        guard let html = value["text"]?.text ?? value["text"]?["*"]?.text else { return nil }
        let number = { (key: String) in value[key]?.integer.flatMap { $0 > 0 ? $0 : nil } }
        self.init(
            title: value["title"]?.text ?? "", page: number("pageid").map(PageID.init(rawValue:)),
            revision: number("revid").map(RevisionID.init(rawValue:)), html: html,
            sections: (value["sections"] ?? value["tocdata"]?["sections"])?.elements?.map(Section.init) ?? [],
            transclusions: value["templates"]?.elements?.compactMap(Transclusion.init) ?? [],
            displayTitle: value["displaytitle"]?.text)
    }
}
