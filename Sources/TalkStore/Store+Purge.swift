internal import TalkGit
public import TalkPages

extension Store {
    /// What was purged of the revisions of a page.
    public func purged(of page: PageName) async throws(TalkError) -> [RevisionID: PurgedParts] {
        try git("what was purged of \(page) cannot be read") { repository throws(GitError) in
            try repository.purged(of: page)
        }
    }

    /// Whether anything was ever purged from this store.
    public func hasPurged() async throws(TalkError) -> Bool {
        try git("what was purged cannot be read") { repository throws(GitError) in
            try repository.resolve(PurgeRecord.reference) != nil
        }
    }

    /// Whether the store has an object, referred to or not; `hex` is its name.
    public func hasObject(_ hex: String) async throws(TalkError) -> Bool {
        guard let id = ObjectID(hex: hex) else { return false }
        reopen()
        return try git("the store cannot be opened") { repository throws(GitError) in repository.contains(id) }
    }

    /// Takes parts of revisions out of a page's history for good, and says what was there to take.
    ///
    /// The record is written first, so what was purged does not come back, from the wiki or from another store, whatever
    /// stops this half-way. A revision without text is left out of the branch. The old objects are no longer referred
    /// to but by a pending branch, which is to be fitted anew; they are gone when the store is packed after that.
    public func purge(
        _ parts: [RevisionID: PurgedParts], of page: PageName
    ) async throws(TalkError) -> [RevisionID: PurgedParts] {
        let subject = "the hidden parts of \(page) cannot be purged", branch = StoreLayout.branch(of: page)
        return try changing(page, subject, mode: .exclusive) { () throws(TalkError) in
            var batch = ObjectBatch()
            let plan = try git(subject) { repository throws(GitError) in
                try repository.purge(parts, of: page, into: &batch)
            }
            if !plan.taken.isEmpty { try addGarbage(PackingRule.purged) }
            faults.reach("write pack")
            _ = try git(subject) { repository throws(GitError) in
                try repository.write(batch, present: repository.present(at: plan.oldRecord))
            }
            faults.reach("move purge record")
            if plan.oldRecord != plan.record {
                try moveReference(PurgeRecord.reference, from: plan.oldRecord?.description, to: plan.record, subject)
            }
            // They would keep the objects, and bring them back with the next exchange.
            for copy in plan.copies {
                faults.reach("delete remote-tracking branch")
                try git(subject) { repository throws(GitError) in
                    try repository.deleteReference(copy.name, from: copy.target)
                }
            }
            if let old = plan.oldTip, plan.tip != old {
                faults.reach("move branch")
                if let tip = plan.tip {
                    try moveReference(branch, from: old.description, to: tip, subject)
                } else {
                    try git(subject) { repository throws(GitError) in try repository.deleteReference(branch, from: old)
                    }
                }
            }
            faults.reach("remove threads")
            try onDisk(subject) { () throws(FileError) in try Files.remove(layout.threads(of: page)) }
            try publish(page)
            return plan.taken
        }
    }

    /// Adds to the log of what was purged the lines that are not in it, with `time`.
    public func logPurge(
        _ parts: [RevisionID: PurgedParts], of page: PageName, at time: String
    ) async throws(TalkError) {
        let subject = "the log of what was purged cannot be written", path = layout.purgeLog
        let lines = parts.sorted { $0.key < $1.key }.map { id, parts in
            " \(StoreLayout.component(of: page)) \(id) \(parts.words.joined(separator: " "))"
        }
        try locked(subject, mode: .exclusive) { () throws(TalkError) in
            try onDisk(subject) { () throws(FileError) in
                let old = try Files.read(path) ?? []
                let known = Set(
                    String(decoding: old, as: UTF8.self).split(separator: "\n").map { $0.drop { $0 != " " } })
                let new = lines.filter { !known.contains($0[...]) }
                if new.isEmpty { return }
                faults.reach("write purge log")
                try Files.replace(
                    path, old + Array(new.map { time + $0 + "\n" }.joined().utf8), mode: 0o600, scratch: scratch(path),
                    durable: true)
            }
        }
    }
}

/// What a purge is going to do.
private struct PurgePlan {
    let oldRecord: ObjectID?
    let record: ObjectID
    let oldTip: ObjectID?
    let tip: ObjectID?
    let copies: [Reference]
    let taken: [RevisionID: PurgedParts]
}

extension Repository {
    fileprivate borrowing func purge(
        _ parts: [RevisionID: PurgedParts], of page: PageName, into batch: inout ObjectBatch
    ) throws(GitError) -> PurgePlan {
        let all = try purged(of: page).merging(parts) { $0.union($1) }
        let record = try purgeRecord(all, of: page, into: &batch)
        let oldTip = try resolve(StoreLayout.branch(of: page))
        let commits = try records(from: oldTip, downTo: nil, wiki: page.wiki).records.map(\.commit)
        var kept: [RevisionCommit] = []
        var taken: [RevisionID: PurgedParts] = [:]
        for commit in commits {
            let id = commit.record.id, left = commit.without(all[id] ?? [], wiki: page.wiki)
            if let left { kept.append(left) }
            if left != commit { taken[id] = all[id] }
        }
        return PurgePlan(
            oldRecord: try resolve(PurgeRecord.reference), record: record, oldTip: oldTip,
            tip: try UnionChain.build(kept, after: nil, into: &batch),
            copies: taken.isEmpty ? [] : try copies(of: page),
            taken: taken)
    }

    /// Remote-tracking branches of a page.
    borrowing func copies(of page: PageName) throws(GitError) -> [Reference] {
        try references(under: StoreLayout.remoteBranches).filter { $0.isCopy(of: page) }
    }
}

extension Reference {
    /// Whether it is a remote-tracking branch of the page.
    func isCopy(of page: PageName) -> Bool {
        // By bytes: a title may begin with a character that joins with the slash before it.
        name.utf8.reversed().starts(with: ("/" + StoreLayout.component(of: page)).utf8.reversed())
    }
}
