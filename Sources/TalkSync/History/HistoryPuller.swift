public import TalkPages
public import TalkStore

/// Brings the older revisions of a cached page into the store, newest first.
///
/// What the store has is not fetched again, and each batch is a valid store, so a back-fill that ended in whatever way
/// goes on where it was. The list of revisions takes a request for 500 of them, each revision one more.
public struct HistoryPuller: Sendable {
    let api: MediaWikiAPI
    let store: Store
    let wiki: Wiki

    private static let listLength = 500
    /// So many revisions that are listed but not there mean that the whole page went away meanwhile.
    private static let goneLimit = 5

    /// Makes a puller for the pages of one wiki.
    public init(api: MediaWikiAPI, store: Store, wiki: Wiki) {
        self.api = api
        self.store = store
        self.wiki = wiki
    }

    /// Brings the history of a page that was pulled before, as far back as `depth` says.
    ///
    /// Throws what stopped it; what had come is stored all the same.
    public func pull(
        _ page: PageName, _ depth: HistoryDepth, progress: @Sendable (HistoryProgress) -> Void = { _ in }
    ) async throws(TalkError) -> HistoryReport {
        guard let state = try store.state(of: page), let id = state.pageID else {
            throw TalkError(
                .notFound, "\(page) is not cached", hint: "git talk pull \(ShellWord.quoted(wiki.url(of: page)))")
        }
        let records = try await store.records(of: page).map(\.record)
        let cached = Set(records.map(\.id))
        // A stretch whose ends are not cached is that of another store.
        let known = state.history.flatMap { cached.contains($0.newest) && cached.contains($0.oldest) ? $0 : nil }
        var run = Run(
            page: page, title: state.displayTitle, id: id, tip: records.last, cached: cached,
            walk: HistoryWalk(known: known))
        var failure: TalkError?
        do throws(TalkError) {
            try await bring(depth, &run, progress)
        } catch {
            failure = error
        }
        try await keep(&run, progress)
        // The commits are others now, and pending replies stand on the old ones.
        let fitted = try await PendingFitting(store: store, wiki: wiki).heal(page)
        if let failure { throw failure }
        let left = try await store.records(of: page).map(\.record).filter { $0.page == run.id }
        let purged = try await store.purged(of: page).filter(\.value.isWhole)
        return HistoryReport(
            page: page, added: run.added, missing: run.missing,
            purged: Set(left.map(\.parent)).intersection(purged.keys), records: left, isWhole: run.walk.isWhole,
            setAside: fitted.setAside)
    }

    /// What a back-fill has in its hands.
    private struct Run {
        let page: PageName
        let title: String
        let id: PageID
        let tip: RevisionRecord?
        var cached: Set<RevisionID>
        var walk: HistoryWalk
        var batch: RevisionBatch
        var listed: Set<RevisionID> = []
        var missing: [HistoryReport.Missing] = []
        var fetched = 0
        var added = 0

        init(
            page: PageName, title: String, id: PageID, tip: RevisionRecord?, cached: Set<RevisionID>, walk: HistoryWalk
        ) {
            self.page = page
            self.title = title
            self.id = id
            self.tip = tip
            self.cached = cached
            self.walk = walk
            batch = RevisionBatch(cached: cached.count)
        }

        /// Whether a revision came after the newest cached one: that is for the next pull to bring.
        func isAhead(_ info: RevisionInfo) -> Bool {
            guard let tip else { return false }
            return (info.timestamp, info.id) > (tip.timestamp, tip.id)
        }

        /// Begins again at the newest revision; what is cached is passed over.
        mutating func startOver() {
            walk = HistoryWalk(known: nil)
            listed = []
            missing = []
        }
    }

    /// Where the list goes on.
    private enum Turn {
        case stop
        case here
        case jump(to: RevisionID)
    }

