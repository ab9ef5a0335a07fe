internal import TalkGit
internal import TalkPages

/// The histories of pages: what is whole of them is kept, and the rest is named for the next pull.
extension Store {
    /// What a branch has in it.
    private struct Sight {
        /// The records that are whole, newest first.
        var whole: [RevisionCommit] = []
        /// Revisions of which the files, or all, are lost.
        var lost: Set<RevisionID> = []
        /// Whether the branch ends where more should come.
        var isCut = false
        /// Whether its reference is lost, which may have led to a commit of a reply.
        var isLost = false
        /// The last record above that.
        var edge: RevisionRecord?
        /// Whether commits stand in the wrong order.
        var isMisordered = false
        /// Number of commits that are no revision's.
        var foreign = 0
        /// Number of commits of replies that wait.
        var replies = 0
        /// Whether something is in it that was purged.
        var isStained = false

        var isSound: Bool {
            lost.isEmpty && !isCut && !isLost && !isMisordered && foreign == 0 && replies == 0 && !isStained
        }
    }

    func examinePages(_ examination: inout Examination) throws(TalkError) {
        let branches = examination.references(under: StoreLayout.branches)
        let components = branches.map { StoreLayout.component(of: $0.name, below: StoreLayout.branches) }
        let titles = (try? longTitles(of: components, "the store cannot be examined")) ?? [:]
        for (name, target) in branches {
            if name == StoreLayout.mainBranch || name.hasPrefix(StoreLayout.pendingBranches) { continue }
            let component = String(name.utf8.dropFirst(StoreLayout.branches.utf8.count)) ?? ""
            guard StoreLayout.names(in: component).count == 3, let wiki = StoreLayout.wiki(ofComponent: component)
            else { continue }
            let page = StoreLayout.page(ofBranch: name) ?? titles[component]
            try examine(name, wiki, page, target, &examination)
        }
    }

    private func examine(
        _ branch: String, _ wiki: String, _ page: PageName?, _ target: ObjectID?, _ examination: inout Examination
    ) throws(TalkError) {
        let purged =
            try page.map { page throws(TalkError) in
                try read { repository throws(GitError) in try repository.purged(of: page) } ?? [:]
            } ?? [:]
        // A reference that is lost may have led where the page's files came from.
        let stamped = try page.map { page throws(TalkError) in try reader.stamp(of: page)?.commit } ?? nil
        let start = target ?? stamped.flatMap { ObjectID(hex: $0) }
        var sight = try look(from: start, wiki, purged, &examination)
        sight.isCut = sight.isCut || start == nil
        sight.isLost = target == nil
        if sight.isSound { return }
        if sight.isCut { try search(page, wiki, purged, &sight, &examination) }
        let kept = try inGit("the history of a page cannot be joined") { () throws(GitError) in
            try UnionChain.union([], sight.whole, .greatest)
        }
        if examination.repairs { try rebuild(branch, page, target, kept, sight, &examination) }
        tell(branch, page, kept.count, sight, &examination)
    }

    private func look(
        from tip: ObjectID?, _ wiki: String, _ purged: [RevisionID: PurgedParts], _ examination: inout Examination
    ) throws(TalkError) -> Sight {
        var sight = Sight()
        var next = tip
        var seen: Set<ObjectID> = []
        while let id = next {
            guard seen.insert(id).inserted, examination.objects.isWhole(id),
                let bytes = try read({ repository throws(GitError) in try repository.bytes(of: .commit, id) })
            else {
                sight.isCut = true
                break
            }
            guard let (commit, parent) = RevisionCommit.parse(bytes, wiki: wiki) else {
                if examination.objects.replies[id] == nil { sight.foreign += 1 } else { sight.replies += 1 }
                next = CommitLinks(parsing: bytes)?.parents.first
                continue
            }
            if let later = sight.edge, commit.position >= RevisionCommit.Position(later) { sight.isMisordered = true }
            sight.edge = commit.record
            next = parent
            try take(commit, wiki, purged, &sight, &examination)
        }
        return sight
    }

    private func take(
        _ commit: RevisionCommit, _ wiki: String, _ purged: [RevisionID: PurgedParts], _ sight: inout Sight,
        _ examination: inout Examination
    ) throws(TalkError) {
        let left = commit.without(purged[commit.record.id] ?? [], wiki: wiki)
        if left != commit { sight.isStained = true }
        guard let left else { return }
        if try isWholePage(left.tree, &examination) {
            sight.whole.append(left)
            sight.lost.remove(left.record.id)
        } else if !sight.whole.contains(where: { $0.record.id == left.record.id }) {
            sight.lost.insert(left.record.id)
        }
    }

    /// Whether all files of a page are there, and no others.
    private func isWholePage(_ tree: ObjectID, _ examination: inout Examination) throws(TalkError) -> Bool {
        if let known = examination.objects.pages[tree] { return known }
        var isWhole = try isWhole(tree: tree, &examination)
        if isWhole {
            isWhole =
                try read { repository throws(GitError) in
                    try repository.checkPage(tree)
                    return true
                } ?? false
        }
        examination.objects.pages[tree] = isWhole
        return isWhole
    }

