internal import TalkGit
internal import TalkPages

/// A title may be too long for the name of a branch, which then ends in a digest of it; who has only that cannot name the
/// page. So a state of this machine or the record `titles`, which travels, has the whole title.
extension Store {
    /// The pages of these paths of branches that are too long for that, as far as the store knows them.
    func longTitles(of components: [String], _ subject: String) throws(TalkError) -> [String: PageName] {
        let long = components.filter { StoreLayout.page(ofBranch: StoreLayout.branches + $0) == nil }
        if long.isEmpty { return [:] }
        let told = try sharedFiles(.titles, subject)
        var found: [String: PageName] = [:]
        for component in long {
            var title = told[component].map { String($0.dropLast()) }
            if title == nil { title = try reader.title(at: component) }
            found[component] = title.flatMap { StoreLayout.page(component, titled: $0) }
        }
        return found
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
                try repository.write(batch, present: repository.present(at: old))
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
    func ownTitles(_ subject: String) throws(TalkError) -> [String: String] {
        let names = try git(subject) { repository throws(GitError) in
            try repository.references(under: StoreLayout.branches).map(\.name)
        }
        let cut = names.filter { StoreLayout.isOwn($0) && $0.utf8.contains(UInt8(ascii: "=")) }
            .map { StoreLayout.component(of: $0, below: StoreLayout.branches) }
        return try longTitles(of: cut, subject).mapValues { $0.title + "\n" }
    }

    func sharedFiles(_ record: SharedRecord, _ subject: String) throws(TalkError) -> [String: String] {
        try git(subject) { repository throws(GitError) in
            try repository.files(of: record, at: try repository.resolve(record.reference))
        }
    }
}
