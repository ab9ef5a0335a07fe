internal import TalkPages

extension OutboxSender {
    /// Seconds for which a wiki is left alone that wants a login or has blocked the account.
    private static let restAfterRefusal = 3600
    /// Pauses between looks grow no longer after so many.
    private static let looks = 8

    /// Leaves a reply alone for a while that could not be sent for a reason that passes; after many times it is held.
    ///
    /// `state` is `queued`, or `unknown` for one that may be on the wiki. `least` are the seconds that the wiki asks for.
    func putOff(
        _ entry: OutboxEntry, _ state: OutboxEntry.State, _ reason: String, ending: RequestEnding? = nil,
        least: Int? = nil,
        scope: SendScope = .page
    ) async throws(TalkError) -> Step {
        var before = entry.pause
        // A look is no failure: however often one looks, nothing is held for it, and no look makes a later failure graver.
        if state == .unknown, let failures = entry.pause?.failures { before?.failures = min(failures, Self.looks) }
        let pause = backoff.pause(after: before, least: least, now: now(), stopsWiki: scope == .wiki)
        guard let pause else {
            let words = "it could not be sent \(SendBackoff.limit) times, at last since: \(reason)"
            return .done(try await save(entry, .held, words, ending: ending), .held(reason: words), .page)
        }
        let saved = try await save(entry, state, reason, ending: ending, pause: pause)
        return .done(saved, state == .unknown ? .unknown(reason: reason) : .waiting(reason: reason), scope)
    }

    /// Stops everything for the wiki until the user has done something there or the wiki sees it otherwise.
    func stop(_ entry: OutboxEntry, _ reason: String) async throws(TalkError) -> Step {
        let failures = entry.pause?.failures ?? 0
        let pause = SendPause(failures: failures, until: now() + Int64(Self.restAfterRefusal), stopsWiki: true)
        let saved = try await save(entry, .queued, reason, ending: .refused, pause: pause)
        return .done(saved, .held(reason: reason), .wiki)
    }
}

extension APIError {
    /// What the wiki asks to wait for at least, in seconds.
    public var secondsToWait: Int? {
        if case .retryLater(let seconds) = errorClass { seconds } else { nil }
    }
}

extension SendDemand {
    /// What a refusal wants from the user; nil when it is nothing that an answer would help.
    init?(_ error: APIError, of reply: PendingReply) {
        switch error.code {
        case "abusefilter-warning":
            self.init(.warning, of: reply, text: error.text.isEmpty ? error.explanation : error.text)
        case "captcha":
            let captcha = error.data["captcha"]
            let id = captcha?["id"]?.text ?? captcha?["id"]?.integer.map(String.init)
            // One that runs in a browser has a key and no id; one that has neither is out of order.
            guard id != nil || captcha?["key"] != nil else { return nil }
            let image = captcha?["url"]?.text
            let question = captcha?["question"]?.text.map { (try? ReadableText.text(of: $0)) ?? $0 }
            self.init(
                .captcha, of: reply, text: question ?? "", captcha: id, image: image,
                wantsBrowser: question == nil && image == nil)
        default: return nil
        }
    }
}
