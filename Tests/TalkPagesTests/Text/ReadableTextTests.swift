import Testing

@testable import TalkPages

@Suite struct ReadableTextTests {
    @Test(arguments: [
        ("", ""),
        ("<h2 id=\"A\">A <i>b</i></h2>\n<p>One\ntwo.</p>\n<p>Three.</p>", "== A b ==\nOne two.\nThree."),
        ("<p>a<br>b<br/>c</p>", "a\nb\nc"),
        ("<p>See <a href=\"/wiki/X\">the page</a>.</p>", "See the page."),
        // Lists keep their marks, and what follows in an item its place.
        ("<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>", "* a\n  * b\n* c"),
        ("<ol><li>a</li><li><p>b</p><p>c</p></li></ol>", "1. a\n2. b\n   c"),
        ("<dl><dt>T</dt><dd>a<dl><dd>b</dd></dl></dd></dl>", "T\n  a\n    b"),
        ("<blockquote><p>a</p><ul><li>b</li></ul></blockquote><p>c</p>", "> a\n> * b\nc"),
        ("<p>Use <code>git  log</code> <s>now</s>.</p>", "Use `git log` ~~now~~."),
        ("<pre>if x:\n    y\n</pre><p>z</p>", "if x:\n    y\nz"),
        (
            "<table><caption>C</caption><tbody><tr><th>h</th><th></th></tr>\n<tr>\n<td><p>a</p></td>\n<td>b <i>c</i></td></tr></tbody></table>",
            "C\nh |\na | b c"
        ),
        (
            "<p>a <img alt=\"The  arch\" src=\"x\"> <img src=\"y\"><img alt=\"\" src=\"z\"> <img alt=\"😀\"></p>",
            "a [The arch] [image] 😀"
        ),
        ("<figure><img alt=\"Arch\"><figcaption>An arch</figcaption></figure><p>b</p>", "[Arch]\nAn arch\nb"),
        ("<div class=\"mw-collapsible mw-collapsed\"><p>hidden text</p></div>", "hidden text"),
        ("<p>👨‍👩‍👧 שלום <bdi dir=\"rtl\">עולם</bdi></p>", "👨‍👩‍👧 שלום עולם"),
        ("<p>a</p><hr><p>b</p><style>p{}</style><script>x()</script>", "a\n----\nb"),
        ("<s><p>a</p>\n<p>b</p></s><p>c</p>", "~~a\nb~~\nc"), ("<p>a <code></code><s> </s>b</p>", "a b"),
        (
            "<p><span style=\"display: none;\"><math alttext=\"{x}\"><mi>x</mi></math></span><img alt=\"{x}\"></p>",
            "[{x}]"
        ),
        (
            "<p><math alttext=\"{x}\"><mi>x</mi><annotation>x</annotation></math> is it</p>", "{x} is it"
        ),
        ("<p>unclosed <b>bold<ul><li>x", "unclosed bold\n* x"),
    ])
    func readsAFile(html: String, expected: String) throws {
        #expect(try ReadableText.text(of: html) == expected)
    }

    @Test func manyItemsAndDeepListsTakeLinearTime() throws {
        let many = try ReadableText.text(of: "<ol>" + String(repeating: "<li>x</li>", count: 20_000) + "</ol>")
        #expect(many.hasSuffix("\n20000. x"))
        let deep = try ReadableText.text(of: String(repeating: "<ul><li>x", count: 200))
        #expect(deep.split(separator: "\n").count == 200)
    }

    @Test func indentsNoDeeperThanAnyoneCanRead() throws {
        let html = String(repeating: "<ul><li>", count: 4_000) + String(repeating: "x<br>", count: 1_000)
        #expect(try ReadableText.text(of: html).utf8.count < 100_000)
    }

    // MARK: Comments

    private func items(_ html: String) throws -> [ThreadItem] {
        let signed = html.replacing("~Bob~", with: "<a href=\"/wiki/User:Bob\">Bob</a> 10:00, 1 March 2024 (UTC)")
        let page = PageContent(
            lede: "",
            sections: [
                PageSection(file: "sections/T.html", heading: "T", level: 2, html: "<h2 id=\"T\">T</h2>\n" + signed)
            ])
        return try ThreadPlacementTests.parser().items(of: page)
    }

    @Test(
        arguments: [
            ("<p>One line. ~Bob~</p>", "One line.", nil),
            ("<p>See <a href=\"/wiki/X\">this</a> <b>now</b>. ~Bob~</p>", "See this now.", nil),
            ("<p>One.</p>\n<p>Two. ~Bob~</p>", "One. Two.", "One.\nTwo."),
            ("<dl><dd>One.</dd>\n<dd>Two. ~Bob~</dd></dl>", "One. Two.", "One.\nTwo."),
            (
                "<ul><li>Yes, because:\n<ul><li>a</li></ul></li></ul><p>b ~Bob~</p>", "Yes, because: a b",
                "Yes, because:\n* a\nb"
            ),
            (
                "<dl><dd>See\n<ol><li>a</li><li>b</li></ol></dd><dd>So. ~Bob~</dd></dl>", "See a b So.",
                "See\n1. a\n2. b\nSo."
            ),
            ("<p>A <img alt=\"Arch\"> here — ~Bob~</p>", "A here", "A [Arch] here"),
            ("<p><s>Support. ~Bob~</s></p>", "Support.", "~~Support.~~"),
            ("<p><s>Support</s> Oppose. ~Bob~</p>", "Support Oppose.", "~~Support~~ Oppose."),
            ("<p>Run <code>x</code>. ~Bob~</p>", "Run x.", "Run `x`."),
        ] as [(String, String, String?)])
    func readsAComment(html: String, text: String, readable: String?) throws {
        let comment = try #require(try items(html).first { $0.kind == .comment })
        #expect(comment.text == text)
        #expect(comment.readableText == readable)
        #expect(comment.shownText == readable ?? text)
    }
}
