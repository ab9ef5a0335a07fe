internal import TalkGit
public import TalkPages

/// A revision that a store has.
public struct StoredRevision: Hashable, Sendable {
    /// What the wiki said of it.
    public let record: RevisionRecord
    /// Its commit, 40 hexadecimal digits; unlike the revision's id, it changes when an older revision is added.
    public let commit: String
    /// Its tree, 40 hexadecimal digits.
    public let tree: String
}

/// What adding revisions to a page did.
public struct AddResult: Hashable, Sendable {
    /// The newest revision before; nil when the page had none.
    public let previous: StoredRevision?
    /// The newest revision now; nil when the page has none.
    public let current: StoredRevision?
    /// The revisions that were new or took the place of another rendering, oldest first.
    public let written: [RevisionID]
}

extension Store {
    /// Adds revisions to a page: what is missing is put where it belongs in the order of time.
    ///
    /// A revision that the store has is left as it was first rendered, unless `format` or `render` of the record is
    /// greater. One pack is written, the branch is moved, then the page's directory, unless pending replies stand in
    /// it: then it waits for `replacePending`.
    @discardableResult
    public func add(
        _ revisions: [(record: RevisionRecord, content: PageContent)], to page: PageName
    ) async throws(TalkError) -> AddResult {
        let subject = "the page \(page) cannot be stored"
        try check(page)
        var batch = ObjectBatch()
        var commits: [RevisionCommit] = []
        for (record, content) in revisions {
            guard record.id.rawValue > 0, record.timestamp >= 0, record.format >= 0, record.render >= 0 else {
                throw TalkError(.invalid, "the wiki's answer on revision \(record.id) of \(page) cannot be right")
            }
            let tree = try PageFiles.insert(content, into: &batch)
            commits.append(RevisionCommit(record, tree: tree, wiki: page.wiki))
        }
        return try changing(page, subject) { () throws(TalkError) in
            try join(commits, batch, page, subject)
        }
    }

    /// Copies the revisions of a page id from the branch of its former title to that of its new one.
    ///
    /// Branches are never renamed: a title keeps the revisions that were seen at it.
    @discardableResult
    public func copyRevisions(
        of id: PageID, from former: PageName, to page: PageName
    ) async throws(TalkError) -> AddResult {
        let subject = "the page \(page) cannot be stored"
        try check(page)
        let wiki = former.wiki
        guard wiki == page.wiki else { throw TalkError(.internal, "a page cannot move to another wiki") }
        let commits = try git("the page \(former) cannot be read") { repository throws(GitError) in
            let tip = try repository.resolve(StoreLayout.branch(of: former))
            return try repository.records(from: tip, downTo: nil, wiki: wiki).records.map(\.commit)
        }
        return try changing(page, subject) { () throws(TalkError) in
            try join(commits.filter { $0.record.page == id }, ObjectBatch(), page, subject)
        }
    }

    /// The revisions of a page that the store has, oldest first; none when it has not got the page.
    public func records(of page: PageName) async throws(TalkError) -> [StoredRevision] {
        try git("the revisions of \(page) cannot be read") { repository throws(GitError) in
            let tip = try repository.resolve(StoreLayout.branch(of: page))
            return try repository.records(from: tip, downTo: nil, wiki: page.wiki).records.map(StoredRevision.init)
        }
    }

    /// The newest revision of a page that the store has.
    public func tip(of page: PageName) async throws(TalkError) -> StoredRevision? {
        try git("the page \(page) cannot be read") { repository throws(GitError) in
            try repository.tip(of: page).map(StoredRevision.init)
        }
    }

    /// A page as it was in a revision; nil when the store has not got that revision.
    public func content(of page: PageName, at id: RevisionID) async throws(TalkError) -> PageContent? {
        guard let revision = try await records(of: page).last(where: { $0.record.id == id }) else { return nil }
        return try await content(of: page, tree: revision.tree)
    }

