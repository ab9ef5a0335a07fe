internal import TalkPages
internal import TalkStore

extension PendingFitting {
    /// Takes the replies of a page along to its new title, where its revisions stand already.
    ///
    /// The page is the same one, so their comments are looked for there as after any other change. With
    /// `talk.onMove=discard` they are set aside. One that may be on the wiki stays where it was sent to.
    func follow(
        _ page: PageName, to target: PageName
    ) async throws(TalkError) -> (followed: [OutboxEntry], setAside: [OutboxEntry]) {
        var followed: [OutboxEntry] = []
        var given: [OutboxEntry] = []
        let reason =
            "\(wiki.localTitle(of: page)) was moved to \(wiki.localTitle(of: target)), and talk.onMove is discard"
        let rule = try onMove()
        for entry in try store.outbox().entries where entry.page == page && entry.state.isPending {
            if entry.mayBePosted { continue }
            if rule == .discard {
                if let entry = try await setAside(entry, reason: reason) { given.append(entry) }
                continue
            }
            let moved = try await store.updateEntry(entry.reply.id) { current in
                guard current == entry else { return false }
                current.page = target
                return true
            }
            if let moved { followed.append(moved) }
        }
        if followed.isEmpty && given.isEmpty { return ([], []) }
        let threads = PageThreads(store: store, wiki: wiki)
        for page in [page, target] {
            given += try await fit(page).setAside
            try await threads.refresh(page)
        }
        let gone = Set(given.map(\.reply.id))
        return (followed.filter { !gone.contains($0.reply.id) }, given)
    }

    /// Who changed a page between two revisions, but for the author of the reply; nil when nobody else did.
    func stranger(
        on page: PageName, since base: RevisionID, until tip: RevisionRecord, _ author: String
    ) async throws(TalkError) -> String? {
        guard tip.id != base else { return nil }
        let records = Dictionary(
            try await store.records(of: page).map { ($0.record.id, $0.record) }, uniquingKeysWith: { $1 })
        var current = tip
        while current.id != base {
            guard current.user == author else { return current.user ?? "somebody" }
            // What lies between is not cached, so others may have been at work.
            guard let parent = records[current.parent] else { return "somebody" }
            current = parent
        }
        return nil
    }
}
