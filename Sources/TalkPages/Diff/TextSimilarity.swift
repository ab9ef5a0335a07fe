/// The words of a text without their order, to tell how much two texts have in common.
struct TextSimilarity {
    /// From this ratio on, two comments of one author are taken for one comment that was changed.
    ///
    /// 0.6 keeps a comment whose every fourth word was exchanged, and keeps apart two that share a greeting.
    static let commentThreshold = 0.6
    /// From this ratio on, two headings without comments are taken for one that was renamed.
    static let headingThreshold = 0.5
    /// A text with as many words is hardly written twice by chance.
    static let distinctiveWords = 5
    /// More words of a text are not looked at.
    private static let maximalWords = 2_000

    let counts: [Substring: Int]
    let total: Int

    init(_ text: String) {
        let words = WordTokens(text, limit: 2 * Self.maximalWords).words
        counts = Dictionary(words.map { ($0, 1) }, uniquingKeysWith: +)
        total = words.count
    }

    var isDistinctive: Bool { total >= Self.distinctiveWords }

    /// Sørensen and Dice's ratio, from 0 for nothing in common to 1 for the same words.
    func ratio(to other: TextSimilarity) -> Double {
        guard total + other.total > 0 else { return 0 }
        let (few, many) = counts.count <= other.counts.count ? (counts, other.counts) : (other.counts, counts)
        let common = few.reduce(0) { $0 + min($1.value, many[$1.key] ?? 0) }
        return Double(2 * common) / Double(total + other.total)
    }
}
