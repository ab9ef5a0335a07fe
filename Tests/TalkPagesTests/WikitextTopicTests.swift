import TalkPages
import Testing

/// New topics and edit summaries.
@Suite struct WikitextTopicTests {
    struct Recorded: Decodable, CustomTestStringConvertible {
        var name: String
        var title: String
        var text: String
        var before: String
        var after: String
        var summary: String
        var testDescription: String { name }
    }

    private func appending(_ title: String, _ text: String, to last: String) throws(TalkError) -> WikitextReply.Result {
        try NewTopicText.appending(title: title, text: text, to: last, context: .example())
    }

    @Test(arguments: try wikitextFixture("recorded-topics.json", as: [Recorded].self))
    func writesTopicsAsDiscussionToolsDid(item: Recorded) throws {
        guard case .placed(let text) = try appending(item.title, item.text, to: item.before) else {
            return #expect(Bool(false))
        }
        #expect(expanded(text, date: "05:19, 30 November 2026 (UTC)") == item.after)
        let plain = item.summary.split(separator: " ").joined(separator: " ")
        #expect(EditSummary.newTopic(heading: item.title) == plain)
    }

    @Test func beginsAPage() throws {
        #expect(try appending("A", "b", to: "") == .placed("== A ==\n\nb ~~~~"))
        #expect(try appending("A", "b", to: "lede \n\n") == .placed("lede\n\n== A ==\n\nb ~~~~"))
    }

    @Test func takesAHeadingFromTheText() throws {
        #expect(try appending(" ", "== Own ==\nb", to: "x") == .placed("x\n\n== Own ==\nb ~~~~"))
        #expect { try appending("", "b", to: "x") } throws: { ($0 as? TalkError)?.kind == .invalid }
        #expect { try appending("A", " ", to: "x") } throws: { ($0 as? TalkError)?.kind == .invalid }
    }

    @Test(arguments: ["a=", "=a", "= a =", "==a==", "* a", "''a''", "[[a]]", "a <!-- b -->", "a\u{2028}b"])
    func acceptsMarkupInATitle(title: String) throws {
        let line = title.replacing("\u{2028}", with: " ")
        #expect(try appending(title, "b", to: "x") == .placed("x\n\n== \(line) ==\n\nb ~~~~"))
    }

    @Test(arguments: ["{{a", "<!-- a", "<nowiki>a"])
    func refusesATitleThatIsNone(title: String) throws {
        let text = title == "<nowiki>a" ? "b</nowiki>" : "b"
        let reason = "The heading cannot be used, since the wiki would not see it as one"
        #expect(try appending(title, text, to: "x") == .refused(reason))
    }

    @Test func refusesBelowAnOpenComment() throws {
        let reason = "The last section has a comment or tag that is not closed, so that a new topic would be hidden"
        #expect(try appending("A", "b", to: "== X ==\n<!-- y") == .refused(reason))
    }

    @Test func summarisesAReply() {
        #expect(EditSummary.reply(heading: "A  b\n c") == "/* A b c */ Reply")
        #expect(EditSummary.reply(heading: "Was */ this", message: "Antwort") == "/* Was * / this */ Antwort")
        #expect(EditSummary.reply(heading: "") == "Reply")
        #expect(EditSummary.reply(heading: "100 $1 ''x''") == "/* 100 $1 ''x'' */ Reply")
    }

    @Test(arguments: [
        ("[[A|b]] [[:C]] [[D]]", "b C D"), ("'''a''' ''b'' it's", "a b it's"),
        ("[https://x.example y z] [q]", "y z [q]"),
        ("<span>a</span><!-- b --> c", "a c"), ("a < b", "a < b"), ("{{x}} = y", "{{x}} = y"),
    ])
    func stripsTheMarkupOfATitle(title: String, plain: String) {
        #expect(EditSummary.newTopic(heading: title) == "/* \(plain) */ new section")
        #expect(EditSummary.newTopic(heading: title, message: "Neu: $1") == "Neu: \(plain)")
    }

    @Test func staysWithinTheLimitOfASummary() {
        let summary = EditSummary.reply(heading: String(repeating: "ä", count: 600))
        #expect(summary.unicodeScalars.count == 500)
        #expect(summary.hasPrefix("/* ää"))
        #expect(summary.hasSuffix("ä... */ Reply"))
        #expect(EditSummary.newTopic(heading: String(repeating: "👨‍👩‍👧", count: 200)).unicodeScalars.count <= 500)
        #expect(
            EditSummary.reply(heading: "A", message: String(repeating: "x", count: 600)).unicodeScalars.count == 500)
    }
}
