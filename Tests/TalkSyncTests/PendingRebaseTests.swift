import TalkPages
import TalkSync
import Testing

@Suite struct PendingRebaseTests {
    let page = [
        heading("Width", name: "h-Alice-60"), comment("Alice", at: 60, parent: 0, "How wide?"),
        comment("Bob", at: 120, level: 2, parent: 1, "4 m"),
    ]

    func reply(to index: Int) -> PendingReply {
        PendingReply(
            id: "01", kind: .reply, text: "Thanks", target: PendingRebase.target(page[index], in: page), heading: nil,
            base: RevisionID(rawValue: 1), created: 0, expires: 0)
    }

    func decide(_ index: Int, _ new: [ThreadItem]) -> PendingRebase {
        PendingRebase.decide(reply(to: index), old: page, new: new)
    }

    @Test func namesTheHeadingAboveTheTarget() {
        #expect(PendingRebase.target(page[2], in: page).heading == "Width")
    }

    @Test func staysUnderItsComment() {
        #expect(decide(2, page) == .keep(PendingRebase.target(page[2], in: page)))
    }

    @Test func followsACommentWhoseParentChanged() {
        var new = page
        new[2].id = "c-Bob-120-elsewhere"
        new[2].level = 1
        new[2].parent = 0
        #expect(decide(2, new) == .keep(PendingRebase.target(new[2], in: new)))
    }

    @Test func isSetAsideWhenItsCommentIsGone() {
        #expect(
            decide(2, Array(page.dropLast()))
                == .discard(reason: "the comment by Bob that it answers is no longer on the page"))
    }

    /// FACTS: with a second comment of the same minute before the target, the id names the wrong one.
    @Test func theTextDecidesBetweenCommentsOfOneMinute() {
        var first = comment("Bob", at: 120, level: 2, parent: 1, "inserted before")
        first.id = page[2].id
        var second = page[2]
        second.id += "-1"
        let new = [page[0], page[1], first, second]
        #expect(decide(2, new) == .keep(PendingRebase.target(second, in: new)))
    }

    @Test func isSetAsideWhenNothingTellsTwoCommentsApart() {
        let a = comment("Bob", at: 120, level: 2, parent: 1, "one"),
            b = comment("Bob", at: 120, level: 2, parent: 1, "two")
        #expect(
            decide(2, [page[0], page[1], a, b])
                == .discard(reason: "several comments by Bob of that minute are on the page now"))
    }

    /// The one that is left has the name, and may have the id, of the one that went.
    @Test func neverGoesUnderTheOtherCommentOfOneMinute() {
        let a = comment("Bob", at: 120, level: 2, parent: 1, "I agree")
        var b = comment("Bob", at: 120, level: 2, parent: 1, "I object")
        b.id += "-1"
        let old = [page[0], page[1], a, b]
        for (answered, left) in [(a, b), (b, a)] {
            var reply = reply(to: 2)
            reply.target = PendingRebase.target(answered, in: old)
            var remaining = left
            remaining.id = a.id
            #expect(
                PendingRebase.decide(reply, old: old, new: [page[0], page[1], remaining])
                    == .discard(reason: "the comment by Bob that it answers is no longer on the page"))
        }
    }

    @Test func aReplyToATopicFollowsItsRenaming() {
        var new = page
        new[0].text = "Width and length"
        new[0].id = "h-Width_and_length"
        #expect(decide(0, new) == .keep(PendingRebase.target(new[0], in: new)))
    }

    @Test func aReplyToATopicThatWentIsSetAside() {
        #expect(
            decide(0, [heading("Other")])
                == .discard(reason: "the topic \"Width\" that it answers is no longer on the page"))
    }

    @Test func neverGoesUnderAPendingReply() {
        var pending = page[2]
        pending.pending = "02"
        #expect(
            decide(2, [page[0], page[1], pending])
                == .discard(reason: "the comment by Bob that it answers is no longer on the page"))
    }
}
