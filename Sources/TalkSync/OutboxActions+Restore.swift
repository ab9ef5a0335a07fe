public import TalkPages
public import TalkStore

extension OutboxActions {
    /// Where a reply that was set aside is to go.
    public struct Place: Sendable {
        /// The wiki of the page.
        public var wiki: Wiki
        /// The page.
        public var page: PageName
        /// The threads of the page as they are cached; not needed for a topic.
        public var threads: DerivedThreads?
        /// The item that is to be answered; nil looks for the one that the reply answered before.
        public var item: Int?
        /// As whom it is posted; empty when nobody is logged in.
        public var account: String

        /// Names a place.
        public init(wiki: Wiki, page: PageName, threads: DerivedThreads?, item: Int?, account: String) {
            self.wiki = wiki
            self.page = page
            self.threads = threads
            self.item = item
            self.account = account
        }
    }

    /// Puts a reply that was set aside back into the queue, at a place, with another date of expiry.
    ///
    /// Throws `notFound` when what it answered is not there, with the reason; it stays set aside then.
    public func restore(_ id: String, to place: Place, expires: Int64) async throws(TalkError) -> OutboxEntry {
        guard let old = try await standing(id) else { throw Self.missing(id) }
        guard old.state == .discarded else {
            throw TalkError(
                .invalid, "the reply \(id) was not set aside", hint: "git talk outbox show \(id)")
        }
        // Where it may have been saved is where it must be looked for.
        guard old.sentBase == nil || place.page == old.page else {
            throw TalkError(
                .invalid, "the reply \(id) may be on \(old.page) already, so it cannot be moved to another page",
                hint: "look there; its text is in: git talk outbox show \(id)")
        }
        let prepared = try await prepared(old, at: place)
        var entry = old
        entry.page = place.page
        entry.account = place.account
        entry.reply.expires = expires
        entry.reply.base = prepared.base
        entry.reply.target = prepared.target
        entry.queue()
        entry.attempts = 0
        entry.isSeen = false
        entry.firstSeen = nil
        entry.targetPage = nil
        let restored = entry
        let isAlone = try isDamaged(id) ? true : store.outboxEntry(id) == nil
        if isAlone {
            try await store.save(restored)
        } else {
            _ = try await change(id, to: "restored") { current in
                guard current == old else { return false }
                current = restored
                return true
            }
        }
        await refit(restored)
        // While it waits its text is in the journal and in the page. It is queued, so nothing after that may be told as a
        // failure; what is left here goes when a person has seen what became of it.
        try? await store.removeDiscarded(id)
        return restored
    }

    /// Looks whether the reply can stand there.
    private func prepared(
        _ entry: OutboxEntry, at place: Place
    ) async throws(TalkError) -> ReplyComposer.Prepared {
        let composer = ReplyComposer(store: store, wiki: place.wiki)
        if entry.reply.kind == .topic {
            return try await composer.prepareTopic(entry.reply.heading ?? "", on: place.page)
        }
        guard let threads = place.threads else { throw gone("\(place.page) is not cached", entry) }
        let item: Int? =
            if let item = place.item { item } else { try await target(of: entry, at: place, in: threads) }
        guard let item else { throw gone("what it answers is not on the page", entry) }
        return try await composer.prepare(place.page, threads, item: item)
    }

    /// The item that the reply answered, as it is now; nil when it is not there.
    private func target(
        of entry: OutboxEntry, at place: Place, in threads: DerivedThreads
    ) async throws(TalkError) -> Int? {
        let items = threads.items
        if let target = entry.reply.target, let parent = target.pending {
            if let index = items.lastIndex(where: { $0.pending == parent }) { return index }
            return try await posted(target, of: entry, at: place, in: threads)
        }
        let old = try await self.items(of: entry.page, at: entry.reply.base, place.wiki)
        switch PendingRebase.decide(entry.reply, old: old, new: items) {
        case .keep(let target): return items.firstIndex { $0.id == target?.id && $0.pending == nil }
        case .discard(let reason): throw gone(reason, entry)
        }
    }

    /// The comment that the wiki made of the user's own reply, which this one answered while that waited.
    private func posted(
        _ target: PendingReply.Target, of entry: OutboxEntry, at place: Place, in threads: DerivedThreads
    ) async throws(TalkError) -> Int? {
        let id = target.pending ?? ""
        guard let parent = try await standing(id) else {
            throw lost(id, of: entry, at: place, in: threads)
        }
        guard parent.page == place.page else { return nil }
        if parent.state == .discarded {
            throw TalkError(
                .notFound, "the reply \(entry.reply.id) answers your reply \(id), which was set aside",
                hint: "put that back first: git talk outbox restore \(id)")
        }
        let items = threads.items
        let old = try await self.items(of: parent.page, at: parent.sentBase ?? parent.reply.base, place.wiki)
        let decision = PendingChains.decide(target, parent: parent, newest: threads.revision, new: items) { parent in
            PendingChains.posted(parent, old: old, new: items, taken: [])
        }
        switch decision {
        case .answers(let target): return items.firstIndex { $0.id == target.id && $0.pending == nil }
        case .gone(let reason): throw gone(reason, entry)
        case .stands, .waits: throw gone("your reply \(id), which it answers, is not on the page yet", entry)
        }
    }

    private func items(
        of page: PageName, at revision: RevisionID, _ wiki: Wiki
    ) async throws(TalkError) -> [ThreadItem] {
        guard let content = try await store.content(of: page, at: revision) else { return [] }
        return try PageThreads(store: store, wiki: wiki).items(of: content, title: wiki.localTitle(of: page))
    }

    /// Nothing tells any more what became of the user's own reply; what can only be it is named.
    private func lost(
        _ id: String, of entry: OutboxEntry, at place: Place, in threads: DerivedThreads
    ) -> TalkError {
        // A signature has full minutes.
        let written = (ReplyID.milliseconds(of: id) ?? 0) / 1000 - 60
        let target = entry.reply.target
        let candidates = threads.items.filter { item in
            guard item.pending == nil else { return false }
            if target?.author == nil { return item.kind == .heading && item.text == target?.heading }
            return item.kind == .comment && item.author == entry.account && item.timestamp ?? 0 >= written
        }
        let item = candidates.count == 1 ? ShellWord.quoted(candidates[0].id) : "<comment>"
        let page = ShellWord.quoted(place.page.prefixedTitle)
        return TalkError(
            .notFound,
            "the reply \(entry.reply.id) stays set aside: what became of your reply \(id), which it answers, is not in the outbox any more",
            hint: "if that is on the page, name it: git talk outbox restore \(entry.reply.id) --to \(page) \(item)")
    }

    private func gone(_ reason: String, _ entry: OutboxEntry) -> TalkError {
        let id = entry.reply.id
        let command =
            entry.targetPage == nil ? "git talk outbox restore \(id) --to <page> <comment>" : entry.restoreCommand
        return TalkError(
            .notFound, "the reply \(id) stays set aside: \(reason)", hint: "name a place for it: \(command)")
    }
}
