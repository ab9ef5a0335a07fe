import TalkPages
import Testing

/// Recorded renderings of one page, before and after something else changed.
@Suite struct CanonicalRenderTests {
    private func content(_ name: String) throws -> PageContent {
        try CanonicalPage.content(of: CanonicalFixtures.text("renders/\(name).html"), wiki: CanonicalFixtures.wiki)
    }

    private func changedFiles(_ old: String, _ new: String, on wiki: String) throws -> [String] {
        let old = try content("\(wiki)-\(old)").filesByName
        let new = try content("\(wiki)-\(new)").filesByName
        return Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.sorted()
    }

    @Test(arguments: ["dt", "plain"]) func linkTurnedBlueChangesNothing(wiki: String) throws {
        #expect(try changedFiles("0-baseline", "1-red-link-turned-blue", on: wiki) == [])
    }

    @Test(arguments: ["dt", "plain"]) func editedTemplateChangesWhereItIsUsed(wiki: String) throws {
        #expect(try changedFiles("1-red-link-turned-blue", "2-template-changed", on: wiki) == ["sections/Gamma.html"])
    }

    @Test(arguments: ["dt", "plain"]) func newUserPageChangesNoSignature(wiki: String) throws {
        #expect(try changedFiles("2-template-changed", "3-user-page-created", on: wiki) == [])
    }

    @Test(arguments: ["dt", "plain"]) func replyChangesItsSectionAlone(wiki: String) throws {
        #expect(
            try changedFiles("3-user-page-created", "4-reply-added-in-alpha", on: wiki) == ["sections/Alpha.html"])
    }

    /// The anchors of later equal headings move, so their files do.
    @Test(arguments: ["dt", "plain"]) func equalHeadingMovesTheLaterOnes(wiki: String) throws {
        #expect(
            try changedFiles("4-reply-added-in-alpha", "5-duplicate-heading-inserted", on: wiki)
                == ["page.json", "sections/Beta.html", "sections/Beta~2.html", "sections/Beta~3.html"])
    }

    @Test func wikiWithDiscussionToolsGivesTheSameFilesAsOneWithout() throws {
        for name in ["0-baseline", "4-reply-added-in-alpha", "5-duplicate-heading-inserted"] {
            #expect(try content("dt-\(name)").filesByName == content("plain-\(name)").filesByName)
        }
    }

    /// What `git diff` shows of a reply is the reply.
    @Test func replyIsTheOnlyChangedLines() throws {
        let old = try content("plain-3-user-page-created").sections[0].html.split(separator: "\n")
        let new = try content("plain-4-reply-added-in-alpha").sections[0].html.split(separator: "\n")
        let difference = new.difference(from: old)
        #expect(difference.removals.isEmpty)
        #expect(difference.insertions.count == 2)
        #expect(new.filter { $0.contains("Another reply.") }.count == 1)
    }
}
