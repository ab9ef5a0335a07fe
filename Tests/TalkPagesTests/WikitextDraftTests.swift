import Foundation
import TalkPages
import Testing

/// Drafts made ready: line ends, signature, warnings.
@Suite struct WikitextDraftTests {
    private func prepared(_ draft: String, _ form: DraftForm = .reply) throws(TalkError) -> PreparedDraft {
        try WikitextReply.prepared(draft, as: form, context: .example())
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
        ("{|\n| a", "{| is not closed", true), ("== a ==\nb", "a heading in a reply to a comment", false),
        ("<pre>\na\n</pre>", "<pre> over several lines", true),
        ("a <poem>\nb</poem>", "<poem> over several lines", true),
        ("a <small>b", "<small> is not closed", true), ("a <B>b</i>", "<b> is not closed", true),
        ("a <B>b</i>", "</i> ends something", true), ("a </div> b <div>", "</div> ends something", true),
        ("a </div> b <div>", "<div> is not closed", true), ("<div>\na\n</div>", "<div> over several lines", false),
        (
            "a [[Category:B_c|d]]",
            "[[Category:B c]] puts the page into that category; for a link write [[:Category:B c]]", false
        ),
        ("a [[ kategorie : B]]", "[[kategorie : B]] puts", false),
    ])
    func warnsOfWhatBreaks(draft: String, start: String, harmsPage: Bool) throws {
        let warnings = try prepared(draft).warnings
        #expect(warnings.contains { $0.message.hasPrefix(start) && $0.harmsPage == harmsPage }, "\(warnings)")
    }

    @Test func aHeadingBelowATopicWouldBeginAnotherOne() throws {
        #expect(try prepared("a\n== b ==", .topicReply).warnings.map(\.harmsPage) == [true])
        for heading in ["== b ==", "= b =", "== b ==\n=== c ==="] {
            #expect(try prepared("a\n\(heading)", .topic).warnings.map(\.harmsPage) == [true])
        }
        for text in ["a\n=== b ===\nc", "a <nowiki>\n== b ==\n</nowiki>", "a == b ==", "===== b ====="] {
            #expect(try prepared(text, .topic).warnings.isEmpty)
        }
        #expect(try prepared("a\n\n<pre>\nb\n</pre>\n* c", .topicReply).warnings.isEmpty)
    }

    @Test(arguments: [
        ("a\n\n<syntaxhighlight lang=\"c\">\nb\n\n\n  c\n</syntaxhighlight>\nd", 3),
        ("{{x\n|a\n\n|b}}\nc", 2), ("a <!-- b\n\nc -->\nd", 2), ("a\n{|\n| b\n\n* c\n|}\nd", 3),
        ("{|\n|\n{|\n| b\n|}\n|}", 1), ("<nowiki>\na</nowiki> {{x\n}}\nb", 2), ("a {{x\nb", 2), ("a <nowiki>\nb", 2),
        ("<div>\na\n</div>", 3),
    ])
    func keepsTogetherWhatTheWikiReadsAsOne(draft: String, items: Int) throws {
        let section = ":A [[User:Bob]] 12:00, 1 March 2024 (UTC)"
        let target = WikitextReply.Comment(author: "Bob", timestamp: 1_709_294_400)
        let result = try WikitextReply.insert(
            draft, under: .comment(target, last: nil), in: section, context: .example())
        guard case .placed(let text) = result else { return #expect(Bool(false), "\(result)") }
        #expect(text.ranges(of: "\n::").count == items)
        let written = text.dropFirst(section.count).replacing("\n::", with: "\n").dropFirst()
        #expect(written.replacing(" ~~~~", with: "") == draft.replacing("a\n\n<syn", with: "a\n<syn"))
    }

    @Test(arguments: ["<b ", "<div ", "<b>", "</div>", "{{", "[[Category:"])
    func needsNoTimeForManyOpenThings(text: String) throws {
        let draft = String(repeating: text, count: 5_000)
        #expect(try prepared(draft).text == draft.trimmingCharacters(in: .whitespaces) + " ~~~~")
    }

    @Test func aTableStandsOnlyBehindColons() throws {
        func reply(_ prefix: String) throws -> WikitextReply.Result {
            let target = WikitextReply.Comment(author: "Bob", timestamp: 1_709_294_400)
            return try WikitextReply.insert(
                "{|\n| a\n|}", under: .comment(target, last: nil),
                in: "\(prefix)A [[User:Bob]] 12:00, 1 March 2024 (UTC)",
                context: .example())
        }
        let reason = "A table cannot stand in a bulleted or numbered list, as the comment does"
        #expect(try reply("*") == .refused(reason))
        #expect(try reply("#:") == .refused(reason))
        #expect(try reply("::") == .placed("::A [[User:Bob]] 12:00, 1 March 2024 (UTC)\n:::{|\n| a\n|} ~~~~"))
    }

    @Test func warnsOfNothingThatWorks() throws {
        let draft =
            "a <b>b</b> {{x|y}} <nowiki>{{</nowiki> <!-- c -->\n* d\n<div>e</div> <pre>f</pre> <br> <p>g [[:Category:H]]"
            + "\n{|\n| i\n|}\n<syntaxhighlight lang=\"c\">\nj\n</syntaxhighlight> <nowiki></div></nowiki> <br/> <s/>"
        #expect(try prepared(draft).warnings.isEmpty)
        #expect(try prepared("{|\n| a\n|}\n\n=== b ===\n<pre>\nc\n</pre>", .topic).warnings.isEmpty)
    }

    @Test(arguments: [
        ("{{Collapse top}}", ["{{Collapse top}} has no template after it that closes its box"]),
        ("{{ cot |title=x\n|y}}\na\n{{Archive-top}}", ["{{cot}} has no", "{{Archive-top}} has no"]),
        ("{{Collapse_top|a}}\nb\n{{collapse bottom}}", []), ("{{hat}} {{hat}} a {{hab}}", ["{{hat}} has no"]),
        ("a {{cob}}", ["{{cob}} closes a box that this text did not open"]),
        ("{{Top}} {{subst:Done}} <nowiki>{{Collapse top}}</nowiki> {{Flat top hill}} [[Table top]]", []),
    ])
    func warnsOfBoxesThatStayOpen(draft: String, beginnings: [String]) throws {
        for form in [DraftForm.reply, .topicReply, .topic] {
            let messages = try prepared(draft, form).warnings.map(\.message)
            #expect(messages.count == beginnings.count, "\(messages)")
            #expect(zip(messages, beginnings).allSatisfy { $0.hasPrefix($1) }, "\(messages)")
        }
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
