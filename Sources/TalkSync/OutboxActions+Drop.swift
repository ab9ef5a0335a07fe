public import TalkPages
public import TalkStore

extension OutboxActions {
    /// What became of a dropped reply and of those that answered it.
    public struct Dropped: Hashable, Sendable {
        /// The reply as it stands now.
        public var entry: OutboxEntry
        /// Replies that were set aside with it.
        public var dependants: [OutboxEntry]
    }

    /// Gives up a reply: its text stays under `refs/discarded/<id>`, unless `isForgotten`, which deletes it.
    ///
    /// One that may be on the wiki throws `unknownOutcome`, unless `isForced`: then it is given up without an answer, and
    /// `busy` says that another program is just sending. What answers it is set aside with it. One whose journal is
    /// damaged is set aside as its page's pending branch has it, and the journal removed once its text is safe.
    public func drop(_ id: String, isForgotten: Bool, isForced: Bool) async throws(TalkError) -> Dropped {
        if try isDamaged(id) { return try await dropDamaged(id, isForgotten: isForgotten) }
        guard let entry = try await standing(id) else { throw Self.missing(id) }
        if entry.state == .posted { throw Self.refusal(entry, "dropped") }
        let isUnclear = entry.mayBePosted && entry.state != .held
        if isUnclear, !isForced { throw Self.refusal(entry, "dropped") }
        // Nobody sends it meanwhile.
        let lock = isUnclear ? try await store.senderLock() : nil
        if isUnclear, lock == nil {
            throw TalkError(.busy, "another git-talk is sending the replies of this store", hint: "try again later")
        }
        defer { withExtendedLifetime(lock) {} }
        var dropped = entry
        if entry.state.isPending {
            dropped = try await setAside(
                entry, isUnclear ? "you dropped it before it was known whether it was posted" : "you dropped it",
                keepsText: !isForgotten)
        }
        if isForgotten {
            try await store.removeEntry(id)
            try await store.removeDiscarded(id)
        }
        // What answers it goes with it when the page is made anew.
        return Dropped(entry: dropped, dependants: await refit(dropped))
    }

    /// The journal of a reply; of one that has none, or a damaged one, as it was when it was set aside.
    func standing(_ id: String) async throws(TalkError) -> OutboxEntry? {
        if !(try isDamaged(id)), let entry = try store.outboxEntry(id) { return entry }
        return try await store.discarded(id)?.setAsideEntry
    }

    /// Whether the journal of a reply is there and cannot be understood.
    func isDamaged(_ id: String) throws(TalkError) -> Bool { try store.outbox().unreadable.contains(id) }

    private func dropDamaged(_ id: String, isForgotten: Bool) async throws(TalkError) -> Dropped {
        var entry = try await store.damagedEntries().first { $0.reply.id == id }
        entry?.state = .discarded
        entry?.reason = "you dropped it, whose journal was damaged"
        entry?.isSeen = true
        if let entry, !isForgotten { try await store.discard(entry, reason: entry.reason ?? "") }
        // Without a pending commit it may have been set aside before.
        let kept = try await store.discarded(id)?.setAsideEntry
        guard let dropped = entry ?? kept else { throw Self.lost(id, store) }
        try await store.removeEntry(id)
        if isForgotten { try await store.removeDiscarded(id) }
        return Dropped(entry: dropped, dependants: await refit(dropped))
    }

    private static func lost(_ id: String, _ store: Store) -> TalkError {
        TalkError(
            .damaged, "the journal of the reply \(id) is damaged, and no page has its text",
            hint: "look into it: \(store.layout.outboxEntry(id))")
    }

    private func setAside(
        _ entry: OutboxEntry, _ reason: String, keepsText: Bool
    ) async throws(TalkError) -> OutboxEntry {
        var given = entry
        given.state = .discarded
        given.reason = reason
        // One's own doing is no news.
        given.isSeen = true
        let discarded = given
        if keepsText { try await store.discard(discarded, reason: reason) }
        let written = try await store.updateEntry(entry.reply.id) { current in
            guard current == entry else { return false }
            current = discarded
            return true
        }
        guard let written else {
            if keepsText { try await store.removeDiscarded(entry.reply.id) }
            throw TalkError(
                .busy, "the reply \(entry.reply.id) was changed by another program meanwhile", hint: "try again")
        }
        return written
    }
}

extension DiscardedReply {
    /// The reply as an entry of the outbox, whatever its journal said when it was set aside.
    public var setAsideEntry: OutboxEntry {
        var entry = entry
        entry.reply.text = text
        entry.state = .discarded
        if entry.reason == nil { entry.reason = reason }
        entry.isSeen = true
        return entry
    }
}