    /// Finds below the cut what no branch leads to any more: the revisions of this page among all that the store has.
    private func search(
        _ page: PageName?, _ wiki: String, _ purged: [RevisionID: PurgedParts], _ sight: inout Sight,
        _ examination: inout Examination
    ) throws(TalkError) {
        var ids = Set(sight.whole.map(\.record.page))
        if let edge = sight.edge { ids.insert(edge.page) }
        if ids.isEmpty, let page, let id = try reader.state(of: page)?.pageID { ids = [id] }
        let edge = sight.edge.map { RevisionCommit.Position($0) }
        for commit in (examination.objects.revisions[wiki] ?? [:]).values where ids.contains(commit.record.page) {
            if let edge, commit.position >= edge { continue }
            var found = sight
            try take(commit, wiki, purged, &found, &examination)
            sight.whole = found.whole
            sight.lost = found.lost
        }
        let known = Set(sight.whole.map(\.record.id))
        sight.lost.subtract(known)
        // The one that stood there is the one before on the wiki, unless that was never cached.
        if let parent = sight.edge?.parent, parent.rawValue > 0, !known.contains(parent),
            purged[parent]?.isWhole != true
        {
            sight.lost.insert(parent)
        }
    }

    private func rebuild(
        _ branch: String, _ page: PageName?, _ old: ObjectID?, _ kept: [RevisionCommit], _ sight: Sight,
        _ examination: inout Examination
    ) throws(TalkError) {
        let subject = "the history of \(page.map { "\($0)" } ?? branch) cannot be made anew"
        var batch = ObjectBatch()
        let tip = try inGit(subject) { () throws(GitError) in try UnionChain.build(kept, after: nil, into: &batch) }
        faults.reach("write pack")
        _ = try git(subject) { repository throws(GitError) in try repository.write(batch) }
        // Before the branch: the pull that follows must know what to bring.
        if let page { try remember(sight, of: page) }
        if sight.foreign > 0, let old, try isWhole(history: old, &examination) {
            let name = StoreLayout.aside(branch)
            let before = try git(subject) { repository throws(GitError) in try repository.resolve(name) }
            if before != old { try moveReference(name, from: before?.description, to: old, subject) }
        }
        faults.reach("move branch")
        if let tip {
            if tip != old { try moveReference(branch, from: old?.description, to: tip, subject) }
            examination.references[branch] = tip
        } else {
            if let old {
                try git(subject) { repository throws(GitError) in try repository.deleteReference(branch, from: old) }
            }
            examination.references[branch] = nil
        }
        examination.lostReferences.remove(branch)
        for id in batch.names { examination.objects.whole.insert(id) }
        if sight.isStained, let page {
            for copy in try git(subject, { repository throws(GitError) in try repository.copies(of: page) }) {
                try git(subject) { repository throws(GitError) in
                    try repository.deleteReference(copy.name, from: copy.target)
                }
                examination.references[copy.name] = nil
            }
        }
    }

    private func remember(_ sight: Sight, of page: PageName) throws(TalkError) {
        var state = try reader.state(of: page) ?? PageState(page: page, displayTitle: page.prefixedTitle)
        let lost = sight.lost.union(state.lost ?? []).subtracting(sight.whole.map(\.record.id)).sorted()
        guard sight.isCut || !lost.isEmpty else { return }
        // It stays, and what a back-fill remembers of its history is no longer so.
        state.isKept = true
        state.history = nil
        state.pageID = state.pageID ?? sight.edge?.page
        state.lost = lost.isEmpty ? nil : lost
        try write(state, durable: true)
    }

    private func tell(
        _ branch: String, _ page: PageName?, _ kept: Int, _ sight: Sight, _ examination: inout Examination
    ) {
        var faults: [String] = []
        if !sight.lost.isEmpty {
            let ids = sight.lost.sorted().prefix(5).map(\.description).joined(separator: ", ")
            let more = sight.lost.count > 5 ? " and \(sight.lost.count - 5) more" : ""
            faults.append("\(sight.lost.count == 1 ? "revision" : "revisions") \(ids)\(more) cannot be read")
        } else if sight.isCut {
            faults.append("a part of its history cannot be read")
        }
        if sight.isLost && faults.isEmpty { faults.append("its branch is lost") }
        if sight.isMisordered { faults.append("revisions stand in the wrong order") }
        if sight.foreign > 0 {
            faults.append("\(sight.foreign == 1 ? "a commit is" : "\(sight.foreign) commits are") no revision's")
        }
        if sight.replies > 0 && !sight.isLost { faults.append("a reply that waits stands on its branch") }
        if sight.isStained { faults.append("there is something in it that was purged") }
        let isCut = sight.isCut || !sight.lost.isEmpty
        let count = kept == 1 ? "the revision that is" : "the \(kept) revisions that are"
        let title = page?.prefixedTitle ?? branch
        examination.add(
            .history, "\(title): \(faults.joined(separator: ", and "))", page: page,
            repair: (kept == 0 ? "taken out" : "made anew of \(count) whole")
                + (sight.foreign > 0 ? "; the old branch is \(StoreLayout.aside(branch))" : ""),
            hint: isCut ? "bring the rest again: git talk pull \(ShellWord.quoted(title))" : nil)
    }
}
