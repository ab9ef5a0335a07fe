import Testing

@testable import TalkSync

/// When a reply expires, by a clock here and one at the wiki.
struct ExpiryCheckTests {
    static let date: Int64 = 1_800_000_000
    static let year: Int64 = 365 * 86_400

    @Test(
        arguments: [
            // Both before, both after; the very second is not past yet.
            (-1, -1, .waits), (0, 0, .waits), (1, 1, .expired), (1, 0, .waits), (0, 1, .waits),
            (90 * 86_400, 90 * 86_400, .expired),
            // They differ by an hour at most.
            (3600, 1, .expired), (1, 3601, .expired), (1, 3602, .clocksDiffer(3601)), (3602, 1, .clocksDiffer(-3601)),
            (1, -3600, .clocksDiffer(-3601)), (1, -3599, .waits),
            // A clock leaps years ahead or back, here or there.
            (10 * year, -86_400, .clocksDiffer(-10 * year - 86_400)),
            (-86_400, 10 * year, .clocksDiffer(10 * year + 86_400)),
            (-30 * year, 86_400, .clocksDiffer(30 * year + 86_400)),
            (86_400, -30 * year, .clocksDiffer(-30 * year - 86_400)),
            // Where nothing would expire anyway, what the clocks say is nobody's business.
            (-5 * year, -10, .waits), (-10, -5 * year, .waits),
        ] as [(Int64, Int64, ExpiryCheck)])
    func expiresByBothClocksWhenTheyAgree(here: Int64, wiki: Int64, check: ExpiryCheck) {
        #expect(
            ExpiryCheck.decide(
                expires: Self.date, firstSeen: Self.date - 86_400, here: Self.date + here, wiki: Self.date + wiki)
                == check)
    }

    /// The date may come from a clock that was wrong, or no wiki was in reach before it: a round that saw it must have gone
    /// before, and a day since then when it saw it late.
    @Test(
        arguments: [
            (864_000, 864_060, nil, .seen(date + 864_060)), (-60, 0, nil, .seen(date)),
            (864_000, 864_060, 863_000, .waits), (949_400, 949_400, 863_000, .waits),
            (949_401, 949_401, 863_000, .expired), (949_401, 949_399, 863_000, .waits),
            (864_000, 864_060, 865_000, .waits), (1, 1, 0, .expired), (1, 1, 1, .waits),
            (864_000, 0, nil, .clocksDiffer(-864_000)),
            (-864_000, -10, nil, .waits),
        ] as [(Int64, Int64, Int64?, ExpiryCheck)])
    func nothingExpiresBeforeItHadItsChance(here: Int64, wiki: Int64, seen: Int64?, check: ExpiryCheck) {
        let decided = ExpiryCheck.decide(
            expires: Self.date, firstSeen: seen.map { Self.date + $0 }, here: Self.date + here, wiki: Self.date + wiki)
        #expect(decided == check)
    }

    @Test func nothingExpiresWithoutTheWikisTime() {
        #expect(ExpiryCheck.decide(expires: 0, firstSeen: 0, here: .max, wiki: nil) == .waits)
    }

    @Test func noTimeOverflows() {
        #expect(ExpiryCheck.decide(expires: 0, firstSeen: 0, here: .min, wiki: .max) == .clocksDiffer(.max))
        #expect(ExpiryCheck.decide(expires: .max, firstSeen: 0, here: .max, wiki: .max) == .waits)
        #expect(ExpiryCheck.decide(expires: -9, firstSeen: -8, here: .max, wiki: .max) == .expired)
    }
}
