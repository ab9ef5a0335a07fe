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
        let place = try await section(of: old[index], content, base, sections, api: api)
        guard place != nil || old[index].kind == .comment else {
            throw TalkError(
                .invalid, "the wiki counts the page's sections in a way that its wikitext does not show",
                hint: "answer a comment of the topic")
        }
        guard let sectionText = place.map({ sections.text(of: $0) }) ?? source.text else {
            throw TalkError(.invalid, "the section of the comment is not in the page's wikitext")
        }
        let (part, placeInPart) = place == nil ? (old, index) : sectionItems(around: index, in: old)
        let changed = try placed(
            entry, target: placeInPart, among: part, in: sectionText, wiki: wiki, zone: threads.zone)
        guard let whole = place.map({ sections.replacing($0, with: changed) }) ?? changed else {
            throw TalkError(.internal, "the section of the reply cannot be replaced")
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

    /// The number of the section in which an item stands, as `action=edit` counts; nil for the whole page.
    ///
    /// Which tags hide a heading differs from wiki to wiki. A section that begins or ends elsewhere there than here
    /// would take text of others with it, so where the two do not agree the whole page is sent.
    private static func section(
        of item: ThreadItem, _ content: PageContent, _ base: RevisionID, _ sections: WikitextSections,
        api: MediaWikiAPI
    ) async throws(TalkError) -> Int? {
        let parsed = try await api.parse(revision: base)
        let isCountedAlike = sections.agree(with: parsed.sections)
        guard let file = item.file, file != "lede.html" else { return isCountedAlike ? 0 : nil }
        guard let place = content.sections.firstIndex(where: { $0.file == file }) else {
            throw TalkError(.internal, "the item \(item.id) has no section")
        }
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
        return isCountedAlike ? number : nil
    }

    private static func placed(
        _ entry: OutboxEntry, target: Int, among items: [ThreadItem], in section: String, wiki: Wiki,
        zone: TimeZoneRules
    ) throws(TalkError) -> String {
        guard let target = WikitextReply.target(target, among: items) else {
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

extension WikitextSections {
    /// Whether the wiki's sections of the page itself have these numbers and begin where these do.
    package func agree(with parsed: [ParsedPage.Section]) -> Bool {
        let theirs = parsed.compactMap { section in
            Int(section.index).flatMap { index in section.codepointOffset.map { [index, $0] } }
        }
        return theirs == sections.dropFirst().map { [$0.index, $0.codePointOffset] }
    }
}
