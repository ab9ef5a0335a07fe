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
                let records = try await records(of: page).map(\.record)
                entries.append(Self.entry(withoutJournal: commit.reply, by: commit.author, page, records))
            }
        }
        return entries.sorted { $0.reply.id < $1.reply.id }
    }

    /// What is to be thought of a reply whose journal is lost; `records` are those of the page, oldest first.
    static func entry(
        withoutJournal reply: PendingReply, by author: String, _ page: PageName, _ records: [RevisionRecord]
    ) -> OutboxEntry {
        var entry = OutboxEntry(reply: reply, page: page, account: author == PendingCommit.nobody ? "" : author)
        entry.state = .unknown
        entry.reason = "its journal is damaged, so it is not sent; drop keeps its text, and restore queues it again"
        // The two clocks may differ by an hour.
        let first = records.last { $0.timestamp <= reply.created - 3600 } ?? records.first
        entry.sentBase = first?.id ?? reply.base
        entry.sentAt = first?.timestamp ?? reply.created
        return entry
    }
}
