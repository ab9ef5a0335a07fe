public import TalkPages
public import TalkStore

/// Takes revisions, or parts of them, out of the store for good, in every title in whose history they are.
///
/// The objects are gone when the store is packed afterwards: `Store.collectGarbage`.
public struct RevisionPurge: Sendable {
    let store: Store
    let wiki: Wiki?

    /// Makes a purge of pages of one wiki; without the wiki, replies that wait in them cannot be fitted.
    public init(store: Store, wiki: Wiki?) {
        self.store = store
        self.wiki = wiki
    }

    /// What was purged of one revision.
    public struct Purge: Hashable, Sendable {
        /// The page in whose history it was.
        public var page: PageName
        /// The revision.
        public var revision: RevisionID
        /// The parts that are gone.
        public var parts: PurgedParts
        /// The commit that had them, 40 hexadecimal digits.
        public var commit: String
    }

    /// Purges what is hidden of a page's revisions; `time` stands in the log of what was purged.
    ///
    /// Gives what was purged now, and the replies that were set aside, since what they answer is gone.
    public func run(
        _ hidden: [RevisionID: PurgedParts], of page: PageName, time: String
    ) async throws(TalkError) -> (purged: [Purge], setAside: [OutboxEntry]) {
        var purged: [Purge] = []
        var setAside: [OutboxEntry] = []
        for page in try await pages(having: hidden, page) {
            try await purge(hidden, of: page, time, &purged, &setAside)
        }
        return (purged, setAside)
    }

    /// The parts that a cached revision still has.
    static func left(_ parts: PurgedParts, in record: RevisionRecord) -> PurgedParts {
        var parts = parts
        if record.user == nil { parts.remove(.user) }
        if record.summary == nil { parts.remove(.summary) }
        return parts
    }

    /// The titles in whose history one of the revisions is or was.
    ///
    /// The page itself comes last: as long as it has what is hidden, a recheck that was stopped begins anew with all of
    /// them.
    func pages(
        having hidden: [RevisionID: PurgedParts], _ page: PageName
    ) async throws(TalkError) -> [PageName] {
        var found: [PageName] = []
        for other in hidden.isEmpty ? [] : try await store.pages() where other.wiki == page.wiki && other != page {
            let isHit = try await store.records(of: other).contains { hidden[$0.record.id] != nil }
            let wasHit = try await store.purged(of: other).keys.contains { hidden[$0] != nil }
            if isHit || wasHit { found.append(other) }
        }
        return found + [page]
    }

    private func purge(
        _ hidden: [RevisionID: PurgedParts], of page: PageName, _ time: String, _ done: inout [Purge],
        _ setAside: inout [OutboxEntry]
    ) async throws(TalkError) {
        // What was recorded and not done, because the program was stopped, is done now.
        var purged = try await store.purged(of: page)
        var parts: [RevisionID: PurgedParts] = [:]
        let stored = try await store.records(of: page)
        for record in stored.map(\.record) {
            let wanted = (hidden[record.id] ?? []).union(purged[record.id] ?? [])
            let left = Self.left(wanted, in: record)
            if !left.isEmpty { parts[record.id] = left }
        }
        if parts.isEmpty, purged.isEmpty { return }
        let taken = parts.isEmpty ? [:] : try await store.purge(parts, of: page)
        purged = try await store.purged(of: page)
        try await store.refresh(page)
        // A pending branch still stands on the history as it was.
        if let wiki {
            setAside += try await PendingFitting(store: store, wiki: wiki).heal(page).setAside
            try await PageThreads(store: store, wiki: wiki).refresh(page)
        }
        try await store.logPurge(purged, of: page, at: time)
        done += stored.compactMap { stored in
            taken[stored.record.id].map {
                Purge(page: page, revision: stored.record.id, parts: $0, commit: stored.commit)
            }
        }
    }
}
