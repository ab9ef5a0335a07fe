import TalkPages
import Testing

@testable import TalkSync

/// Finds `T2000`, which stands for a date in a signature.
private struct Moments: SignatureDates {
    func dates(in text: String) -> [SignatureDate] {
        text.matches(of: /T(\d+)/).compactMap { match in
            Int64(match.output.1).map { SignatureDate(range: match.range, timestamp: $0) }
        }
    }
}

@Suite struct PostedCheckTests {
    private static let id = RevisionID(rawValue: 11)
    private let ours = PostedCheck.posted(id), ask = PostedCheck.unexplained(id)

    private static let before = "== S ==\nHi [[User:Bob]] T1000\n\n== T ==\nOh [[User:Carol]] T1001\n"
    private let base = PostedCheckTests.revision(10, by: "Bob", at: 1000, "Reply", before)

    private static func revision(
        _ id: Int64, by user: String?, at time: Int64, _ summary: String?, _ text: String?
    ) -> RevisionInfo {
        RevisionInfo(
            id: RevisionID(rawValue: id), parent: RevisionID(rawValue: id - 1), page: PageID(rawValue: 1),
            timestamp: time, user: user, summary: summary, text: text)
    }

    /// A reply below Carol's, sent at 2000.
    private var entry: OutboxEntry {
        var entry = OutboxEntry(
            reply: PendingReply(
                id: "01", kind: .reply, text: "Thank you\nvery much", target: nil, heading: nil,
                base: RevisionID(rawValue: 10), created: 0, expires: 0),
            page: PageName(wiki: "w", namespace: "Talk", title: "T"), account: "Alice")
        entry.sentBase = RevisionID(rawValue: 10)
        entry.sentAt = 2000
        entry.sentSummary = "/* T */ Reply"
        entry.sentAddition = OutboxEntry.Addition(
            lines: [":Thank you", ":very much [[User:Alice]] T1980"],
            place: .init(above: "Oh [[User:Carol]] T1001", occurrence: 1))
        return entry
    }

    private func look(
        _ revisions: [RevisionInfo], claimed: Set<RevisionID> = [], for entry: OutboxEntry? = nil
    ) -> PostedCheck {
        PostedCheck.look(for: entry ?? self.entry, in: [base] + revisions, claimed: claimed, dates: Moments())
    }

    private static let saved = before + "\n:Thank you\n:very much [[User:Alice]] T2040"
    private let saved = Self.revision(11, by: "Alice", at: 2041, "/* T */ Reply", saved)

    @Test func findsOurRevision() {
        #expect(look([saved]) == ours)
    }

    @Test func whatOthersWroteMeanwhileElsewhereDoesNotMatter() {
        let text = "== S ==\nHi [[User:Bob]] T1000\n:Ho [[User:Dan]] T2010\n\n== T ==\nOh [[User:Carol]] T1001\n"
        let other = Self.revision(11, by: "Dan", at: 2010, "/* S */ Reply", text)
        let own = Self.revision(
            12, by: "Alice", at: 2041, "/* T */ Reply", text + ":Thank you\n:very much [[User:Alice]] T2040\n")
        #expect(look([other, own]) == .posted(RevisionID(rawValue: 12)))
    }

    // MARK: Other edits of the account with the same summary

