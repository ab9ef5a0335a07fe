internal import TalkGit
internal import TalkPages

/// A page's branch as a set of records: which of two stays, in which order, and as which commits.
///
/// The branch is a function of the set alone, so that joining two stores is the union of their sets.
enum UnionChain {
    /// Which of two records of one revision stays.
    enum Join {
        /// The one that is there, unless the new one has a newer format or was rendered again on request.
        case first
        /// The greater one in (format, render, digest): the same on every machine, whatever came first.
        case greatest
    }

    /// Joins two sets of records, sorted.
    static func union(
        _ existing: [RevisionCommit], _ new: [RevisionCommit], _ join: Join
    ) throws(GitError) -> [RevisionCommit] {
        var set: [RevisionCommit.Position: RevisionCommit] = [:]
        for commit in existing { set[commit.position] = commit }
        for commit in new {
            guard let other = set[commit.position] else {
                set[commit.position] = commit
                continue
            }
            if try replaces(commit, other, join) { set[commit.position] = commit }
        }
        return set.values.sorted { $0.position < $1.position }
    }

    private static func replaces(
        _ new: RevisionCommit, _ old: RevisionCommit, _ join: Join
    ) throws(GitError) -> Bool {
        let a = (new.record.format, new.record.render), b = (old.record.format, old.record.render)
        if a != b { return a > b }
        return switch join {
        case .first: false
        case .greatest: try new.digest() > old.digest()
        }
    }

    /// Puts the commits of sorted records into the batch, the first one after `base`, and gives the last one's name.
    static func build(
        _ commits: [RevisionCommit], after base: ObjectID?, into batch: inout ObjectBatch
    ) throws(GitError) -> ObjectID? {
        var tip = base
        for commit in commits { tip = try batch.insert(.commit, commit.bytes(parent: tip)) }
        return tip
    }
}

extension Repository {
    /// The records of a branch from `tip` back to `first`, oldest first, and the commit before them.
    ///
    /// With `first` nil, all of them. Throws when a commit is no revision's: somebody committed onto the branch.
    borrowing func records(
        from tip: ObjectID?, downTo first: RevisionCommit.Position?, wiki: String
    ) throws(GitError) -> (records: [(id: ObjectID, commit: RevisionCommit)], base: ObjectID?) {
        var records: [(id: ObjectID, commit: RevisionCommit)] = []
        var next = tip
        while let id = next {
            guard let (commit, parent) = RevisionCommit.parse(try bytes(of: .commit, id), wiki: wiki) else {
                throw .notOurs(id, "is no revision's")
            }
            if let first, commit.position < first { break }
            records.append((id, commit))
            next = parent
        }
        return (records.reversed(), next)
    }
}
