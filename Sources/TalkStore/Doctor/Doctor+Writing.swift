internal import TalkGit
internal import TalkPages

/// What the user wrote: journals, pending branches, replies that were set aside.
extension Store {
    func examineWriting(_ examination: inout Examination) throws(TalkError) {
        var onBranch: Set<String> = []
        let branches = examination.references(under: StoreLayout.pendingBranches)
        for (name, target) in branches {
            onBranch.formUnion(try examinePending(name, target, &examination))
        }
        let names = Set(branches.map(\.name))
        for page in Set(try reader.outbox().entries.map(\.page)).sorted(by: { "\($0)" < "\($1)" })
        where !names.contains(StoreLayout.pendingBranch(of: page)) {
            try compare([], page, &examination)
        }
        for id in try reader.outbox().unreadable {
            try examineJournal(id, isOnBranch: onBranch.contains(id), &examination)
        }
        try examineDiscarded(&examination)
    }

    // MARK: Pending branches

    /// Examines the pending branch of a page, and gives the ids of its replies, none where it is removed.
    private func examinePending(
        _ name: String, _ target: ObjectID?, _ examination: inout Examination
    ) throws(TalkError) -> Set<String> {
        let component = String(name.utf8.dropFirst(StoreLayout.pendingBranches.utf8.count)) ?? ""
        var page = StoreLayout.page(ofBranch: name)
        if page == nil { page = try reader.states().map(\.page).first { StoreLayout.component(of: $0) == component } }
        if let target, try isWhole(history: target, &examination), let page {
            let branch = try read { repository throws(GitError) in
                try repository.pendingBranch(of: page, latest: nil)
            }
            // Where the page's own branch is damaged, that is told of it.
            var replies = branch?.commits.map(\.reply) ?? []
            if branch == nil { replies = try self.replies(in: target, examination) }
            if branch != nil || !replies.isEmpty {
                try compare(replies, page, &examination)
                return Set(replies.map(\.id))
            }
        }
        var replies: [PendingReply] =
            try target.map { target throws(TalkError) in
                try self.replies(in: target, examination)
            } ?? []
        if let page { replies += try repliesInFiles(of: page) }
        var rescued: Set<String> = []
        for reply in replies where rescued.insert(reply.id).inserted {
            try rescue(reply, of: page, name, &examination)
        }
        if examination.repairs, let target {
            faults.reach("delete pending branch")
            try git("the pending replies cannot be repaired") { repository throws(GitError) in
                try repository.deleteReference(name, from: target)
            }
            examination.references[name] = nil
        }
        examination.add(
            .pending, "\(page?.prefixedTitle ?? component): the branch with the replies that wait is damaged",
            page: page,
            repair: "made anew from their journals")
        return []
    }

    /// The replies that a tip of a pending branch has, as far as they can be read.
    private func replies(in tip: ObjectID, _ examination: Examination) throws(TalkError) -> [PendingReply] {
        let files =
            try read { repository throws(GitError) in
                guard let tree = CommitLinks(parsing: try repository.bytes(of: .commit, tip))?.tree else { return [] }
                return try repository.pageFiles(of: tree).filter { $0.path.hasPrefix("pending/") }
            } ?? [PageFiles.Entry]()
        var replies: [PendingReply] = []
        for file in files where examination.objects.isWhole(file.id) {
            let bytes = try read { repository throws(GitError) in try repository.bytes(of: .blob, file.id) }
            if let bytes, let reply = try? StoredJSON.decode(PendingReply.self, bytes) { replies.append(reply) }
        }
        return replies
    }

    /// Those that stand in the page's directory.
    private func repliesInFiles(of page: PageName) throws(TalkError) -> [PendingReply] {
        let directory = layout.pageDirectory(of: page) + "/pending"
        return try onDisk("the files of the page \(page) cannot be examined") { () throws(FileError) in
            var replies: [PendingReply] = []
            for name in try Files.list(directory) ?? [] {
                guard let bytes = try Files.read("\(directory)/\(name)"),
                    let reply = try? StoredJSON.decode(PendingReply.self, bytes), "\(reply.id).json" == name
                else { continue }
                replies.append(reply)
            }
            return replies
        }
    }

