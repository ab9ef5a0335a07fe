import TalkPages
import TalkSync
import Testing

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
}
