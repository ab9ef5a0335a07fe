import Foundation
import Testing

@testable import TalkPages

/// One page as the versions of MediaWiki and DiscussionTools render it.
///
/// `Fixtures/canonical/versions` was written by hand after the markup of each version. `expected-….txt` is the stored form.
@Suite struct CanonicalVersionTests {
    private func files(_ name: String) throws -> String {
        let content = try CanonicalPage.content(
            of: CanonicalFixtures.text("versions/\(name)"), wiki: CanonicalFixtures.wiki)
        let files = [("lede.html", content.lede)] + content.sections.map { ($0.file, $0.html) }
        return files.map { "== \($0)\n\($1)" }.joined() + PageTreeJSON.write(content.sections)
    }

    @Test(arguments: [
        "legacy-1.35.html", "legacy-1.44.html", "dt-1.36.html", "dt-1.39.html", "dt-1.41.html", "dt-1.43.html",
        "dt-1.46.html",
    ])
    func givesOneFormForTheLegacyParser(name: String) throws {
        #expect(try files(name) == CanonicalFixtures.text("versions/expected-legacy.txt"))
    }

    @Test(arguments: ["parsoid-1.39.html", "parsoid-1.46.html"])
    func givesOneFormForParsoid(name: String) throws {
        #expect(try files(name) == CanonicalFixtures.text("versions/expected-parsoid.txt"))
    }

    /// A page that was moved has revisions from its former title, in which it linked to itself.
    @Test func aLinkOfAPageToItselfLeadsThereUnderAnotherTitle() throws {
        let html = """
            <h2 id="A">A</h2><p>Hello. <a class="mw-selflink selflink">Chloé</a> 10:00, 3 March 2024 (UTC)</p>
            <p>Me too. <a class="mw-selflink selflink odd" href="./User_talk:Chlo%C3%A9">me</a> 11:00, 3 March 2024 (UTC)</p>
            """
        let wiki = CanonicalFixtures.wiki, title = "User talk:Chloé"
        let content = try CanonicalPage.content(of: html, wiki: wiki, title: title)
        let section = try #require(content.sections.first?.html)
        #expect(section.contains(#"Hello. <a href="/wiki/User_talk:Chlo%C3%A9">Chloé</a> 10:00"#), "\(section)")
        #expect(section.contains(#"<a class="odd" href="./User_talk:Chlo%C3%A9">me</a>"#), "\(section)")
        #expect(try CanonicalPage.content(of: section, wiki: wiki, title: title).sections == content.sections)
        let site = ThreadFixture.root.appending(components: "headings", "site.json")
        let english = try SiteFile(json: Array(try Data(contentsOf: site))).wiki
        for now in [title, "User talk:Chloe"] {
            let items = try ThreadParser(wiki: english, title: now).items(of: content)
            #expect(items.map(\.author) == [nil, "Chloé", "Chloé"], "\(now)")
        }
    }

    /// The two parsers write links to pages differently, all else alike.
    @Test func differsBetweenParsersInLinksAlone() throws {
        let legacy = try CanonicalFixtures.text("versions/expected-legacy.txt")
        let parsoid = try CanonicalFixtures.text("versions/expected-parsoid.txt")
        let same = parsoid.replacing("href=\"./", with: "href=\"/wiki/")
            .replacing(
                "<a class=\"mw-selflink selflink\" href=\"/wiki/Talk:Bridge\">",
                with: "<a class=\"mw-selflink selflink\">"
            )
            .replacing("mw-file-description", with: "image")
        #expect(same == legacy)
    }
}
