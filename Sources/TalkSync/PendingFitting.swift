public import TalkPages
public import TalkStore

/// Fits the pending replies of a page to the revision that the wiki calls the newest, or the last one that is cached: the effects of `PendingRebase`'s decisions.
///
/// The journals alone say which replies there are, so a pending branch that a crash left behind is made anew as well.
public struct PendingFitting: Sendable {
    let store: Store
    let wiki: Wiki
    private let given: MoveRule?

    /// How often it begins again when another program changed the page meanwhile.
    private static let attempts = 3

    /// Makes a fitting for the pages of one wiki; without `onMove`, the store's setting `talk.onMove` is the rule.
    public init(store: Store, wiki: Wiki, onMove: MoveRule? = nil) {
        self.store = store
        self.wiki = wiki
        given = onMove
    }

    /// Where a target is now, and that in words that go on after the reason.
    typealias Place = (page: PageName, words: String)

    /// Says where a target went that is no longer on its page.
    ///
    /// Nil when it is not known. `items` are those of the page when the reply was written, `index` is the target's place
    /// among them.
    typealias Whereabouts = @Sendable (_ items: [ThreadItem], _ index: Int) async -> Place?

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
    public func fit(_ page: PageName) async throws(TalkError) -> Result { try await fit(page) { _, _ in nil } }

    @discardableResult
    func fit(_ page: PageName, whereabouts: Whereabouts) async throws(TalkError) -> Result {
        var result = Result()
        var attempt = 1
        while true {
            do throws(TalkError) {
                try await fit(page, &result, whereabouts)
                return result
            } catch {
                guard error.kind == .busy, attempt < Self.attempts else { throw error }
                attempt += 1
            }
        }
    }

    /// Brings a page to what its newest revision and the journals make of it, where a crash left it otherwise.
    ///
    /// Nothing is written when all is as it should be.
    @discardableResult
    public func heal(_ page: PageName) async throws(TalkError) -> Result {
        guard try await isDue(page) else { return Result() }
        let result = try await fit(page)
        try await store.refresh(page)
        _ = try await PageThreads(store: store, wiki: wiki).refresh(page)
        return result
    }

    /// Heals every page of the wiki that has pending replies, or had some before a crash; the replies set aside.
    @discardableResult
    public func healAll() async throws(TalkError) -> [OutboxEntry] {
        let waiting = try store.outbox().entries.filter { $0.state.isPending }.map(\.page)
        var pages = waiting.filter { $0.wiki == wiki.key }
        pages += try await store.pagesWithPendingReplies().filter { $0.wiki == wiki.key }
        var healed: Set<PageName> = []
        var setAside: [OutboxEntry] = []
        for page in pages where healed.insert(page).inserted {
            setAside += try await heal(page).setAside
        }
        return setAside
    }

    /// Gives up a reply: its text stays under `refs/discarded/<id>` and in its journal.
    ///
    /// Nil, and it stays as it is, when it may be on the wiki already or another program has it in its hands.
    ///
    /// `targetPage` is where what it answers is now.
    public func setAside(
        _ entry: OutboxEntry, reason: String, targetPage: PageName? = nil
    ) async throws(TalkError) -> OutboxEntry? {
        if entry.mayBePosted { return nil }
        var given = entry
        given.state = .discarded
        given.reason = reason
        given.targetPage = targetPage
        given.isSeen = false
        let discarded = given
        try await store.discard(discarded, reason: reason)
        let written = try await store.updateEntry(entry.reply.id) { current in
            guard current == entry else { return false }
            current = discarded
            return true
        }
        if written == nil { try await store.removeDiscarded(entry.reply.id) }
        return written
    }

    func onMove() throws(TalkError) -> MoveRule {
        if let given { return given }
        return MoveRule(rawValue: try store.reader.configuration.word(.onMove)) ?? .rebase
    }

    /// The author of a pending commit.
    static func author(_ account: String) -> String { account.isEmpty ? PendingCommit.nobody : account }

    // MARK: Inside

    /// A reply that should stand in its page; without an entry where its journal cannot be read.
    private struct Waiting {
        var reply: PendingReply
        let author: String
        let entry: OutboxEntry?

        var mayBePosted: Bool { entry?.mayBePosted ?? true }
    }

    /// The replies of the page in the order of writing.
    ///
    /// The pending commit is all that is left of one whose journal is damaged.
    private func waiting(on branch: PendingBranch) throws(TalkError) -> [Waiting] {
        let outbox = try store.outbox()
        let entries = outbox.entries.filter { $0.page == branch.page && $0.state.isPending }
        let damaged = branch.commits.filter { outbox.unreadable.contains($0.reply.id) }
        let all =
            entries.map { Waiting(reply: $0.reply, author: Self.author($0.account), entry: $0) }
            + damaged.map { Waiting(reply: $0.reply, author: $0.author, entry: nil) }
        return all.sorted { $0.reply.id < $1.reply.id }
    }

