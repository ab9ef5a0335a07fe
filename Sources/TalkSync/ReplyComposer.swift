public import TalkPages
public import TalkStore

/// Puts what a user writes into the outbox and into the page, without network.
public struct ReplyComposer: Sendable {
    let store: Store
    let wiki: Wiki

    /// Makes a composer for one wiki.
    public init(store: Store, wiki: Wiki) {
        self.store = store
        self.wiki = wiki
    }

    /// A target that can be answered.
    public struct Prepared: Sendable {
        let page: PageName
        let content: PageContent
        let target: PendingReply.Target
        let base: RevisionID
    }

    /// Looks whether an item of a page can be answered, before the user is asked for a text.
    ///
    /// Throws `.invalid` for a pending reply and for a comment that comes from another page.
    public func prepare(_ page: PageName, _ threads: DerivedThreads, item index: Int) throws(TalkError) -> Prepared {
        let item = threads.items[index]
        guard item.pending == nil else {
            throw TalkError(
                .invalid, "that comment is not on the wiki yet, so it cannot be answered", hint: "git talk sync")
        }
        guard let cached = try store.reader.page(page), let base = threads.revision else {
            throw TalkError(.notFound, "\(page) is not cached", hint: "git talk pull \(page)")
        }
        let target = PendingRebase.target(item, in: threads.items)
        _ = try PendingPlacement(wiki: wiki).insert(
            "…", id: "00000000000000000000000000", under: target, in: cached.content, of: page)
        return Prepared(page: page, content: cached.content, target: target, base: base)
    }

    /// Keeps a reply: first its journal, which alone can bring all else back, then the pending commit.
    ///
    /// - Parameters:
    ///   - text: Wikitext; line ends become LF and the characters NFC, as the wiki does; nothing else is touched.
    ///   - account: As whom it will be posted; empty when nobody is logged in.
    ///   - id: A name from `ReplyID.make`.
    ///   - now: Seconds since 1970.
    ///   - expires: Seconds since 1970.
    public func reply(
        _ text: String, to prepared: Prepared, account: String, id: String, now: Int64, expires: Int64
    ) async throws(TalkError) -> OutboxEntry {
        let reply = PendingReply(
            id: id, kind: .reply, text: try WikitextReply.normalized(text), target: prepared.target, heading: nil,
            base: prepared.base, created: now, expires: expires)
        let entry = OutboxEntry(reply: reply, page: prepared.page, account: account)
        try await store.save(entry)
        let content = try PendingPlacement(wiki: wiki).insert(
            reply.text, id: id, under: prepared.target, in: prepared.content, of: prepared.page)
        try await store.appendPending(reply, author: account, page: prepared.page, content: content)
        try await PageThreads(store: store, wiki: wiki).refresh(prepared.page)
        return entry
    }
}
