import Testing

@testable import TalkPages
@testable import TalkSync

/// What becomes of an answer to a pending reply, and which comment that reply became.
@Suite struct PendingChainsTests {
    static let id = ReplyID.make(milliseconds: 1, random: (0, 0))
    let target = PendingReply.Target(
        id: "pending:\(id)", name: "pending:\(id)", author: "Alice", timestamp: nil, heading: "W")
    let old = [heading("W"), comment("Bob", at: 60, parent: 0, "How wide?")]

    private func parent(_ text: String = "Four metres.", _ state: OutboxEntry.State = .posted) -> OutboxEntry {
        var entry = OutboxEntry(
            reply: PendingReply(
                id: Self.id, kind: .reply, text: text,
                target: PendingReply.Target(
                    id: "c-Bob-60-x", name: "c-Bob-60", author: "Bob", timestamp: 60, heading: "W"),
                heading: nil, base: RevisionID(rawValue: 10), created: 0, expires: 0),
            page: PageName(wiki: "w", namespace: "Talk", title: "T"), account: "Alice")
        entry.state = state
        entry.sentAt = 630
        entry.sentBase = RevisionID(rawValue: 10)
        entry.postedRevision = state == .posted ? RevisionID(rawValue: 12) : nil
        return entry
    }

    private func decide(
        _ parent: OutboxEntry?, _ new: [ThreadItem], newest: Int64? = 12,
        target: PendingReply.Target? = nil
    ) -> PendingChains {
        PendingChains.decide(
            target ?? self.target, parent: parent, newest: newest.map(RevisionID.init(rawValue:)),
            new: new
        ) { PendingChains.posted($0, old: old, new: new, taken: []) }
    }

    @Test(arguments: [OutboxEntry.State.queued, .sending, .unknown, .held])
    func waitsForAParentThatIsOnItsWay(state: OutboxEntry.State) {
        #expect(decide(parent("x", state), old) == .waits)
    }

    @Test func answersTheCommentThatTheWikiMadeOfIt() {
        let new = old + [comment("Alice", at: 600, level: 2, parent: 1, "Four metres.")]
        #expect(
            decide(parent(), new)
                == .answers(
                    PendingReply.Target(
                        id: "c-Alice-600-x", name: "c-Alice-600", author: "Alice", timestamp: 600, heading: "W")))
    }

    @Test func answersTheTopicWhenThatWasMeant() {
        var topic = parent()
        topic.reply.kind = .topic
        topic.reply.target = nil
        topic.reply.heading = "New"
        var meant = target
        meant.author = nil
        let new = old + [heading("New"), comment("Alice", at: 600, parent: 2, "Four metres.")]
        #expect(
            decide(topic, new, target: meant)
                == .answers(PendingReply.Target(id: "h-New", name: "h-", author: nil, timestamp: nil, heading: "New")))
    }

    /// A replica of the wiki's database lags behind, or the page could not be pulled back.
    @Test func waitsForTheRevisionInWhichItWasPosted() {
        #expect(decide(parent(), old, newest: 11) == .waits)
        #expect(decide(parent(), [], newest: nil) == .waits)
    }

    @Test func isGoneWithItsParent() {
        #expect(
            decide(parent("Four metres.\nMore.", .discarded), old)
                == .gone(reason: "your reply \(Self.id) (“Four metres.”), which it answers, was set aside"))
        #expect(decide(nil, old) == .gone(reason: "your reply \(Self.id), which it answers, was dropped"))
        #expect(
            decide(parent(), old)
                == .gone(
                    reason:
                        "your reply \(Self.id) (“Four metres.”), which it answers, was posted as revision 12 and is no longer on the page"
                ))
    }

    @Test func findsItAmongOthersOfTheSameMinute() {
        let twin = comment("Alice", at: 600, parent: 0, "Something else entirely")
        let posted = comment("Alice", at: 600, level: 2, parent: 1, "Four metres.")
        let new = [old[0], old[1], posted, twin]
        #expect(PendingChains.posted(parent(), old: old, new: new, taken: []) == 2)
        // The one that was there before is not it, however alike they are.
        let again = comment("Alice", at: 600, level: 2, parent: 1, "4 metres", id: "c-Alice-600-y")
        #expect(
            PendingChains.posted(parent(), old: old + [posted], new: [old[0], old[1], posted, again], taken: []) == 3)
    }

    @Test func ofTwoEqualOnesTheOneUnderItsTargetWins() {
        let elsewhere = comment("Alice", at: 600, parent: 0, "Four metres.", id: "c-Alice-600-W")
        let here = comment("Alice", at: 600, level: 2, parent: 1, "Four metres.")
        #expect(PendingChains.posted(parent(), old: old, new: [old[0], old[1], here, elsewhere], taken: []) == 2)
        #expect(
            PendingChains.posted(parent(), old: old, new: [old[0], old[1], here, elsewhere], taken: [here.id]) == 3)
    }

    @Test func takesNoCommentOfAnotherOrOfBefore() {
        let others = [
            comment("Bob", at: 600, level: 2, parent: 1, "Four metres."),
            comment("Alice", at: 300, level: 2, parent: 1, "Four metres."),
        ]
        #expect(PendingChains.posted(parent(), old: old, new: old + others, taken: []) == nil)
    }
}