    private func isDue(_ page: PageName) async throws(TalkError) -> Bool {
        let standing = try await store.pendingBranch(of: page)
        let replies = standing.commits.map(\.reply)
        // What may be posted already need not stand in the page.
        let expected = try waiting(on: standing).filter { waiting in
            !waiting.mayBePosted || replies.contains { $0.id == waiting.reply.id }
        }
        guard standing.isOnBase, replies == expected.map(\.reply) else { return true }
        return try store.reader.stamp(of: page)?.commit != standing.head
    }

    private func fit(
        _ page: PageName, _ result: inout Result, _ whereabouts: Whereabouts
    ) async throws(TalkError) {
        // The branch is read first: a reply that comes onto it later makes its replacement fail.
        let standing = try await store.pendingBranch(of: page)
        let replies = try waiting(on: standing)
        guard !replies.isEmpty || standing.tip != nil else { return }
        let isMissing = try store.state(of: page)?.isMissing == true
        // The page was damaged as a whole: the next pull brings it, and then they are fitted to it.
        if standing.base == nil, !isMissing, replies.contains(where: { $0.reply.base.rawValue > 0 }) {
            // But when it was purged as a whole, the branch must not keep what was purged.
            let purged = try await store.purged(of: page)
            guard replies.contains(where: { purged[$0.reply.base] != nil }) else { return }
        }
        // Without a page there is nothing but the topics that will make it.
        var content = PageContent(lede: "", sections: [])
        if let tip = standing.base {
            guard let newest = try await store.content(of: page, tree: tip.tree) else { return }
            content = newest
        }
        let rule = try onMove()
        let threads = PageThreads(store: store, wiki: wiki)
        let items = try await threads.items(of: page, tree: standing.base?.tree)
        var placed: [PlacedReply] = []
        var chains = PendingChains.Page(store, newest: standing.base?.record.id, items: items) {
            revision throws(TalkError) in try await self.items(of: page, at: revision, threads)
        }
        for waiting in replies {
            var reply = waiting.reply
            if rule == .discard, let tip = standing.base?.record,
                let mover = try await stranger(on: page, since: reply.base, until: tip, waiting.author)
            {
                let reason = "\(mover) changed the page since it was written, and talk.onMove is discard"
                try await setAside(waiting, reason, &result)
                continue
            }
            let old = try await self.items(of: page, at: reply.base, threads)
            let decision: PendingRebase
            if let target = reply.target, target.pending != nil {
                switch try await chains.decide(target, placed: Set(placed.map(\.reply.id))) {
                case .stands: decision = .keep(target)
                case .waits: continue
                case .answers(let target): decision = .keep(target)
                case .gone(let reason): decision = .discard(reason: reason)
                }
            } else {
                decision = PendingRebase.decide(reply, old: old, new: items)
            }
            switch decision {
            case .keep(let target):
                reply.target = target
                // A topic that makes the page waits for the page; one of a page that was deleted waits for its user.
                if reply.kind == .reply || !isMissing {
                    reply.base = standing.base?.record.id ?? RevisionID(rawValue: 0)
                }
                do throws(TalkError) {
                    content = try PendingReplyPlacement.insert(
                        reply, in: content, pending: Set(placed.map(\.reply.id)), wiki: wiki,
                        title: wiki.localTitle(of: page), zone: threads.zone)
                } catch {
                    try await setAside(waiting, error.message, &result)
                    continue
                }
                if reply != waiting.reply, waiting.entry != nil {
                    try await move(waiting.reply, to: reply)
                    result.rebased += 1
                }
                placed.append(PlacedReply(reply: reply, author: waiting.author, content: content))
                try await chains.finish(waiting.reply.target)
            case .discard(let reason):
                let index = old.firstIndex { $0.id == reply.target?.id }
                let place = if let index { await whereabouts(old, index) } else { Place?.none }
                try await setAside(
                    waiting, reason + (place.map { "; " + $0.words } ?? ""), &result, targetPage: place?.page)
            }
        }
        try await store.replacePending(standing, with: placed)
    }

    /// Writes into the journal what a reply answers now; whoever sends it must not do so from what it was before.
    private func move(_ old: PendingReply, to new: PendingReply) async throws(TalkError) {
        let written = try await store.updateEntry(old.id) { entry in
            guard entry.state.isPending, entry.reply == old else { return false }
            entry.reply = new
            return true
        }
        guard written != nil else {
            throw TalkError(.busy, "the reply \(old.id) was changed by another program meanwhile", hint: "try again")
        }
    }

    private func setAside(
        _ waiting: Waiting, _ reason: String, _ result: inout Result, targetPage: PageName? = nil
    ) async throws(TalkError) {
        if let entry = waiting.entry {
            let given = try await setAside(entry, reason: reason, targetPage: targetPage)
            if let given { result.setAside.append(given) }
            return
        }
        guard var entry = try await store.damagedEntries().first(where: { $0.reply.id == waiting.reply.id }) else {
            return
        }
        entry.state = .discarded
        entry.reason = reason
        entry.targetPage = targetPage
        try await store.discard(entry, reason: reason)
    }

    private func items(
        of page: PageName, at revision: RevisionID, _ threads: PageThreads
    ) async throws(TalkError) -> [ThreadItem] {
        guard let content = try await store.content(of: page, at: revision) else { return [] }
        return try threads.items(of: content, title: wiki.localTitle(of: page))
    }
}
