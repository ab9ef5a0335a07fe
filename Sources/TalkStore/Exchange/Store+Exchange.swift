internal import TalkGit
public import TalkPages

extension Store {
    /// What an exchange fetches from a remote into this store.
    ///
    /// All pages, but for those that were dropped here and are not bookmarked; never anybody's pending replies.
    public func exchangeRefspecs(of remote: String) async throws(TalkError) -> [String] {
        let subject = "the pages to fetch cannot be listed"
        let evicted = try evictedComponents(subject)
        var wanted: Set<String> = []
        if !evicted.isEmpty { wanted = Self.bookmarked(try sharedFiles(.bookmarks, subject)) }
        return [
            "+refs/heads/*:\(StoreLayout.tracking(remote))*", "^\(StoreLayout.pendingBranches)*",
            "+\(SharedRecord.prefix)*:\(StoreLayout.sharedTracking(remote))*",
        ] + evicted.filter { !wanted.contains($0) }.map { "^\(StoreLayout.branches)\($0)" }
    }

    /// Joins what was fetched from a remote into this store, and says what the remote lacks.
    ///
    /// Nothing is taken that this program would not have written; that is named, and the rest goes on. Another program
    /// that changes the same pages makes it begin anew.
    ///
    /// Branches that are named in `refused` could not be fetched and stay as they are, here and there.
    public func take(
        from remote: String, refused: [ExchangeTake.Refusal] = []
    ) async throws(TalkError) -> ExchangeTake {
        var attempts = 0
        while true {
            do throws(TalkError) { return try takeOnce(from: remote, refused) } catch {
                attempts += 1
                guard error.kind == .busy, attempts < 8 else { throw error }
            }
        }
    }

    /// Remembers that the remote has what it was given.
    public func pushed(_ changes: [RemoteChange], to remote: String) async throws(TalkError) {
        let subject = "what \(remote) has cannot be remembered"
        try locked(subject) { () throws(TalkError) in
            for change in changes {
                guard let hex = change.new, let new = ObjectID(hex: hex), let name = Self.copy(change.reference, remote)
                else { continue }
                let old = try git(subject) { repository throws(GitError) in try repository.resolve(name) }
                if old == new { continue }
                faults.reach("move copy of a remote's reference")
                try moveReference(name, from: old?.description, to: new, subject)
            }
        }
    }

    /// Removes the copies of remotes' branches that would keep what was purged, or a page that was dropped.
    public func removeCopies(of pages: [PageName]) async throws(TalkError) {
        let subject = "copies of remotes' branches cannot be removed"
        let evicted = Set(try evictedComponents(subject))
        let components = Set(pages.map { StoreLayout.component(of: $0) })
        guard !(evicted.isEmpty && components.isEmpty) else { return }
        let copies = try git(subject) { repository throws(GitError) in
            var copies: [Reference] = []
            for reference in try repository.references(under: "refs/remotes/") {
                // `<remote>/<wiki>/<Namespace>/<title>`
                let names = StoreLayout.names(in: reference.name)
                let component = names.suffix(3).joined(separator: "/")
                guard names.count >= 6, components.contains(component) || evicted.contains(component) else { continue }
                let tip = try repository.resolve(StoreLayout.branches + component)
                if components.contains(component) ? tip != reference.target : tip == nil { copies.append(reference) }
            }
            return copies
        }
        guard !copies.isEmpty else { return }
        try locked(subject, mode: .exclusive) { () throws(TalkError) in
            for copy in copies {
                faults.reach("delete copy of a remote's branch")
                try git(subject) { repository throws(GitError) in
                    try repository.deleteReference(copy.name, from: copy.target)
                }
            }
        }
    }

    // MARK: One attempt

