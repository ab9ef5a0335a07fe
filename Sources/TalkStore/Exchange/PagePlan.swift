internal import TalkGit
internal import TalkPages

/// What a page becomes when a remote's branch is joined into it.
struct PagePlan {
    let page: PageName
    let old: ObjectID?
    /// nil when nothing is left.
    let new: ObjectID?
    let written: [RevisionID]
    /// What was purged of it now.
    let purged: [RevisionID: PurgedParts]
    /// What was purged of the revisions that are here or there.
    let hit: [RevisionID: PurgedParts]
    /// The newest record here afterwards, when it is one of the written.
    let newest: RevisionRecord?
    /// Whether the remote has something that was purged.
    let isStained: Bool
}

extension Repository {
    /// Joins a remote's branch, when there is one, into a page, and takes out of both what was purged.
    borrowing func plan(
        _ page: PageName, with target: ObjectID?, purged: [RevisionID: PurgedParts], _ check: inout FetchedCheck,
        into batch: inout ObjectBatch
    ) throws(Refusal) -> PagePlan {
        let old: ObjectID?
        let existing: [(id: ObjectID, commit: RevisionCommit)]
        do throws(GitError) {
            old = try resolve(StoreLayout.branch(of: page))
            existing = try records(from: old, downTo: nil, wiki: page.wiki).records
        } catch { throw Refusal("the branch here cannot be read: see git talk doctor") }
        var fetched: [RevisionCommit] = []
        if let target {
            fetched = try check.records(
                self, from: target, wiki: page.wiki, known: Set(existing.map(\.id)),
                knownTrees: Set(existing.map(\.commit.tree)))
        }
        let ids = Set(existing.map(\.commit.record.id) + fetched.map(\.record.id))
        let hit = purged.filter { ids.contains($0.key) }
        var isStained = false
        let incoming = fetched.compactMap { commit in
            let left = commit.without(purged[commit.record.id] ?? [], wiki: page.wiki)
            if left != commit { isStained = true }
            return left
        }
        var kept: [RevisionCommit] = []
        var taken: [RevisionID: PurgedParts] = [:]
        for (_, commit) in existing {
            let id = commit.record.id, left = commit.without(purged[id] ?? [], wiki: page.wiki)
            if let left { kept.append(left) }
            if left != commit { taken[id] = purged[id] }
        }
        do throws(GitError) {
            let joined = try UnionChain.union(kept, incoming, .greatest)
            // Only what comes after the first difference is made anew.
            let same = zip(existing, joined).prefix { $0.0.commit == $0.1 }.count
            let base = same > 0 ? existing[same - 1].id : nil
            var made = ObjectBatch()
            let new = try UnionChain.build(Array(joined[same...]), after: base, into: &made)
            // The remote's branch leads to them already.
            if new != target { batch.insert(contentsOf: made) }
            let before = Set(existing.map(\.commit))
            let written = joined.filter { !before.contains($0) && taken[$0.record.id] == nil }
            return PagePlan(
                page: page, old: old, new: new, written: written.map(\.record.id), purged: taken,
                hit: hit,
                newest: written.last.flatMap { $0 == joined.last ? $0.record : nil },
                // What was fetched before may be in the part that both have.
                isStained: isStained || (target != nil && !taken.isEmpty))
        } catch { throw Refusal("its commits cannot be put in order: \(error.message)") }
    }
}
