internal import TalkGit
public import TalkPages

extension Store {
    /// The pending replies of a page in order, and what they stand on.
    public func pendingBranch(of page: PageName) async throws(TalkError) -> PendingBranch {
        try standing(of: page, "the pending replies of \(page) cannot be read")
    }

    private func standing(of page: PageName, _ subject: String) throws(TalkError) -> PendingBranch {
        // What the wiki said is asked for again where it cannot be read.
        let latest = (try? reader.state(of: page))?.newest
        return try git(subject) { repository throws(GitError) in
            try repository.pendingBranch(of: page, latest: latest)
        }
    }

    /// The pages that have a pending branch, sorted by wiki, namespace and title.
    public func pagesWithPendingReplies() async throws(TalkError) -> [PageName] {
        let names = try git("the pending replies cannot be listed") { repository throws(GitError) in
            try repository.references(under: StoreLayout.pendingBranches).map(\.name)
        }
        let unnamed = names.contains { StoreLayout.page(ofBranch: $0) == nil }
        var known: [String: PageName] = [:]
        for state in unnamed ? try reader.states() : [] {
            known[StoreLayout.pendingBranch(of: state.page)] = state.page
        }
        return names.compactMap { StoreLayout.page(ofBranch: $0) ?? known[$0] }
    }

    /// Commits a reply onto a page's pending branch and puts it into the page's directory.
    ///
    /// `placed.content` is the page with all pending replies in place, this one included, made from what `branch` says.
    /// Throws `.busy` when the branch or, without one, the page has changed since; then read again and place anew. A
    /// reply whose id is on the branch already is left there.
    @discardableResult
    public func appendPending(_ placed: PlacedReply, to branch: PendingBranch) async throws(TalkError) -> PendingBranch
    {
        let page = branch.page, subject = "the reply to \(page) cannot be kept"
        try check(page)
        return try changing(page, subject) { () throws(TalkError) in
            let seen = try standing(of: page, subject)
            if seen.commits.contains(where: { $0.reply.id == placed.reply.id }) {
                try publish(page)
                return seen
            }
            guard seen.tip == branch.tip, seen.tip != nil || seen.base?.commit == branch.base?.commit else {
                throw Self.hasChanged(page)
            }
            var batch = ObjectBatch()
            let replies = branch.commits.map(\.reply) + [placed.reply]
            let parent = seen.tip ?? seen.base?.commit
            let tip = try commit(placed, replies, parent.flatMap { ObjectID(hex: $0) }, page, &batch, subject)
            return try move(seen, to: tip, batch, subject)
        }
    }

    /// Makes a page's pending branch anew on `branch.base`, from the replies that are left, or deletes it when
    /// none is, and brings the page's directory there.
    ///
    /// Throws `.busy` when the branch or the page has changed since `branch` was read.
    @discardableResult
    public func replacePending(
        _ branch: PendingBranch, with replies: [PlacedReply]
    ) async throws(TalkError) -> PendingBranch {
        let page = branch.page, subject = "the pending replies of \(page) cannot be rebased"
        return try changing(page, subject, mode: replies.isEmpty ? .exclusive : .shared) { () throws(TalkError) in
            let seen = try standing(of: page, subject)
            guard seen.tip == branch.tip, seen.base?.commit == branch.base?.commit else { throw Self.hasChanged(page) }
            guard !replies.isEmpty else { return try delete(seen, subject) }
            var batch = ObjectBatch()
            var tip = seen.base.flatMap { ObjectID(hex: $0.commit) }
            for (index, placed) in replies.enumerated() {
                tip = try commit(placed, replies[...index].map(\.reply), tip, page, &batch, subject)
            }
            return try move(seen, to: tip, batch, subject)
        }
    }

    private static func hasChanged(_ page: PageName) -> TalkError {
        TalkError(.busy, "\(page) was changed by another program meanwhile", hint: "try again")
    }

    private func commit(
        _ placed: PlacedReply, _ replies: [PendingReply], _ parent: ObjectID?, _ page: PageName,
        _ batch: inout ObjectBatch, _ subject: String
    ) throws(TalkError) -> ObjectID {
        let tree = try PageFiles.insert(placed.content, pending: replies, into: &batch)
        let text = PendingCommitText.make(placed, tree: tree, parent: parent, wiki: page.wiki)
        return try inGit(subject) { () throws(GitError) in try batch.insert(.commit, text.bytes) }
    }

    private func move(
        _ branch: PendingBranch, to tip: ObjectID?, _ batch: ObjectBatch, _ subject: String
    ) throws(TalkError) -> PendingBranch {
        let page = branch.page
        if let tip, tip.description != branch.tip {
            faults.reach("write pack")
            _ = try git(subject) { repository throws(GitError) in
                let below = [branch.tip, branch.base?.commit].map { $0.flatMap { ObjectID(hex: $0) } }
                let present = repository.present(at: below[0]).union(repository.present(at: below[1]))
                return try repository.write(batch, present: present)
            }
            faults.reach("move pending branch")
            try moveReference(StoreLayout.pendingBranch(of: page), from: branch.tip, to: tip, subject)
        }
        try publish(page)
        return try standing(of: page, subject)
    }

    private func delete(_ branch: PendingBranch, _ subject: String) throws(TalkError) -> PendingBranch {
        let page = branch.page
        if let tip = branch.tip.flatMap({ ObjectID(hex: $0) }) {
            faults.reach("delete pending branch")
            try git(subject) { repository throws(GitError) in
                try repository.deleteReference(StoreLayout.pendingBranch(of: page), from: tip)
            }
        }
        try publish(page)
        return try standing(of: page, subject)
    }

    /// Moves a reference that still names `old`.
    func moveReference(
        _ name: String, from old: String?, to new: ObjectID, _ subject: String
    ) throws(TalkError) {
        let expected = old.flatMap { ObjectID(hex: $0) }
        try git(subject) { repository throws(GitError) in
            try repository.moveReference(name, from: expected, to: new)
        }
    }
}
