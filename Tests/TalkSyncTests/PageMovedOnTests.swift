import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore
@testable import TalkSync

/// What becomes of a reply to Carol when its page is another one on the wiki by the time it is sent.
@Suite(.temporaryDirectory, .testWiki) struct PageMovedOnTests {
    enum Outcome: Sendable, Equatable {
        /// The wikitext around it, or that it is on the page with another title.
        case posted(String)
        case setAside(String)
        case held(String)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// What happens on the wiki to the page with this title.
        let change: @Sendable (TestWiki, String) throws -> Void
        /// By `rebase`.
        let rebase: Outcome
        /// By `discard`; the usual reason where it is nil.
        var discard: Outcome?

        init(
            _ name: String, _ rebase: Outcome, discard: Outcome? = nil,
            _ change: @escaping @Sendable (TestWiki, String) throws -> Void
        ) {
            testDescription = name
            self.change = change
            self.rebase = rebase
            self.discard = discard
        }

        /// Replaces a part of the text.
        init(_ name: String, _ old: String, _ new: String, _ rebase: Outcome, summary: String = "") {
            self.init(name, rebase) { wiki, title in
                let text = SendingStage.text.replacing(old, with: new)
                #expect(text != SendingStage.text)
                try wiki.edit(title, to: text, as: .bob, summary: summary)
            }
        }
    }

    static let carol = SendingStage.carol
    static let bob = "[[User:Bob|Bob]] ([[User talk:Bob|talk]]) 12:30, 2 March 2024 (UTC)\n"
    static let usual = Outcome.posted("11:00, 1 March 2024 (UTC)\n::Noted. [[User:Alice|Alice]]")
    static let width = String(SendingStage.text.prefix { $0 != "\n" })

    static let rows = [
        Row("another section changed", "And the ramp?", "And the old ramp?", usual),
        Row("a comment came before it", carol, ":Three. " + bob + carol, usual),
        Row(
            "a comment came after it", carol, carol + "::Sure? " + bob,
            .posted("::Sure? \(bob)::Noted. [[User:Alice|Alice]]")),
        Row("the comment was edited", ":Four metres.", ":Four metres and a half.", usual),
        Row(
            "the comment was indented", carol, ":" + carol,
            .posted("11:00, 1 March 2024 (UTC)\n:::Noted. [[User:Alice|Alice]]")),
        Row("the heading was renamed", "== Width ==", "== Width of the bridge ==", usual),
        Row(
            "the section was collapsed", "== Width ==\n",
            "== Width ==\n<div class=\"mw-collapsible mw-collapsed\">\n</div>\n", usual),
        Row("the comment was removed", carol, "", .setAside("the comment by Carol that it answers is no longer")),
        Row("the topic was archived", .setAside("; its topic went to ")) { wiki, title in
            let archive = title + "/Archive 1"
            let ramp = try #require(SendingStage.text.firstRange(of: "== Ramp =="))
            try wiki.edit(archive, to: String(SendingStage.text[..<ramp.lowerBound]))
            try wiki.edit(
                title, to: String(SendingStage.text[ramp.lowerBound...]), as: .bob,
                summary: "archived 1 topic to [[\(archive)]]")
        },
        Row("the page was moved", .posted("::Noted. [[User:Alice|Alice]]")) { wiki, title in
            try wiki.move(title, to: title + " moved")
        },
        Row(
            "the page was moved without redirect", .posted("::Noted. [[User:Alice|Alice]]")
        ) { wiki, title in
            try wiki.call(["action": "move", "from": title, "to": title + " moved", "noredirect": "1"])
        },
        Row(
            "the page was deleted", .held("does not exist any more"), discard: .held("does not exist any more")
        ) { wiki, title in try wiki.delete(title) },
        Row("the page was protected", .held("the page is protected")) { wiki, title in
            try wiki.call(["action": "protect", "title": title, "protections": "edit=sysop"])
        },
    ]

    private func play(_ row: Row, _ rule: MoveRule) async throws -> (SendingStage, String, SendOutcome?) {
        let stage = try await SendingStage("On \(rule)")
        let id = try await stage.reply("Noted.")
        try row.change(stage.wiki, stage.title)
        // It may have been set aside by the pull before anything is sent.
        let sent = try await stage.sync(onMove: rule)
        return (stage, id, sent.first?.outcome)
    }

