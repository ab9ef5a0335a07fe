import TalkPages
import TalkSync
import Testing

@Suite struct PlacementCheckTests {
    let old = [
        heading("Width"), comment("Alice", at: 60, parent: 0, "How wide?"),
        comment("Bob", at: 120, level: 2, parent: 1, "4 m"), comment("Carol", at: 180, parent: 0, "Next"),
    ]

    func problem(_ new: [ThreadItem], target: Int = 2) -> String? {
        PlacementCheck.problem(old: old, new: new, target: target, account: "Dora")
    }

    /// Old items with one more at a place; parents behind it move on.
    func with(_ item: ThreadItem, at place: Int) -> [ThreadItem] {
        var new = old
        for index in place..<new.count {
            if let parent = new[index].parent, parent >= place { new[index].parent = parent + 1 }
        }
        new.insert(item, at: place)
        return new
    }

    @Test func acceptsTheCommentUnderItsTarget() {
        #expect(problem(with(comment("Dora", at: 240, level: 3, parent: 2, "Thanks"), at: 3)) == nil)
    }

    @Test func acceptsTheCommentAtTheEndOfThePage() {
        #expect(problem(old + [comment("Dora", at: 240, level: 2, parent: 3, "Yes")], target: 3) == nil)
    }

    @Test func refusesAnotherParent() {
        let new = with(comment("Dora", at: 240, level: 2, parent: 1, "Thanks"), at: 3)
        #expect(problem(new) == "it would stand under another comment")
    }

    @Test func refusesWhatHasNoSignature() {
        var new = old
        new[3].text = "Thanks Next"
        #expect(problem(new) == "the wiki would not show it as a comment of its own")
    }

    @Test func refusesAnotherSignature() {
        let new = with(comment("Mallory", at: 240, level: 3, parent: 2, "Thanks"), at: 3)
        #expect(problem(new) == "it would not carry the signature of Dora")
    }

    @Test func refusesWhatSwallowsAnotherComment() {
        var new = with(comment("Dora", at: 240, level: 3, parent: 2, "Thanks"), at: 3)
        new[4].text = "changed"
        #expect(problem(new) == "it would change how other comments are read")
    }

    @Test func refusesTwoComments() {
        let one = comment("Dora", at: 240, level: 3, parent: 2, "Thanks")
        #expect(problem(with(one, at: 3) + [one]) == "it would change how other comments are read")
    }

    // MARK: Topics

    private func topic(_ added: [ThreadItem]) -> String? {
        PlacementCheck.problem(old: old, new: old + added, topicBy: "Dora")
    }

    @Test func acceptsATopicAtTheEnd() {
        #expect(topic([heading("New"), comment("Dora", at: 240, parent: 4, "Hello")]) == nil)
        let sub = heading("Part", level: 3, parent: 4)
        #expect(topic([heading("New"), sub, comment("Dora", at: 240, parent: 5, "Hello")]) == nil)
        #expect(
            PlacementCheck.problem(
                old: [], new: [heading("New"), comment("Dora", at: 1, parent: 0, "Hello")], topicBy: "Dora") == nil)
    }

    @Test func refusesWhatIsNotOneTopicWithOneComment() {
        let comment = comment("Dora", at: 240, parent: 4, "Hello")
        #expect(topic([]) == "the wiki would not show it as a topic of its own")
        #expect(topic([comment]) == "the wiki would not show it as a topic of its own")
        #expect(
            topic([heading("New", level: 3, parent: 0), comment]) == "the wiki would not show it as a topic of its own")
        #expect(topic([heading("New")]) == "it would not carry the signature of Dora")
        #expect(
            topic([heading("New"), TalkSyncTests.comment("Bob", parent: 4, "x")])
                == "it would not carry the signature of Dora")
        #expect(topic([heading("New"), comment, comment]) == "it would be read as 2 comments")
        #expect(topic([heading("New"), heading("More"), comment]) == "its text would begin another topic")
        #expect(
            topic([heading("New"), comment, heading("Part", level: 3)]) == "it would not carry the signature of Dora")
    }

    @Test func refusesATopicThatChangesWhatStandsAbove() {
        var new = old + [heading("New"), comment("Dora", at: 240, parent: 4, "Hello")]
        new[3].text = "Next New"
        #expect(
            PlacementCheck.problem(old: old, new: new, topicBy: "Dora") == "it would change how other comments are read"
        )
    }
}