    private func takeOnce(
        from remote: String, _ refused: [ExchangeTake.Refusal]
    ) throws(TalkError) -> ExchangeTake {
        let subject = "what was fetched from \(remote) cannot be taken"
        var take = ExchangeTake()
        take.refused = refused
        var gone: [PagePlan] = []
        try locked(subject) { () throws(TalkError) in
            let plan = try makePlan(of: remote, &take, subject)
            faults.reach("write pack")
            _ = try git(subject) { repository throws(GitError) in try repository.write(plan.batch) }
            for (record, old, new) in plan.records where old != new {
                guard let new else { continue }
                faults.reach("move \(record.name)")
                try moveReference(record.reference, from: old?.description, to: new, subject)
            }
            for page in plan.unpublished {
                let name = StoreLayout.component(of: page)
                guard !take.refused.contains(where: { $0.name == name }) else { continue }
                do throws(TalkError) { try refresh(page, subject) } catch {
                    guard error.kind == .damaged else { throw error }
                    take.refused.append(ExchangeTake.Refusal(name: name, reason: error.message))
                }
            }
            for page in plan.pages {
                guard page.new != nil else {
                    gone.append(page)
                    continue
                }
                try publish(page, subject)
            }
        }
        for page in gone where page.old != nil { try remove(page, subject) }
        return take
    }

    private struct Plan {
        var batch = ObjectBatch()
        var records: [(record: SharedRecord, old: ObjectID?, new: ObjectID?)] = []
        var pages: [PagePlan] = []
        /// Pages whose branch moved and whose directory did not, because a program was stopped in between.
        var unpublished: [PageName] = []
    }

    private func makePlan(
        of remote: String, _ take: inout ExchangeTake, _ subject: String
    ) throws(TalkError) -> Plan {
        var plan = Plan()
        let evicted = Set(try evictedComponents(subject))
        let titles = try ownTitles(subject)
        var shared: [SharedRecord: JoinedRecord] = [:]
        try git(subject) { repository throws(GitError) in
            for record in SharedRecord.allCases {
                shared[record] = try repository.join(
                    record, from: remote, record == .titles ? titles : [:], refusing: &take.refused)
            }
        }
        let bookmarked = Self.bookmarked(shared[.bookmarks]?.files ?? [:])
        take.bookmarks = shared[.bookmarks]?.news ?? 0
        let purges = Purges(shared[.purged]?.files ?? [:])
        let (own, copies) = try git(subject) { repository throws(GitError) in
            let own = try repository.references(under: StoreLayout.branches).filter {
                $0.name != StoreLayout.mainBranch && !$0.name.utf8.starts(with: StoreLayout.pendingBranches.utf8)
            }
            return (own, try repository.references(under: StoreLayout.tracking(remote)))
        }
        var here: [String: ObjectID] = [:]
        for branch in own { here[Self.component(branch.name, StoreLayout.branches)] = branch.target }
        var there: [String: ObjectID] = [:]
        for copy in copies { there[Self.component(copy.name, StoreLayout.tracking(remote))] = copy.target }
        let main = there.removeValue(forKey: "main")
        there["HEAD"] = nil

        // What cannot be joined is not pushed either.
        var untouched = Set(take.refused.map(\.name))
        var tips = here
        var check = FetchedCheck()
        // A revision is purged from every title in whose history it is.
        let isPurging = shared[.purged].map { $0.news > 0 } ?? false
        for name in Set(there.keys).union(here.keys.filter { isPurging || purges.ofTitles[$0] != nil }).sorted() {
            let target = there[name]
            if name.utf8.starts(with: "pending/".utf8) { continue }
            if here[name] == nil, evicted.contains(name), !bookmarked.contains(name) { continue }
            let isPurged = isPurging || purges.ofTitles[name] != nil
            if untouched.contains(name) || target == here[name] && !isPurged { continue }
            let titled = shared[.titles]?.files[name].map { String($0.dropLast()) }
            do throws(Refusal) {
                let page = try page(name, titled)
                let joined = try join(page, target, purges.ofWikis[page.wiki] ?? [:], &check, &plan.batch)
                for (id, parts) in joined.hit where purges.ofTitles[name]?[id] != parts {
                    shared[.purged]?.files["\(name)/\(id)"] = parts.text
                }
                tips[name] = joined.new
                if joined.isStained { take.stained.append(page) }
                if joined.new == nil, target != nil {
                    take.changes.append(
                        RemoteChange(reference: StoreLayout.branches + name, old: target?.description, new: nil))
                }
                guard joined.old != joined.new else { continue }
                plan.pages.append(joined)
                take.pages.append(
                    ExchangeTake.Page(
                        page: page, written: joined.written, purged: joined.purged, isNew: joined.old == nil,
                        isGone: joined.new == nil))
            } catch {
                untouched.insert(name)
                take.refused.append(ExchangeTake.Refusal(name: name, reason: error.reason))
            }
        }
        let joined = Set(plan.pages.map { StoreLayout.component(of: $0.page) })
        for (name, tip) in here.sorted(by: { $0.key < $1.key }) where !joined.contains(name) {
            guard let page = try? page(name, shared[.titles]?.files[name].map { String($0.dropLast()) }),
                try reader.stamp(of: page)?.commit != tip.description
            else { continue }
            plan.unpublished.append(page)
        }
        for (name, tip) in tips.sorted(by: { $0.key < $1.key }) where there[name] != tip && !untouched.contains(name) {
            if !joined.contains(name), let wiki = StoreLayout.wiki(ofComponent: name) {
                // Nobody's own commits go to others.
                do throws(TalkError) {
                    _ = try git("") { repository throws(GitError) in
                        try repository.records(from: tip, downTo: nil, wiki: wiki)
                    }
                } catch {
                    take.refused.append(
                        ExchangeTake.Refusal(name: name, reason: "the branch here has a commit that is no revision's"))
                    continue
                }
            }
            take.changes.append(
                RemoteChange(
                    reference: StoreLayout.branches + name, old: there[name]?.description, new: tip.description))
        }
        try git(subject) { repository throws(GitError) in
            for record in SharedRecord.allCases {
                guard let joined = shared[record] else { continue }
                let isNew = joined.files != joined.own
                let new = isNew ? try repository.insert(record, joined.files, into: &plan.batch) : joined.old
                plan.records.append((record, joined.old, new))
            }
        }
        try addShared(plan.records, main, of: remote, &take, subject)
        // Those that were bookmarked here before were fetched.
        let news = bookmarked.subtracting(Self.bookmarked(shared[.bookmarks]?.own ?? [:]))
        take.wantsMore = news.contains { evicted.contains($0) && tips[$0] == nil && !untouched.contains($0) }
        take.wikis = Set(tips.keys.compactMap { StoreLayout.wiki(ofComponent: $0) }).sorted()
        return plan
    }

