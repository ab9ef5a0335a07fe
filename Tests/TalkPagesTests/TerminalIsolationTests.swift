import TalkPages
import Testing

@Suite struct TerminalIsolationTests {
    @Test func everyControlCharacterButNewlineAndTabIsGone() {
        for value in (UInt32(0)...0x9F).filter({ !(0x20...0x7E).contains($0) && $0 != 9 && $0 != 10 }) {
            let scalar = Unicode.Scalar(value).map { String($0) } ?? ""
            let safe = TerminalText.safe("a" + scalar + "b").unicodeScalars
            #expect(safe.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }, "\(value)")
        }
    }

    @Test func joinersOfPersianAndOfEmojiStay() {
        for text in ["می\u{200C}روم", "👨‍👩‍👧", "א\u{61C}!"] {
            #expect(Array(TerminalText.safe(text).unicodeScalars) == Array(text.unicodeScalars))
        }
    }

    @Test func isolatesLinesThatRunFromRightToLeft() {
        #expect(TerminalText.isolating("plain") == "plain")
        #expect(TerminalText.isolating("one\nרוחב\ntwo") == "one\n\u{2068}רוחב\u{2069}\ntwo")
        #expect(TerminalText.isolating("سؤال") == "\u{2068}سؤال\u{2069}")
    }
}