    /// Its text is ours but for what is named.
    @Test(arguments: [
        ("more words", ":Thank you\n:very much indeed [[User:Alice]] T2040"),
        ("more words before the signature", ":Thank you\n:very much – [[Talk:Y]] [[User:Alice]] T2040"),
        ("words behind", ":Thank you\n:very much [[User:Alice]] T2040 but"),
        ("a line less", ":very much [[User:Alice]] T2040"),
        ("a line more", ":Thank you\n:very much [[User:Alice]] T2040\n:But. [[User:Alice]] T2040"),
        ("lines between", ":Thank you\n:so\n:very much [[User:Alice]] T2040"),
        ("another depth", "::Thank you\n::very much [[User:Alice]] T2040"),
        ("no depth", "Thank you\nvery much [[User:Alice]] T2040"),
        ("no signature", ":Thank you\n:very much"),
        ("another signature", ":Thank you\n:very much [[User:Alice|A]] T2040"),
        ("no date", ":Thank you\n:very much [[User:Alice]]"),
        ("a date long before it was saved", ":Thank you\n:very much [[User:Alice]] T1500"),
        ("a date after it was saved", ":Thank you\n:very much [[User:Alice]] T9000"),
        ("capitals", ":thank you\n:very much [[User:Alice]] T2040"),
    ])
    func asksAboutWhatIsNotOurs(_: String, added: String) {
        #expect(look([Self.revision(11, by: "Alice", at: 2041, "/* T */ Reply", Self.before + added)]) == ask)
    }

    /// The same words, not at our place.
    @Test(arguments: [
        "== S ==\nHi [[User:Bob]] T1000\n\(added)\n\n== T ==\nOh [[User:Carol]] T1001\n",
        "== S ==\n\(added)\nHi [[User:Bob]] T1000\n\n== T ==\nOh [[User:Carol]] T1001\n",
        "\(added)\n" + before,
        before + ":No [[User:Dan]] T2005\n\(added)\n",
    ])
    func asksAboutOurWordsElsewhere(text: String) {
        #expect(look([Self.revision(11, by: "Alice", at: 2041, "/* T */ Reply", text)]) == ask)
    }

    private static let added = ":Thank you\n:very much [[User:Alice]] T2040"

    /// Two lines are alike: which of them it stood below is remembered, too.
    @Test func knowsWhichOfTwoEqualLinesIsAbove() {
        let alike = "== S ==\n{{done}}\n\n== T ==\n{{done}}\n"
        let before = Self.revision(10, by: "Bob", at: 1000, "Reply", alike)
        var entry = entry
        entry.sentAddition?.place = .init(above: "{{done}}", occurrence: 2)
        let look = { (text: String) in
            PostedCheck.look(
                for: entry, in: [before, Self.revision(11, by: "Alice", at: 2041, "/* T */ Reply", text)],
                claimed: [], dates: Moments())
        }
        #expect(look(alike + Self.added) == ours)
        #expect(look("== S ==\n{{done}}\n\(Self.added)\n\n== T ==\n{{done}}\n") == ask)
    }

    @Test func asksWhereAnotherLineWasChangedWithIt() {
        let text = Self.saved.replacing("Hi ", with: "Hello ")
        #expect(look([Self.revision(11, by: "Alice", at: 2041, "/* T */ Reply", text)]) == ask)
    }

    /// Where the wiki places it, neither place nor depth are known before.
    @Test func findsWhatTheWikiPlaced() {
        var entry = entry
        entry.sentAddition = OutboxEntry.Addition(
            lines: ["Thank you", "very much [[User:Alice]] T1980"], place: nil)
        let other = "== S ==\nHi [[User:Bob]] T1000\n\(Self.added)\n\n== T ==\nOh [[User:Carol]] T1001\n"
        #expect(look([saved], for: entry) == ours)
        #expect(look([Self.revision(11, by: "Alice", at: 2041, "/* T */ Reply", other)], for: entry) == ours)
        let more = Self.saved.replacing("Thank", with: "No thank")
        #expect(look([Self.revision(11, by: "Alice", at: 2041, "/* T */ Reply", more)], for: entry) == ask)
    }

    /// The request changed a line.
    @Test func asksWhenItIsNotKnownWhatWasAdded() {
        var entry = entry
        entry.sentAddition = nil
        #expect(look([saved], for: entry) == ask)
    }

    @Test func askAboutOurSummaryWithAnotherText() {
        let other = Self.revision(11, by: "Alice", at: 2001, "/* T */ Reply", "Hi [[User:Bob]]\n:Something else\n")
        #expect(look([other]) == ask)
    }