    private func join(
        _ page: PageName, _ target: ObjectID?, _ purged: [RevisionID: PurgedParts], _ check: inout FetchedCheck,
        _ batch: inout ObjectBatch
    ) throws(Refusal) -> PagePlan {
        var found: Result<PagePlan, Refusal> = .failure(Refusal("the store cannot be opened"))
        do throws(TalkError) {
            try git("") { repository throws(GitError) in
                do throws(Refusal) {
                    found = .success(
                        try repository.plan(page, with: target, purged: purged, &check, into: &batch))
                } catch { found = .failure(error) }
            }
        } catch { throw Refusal(error.message) }
        return try found.get()
    }

    /// The page of a branch from elsewhere.
    private func page(_ name: String, _ title: String?) throws(Refusal) -> PageName {
        var page = StoreLayout.page(ofBranch: StoreLayout.branches + name)
        if page == nil, let title { page = StoreLayout.page(name, titled: title) }
        guard let page else {
            let names = StoreLayout.names(in: name)
            guard names.count == 3, names.allSatisfy({ RefComponent.isValid($0) }) else {
                throw Refusal("it is no page's branch")
            }
            throw Refusal("its title is too long for a branch, and nobody told the whole of it: pull the page once")
        }
        do throws(TalkError) { try self.check(page) } catch { throw Refusal(error.message) }
        return page
    }

    /// What of the shared records, and of `main`, the remote lacks.
    private func addShared(
        _ records: [(record: SharedRecord, old: ObjectID?, new: ObjectID?)], _ main: ObjectID?, of remote: String,
        _ take: inout ExchangeTake, _ subject: String
    ) throws(TalkError) {
        let (copies, own) = try git(subject) { repository throws(GitError) in
            var copies: [SharedRecord: ObjectID] = [:]
            for record in SharedRecord.allCases {
                copies[record] = try repository.resolve(StoreLayout.sharedTracking(remote) + record.name)
            }
            return (copies, try repository.resolve(StoreLayout.mainBranch))
        }
        // First what was purged: whoever fetches in the middle then leaves that out.
        var changes: [RemoteChange] = []
        for (record, _, new) in records where new != copies[record] {
            guard let new, !take.refused.contains(where: { $0.name == record.reference }) else { continue }
            changes.append(
                RemoteChange(reference: record.reference, old: copies[record]?.description, new: new.description))
        }
        if let main { take.hasOtherMain = main != own }
        if main == nil, let own {
            changes.append(RemoteChange(reference: StoreLayout.mainBranch, old: nil, new: own.description))
        }
        take.changes = changes + take.changes
    }

