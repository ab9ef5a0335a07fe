import TalkHTML
import Testing

@Suite struct HTMLDocumentTests {
    /// Parses and writes back.
    private func roundTrip(_ html: String) throws -> String {
        let document = try HTMLDocument(parsing: html)
        return document.innerHTML(document.root)
    }

    @Test(arguments: [
        ("<p>a<p>b", "<p>a</p><p>b</p>"),
        ("<table><tr><td>x", "<table><tbody><tr><td>x</td></tr></tbody></table>"),
        ("a &lt; b &amp;amp; c&nbsp;d &#160;", "a &lt; b &amp;amp; c&nbsp;d &nbsp;"),
        ("<br/><img src=x alt='\"'>", "<br><img src=\"x\" alt=\"&quot;\">"),
        ("<b><i>x</b>y</i>", "<b><i>x</i></b><i>y</i>"),
        (
            "<mw:dt-commentcount data=\"3\"></mw:dt-commentcount>x",
            "<mw:dt-commentcount data=\"3\"></mw:dt-commentcount>x"
        ),
        ("<style>a > b & c</style>", "<style>a > b & c</style>"),
        ("<svg viewBox=x><Path d=y></Path></svg>", "<svg viewbox=\"x\"><path d=\"y\"></path></svg>"),
        ("<math><mi>x</mi></math><svgs>a</svgs>", "<math><mi>x</mi></math><svgs>a</svgs>"),
        ("<template><p>x</p></template>y", "<template><p>x</p></template>y"),
        ("<textarea>\n\n&lt;b>x</textarea>", "<textarea>\n\n&lt;b&gt;x</textarea>"),
        ("", ""),
        ("\u{0}a\u{0}b", "ab"),
        ("<i title='a\u{0}b'>x</i>", "<i title=\"a\u{FFFD}b\">x</i>"),
        ("&#xD800;&#0;&#13;&#1;", "\u{FFFD}\u{FFFD}&#13;&#1;"),
        ("a\r\nb\rc", "a\nb\nc"),
        ("<pre>\n\nx</pre>", "<pre>\n\nx</pre>"),
        ("<!--a-->b<!---->", "<!--a-->b<!---->"),
        ("<!DOCTYPE html><html><head><title>T</title></head><body><p>x</body></html>", "<title>T</title><p>x</p>"),
    ])
    func writesWhatItRead(html: String, expected: String) throws {
        #expect(try roundTrip(html) == expected)
        #expect(try roundTrip(expected) == expected)
    }

    @Test func walksInDocumentOrder() throws {
        let document = try HTMLDocument(parsing: "<p>a<b>b</b></p><p>c</p>")
        var names: [String] = []
        var node = document.firstChild(document.root)
        while let current = node {
            names.append(document.kind(current) == .text ? document.text(current) : document.name(current))
            node = document.next(after: current, in: document.root)
        }
        #expect(names == ["p", "a", "b", "b", "p", "c"])
        #expect(document.textContent(document.root) == "abc")
    }

    @Test func unwrapsAndRemoves() throws {
        var document = try HTMLDocument(parsing: "<div>a<b>x<i>y</i></b>c</div>")
        let div = try #require(document.firstChild(document.root))
        let bold = document.children(div)[1]
        document.unwrap(bold)
        #expect(document.innerHTML(div) == "ax<i>y</i>c")
        document.remove(document.children(div)[2])
        #expect(document.innerHTML(div) == "axc")
        document.unwrap(div)
        #expect(document.innerHTML(document.root) == "axc")
        #expect(document.children(document.root).count == 3)
    }

    @Test func findsClassWords() throws {
        let document = try HTMLDocument(parsing: "<i class='new  mw-notalk'>x</i>")
        let node = try #require(document.firstChild(document.root))
        #expect(document.hasClass("new", node) && document.hasClass("mw-notalk", node))
        #expect(!document.hasClass("mw", node) && !document.hasClass("notalk", node))
    }
}
