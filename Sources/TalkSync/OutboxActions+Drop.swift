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
    /// `busy` says that another program is just sending. What answers it is set aside with it.
    public func drop(_ id: String, isForgotten: Bool, isForced: Bool) async throws(TalkError) -> Dropped {
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

    /// The journal of a reply; of one that has none, as it was when it was set aside.
    func standing(_ id: String) async throws(TalkError) -> OutboxEntry? {
        if let entry = try store.outboxEntry(id) { return entry }
        return try await store.discarded(id)?.setAsideEntry
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
