import Foundation
import TalkPages
import Testing

/// Sections against those of MediaWiki 1.39: `sections.json` holds its answers for hostile texts.
@Suite struct WikitextSectionsTests {
    struct Case: Decodable, CustomTestStringConvertible {
        struct Section: Decodable {
            var index: Int
            var level: Int
            var offset: Int
        }
        var text: String
        var sections: [Section]
        var get: [String: String]
        var replace: [String: String]
        var testDescription: String { text.debugDescription }
    }

    @Test(arguments: try wikitextFixture("sections.json", as: [Case].self))
    func splitsAsMediaWikiDoes(item: Case) throws {
        let sections = WikitextSections(item.text)
        for expected in item.sections {
            let section = try #require(sections.section(expected.index))
            #expect(section.level == expected.level)
            #expect(section.codePointOffset == expected.offset)
        }
        let texts = sections.sections.map { ("\($0.index)", sections.text(of: $0.index)) }
        #expect(Dictionary(uniqueKeysWithValues: texts) == item.get)
        for (index, text) in item.replace { #expect(sections.replacing(Int(index) ?? -1, with: "NEW") == text) }
    }

    @Test func namesHeadingsWithoutMarkupOfTheLine() {
        let text = "==  A ''b'' <!-- c -->  == <!-- d -->\n=== {{x}} ===\n= = a = ="
        let headings = WikitextSections(text).sections.map(\.heading)
        #expect(headings == ["", "A ''b''", "{{x}}", "= a ="])
    }

    @Test func countsSubSectionsToTheirSection() {
        let text = "lede\n== A ==\na\n=== B ===\nb\n==== C ====\nc\n=== D ===\nd\n== E ==\ne"
        let sections = WikitextSections(text)
        #expect(sections.text(of: 0) == "lede")
        #expect(sections.text(of: 1) == "== A ==\na\n=== B ===\nb\n==== C ====\nc\n=== D ===\nd")
        #expect(sections.text(of: 2) == "=== B ===\nb\n==== C ====\nc")
        #expect(sections.section(2)?.ownRange == 15..<27)
        #expect(sections.text(of: 6) == nil)
        #expect(sections.replacing(6, with: "x") == nil)
    }

    @Test func keepsEveryOtherByteWhenASectionIsReplaced() {
        let text = "\r\n== Ä ==\u{200E} \n\t== A ==\na\u{0}\n\n\n== B ==  \n"
        #expect(
            WikitextSections(text).replacing(1, with: "== A ==\nnew")
                == "\r\n== Ä ==\u{200E} \n\t== A ==\na\u{0}\n\n\n== A ==\nnew")
        #expect(WikitextSections(text).replacing(0, with: "") == "== B ==")
    }

    @Test func hidesHeadingsInTheTagsOfTheWiki() throws {
        let text = "== A ==\n<banner>\n== B ==\n</Banner>\n<poem>\n== C ==\n</poem>\n== D =="
        var wiki = Wiki.example
        func headings() -> [String] { WikitextSections(text, tags: wiki.wikitextTags).sections.map(\.heading) }
        #expect(headings() == ["", "A", "B", "D"])
        wiki.extensionTags = ["<pre>", "<Banner>"].map(WikitextTags.name)
        #expect(wiki.extensionTags == ["pre", "banner"])
        #expect(headings() == ["", "A", "C", "D"])
    }

    /// A file of a store from before the wiki was asked for its tags.
    @Test func readsAWikiThatNamedNoTags() throws {
        let file = String(decoding: try JSONEncoder().encode(Wiki.example), as: UTF8.self)
        #expect(!file.contains("extensionTags"))
        let wiki = try JSONDecoder().decode(Wiki.self, from: Data(file.utf8))
        #expect(wiki == .example && wiki.wikitextTags == WikitextTags.common)
    }

    @Test func beginsAnEmptyPageWithTheTextItself() {
        #expect(WikitextSections("").replacing(0, with: "a \n") == "a \n")
    }

    @Test func needsNoTimeForManyOpenTags() {
        let text = String(repeating: "<ref {{ [[ <!-- x -->\n== A <ref> ==\n", count: 5_000)
        #expect(WikitextSections(text).sections.count == 5_001)
    }
}