    // MARK: Changes of this store

    private func publish(_ plan: PagePlan, _ subject: String) throws(TalkError) {
        guard let new = plan.new else { return }
        try keep(plan)
        try changing(plan.page, subject) { () throws(TalkError) in
            if plan.old == nil {
                faults.reach("want page again")
                try onDisk(subject) { () throws(FileError) in try Files.remove(layout.evicted(plan.page)) }
            }
            faults.reach("move branch")
            try moveReference(StoreLayout.branch(of: plan.page), from: plan.old?.description, to: new, subject)
            if !plan.purged.isEmpty {
                faults.reach("remove threads")
                try onDisk(subject) { () throws(FileError) in try Files.remove(layout.threads(of: plan.page)) }
            }
            try publish(plan.page)
        }
    }

    /// Brings a page's directory to its branch.
    private func refresh(_ page: PageName, _ subject: String) throws(TalkError) {
        try changing(page, subject) { () throws(TalkError) in try publish(page) }
    }

    /// Before the branch, so that no page is without a state.
    private func keep(_ plan: PagePlan) throws(TalkError) {
        var state = try state(of: plan.page)
        if state == nil {
            let wiki = try wiki(plan.page.wiki)
            var new = PageState(page: plan.page, displayTitle: wiki?.localTitle(of: plan.page) ?? "\(plan.page)")
            new.isKept = true
            new.pageID = plan.newest?.page
            state = new
        } else if let newest = plan.newest, newest.page == state?.pageID, state?.latest != nil {
            // Another machine saw the wiki later than this one.
            state?.latest = newest.id
        } else {
            return
        }
        guard let state else { return }
        try put(state)
    }

    /// Removes a page of which nothing is left.
    private func remove(_ plan: PagePlan, _ subject: String) throws(TalkError) {
        guard let old = plan.old else { return }
        try changing(plan.page, subject, mode: .exclusive) { () throws(TalkError) in
            let isPending = try git(subject) { repository throws(GitError) in
                try repository.resolve(StoreLayout.pendingBranch(of: plan.page)) != nil
            }
            // The branch last: until then an exchange comes here again.
            try onDisk(subject) { () throws(FileError) in
                faults.reach("remove threads")
                try Files.remove(layout.threads(of: plan.page))
                if isPending { return }
                let directory = PageDirectory(layout: layout, page: plan.page, faults: faults)
                try directory.cleanUp()
                try directory.remove()
            }
            faults.reach("delete branch")
            try git(subject) { repository throws(GitError) in
                try repository.deleteReference(StoreLayout.branch(of: plan.page), from: old)
            }
            if isPending { try publish(plan.page) }
        }
    }

    // MARK: What is known

    private func sharedFiles(_ record: SharedRecord, _ subject: String) throws(TalkError) -> [String: String] {
        try git(subject) { repository throws(GitError) in
            try repository.files(of: record, at: try repository.resolve(record.reference))
        }
    }

    /// The titles that are too long for a branch, by the path of the branch: those of this machine, and what others told.
    func longTitles(_ subject: String) throws(TalkError) -> [String: String] {
        var titles = try sharedFiles(.titles, subject).mapValues { String($0.dropLast()) }
        for state in try reader.states() {
            let component = StoreLayout.component(of: state.page), names = StoreLayout.names(in: component)
            if SharedRecord.titles.isValid(state.page.title + "\n", at: names) { titles[component] = state.page.title }
        }
        return titles
    }

