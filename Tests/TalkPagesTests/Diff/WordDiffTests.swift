import TalkTestSupport
import Testing

@testable import TalkPages

@Suite struct WordDiffTests {
    /// As git's word diff marks it.
    private func marked(_ old: String, _ new: String) -> String {
        WordDiff(from: old, to: new).runs.map { run in
            switch run.kind {
            case .same: run.text
            case .removed: "[-\(run.text)-]"
            case .added: "{+\(run.text)+}"
            }
        }.joined()
    }

    @Test(arguments: [
        ("", "", ""), ("same", "same", "same"), ("", "new text", "{+new text+}"), ("old", "", "[-old-]"),
        ("How wide is teh arch?", "How wide is the arch?", "How wide is [-teh-]{+the+} arch?"),
        ("I agree", "I agree.", "I agree{+.+}"),
        ("I don't know", "I do know", "I [-don't-]{+do+} know"),
        ("at 10:30, 4.5 m", "at 10:35, 4.25 m", "at [-10:30-]{+10:35+}, [-4.5-]{+4.25+} m"),
        ("one two three four", "one 2 3 four", "one [-two three-]{+2 3+} four"),
        // Lines stay apart.
        ("one\ntwo", "1\n2", "[-one-]{+1+}\n[-two-]{+2+}"),
    ])
    func marksWords(old: String, new: String, expected: String) { #expect(marked(old, new) == expected) }

    @Test func comparesTextWithoutSpacesByCharacter() {
        #expect(marked("橋の幅は四米です。", "橋の幅は五米です。") == "橋の幅は[-四-]{+五+}米です。")
        #expect(marked("สะพานกว้าง", "สะพานยาว") == "สะพาน[-กว้-]{+ย+}า[-ง-]{+ว+}")
    }

    @Test func dividesNoGraphemeCluster() {
        #expect(marked("ok 👨‍👩‍👧 👍🏽", "ok 👨‍👩‍👦 👍🏽") == "ok [-👨‍👩‍👧-]{+👨‍👩‍👦+} 👍🏽")
        #expect(marked("cafe\u{301} x", "cafe x") == "[-cafe\u{301}-]{+cafe+} x")
        #expect(marked("🇫🇷🇩🇪", "🇫🇷🇮🇹") == "🇫🇷[-🇩🇪-]{+🇮🇹+}")
    }

    @Test func comparesRightToLeftTextInItsOwnOrder() {
        #expect(marked("רוחב הגשר ארבעה", "רוחב הגשר חמישה") == "רוחב הגשר [-ארבעה-]{+חמישה+}")
        // A zero-width non-joiner stands inside a word.
        #expect(marked("می\u{200C}روم خانه", "می\u{200C}رود خانه") == "[-می\u{200C}روم-]{+می\u{200C}رود+} خانه")
    }

    @Test func equivalentCharactersAreNoChange() {
        #expect(WordDiff(from: "caf\u{E9}", to: "cafe\u{301}").isEmpty)
    }

    @Test func textsThatDifferInTooManyWordsAreComparedByLine() {
        let old = (0..<2000).map { "old\($0) " }.joined()
        let new = (0..<2000).map { "new\($0) " }.joined()
        let runs = WordDiff(from: "first\n\(old)\nlast", to: "first\n\(new)\nlast").runs
        #expect(
            runs == [
                .init(.same, "first\n"), .init(.removed, old + "\n"), .init(.added, new + "\n"), .init(.same, "last"),
            ])
    }

    @Test func textsThatDifferInTooManyLinesAreReplaced() {
        let old = (0..<2000).map { "old\($0)\n" }.joined()
        let new = (0..<2000).map { "new\($0)\n" }.joined()
        #expect(WordDiff(from: old, to: new).runs == [.init(.removed, old), .init(.added, new)])
    }

    @Test(arguments: 0..<200) func givesBothTextsBack(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let pieces = [
            "a", "b", "word", "don't", " ", "  ", "\n", "\r\n", ".", "4", "4.5", "橋", "幅", "👨‍👩‍👧", "e\u{301}", "שלום",
            "\u{200F}", "\0", "🇫🇷",
        ]
        let old = (0..<Int.random(in: 0...40, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
        var new = old
        for _ in 0..<Int.random(in: 0...10, using: &random) {
            let place = Int.random(in: 0...new.count, using: &random)
            if Bool.random(using: &random) || place == new.count {
                new.insert(pieces.randomElement(using: &random) ?? "", at: place)
            } else {
                new.remove(at: place)
            }
        }
        let (a, b) = (old.joined(), new.joined())
        let diff = WordDiff(from: a, to: b)
        #expect(Array(diff.old.utf8) == Array(a.utf8), "seed \(seed)")
        #expect(Array(diff.new.utf8) == Array(b.utf8), "seed \(seed)")
        #expect(diff.isEmpty == (a == b), "seed \(seed)")
        #expect(zip(diff.runs, diff.runs.dropFirst()).allSatisfy { $0.kind != $1.kind }, "seed \(seed)")
        #expect(!diff.runs.contains { $0.text.isEmpty }, "seed \(seed)")
        #expect(WordDiff(from: a, to: a).isEmpty, "seed \(seed)")
    }

    /// The least number of edits, worked out the slow way.
    @Test(arguments: 0..<200) func findsALongestCommonSequence(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let a = (0..<Int.random(in: 0...30, using: &random)).map { _ in Int32.random(in: 0...4, using: &random) }
        let b = (0..<Int.random(in: 0...30, using: &random)).map { _ in Int32.random(in: 0...4, using: &random) }
        var table = Array(repeating: Array(repeating: 0, count: b.count + 1), count: a.count + 1)
        for i in a.indices {
            for j in b.indices {
                table[i + 1][j + 1] = a[i] == b[j] ? table[i][j] + 1 : max(table[i][j + 1], table[i + 1][j])
            }
        }
        let matches = TokenMatching.matches(a[...], b[...]) ?? []
        #expect(matches.count == table[a.count][b.count], "seed \(seed)")
        #expect(matches.allSatisfy { a[$0.old] == b[$0.new] }, "seed \(seed)")
        #expect(zip(matches, matches.dropFirst()).allSatisfy { $0.old < $1.old && $0.new < $1.new }, "seed \(seed)")
    }
}
