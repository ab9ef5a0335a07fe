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

@Suite struct PlainTextTests {
    @Test func writesStoredHTMLAsText() throws {
        let html = "<h2 id=\"A\">A</h2>\n<dl>\n<dd>x <a href=\"https://y.example\">y</a>\n</dd>\n</dl>\n"
        #expect(try PlainText.text(of: html) == "A\n\n  x y")
        #expect(try PlainText.text(of: html, showsAddresses: true) == "A\n\n  x y <https://y.example>")
    }

    @Test func indentsNoDeeperThanAnyoneCanRead() throws {
        let html = String(repeating: "<ul><li>", count: 4_000) + String(repeating: "x<br>", count: 1_000)
        #expect(try PlainText.text(of: html).utf8.count < 100_000)
    }
}
