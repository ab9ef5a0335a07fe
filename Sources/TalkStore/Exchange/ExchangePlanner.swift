internal import TalkGit
internal import TalkPages

/// Works out what an exchange changes here, and what the remote lacks, from what was fetched.
///
/// It reads; what it makes is in `batch`, and everything that is to be moved is a list.
struct ExchangePlanner {
    private let remote: String
    private let layout: StoreLayout
    /// The paths of the branches that were dropped here.
    private let evicted: Set<String>

    var take = ExchangeTake()
    private(set) var batch = ObjectBatch()
    private(set) var records: [(record: SharedRecord, old: ObjectID?, new: ObjectID?)] = []
    private(set) var pages: [PagePlan] = []

    private var shared: [SharedRecord: JoinedRecord] = [:]
    private var purges = Purges([:])
    /// The branches here, those of the remote, and those here afterwards, by path.
    private var here: [String: ObjectID] = [:]
    private var there: [String: ObjectID] = [:]
    private var tips: [String: ObjectID] = [:]
    /// What cannot be joined is not pushed either.
    private var untouched: Set<String>
    private var check = FetchedCheck()

    /// `refused` could not be fetched.
    init(_ remote: String, _ layout: StoreLayout, evicted: Set<String>, refused: [ExchangeTake.Refusal]) {
        self.remote = remote
        self.layout = layout
        self.evicted = evicted
        take.refused = refused
        untouched = Set(refused.map(\.name))
    }

    /// `titles` are those that this machine adds to the shared ones.
    mutating func run(_ repository: borrowing Repository, titles: [String: String]) throws(GitError) {
        try joinRecords(repository, titles)
        let main = try readBranches(repository)
        for name in candidates() { joinPage(name, repository) }
        try addBranches(repository)
        for record in SharedRecord.allCases {
            guard let joined = shared[record] else { continue }
            let isNew = joined.files != joined.own
            let new = isNew ? try repository.insert(record, joined.files, into: &batch) : joined.old
            records.append((record, joined.old, new))
        }
        try addShared(repository, main)
        // Those that were bookmarked here before were fetched.
        let news = bookmarked.subtracting(SharedRecord.bookmarked(shared[.bookmarks]?.own ?? [:]))
        take.wantsMore = news.contains { evicted.contains($0) && tips[$0] == nil && !untouched.contains($0) }
        take.wikis = Set(tips.keys.compactMap { StoreLayout.wiki(ofComponent: $0) }).sorted()
    }

    /// The pages that no change of this exchange brings to their branches, with the commits of these.
    var others: [(page: PageName, tip: ObjectID)] {
        let joined = Set(pages.map { StoreLayout.component(of: $0.page) })
        return here.filter { !joined.contains($0.key) }.sorted { $0.key < $1.key }.compactMap { name, tip in
            (try? page(name)).map { ($0, tip) }
        }
    }

    private var bookmarked: Set<String> { SharedRecord.bookmarked(shared[.bookmarks]?.files ?? [:]) }

    private mutating func joinRecords(
        _ repository: borrowing Repository, _ titles: [String: String]
    ) throws(GitError) {
        for record in SharedRecord.allCases {
            shared[record] = try repository.join(
                record, from: remote, record == .titles ? titles : [:], refusing: &take.refused)
        }
        untouched.formUnion(take.refused.map(\.name))
        take.bookmarks = shared[.bookmarks]?.news ?? 0
        purges = Purges(shared[.purged]?.files ?? [:])
    }

    /// Gives the commit of the remote's `main`.
    private mutating func readBranches(_ repository: borrowing Repository) throws(GitError) -> ObjectID? {
        for branch in try repository.references(under: StoreLayout.branches) where StoreLayout.isOwn(branch.name) {
            here[StoreLayout.component(of: branch.name, below: StoreLayout.branches)] = branch.target
        }
        let tracking = StoreLayout.tracking(remote)
        for copy in try repository.references(under: tracking) {
            there[StoreLayout.component(of: copy.name, below: tracking)] = copy.target
        }
        tips = here
        there["HEAD"] = nil
        return there.removeValue(forKey: "main")
    }