    /// A page as one of its trees has it: `StoredRevision.tree`, `PageStamp.tree`.
    public func content(of page: PageName, tree hex: String) async throws(TalkError) -> PageContent? {
        guard let tree = ObjectID(hex: hex) else { return nil }
        return try git("the page \(page) cannot be read") { repository throws(GitError) in
            let files = Dictionary(try repository.pageFiles(of: tree).map { ($0.path, $0.id) }) { first, _ in first }
            let content = try PageFiles.content { path throws(GitError) in
                guard let id = files[path] else { return nil }
                return try repository.bytes(of: .blob, id)
            }
            guard let content else { throw GitError(.generic, "check", "\(tree) is no page's tree") }
            return content
        }
    }

    /// The files that differ between two trees of a page, sorted by path.
    public func changedFiles(of page: PageName, from old: String?, to new: String?) async throws(TalkError) -> [String]
    {
        try git("the page \(page) cannot be compared") { repository throws(GitError) in
            try repository.changes(from: old.flatMap { ObjectID(hex: $0) }, to: new.flatMap { ObjectID(hex: $0) }).map(
                \.path)
        }
    }

    /// The pages that the store has revisions of, sorted by wiki, namespace and title.
    ///
    /// A title that was too long for a branch name is known while the state of its page is, or when another store told it.
    public func pages() async throws(TalkError) -> [PageName] {
        let subject = "the list of pages cannot be read"
        let names = try git(subject) { repository throws(GitError) in
            try repository.references(under: StoreLayout.branches).map(\.name)
        }
        let own = names.filter(StoreLayout.isOwn).map { StoreLayout.component(of: $0, below: StoreLayout.branches) }
        let known = try longTitles(of: own, subject)
        return own.compactMap { StoreLayout.page(ofBranch: StoreLayout.branches + $0) ?? known[$0] }
    }

    /// Brings a page's directory to its pending branch or, without one, to its branch; it is removed when both are gone.
    ///
    /// Every change of a page ends with it. It is needed by itself after references were moved from outside, and when
    /// the files are damaged: `discardingFiles` then writes all of them anew.
    public func refresh(_ page: PageName, discardingFiles: Bool = false) async throws(TalkError) {
        try changing(page, "the files of the page \(page) cannot be written") { () throws(TalkError) in
            try publish(page, discardingFiles: discardingFiles)
        }
    }

    // MARK: Inside the page's lock

    private func join(
        _ commits: [RevisionCommit], _ contents: ObjectBatch, _ page: PageName, _ subject: String
    ) throws(TalkError) -> AddResult {
        let branch = StoreLayout.branch(of: page)
        var attempts = 0
        while true {
            let old = try git(subject) { repository throws(GitError) in try repository.tip(of: page) }
            var batch = contents
            let change = try git(subject) { repository throws(GitError) in
                try repository.change(old?.id, commits, page, &batch)
            }
            guard let tip = change.tip, tip != old?.id else {
                try publish(page)
                let current = old.map(StoredRevision.init)
                return AddResult(previous: current, current: current, written: [])
            }
            faults.reach("write pack")
            _ = try git(subject) { repository throws(GitError) in
                try repository.write(batch, present: repository.present(at: old?.id).union(change.present))
            }
            if old == nil {
                try keepTitle(of: page, subject)
                // Wanted again, if it was dropped.
                try onDisk(subject) { () throws(FileError) in try Files.remove(layout.evicted(page)) }
            }
            faults.reach("move branch")
            do throws(TalkError) {
                try git(subject) { repository throws(GitError) in
                    try repository.moveReference(branch, from: old?.id, to: tip)
                }
            } catch {
                // A git command, which takes no lock of ours, moved the branch: joining once more is right.
                attempts += 1
                guard error.kind == .busy, attempts < 8 else { throw error }
                continue
            }
            try publish(page)
            // Of the commits that were there none is in the branch any more.
            if change.replaced > 0 { try addGarbage(change.replaced * PackingRule.commitSize) }
            let current = try git(subject) { repository throws(GitError) in try repository.tip(of: page) }
            return AddResult(
                previous: old.map(StoredRevision.init), current: current.map(StoredRevision.init),
                written: change.written)
        }
    }

