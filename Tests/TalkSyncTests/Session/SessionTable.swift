import Testing

/// What a session shows and asks for, case by case: the rules of design, worked out by hand.
///
/// The store has revision 10. The wiki has 10, or has gone on to 12 by way of 11. Three revisions are wanted.
struct SessionRow: Sendable, CustomTestStringConvertible {
    enum Cache: String, CaseIterable, Sendable {
        case ok, unreadable, none
    }

    /// What the check says: what is cached (or else what was rendered) is the newest; it is not; nothing.
    enum Check: String, CaseIterable, Sendable {
        case same, movedOn, fails
    }

    /// Whether the requests but the check are answered.
    enum Fetch: String, CaseIterable, Sendable {
        case ok, fails
    }

    let cache: Cache
    let check: Check
    let fetch: Fetch
    /// Phase and revision of each state.
    let states: [String]
    /// What is asked for, in this order; two that start together stand in the order of the alphabet.
    let requests: [String]

    var testDescription: String { "\(cache), check \(check), fetch \(fetch)" }

    init(_ cache: Cache, _ check: Check, _ fetch: Fetch, _ states: [String], _ requests: [String]) {
        self.cache = cache
        self.check = check
        self.fetch = fetch
        self.states = states
        self.requests = requests
    }

    static let all = [
        SessionRow(.ok, .same, .ok, ["confirming 10", "current 10"], ["check"]),
        SessionRow(.ok, .same, .fails, ["confirming 10", "current 10"], ["check"]),
        SessionRow(
            .ok, .movedOn, .ok, ["confirming 10", "updated 12 with 11 12"], ["check", "parse 12", "list", "parse 11"]),
        SessionRow(.ok, .movedOn, .fails, ["confirming 10", "stale 10: no fetch"], ["check", "parse 12"]),
        SessionRow(
            .ok, .fails, .ok, ["confirming 10", "updated 12 with 11 12"], ["check", "list", "parse 12", "parse 11"]),
        SessionRow(.ok, .fails, .fails, ["confirming 10", "stale 10: no check"], ["check", "list"]),

        SessionRow(
            .none, .same, .ok, ["confirming 12", "updated 12 with 10 11 12"],
            ["check", "parse", "list", "parse 11", "parse 10"]),
        SessionRow(.none, .same, .fails, ["failed: no fetch"], ["check", "parse"]),
        // The rendering is that of 11, and the check says 12: the page is asked for once more, by its number.
        SessionRow(
            .none, .movedOn, .ok, ["confirming 11", "updated 12 with 10 11 12"],
            ["check", "parse", "list", "parse 12", "parse 11", "parse 10"]),
        SessionRow(.none, .movedOn, .fails, ["failed: no fetch"], ["check", "parse"]),
        SessionRow(
            .none, .fails, .ok, ["confirming 12", "updated 12 with 10 11 12"],
            ["check", "parse", "list", "parse 11", "parse 10"]),
        SessionRow(.none, .fails, .fails, ["failed: no check"], ["check", "parse"]),

        // What cannot be read is as good as nothing, and cannot be written either.
        SessionRow(
            .unreadable, .same, .ok, ["confirming 12", "stale 12: damaged"],
            ["check", "parse", "list", "parse 11", "parse 10"]),
        SessionRow(.unreadable, .same, .fails, ["failed: no fetch"], ["check", "parse"]),
        SessionRow(
            .unreadable, .movedOn, .ok, ["confirming 11", "stale 12: damaged"],
            ["check", "parse", "list", "parse 12", "parse 11", "parse 10"]),
        SessionRow(.unreadable, .movedOn, .fails, ["failed: no fetch"], ["check", "parse"]),
        SessionRow(
            .unreadable, .fails, .ok, ["confirming 12", "stale 12: damaged"],
            ["check", "parse", "list", "parse 11", "parse 10"]),
        SessionRow(.unreadable, .fails, .fails, ["failed: no check"], ["check", "parse"]),
    ]
}