    /// Keeps a reply of a damaged branch that has no journal.
    private func rescue(
        _ reply: PendingReply, of page: PageName?, _ branch: String, _ examination: inout Examination
    ) throws(TalkError) {
        if (try? reader.outboxEntry(reply.id)) ?? nil != nil { return }
        guard examination.repairs else { return }
        guard let page else {
            try keepAside(PageFiles.encode(reply), named: "\(reply.id).json")
            return
        }
        let path = layout.outboxEntry(reply.id)
        if try onDisk("a journal cannot be moved", { () throws(FileError) in try Files.information(path) }) != nil {
            _ = try moveAside(path, named: "journal-\(reply.id).json")
        }
        try onDisk("the outbox cannot be made") { () throws(FileError) in
            try Files.makeDirectories(layout.outbox, durable: true)
        }
        let records = try read { repository throws(GitError) in
            let tip = try repository.resolve(StoreLayout.branch(of: page))
            return try repository.records(from: tip, downTo: nil, wiki: page.wiki).records.map(\.commit.record)
        }
        let author = examination.objects.replies.values.first { $0.trailer("Pending-Id") == reply.id }?.author.name
        let entry = Self.entry(withoutJournal: reply, by: author ?? PendingCommit.nobody, page, records ?? [])
        try write(entry, "the reply \(reply.id) cannot be saved")
        examination.add(
            .journal, "the reply \(reply.id) to \(page.prefixedTitle) has no journal that can be read", page: page,
            repair: "it has one again; whether it was sent is not known",
            hint: "look at it: git talk outbox show \(reply.id)")
    }

    /// Whether the replies that stand in a page are those of the journals.
    private func compare(
        _ replies: [PendingReply], _ page: PageName, _ examination: inout Examination
    ) throws(TalkError) {
        var ids: Set<String> = []
        for reply in replies {
            // One that was posted or set aside has a journal, or is known by its reference.
            if try hasNothing(reply.id, examination) {
                try examineWithoutJournal(reply, of: page, &examination)
            } else {
                ids.insert(reply.id)
            }
        }
        let outbox = try reader.outbox()
        let entries = outbox.entries.filter { $0.page == page && $0.state.isPending }
        let known = Set(entries.map(\.reply.id) + outbox.unreadable)
        // One that answers another stands there only when that does; one that may be posted need not.
        let expected = entries.filter {
            $0.sentBase == nil && $0.state != .sending && $0.state != .unknown && $0.reply.target?.pending == nil
        }.map(\.reply.id)
        let all = Set(replies.map(\.id))
        guard !ids.isSubset(of: known) || !all.isSuperset(of: expected) else { return }
        examination.add(
            .pending, "\(page.prefixedTitle): the replies that wait in the page are not those of the outbox",
            page: page,
            repair: "made anew from their journals")
    }

    /// Whether a pending branch is all that is left of a reply.
    private func hasNothing(_ id: String, _ examination: Examination) throws(TalkError) -> Bool {
        let path = layout.outboxEntry(id)
        let isThere = try onDisk("the journal of the reply \(id) cannot be examined") { () throws(FileError) in
            try Files.information(path, followingLink: true) != nil
        }
        return !isThere && examination.references[StoreLayout.discardedReferences + id] == nil
    }

    private func examineWithoutJournal(
        _ reply: PendingReply, of page: PageName, _ examination: inout Examination
    ) throws(TalkError) {
        if examination.repairs {
            return try rescue(reply, of: page, StoreLayout.pendingBranch(of: page), &examination)
        }
        examination.add(
            .journal, "the reply \(reply.id) to \(page.prefixedTitle) has no journal; its text is in the page",
            page: page)
    }

    // MARK: Journals

