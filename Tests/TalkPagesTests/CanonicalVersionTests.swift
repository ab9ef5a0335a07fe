import Foundation
import TalkPages
import Testing

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
