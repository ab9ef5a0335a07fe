import TalkPages
import Testing

/// The rules of the canonical form, one by one.
@Suite struct CanonicalFormTests {
    private func lede(_ html: String, wiki: Wiki? = CanonicalFixtures.wiki) throws -> String {
        let content = try CanonicalPage.content(of: html, wiki: wiki)
        #expect(content.sections.isEmpty)
        // Its own output does not change.
        #expect(try CanonicalPage.content(of: content.lede, wiki: wiki).filesByName == content.filesByName)
        return content.lede
    }

    @Test(arguments: [
        // What no revision wrote.
        ("<p>a<!-- c -->b</p>", "<p>ab\n</p>\n"),
        ("<p>a <script>x</script><meta property=p><link rel=\"mw:PageProp/Category\">b</p>", "<p>a b\n</p>\n"),
        ("<div class=\"mw-parser-output\"><p>a</p></div>", "<p>a\n</p>\n"),
        ("<div class=\"mw-content-ltr mw-parser-output\" lang=en dir=ltr>a</div>", "a\n"),
        (
            "<div>x<div class=\"mw-parser-output\">a</div></div>",
            "<div>x<div class=\"mw-parser-output\">a</div>\n</div>\n"
        ),
        ("<p class=\"mw-empty-elt\">\n</p>a", "a\n"),
        (
            "<p id=\"mwAb\" about=\"#mwt1\" typeof=\"mw:Transclusion\" data-mw='{}' data-x=1 onclick=y>a</p>",
            "<p>a\n</p>\n"
        ),
        (
            "<p>a<span typeof=\"mw:Entity\" id=\"mwAc\">&amp;</span>b<span typeof=\"mw:Nowiki\">[[</span></p>",
            "<p>a&amp;b[[\n</p>\n"
        ),
        ("<p><span typeof=\"mw:Transclusion\" about=\"#mwt2\"> </span>a</p>", "<p> a\n</p>\n"),
        ("<nav class=toc><div class=toctitle>Contents</div></nav>a", "a\n"),
        // A contents list that a user wrote stays, and its headings make no section.
        ("<div class=toc><h2>List</h2></div>", "<div class=\"toc\">\n<h2>List</h2>\n</div>\n"),
        (
            "<p>see <span class=\"mw-editsection\">x</span></p>",
            "<p>see <span class=\"mw-editsection\">x</span>\n</p>\n"
        ),
        // Style sheets: a place where one was.
        ("<style data-mw-deduplicate=\"TemplateStyles:r1\">a{}</style>x", "<style></style>x\n"),
        ("<link rel=\"mw-deduplicated-inline-style\" href=\"mw-data:TemplateStyles:r1\">x", "<style></style>x\n"),
        // Images.
        (
            "<img src=\"/w/a.png?0a1b2c\" srcset=\"x 2x\" decoding=async loading=lazy data-file-width=1 width=2>",
            "<img src=\"/w/a.png\" width=\"2\">\n"
        ),
        ("<img src=\"/w/i.php?title=x\">", "<img src=\"/w/i.php?title=x\">\n"),
        // Attributes in one order, classes that tell of other pages gone.
        (
            "<a title=t href=\"https://x.example\" class=\"external new text\" rel=nofollow target=_blank>x</a>",
            "<a class=\"external text\" href=\"https://x.example\" title=\"t\">x</a>\n"
        ),
        ("<i class=\"new\">x</i><b id=''>y</b>", "<i>x</i><b>y</b>\n"),
        // DiscussionTools.
        (
            "<p><span data-mw-comment-start=\"\" id=\"c-A-1\"></span>x<span data-mw-comment-end=\"c-A-1\"></span></p>",
            "<p>x\n</p>\n"
        ),
        ("<span data-mw-comment='{}'><span data-mw-comment-start='' id='h-'></span></span><p>x</p>", "<p>x\n</p>\n"),
        ("a <mw:dt-commentcount data=\"3\"></mw:dt-commentcount>b", "a b\n"),
        (
            "<mw:dt-timestamplink href=x class=\"ext-discussiontools-init-timestamplink\">10:00</mw:dt-timestamplink>",
            "10:00\n"
        ),
        // Not closed, so nothing of the page may go with it.
        ("<mw:dt-commentcount data=\"3\">all the rest", "all the rest\n"),
        // Raw text and what a browser may read in another way.
        ("<xmp>a<b></xmp>", "<pre>a&lt;b&gt;</pre>\n"), ("a<plaintext>b<i>", "a\n<pre>b&lt;i&gt;</pre>\n"),
        ("<iframe src=x><b></iframe>y", "<iframe src=\"x\"></iframe>y\n"),
        ("<form action=x>a<p>b</p></form>", "a\n<p>b\n</p>\n"), ("<template><p>x</p></template>y", "y\n"),
        ("<noscript><p>x</p></noscript>", "<p>x\n</p>\n"),
        // A pending reply.
        (
            "<dl><dd class=\"pending\" id=\"pending-01abc\">x</dd></dl>",
            "<dl>\n<dd class=\"pending\" id=\"pending-01abc\">x\n</dd>\n</dl>\n"
        ),
        ("", ""), (" \n<!-- x -->\n", ""), ("\n a", "a\n"), ("a \n\n", "a\n"),
    ])
    func keepsOnlyThePage(html: String, expected: String) throws { #expect(try lede(html) == expected) }

    @Test(arguments: [
        (
            "<a href=\"/w/index.php?title=X_y&amp;action=edit&amp;redlink=1\" class=\"new\" title=\"X y (fehlt)\">x</a>",
            "<a href=\"/wiki/X_y\" title=\"X y\">x</a>"
        ),
        (
            "<a href=\"//wiki.example/w/index.php?title=X&amp;action=edit&amp;redlink=1\" class=\"new\" title=\"?\">x</a>",
            "<a href=\"//wiki.example/wiki/X\" title=\"X\">x</a>"
        ),
        (
            "<a href=\"https://wiki.example/w/index.php?title=X&amp;action=edit&amp;redlink=1\" class=\"new\">x</a>",
            "<a href=\"https://wiki.example/wiki/X\" title=\"X\">x</a>"
        ),
        (
            "<a rel=\"mw:WikiLink\" href=\"./X?action=edit&amp;redlink=1\" class=\"new\" title=\"X\">x</a>",
            "<a rel=\"mw:WikiLink\" href=\"./X\" title=\"X\">x</a>"
        ),
        ("<a href=\"/wiki/X?action=edit&amp;redlink=1\" class=\"new\">x</a>", "<a href=\"/wiki/X\" title=\"X\">x</a>"),
        (
            "<a href=\"/w/index.php?title=User:Chlo%C3%A9/a%26b&amp;action=edit&amp;redlink=1\" class=\"new\">x</a>",
            "<a href=\"/wiki/User:Chlo%C3%A9/a%26b\" title=\"User:Chloé/a&amp;b\">x</a>"
        ),
        (
            "<a href=\"/w/index.php?title=X+y&amp;action=edit&amp;redlink=1\" class=\"new\">x</a>",
            "<a href=\"/wiki/X_y\" title=\"X y\">x</a>"
        ),
        ("<a href=\"/wiki/X\" class=\"mw-redirect\" title=\"X\">x</a>", "<a href=\"/wiki/X\" class=\"stub\">x</a>"),
    ])
    func linksAreAlikeWhetherTheirPageExists(red: String, blue: String) throws {
        for wiki in [CanonicalFixtures.wiki, nil] { #expect(try lede(red, wiki: wiki) == lede(blue, wiki: wiki)) }
    }

    @Test func linksFollowTheWikisArticlePath() throws {
        var wiki = CanonicalFixtures.wiki
        wiki.articlePath = "/index.php?title=$1"
        #expect(
            try lede("<a class=new href=\"/index.php?title=X&amp;action=edit&amp;redlink=1\">x</a>", wiki: wiki)
                == "<a href=\"/index.php?title=X\">x</a>\n")
    }

    @Test(arguments: [
        ("<a href=\"https://de.example/wiki/X\" title=\"de:X\">x</a>", true),
        ("<a href=\"https://de.example/wiki/X_y\" title=\"X y\">x</a>", false),
        ("<a href=\"/wiki/File:X.jpg\" class=\"image\" title=\"A caption\">x</a>", true),
        ("<abbr title=\"A\">x</abbr>", true),
        ("<a href=\"#x\" title=\"A\">x</a>", true),
    ])
    func keepsTitlesThatSayMore(html: String, isKept: Bool) throws {
        #expect(try lede(html).contains("title=") == isKept)
    }

    @Test func keepsWhatTheThreadParserNeeds() throws {
        let html = """
            <p><a class="mw-selflink selflink">A</a> <a href="/w/index.php?title=User:B&amp;x=1">B</a> \
            <a href="./User:C">C</a> <a href="/wiki/Special:Contributions/1.2.3.4">1.2.3.4</a>
            </p>
            <div class="mw-notalk">n</div>
            <div class="outdent-template">o</div>
            <div class="mw-trackedTemplate">t</div>
            <ol class="references">
            <li>r
            </li>
            </ol>

            """
        #expect(try lede(html) == html)
    }

    @Test func writesCharactersInOneWay() throws {
        #expect(
            try lede("<p title=\"&lt;&quot;'\">&quot;&apos;&gt;&#x41;&eacute;&nbsp;&#160;&#8239;&copy;</p>")
                == "<p title=\"&lt;&quot;'\">\"'&gt;Aé&nbsp;&nbsp;\u{202F}©\n</p>\n")
    }

