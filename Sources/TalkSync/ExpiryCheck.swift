/// Whether a pending reply has expired, by two clocks: a pure decision.
///
/// A clock that leaps must not set aside what waits. So this machine's clock and the wiki's must both be past the date,
/// and agree.
public enum ExpiryCheck: Hashable, Sendable {
    /// Both clocks are past the date.
    case expired
    /// It waits on.
    case waits
    /// One clock is past the date and the other one so many seconds ahead of it (or, below zero, behind): nothing expires.
    case clocksDiffer(Int64)

    /// Seconds by which two clocks may differ.
    public static let tolerance: Int64 = 3600

    /// Decides; all times are seconds since 1970, `wiki` is nil where the wiki did not tell its time.
    public static func decide(expires: Int64, here: Int64, wiki: Int64?) -> ExpiryCheck {
        guard let wiki else { return .waits }
        guard max(here, wiki) > expires else { return .waits }
        let difference = wiki.subtractingReportingOverflow(here)
        guard !difference.overflow, difference.partialValue.magnitude <= tolerance.magnitude else {
            return .clocksDiffer(difference.overflow ? .max : difference.partialValue)
        }
        return min(here, wiki) > expires ? .expired : .waits
    }
}
