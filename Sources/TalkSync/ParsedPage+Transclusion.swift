internal import TalkPages

extension ParsedPage {
    /// Whether a heading or a comment of it may come from another page.
    var showsOtherPages: Bool {
        !pages.isEmpty || sections.contains { $0.sourceTitle != nil }
    }

    /// What comes from other pages; `items` and `wikitext` are of this very revision.
    func transcluded(
        _ revision: RevisionID, items: [ThreadItem], content: PageContent, wikitext: String, dates: any SignatureDates
    ) -> TranscludedItems? {
        var headings: [String: String] = [:]
        for (place, file) in content.sections.map(\.file).enumerated() {
            headings[file] = section(at: place, of: content)?.sourceTitle
        }
        return TranscludedItems(
            revision, items: items, headings: headings, pages: pages, wikitext: wikitext, dates: dates)
    }

    /// The wiki's section that a file of the page is.
    ///
    /// Headings without an anchor of their own are counted.
    func section(at place: Int, of content: PageContent) -> Section? {
        let anchor = content.sections[place].anchor
        let same = sections.filter { $0.anchor == anchor }
        if same.count == 1 { return same[0] }
        return sections.count == content.sections.count ? sections[place] : nil
    }

    private var pages: [String] { transclusions.filter { !$0.isTemplate }.map(\.title) }
}

extension ParsedPage.Section {
    /// The other page that the heading comes from.
    var sourceTitle: String? { index.hasPrefix("T-") ? fromTitle?.replacing("_", with: " ") : nil }
}
