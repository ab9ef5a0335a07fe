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
        if hidden.isEmpty { return result }
        for other in try await pages(having: hidden, page) { try await purge(hidden, of: other, time, &result) }
        return result
    }

    /// What the wiki hides of a revision that is cached.
    static func parts(of record: RevisionRecord, _ info: RevisionInfo) -> PurgedParts {
        var parts: PurgedParts = []
        if info.isTextHidden { parts.insert(.text) }
        if info.isUserHidden, record.user != nil { parts.insert(.user) }
        if info.isSummaryHidden, record.summary != nil { parts.insert(.summary) }
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

    /// The titles in whose history one of the revisions is, the page itself first.
    private func pages(
        having hidden: [RevisionID: PurgedParts], _ page: PageName
    ) async throws(TalkError) -> [PageName] {
        var found = [page]
        for other in try await store.pages() where other.wiki == page.wiki && other != page {
            if try await store.records(of: other).contains(where: { hidden[$0.record.id] != nil }) {
                found.append(other)
            }
        }
        return found
    }

    private func purge(
        _ hidden: [RevisionID: PurgedParts], of page: PageName, _ time: String, _ result: inout Result
    ) async throws(TalkError) {
        let own = Set(try await store.records(of: page).map(\.record.id))
        let taken = try await store.purge(hidden.filter { own.contains($0.key) }, of: page)
        // A pending branch still stands on the history as it was.
        result.setAside += try await PendingFitting(store: store, wiki: wiki).heal(page).setAside
        try await PageThreads(store: store, wiki: wiki).refresh(page)
        try await store.logPurge(taken, of: page, at: time)
        result.purged += taken.sorted { $0.key < $1.key }.map { Purge(page: page, revision: $0.key, parts: $0.value) }
    }
}
