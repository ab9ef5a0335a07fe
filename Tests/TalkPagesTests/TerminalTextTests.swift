import TalkPages
import Testing

@Suite struct TerminalTextTests {
    @Test(arguments: [
        ("plain", "plain"), ("tab\tand\nline", "tab\tand\nline"),
        ("\u{1B}]0;title\u{7}", "␛]0;title␇"), ("a\u{0}b\u{7F}", "a␀b␡"), ("a\r\nb", "a␍\nb"),
        ("\u{9B}31m", "<U+009B>31m"), ("\u{85}", "<U+0085>"),
        ("abc\u{202E}def\u{202C}", "abc<U+202E>def<U+202C>"), ("\u{2066}x\u{2069}", "<U+2066>x<U+2069>"),
        ("\u{2028}\u{2029}", "<U+2028><U+2029>"),
        // Marks of direction, joiners and emoji are harmless.
        ("א\u{200F}\u{200E}\u{61C}!", "א\u{200F}\u{200E}\u{61C}!"), ("👨‍👩‍👧 می\u{200C}روم", "👨‍👩‍👧 می\u{200C}روم"),
    ])
    func makesVisibleWhatATerminalWouldObey(text: String, expected: String) {
        #expect(Array(TerminalText.safe(text).unicodeScalars) == Array(expected.unicodeScalars))
    }

    @Test func everyControlCharacterButTwoIsGone() {
        for value in (UInt32(0)...0x9F).filter({ !(0x20...0x7E).contains($0) && $0 != 9 && $0 != 10 }) {
            let scalar = Unicode.Scalar(value).map { String($0) } ?? ""
            let safe = TerminalText.safe("a" + scalar + "b").unicodeScalars
            #expect(safe.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }, "\(value)")
        }
    }

    @Test func isolatesLinesThatRunFromRightToLeft() {
        #expect(TerminalText.isolating("plain") == "plain")
        #expect(TerminalText.isolating("one\nרוחב\ntwo") == "one\n\u{2068}רוחב\u{2069}\ntwo")
        #expect(TerminalText.isolating("سؤال") == "\u{2068}سؤال\u{2069}")
    }
}
