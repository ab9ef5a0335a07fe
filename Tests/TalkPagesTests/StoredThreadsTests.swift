import Foundation
import Testing

@testable import TalkPages

/// The discussion of a page is the same in the wiki's answer and in the files that a store keeps of it.
@Suite struct StoredThreadsTests {
    @Test(arguments: ThreadFixture.all(below: ThreadFixture.root))
    func filesOfAFixtureHaveTheSameDiscussion(fixture: ThreadFixture) throws { try check(fixture) }

    @Test(
        .enabled(if: ThreadCorpus.isThere, "no talk page corpus beside the repository: set GIT_TALK_SHARED"),
        arguments: ThreadFixture.all(below: ThreadCorpus.root.appending(path: "cases")))
    func filesOfARealPageHaveTheSameDiscussion(fixture: ThreadFixture) throws { try check(fixture) }

    private func check(_ fixture: ThreadFixture) throws {
        let site = try SiteFile(json: Array(Data(contentsOf: fixture.folder.appending(path: "site.json"))))
        let parser = try fixture.parser()
        let answer = String(PageText(try fixture.text()).body)
        let content = try CanonicalPage.content(of: answer, wiki: site.wiki)
        let stored = try parser.items(of: content)
        let original = try parser.parse(text: answer).items
        #expect(stored.count == original.count, "\(fixture)")
        for (stored, original) in zip(stored, original) {
            // The stored form has no marks of Parsoid, so it does not say what came from another page, and a dash
            // before a character reference is no longer apart from it.
            var stored = stored
            var original = original
            stored.text = String(DiscussionText.withoutSeparator(stored.text))
            original.text = String(DiscussionText.withoutSeparator(original.text))
            original.transclusion = nil
            original.file = stored.file
            original.readableText = stored.readableText
            if stored != original {
                Issue.record("\(fixture): the files have \(stored), the answer \(original)")
                return
            }
        }
        let again = try CanonicalPage.content(of: content.joinedText, wiki: site.wiki)
        #expect(again.filesByName == content.filesByName, "\(fixture): canonical form of the canonical form")
    }
}