    @Test(arguments: [
        ("<h2><span class=mw-headline id=A>A</span></h2>", "<h2 id=\"A\">A</h2>\n", "A"),
        (
            "<h2 style=\"color:red\"><span id=\"A.21\"></span><span class=mw-headline id=\"A!\"><i>A</i>!</span></h2>",
            "<h2 id=\"A!\" style=\"color:red\"><i>A</i>!</h2>\n", "A!"
        ),
        (
            "<div class=\"mw-heading mw-heading2\"><h2 id=\"A\">A</h2><span class=mw-editsection>[edit]</span></div>",
            "<h2 id=\"A\">A</h2>\n", "A"
        ),
        ("<h2 data-mw-anchor=A>A<span class=mw-editsection>[edit]</span></h2>", "<h2 id=\"A\">A</h2>\n", "A"),
        (
            "<h2 id=A><span id=my-anchor></span>A  <br> b</h2>",
            "<h2 id=\"A\"><span id=\"my-anchor\"></span>A  <br> b</h2>\n", "A b"
        ),
        ("<h2 id=mwAb>x</h2>", "<h2 id=\"mwAb\">x</h2>\n", "x"),
    ])
    func writesHeadingsInOneWay(html: String, expected: String, heading: String) throws {
        let content = try CanonicalPage.content(of: html, wiki: nil)
        #expect(content.lede == "" && content.sections.count == 1)
        #expect(content.sections.first?.html == expected && content.sections.first?.heading == heading)
    }

