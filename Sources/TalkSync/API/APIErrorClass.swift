/// What is to be done about an error of a wiki.
public enum APIErrorClass: Hashable, Sendable {
    /// How much of the outbox waits with the request that failed.
    public enum Scope: String, Hashable, Sendable {
        /// Everything for that wiki and account: login, block, read-only.
        case wiki
        /// Everything for that page: protection, deletion.
        case page
        /// That reply alone: its text or its target.
        case reply
    }

    /// The same request may work later, not before so many seconds where the wiki said so.
    case retryLater(after: Int?)
    /// Get a token, a login or the current revision, then try once more.
    case recoverOnce
    /// Keep it until the user logs in, answers or decides.
    case needsUser(scope: Scope)
    /// The same request will never work.
    case permanent
    /// The wiki may have saved it: look before anything else.
    case verify
}
