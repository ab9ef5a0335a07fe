import Foundation
import TalkPages
import Testing

/// Drafts made ready: line ends, signature, warnings.
@Suite struct WikitextDraftTests {
    private func prepared(_ draft: String, _ kind: PendingReply.Kind = .reply) throws(TalkError) -> PreparedDraft {
        try WikitextReply.prepared(draft, as: kind, context: .example())
    }

    @Test(arguments: [
        ("a", "a ~~~~"), (" a\r\n\r\nb  \rc\t\n", "a\nb  \nc ~~~~"), ("e\u{301}", "é ~~~~"),
        ("a\n* b", "a\n* b\n~~~~"), ("; a", "; a\n~~~~"), ("{{Done}}", "{{Done}} ~~~~"), ("a ~~~~", "a ~~~~"),
        ("a <small>~~~~</small>", "a <small>~~~~</small>"), ("a ~~~", "a ~~~ ~~~~"), ("a ~~~~~", "a ~~~~~ ~~~~"),
        ("a <nowiki>~~~~</nowiki>", "a <nowiki>~~~~</nowiki> ~~~~"), ("~~~~\nb", "~~~~\nb ~~~~"),
        ("a [[User:Alice|A]] 00:01, 1 January 2020 (UTC)", "a [[User:Alice|A]] 00:01, 1 January 2020 (UTC)"),
        ("a [[User:Bob|A]] 00:01, 1 January 2020 (UTC)", "a [[User:Bob|A]] 00:01, 1 January 2020 (UTC) ~~~~"),
    ])
    func signsAReply(draft: String, text: String) throws {
        #expect(try prepared(draft).text == text)
    }

    @Test func isDoneWhenItIsDone() throws {
        let once = try prepared("a\n\n* b").text
        #expect(try prepared(once).text == once)
    }

    @Test func keepsTheBlankLinesOfATopic() throws {
        #expect(try prepared("One.\r\n\r\n\r\nTwo.  \n\n", .topic).text == "One.\n\n\nTwo. ~~~~")
    }

    @Test(arguments: ["", " ", "\n\t\r\n", "\u{0C}"])
    func hasNoReplyWithoutText(draft: String) {
        #expect { try prepared(draft) } throws: { ($0 as? TalkError)?.kind == .invalid }
    }

    @Test(arguments: [
        ("a <!-- b", "<!-- is not closed", true), ("<nowiki> a", "<nowiki> is not closed", false),
        ("{{x a", "{{ is not closed", false), ("<div> a", "<div> is not closed", true),
        ("{|\n| a", "{| is not closed", true), ("{|\n| a\n|}", "A table does not work in a reply", false),
        ("== a ==\nb", "A heading in a reply", false), ("<pre>\na\n</pre>", "<pre> over several lines", false),
        ("{{x\n|a}}", "A template over several lines", false),
    ])
    func warnsOfWhatBreaks(draft: String, start: String, harmsPage: Bool) throws {
        let warnings = try prepared(draft).warnings
        #expect(warnings.contains { $0.message.hasPrefix(start) && $0.harmsPage == harmsPage })
    }

    @Test func warnsOfNothingThatWorks() throws {
        let draft = "a <b>b</b> {{x|y}} <nowiki>{{</nowiki> <!-- c -->\n* d\n<div>e</div> <pre>f</pre> <br> <p>g"
        #expect(try prepared(draft).warnings.isEmpty)
        #expect(try prepared("{|\n| a\n|}\n\n=== b ===\n<pre>\nc\n</pre>", .topic).warnings.isEmpty)
    }

    struct Signed: Decodable {
        var about: String
        var user: String
        var html: String
        var signed: Bool
    }

    private static let shared = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../shared/corpus/signed/cases.json")
    private static let hasCorpus = FileManager.default.fileExists(atPath: shared.path(percentEncoded: false))

    /// The cases are rendered; their tags are turned back into the wikitext that they came from.
    @Test(.enabled(if: hasCorpus))
    func knowsTheSignaturesOfTheCorpus() throws {
        for item in try JSONDecoder().decode([Signed].self, from: Data(contentsOf: Self.shared)) {
            #expect(isSigned(Self.wikitext(item.html), item.user) == item.signed, "\(item.about)")
        }
    }

    private func isSigned(_ draft: String, _ user: String) -> Bool {
        WikitextSignature.isSigned(draft, user: user, wiki: .example, dates: EnglishDates())
    }

    private static func wikitext(_ html: String) -> String {
        html.replacing(/<a [^>]*title="([^"]*)"[^>]*>(.*?)<\/a>/) { "[[\($0.output.1)|\($0.output.2)]]" }
            .replacing(/<h2>.*?<\/h2>/) { "== \($0.output.replacing(/<.*?>/, with: "")) ==" }
            .replacing("<dl>", with: "").replacing("<dd>", with: ":").replacing("<table>", with: "{|")
            .replacing("<td>", with: "|").replacing("</table>", with: "\n|}")
            .replacing(/<\/?(p|dl|dd|tbody|tr|td|span)>/, with: "")
    }

    @Test(arguments: [
        ("a ~~~~", true), ("a", false), ("(a ~~~~)", true), ("a ~~~~ (later)", true), ("a ~~~~~", false),
        ("a ~~~", false), ("<!-- ~~~~ -->a", false), ("a <!-- ~~~~ -->", false), ("== b ==\na ~~~~", true),
        (":a\n:~~~~\n", true), (":a ~~~~\n:b", false), ("{|\n| a ~~~~\n|}", true), ("{|\n| a ~~~~\n|}\nb", false),
        ("--[[Benutzerin:alice]] 00:01, 1 January 2020 (UTC)", true), ("a [[User:Alice]]", false),
        ("a 00:01, 1 January 2020 (UTC)", false), ("<small>a [[User:Alice]] 00:01, 1 January 2020 (UTC)</small>", true),
        ("a [[User:Alice]] 00:01, 1 January 2020 (UTC)\nb", false), ("<nowiki>~~~~</nowiki>", false),
    ])
    func knowsWhetherADraftIsSigned(draft: String, signed: Bool) {
        #expect(isSigned(draft, "Alice") == signed)
    }
}
