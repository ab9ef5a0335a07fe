import TalkPages
import Testing

@Suite struct TerminalTextTests {
    @Test(arguments: [
        ("plain\ttext\n", "plain\ttext\n"), ("\u{1B}[31mred", "␛[31mred"), ("a\rb\u{8}", "a␍b␈"), ("\0\u{7F}", "␀␡"),
        ("\u{9B}31m", "<U+009B>31m"), ("a\u{202E}cba\u{202C}", "a<U+202E>cba<U+202C>"),
        ("\u{2066}x\u{2069}", "<U+2066>x<U+2069>"), ("a\u{2028}b", "a<U+2028>b"),
        ("مرحبا \u{200F}عالم\u{200E}", "مرحبا \u{200F}عالم\u{200E}"), ("👩‍👩‍👧 é", "👩‍👩‍👧 é"), ("", ""),
        ("\r\n", "␍\n"),
    ])
    func showsWhatATerminalWouldObey(text: String, expected: String) {
        #expect(Array(TerminalText.safe(text).unicodeScalars) == Array(expected.unicodeScalars))
    }
}
