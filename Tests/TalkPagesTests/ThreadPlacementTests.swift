import Foundation
import TalkHTML
import Testing

@testable import TalkPages

@Suite struct ThreadPlacementTests {
    static func parser() throws -> ThreadParser {
        try ThreadFixture.parser(site: ThreadFixture.root.appending(components: "replies", "site.json"))
    }
    /// A signature; `(1)` in a page stands for one of minute 1.
    static func signed(_ html: String) -> String {
        html.replacing(#/\((\w)(\d)\)/#) { match in
            "<a href=\"/wiki/User:\(match.1)\">\(match.1)</a> 10:0\(match.2), 3 March 2024 (UTC)"
        }
    }
    /// Puts `R` under the comment of the author, and gives the page in the short form of `signed`.
    static func placed(
        _ html: String, under author: String, _ indentation: ReplyIndentation = .invisible, lines: [String] = ["R"]
    ) throws -> String {
        var document = try HTMLDocument(parsing: signed(html))
        let tree = try parser().parse(document)
        let index = try #require(tree.items.firstIndex { $0.author == author || author == "h" && $0.kind == .heading })
        var nodes: [[HTMLDocument.NodeID]] = []
        for line in lines { nodes.append([document.makeText(line)]) }
        try ReplyPlacement.insert(nodes, under: index, of: tree, in: &document, indentation: indentation)
        return document.innerHTML(document.root)
            .replacing(#/<a href="[^"]*">(\w)<\/a> 10:0(\d), 3 March 2024 \(UTC\)/#) { "(\($0.1)\($0.2))" }
    }

    @Test func goesAfterTheParagraph() throws {
        #expect(
            try Self.placed("<p>a (A1)\n</p><p>b (B2)\n</p>", under: "A")
                == "<p>a (A1)\n</p><dl><dd>R</dd></dl><p>b (B2)\n</p>")
        #expect(try Self.placed("<p>a (A1)</p>", under: "A", .bullet) == "<p>a (A1)</p><ul><li>R</li></ul>")
        #expect(
            try Self.placed("<p>a (A1)</p>", under: "A", lines: ["R", "S"])
                == "<p>a (A1)</p><dl><dd>R</dd><dd>S</dd></dl>")
    }

    @Test func goesAfterAllReplies() throws {
        #expect(
            try Self.placed("<p>a (A1)</p><dl><dd>b (B2)<dl><dd>c (C3)</dd></dl></dd><dd>d (D4)</dd></dl>", under: "A")
                == "<p>a (A1)</p><dl><dd>b (B2)<dl><dd>c (C3)</dd></dl></dd><dd>d (D4)</dd><dd>R</dd></dl>")
        #expect(
            try Self.placed("<p>a (A1)</p><dl><dd>b (B2)<dl><dd>c (C3)</dd></dl></dd><dd>d (D4)</dd></dl>", under: "B")
                == "<p>a (A1)</p><dl><dd>b (B2)<dl><dd>c (C3)</dd><dd>R</dd></dl></dd><dd>d (D4)</dd></dl>")
        #expect(
            try Self.placed("<p>a (A1)</p><dl><dd>b (B2)</dd><dd>d (D4)</dd></dl>", under: "B")
                == "<p>a (A1)</p><dl><dd>b (B2)<dl><dd>R</dd></dl></dd><dd>d (D4)</dd></dl>")
    }

    @Test func splitsAListOfTheOtherKind() throws {
        #expect(
            try Self.placed("<p>a (A1)</p><ul><li>b (B2)</li></ul><p>x</p>", under: "A")
                == "<p>a (A1)</p><ul><li>b (B2)</li></ul><dl><dd>R</dd></dl><p>x</p>")
        #expect(
            try Self.placed(
                "<ul><li>a (A1)\n<dl><dd>b (B2)\n<ul><li>c (C3)</li></ul></dd></dl></li><li>d</li></ul>", under: "B")
                == "<ul><li>a (A1)\n<dl><dd>b (B2)\n<ul><li>c (C3)</li></ul><dl><dd>R</dd></dl></dd></dl></li><li>d</li></ul>"
        )
    }

    @Test func dividesAListInTheMiddle() throws {
        // The bullet of C stands at the level of the reply to A, in one list with B.
        #expect(
            try Self.placed("<p>a (A1)</p><ul><li>b (B2)</li></ul><p>c (C3)</p><ul><li>d (D4)</li></ul>", under: "A")
                == "<p>a (A1)</p><ul><li>b (B2)</li></ul><dl><dd>R</dd></dl><p>c (C3)</p><ul><li>d (D4)</li></ul>")
        #expect(
            try Self.placed("<dl id=\"x\"><dd>a (A1)</dd><dd>not signed</dd></dl>", under: "A")
                == "<dl id=\"x\"><dd>a (A1)<dl><dd>R</dd></dl></dd><dd>not signed</dd></dl>")
        #expect(
            try Self.placed("<p>a (A1)</p><dl><dd>b (B2)<p>more</p></dd><dd>c</dd></dl>", under: "A")
                == "<p>a (A1)</p><dl><dd>b (B2)</dd><dd>R</dd><dd><p>more</p></dd><dd>c</dd></dl>")
    }

    @Test func staysOutsideOfABoxAroundOneComment() throws {
        #expect(
            try Self.placed("<div class=\"box\"><p>a (A1)</p></div><p>b (B2)</p>", under: "A")
                == "<div class=\"box\"><p>a (A1)</p></div><dl><dd>R</dd></dl><p>b (B2)</p>")
        #expect(
            try Self.placed("<div class=\"box\"><p>a (A1)</p><p>b (B2)</p></div>", under: "A")
                == "<div class=\"box\"><p>a (A1)</p><dl><dd>R</dd></dl><p>b (B2)</p></div>")
        #expect(try Self.placed("<pre>a (A1)</pre>b", under: "A") == "<pre>a (A1)</pre><dl><dd>R</dd></dl>b")
    }

    @Test func keepsCommentsOfTheLineTogether() throws {
        #expect(
            try Self.placed(
                "<p>a (A1)</p><!-- x -->\n<link rel=\"mw:PageProp/Category\" href=\"./C\">\n<p>b</p>", under: "A")
                == "<p>a (A1)</p><!-- x -->\n<link rel=\"mw:PageProp/Category\" href=\"./C\"><dl><dd>R</dd></dl>\n<p>b</p>"
        )
        #expect(
            try Self.placed("<p>a (A1)</p>\n\n<!-- x --><p>b</p>", under: "A")
                == "<p>a (A1)</p><dl><dd>R</dd></dl>\n\n<!-- x --><p>b</p>")
    }

    @Test func goesToTheEndOfAHeadingsOwnSection() throws {
        #expect(
            try Self.placed(
                "<h2 id=\"x\">H</h2><p>a (A1)</p><dl><dd>b (B2)</dd></dl>\n<h3>S</h3><p>c (C3)</p>", under: "h")
                == "<h2 id=\"x\">H</h2><p>a (A1)</p><dl><dd>b (B2)</dd><dd>R</dd></dl>\n<h3>S</h3><p>c (C3)</p>")
        #expect(
            try Self.placed("<div class=\"mw-heading\"><h2>H</h2></div>\n<p>not signed</p>\n", under: "h")
                == "<div class=\"mw-heading\"><h2>H</h2></div>\n<p>not signed</p><dl><dd>R</dd></dl>\n")
        #expect(
            try Self.placed("<h2>H</h2><ul><li>b</li></ul>", under: "h")
                == "<h2>H</h2><ul><li>b</li></ul><dl><dd>R</dd></dl>")
        #expect(
            try Self.placed(
                "<section data-mw-section-id=\"1\"><h2>H</h2></section><section data-mw-section-id=\"2\"><h2>I</h2></section>",
                under: "h")
                == "<section data-mw-section-id=\"1\"><h2>H</h2><dl><dd>R</dd></dl></section><section data-mw-section-id=\"2\"><h2>I</h2></section>"
        )
    }

    @Test func goesToTheEndOfTheLedeForTheHeadingThatIsNotThere() throws {
        #expect(
            try Self.placed("<p>a (A1)</p>\n<h2>H</h2><p>b (B2)</p>", under: "h")
                == "<p>a (A1)</p><dl><dd>R</dd></dl>\n<h2>H</h2><p>b (B2)</p>")
    }

    @Test func refusesWhatStandsElsewhere() throws {
        let fixture = ThreadFixture(folder: ThreadFixture.root.appending(path: "transclusions"), page: "page.html")
        var document = try HTMLDocument(parsing: try fixture.text())
        let tree = try fixture.parser().parse(document)
        let before = document.innerHTML(document.root)
        let cem = try #require(tree.items.firstIndex { $0.author == "Cem" })
        let error = #expect(throws: TalkError.self) {
            try ReplyPlacement.insert([[]], under: cem, of: tree, in: &document, indentation: .invisible)
        }
        #expect(error?.message == "the comment by Cem comes from Talk:Subpage 1, so it must be answered there")
        #expect(error?.hint == "answer it on Talk:Subpage 1")
        let gus = try #require(tree.items.firstIndex { $0.author == "Gus" })
        #expect(throws: TalkError.self) {
            try ReplyPlacement.insert([[]], under: gus, of: tree, in: &document, indentation: .invisible)
        }
        #expect(document.innerHTML(document.root) == before)
    }

    /// A signed reply under any comment of any fixture is found again below that comment, and nothing else changes.
    @Test(arguments: ThreadFixture.all(below: ThreadFixture.root), ReplyIndentation.allCases)
    func isFoundUnderItsTarget(fixture: ThreadFixture, indentation: ReplyIndentation) throws {
        let parser = try fixture.parser()
        let page = try fixture.text()
        let tree = try parser.parse(text: page)
        // Quoted, unsigned or shifted text may take a reply to it; those fixtures say nothing about places.
        guard ["replies", "headings", "same-minute", "marks"].contains(fixture.folder.lastPathComponent) else { return }
        for (index, item) in tree.items.enumerated() where item.kind == .comment {
            var document = try HTMLDocument(parsing: page)
            let link = document.makeElement("a", [.init("href", "/wiki/User:Zed")])
            document.append(document.makeText("Zed"), to: link)
            let nodes = [document.makeText("Reply. "), link, document.makeText(" 23:59, 31 December 2030 (UTC)")]
            try ReplyPlacement.insert([nodes], under: index, of: tree, in: &document, indentation: indentation)
            let after = parser.parse(document)
            let added = try #require(after.items.firstIndex { $0.author == "Zed" })
            let parent = try #require(after.items[added].parent)
            #expect(after.items[parent].id == item.id)
            #expect(after.items[added].level == item.level + 1)
            var others = after.items.map(\.id)
            others.remove(at: added)
            #expect(others == tree.items.map(\.id))
        }
    }
}
