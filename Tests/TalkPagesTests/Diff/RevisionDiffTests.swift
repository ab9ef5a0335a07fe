import Foundation
import TalkPages
import Testing

@Suite struct RevisionDiffTests {
    typealias Items = DiffItems

    /// A page with a heading and a comment in each section: heading, text, markup around.
    private func page(
        lede: String = "", _ sections: [(heading: String, text: String, html: String)], files: [String]? = nil
    )
        -> (content: PageContent, items: [ThreadItem])
    {
        var items: [ThreadItem] = []
        var content = PageContent(lede: lede, sections: [])
        for (index, section) in sections.enumerated() {
            let file = files?[index] ?? "sections/\(section.heading).html"
            items.append(Items.heading(section.heading, name: "h-\(section.text)-1", file: file))
            items.append(
                Items.comment("A", at: 1, parent: items.count - 1, section.text, id: "c-\(section.text)", file: file))
            content.sections.append(
                PageSection(
                    file: file, heading: section.heading, level: 2, html: "<h2>\(section.heading)</h2>\n\(section.html)"
                ))
        }
        return (content, items)
    }

    @Test func equalPagesHaveNoDifference() {
        let same = page(lede: "<p>x</p>", [("One", "a", "<p>a</p>")])
        #expect(RevisionDiff(old: same, new: same).isEmpty)
    }

    @Test func tellsMarkupAndOtherTextFromComments() {
        let old = page(
            lede: "<p>120 visitors</p>",
            [("One", "a", "<p><b>a</b></p>"), ("Two", "b", "<p>b</p>"), ("Three", "c", "<p>c</p>")])
        let new = page(
            lede: "<p>130 visitors</p>",
            [("One", "a", "<p><i>a</i></p>"), ("Two", "b2", "<p>b2</p>"), ("Three", "c", "<p>c</p>")])
        let diff = RevisionDiff(old: old, new: new)
        #expect(diff.renderOnly.map(\.file) == ["lede.html", "sections/One.html"])
        #expect(diff.renderOnly.map(\.isMarkupOnly) == [false, true])
        #expect(!diff.discussion.isEmpty)
    }

    @Test func aFileThatOnlyTookAnotherNameIsNotChanged() {
        // The first of two equal headings goes, so that the second one's file loses its number.
        let first = ("Question", "a", "<p>a</p>"), second = ("Question", "b", "<p>b</p>")
        let old = page([first, second], files: ["sections/Question.html", "sections/Question~2.html"])
        let new = page([second], files: ["sections/Question.html"])
        #expect(RevisionDiff(old: old, new: new).renderOnly.isEmpty)
        let other = page([("Question", "b", "<p><b>b</b></p>")], files: ["sections/Question.html"])
        #expect(RevisionDiff(old: old, new: other).renderOnly.map(\.oldFile) == ["sections/Question~2.html"])
        let both = page(
            [first, ("Question", "b", "<p><b>b</b></p>")],
            files: ["sections/Question.html", "sections/Question~2.html"])
        #expect(RevisionDiff(old: old, new: both).renderOnly.map(\.file) == ["sections/Question~2.html"])
    }

    @Test func aFileWithoutAKnownHeadingIsFoundByItsName() {
        var old = page([("Box", "a", "<p>a</p>")])
        var new = page([("Box", "a", "<p>a</p>")])
        old.items = []
        new.items = []
        new.content.sections[0].html += "<p>more</p>"
        #expect(RevisionDiff(old: old, new: new).renderOnly.map(\.oldFile) == ["sections/Box.html"])
    }

    @Test func tellsTextThatNobodySignedBesideANewComment() throws {
        let parser = try ThreadFixture.parser(site: ThreadFixture.root.appending(path: "wrappers/site.json"))
        func state(_ html: String) throws -> (PageContent, [ThreadItem], [String: String]) {
            let content = try CanonicalPage.content(of: html, wiki: nil)
            return (content, try parser.items(of: content), try parser.looseText(of: content))
        }
        let sign = { (name: String, minute: Int) in
            "<a href=\"/wiki/User:\(name)\" title=\"User:\(name)\">\(name)</a> 10:0\(minute), 1 March 2024 (UTC)"
        }
        let first = "<h2>A</h2><p>One. \(sign("Bob", 1))</p>"
        let reply = "<dl><dd>Two. \(sign("Carol", 2))</dd></dl>"
        let old = try state(first)
        #expect(old.1.count == 2 && old.2.isEmpty)
        let same = try state(first + reply)
        let plain = RevisionDiff(old: (old.0, old.1), new: (same.0, same.1), loose: (old.2, same.2))
        #expect(plain.renderOnly.isEmpty && plain.discussion.changes.count == 1)
        let new = try state(first + reply + "<p>Nobody signed this.</p><h2>C</h2><p>Nor that.</p>")
        #expect(new.2 == ["sections/A.html": "Nobody signed this.", "sections/C.html": "Nor that."])
        let diff = RevisionDiff(old: (old.0, old.1), new: (new.0, new.1), loose: (old.2, new.2))
        #expect(diff.renderOnly.map(\.file) == ["sections/A.html", "sections/C.html"])
        let back = RevisionDiff(old: (new.0, new.1), new: (old.0, old.1), loose: (new.2, old.2))
        #expect(back.renderOnly.map(\.file) == ["sections/A.html", "sections/C.html"])
    }
}