    /// Brings the page's directory to the tip of its pending branch or branch.
    func publish(_ page: PageName, discardingFiles: Bool = false) throws(TalkError) {
        let subject = "the files of the page \(page) cannot be written"
        let directory = PageDirectory(layout: layout, page: page, faults: faults)
        let target = try git(subject) { repository throws(GitError) in
            var tip = try repository.resolve(StoreLayout.pendingBranch(of: page))
            if tip == nil { tip = try repository.resolve(StoreLayout.branch(of: page)) }
            guard let commit = tip else { return nil as Target? }
            guard let text = CommitText(parsing: try repository.bytes(of: .commit, commit)) else {
                throw .notOurs(commit, "is no page's")
            }
            return Target(commit: commit, tree: text.tree, files: try repository.pageFiles(of: text.tree))
        }
        try onDisk(subject) { () throws(FileError) in try directory.cleanUp() }
        guard let target else { return try onDisk(subject) { () throws(FileError) in try directory.remove() } }
        let isDone = try onDisk(subject) { () throws(FileError) in
            guard !discardingFiles, let stamp = try directory.stamp(), stamp.tree == target.tree.description else {
                return false
            }
            if stamp.commit != target.commit.description { try directory.restamp(stamp, commit: target.commit) }
            return true
        }
        if isDone { return }
        faults.reach("build directory")
        try directory.publish(
            commit: target.commit, tree: target.tree, target.files, discardingFiles: discardingFiles
        ) { id throws(TalkError) in
            try git(subject) { repository throws(GitError) in try repository.bytes(of: .blob, id) }
        }
    }

    /// Throws unless the page's names fit into git and the file system.
    func check(_ page: PageName) throws(TalkError) { try layout.check(page) }
}

/// What a page's directory should equal.
private struct Target {
    let commit: ObjectID
    let tree: ObjectID
    let files: [PageFiles.Entry]
}

extension StoredRevision {
    init(_ found: (id: ObjectID, commit: RevisionCommit)) {
        self.init(record: found.commit.record, commit: found.id.description, tree: found.commit.tree.description)
    }
}

extension Repository {
    borrowing func tip(of page: PageName) throws(GitError) -> (id: ObjectID, commit: RevisionCommit)? {
        guard let id = try resolve(StoreLayout.branch(of: page)) else { return nil }
        guard let (commit, _) = RevisionCommit.parse(try bytes(of: .commit, id), wiki: page.wiki) else {
            throw .notOurs(id, "is no revision's")
        }
        return (id, commit)
    }

    /// Joins records into a branch: its new tip, the revisions that are not there as they were, how many commits were
    /// made anew, and which commits the branch leads to.
    ///
    /// Only the commits from the oldest new one on are read and made again, so an addition at the end costs the same
    /// however long the branch is.
    fileprivate borrowing func change(
        _ tip: ObjectID?, _ commits: [RevisionCommit], _ page: PageName, _ batch: inout ObjectBatch
    ) throws(GitError) -> (tip: ObjectID?, written: [RevisionID], replaced: Int, present: [ObjectID]) {
        // What was purged does not come back.
        let purged = try purged(of: page)
        let commits = commits.compactMap { $0.without(purged[$0.record.id] ?? [], wiki: page.wiki) }
        guard let first = commits.map(\.position).min() else { return (tip, [], 0, []) }
        let (existing, base) = try records(from: tip, downTo: first, wiki: page.wiki)
        let joined = try UnionChain.union(existing.map(\.commit), commits, .first)
        let before = Set(existing.map(\.commit))
        let written = joined.filter { !before.contains($0) }.map(\.record.id)
        let tip = try UnionChain.build(joined, after: base, into: &batch)
        return (tip, written, existing.count, existing.map(\.id))
    }
}
