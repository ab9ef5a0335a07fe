public import TalkPages

extension OutboxEntry {
    /// Whether a request for it may have been saved, so that nothing but a look at the page's history may follow.
    ///
    /// `sentBase` says so: it is set before a request goes out and cleared when the wiki is known not to have saved it.
    public var mayBePosted: Bool { state.isPending && (sentBase != nil || state == .sending || state == .unknown) }

    /// Puts it into the queue; one that may be on the wiki is looked for first, like one whose outcome is not known.
    mutating func queue() {
        state = sentBase == nil ? .queued : .unknown
        reason = nil
    }

    /// The user's decision that a held reply is to be sent: it is not on the wiki, whatever the history looks like.
    public mutating func sendAgain() {
        state = .queued
        reason = nil
        sentBase = nil
        lostRequests = nil
    }

    /// The entry as it was when a request of it went out that left no trace.
    func asSent(_ lost: LostRequest) -> OutboxEntry {
        var entry = self
        entry.page = lost.page
        entry.reply.text = lost.text
        entry.sentBase = lost.base
        entry.sentAt = lost.time
        entry.sentSummary = lost.summary
        entry.sentAddition = lost.addition
        return entry
    }

    /// The user's decision that a held reply is on the wiki as this revision.
    public mutating func accept(_ revision: RevisionID) {
        state = .posted
        reason = nil
        postedRevision = revision
    }
}
