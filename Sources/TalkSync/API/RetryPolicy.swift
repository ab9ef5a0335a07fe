/// How a client waits for a wiki that is busy before it asks again.
///
/// Only what changes nothing is asked again. The waiting itself is the caller's: the library has no clock.
public struct RetryPolicy: Sendable {
    /// A pause before a request is made again.
    public struct Pause: Hashable, Sendable {
        /// How long, in seconds.
        public let seconds: Double
        /// Why, in words for the user, without a full stop.
        public let reason: String

        /// Makes a pause.
        public init(seconds: Double, reason: String) {
            self.seconds = seconds
            self.reason = reason
        }
    }

    /// How often one question is asked at most, the first time included.
    public var attempts: Int
    /// Seconds that all pauses for one question take at most; a wiki that asks for more is left alone at once.
    public var limit: Double
    /// Waits, on the client's own queue: no other request goes out meanwhile.
    public var wait: @Sendable (Pause) -> Void
    /// A number from 0 to 1 by chance, so that not everybody comes back at the same moment.
    public var chance: @Sendable () -> Double

    /// Makes a policy.
    public init(
        attempts: Int, limit: Double, chance: @escaping @Sendable () -> Double,
        wait: @escaping @Sendable (Pause) -> Void
    ) {
        self.attempts = attempts
        self.limit = limit
        self.chance = chance
        self.wait = wait
    }
}
