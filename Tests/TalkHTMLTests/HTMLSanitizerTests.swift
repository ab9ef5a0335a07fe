import TalkHTML
import TalkTestSupport
import Testing

@Suite struct HTMLSanitizerTests {
    private let sanitizer = HTMLSanitizer()

    @Test(arguments: [
        // Script in every place.
        ("<script>alert(1)</script>x", "x"),
        ("<p onclick=\"x()\" onmouseover=y>z</p>", "<p>z</p>"),
        ("<a href=\"javascript:alert(1)\">x</a>", "<a>x</a>"),
        ("<a href=\" &#1;JaVa\tScript&#58;alert(1)\">x</a>", "<a>x</a>"),
        ("<a href=\"java&#10;script:alert(1)\">x</a>", "<a>x</a>"),
        (
            "<a href=\"vbscript:x\">a</a><a href=\"data:text/html,x\">b</a><a href=\"file:///etc\">c</a>",
            "<a>a</a><a>b</a><a>c</a>"
        ),
        (
            "<img src=\"data:image/svg+xml,x\" alt=\"A\"><img src=x onerror=y>",
            "A<img src=\"x\" loading=\"lazy\" referrerpolicy=\"no-referrer\">"
        ),
        ("<svg><script>1</script><a xlink:href=\"javascript:1\">x</a></svg>y", "y"),
        (
            "<math><mtext><table><mglyph><style><img src=x onerror=1></style></mglyph></table></mtext></math>y",
            "y"
        ),
        ("<iframe src=x></iframe><object data=x>a</object><embed src=x><base href=//evil><link href=x><meta>y", "y"),
        ("<form action=//evil><input value=x><button>go</button><select><option>o</select></form>", "go"),
        ("<noscript><p title=\"</noscript><img src=x onerror=alert(1)>\"></p></noscript>y", "y"),
        ("<textarea><b></textarea><title></b></title><xmp><i></xmp>y", "y"),
        ("<!--[if IE]><script></script><![endif]-->y", "y"),
        ("<x-y onclick=1><blink>a</blink></x-y>", "a"),
        ("<template><script>1</script></template>y", "y"),
        // Style that fetches, runs or covers.
        ("<p style=\"background:url(//evil);color:red\">x</p>", "<p style=\"color:red\">x</p>"),
        ("<p style=\"position:fixed;top:0\">x</p>", "<p>x</p>"),
        ("<p style=\"width:expression(alert(1))\">x</p>", "<p>x</p>"),
        ("<p style=\"color:re\\64;background:u\\72l(x)\">x</p>", "<p>x</p>"),
        (
            "<p style=\"margin-left:-9999px;margin-top:1em;color:rgb(1, 2, 3)\">x</p>",
            "<p style=\"margin-top:1em;color:rgb(1, 2, 3)\">x</p>"
        ),
        ("<p style=\"background:/**/url(x)\">x</p>", "<p>x</p>"),
        ("<p style=\"-moz-binding:url(x);behavior:url(x)\">x</p>", "<p>x</p>"),
        // Names that the reader's own page uses.
        (
            "<h2 id=\"reply\">x</h2><a href=\"#reply\">y</a>",
            "<h2 id=\"wiki-reply\">x</h2><a href=\"#wiki-reply\" rel=\"nofollow noopener noreferrer\">y</a>"
        ),
        ("<p class=\"banner wikitable mw-notalk\">x</p>", "<p class=\"wikitable mw-notalk\">x</p>"),
        // Elements that would end those of the page around.
        ("<li>x<li>y", "<div>x</div><div>y</div>"),
        ("<dd>x</dd><ul><li>y</ul>", "<div>x</div><ul><li>y</li></ul>"),
        ("</div></body></html>x", "x"),
        ("<div><section><li>x</section></div>", "<div><section><div>x</div></section></div>"),
        (
            "<a href=a>x<table><tr><td><a href=b>y</a></table></a>",
            "<a href=\"a\" rel=\"nofollow noopener noreferrer\">x<table><tbody><tr><td>y</td></tr></tbody></table></a>"
        ),
        // What a talk page needs.
        (
            "<dl><dd>a <b>b</b> &lt;c&gt; <s>d</s><br></dd></dl>",
            "<dl><dd>a <b>b</b> &lt;c&gt; <s>d</s><br></dd></dl>"
        ),
        (
            "<table class=wikitable border=1><tr><th colspan=2>x</table>",
            "<table class=\"wikitable\" border=\"1\"><tbody><tr><th colspan=\"2\">x</th></tr></tbody></table>"
        ),
        (
            "<a href=\"/wiki/User:A\" title=\"&quot;\">A</a>",
            "<a href=\"/wiki/User:A\" title=\"&quot;\" rel=\"nofollow noopener noreferrer\">A</a>"
        ),
        ("<p dir=rtl lang=ar>x</p><p dir=x>y</p>", "<p dir=\"rtl\" lang=\"ar\">x</p><p>y</p>"),
    ])
    func writesWhatIsListed(hostile: String, safe: String) throws {
        #expect(try sanitizer.html(hostile) == safe)
        // Reading it as a browser does finds nothing else.
        #expect(try sanitizer.html(safe).replacing("wiki-wiki-", with: "wiki-") == safe || safe.contains("<img"))
    }

    @Test func resolvesAddresses() throws {
        var sanitizer = sanitizer
        sanitizer.resolve = { $0.hasPrefix("/") ? "https://wiki.example\($0)" : $0 == "bad" ? "javascript:1" : nil }
        #expect(
            try sanitizer.html("<a href=\"/wiki/A\">a</a><a href=bad>b</a><a href=other>c</a>")
                == "<a href=\"https://wiki.example/wiki/A\" rel=\"nofollow noopener noreferrer\">a</a><a>b</a><a>c</a>")
    }

    @Test func canLeaveImagesOut() throws {
        var sanitizer = sanitizer
        sanitizer.showsImages = false
        #expect(try sanitizer.html("<p><img src=x alt=\"A &amp; B\"> c</p>") == "<p>A &amp; B c</p>")
    }

    @Test func writesOneNodeOrItsChildren() throws {
        let document = try HTMLDocument(parsing: "<div><p>x</p>y</div>z")
        let div = try #require(document.firstChild(document.root))
        #expect(sanitizer.html(of: div, in: document) == "<div><p>x</p>y</div>")
        #expect(sanitizer.html(childrenOf: div, in: document) == "<p>x</p>y")
    }

    @Test func survivesDeepPages() throws {
        let html = String(repeating: "<div>", count: 9_000)
        #expect(onSmallStack { try? HTMLSanitizer().html(html) }?.utf8.count == 9_000 * 11)
    }

    /// Whatever the soup, reading the result again finds only listed elements and no running attribute.
    @Test func neverWritesMoreThanIsListed() throws {
        let seed: UInt64 = 0x5EED
        var soup = TagSoup(seed: seed)
        for round in 0..<400 {
            let html = soup.next()
            let safe = try sanitizer.html(html)
            let document = try HTMLDocument(parsing: safe)
            var node = document.firstChild(document.root)
            while let current = node {
                node = document.next(after: current, in: document.root)
                guard document.kind(current) != .text else { continue }
                let name = document.name(current)
                let attributes = document.attributes(current)
                let isFine =
                    !["script", "style", "iframe", "svg", "math", "form", "input", ""].contains(name)
                    && !attributes.contains {
                        $0.name.hasPrefix("on")
                            || ($0.name == "href" || $0.name == "src") && $0.value.contains("javascript:")
                    }
                #expect(isFine, "seed \(seed), round \(round): \(html) gave \(safe)")
            }
        }
    }
}
