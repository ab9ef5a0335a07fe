public import TalkPages

extension Store {
    /// Remembers that a person has seen what became of these replies, as the entries tell it.
    ///
    /// What changed since is not marked. The journal of a posted reply is removed, unless others still wait for what
    /// it became.
    public func markSeen(_ shown: [OutboxEntry]) async throws(TalkError) {
        for entry in shown where entry.hasOutcome {
            try await updateEntry(entry.reply.id) { current in
                guard current.tellsTheSame(as: entry) else { return false }
                current.isSeen = true
                return true
            }
        }
        for entry in try outbox().entries where entry.state == .posted && entry.isSeen {
            // Of one that was restored and then posted, nothing may be left that could be restored once more.
            if try await discarded(entry.reply.id) != nil { try await removeDiscarded(entry.reply.id) }
            try await removeEntry(entry.reply.id)
        }
    }
}
