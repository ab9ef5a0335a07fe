public import TalkPages

extension Store {
    /// The replies whose journals cannot be read, as their pages' pending branches have them, in the order of writing.
    ///
    /// What became of them is not known: they are `unknown`, and the base of a request is the oldest that there can have
    /// been. One that is on no pending branch is left out.
    public func damagedEntries() async throws(TalkError) -> [OutboxEntry] {
        let unreadable = Set(try outbox().unreadable)
        if unreadable.isEmpty { return [] }
        var entries: [OutboxEntry] = []
        for page in try await pagesWithPendingReplies() {
            for commit in try await pendingBranch(of: page).commits where unreadable.contains(commit.reply.id) {
                let account = commit.author == PendingCommit.nobody ? "" : commit.author
                var entry = OutboxEntry(reply: commit.reply, page: page, account: account)
                entry.state = .unknown
                entry.reason =
                    "its journal is damaged, so it is not sent; drop keeps its text, and restore queues it again"
                // The two clocks may differ by an hour.
                let records = try await records(of: page)
                let first = records.last { $0.record.timestamp <= commit.reply.created - 3600 } ?? records.first
                entry.sentBase = first?.record.id ?? commit.reply.base
                entry.sentAt = first?.record.timestamp ?? commit.reply.created
                entries.append(entry)
            }
        }
        return entries.sorted { $0.reply.id < $1.reply.id }
    }
}
