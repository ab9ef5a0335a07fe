/// Whether a pending reply has expired, by two clocks: a pure decision.
///
/// A clock that leaps must not set aside what waits. So this machine's clock and the wiki's must both be past the date,
/// and agree; and since the date itself may come from a clock that was wrong, or the machine was off the network until it
/// was past, a reply that a round sees for the first time after its date has a day from then to be sent.
public enum ExpiryCheck: Hashable, Sendable {
    /// Both clocks are past the date.
    case expired
    /// It waits on.
    case waits
    /// It waits on, and is seen for the first time while the clocks agree: at this second by the wiki's clock.
    case seen(Int64)
    /// One clock is past the date and the other one so many seconds ahead of it (or, below zero, behind): nothing expires.
    case clocksDiffer(Int64)

    /// Seconds by which two clocks may differ.
    public static let tolerance: Int64 = 3600
    /// Seconds that a reply has which was first seen after its date: one round may meet a wiki that takes nothing.
    public static let grace: Int64 = 86_400

    /// Decides; all times are seconds since 1970, `wiki` is nil where the wiki did not tell its time, `firstSeen` as long
    /// as no round saw the reply while the clocks agreed.
    public static func decide(expires: Int64, firstSeen: Int64?, here: Int64, wiki: Int64?) -> ExpiryCheck {
        guard let wiki else { return .waits }
        let difference = wiki.subtractingReportingOverflow(here)
        guard !difference.overflow, difference.partialValue.magnitude <= tolerance.magnitude else {
            guard max(here, wiki) > expires else { return .waits }
            return .clocksDiffer(difference.overflow ? .max : difference.partialValue)
        }
        guard let firstSeen else { return .seen(wiki) }
        guard min(here, wiki) > expires else { return .waits }
        let since = min(here, wiki).subtractingReportingOverflow(firstSeen)
        let hadItsChance = firstSeen <= expires || since.overflow || since.partialValue > grace
        return hadItsChance ? .expired : .waits
    }
}