    /// The branches that are to be looked at.
    private func candidates() -> [String] {
        // A revision is purged from every title in whose history it is.
        let isPurging = shared[.purged].map { $0.news > 0 } ?? false
        return Set(there.keys).union(here.keys.filter { isPurging || purges.ofTitles[$0] != nil }).sorted().filter {
            if $0.utf8.starts(with: "pending/".utf8) || untouched.contains($0) { return false }
            if here[$0] == nil, evicted.contains($0), !bookmarked.contains($0) { return false }
            return there[$0] != here[$0] || isPurging || purges.ofTitles[$0] != nil
        }
    }

    private mutating func joinPage(_ name: String, _ repository: borrowing Repository) {
        let target = there[name]
        do throws(Refusal) {
            let page = try page(name)
            let joined = try repository.plan(
                page, with: target, purged: purges.ofWikis[page.wiki] ?? [:], &check, into: &batch)
            for (id, parts) in joined.hit where purges.ofTitles[name]?[id] != parts {
                shared[.purged]?.files["\(name)/\(id)"] = parts.text
            }
            tips[name] = joined.new
            if joined.isStained { take.stained.append(page) }
            if joined.new == nil, target != nil {
                take.changes.append(
                    RemoteChange(reference: StoreLayout.branches + name, old: target?.description, new: nil))
            }
            guard joined.old != joined.new else { return }
            pages.append(joined)
            take.pages.append(
                ExchangeTake.Page(
                    page: page, written: joined.written, purged: joined.purged, isNew: joined.old == nil,
                    isGone: joined.new == nil))
        } catch { refuse(name, error.reason) }
    }

    private mutating func refuse(_ name: String, _ reason: String) {
        untouched.insert(name)
        take.refused.append(ExchangeTake.Refusal(name: name, reason: reason))
    }

    /// The page of a branch from elsewhere.
    private func page(_ name: String) throws(Refusal) -> PageName {
        var page = StoreLayout.page(ofBranch: StoreLayout.branches + name)
        if page == nil, let title = shared[.titles]?.files[name] {
            page = StoreLayout.page(name, titled: String(title.dropLast()))
        }
        guard let page else {
            let names = StoreLayout.names(in: name)
            guard StoreLayout.areComponents(names) else {
                throw Refusal("it is no page's branch")
            }
            throw Refusal("its title is too long for a branch, and nobody told the whole of it: pull the page once")
        }
        // No wiki has such a title, and who lists it would print a line of somebody's else.
        let isHidden = "\(page.namespace)\(page.title)".unicodeScalars.contains { scalar in
            switch scalar.value {
            case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
            default: false
            }
        }
        if isHidden { throw Refusal("its title has a character that no title may have") }
        do throws(TalkError) { try layout.check(page) } catch { throw Refusal(error.message) }
        return page
    }

    /// What of the branches the remote lacks.
    private mutating func addBranches(_ repository: borrowing Repository) throws(GitError) {
        let joined = Set(pages.map { StoreLayout.component(of: $0.page) })
        for (name, tip) in tips.sorted(by: { $0.key < $1.key }) where there[name] != tip && !untouched.contains(name) {
            // A branch of the user's own.
            if StoreLayout.names(in: name).count != 3 { continue }
            if !joined.contains(name), let wiki = StoreLayout.wiki(ofComponent: name) {
                // Nobody's own commits go to others.
                do throws(GitError) { _ = try repository.records(from: tip, downTo: nil, wiki: wiki) } catch {
                    refuse(name, "the branch here has a commit that is no revision's")
                    continue
                }
            }
            take.changes.append(
                RemoteChange(
                    reference: StoreLayout.branches + name, old: there[name]?.description, new: tip.description))
        }
    }

    /// What of the shared records, and of `main`, the remote lacks.
    private mutating func addShared(_ repository: borrowing Repository, _ main: ObjectID?) throws(GitError) {
        // First what was purged: whoever fetches in the middle then leaves that out.
        var changes: [RemoteChange] = []
        for (record, _, new) in records {
            let copy = try repository.resolve(StoreLayout.sharedTracking(remote) + record.name)
            guard let new, new != copy, !take.refused.contains(where: { $0.name == record.reference }) else { continue }
            changes.append(
                RemoteChange(reference: record.reference, old: copy?.description, new: new.description))
        }
        let own = try repository.resolve(StoreLayout.mainBranch)
        if let main, let own { take.hasOtherMain = main != own }
        if main == nil, let own {
            changes.append(RemoteChange(reference: StoreLayout.mainBranch, old: nil, new: own.description))
        }
        take.changes = changes + take.changes
    }
}
