public import TalkPages
public import TalkStore

/// Asks the wiki for what it has hidden of cached revisions since, and purges that from the store.
///
/// The objects are gone when the store is packed afterwards: `Store.collectGarbage`.
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

    /// What came of a recheck.
    public struct Result: Sendable {
        /// Number of cached revisions that the wiki was asked about.
        public var checked = 0
        /// What was purged, by page and revision.
        public var purged: [RevisionPurge.Purge] = []
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
        let purge = RevisionPurge(store: store, wiki: wiki)
        let (purged, setAside) = try await purge.run(hidden, of: page, time: time)
        return Result(checked: records.count, purged: purged, setAside: setAside)
    }

    /// What the wiki hides of a revision that is cached.
    static func parts(of record: RevisionRecord, _ info: RevisionInfo) -> PurgedParts {
        var parts: PurgedParts = []
        if info.isTextHidden { parts.insert(.text) }
        if info.isUserHidden { parts.insert(.user) }
        if info.isSummaryHidden { parts.insert(.summary) }
        return RevisionPurge.left(parts, in: record)
    }

    /// Seconds after which no replica of the wiki's database can lack a revision any more.
    private static let replicaLag: Int64 = 3600

    /// A revision that the wiki does not have was deleted, unless its whole page was, or a replica lags behind.
    static func parts(ofLost record: RevisionRecord, _ check: PageCheck?) -> PurgedParts {
        guard let check, check.status == .exists, let latest = check.latest else { return [] }
        let isOld = check.serverTime.map { record.timestamp < $0 - Self.replicaLag } ?? false
        return record.id < latest || isOld ? [.revision] : []
    }
}
