import Foundation
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore
@testable import TalkSync

/// What tells a reply whose answer was lost from whatever else the account wrote, on a real wiki.
@Suite(.temporaryDirectory, .testWiki) struct LostAnswerTests {
    /// The wiki saves these otherwise than they were sent.
    @Test(arguments: [
        "See [[Foo (bar)|]] there.", "{{subst:PAGENAME}} it is.", "At ~~~~~ it was wet.", "~~~ said ~~~~",
        "* one\n* two", "<nowiki>~~~~</nowiki> signs.", "{|\n| a\n|}\nDone.", "a\u{1B}[31m b",
        "{{subst:Nothing of that name}} ~~~~",
    ])
    func knowsATextThatTheWikiWritesOtherwise(text: String) async throws {
        let stage = try await SendingStage("Otherwise")
        for target in ["Carol", "Ramp"] {
            let id = try await stage.reply(text, to: target)
            stage.proxy.reset()
            stage.proxy.fail("edit", .loseAnswer, nth: 1)
            let outcome = try await stage.sync().first?.outcome, entry = try stage.journal(id)
            #expect(outcome?.isPosted == true, "\(target): \(entry)")
            #expect(stage.proxy.count("edit") == 1)
        }
    }

    @Test func knowsEverySignature() async throws {
        try await TestWiki.withPrivateWiki { wiki in
            let stage = try await SendingStage("Signatures", on: wiki)
            let signatures = [
                "Yours, [[User:Alice|A]]", "→ [[User:Alice|A]]", "&mdash;[[User:Alice|A]] ~~",
                "<b>[[User:Alice|A]]</b>",
                "[[User talk:Alice|{{subst:ucfirst:al}}]]", "-- ''[[User:Alice|A]]'' (and [[Talk:X|this]])",
            ]
            for (number, signature) in signatures.enumerated() {
                try wiki.call(
                    [
                        "action": "options", "change": "fancysig=1", "optionname": "nickname",
                        "optionvalue": signature,
                    ], as: .alice)
                stage.proxy.reset()
                stage.proxy.fail("edit", .loseAnswer, nth: 1)
                try await stage.reply("Number \(number).")
                #expect(try await stage.sync().first?.outcome.isPosted == true, "\(signature)")
                let saved = signature.replacing("{{subst:ucfirst:al}}", with: "Al")
                #expect(try stage.copies(saved) == 1, "\(signature)")
            }
        }
    }

    struct Other: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// Who is answered; nil for a topic.
        let target: String?
        let text: String
        /// The page that the account saves by other means.
        let page: String

        init(_ words: String, _ target: String?, _ text: String, _ page: String) {
            testDescription = words
            self.target = target
            self.text = text
            self.page = page
        }

        static let page = SendingStage.text.replacing("\n\n== Ramp", with: "\n== Ramp")

        static func below(_ line: String, _ text: String) -> String {
            page.split(separator: "\n").map { $0.contains(line) ? "\($0)\n\(text)" : String($0) }
                .joined(separator: "\n")
        }

        static let all = [
            Other("goes on", "Carol", "Yes", below("Four", "::Yes\n::But only in summer. ~~~~")),
            Other("goes on in the line", "Carol", "Yes", below("Four", "::Yes <s>no</s> ~~~~")),
            Other("begins alike", "Carol", "{{subst:ucfirst:yes}}", below("Four", "::Yes but not so. ~~~~")),
            Other("pipe trick", "Carol", "[[Foo (bar)|]]", below("Four", "::[[Foo (bar)|Foo]] is wrong. ~~~~")),
            Other("below another one", "Carol", "Yes", below("Five", "::Yes ~~~~")),
            Other("deeper", "Width", "Yes", below("Five", "::Yes ~~~~")),
            Other("another topic", "Ramp", "Yes", below("Five", "Yes ~~~~")),
            Other("longer topic", nil, "Yes", page + "\n== Topic ==\nYes\n\nBut not so. ~~~~"),
            Other("topic with an answer", nil, "Yes", page + "\n== Topic ==\nYes ~~~~\n\n: And so on. ~~~~"),
        ]
    }

    /// The request never arrives; the account posts something like it by other means, with the same summary.
    @Test(arguments: Other.all)
    func isNotTakenForAnother(other: Other) async throws {
        let stage = try await SendingStage("Another")
        var id = ""
        if let target = other.target {
            id = try await stage.reply(other.text, to: target)
        } else {
            id = try await stage.topic("Topic", other.text)
        }
        stage.proxy.fail("edit", .refuse, nth: 1)
        guard case .unknown = try await stage.sync().first?.outcome else {
            Issue.record("not unknown")
            return
        }
        let summary = try #require(try stage.journal(id).sentSummary)
        try stage.wiki.edit(stage.title, to: other.page, as: .alice, summary: summary)
        guard case .held(let reason) = try await stage.sync().first?.outcome else {
            Issue.record("\(try stage.journal(id))")
            return
        }
        #expect(reason.contains("of this account may be it"))
        #expect(try await stage.pending() == [id] && stage.proxy.count("edit") == 1)
    }
}
