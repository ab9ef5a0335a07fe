import TalkPages
import Testing

/// Recorded renderings of one page, before and after something else changed.
@Suite struct CanonicalRenderTests {
    private func content(_ name: String) throws -> PageContent {
        try CanonicalPage.content(of: Fixtures.text("renders/\(name).html"), wiki: Fixtures.wiki)
    }

    private func changedFiles(_ old: String, _ new: String) throws -> [String] {
        let old = try content(old).files
        let new = try content(new).files
        return Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }.sorted()
    }

    @Test(arguments: ["dt", "plain"]) func redLinkTurnedBlueChangesNothing(wiki: String) throws {
        #expect(try changedFiles("\(wiki)-0-baseline", "\(wiki)-1-red-link-turned-blue") == [])
    }

    @Test(arguments: ["dt", "plain"]) func showsFiles(wiki: String) throws {
        print(try content("\(wiki)-4-reply-added-in-alpha").text)
        print(try changedFiles("\(wiki)-1-red-link-turned-blue", "\(wiki)-2-template-changed"))
        print(try changedFiles("\(wiki)-2-template-changed", "\(wiki)-3-user-page-created"))
        print(try changedFiles("\(wiki)-3-user-page-created", "\(wiki)-4-reply-added-in-alpha"))
        print(try changedFiles("\(wiki)-4-reply-added-in-alpha", "\(wiki)-5-duplicate-heading-inserted"))
    }
}
