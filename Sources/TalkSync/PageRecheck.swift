public import TalkPages
public import TalkStore

/// Asks the wiki for what it has hidden of cached revisions since, and purges that from the store.
///
/// The objects are gone when the store is packed afterwards: `Store.exclusively`.
public struct PageRecheck: Sendable {
    let api: MediaWikiAPI
    let store: Store
    let wiki: Wiki

    /// Makes a recheck of the pages of one wiki.
    public init(api: MediaWikiAPI, store: Store, wiki: Wiki) {
        self.api = api
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
    }

    /// What came of a recheck.
    public struct Result: Sendable {
        /// Number of cached revisions that the wiki was asked about.
        public var checked = 0
        /// What was purged, by page and revision.
        public var purged: [Purge] = []
        /// Replies that were set aside, since what they answer is gone.
        public var setAside: [OutboxEntry] = []
    }

    /// Rechecks the cached revisions of a page; `time` stands in the log of what was purged.
    ///
    /// A revision that is in the history of several titles, because the page was moved, is purged from all of them. What
    /// is cached of a page that the wiki deleted as a whole stays.
    public func run(_ page: PageName, time: String) async throws(TalkError) -> Result {
        let records = try await store.records(of: page).map(\.record)
        let answer = try await api.revisions(ids: records.map(\.id))
        let lost = records.filter { answer.missing.contains($0.id) }
        var standing: [PageID: PageCheck] = [:]
        if !lost.isEmpty {
            let ids = Array(Set(lost.map(\.page)))
            for (id, check) in zip(ids, try await api.check(pages: ids)) { standing[id] = check }
        }
        var hidden: [RevisionID: PurgedParts] = [:]
        for record in records {
            let parts =
                answer.missing.contains(record.id)
                ? Self.parts(ofLost: record, standing[record.page])
                : answer.found[record.id].map { Self.parts(of: record, $0) }
            if let parts, !parts.isEmpty { hidden[record.id] = parts }
        }
        var result = Result(checked: records.count)
        for page in try await pages(having: hidden, page) { try await purge(hidden, of: page, time, &result) }
        return result
    }

    /// What the wiki hides of a revision that is cached.
    static func parts(of record: RevisionRecord, _ info: RevisionInfo) -> PurgedParts {
        var parts: PurgedParts = []
        if info.isTextHidden { parts.insert(.text) }
        if info.isUserHidden { parts.insert(.user) }
        if info.isSummaryHidden { parts.insert(.summary) }
        return left(parts, in: record)
    }

    /// The parts that a cached revision still has.
    private static func left(_ parts: PurgedParts, in record: RevisionRecord) -> PurgedParts {
        var parts = parts
        if record.user == nil { parts.remove(.user) }
        if record.summary == nil { parts.remove(.summary) }
        return parts
    }

    /// Seconds after which no replica of the wiki's database can lack a revision any more.
    private static let replicaLag: Int64 = 3600

    /// A revision that the wiki does not have was deleted, unless its whole page was, or a replica lags behind.
    static func parts(ofLost record: RevisionRecord, _ check: PageCheck?) -> PurgedParts {
        guard let check, check.status == .exists, let latest = check.latest else { return [] }
        let isOld = check.serverTime.map { record.timestamp < $0 - Self.replicaLag } ?? false
        return record.id < latest || isOld ? [.revision] : []
    }

    /// The titles in whose history one of the revisions is or was.
    ///
    /// The page itself comes last: as long as it has what is hidden, a recheck that was stopped begins anew with all of
    /// them.
    private func pages(
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
        _ hidden: [RevisionID: PurgedParts], of page: PageName, _ time: String, _ result: inout Result
    ) async throws(TalkError) {
        // What was recorded and not done, because the program was stopped, is done now.
        var purged = try await store.purged(of: page)
        var parts: [RevisionID: PurgedParts] = [:]
        for record in try await store.records(of: page).map(\.record) {
            let wanted = (hidden[record.id] ?? []).union(purged[record.id] ?? [])
            let left = Self.left(wanted, in: record)
            if !left.isEmpty { parts[record.id] = left }
        }
        if parts.isEmpty, purged.isEmpty { return }
        let taken = parts.isEmpty ? [:] : try await store.purge(parts, of: page)
        purged = try await store.purged(of: page)
        try await store.refresh(page)
        // A pending branch still stands on the history as it was.
        result.setAside += try await PendingFitting(store: store, wiki: wiki).heal(page).setAside
        try await PageThreads(store: store, wiki: wiki).refresh(page)
        try await store.logPurge(purged, of: page, at: time)
        result.purged += taken.sorted { $0.key < $1.key }.map { Purge(page: page, revision: $0.key, parts: $0.value) }
    }
}