    @Test func askAboutOurTextWithAnotherSummary() {
        #expect(look([Self.revision(11, by: "Alice", at: 2001, "cut by a bot", Self.saved)]) == ask)
    }

    @Test func theUsersOtherEditsDoNotMatter() {
        let elsewhere = Self.revision(11, by: "Alice", at: 2001, "typo", "Hi, [[User:Bob]]\n")
        #expect(look([elsewhere]) == .absent)
    }

    /// A date of the text itself is no date of the signature.
    @Test func aQuotedDateIsPartOfTheText() {
        var entry = entry
        entry.sentAddition?.lines = [":See T500 [[User:Alice]] T1980"]
        let look = { (line: String) in
            self.look(
                [Self.revision(11, by: "Alice", at: 2041, "/* T */ Reply", Self.before + line)], for: entry)
        }
        #expect(look(":See T500 [[User:Alice]] T2040") == ours)
        #expect(look(":See T501 [[User:Alice]] T2040") == ask)
        // The wiki wrote both dates for tildes.
        entry.sentAddition?.lines = [":At T1980 so [[User:Alice]] T1980"]
        #expect(look(":At T2040 so [[User:Alice]] T2040") == ours)
    }

    // MARK: What is known of the revisions

    @Test func findsItAlsoWhenItWasRevertedSince() {
        #expect(look([saved, Self.revision(12, by: "Mallory", at: 2100, "undo", Self.before)]) == ours)
    }

    /// The clocks of a wiki's servers differ: what is newer may be dated before the base.
    @Test(arguments: [500, 1950, 90_000] as [Int64])
    func numbersTellWhatIsNewer(time: Int64) {
        let text = Self.before + ":Thank you\n:very much [[User:Alice]] T\(time - 20)"
        #expect(look([Self.revision(11, by: "Alice", at: time, "/* T */ Reply", text)]) == ours)
    }

    @Test func whatIsOlderThanTheBaseIsNotOurs() {
        var older = Self.revision(9, by: "Alice", at: 2041, "/* T */ Reply", Self.saved)
        older.parent = RevisionID(rawValue: 8)
        #expect(look([Self.revision(8, by: "Bob", at: 900, "x", Self.before), older]) == .absent)
    }

    @Test func othersEditsAreNotOurs() {
        #expect(look([Self.revision(11, by: "Carol", at: 2041, "/* T */ Reply", Self.saved)]) == .absent)
    }

    @Test func aClaimedRevisionIsAnotherReply() {
        #expect(look([saved], claimed: [Self.id]) == .absent)
    }

    /// The wiki hides a part of a revision, and shows it to nobody.
    @Test func askAboutWhatIsHidden() {
        var hidden = saved
        hidden.text = nil
        #expect(look([hidden]) == ask)
        hidden.summary = nil
        #expect(look([hidden]) == ask)
        hidden.user = nil
        #expect(look([hidden]) == ask)
        hidden.summary = "/* Other */ Reply"
        #expect(look([hidden]) == .absent)
        hidden.user = "Carol"
        #expect(look([hidden]) == .absent)
    }

    @Test func findsItAlsoWhenUserOrSummaryAreHidden() {
        #expect(look([Self.revision(11, by: nil, at: 2041, "/* T */ Reply", Self.saved)]) == ours)
        #expect(look([Self.revision(11, by: "Alice", at: 2041, nil, Self.saved)]) == ours)
    }

    /// Without the text before it, nobody can say what a revision added.
    @Test func askWhenTheTextBeforeIsHidden() {
        let before = Self.revision(11, by: "Mallory", at: 2000, "x", nil)
        let own = Self.revision(12, by: "Alice", at: 2041, "/* T */ Reply", Self.saved)
        #expect(look([before, own]) == .unexplained(own.id))
    }

