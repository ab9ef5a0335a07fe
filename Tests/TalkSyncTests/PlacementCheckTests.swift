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
}