    private func bring(
        _ depth: HistoryDepth, _ run: inout Run, _ progress: @Sendable (HistoryProgress) -> Void
    ) async throws(TalkError) {
        var start: RevisionID?
        var restarts = 0
        while true {
            var length = Self.listLength
            if case .newest(let limit) = depth {
                guard limit > run.walk.count else { return }
                // A later part begins with the revision that the one before ended with.
                length = min(length, limit - run.walk.count + (start == nil ? 0 : 1))
            }
            progress(.listing)
            let list: [RevisionInfo]
            do throws(TalkError) {
                list = try await api.revisions(of: .id(run.id), limit: length, from: start)
            } catch {
                // The revision to go on from was deleted.
                guard error.kind == .notFound, start != nil, restarts < 3 else { throw error }
                restarts += 1
                run.startOver()
                start = nil
                continue
            }
            let fresh = list.filter { $0.id != start }
            guard start == nil || list.first?.id == start,
                fresh.allSatisfy({ run.listed.insert($0.id).inserted })
            else {
                throw TalkError(
                    .unreachable, "\(run.title): the wiki's history leads in a circle", hint: "try again later")
            }
            switch try await take(
                fresh.filter { !run.isAhead($0) }, depth, isMore: list.count == length, &run, progress)
            {
            case .stop: return
            case .here:
                guard list.count == length, let last = list.last else { return run.walk.end() }
                start = last.id
            case .jump(let end):
                if run.walk.isWhole { return }
                start = end
                run.listed = []
            }
        }
    }

    /// Deals with a part of the list.
    private func take(
        _ list: [RevisionInfo], _ depth: HistoryDepth, isMore: Bool, _ run: inout Run,
        _ progress: @Sendable (HistoryProgress) -> Void
    ) async throws(TalkError) -> Turn {
        let wanted = list.count { depth.takes($0, after: 0) && !run.cached.contains($0.id) && !$0.isTextHidden }
        let total = run.fetched + wanted
        var goneInARow = 0
        for info in list {
            guard depth.takes(info, after: run.walk.count), !Task.isCancelled else { return .stop }
            if let end = run.walk.join(at: info.id) { return .jump(to: end) }
            if run.cached.contains(info.id) {
                run.walk.pass(info.id, isCached: true)
                continue
            }
            if info.isTextHidden {
                // It is not asked for, even with an account that may see it.
                run.missing.append(.init(revision: info.id, reason: "its text is hidden by administrators"))
                run.walk.pass(info.id, isCached: false)
                continue
            }
            run.fetched += 1
            progress(.fetching(info.id, number: run.fetched, count: total, isMore: isMore))
            do throws(TalkError) {
                let content = try await api.rendering(of: info.id, title: run.title)
                    .content(of: info.id, title: run.title, wiki: wiki)
                run.batch.append(info.record(format: CanonicalPage.formatVersion), content)
                run.walk.pass(info.id, isCached: true)
                goneInARow = 0
            } catch {
                goneInARow = error.kind == .notFound ? goneInARow + 1 : 0
                guard error.kind == .notFound || error.kind == .invalid, goneInARow < Self.goneLimit else {
                    throw error
                }
                run.missing.append(.init(revision: info.id, reason: error.message))
                run.walk.pass(info.id, isCached: false)
            }
            if run.batch.isFull { try await keep(&run, progress) }
        }
        return .here
    }

    /// Stores what was fetched, then how far that goes.
    private func keep(
        _ run: inout Run, _ progress: @Sendable (HistoryProgress) -> Void
    ) async throws(TalkError) {
        if !run.batch.revisions.isEmpty {
            let written = try await store.add(run.batch.revisions, to: run.page).written
            run.cached.formUnion(run.batch.revisions.map(\.record.id))
            run.added += written.count
            run.batch = RevisionBatch(cached: run.cached.count)
            progress(.stored(run.added))
        }
        guard var state = try store.state(of: run.page), state.history != run.walk.span else { return }
        state.history = run.walk.span
        try await store.save(state)
    }
}
