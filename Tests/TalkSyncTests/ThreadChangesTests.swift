import TalkPages
import TalkSync
import Testing

@Suite struct ThreadChangesTests {
    let old = [
        heading("Width", name: "h-Alice-60"), comment("Alice", at: 60, parent: 0, "How wide?"),
        comment("Bob", at: 120, level: 2, parent: 1, "4 m"),
    ]

    @Test func nothingChangedBetweenEqualPages() {
        #expect(ThreadChanges(from: old, to: old).isEmpty)
    }

    @Test func namesAnAddedComment() {
        let new = old + [comment("Carol", at: 180, level: 3, parent: 2, "Thanks")]
        let changes = ThreadChanges(from: old, to: new)
        #expect(changes.commentsAdded.map(\.author) == ["Carol"])
        #expect(changes.topicsChanged.map(\.text) == ["Width"])
        #expect(changes.commentsChanged.isEmpty && changes.commentsRemoved.isEmpty && changes.topicsAdded.isEmpty)
    }

    @Test func namesAnEditedComment() {
        var new = old
        new[2].text = "4.2 m"
        let changes = ThreadChanges(from: old, to: new)
        #expect(changes.commentsChanged.map(\.text) == ["4.2 m"])
        #expect(changes.commentsAdded.isEmpty && changes.commentsRemoved.isEmpty)
    }

    @Test func namesARemovedCommentAndItsTopic() {
        let changes = ThreadChanges(from: old, to: Array(old.dropLast()))
        #expect(changes.commentsRemoved.map(\.author) == ["Bob"])
        #expect(changes.topicsChanged.map(\.text) == ["Width"])
    }

    @Test func aRenamedHeadingIsOneChangedTopic() {
        var new = old
        new[0].text = "Width and length"
        let changes = ThreadChanges(from: old, to: new)
        #expect(changes.topicsChanged.map(\.text) == ["Width and length"])
        #expect(changes.topicsAdded.isEmpty && changes.topicsRemoved.isEmpty)
    }

    @Test func aTopicAboveAddsAndOneThatWentIsRemoved() {
        let other = [heading("Ramp", name: "h-Dora-30"), comment("Dora", at: 30, parent: 0, "And the ramp?")]
        let changes = ThreadChanges(from: old, to: other)
        #expect(changes.topicsAdded.map(\.text) == ["Ramp"])
        #expect(changes.topicsRemoved.map(\.text) == ["Width"])
        #expect(changes.commentsRemoved.count == 2)
    }

    @Test func twoCommentsOfOneMinuteArePairedByText() {
        let first = comment("Alice", at: 60, parent: 0, "One"), second = comment("Alice", at: 60, parent: 0, "Two")
        let changes = ThreadChanges(from: [heading("T"), first, second], to: [heading("T"), second])
        #expect(changes.commentsRemoved.map(\.text) == ["One"])
        #expect(changes.commentsChanged.isEmpty)
    }
}
