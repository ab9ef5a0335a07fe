public import TalkPages
internal import TalkStore

extension ReplyComposer {
    /// The headings and comments that the wiki would make of a text at its place, rendered by the wiki; nothing is kept or
    /// saved.
    ///
    /// `account` is who is logged in at the wiki. An answer to what is not on the wiki yet, and a topic on a page that is
    /// not cached, are rendered by themselves. Throws `invalid` where the text does not fit into the page.
    public func preview(
        _ text: String, at prepared: Prepared, account: String, by api: MediaWikiAPI
    ) async throws(TalkError) -> [ThreadItem] {
        let page = prepared.branch.page
        let reply = prepared.reply(text, id: Self.sampleID, created: 0, expires: 0)
        if prepared.base.rawValue > 0, reply.target?.pending == nil {
            let entry = OutboxEntry(reply: reply, page: page, account: account)
            return try await PostDraft.make(entry, api: api, store: store, wiki: wiki).shown
        }
        let title = wiki.localTitle(of: page), context = context(account: account)
        var source = try WikitextReply.prepared(reply.text, as: prepared.form, context: context).text
        if let heading = reply.heading {
            let topic = try NewTopicText.appending(title: heading, text: reply.text, to: "", context: context)
            guard case .placed(let text) = topic else { throw TalkError(.invalid, "the heading cannot be used") }
            source = text
        }
        let html = try await api.parsePreview(wikitext: source, title: title).html
        let items = try PageThreads(store: store, wiki: wiki).items(
            of: try CanonicalPage.content(of: html, wiki: wiki), title: title)
        return items.filter { $0.kind == .comment || $0.headingLevel != nil }
    }

    /// The items of the page with a text at its place as it was written, marked as pending, and which of them are new;
    /// nothing is kept.
    public func preview(
        _ text: String, at prepared: Prepared, now: Int64
    ) throws(TalkError) -> (items: [ThreadItem], new: [Int]) {
        let reply = prepared.reply(text, id: Self.sampleID, created: now, expires: now)
        let standing = prepared.branch.commits.map(\.reply)
        let content = try place(reply, prepared)
        let items = try PageThreads(store: store, wiki: wiki).items(
            of: content, pending: standing + [reply], prepared.branch.page)
        return (items, items.indices.filter { items[$0].pending == reply.id })
    }
}
