/// How often and why a reply could not be sent for a reason that passes, and when to try again by oneself.
///
/// Part of the journal, so that a program that is started anew goes on waiting where the last one stopped.
public struct SendPause: Codable, Hashable, Sendable {
    /// Failures one after another, since the reply was written or the user let it be sent again.
    public var failures: Int
    /// Seconds since 1970 by this machine's clock, before which nothing is sent but on the user's own command.
    public var until: Int64
    /// Whether everything for the wiki waits as well.
    public var stopsWiki: Bool

    /// No pause lasts longer, in seconds; one that seems to was written by a clock that went wrong.
    public static let longest: Int64 = 86_400

    /// Makes a pause.
    public init(failures: Int, until: Int64, stopsWiki: Bool) {
        self.failures = failures
        self.until = until
        self.stopsWiki = stopsWiki
    }

    /// Whether it is time to try again.
    public func isOver(at now: Int64) -> Bool { now >= until || until - now > Self.longest }
}
