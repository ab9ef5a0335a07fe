internal import TalkGit
public import TalkPages

/// A reply that was set aside: it will not be posted, its text is kept.
public struct DiscardedReply: Hashable, Sendable {
    /// The journal as it was then.
    public let entry: OutboxEntry
    /// The text, byte for byte.
    public let text: String
    /// Why it was set aside.
    public let reason: String
    /// The commit, 40 hexadecimal digits.
    public let commit: String
}

extension Store {
    /// Keeps a reply under `refs/discarded/<id>` with the reason; journal and pending branch are left as they are.
    ///
    /// Done once more with the same entry and reason, nothing changes.
    @discardableResult
    public func discard(_ entry: OutboxEntry, reason: String) async throws(TalkError) -> DiscardedReply {
        try locked("the reply \(entry.reply.id) cannot be set aside") { () throws(TalkError) in
            try keepDiscarded(entry, reason: reason)
        }
    }

    /// The same within the store's lock.
    @discardableResult
    func keepDiscarded(_ entry: OutboxEntry, reason: String) throws(TalkError) -> DiscardedReply {
        let id = entry.reply.id, subject = "the reply \(id) cannot be set aside"
        guard ReplyID.isValid(id) else { throw TalkError(.internal, "\(id) is no id of a reply") }
        var batch = ObjectBatch()
        let journal = try encode(entry)
        let tip = try inGit(subject) { () throws(GitError) in
            let files = [
                TreeEntry(name: "entry.json", mode: .file, id: try batch.insert(.blob, journal)),
                TreeEntry(name: "text", mode: .file, id: try batch.insert(.blob, Array(entry.reply.text.utf8))),
            ]
            let text = CommitText(
                tree: try batch.insert(tree: files), parents: [],
                author: CommitText.Signature(
                    name: entry.account, mail: "\(entry.account)@\(entry.page.wiki)",
                    timestamp: max(0, entry.reply.created)),
                committer: CommitText.committer(at: max(0, entry.reply.created)),
                subject: PendingCommitText.firstWords(of: entry.reply), body: Self.paragraph(reason),
                trailers: PendingCommitText.trailers(of: entry.reply))
            return try batch.insert(.commit, text.bytes)
        }
        let name = StoreLayout.discarded(id)
        let old = try git(subject) { repository throws(GitError) in try repository.resolve(name) }
        if old != tip {
            faults.reach("write pack")
            _ = try git(subject) { repository throws(GitError) in try repository.write(batch) }
            faults.reach("move discarded reference")
            try moveReference(name, from: old?.description, to: tip, subject)
        }
        return try git(subject) { repository throws(GitError) in try repository.discarded(tip) }
    }

    /// Every reply that was set aside, sorted by id, which is by the time of writing.
    public func discarded() async throws(TalkError) -> [DiscardedReply] {
        try git("the replies that were set aside cannot be read") { repository throws(GitError) in
            var replies: [DiscardedReply] = []
            for reference in try repository.references(under: StoreLayout.discardedReferences) {
                replies.append(try repository.discarded(reference.target))
            }
            return replies
        }
    }

    /// A reply that was set aside; nil when there is none with this id.
    public func discarded(_ id: String) async throws(TalkError) -> DiscardedReply? {
        guard ReplyID.isValid(id) else { return nil }
        return try git("the reply \(id) cannot be read") { repository throws(GitError) in
            guard let commit = try repository.resolve(StoreLayout.discarded(id)) else { return nil }
            return try repository.discarded(commit)
        }
    }

    /// Gives up the reference to a reply that was set aside; its objects go when the store is next packed.
    public func removeDiscarded(_ id: String) async throws(TalkError) {
        guard ReplyID.isValid(id) else { return }
        let subject = "the reply \(id) cannot be removed", name = StoreLayout.discarded(id)
        try locked(subject, mode: .exclusive) { () throws(TalkError) in
            try git(subject) { repository throws(GitError) in
                guard let commit = try repository.resolve(name) else { return }
                faults.reach("delete discarded reference")
                try repository.deleteReference(name, from: commit)
            }
        }
    }

    /// A reason as one paragraph, so that it cannot be taken for the message's other parts.
    private static func paragraph(_ reason: String) -> String {
        let lines = reason.split { $0.isNewline || $0 == "\0" }.map { $0.trimming(while: \.isWhitespace) }
        let text = lines.filter { !$0.isEmpty }.joined(separator: "\n")
        return text.isEmpty ? "(no reason)" : text
    }
}

extension Substring {
    fileprivate func trimming(while isTrimmed: (Character) -> Bool) -> Substring {
        var text = drop(while: isTrimmed)
        while let last = text.last, isTrimmed(last) { text.removeLast() }
        return text
    }
}

extension Repository {
    borrowing func discarded(_ commit: ObjectID) throws(GitError) -> DiscardedReply {
        guard let text = CommitText(parsing: try bytes(of: .commit, commit)) else {
            throw GitError(.generic, "parse", "\(commit) is no discarded reply")
        }
        let files = Dictionary(try tree(text.tree).map { ($0.name, $0.id) }) { first, _ in first }
        guard let entry = files["entry.json"], let content = files["text"],
            let journal = try? StoredJSON.decode(OutboxEntry.self, try bytes(of: .blob, entry))
        else { throw GitError(.generic, "check", "\(commit) is no discarded reply") }
        return DiscardedReply(
            entry: journal, text: String(decoding: try bytes(of: .blob, content), as: UTF8.self), reason: text.body,
            commit: commit.description)
    }
}
