public import TalkPages
public import TalkStore

/// Fits the pending replies of a page to its newest cached revision: the effects of `PendingRebase`'s decisions.
///
/// The journals alone say which replies there are, so a pending branch that a crash left behind is made anew as well.
public struct PendingFitting: Sendable {
    let store: Store
    let wiki: Wiki

    /// Makes a fitting for the pages of one wiki.
    public init(store: Store, wiki: Wiki) {
        self.store = store
        self.wiki = wiki
    }

    /// What became of the pending replies of a page.
    public struct Result: Hashable, Sendable {
        /// Number of replies that were fitted to another revision than before.
        public var rebased = 0
        /// Replies that were set aside, with the reason in their journals.
        public var setAside: [OutboxEntry] = []
    }

    /// Rebuilds the pending branch of a page from the journals; replies whose target is gone are set aside.
    ///
    /// A reply whose outcome is not known keeps its journal whatever the page looks like.
    @discardableResult
    public func fit(_ page: PageName) async throws(TalkError) -> Result {
        let entries = try store.outbox().entries.filter { $0.page == page && $0.state.isPending }
        let standing = try await store.pendingBranch(of: page)
        guard !entries.isEmpty || standing.tip != nil, let tip = standing.base,
            var content = try await store.content(of: page, tree: tip.tree)
        else { return Result() }
        let threads = PageThreads(store: store, wiki: wiki)
        let items = try await threads.items(of: page, tree: tip.tree)
        var result = Result()
        var placed: [PlacedReply] = []
        for var entry in entries {
            let old = try await self.items(of: page, at: entry.reply.base, threads)
            switch PendingRebase.decide(entry.reply, old: old, new: items) {
            case .keep(let target):
                let moved = entry.reply.base != tip.record.id
                entry.reply.target = target
                entry.reply.base = tip.record.id
                do throws(TalkError) {
                    content = try PendingReplyPlacement.insert(
                        entry.reply, in: content, pending: Set(placed.map(\.reply.id)), wiki: wiki,
                        title: wiki.localTitle(of: page), zone: threads.zone)
                } catch {
                    result.setAside += try await setAside(entry, error.message)
                    continue
                }
                if moved {
                    try await store.save(entry)
                    result.rebased += 1
                }
                placed.append(PlacedReply(reply: entry.reply, author: Self.author(entry.account), content: content))
            case .discard(let reason):
                result.setAside += try await setAside(entry, reason)
            }
        }
        try await store.replacePending(standing, with: placed)
        return result
    }

    /// Gives up a reply, its text kept under `refs/discarded/<id>` and in its journal.
    private func setAside(_ entry: OutboxEntry, _ reason: String) async throws(TalkError) -> [OutboxEntry] {
        // It may be on the wiki already: not before that is known.
        if entry.state == .unknown || entry.state == .sending { return [] }
        var entry = entry
        entry.state = .discarded
        entry.reason = reason
        entry.isSeen = false
        try await store.discard(entry, reason: reason)
        try await store.save(entry)
        return [entry]
    }

    private func items(
        of page: PageName, at revision: RevisionID, _ threads: PageThreads
    ) async throws(TalkError) -> [ThreadItem] {
        guard let content = try await store.content(of: page, at: revision) else { return [] }
        return try threads.items(of: content, title: wiki.localTitle(of: page))
    }

    /// The author of a pending commit; git wants a name.
    static func author(_ account: String) -> String { account.isEmpty ? "(not logged in)" : account }
}
