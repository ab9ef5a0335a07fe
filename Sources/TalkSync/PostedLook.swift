internal import TalkPages
internal import TalkStore

/// Asks a wiki for the part of a page's history in which a reply must be, if it was saved.
struct PostedLook {
    let api: MediaWikiAPI
    let store: Store
    let wiki: Wiki

    /// More revisions than these, or more edits of the account, leave it to the user.
    private static let historyLimit = 5000
    private static let candidateLimit = 30

    /// What is there, and the wiki's clock.
    struct Sight {
        let found: PostedCheck
        let serverTime: Int64?
    }

    private var dates: SignatureTimestamp {
        SignatureTimestamp(formats: wiki.signatureFormats, zone: PageThreads(store: store, wiki: wiki).zone)
    }

    /// Looks for a reply since the base of its last request.
    ///
    /// Throws `notFound` when the history is not there to be read: only the user can tell then.
    func look(for entry: OutboxEntry, claimed: Set<RevisionID>) async throws(TalkError) -> Sight {
        // By number: a page that was moved leaves another page behind at its title.
        var page = MediaWikiAPI.Page.title(wiki.localTitle(of: entry.page))
        if let record = try await store.records(of: entry.page).last(where: { $0.record.id == entry.sentBase })?.record,
            record.page.rawValue > 0
        {
            page = .id(record.page)
        }
        let check: PageCheck?
        switch page {
        case .title(let title): check = try await api.check(titles: [title]).first
        case .id(let id): check = try await api.check(pages: [id]).first
        }
        if entry.sentBase?.rawValue == 0 { return try await look(forCreation: entry, check, claimed) }
        guard let check, check.status == .exists else {
            throw TalkError(.notFound, "the page was deleted, so its history cannot be looked at")
        }
        var found = PostedCheck.absent
        if check.latest != entry.sentBase {
            let history = try await history(of: page, for: entry, claimed)
            found = PostedCheck.look(for: entry, in: history, claimed: claimed, dates: dates)
        }
        // Who restores a page may leave a revision out.
        if found == .absent,
            try await api.wasTakenAway(
                title: wiki.localTitle(of: entry.page), since: (entry.sentAt ?? 0) - PostedCheck.slack, orMoved: false)
        {
            throw TalkError(.notFound, "the page was deleted and restored since")
        }
        if case .posted(let revision) = found, entry.sentAddition?.place == nil,
            try await !isAnswered(in: revision, entry)
        {
            found = .unexplained(revision)
        }
        return Sight(found: found, serverTime: check.serverTime)
    }

    /// Whether a revision shows an answer of the account below the comment: where the wiki itself was to place the reply,
    /// its wikitext does not tell which comment is answered.
    private func isAnswered(in revision: RevisionID, _ entry: OutboxEntry) async throws(TalkError) -> Bool {
        let parsed = try await api.parse(revision: revision)
        let items = try PageThreads(store: store, wiki: wiki).items(
            of: try CanonicalPage.content(of: parsed.html, wiki: wiki), title: wiki.localTitle(of: entry.page))
        return items.contains { item in
            item.author == entry.account && item.timestamp ?? 0 >= (entry.sentAt ?? 0) - PostedCheck.slack - 60
                && item.parent.map { items[$0].name } == entry.reply.target?.name
        }
    }

    /// Looks for a topic that was to make the page: there was no history before it.
    private func look(
        forCreation entry: OutboxEntry, _ check: PageCheck?, _ claimed: Set<RevisionID>
    ) async throws(TalkError) -> Sight {
        let title = wiki.localTitle(of: entry.page)
        var found = PostedCheck.absent
        if check?.status == .exists {
            let history = try await history(of: .title(title), for: entry, claimed)
            found = PostedCheck.look(for: entry, in: history, claimed: claimed, dates: dates)
        }
        // What was made and taken away again is in no history that can be read at this title.
        if found == .absent,
            try await api.wasTakenAway(title: title, since: (entry.sentAt ?? 0) - PostedCheck.slack, orMoved: true)
        {
            throw TalkError(.notFound, "a page with this title was deleted or moved since")
        }
        return Sight(found: found, serverTime: check?.serverTime)
    }

    /// The revisions since the base, with the texts of those that matter and of those before them.
    ///
    /// The wiki lists them by time, and its servers' clocks may differ: what is newer than the base may be dated before it.
    private func history(
        of page: MediaWikiAPI.Page, for entry: OutboxEntry, _ claimed: Set<RevisionID>
    ) async throws(TalkError) -> [RevisionInfo] {
        let record = try await store.records(of: entry.page).last { $0.record.id == entry.sentBase }?.record
        let base = entry.sentBase.flatMap { $0.rawValue > 0 ? $0 : nil }
        let history = try await api.revisions(
            of: page, limit: Self.historyLimit, from: record == nil ? base : nil,
            since: record.map { $0.timestamp - Self.skew }, direction: .newer)
        let candidates = PostedCheck.candidates(for: entry, in: history, claimed: claimed)
        guard history.count < Self.historyLimit, candidates.count <= Self.candidateLimit else {
            throw TalkError(.notFound, "too much was written on the page since")
        }
        let wanted = Set(candidates.flatMap { [$0.id, $0.parent] }).filter { $0.rawValue > 0 }
        let texts = try await api.revisions(ids: wanted.sorted(), withText: true).found
        return history.filter { !wanted.contains($0.id) } + texts.values
    }

