public import TalkPages

/// How long to leave a wiki alone that could not take a reply: a pure function of the failures so far.
public struct SendBackoff: Sendable {
    /// A number from 0 to 1 by chance, so that not everybody comes back at the same moment.
    let chance: @Sendable () -> Double

    /// After so many failures one after another the user must decide.
    static let limit = 50
    /// Seconds of the first pause, each one is twice as long as the one before, and the longest that gets so.
    private static let first = 5.0
    private static let longest = 900.0

    /// Makes it with a source of chance.
    public init(chance: @escaping @Sendable () -> Double) { self.chance = chance }

    /// The pause after one more failure than `before` tells of; nil when that was the last one.
    ///
    /// 5 s · 2ⁿ ± 20 %, at most a quarter of an hour; what the wiki asks for (`least`, seconds) is obeyed up to a day.
    public func pause(after before: SendPause?, least: Int?, now: Int64, stopsWiki: Bool) -> SendPause? {
        let failures = (before?.failures ?? 0) + 1
        guard failures < Self.limit else { return nil }
        let seconds = seconds(after: failures, least: least)
        return SendPause(failures: failures, until: now + seconds, stopsWiki: stopsWiki)
    }

    /// Seconds after so many failures.
    public func seconds(after failures: Int, least: Int?) -> Int64 {
        let own = min(Self.first * Double(1 << min(max(failures - 1, 0), 20)), Self.longest)
        let spread = own * (0.8 + 0.4 * min(max(chance(), 0), 1))
        return min(max(Int64(spread.rounded()), Int64(least ?? 0)), SendPause.longest)
    }
}
