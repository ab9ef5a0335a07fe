import TalkPages
import Testing

@testable import TalkSync

@Suite struct PostedCheckTests {
    let base = PostedCheckTests.revision(10, by: "Bob", at: 1000, "Reply", "Hi [[User:Bob]]\n")

    static func revision(_ id: Int64, by user: String?, at time: Int64, _ summary: String?, _ text: String)
        -> RevisionInfo
    {
        RevisionInfo(
            id: RevisionID(rawValue: id), parent: RevisionID(rawValue: id - 1), page: PageID(rawValue: 1),
            timestamp: time, user: user, summary: summary, text: text)
    }

    var entry: OutboxEntry {
        var entry = OutboxEntry(
            reply: PendingReply(
                id: "01", kind: .reply, text: "Thank you\nvery much", target: nil, heading: nil,
                base: RevisionID(rawValue: 10), created: 0, expires: 0),
            page: PageName(wiki: "w", namespace: "Talk", title: "T"), account: "Alice")
        entry.sentBase = RevisionID(rawValue: 10)
        entry.sentAt = 2000
        entry.sentSummary = "/* T */ Reply"
        return entry
    }

    func look(_ revisions: [RevisionInfo], claimed: Set<RevisionID> = []) -> PostedCheck {
        PostedCheck.look(for: entry, in: [base] + revisions, claimed: claimed)
    }

    let saved = "Hi [[User:Bob]]\n:Thank you\n:very much [[User:Alice]] 12:00\n"

