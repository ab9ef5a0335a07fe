internal import TalkGit
public import TalkPages

/// Bookmarks travel between machines, so each page has a counter of the times that it was put on and taken off: odd means
/// that it is on, and of two machines the one that knows more is right.
extension Store {
    /// The bookmarked pages, sorted by wiki, namespace and title.
    ///
    /// One of another machine whose title was too long for a branch's name is left out while no state names it.
    public func bookmarks() async throws(TalkError) -> [PageName] {
        let names = try git("the bookmarks cannot be read") { repository throws(GitError) in
            try repository.bookmarks(at: try repository.resolve(BookmarkRecord.reference))
                .filter { $0.value % 2 == 1 }.map(\.key)
        }
        var known: [String: PageName] = [:]
        if names.contains(where: { StoreLayout.page(ofBranch: StoreLayout.branches + $0) == nil }) {
            for (component, title) in try longTitles("the bookmarks cannot be read") {
                known[component] = StoreLayout.page(component, titled: title)
            }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            .compactMap { StoreLayout.page(ofBranch: StoreLayout.branches + $0) ?? known[$0] }
    }

    /// Puts bookmarks on or takes them off; gives those of the pages of which that is new.
    @discardableResult
    public func bookmark(_ pages: [PageName], _ isOn: Bool) async throws(TalkError) -> [PageName] {
        for page in pages {
            try check(page)
            guard isOn, StoreLayout.page(ofBranch: StoreLayout.branch(of: page)) == nil else { continue }
            // Else nobody would know its title.
            if try reader.state(of: page) == nil {
                try await save(PageState(page: page, displayTitle: page.prefixedTitle))
            }
        }
        let subject = "the bookmarks cannot be changed"
        return try locked(subject) { () throws(TalkError) in
            for page in isOn ? pages : [] { try keepTitle(of: page, subject) }
            var attempts = 0
            while true {
                var batch = ObjectBatch()
                let plan = try git(subject) { repository throws(GitError) in
                    try repository.bookmark(pages, isOn, into: &batch)
                }
                if plan.changed.isEmpty { return [] }
                faults.reach("write pack")
                _ = try git(subject) { repository throws(GitError) in try repository.write(batch) }
                faults.reach("move bookmarks")
                do throws(TalkError) {
                    try git(subject) { repository throws(GitError) in
                        try repository.moveReference(BookmarkRecord.reference, from: plan.old, to: plan.new)
                    }
                    return plan.changed
                } catch {
                    // Somebody else put one on meanwhile.
                    attempts += 1
                    guard error.kind == .busy, attempts < 8 else { throw error }
                }
            }
        }
    }
}

/// The bookmarks as `refs/meta/bookmarks` has them: a commit without parent, of a tree of pages with a counter each.
enum BookmarkRecord {
    static let reference = "refs/meta/bookmarks"

    /// What each page has where two stores meet: the greater counter.
    static func joined(_ counters: [String: Int], _ others: [String: Int]) -> [String: Int] {
        counters.merging(others) { max($0, $1) }
    }

    /// The counters by `<wiki>/<Namespace>/<title>`, put into the batch; the same commit on every machine that has the same.
    static func commit(_ counters: [String: Int], into batch: inout ObjectBatch) throws(GitError) -> ObjectID {
        var wikis: [String: [String: [TreeEntry]]] = [:]
        for (name, counter) in counters {
            // By bytes: a title may begin with a character that joins with the slash before it.
            let parts = name.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
            let file = try batch.insert(.blob, Array("\(counter)\n".utf8))
            wikis[parts[0], default: [:]][parts[1], default: []].append(
                TreeEntry(name: parts[2], mode: .file, id: file))
        }
        var root: [TreeEntry] = []
        for (wiki, namespaces) in wikis {
            var entries: [TreeEntry] = []
            for (namespace, files) in namespaces {
                entries.append(TreeEntry(name: namespace, mode: .directory, id: try batch.insert(tree: files)))
            }
            root.append(TreeEntry(name: wiki, mode: .directory, id: try batch.insert(tree: entries)))
        }
        let text = CommitText(
            tree: try batch.insert(tree: root), parents: [], author: CommitText.committer(at: 0),
            committer: CommitText.committer(at: 0), subject: "Bookmarked pages", trailers: [])
        return try batch.insert(.commit, text.bytes)
    }
}

extension Repository {
    /// The counters by `<wiki>/<Namespace>/<title>` that a commit has; none without one.
    borrowing func bookmarks(at commit: ObjectID?) throws(GitError) -> [String: Int] {
        guard let commit else { return [:] }
        guard let text = CommitText(parsing: try bytes(of: .commit, commit)) else {
            throw GitError(.generic, "parse", "\(commit) is no record of bookmarks")
        }
        var counters: [String: Int] = [:]
        for wiki in try tree(text.tree) where wiki.mode == .directory {
            for namespace in try tree(wiki.id) where namespace.mode == .directory {
                for file in try tree(namespace.id) where file.mode == .file {
                    let counter = String(decoding: try bytes(of: .blob, file.id), as: UTF8.self).filter { $0 != "\n" }
                    // What is no counter is what nobody ever bookmarked.
                    guard let counter = Int(counter), counter > 0 else { continue }
                    counters["\(wiki.name)/\(namespace.name)/\(file.name)"] = counter
                }
            }
        }
        return counters
    }

    fileprivate borrowing func bookmark(
        _ pages: [PageName], _ isOn: Bool, into batch: inout ObjectBatch
    ) throws(GitError) -> (old: ObjectID?, new: ObjectID, changed: [PageName]) {
        let old = try resolve(BookmarkRecord.reference)
        var counters = try bookmarks(at: old)
        var changed: [PageName] = []
        for page in pages {
            let name = StoreLayout.component(of: page), counter = counters[name] ?? 0
            guard (counter % 2 == 1) != isOn else { continue }
            counters[name] = counter + 1
            changed.append(page)
        }
        return (old, try BookmarkRecord.commit(counters, into: &batch), changed)
    }
}