    /// A summary that was too long comes back cut.
    @Test func knowsASummaryThatTheWikiCut() {
        var entry = entry
        entry.sentSummary = "/* " + String(repeating: "x", count: 600) + " */ Reply"
        let cut = String((entry.sentSummary ?? "").prefix(497)) + "..."
        #expect(look([Self.revision(11, by: "Alice", at: 2041, cut, Self.saved)], for: entry) == ours)
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

    // MARK: Topics

    private static let topic = "== Its ''age'' ==\n\nThank you\nvery much [[User:Alice]] T2040"

    private var topic: OutboxEntry {
        var entry = entry
        entry.reply.kind = .topic
        entry.reply.heading = "Its ''age''"
        entry.sentSummary = "/* Its age */ new section"
        entry.sentAddition?.lines = ["== Its ''age'' ==", "Thank you", "very much [[User:Alice]] T1980"]
        return entry
    }

    @Test func findsATopic() {
        let look = { (text: String) in
            self.look(
                [Self.revision(11, by: "Alice", at: 2041, "/* Its age */ new section", text)], for: self.topic)
        }
        #expect(look(Self.before + "\n" + Self.topic) == ours)
        // The same words under another heading are another one's.
        #expect(look(Self.before + "\n" + Self.topic.replacing("age", with: "height")) == ask)
        #expect(look(Self.before + "\n" + Self.topic + "\n:More. [[User:Alice]] T2040") == ask)
    }

    @Test func findsATopicThatMadeThePage() {
        var entry = topic
        entry.sentBase = RevisionID(rawValue: 0)
        entry.sentAddition?.place = .init(above: nil, occurrence: 0)
        var made = Self.revision(11, by: "Alice", at: 2041, "/* Its age */ new section", Self.topic)
        made.parent = RevisionID(rawValue: 0)
        let later = Self.revision(12, by: "Bob", at: 2050, "x", "gone")
        let look = { (first: RevisionInfo) in
            PostedCheck.look(for: entry, in: [first, later], claimed: [], dates: Moments())
        }
        #expect(look(made) == ours)
        var others = made
        others.user = "Bob"
        #expect(look(others) == .absent)
    }
}

@Suite struct AddedLinesTests {
    private func added(_ old: String, _ new: String) -> [Substring]? { AddedLines(from: old, to: new)?.lines }

    @Test func areTheLinesThatOneTextHasMore() {
        let old = "== T ==\nHi\n\n:No\n"
        #expect(added(old, "== T ==\nHi\n\n:No\n:Yes\n:Yes ~~~~\n") == [":Yes", ":Yes ~~~~"])
        #expect(added(old, "== T ==\nHi\n:Yes ~~~~  \n\n:No") == [":Yes ~~~~"])
        #expect(added(old, "Yes\n" + old) == ["Yes"])
        #expect(added("", "== T ==\n\nHi") == ["== T ==", "Hi"])
        #expect(added("a\nb", "a\nb\nb") == ["b"])
    }

    @Test func areNothingWhereALineWasChangedOrNoneWasAdded() {
        let old = "== T ==\nHi\n"
        #expect(added(old, old) == nil)
        #expect(added(old, "== T ==\n\n\nHi") == nil)
        #expect(added(old, "== T ==\n") == nil)
        #expect(added(old, "== T ==\nHi<br>\n:Yes\n") == nil)
        #expect(added(old, "== T ==\n:Yes\nHi\n:Yes\n") == nil)
    }

    @Test func countTheLinesLikeTheOneAbove() throws {
        let lines = try #require(AddedLines(from: "a\nb\na\nb", to: "a\nb\na\nx\nb"))
        #expect(lines.place == .init(above: "a", occurrence: 2))
        let first = try #require(AddedLines(from: "a", to: "x\na"))
        #expect(first.place == .init(above: nil, occurrence: 0))
    }
}
