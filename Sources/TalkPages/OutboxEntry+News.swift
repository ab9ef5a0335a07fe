extension OutboxEntry {
    /// Whether something became of the reply that the user has to learn: posted, held, or set aside.
    public var hasOutcome: Bool {
        switch state {
        case .posted, .held, .discarded: true
        case .queued, .sending, .unknown: false
        }
    }

    /// Whether the user has not learned yet what became of the reply.
    public var isNews: Bool { hasOutcome && !isSeen }

    /// What puts the reply back into the queue once it was set aside: below what it answered, also where that went.
    public var restoreCommand: String {
        let place = targetPage.map { " --to \(ShellWord.quoted($0.prefixedTitle))" } ?? ""
        return "git talk outbox restore \(reply.id)\(place)"
    }

    /// Whether both say the same of what became of one reply, so that who saw the one saw the other.
    public func tellsTheSame(as other: OutboxEntry) -> Bool {
        reply.id == other.reply.id && state == other.state && reason == other.reason
            && postedRevision == other.postedRevision
    }
}

extension Wiki {
    /// The address of what a revision changed.
    public func url(ofChange revision: RevisionID) -> String {
        server + articlePath.replacing("$1", with: "Special:Diff/\(revision)")
    }
}
