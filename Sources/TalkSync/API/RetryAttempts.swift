internal import TalkHTTP

/// The attempts to get one answer: whether there is another one, and after which pause.
struct RetryAttempts {
    enum Decision {
        /// Ask again; after a pause, or at once.
        case again(RetryPolicy.Pause?)
        /// Give up, with what to tell the user.
        case stop(APIFailure)
    }

    /// Without a policy nothing is asked again but what met a dead connection.
    let policy: RetryPolicy?
    private var made = 0
    private var pauses = 0
    private var waited = 0.0

    init(_ policy: RetryPolicy?) { self.policy = policy }

    /// Seconds of the first pause; each one is twice as long as the one before.
    private static let firstPause = 5.0
    /// Nobody is sent away for less after all attempts failed.
    private static let leastRest = 60.0

    /// What often lasts for seconds and then is over.
    private static let passing: Set<String> = [
        "http-408", "http-429", "http-502", "http-503", "http-504", "maxlag", "ratelimited", "actionthrottledtext",
        "concurrency-limit", "truncated-answer", "empty-answer",
    ]

    /// Judges a failed attempt to read.
    mutating func decide(after failure: APIFailure) -> Decision {
        made += 1
        // A connection that was kept may have been dead already.
        if made == 1, case .transport(let error) = failure, error.kind == .cut { return .again(nil) }
        guard let policy, let (most, least) = patience(policy, failure) else { return .stop(failure) }
        let own = Self.firstPause * Double(1 << min(pauses, 10))
        let seconds = max(own, least) * (1 + 0.2 * min(max(policy.chance(), 0), 1))
        guard made < most, waited + seconds <= policy.limit else { return .stop(told(failure, seconds)) }
        pauses += 1
        waited += seconds
        return .again(RetryPolicy.Pause(seconds: seconds, reason: failure.words))
    }

    /// How often to ask and how long to wait at least; nil for what another request will not change.
    private func patience(_ policy: RetryPolicy, _ failure: APIFailure) -> (most: Int, least: Double)? {
        switch failure {
        case .transport(let error):
            switch error.kind {
            case .cut: return (policy.attempts, 0)
            // It took its time already.
            case .timeout: return (min(policy.attempts, 2), 0)
            default: return nil
            }
        case .refused(let error):
            guard case .retryLater(let least) = error.errorClass, error.code != "readonly" else { return nil }
            let isPassing = Self.passing.contains(error.code) || error.code.hasPrefix("internal_api_error_DB")
            return (isPassing ? policy.attempts : min(policy.attempts, 2), Double(least ?? 0))
        }
    }

    /// The failure with the time after which to go on, once waiting here did not help.
    private func told(_ failure: APIFailure, _ next: Double) -> APIFailure {
        guard pauses > 0, case .refused(let error) = failure, Self.passing.contains(error.code) else { return failure }
        return .refused(error.waiting(Int(max(next, Self.leastRest).rounded(.up))))
    }
}
