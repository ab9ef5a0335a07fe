import Foundation
import TalkPages
import TalkSync
import TalkTestSupport
import Testing

/// The numbers of sections, as a real wiki counts them, on pages that hide or make headings.
@Suite(.testWiki) struct SectionNumberTests {
    static let pages: [(about: String, text: String, headings: [String])] = [
        ("a tag of an extension", "== A ==\n<poem>\n== B ==\n</poem>\n== C ==\nx", ["A", "C"]),
        ("a tag in capitals", "== A ==\n<POEM style=\"x\">\n== B ==\n</Poem >\n== C ==\nx", ["A", "C"]),
        (
            "a tag of an extension that this wiki has not", "== A ==\n<ref>\n== B ==\n</ref>\n== C ==\nx",
            ["A", "B", "C"]
        ),
        (
            "tags of MediaWiki itself",
            "== A ==\n<pre>\n== B ==\n</pre>\n<nowiki>\n== C ==\n</nowiki>\n<gallery>\n== D ==\n</gallery>\n== E ==\nx",
            ["A", "E"]
        ),
        ("a tag that is not closed", "== A ==\n<poem>\n== B ==\nx", ["A", "B"]),
        ("a tag that closes itself", "== A ==\n<poem/>\n== B ==\nx", ["A", "B"]),
        ("comments", "== A ==\n<!--\n== B ==\n-->\n== C == <!-- d -->\n<!-- e -->\n== F ==\nx", ["A", "C", "F"]),
        ("no table of contents", "__NOTOC__\n== A ==\n__NOEDITSECTION__\n== B ==\nx", ["A", "B"]),
        ("headings in HTML", "== A ==\n<h2>B</h2>\nb\n<h3>C</h3>\nc\n== D ==\nx", ["A", "D"]),
        (
            "parts for transclusion",
            "<noinclude>\n== A ==\n</noinclude>\n<includeonly>\n== B ==\n</includeonly>\n<onlyinclude>\n== C ==\n</onlyinclude>\n== D ==\nx",
            ["A", "C", "D"]
        ),
        ("a template with headings", "== A ==\n{{Headings sample}}\n== D ==\nx", ["A", "D"]),
        ("a heading within the arguments of a template", "== A ==\n{{Done|\n== B ==\n}}\n== C ==\nx", ["A", "C"]),
        ("a template in a heading", "== A {{Done}} ==\n== B ==\nx", ["A {{Done}}", "B"]),
        ("all levels", "= A =\n====== B ======\n=== C ===\n======= D =======\nx", ["A", "B", "C", "= D ="]),
    ]

    @Test func countsAsTheWiki() async throws {
        let wiki = try TestWiki.required(), template = "Template:Headings \(UUID())"
        try wiki.edit(template, to: "== B ==\nb\n=== C ===\nc")
        let api = MediaWikiAPI(
            endpoint: wiki.api.absoluteString, settings: NetworkSettings(userAgent: "git-talk-tests/1 (local)"))
        let site = try await api.siteInfo()
        for page in Self.pages {
            let about = Comment(rawValue: page.about), title = TestWiki.newTitle("Sections")
            let text = page.text.replacing("Headings sample", with: template.dropFirst("Template:".count))
            let revision = try wiki.edit(title, to: text)
            let sections = WikitextSections(text, tags: site.wikitextTags)
            let parsed = try await api.parse(revision: RevisionID(rawValue: Int64(revision)))
            #expect(sections.agree(with: parsed.sections), about)
            #expect(sections.sections.dropFirst().map(\.heading) == page.headings, about)
            for section in sections.sections {
                let theirs = try self.text(of: section.index, title, wiki)
                #expect(sections.text(of: section.index) == theirs, about)
            }
        }
    }

    @Test func knowsTheTagsOfTheWiki() async throws {
        let wiki = try TestWiki.required()
        let site = try await MediaWikiAPI(
            endpoint: wiki.api.absoluteString, settings: NetworkSettings(userAgent: "git-talk-tests/1 (local)")
        ).siteInfo()
        let tags = try #require(site.extensionTags)
        #expect(Set(["gallery", "nowiki", "poem", "pre"]).isSubset(of: tags) && !tags.contains("ref"))
        #expect(site.wikitextTags == Set(tags))
    }

    private func text(of section: Int, _ title: String, _ wiki: TestWiki) throws -> String {
        struct Answer: Decodable {
            struct Query: Decodable { let pages: [Page] }
            struct Page: Decodable { let revisions: [Revision] }
            struct Revision: Decodable { let slots: [String: Slot] }
            struct Slot: Decodable { let content: String }
            let query: Query
        }
        let answer = try wiki.call([
            "action": "query", "prop": "revisions", "titles": title, "rvprop": "content", "rvslots": "main",
            "rvsection": String(section),
        ])
        let page = try JSONDecoder().decode(Answer.self, from: Data(answer.utf8)).query.pages.first
        return try #require(page?.revisions.first?.slots["main"]?.content)
    }
}
