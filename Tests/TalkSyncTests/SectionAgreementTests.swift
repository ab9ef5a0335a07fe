import TalkPages
import TalkSync
import Testing

@Suite struct SectionAgreementTests {
    /// On a wiki without an extension for `<poem>`, the second line is a heading.
    let text = "== One ==\n<poem>\n== Two ==\n</poem>\n== Drei ß ==\n== Four =="

    func parsed(_ index: String, at offset: Int?) -> ParsedPage.Section {
        ParsedPage.Section(
            level: 2, line: "", anchor: "", index: index, fromTitle: nil, codepointOffset: offset)
    }

    @Test func agreesWithTheSameStarts() {
        let theirs = [parsed("1", at: 0), parsed("2", at: 35), parsed("3", at: 48)]
        #expect(WikitextSections(text, tags: ["poem"]).agree(with: theirs))
    }

    @Test func disagreesWhereTheWikiSeesOneMoreHeading() {
        let theirs = [parsed("1", at: 0), parsed("2", at: 17), parsed("3", at: 35), parsed("4", at: 48)]
        #expect(!WikitextSections(text, tags: ["poem"]).agree(with: theirs))
        #expect(WikitextSections(text, tags: []).agree(with: theirs))
    }

    @Test func disagreesWhereTheWikiSeesOneHeadingLess() {
        let theirs = [parsed("1", at: 0), parsed("2", at: 35), parsed("3", at: 48)]
        #expect(!WikitextSections(text, tags: []).agree(with: theirs))
    }

    @Test func leavesOutHeadingsThatComeFromElsewhere() {
        let theirs = [
            parsed("1", at: 0), parsed("T-1", at: nil), parsed("", at: nil), parsed("2", at: 35), parsed("3", at: 48),
        ]
        #expect(WikitextSections(text, tags: ["poem"]).agree(with: theirs))
    }

    @Test func disagreesWhereTheWikiDoesNotSayWhereSectionsBegin() {
        let theirs = [parsed("1", at: nil), parsed("2", at: nil), parsed("3", at: nil)]
        #expect(!WikitextSections(text, tags: ["poem"]).agree(with: theirs))
    }
}