    @Test(arguments: rows) func followsWhatItAnswers(row: Row) async throws {
        let (stage, id, outcome) = try await play(row, .rebase)
        let entry = try stage.journal(id)
        let isMoved = row.testDescription.hasPrefix("the page was moved")
        switch row.rebase {
        case .posted(let words):
            #expect(outcome?.isPosted == true, "\(entry)")
            #expect(try stage.wiki.text(of: stage.title + (isMoved ? " moved" : "")).contains(words))
        case .setAside(let reason):
            #expect(entry.state == .discarded && entry.reason?.contains(reason) == true, "\(entry.reason ?? "")")
            #expect(try await stage.store.discarded(id)?.text == "Noted.")
            #expect(try stage.copies("Noted.") == 0)
            if reason.contains("went to") {
                let archive = "\(stage.title)/Archive 1"
                #expect(entry.reason?.contains("\(archive) (moved by Bob in revision ") == true)
                #expect(entry.restoreCommand == "git talk outbox restore \(id) --to \(ShellWord.quoted(archive))")
            }
        case .held(let reason):
            #expect(entry.state == .held && entry.reason?.contains(reason) == true, "\(entry.reason ?? "")")
            #expect(outcome == .held(reason: entry.reason ?? ""))
        }
        #expect(try await stage.pending() == (entry.state == .held ? [id] : []))
        if isMoved { #expect(try await stage.pending(on: stage.title + " moved") == []) }
    }

    @Test(arguments: rows) func isSetAsideByTheStrictRule(row: Row) async throws {
        let (stage, id, _) = try await play(row, .discard)
        let entry = try stage.journal(id)
        if case .held(let reason) = row.discard {
            #expect(entry.state == .held && entry.reason?.contains(reason) == true, "\(entry.reason ?? "")")
            return
        }
        #expect(entry.state == .discarded)
        let reason = entry.reason ?? ""
        #expect(reason.hasSuffix("and talk.onMove is discard"))
        #expect(
            reason.hasPrefix("Bob changed the page") || reason.hasPrefix("Admin changed the page")
                || reason.contains(" was moved to "), "\(reason)")
        #expect(try await stage.store.discarded(id)?.text == "Noted.")
        #expect(stage.proxy.count("edit") == 0)
        #expect(try await stage.pending() == [])
    }

    /// What one posts oneself is no change by somebody else, also by the strict rule.
    @Test func severalRepliesArePostedByTheStrictRule() async throws {
        let stage = try await SendingStage("Strict")
        try await stage.reply("One.")
        try await stage.reply("Two.", to: "Dora")
        try await stage.reply("Three.")
        #expect(try await stage.sync(onMove: .discard).map(\.outcome.isPosted) == [true, true, true])
        #expect(try ["One.", "Two.", "Three."].map { try stage.copies($0) } == [1, 1, 1])
    }

    /// The page changes between the preview and the edit.
    @Test func theStrictRuleHoldsForAConflictToo() async throws {
        let stage = try await SendingStage("Strict conflict")
        let id = try await stage.reply("Too late.")
        let wiki = stage.wiki, title = stage.title
        stage.proxy.fail(
            "edit",
            .meanwhile {
                do {
                    try wiki.edit(
                        title, to: SendingStage.text.replacing(Self.carol, with: Self.carol + "::And I. " + Self.bob))
                } catch { Issue.record(error) }
            }, nth: 1)
        guard case .setAside(let reason) = try await stage.sync(onMove: .discard).first?.outcome else {
            Issue.record("not set aside")
            return
        }
        #expect(reason == "Bob changed the page since it was written, and talk.onMove is discard")
        #expect(try stage.copies("Too late.") == 0)
        #expect(try await stage.store.discarded(id)?.text == "Too late.")
    }

    /// DiscussionTools knows where a comment is; the summary of the edit need not say it.
    @Test(arguments: [
        (#"[{"id":"c","name":"n","title":"Talk:Old answers","oldid":null,"matchedby":"name"}]"#, true),
        (#"[{"id":"c","name":"n","title":"Talk:Old answers","oldid":77,"matchedby":"name"}]"#, false),
        (
            #"[{"id":"c","name":"n","title":"Talk:A","oldid":null},{"id":"c","name":"n","title":"Talk:B","oldid":null}]"#,
            false
        ),
        ("[]", false),
    ])
    func asksTheWikiWhereTheCommentIs(found: String, isTold: Bool) async throws {
        var stage = try await SendingStage("Find")
        stage.site.hasDiscussionTools = true
        let id = try await stage.reply("Noted.")
        try stage.wiki.edit(stage.title, to: SendingStage.text.replacing(Self.carol, with: ""))
        stage.proxy.fail("discussiontoolsfindcomment", .answer(.json(#"{"discussiontoolsfindcomment":\#(found)}"#)))
        try await stage.sync()
        let entry = try stage.journal(id), reason = try #require(entry.reason)
        #expect(entry.targetPage?.prefixedTitle == (isTold ? "Talk:Old answers" : nil))
        #expect(reason.contains("; it is on Talk:Old answers now") == isTold, "\(reason)")
        let call = stage.proxy.calls.first { $0.kind == "discussiontoolsfindcomment" }
        #expect(call?.call["idorname"] == "c-Carol-20240301110000")
    }
}