    private func examineJournal(
        _ id: String, isOnBranch: Bool, _ examination: inout Examination
    ) throws(TalkError) {
        if isOnBranch {
            examination.add(
                .journal, "the journal of the reply \(id) cannot be read; its text is in the page",
                hint: "keep its text and give up the reply: git talk outbox drop \(id)")
            return
        }
        let isEmpty = try onDisk("the journal of the reply \(id) cannot be examined") { () throws(FileError) in
            try Files.information(layout.outboxEntry(id))?.size == 0
        }
        var repair: String?
        if examination.repairs { repair = try moveAside(layout.outboxEntry(id), named: "journal-\(id).json") }
        examination.add(
            .journal, "the journal of the reply \(id) cannot be read, and no page has the reply",
            repair: repair.map { "moved to \($0)" },
            hint: isEmpty ? nil : "its text may be in that file")
    }

    // MARK: Replies that were set aside

    private func examineDiscarded(_ examination: inout Examination) throws(TalkError) {
        var kept: Set<String> = []
        for (name, target) in examination.references(under: StoreLayout.discardedReferences) {
            let id = String(name.dropFirst(StoreLayout.discardedReferences.count))
            if let target, try isDiscarded(target, &examination) {
                kept.insert(id)
                continue
            }
            let entry = (try? reader.outboxEntry(id)) ?? nil
            let other = try entry == nil ? otherDiscarded(id, &examination) : nil
            var repair = "its reference is removed"
            if examination.repairs {
                if let target, other == nil { try keepText(of: target, id, examination, &repair) }
                if let target {
                    faults.reach("delete discarded reference")
                    try git("the reply \(id) cannot be repaired") { repository throws(GitError) in
                        try repository.deleteReference(name, from: target)
                    }
                    examination.references[name] = nil
                }
                if let entry, entry.state == .discarded {
                    try keepDiscarded(entry, reason: entry.reason ?? "")
                    repair = "made anew from its journal"
                } else if let other {
                    try moveReference(name, from: nil, to: other, "the reply \(id) cannot be repaired")
                    repair = "an earlier version of it is back"
                }
            }
            kept.insert(id)
            examination.add(.discarded, "the reply \(id), which was set aside, cannot be read", repair: repair)
        }
        for entry in try reader.outbox().entries where entry.state == .discarded && !kept.contains(entry.reply.id) {
            if examination.repairs { try keepDiscarded(entry, reason: entry.reason ?? "") }
            examination.add(
                .discarded, "the reply \(entry.reply.id), which was set aside, is in its journal alone",
                page: entry.page,
                repair: "kept as refs/discarded/\(entry.reply.id), too")
        }
    }

    private func isDiscarded(_ commit: ObjectID, _ examination: inout Examination) throws(TalkError) -> Bool {
        guard try isWhole(history: commit, &examination) else { return false }
        return try read { repository throws(GitError) in try repository.discarded(commit) } != nil
    }

    /// A reply that was set aside once and to which nothing leads any more.
    private func otherDiscarded(_ id: String, _ examination: inout Examination) throws(TalkError) -> ObjectID? {
        for (commit, text) in examination.objects.replies.sorted(by: { $0.key < $1.key })
        where text.parents.isEmpty && text.trailer("Pending-Id") == id {
            if try isDiscarded(commit, &examination) { return commit }
        }
        return nil
    }

    /// Keeps what can be read of a reply.
    private func keepText(
        of commit: ObjectID, _ id: String, _ examination: Examination, _ repair: inout String
    ) throws(TalkError) {
        let entries = try read { repository throws(GitError) in
            try CommitLinks(parsing: repository.bytes(of: .commit, commit)).map { links throws(GitError) in
                try repository.tree(links.tree)
            }
        }
        for entry in (entries ?? nil) ?? [] where examination.objects.isWhole(entry.id) {
            guard let bytes = try read({ repository throws(GitError) in try repository.bytes(of: .blob, entry.id) })
            else { continue }
            repair = "what can be read of it is \(try keepAside(bytes, named: "discarded-\(id)-\(entry.name)"))"
        }
    }
}