    @Test func findsOurRevision() {
        #expect(
            look([Self.revision(11, by: "Alice", at: 2001, "/* T */ Reply", saved)])
                == .posted(RevisionID(rawValue: 11)))
    }

    /// The wiki writes these parts otherwise than they were sent.
    @Test(arguments: [
        ("See [[Foo (bar)|]] there", "See [[Foo (bar)|Foo]] there"), ("[[|Foo]] it is", "[[Foo (x)|Foo]] it is"),
        ("Well {{subst:PAGENAME}}!", "Well T!"), ("Yes {{ SafeSubst:Done|{{PAGENAME}}}}", "Yes [[File:Y.svg]] Done"),
        ("Me {{subst:Unsigned|Bob", "Me — [[User:Bob]]"), ("a\u{1B}[31m b", "a\u{FFFD}[31m b"),
    ])
    func findsWhatTheWikiWroteOtherwise(sent: String, saved: String) {
        var entry = entry
        entry.reply.text = sent
        let text = "Hi [[User:Bob]]\n:\(saved) [[User:Alice]] 12:00\n"
        let revision = Self.revision(11, by: "Alice", at: 2001, "/* T */ Reply", text)
        #expect(PostedCheck.look(for: entry, in: [base, revision], claimed: []) == .posted(RevisionID(rawValue: 11)))
        let other = Self.revision(11, by: "Alice", at: 2001, "/* T */ Reply", "Hi [[User:Bob]]\n:Else\n")
        #expect(PostedCheck.look(for: entry, in: [base, other], claimed: []) == .unexplained(RevisionID(rawValue: 11)))
    }

    /// Another reply of the same account with the same summary, whose text begins as ours does.
    @Test(arguments: [
        "Yes but I would rather keep it [[User:Alice]] 12:00", "Yes - but no. [[User:Alice]] 12:00",
        "Yes [[Help:X|see]] [[User:Alice]] 12:00", "Yes – [[Talk:Y]] [[User:Alice]] 12:00",
        "Yes ''but'' [[User:Alice]] 12:00", "Yes {{no}} [[User:Alice]] 12:00", "Yes <s>no</s> [[User:Alice]] 12:00",
    ])
    func doesNotTakeALongerReplyForOurs(line: String) {
        var entry = entry
        entry.reply.text = "Yes"
        let revision = Self.revision(11, by: "Alice", at: 2001, "/* T */ Reply", "Hi [[User:Bob]]\n:\(line)\n")
        #expect(
            PostedCheck.look(for: entry, in: [base, revision], claimed: []) == .unexplained(RevisionID(rawValue: 11)))
    }

    /// The same words of the same account, below another comment.
    @Test func doesNotTakeTheSameWordsElsewhereForOurs() {
        var entry = entry
        entry.reply.text = "Yes"
        entry.sentAfter = "Hi [[User:Bob]]"
        let look = { (text: String) in
            PostedCheck.look(
                for: entry, in: [base, Self.revision(11, by: "Alice", at: 2001, "/* T */ Reply", text)], claimed: [])
        }
        #expect(look("Hi [[User:Bob]]\n\n:Yes — [[User:Alice]] 12:00\n") == .posted(RevisionID(rawValue: 11)))
        #expect(
            look("Hi [[User:Bob]]\n:No [[User:Carol]]\n::Yes [[User:Alice]] 12:00\n")
                == .unexplained(RevisionID(rawValue: 11)))
    }

    @Test func remembersTheLineAboveAReply() {
        let old = "== T ==\nHi [[User:Bob]]\n\n:No [[User:Carol]]\n"
        let line = { (new: String) in PostedCheck.lineAbove(self.entry.reply, in: new, since: old) }
        #expect(
            line("== T ==\nHi [[User:Bob]]\n\n:No [[User:Carol]]\n:Thank you\n:very much ~~~~\n")
                == ":No [[User:Carol]]")
        #expect(
            line("== T ==\nHi [[User:Bob]]\n:Thank you\n:very much ~~~~\n\n:No [[User:Carol]]\n") == "Hi [[User:Bob]]")
        // Where a line was changed to make room, it says nothing.
        #expect(line("== T ==\nHi [[User:Bob]]<br>\n:Thank you\n:very much ~~~~\n") == nil)
        #expect(line(":Thank you\n") == nil && line(old) == nil)
    }

    /// What may be on the wiki is looked for, whatever the user does with it but say that it is not there.
    @Test func whatMayBePostedIsNeverQueuedBlindly() {
        var entry = entry
        entry.state = .held
        entry.queue()
        #expect(entry.state == .unknown && entry.mayBePosted)
        entry.state = .held
        entry.sendAgain()
        entry.queue()
        #expect(entry.state == .queued && !entry.mayBePosted)
    }

    @Test func findsItAlsoWhenItWasRevertedSince() {
        let revert = Self.revision(12, by: "Mallory", at: 2100, "undo", "Hi [[User:Bob]]\n")
        #expect(
            look([Self.revision(11, by: "Alice", at: 2001, "/* T */ Reply", saved), revert])
                == .posted(RevisionID(rawValue: 11)))
    }

    /// The wiki dates a revision when the save begins, before the request that we remember ended.
    @Test func allowsForADateShortlyBefore() {
        #expect(
            look([Self.revision(11, by: "Alice", at: 1950, "/* T */ Reply", saved)])
                == .posted(RevisionID(rawValue: 11)))
        #expect(look([Self.revision(11, by: "Alice", at: 1900, "/* T */ Reply", saved)]) == .absent)
    }

    @Test func othersEditsAreNotOurs() {
        #expect(look([Self.revision(11, by: "Carol", at: 2001, "/* T */ Reply", saved)]) == .absent)
    }

    @Test func aClaimedRevisionIsAnotherReply() {
        let id = RevisionID(rawValue: 11)
        #expect(look([Self.revision(11, by: "Alice", at: 2001, "/* T */ Reply", saved)], claimed: [id]) == .absent)
    }

    @Test func askAboutOurSummaryWithAnotherText() {
        let other = Self.revision(11, by: "Alice", at: 2001, "/* T */ Reply", "Hi [[User:Bob]]\n:Something else\n")
        #expect(look([other]) == .unexplained(RevisionID(rawValue: 11)))
    }

    @Test func askAboutOurTextWithAnotherSummary() {
        #expect(
            look([Self.revision(11, by: "Alice", at: 2001, "cut by a bot", saved)])
                == .unexplained(RevisionID(rawValue: 11)))
    }

    @Test func theUsersOtherEditsDoNotMatter() {
        let elsewhere = Self.revision(11, by: "Alice", at: 2001, "typo", "Hi, [[User:Bob]]\n")
        #expect(look([elsewhere]) == .absent)
    }

    /// The wiki hides a part of a revision, and shows it to nobody.
    @Test func askAboutWhatIsHidden() {
        var hidden = Self.revision(11, by: "Alice", at: 2001, "/* T */ Reply", saved)
        hidden.text = nil
        #expect(look([hidden]) == .unexplained(hidden.id))
        hidden.summary = nil
        #expect(look([hidden]) == .unexplained(hidden.id))
        hidden.user = nil
        #expect(look([hidden]) == .unexplained(hidden.id))
        hidden.summary = "/* Other */ Reply"
        #expect(look([hidden]) == .absent)
        hidden.user = "Carol"
        #expect(look([hidden]) == .absent)
    }

    @Test func findsItAlsoWhenUserOrSummaryAreHidden() {
        let ours = RevisionID(rawValue: 11)
        #expect(look([Self.revision(11, by: nil, at: 2001, "/* T */ Reply", saved)]) == .posted(ours))
        #expect(look([Self.revision(11, by: "Alice", at: 2001, nil, saved)]) == .posted(ours))
    }

    /// Without the text before it, nobody can say what a revision added.
    @Test func askWhenTheTextBeforeIsHidden() {
        var before = Self.revision(11, by: "Mallory", at: 2000, "x", saved)
        before.text = nil
        let own = Self.revision(12, by: "Alice", at: 2001, "/* T */ Reply", saved + ":Something else\n")
        #expect(look([before, own]) == .unexplained(own.id))
    }

    /// A summary that was too long comes back cut.
    @Test func knowsASummaryThatTheWikiCut() {
        var entry = entry
        entry.sentSummary = "/* " + String(repeating: "x", count: 600) + " */ Reply"
        let cut = String((entry.sentSummary ?? "").prefix(497)) + "..."
        let revision = Self.revision(11, by: "Alice", at: 2001, cut, saved)
        #expect(PostedCheck.look(for: entry, in: [base, revision], claimed: []) == .posted(revision.id))
    }

    func look(_ reply: String, _ added: String) -> PostedCheck {
        var entry = entry
        entry.reply.text = reply
        let revision = Self.revision(11, by: "Alice", at: 2001, "/* T */ Reply", (base.text ?? "") + added)
        return PostedCheck.look(for: entry, in: [base, revision], claimed: [])
    }

    /// Another reply of the user's in the same topic begins with the same words.
    @Test func aReplyThatBeginsAlikeIsAnother() {
        let ours = PostedCheck.posted(RevisionID(rawValue: 11)), ask = PostedCheck.unexplained(RevisionID(rawValue: 11))
        #expect(look("Yes", ":Yes [[User:Alice|Alice]] 12:00\n") == ours)
        #expect(look("Yes", ":Yes, I think so [[User:Alice|Alice]] 12:00\n") == ask)
        #expect(look("Yes", ":Yesterday [[User:Alice|Alice]] 12:00\n") == ask)
        #expect(look("Yes\nYes", ":Yes\n:Yes [[User:Alice|Alice]] 12:00\n") == ours)
        #expect(look("Yes\nYes", ":Yes [[User:Alice|Alice]] 12:00\n") == ask)
        #expect(look("Hi [[User:Bob]]", ":Hi [[User:Bob]] [[User:Alice|Alice]] 12:00\n") == ours)
    }

    /// The wiki writes names and dates for tildes, and the placing writes lists in its own way.
    @Test func knowsWhatWikiAndPlacingMakeOfAText() {
        let ours = PostedCheck.posted(RevisionID(rawValue: 11)), ask = PostedCheck.unexplained(RevisionID(rawValue: 11))
        #expect(look("Done. ~~~~", ":Done. [[User:Alice|Alice]] 12:00\n") == ours)
        #expect(look("At ~~~~~ it was done", ":At 12:00, 1 May it was done [[User:Alice|Alice]] 12:01\n") == ours)
        #expect(look("* one\n* two", ":* one\n:* two\n:[[User:Alice|Alice]] 12:00\n") == ours)
        #expect(look("one  \n\n  two", ":one\n:two [[User:Alice|Alice]] 12:00\n") == ours)
        #expect(look("{{subst:done}}", ":It is done [[User:Alice|Alice]] 12:00\n") == ask)
        #expect(look("~~~~", ":Else [[User:Alice|Alice]] 12:00\n") == ask)
        #expect(look(":)", ":Else [[User:Alice|Alice]] 12:00\n") == ask)
    }

    // MARK: Topics

    private var topic: OutboxEntry {
        var entry = entry
        entry.reply.kind = .topic
        entry.reply.heading = "Its ''age''"
        entry.sentSummary = "/* Its age */ new section"
        return entry
    }

    @Test func findsATopic() {
        let text = "Hi [[User:Bob]]\n\n== Its ''age'' ==\n\nThank you\nvery much [[User:Alice]] 12:00\n"
        let saved = Self.revision(11, by: "Alice", at: 2001, "/* Its age */ new section", text)
        #expect(PostedCheck.look(for: topic, in: [base, saved], claimed: []) == .posted(RevisionID(rawValue: 11)))
        // The same words under another heading are another one's.
        var other = saved
        other.text = text.replacing("age", with: "height")
        #expect(PostedCheck.look(for: topic, in: [base, other], claimed: []) == .unexplained(RevisionID(rawValue: 11)))
    }

    @Test func findsATopicThatMadeThePage() {
        var entry = topic
        entry.sentBase = RevisionID(rawValue: 0)
        var made = Self.revision(
            11, by: "Alice", at: 2001, "/* Its age */ new section",
            "== Its ''age'' ==\n\nThank you\nvery much [[User:Alice]] 12:00")
        made.parent = RevisionID(rawValue: 0)
        let later = Self.revision(12, by: "Bob", at: 2050, "x", "gone")
        #expect(PostedCheck.look(for: entry, in: [made, later], claimed: []) == .posted(RevisionID(rawValue: 11)))
        var others = made
        others.user = "Bob"
        #expect(PostedCheck.look(for: entry, in: [others, later], claimed: []) == .absent)
    }

    // MARK: Texts that the wiki writes otherwise as a whole

    @Test func knowsWhichTextsTellNothing() {
        for (text, isNeeded) in [
            ("~~~~", true), ("{{subst:x}}", true), ("{{subst:x}} ~~~~", true), ("[[Foo (bar)|]]", true),
            ("ok ~~~~", false),
            ("{{subst:x}}\nso", false), (".", false),
        ] {
            var reply = entry.reply
            reply.text = text
            #expect(PostedCheck.needsSavedForm(of: reply) == isNeeded, "\(text)")
        }
    }

    @Test(arguments: [
        ("~~~~", "[[User:Alice|A]]", ":[[User:Alice|A]] 12:00, 1 March 2024 (UTC)"),
        ("{{subst:x}}", "Moved to [[Y]].\nDone.", ":Moved to [[Y]].\nDone. [[User:Alice|A]] 12:00, 1 March 2024 (UTC)"),
    ])
    func findsATextByWhatTheWikiMakesOfIt(sent: String, form: String, saved: String) {
        var entry = entry
        entry.reply.text = sent
        entry.sentText = form
        let revision = Self.revision(11, by: "Alice", at: 2001, "/* T */ Reply", "Hi [[User:Bob]]\n\(saved)\n")
        #expect(PostedCheck.look(for: entry, in: [base, revision], claimed: []) == .posted(RevisionID(rawValue: 11)))
        let other = Self.revision(
            11, by: "Alice", at: 2001, "/* T */ Reply", "Hi [[User:Bob]]\n:No. [[User:Alice]] 12:00\n")
        #expect(PostedCheck.look(for: entry, in: [base, other], claimed: []) == .unexplained(RevisionID(rawValue: 11)))
        entry.sentText = nil
        #expect(
            PostedCheck.look(for: entry, in: [base, revision], claimed: []) == .unexplained(RevisionID(rawValue: 11)))
    }

    @Test(arguments: [("a ~~~~ b ~~~~~", "a ~~~ b "), ("~~~", "~~~"), ("~~ ~~~~~~", "~~ ~~~~~~"), ("", "")])
    func asksForASignatureWithoutDate(text: String, asked: String) {
        #expect(MediaWikiAPI.withoutDates(text) == asked)
    }
}
