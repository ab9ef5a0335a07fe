internal import TalkPages
internal import TalkStore

/// A reply as the edit that posts it, checked by the wiki's own rendering.
struct PostDraft {
    let request: EditRequest
    /// The wiki's clock shortly before the edit is sent.
    let serverTime: Int64?
    /// The items that the wiki would make of it.
    let shown: [ThreadItem]
    /// What it adds to the page's wikitext; nil where it does not only add lines.
    let added: AddedLines?

    /// Makes the edit of a reply, or of a topic, on its base revision; nothing is saved on the wiki.
    ///
    /// Throws `invalid` when the reply cannot be placed so that the old discussion plus the reply comes out, in words
    /// for the user.
    static func make(
        _ entry: OutboxEntry, api: MediaWikiAPI, store: Store, wiki: Wiki
    ) async throws(TalkError) -> PostDraft {
        let page = entry.page, base = entry.reply.base, title = wiki.localTitle(of: page)
        guard let target = entry.reply.target else {
            return try await TopicDraft(entry: entry, api: api, store: store, wiki: wiki).make()
        }
        let content = try await content(of: page, at: base, store)
        let threads = PageThreads(store: store, wiki: wiki)
        let old = try threads.items(of: content, title: title)
        guard let index = old.firstIndex(where: { $0.id == target.id }) else {
            throw TalkError(.invalid, "the comment that it answers is not in revision \(base)")
        }
        let source = try await api.wikitext(of: base)
        let sections = WikitextSections(source.text, tags: wiki.wikitextTags)
        let parsed = try await api.parse(revision: base)
        let dates = SignatureTimestamp(formats: wiki.signatureFormats, zone: threads.zone)
        if parsed.showsOtherPages,
            let other = parsed.transcluded(base, items: old, content: content, wikitext: source.text, dates: dates)?
                .sources[target.id]
        {
            throw other.error(of: old[index], wiki: wiki)
        }
        let place = try section(of: old[index], content, parsed, sections)
        guard place != nil || old[index].kind == .comment else {
            throw TalkError(
                .invalid, "the topic's heading is not one that the wiki counts as the beginning of a section",
                hint: "answer a comment of the topic")
        }
        guard let sectionText = place.map({ sections.text(of: $0) }) ?? source.text else {
            throw TalkError(.invalid, "the section of the comment is not in the page's wikitext")
        }
        let (part, placeInPart) = place == nil ? (old, index) : sectionItems(around: index, in: old)
        let changed = try placed(
            entry, target: placeInPart, among: part, in: sectionText,
            WikitextReply.Context(wiki: wiki, user: entry.account, dates: dates))
        guard let whole = place.map({ sections.replacing($0, with: changed) }) ?? changed else {
            throw TalkError(.internal, "the section of the reply cannot be replaced")
        }
        let preview = try await api.parsePreview(wikitext: whole, title: title)
        let changedPage = try CanonicalPage.content(of: preview.html, wiki: wiki)
        let new = try threads.items(of: changedPage, title: title)
        if let problem = PlacementCheck.problem(old: old, new: new, target: index, account: entry.account) {
            throw TalkError(.invalid, "the reply does not fit into the page's wikitext: \(problem)")
        }
        let parser = ThreadParser(wiki: wiki, title: title, zone: threads.zone)
        if try parser.isTorn(PlacementCheck.place(old: old, new: new), of: changedPage) {
            throw TalkError(
                .invalid,
                "the reply has something over several lines that cannot be indented, so the wiki would tear it apart")
        }
        return PostDraft(
            request: EditRequest(
                // By number: a request that comes late to the title of a page that was moved would be a second one there.
                page: .id(source.revision.page), section: place, text: changed,
                summary: EditSummary.reply(heading: target.heading),
                base: base, started: source.serverTime, account: entry.account),
            serverTime: preview.serverTime ?? source.serverTime,
            shown: [new[PlacementCheck.place(old: old, new: new)]],
            added: AddedLines(from: source.text, to: whole))
    }

    /// A page as it was in the revision that the edit is made from.
    static func content(of page: PageName, at base: RevisionID, _ store: Store) async throws(TalkError) -> PageContent {
        if let content = try await store.content(of: page, at: base) { return content }
        // Somebody else dropped it meanwhile; the reply waits for the next pull.
        throw TalkError(
            .busy, "revision \(base) of \(page) is not cached any more",
            hint: "git talk pull \(ShellWord.quoted(page.description))")
    }

    /// The number of the section in which an item stands, as `action=edit` counts; nil for the whole page.
    ///
    /// Which tags hide a heading differs from wiki to wiki. A section that begins or ends elsewhere there than here
    /// would take text of others with it, so where the two do not agree the whole page is sent.
    private static func section(
        of item: ThreadItem, _ content: PageContent, _ parsed: ParsedPage, _ sections: WikitextSections
    ) throws(TalkError) -> Int? {
        let isCountedAlike = sections.agree(with: parsed.sections)
        guard let file = item.file, file != "lede.html" else { return isCountedAlike ? 0 : nil }
        guard let place = content.sections.firstIndex(where: { $0.file == file }) else {
            throw TalkError(.internal, "the item \(item.id) has no section")
        }
        // A heading of a template or in HTML tags begins no section; its comments stand in the one above.
        guard isCountedAlike, let number = parsed.section(at: place, of: content).flatMap({ Int($0.index) }) else {
            return nil
        }
        return number
    }

    private static func placed(
        _ entry: OutboxEntry, target: Int, among items: [ThreadItem], in section: String,
        _ context: WikitextReply.Context
    ) throws(TalkError) -> String {
        guard let target = WikitextReply.target(target, among: items) else {
            throw unplaced("the comment that it answers has no signature that can be found in the wikitext")
        }
        switch try WikitextReply.insert(entry.reply.text, under: target, in: section, context: context) {
        case .placed(let text): return text
        case .ambiguous(let count): throw unplaced("\(count) comments of its section have the same author and minute")
        case .notFound:
            throw unplaced("the signature of the comment that it answers is not in the page's wikitext")
        case .refused(let reason): throw unplaced(reason)
        }
    }

    /// The comment's place in the wikitext is not found, which has nothing to do with the reply's text.
    struct Unplaced: Error {}

    private static func unplaced(_ message: String) -> TalkError {
        TalkError(.invalid, message, underlying: Unplaced())
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
