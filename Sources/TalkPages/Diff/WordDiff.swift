/// What changed between two texts, word by word.
///
/// Words, white space and punctuation are compared; a text without spaces is compared by character, and no grapheme
/// cluster is divided. Texts that Unicode calls canonically equivalent are the same. Texts that differ in more than some
/// hundred words are compared by line, or as a whole.
public struct WordDiff: Hashable, Sendable {
    /// A piece of text that is in one of the texts or in both.
    public struct Run: Hashable, Sendable {
        /// Which of the two texts has it.
        public enum Kind: String, Codable, Sendable {
            /// Both.
            case same
            /// The old one.
            case removed
            /// The new one.
            case added
        }

        /// Which of the two texts has it.
        public let kind: Kind
        /// The piece; never empty.
        public let text: String

        /// Makes a run.
        public init(_ kind: Kind, _ text: String) {
            self.kind = kind
            self.text = text
        }
    }

    /// The pieces in order; no two neighbours are of one kind, and what is removed comes before what is added there.
    public let runs: [Run]

    /// How many words of a text are compared as words, beginning and end that are alike aside.
    static let maximalWords = 20_000

    /// Compares two texts.
    public init(from old: String, to new: String) {
        let words = TokenDiff(WordTokens(old).tokens, WordTokens(new).tokens, limit: Self.maximalWords)
        runs =
            (words ?? TokenDiff(Self.lines(old), Self.lines(new), limit: .max))?.runs
            ?? [Run(.removed, old), Run(.added, new)].filter { !$0.text.isEmpty }
    }

    /// The old text: all that was not added.
    public var old: String { runs.lazy.filter { $0.kind != .added }.map(\.text).joined() }
    /// The new text: all that was not removed.
    public var new: String { runs.lazy.filter { $0.kind != .removed }.map(\.text).joined() }
    /// Whether the texts are the same.
    public var isEmpty: Bool { !runs.contains { $0.kind != .same } }

    private static func lines(_ text: String) -> [WordTokens.Token] {
        var lines: [WordTokens.Token] = []
        var start = text.startIndex
        while start < text.endIndex {
            let end = text[start...].firstIndex(where: \.isNewline).map { text.index(after: $0) } ?? text.endIndex
            lines.append(WordTokens.Token(text: text[start..<end], kind: .word))
            start = end
        }
        return lines
    }
}

/// The runs of two sequences of tokens.
private struct TokenDiff {
    private(set) var runs: [WordDiff.Run] = []
    private var removed = ""
    private var added = ""

    /// Gives nil when the two differ in too much.
    init?(_ old: [WordTokens.Token], _ new: [WordTokens.Token], limit: Int) {
        var numbers: [Substring: Int32] = [:]
        let a = old.map { Self.number($0.text, &numbers) }
        let b = new.map { Self.number($0.text, &numbers) }
        var start = 0
        while start < min(a.count, b.count), a[start] == b[start] { start += 1 }
        var tail = 0
        while tail < min(a.count, b.count) - start, a[a.count - 1 - tail] == b[b.count - 1 - tail] { tail += 1 }
        guard max(a.count, b.count) - start - tail <= limit,
            let inner = TokenMatching.matches(a[start..<a.count - tail], b[start..<b.count - tail])
        else { return nil }
        var same = (0..<start).map { (old: $0, new: $0) } + inner
        same += (0..<tail).reversed().map { (old: a.count - 1 - $0, new: b.count - 1 - $0) }
        build(old, new, same)
    }

    private static func number(_ text: Substring, _ numbers: inout [Substring: Int32]) -> Int32 {
        if let known = numbers[text] { return known }
        let number = Int32(numbers.count)
        numbers[text] = number
        return number
    }

    private mutating func build(
        _ old: [WordTokens.Token], _ new: [WordTokens.Token], _ same: [(old: Int, new: Int)]
    ) {
        var (nextOld, nextNew) = (0, 0)
        for (index, pair) in same.enumerated() {
            removed += old[nextOld..<pair.old].lazy.map(\.text).joined()
            added += new[nextNew..<pair.new].lazy.map(\.text).joined()
            (nextOld, nextNew) = (pair.old + 1, pair.new + 1)
            let token = new[pair.new]
            let following = index + 1 < same.count ? same[index + 1] : (old: old.count, new: new.count)
            let isBetweenChanges =
                !(removed.isEmpty && added.isEmpty) && (following.old > nextOld || following.new > nextNew)
            if isBetweenChanges, token.kind == .space, !token.text.contains(where: \.isNewline) {
                // A space between two changed words is read as a part of the change.
                removed += old[pair.old].text
                added += token.text
                continue
            }
            flush()
            if let last = runs.last, last.kind == .same {
                runs[runs.count - 1] = WordDiff.Run(.same, last.text + token.text)
            } else {
                runs.append(WordDiff.Run(.same, String(token.text)))
            }
        }
        removed += old[nextOld...].lazy.map(\.text).joined()
        added += new[nextNew...].lazy.map(\.text).joined()
        flush()
    }

    private mutating func flush() {
        if !removed.isEmpty { runs.append(WordDiff.Run(.removed, removed)) }
        if !added.isEmpty { runs.append(WordDiff.Run(.added, added)) }
        (removed, added) = ("", "")
    }
}