    @Test func splitsAtEachHeading() throws {
        let content = try CanonicalPage.content(
            of: "a<h1>B</h1>b<h6>C</h6><blockquote><h2>D</h2></blockquote><h2>B</h2>", wiki: nil)
        #expect(content.lede == "a\n")
        #expect(
            content.sections == [
                PageSection(file: "sections/B.html", heading: "B", level: 1, html: "<h1>B</h1>b\n"),
                PageSection(file: "sections/C.html", heading: "C", level: 6, html: "<h6>C</h6>\n"),
                PageSection(
                    file: "sections/D.html", heading: "D", level: 2,
                    html: "<blockquote>\n<h2>D</h2>\n</blockquote>\n"),
                PageSection(file: "sections/B~2.html", heading: "B", level: 2, html: "<h2>B</h2>\n"),
            ])
    }

    /// A heading inside a heading is no heading of the page.
    @Test func makesNoSectionOfANestedHeading() throws {
        let content = try CanonicalPage.content(of: "<h2>a<div><h3>b</h3></div></h2>", wiki: nil)
        #expect(content.sections.map(\.heading) == ["a b"])
    }

    @Test func readsBrokenHTMLToAFormThatStays() throws {
        for html in [
            "<b><p>x</b>y", "<table><li>a<li>b</table>", "<a href=x><p><a href=y>z",
            "<li><section data-mw-section-id=1><li>x",
            "<div class=\"mw-heading\"><mw:dt-x><h2>x</h2></mw:dt-x></div>",
            "<h2 id=\"ب\"><span id=\".D8.A8\" typeof=\"x\"></span>ب</h2>",
        ] {
            let content = try CanonicalPage.content(of: html, wiki: nil)
            #expect(try CanonicalPage.content(of: content.joinedText, wiki: nil).filesByName == content.filesByName)
        }
    }

    @Test func refusesAbsurdNesting() {
        let html = String(repeating: "<ul><li>", count: 12_000)
        let error = #expect(throws: TalkError.self) { try CanonicalPage.content(of: html, wiki: nil) }
        #expect(error?.kind == .invalid)
    }

    /// Each of 2,000 sections would repeat 4,000 elements.
    @Test func refusesToRepeatWrappersForEver() {
        let html =
            String(repeating: "<div class=aaaaaaaaaa>", count: 4_000) + String(repeating: "x<h2>a</h2>", count: 2_000)
        let error = #expect(throws: TalkError.self) { try CanonicalPage.content(of: html, wiki: nil) }
        #expect(error?.message.contains("headings inside other elements") == true)
    }
}
