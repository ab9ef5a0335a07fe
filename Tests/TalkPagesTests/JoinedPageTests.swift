import TalkHTML
import TalkPages
import Testing

@Suite struct JoinedPageTests {
    private let wrapped = """
        <div class="box">
        <p>Intro.
        </p>
        <h2 id="A">A</h2>
        <p>First.
        </p>
        <ul>
        <li>Item
        <h3 id="B">B</h3> tail
        </li>
        <li>Next
        </li>
        </ul>
        </div>
        <p>After.
        </p>

        """

    @Test func closesAndOpensWrappersAroundAHeading() throws {
        let content = try CanonicalPage.content(of: wrapped, wiki: nil)
        #expect(content.lede == "<div class=\"box\">\n<p>Intro.\n</p>\n</div>\n")
        #expect(
            content.sections.map(\.html) == [
                """
                <div class="box" data-mw-continued="">
                <h2 id="A">A</h2>
                <p>First.
                </p>
                <ul>
                <li>Item
                </li>
                </ul>
                </div>

                """,
                """
                <div class="box" data-mw-continued="">
                <ul data-mw-continued="">
                <li data-mw-continued="">
                <h3 id="B">B</h3> tail
                </li>
                <li>Next
                </li>
                </ul>
                </div>
                <p>After.
                </p>

                """,
            ])
    }

    @Test func joinsTheFilesToTheTreeThatWasSplit() throws {
        let joined = try CanonicalPage.document(of: CanonicalPage.content(of: wrapped, wiki: nil))
        #expect(joined.document.innerHTML(joined.document.root) == wrapped)
    }

    /// White space shows in all that stands in preformatted text.
    @Test func keepsWhiteSpaceWherePreformattedTextIsSplit() throws {
        let html = "<pre>a <code>b\n\n<h2 id=\"C\">C</h2> d </code> </pre>\n"
        let content = try CanonicalPage.content(of: html, wiki: nil)
        #expect(content.lede == "<pre>a <code>b\n\n</code></pre>\n")
        #expect(
            content.sections[0].html
                == "<pre data-mw-continued=\"\"><code data-mw-continued=\"\"><h2 id=\"C\">C</h2> d </code> </pre>\n")
        let joined = try CanonicalPage.document(of: content)
        #expect(joined.document.innerHTML(joined.document.root) == html)
    }

    @Test func saysWhichFileANodeComesFrom() throws {
        let joined = try CanonicalPage.document(of: CanonicalPage.content(of: wrapped, wiki: nil))
        let document = joined.document
        var files: [String: String?] = [:]
        var next = document.firstChild(document.root)
        while let node = next {
            let text = document.text(node).split(separator: "\n").first.map(String.init) ?? document.name(node)
            if files[text] == nil { files[text] = joined.file(of: node) }
            next = document.next(after: node, in: document.root)
        }
        #expect(joined.files == ["lede.html", "sections/A.html", "sections/B.html"])
        #expect(files["div"] == "lede.html" && files["Intro."] == "lede.html")
        #expect(
            files["A"] == "sections/A.html" && files["Item"] == "sections/A.html" && files["ul"] == "sections/A.html")
        #expect(files["B"] == "sections/B.html" && files["Next"] == "sections/B.html")
        #expect(files["After."] == "sections/B.html")
        #expect(joined.file(of: document.root) == nil)
    }

    @Test func knowsNoFileOfANodeMadeLater() throws {
        var joined = try CanonicalPage.document(of: PageContent(lede: "a\n", sections: []))
        let node = joined.document.makeText("x")
        #expect(joined.file(of: node) == nil)
    }

    /// A user cannot write the mark; where it is wrong all the same, only the mark goes.
    @Test func ignoresAMarkThatContinuesNothing() throws {
        let content = PageContent(
            lede: "<p>x\n</p>\n",
            sections: [
                PageSection(
                    file: "sections/A.html", heading: "A", level: 2,
                    html: "<div data-mw-continued=\"\">\n<h2>A</h2>\n</div>\n")
            ])
        let joined = try CanonicalPage.document(of: content)
        #expect(joined.document.innerHTML(joined.document.root) == "<p>x\n</p>\n<div>\n<h2>A</h2>\n</div>\n")
        let stored = try CanonicalPage.content(
            of: "<p>x</p><div data-mw-continued><b data-mw-continued>y</b></div>", wiki: nil)
        #expect(stored.lede == "<p>x\n</p>\n<div><b>y</b></div>\n")
    }

    @Test func joinsEmptyPages() throws {
        let joined = try CanonicalPage.document(of: PageContent(lede: "", sections: []))
        #expect(joined.files == [] && joined.document.firstChild(joined.document.root) == nil)
    }

    @Test func reportsAFileThatNobodyWrote() {
        let deep = PageContent(lede: String(repeating: "<div>", count: 20_000), sections: [])
        let error = #expect(throws: TalkError.self) { try CanonicalPage.document(of: deep) }
        #expect(error?.kind == .damaged)
    }
}