    /// Before the branch of a page whose title is too long for that: else no other machine could name it.
    func keepTitle(of page: PageName, _ subject: String) throws(TalkError) {
        guard StoreLayout.page(ofBranch: StoreLayout.branch(of: page)) == nil else { return }
        let record = SharedRecord.titles, name = StoreLayout.component(of: page)
        var attempts = 0
        while true {
            let (old, new) = try git(subject) { repository throws(GitError) in
                let old = try repository.resolve(record.reference)
                let files = try repository.files(of: record, at: old)
                guard files[name] == nil else { return (old, old) }
                var batch = ObjectBatch()
                let new = try repository.insert(
                    record, record.join(files, [name: page.title + "\n"]), into: &batch)
                try repository.write(batch)
                return (old, new)
            }
            guard let new, new != old else { return }
            faults.reach("move titles")
            do throws(TalkError) {
                return try moveReference(record.reference, from: old?.description, to: new, subject)
            } catch {
                // Another page with a long title came meanwhile.
                attempts += 1
                guard error.kind == .busy, attempts < 8 else { throw error }
            }
        }
    }

    /// What this machine adds to the shared titles.
    private func ownTitles(_ subject: String) throws(TalkError) -> [String: String] {
        let names = try git(subject) { repository throws(GitError) in
            try repository.references(under: StoreLayout.branches).map(\.name)
        }
        guard names.contains(where: { $0.utf8.contains(UInt8(ascii: "=")) }) else { return [:] }
        return try longTitles(subject).mapValues { $0 + "\n" }
    }

    private func evictedComponents(_ subject: String) throws(TalkError) -> [String] {
        let root = layout.evictions
        return try onDisk(subject) { () throws(FileError) in
            var found: [String] = []
            for wiki in try Files.list(root) ?? [] {
                for namespace in try Files.list("\(root)/\(wiki)") ?? [] {
                    for title in try Files.list("\(root)/\(wiki)/\(namespace)") ?? [] {
                        found.append("\(wiki)/\(namespace)/\(title)")
                    }
                }
            }
            return found
        }
    }

    private static func bookmarked(_ files: [String: String]) -> Set<String> {
        Set(files.filter { Int64($0.value.dropLast()).map { $0 % 2 == 1 } ?? false }.keys)
    }

    private static func component(_ name: String, _ prefix: String) -> String {
        String(decoding: name.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
    }

    /// Where a reference of a remote is kept here.
    private static func copy(_ name: String, _ remote: String) -> String? {
        if name.utf8.starts(with: StoreLayout.branches.utf8) {
            return StoreLayout.tracking(remote) + component(name, StoreLayout.branches)
        }
        guard name.utf8.starts(with: SharedRecord.prefix.utf8) else { return nil }
        return StoreLayout.sharedTracking(remote) + component(name, SharedRecord.prefix)
    }
}

/// What was purged, by the paths of the titles' branches and by wiki.
private struct Purges {
    var ofTitles: [String: [RevisionID: PurgedParts]] = [:]
    var ofWikis: [String: [RevisionID: PurgedParts]] = [:]

    init(_ files: [String: String]) {
        for (path, text) in files {
            let names = StoreLayout.names(in: path)
            guard let number = names.last.flatMap({ Int64($0) }), let wiki = StoreLayout.wiki(ofComponent: path) else {
                continue
            }
            let id = RevisionID(rawValue: number)
            let parts = PurgedParts(words: text.split(whereSeparator: \.isWhitespace))
            ofTitles[names.dropLast().joined(separator: "/"), default: [:]][id] = parts
            ofWikis[wiki, default: [:]][id, default: []].formUnion(parts)
        }
    }
}

/// A shared record of the store, joined with that of a remote.
private struct JoinedRecord {
    let old: ObjectID?
    let own: [String: String]
    var files: [String: String]

    /// How many files are not as they were.
    var news: Int { files.count { own[$0.key] != $0.value } }
}

extension Repository {
    /// Joins a shared record of a remote with that of the store and with what else this machine knows.
    fileprivate borrowing func join(
        _ record: SharedRecord, from remote: String, _ known: [String: String],
        refusing refused: inout [ExchangeTake.Refusal]
    ) throws(GitError) -> JoinedRecord {
        let old = try resolve(record.reference)
        let copy = try resolve(StoreLayout.sharedTracking(remote) + record.name)
        let own = try files(of: record, at: old)
        var joined = record.join(own, known)
        if let copy, copy != old, !refused.contains(where: { $0.name == record.reference }) {
            do throws(GitError) { joined = record.join(joined, try files(of: record, at: copy)) } catch {
                refused.append(ExchangeTake.Refusal(name: record.reference, reason: error.message))
            }
        }
        return JoinedRecord(old: old, own: own, files: joined)
    }
}
