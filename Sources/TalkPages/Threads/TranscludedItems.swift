extension ThreadItem.Transclusion {
    /// The page that the item comes from; nil when that is not known.
    public func page(_ wiki: Wiki) -> PageName? {
        guard case .page(let title) = self else { return nil }
        return (try? TitleParser.parse(title, wiki: wiki))?.page
    }

    /// Why the item cannot be answered where it is shown; with `wiki`, how to get the page where it can, or with `original`,
    /// the item of that page, how to answer it there.
    public func error(of item: ThreadItem, wiki: Wiki? = nil, original: ThreadItem? = nil) -> TalkError {
        let subject = item.kind == .heading ? "the topic “\(item.text)”" : "the comment by \(item.author ?? "")"
        guard case .page(let title) = self else {
            return TalkError(
                .notFound, "\(subject) comes from another page or from a template, so it must be answered there",
                hint: "look in the page's wikitext where it comes from")
        }
        let page = wiki.flatMap(page)
        if item.kind == .heading, page?.namespace == "Template" {
            return TalkError(
                .notFound, "the heading of \(subject) is made by \(title), so that nothing can be put below it",
                hint: "answer a comment of the topic")
        }
        if let page, let original {
            let words = [page.prefixedTitle, original.id].map(ShellWord.quoted).joined(separator: " ")
            return TalkError(
                .notFound, "\(subject) comes from \(title), so it must be answered there",
                hint: "git talk reply \(words)")
        }
        let address = page.flatMap { wiki?.url(of: $0) }
        return TalkError(
            .notFound, "\(subject) comes from \(title), so it must be answered there",
            hint: address.map { "git talk pull \(ShellWord.quoted($0))" } ?? "answer it on \(title)")
    }
}

/// The topics and comments of a revision that come from other pages, as the wiki told when it was pulled.
///
/// The HTML of MediaWiki's old parser does not tell, so this is kept in the page's state, beside what is committed.
public struct TranscludedItems: Codable, Hashable, Sendable {
    /// The revision whose items they are.
    public var revision: RevisionID
    /// Where an item comes from, by its id.
    public var sources: [String: ThreadItem.Transclusion]

    /// Finds them: a comment is the page's own when its date stands in the page's own wikitext.
    ///
    /// `headings` names the page of the heading of each file of the tree whose heading comes from another page, `pages`
    /// the pages beside templates that are shown on this one. A comment is said to come from the page of the heading
    /// above it, or from the only page that is shown. Nil when everything is the page's own.
    public init?(
        _ revision: RevisionID, items: [ThreadItem], headings: [String: String], pages: [String], wikitext: String,
        dates: any SignatureDates
    ) {
        self.revision = revision
        sources = [:]
        let own = pages.isEmpty ? [] : Set(dates.dates(in: wikitext).map(\.timestamp))
        for item in items where item.pending == nil {
            let above = item.file.flatMap { headings[$0] }
            switch item.kind {
            case .heading:
                if item.headingLevel != nil, let above { sources[item.id] = .page(above) }
            case .comment:
                guard !pages.isEmpty, let timestamp = item.timestamp, !own.contains(timestamp) else { continue }
                let page = above.flatMap { pages.contains($0) ? $0 : nil } ?? (pages.count == 1 ? pages[0] : nil)
                sources[item.id] = page.map { .page($0) } ?? .unknown
            }
        }
        if sources.isEmpty { return nil }
    }

    /// The items with their sources, where they do not tell them already.
    public func mark(_ items: [ThreadItem]) -> [ThreadItem] {
        items.map { item in
            var item = item
            if item.transclusion == nil { item.transclusion = sources[item.id] }
            return item
        }
    }
}
