internal import TalkPages
internal import TalkSync

/// When each wiki is asked again: a pure function of what became of the rounds so far.
struct WatchSchedule {
    /// Seconds between two rounds for a wiki that answers.
    let interval: Int64
    let backoff: SendBackoff
    private var turns: [String: Turn] = [:]

    private struct Turn {
        var failures = 0
        var due: Int64
    }

    /// Seconds for which a wiki is left alone that wants a login or refuses the account.
    private static let restAfterRefusal: Int64 = 3600
    /// Nothing is asked sooner again.
    private static let least: Int64 = 5

    init(interval: Int64, backoff: SendBackoff) {
        self.interval = interval
        self.backoff = backoff
    }

    /// Whether the wiki is to be asked now; one that was never asked is.
    func isDue(_ wiki: String, at now: Int64) -> Bool {
        guard let due = turns[wiki]?.due else { return true }
        // A clock that was set back must not stop anything for years.
        return due <= now || due - now > max(interval, SendPause.longest)
    }

    /// Notes how a round ended for a wiki; whether it answers after it had not.
    ///
    /// `next` is when a reply that waits is to be sent again.
    mutating func ended(_ wiki: String, _ failure: TalkError?, next: Int64?, at now: Int64) -> Bool {
        let before = turns[wiki]?.failures ?? 0
        guard let failure else {
            let early = next.map { max($0, now + Self.least) } ?? .max
            turns[wiki] = Turn(due: min(now + interval, early))
            return before > 0
        }
        switch failure.kind {
        case .refused: turns[wiki] = Turn(failures: before + 1, due: now + max(interval, Self.restAfterRefusal))
        default:
            let least = (failure.underlying as? APIError)?.secondsToWait
            turns[wiki] = Turn(failures: before + 1, due: now + backoff.seconds(after: before + 1, least: least))
        }
        return false
    }

    /// Seconds until the next of these wikis is due.
    func wait(for wikis: [String], at now: Int64) -> Int64 {
        let next = wikis.map { isDue($0, at: now) ? now : turns[$0]?.due ?? now }.min()
        return max(Self.least, (next ?? now + interval) - now)
    }
}