    /// Seconds by which the clocks of a wiki's servers may differ.
    private static let skew: Int64 = 86_400
}

extension OutboxSender {
    /// After so many seconds a request that left no trace has failed for good: this program gives one up after its
    /// time limit, and a wiki gives a write up after 120.
    private var settled: Int64 { Int64(api.settings.writeTimeout) + 120 }

    /// Looks in the page's history for a reply that may be there; `again` when it is not, and is to be sent.
    ///
    /// While nobody can know yet, so many seconds pass at `least`, and `scope` waits with it.
    func look(
        _ entry: OutboxEntry, _ round: inout Round, least: Int? = nil, scope: SendScope = .page
    ) async throws(TalkError) -> Step {
        let sight: PostedLook.Sight
        do throws(TalkError) {
            sight = try await self.sight(of: entry, round)
        } catch {
            return try await unseen(entry, error, .unknown, least: least, scope: scope)
        }
        switch sight.found {
        case .posted(let revision):
            return try await posted(entry, revision, &round)
        case .unexplained(let revision):
            let reason = Self.mayBeIt(revision)
            return .done(try await save(entry, .held, reason), .held(reason: reason), .page)
        case .absent:
            let elapsed = (sight.serverTime ?? now()) - (entry.sentAt ?? 0)
            guard elapsed >= settled else {
                let reason = entry.reason ?? "the last request may still be at work"
                return try await putOff(entry, .unknown, reason, least: least, scope: scope)
            }
            _ = try await save(entry, .queued, nil, ending: .lost)
            // While it might have been posted, nothing could set it aside.
            try await fitting.fit(entry.page)
            return .again
        }
    }

    /// Looks before the next request for those that left no trace or were refused; nil when there is still none.
    ///
    /// A network may keep a request for days, and a proxy may send it twice, of which the second one is refused.
    func lookAgain(_ entry: OutboxEntry, _ round: inout Round) async throws(TalkError) -> Step? {
        for lost in entry.lostRequests ?? [] {
            let found: PostedCheck
            do throws(TalkError) {
                found = try await sight(of: entry.asSent(lost), round).found
            } catch {
                // That the page is gone is seen when the text is fitted into it.
                if lost.isRefused, error.kind == .notFound { continue }
                return try await unseen(entry, error, .queued)
            }
            let reason: String
            switch found {
            case .absent: continue
            // That it refused one is no reason to take another edit of the user's for it.
            case .unexplained where lost.isRefused: continue
            case .posted(let revision) where lost.text == entry.reply.text:
                return try await posted(entry, revision, &round)
            case .posted(let revision): reason = "revision \(revision) is this reply as it was before you changed it"
            case .unexplained(let revision): reason = Self.mayBeIt(revision)
            }
            let held = try await store.updateEntry(entry.reply.id) { current in
                guard current.state == .queued, current.reply == entry.reply else { return false }
                let text = current.reply.text, page = current.page
                current = current.asSent(lost)
                (current.reply.text, current.page) = (text, page)
                current.state = .held
                current.reason = reason
                return true
            }
            guard let held else { return .again }
            return .done(held, .held(reason: reason), .page)
        }
        return nil
    }

    private static func mayBeIt(_ revision: RevisionID) -> String {
        "revision \(revision) of this account may be it; look at the page before it is sent again"
    }

    private func sight(of entry: OutboxEntry, _ round: Round) async throws(TalkError) -> PostedLook.Sight {
        let journals = try store.outbox().entries.compactMap(\.postedRevision)
        return try await PostedLook(api: api, store: store, wiki: wiki)
            .look(for: entry, claimed: round.claimed.union(journals))
    }

    /// The history cannot be read, now or ever.
    private func unseen(
        _ entry: OutboxEntry, _ error: TalkError, _ state: OutboxEntry.State, least: Int? = nil,
        scope: SendScope = .page
    ) async throws(TalkError) -> Step {
        if error.kind == .notFound {
            let reason = "whether it was posted cannot be seen: \(error.message)"
            return .done(try await save(entry, .held, reason), .held(reason: reason), .page)
        }
        return try await putOff(
            entry, state, error.message, least: (error.underlying as? APIError)?.secondsToWait ?? least,
            scope: error.kind == .unreachable ? .wiki : scope)
    }
}
