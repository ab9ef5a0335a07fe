internal import TalkPages
internal import TalkStore

/// A reply as the edit that posts it, checked by the wiki's own rendering.
struct PostDraft {
    let request: EditRequest
    /// The wiki's clock shortly before the edit is sent.
    let serverTime: Int64?

    /// Makes the edit of a reply on its base revision; nothing is saved on the wiki.
    ///
    /// Throws `invalid` when the reply cannot be placed so that the old discussion plus the reply comes out, in words
    /// for the user.
    static func make(
        _ entry: OutboxEntry, api: MediaWikiAPI, store: Store, wiki: Wiki
    ) async throws(TalkError) -> PostDraft {
        let page = entry.page, base = entry.reply.base, title = wiki.localTitle(of: page)
        guard let target = entry.reply.target else {
            throw TalkError(.invalid, "new topics cannot be posted by this version")
        }
        guard let content = try await store.content(of: page, at: base) else {
            throw TalkError(.notFound, "revision \(base) of \(page) is not cached", hint: "git talk pull \(page)")
        }
        let threads = PageThreads(store: store, wiki: wiki)
        let old = try threads.items(of: content, title: title)
        guard let index = old.firstIndex(where: { $0.id == target.id }) else {
            throw TalkError(.invalid, "the comment that it answers is not in revision \(base)")
        }
        let source = try await api.wikitext(of: base)
        let sections = WikitextSections(source.text)
        let place = try await section(of: old[index], content, base, api: api)
        guard let sectionText = sections.text(of: place) else {
            throw TalkError(.invalid, "the section of the comment is not in the page's wikitext")
        }
        let changed = try placed(
            entry, target: index, among: old, in: sectionText, wiki: wiki, zone: threads.zone)
        guard let whole = sections.replacing(place, with: changed) else {
            throw TalkError(.internal, "section \(place) cannot be replaced")
        }
        let preview = try await api.parsePreview(wikitext: whole, title: title)
        let new = try threads.items(of: try CanonicalPage.content(of: preview.html, wiki: wiki), title: title)
        if let problem = PlacementCheck.problem(old: old, new: new, target: index, account: entry.account) {
            throw TalkError(.invalid, "the reply does not fit into the page's wikitext: \(problem)")
        }
        return PostDraft(
            request: EditRequest(
                page: .title(title), section: place, text: changed, summary: EditSummary.reply(heading: target.heading),
                base: base, started: source.serverTime, account: entry.account),
            serverTime: preview.serverTime ?? source.serverTime)
    }

    /// The number of the section in which an item stands, as `action=edit` counts.
    private static func section(
        of item: ThreadItem, _ content: PageContent, _ base: RevisionID, api: MediaWikiAPI
    ) async throws(TalkError) -> Int {
        guard let file = item.file, file != "lede.html" else { return 0 }
        guard let place = content.sections.firstIndex(where: { $0.file == file }) else {
            throw TalkError(.internal, "the item \(item.id) has no section")
        }
        let parsed = try await api.parse(revision: base)
        let anchor = content.sections[place].anchor
        let sameAnchor = parsed.sections.filter { $0.anchor == anchor }
        // Headings without an anchor of their own are counted.
        let found =
            sameAnchor.count == 1
            ? sameAnchor[0] : parsed.sections.count == content.sections.count ? parsed.sections[place] : nil
        guard let found, let number = Int(found.index) else {
            let other = found?.fromTitle.map { " (\($0.replacing("_", with: " ")))" } ?? ""
            throw TalkError(
                .invalid, "the topic comes from another page\(other), so it must be answered there",
                hint: "open that page on the wiki")
        }
        return number
    }

    private static func placed(
        _ entry: OutboxEntry, target: Int, among items: [ThreadItem], in section: String, wiki: Wiki,
        zone: TimeZoneRules
    ) throws(TalkError) -> String {
        let (part, index) = sectionItems(around: target, in: items)
        guard let target = WikitextReply.target(index, among: part) else {
            throw TalkError(.invalid, "the comment that it answers has no signature that can be found in the wikitext")
        }
        let context = WikitextReply.Context(
            wiki: wiki, user: entry.account, dates: SignatureTimestamp(formats: wiki.signatureFormats, zone: zone))
        switch try WikitextReply.insert(entry.reply.text, under: target, in: section, context: context) {
        case .placed(let text): return text
        case .ambiguous(let count):
            throw TalkError(.invalid, "\(count) comments of its section have the same author and minute")
        case .notFound:
            throw TalkError(.invalid, "the signature of the comment that it answers is not in the page's wikitext")
        case .refused(let reason): throw TalkError(.invalid, reason)
        }
    }

    /// The items of the section that the item stands in, sub-sections included, with parents counted from its start.
    private static func sectionItems(around target: Int, in items: [ThreadItem]) -> ([ThreadItem], Int) {
        let start = items[...target].lastIndex { $0.kind == .heading && $0.headingLevel != nil }
        let level = start.flatMap { items[$0].headingLevel } ?? 0
        let first = start ?? 0
        let end =
            items[(target + 1)...].firstIndex {
                $0.kind == .heading && $0.headingLevel != nil && (start == nil || $0.headingLevel ?? 7 <= level)
            } ?? items.count
        let part = items[first..<end].map { item in
            var item = item
            item.parent = item.parent.flatMap { $0 >= first ? $0 - first : nil }
            return item
        }
        return (part, target - first)
    }
}
