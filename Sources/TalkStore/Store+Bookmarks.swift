internal import TalkGit
public import TalkPages

/// Bookmarks travel between machines, so each page has a counter of the times that it was put on and taken off: odd means
/// that it is on, and of two machines the one that knows more is right.
extension Store {
    /// The bookmarked pages, sorted by wiki, namespace and title.
    ///
    /// One of another machine whose title was too long for a branch's name is left out while no state names it.
    public func bookmarks() async throws(TalkError) -> [PageName] {
        let subject = "the bookmarks cannot be read"
        let names = try git(subject) { repository throws(GitError) in
            SharedRecord.bookmarked(try repository.bookmarks().files)
        }
        let known = try longTitles(of: Array(names), subject)
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
                guard let new = plan.new, !plan.changed.isEmpty else { return [] }
                faults.reach("write pack")
                _ = try git(subject) { repository throws(GitError) in
                    try repository.write(batch, present: repository.present(at: plan.old))
                }
                faults.reach("move bookmarks")
                do throws(TalkError) {
                    try git(subject) { repository throws(GitError) in
                        try repository.moveReference(SharedRecord.bookmarks.reference, from: plan.old, to: new)
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

extension Repository {
    /// The counters of the bookmarks, as files.
    fileprivate borrowing func bookmarks() throws(GitError) -> (commit: ObjectID?, files: [String: String]) {
        let commit = try resolve(SharedRecord.bookmarks.reference)
        // What is no counter is what nobody ever bookmarked.
        return (commit, try files(of: .bookmarks, at: commit, isLenient: true))
    }

    fileprivate borrowing func bookmark(
        _ pages: [PageName], _ isOn: Bool, into batch: inout ObjectBatch
    ) throws(GitError) -> (old: ObjectID?, new: ObjectID?, changed: [PageName]) {
        var (old, files) = try bookmarks()
        var changed: [PageName] = []
        for page in pages {
            let name = StoreLayout.component(of: page), counter = SharedRecord.counter(files[name])
            // At the end of the counter, which only somebody of ill will reaches, it stays as it is.
            guard (counter % 2 == 1) != isOn, counter < SharedRecord.greatestCounter else { continue }
            files[name] = "\(counter + 1)\n"
            changed.append(page)
        }
        return (old, changed.isEmpty ? old : try insert(.bookmarks, files, into: &batch), changed)
    }
}
