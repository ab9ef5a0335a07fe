internal import TalkPages
internal import TalkStore
internal import TalkSync

/// Sets aside what has waited longer than it may, before anything is sent.
struct Expiry {
    let context: Context
    let store: Store
    let wiki: Wiki

    /// Looks at what waits on the wiki, by this machine's clock and by the wiki's as the last check told it.
    func run(_ serverTime: Int64?, _ report: SyncReport) async throws(TalkError) {
        let fitting = PendingFitting(store: store, wiki: wiki)
        var difference: Int64?
        var isDue = false
        for entry in try store.outbox().entries where entry.page.wiki == wiki.key && entry.state.isPending {
            let check = ExpiryCheck.decide(
                expires: entry.reply.expires, firstSeen: entry.firstSeen, here: context.now, wiki: serverTime)
            switch check {
            case .waits: break
            case .seen(let time):
                try await store.updateEntry(entry.reply.id) { current in
                    current.firstSeen = time
                    return true
                }
            case .clocksDiffer(let seconds): difference = seconds
            case .expired:
                let reason = "it could not be posted before \(TimeText.minute(entry.reply.expires))"
                guard let given = try await fitting.setAside(entry, reason: reason) else { continue }
                report.addSetAside(given)
                isDue = true
            }
        }
        if isDue {
            for entry in try await fitting.healAll() { report.addSetAside(entry) }
        }
        if let difference {
            let amount = TimeText.amount(Int64(clamping: difference.magnitude))
            context.note(
                "git-talk: the clock of this machine is \(amount) \(difference > 0 ? "behind" : "ahead of") that of \(wiki.key), so no reply expires"
            )
        }
    }
}
