import Foundation
import TalkHTML
import Testing

@testable import TalkPages

@Suite struct ThreadParserTests {
    @Test(arguments: ThreadFixture.all(below: ThreadFixture.root))
    func findsWhatTheRulesSay(fixture: ThreadFixture) throws {
        let tree = try fixture.parser().parse(text: try fixture.text())
        expectItems(tree.items, try fixture.expected(), fixture.testDescription)
    }

    @Test func fixturesAreThere() {
        #expect(ThreadFixture.all(below: ThreadFixture.root).count >= 15)
    }

    /// A page in one document, and as the files of a store.
    @Test func findsTheSameInTheFilesOfAPage() throws {
        let fixture = ThreadFixture(folder: ThreadFixture.root.appending(path: "headings"), page: "page.html")
        let text = try fixture.text()
        var pieces = text.components(separatedBy: "<h")
        let lede = pieces.removeFirst()
        let sections = pieces.enumerated().map { number, piece in
            PageSection(file: "sections/\(number).html", heading: "", level: 2, html: "<h" + piece)
        }
        let items = try fixture.parser().items(of: PageContent(lede: lede, sections: sections))
        let whole = try fixture.parser().parse(text: text).items
        #expect(items.map(\.id) == whole.map(\.id))
        #expect(items.map(\.parent) == whole.map(\.parent))
        #expect(items.map(\.text) == whole.map(\.text))
        #expect(items[1].file == "lede.html")
        #expect(items[4].file == "sections/1.html")
    }

    @Test func emptyAndBrokenPagesHaveNoItems() throws {
        let parser = try ThreadFixture(folder: ThreadFixture.root.appending(path: "replies"), page: "").parser()
        for text in ["", " ", "<p>", "text", "<!--", "<dl><dd></dd></dl>", "10:00, 3 March 2024 (UTC)", "<html><body>"]
        {
            #expect(try parser.parse(text: text).items.isEmpty, "\(text)")
        }
    }

    /// Cuts a page anywhere: nothing must trap, whatever the tree looks like.
    @Test func survivesEveryCut() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SplitMix(state: seed)
        for fixture in ThreadFixture.all(below: ThreadFixture.root) {
            let bytes = Array(try fixture.text().utf8)
            let parser = try fixture.parser()
            for _ in 0..<25 {
                let a = Int.random(in: 0...bytes.count, using: &random)
                let b = Int.random(in: 0...bytes.count, using: &random)
                let text = String(decoding: bytes[..<min(a, b)] + bytes[max(a, b)...], as: UTF8.self)
                let tree = try parser.parse(text: text)
                #expect(Set(tree.items.map(\.id)).count == tree.items.count, "seed \(seed)")
                for (index, item) in tree.items.enumerated() {
                    #expect(item.parent.map { $0 < index } ?? true, "seed \(seed)")
                }
            }
        }
    }

    /// Pages made to make a careless parser slow.
    @Test(arguments: [
        "<p>x <a href='/wiki/User:Ann'>Ann</a> 10:00, 3 March 2024 (UTC)</p>",
        "x <a href='/wiki/User:Ann'>Ann</a> 10:00, 3 March 2024 (UTC) ",
        "<i></i>10:00, 3 March 2024 (UTC)", "x<span typeof='mw:Entity'>&nbsp;</span>",
        "<style></style>", "<span about='#mwt1' typeof='mw:Transclusion'> </span>",
    ])
    func hasNoSlowPages(piece: String) throws {
        let parser = try ThreadFixture(folder: ThreadFixture.root.appending(path: "replies"), page: "").parser()
        let document = try HTMLDocument(parsing: String(repeating: piece, count: 4000))
        // Would take minutes if any loop were quadratic with a large factor; the test has no clock.
        #expect(parser.parse(document).items.count <= 4001)
    }
}
