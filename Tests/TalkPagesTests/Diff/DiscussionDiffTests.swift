import TalkPages
import Testing

@Suite struct DiscussionDiffTests {
    typealias Items = DiffItems

    let old = [
        Items.heading("Width", name: "h-Alice-60"), Items.comment("Alice", at: 60, parent: 0, "How wide?"),
        Items.comment("Bob", at: 120, level: 2, parent: 1, "4 m"),
    ]

    @Test func nothingChangedBetweenEqualPages() {
        let diff = DiscussionDiff(from: old, to: old)
        #expect(diff.isEmpty && diff.changes.isEmpty && diff.oldIndices == [0, 1, 2])
        #expect(DiscussionDiff(from: [], to: []).isEmpty)
    }

    @Test func namesAnAddedComment() {
        let new = old + [Items.comment("Carol", at: 180, level: 3, parent: 2, "Thanks")]
        let diff = DiscussionDiff(from: old, to: new)
        #expect(Items.short(diff) == ["added Carol"])
        #expect(diff.commentsAdded.map(\.author) == ["Carol"])
        #expect(diff.topicsChanged.map(\.text) == ["Width"])
        #expect(diff.commentsChanged.isEmpty && diff.commentsRemoved.isEmpty && diff.topicsAdded.isEmpty)
        #expect(diff.sections.map(\.heading?.new?.text) == ["Width"])
        #expect(diff.sections[0].heading?.kinds == [])
    }

    @Test func namesAnEditedCommentAndItsWords() throws {
        var new = old
        new[2].text = "4.2 m"
        let diff = DiscussionDiff(from: old, to: new)
        #expect(diff.commentsChanged.map(\.text) == ["4.2 m"])
        #expect(diff.commentsAdded.isEmpty && diff.commentsRemoved.isEmpty)
        let words = try #require(diff.changes.first?.words)
        #expect(words.runs == [.init(.removed, "4"), .init(.added, "4.2"), .init(.same, " m")])
    }

    @Test func namesARemovedCommentAndItsTopic() {
        let diff = DiscussionDiff(from: old, to: Array(old.dropLast()))
        #expect(diff.commentsRemoved.map(\.author) == ["Bob"])
        #expect(diff.topicsChanged.map(\.text) == ["Width"])
    }

    @Test func aRenamedHeadingIsOneChangedTopic() {
        var new = old
        new[0].text = "Width and length"
        new[0].id = "h-Width_and_length"
        let diff = DiscussionDiff(from: old, to: new)
        #expect(Items.short(diff) == ["renamed = Width and length"])
        #expect(diff.topicsChanged.map(\.text) == ["Width and length"])
        #expect(diff.topicsAdded.isEmpty && diff.topicsRemoved.isEmpty)
    }

    @Test func aTopicAboveAddsAndOneThatWentIsRemoved() {
        let other = [
            Items.heading("Ramp", name: "h-Dora-30"), Items.comment("Dora", at: 30, parent: 0, "And the ramp?"),
        ]
        let diff = DiscussionDiff(from: old, to: other)
        #expect(diff.topicsAdded.map(\.text) == ["Ramp"])
        #expect(diff.topicsRemoved.map(\.text) == ["Width"])
        #expect(diff.commentsRemoved.count == 2)
        #expect(diff.sections.map { $0.comments.count } == [2, 1])
    }

    @Test func twoCommentsOfOneMinuteArePairedByText() {
        let first = Items.comment("Alice", at: 60, parent: 0, "One")
        let second = Items.comment("Alice", at: 60, parent: 0, "Two")
        let diff = DiscussionDiff(
            from: [Items.heading("T"), first, second], to: [Items.heading("T"), second])
        #expect(diff.commentsRemoved.map(\.text) == ["One"])
        #expect(diff.commentsChanged.isEmpty)
    }

    @Test func ofTwoCommentsOfOneMinuteTheMoreSimilarOneWasEdited() {
        let first = Items.comment("Alice", at: 60, parent: 0, "One small step", id: "c-1")
        let second = Items.comment("Alice", at: 60, parent: 0, "Two big steps and a leap", id: "c-2")
        // The wiki numbers them anew when the first one goes.
        let edited = Items.comment("Alice", at: 60, parent: 0, "Two big steps and one leap", id: "c-1")
        let diff = DiscussionDiff(from: [Items.heading("T"), first, second], to: [Items.heading("T"), edited])
        #expect(diff.commentsRemoved.map(\.text) == ["One small step"])
        #expect(diff.commentsChanged.map(\.text) == ["Two big steps and one leap"])
    }

    @Test func aCommentThatWasIndentedIsNotEdited() {
        var new = old
        new[2].level = 3
        #expect(Items.short(DiscussionDiff(from: old, to: new)) == ["indented Bob"])
    }

    @Test func aCommentThatAnswersAnotherOneNowIsIndented() {
        let before = old + [Items.comment("Carol", at: 180, level: 2, parent: 1, "Thanks")]
        var after = before
        after[3].parent = 2
        #expect(Items.short(DiscussionDiff(from: before, to: after)) == ["indented Carol"])
    }

    @Test func aHeadingPutBetweenCommentsChangesNoneOfThem() {
        let before = [
            Items.heading("T", name: "h-A-1"), Items.comment("A", at: 1, parent: 0, "one"),
            Items.comment("B", at: 2, parent: 0, "two"),
        ]
        let after = [
            before[0], before[1], Items.heading("Break", level: 3, parent: 0, name: "h-B-2"),
            Items.comment("B", at: 2, parent: 2, "two"),
        ]
        let diff = DiscussionDiff(from: before, to: after)
        #expect(Items.short(diff) == ["added = Break"])
        // It is no topic of its own.
        #expect(diff.topicsAdded.isEmpty && diff.topicsChanged.map(\.text) == ["T"])
    }

    @Test func aCommentInAnotherTopicMoved() {
        let ramp = [Items.heading("Ramp", name: "h-Dora-30"), Items.comment("Dora", at: 30, parent: 0, "The ramp?")]
        func shifted(_ items: [ThreadItem], _ by: Int) -> [ThreadItem] {
            items.map { item in
                var item = item
                item.parent = item.parent.map { $0 + by }
                return item
            }
        }
        let before = ramp + shifted(old, 2)
        var after =
            ramp + [Items.comment("Bob", at: 120, level: 2, parent: 1, "4 m")] + shifted(Array(old.dropLast()), 3)
        let diff = DiscussionDiff(from: before, to: after)
        #expect(Items.short(diff) == ["moved Bob"])
        #expect(diff.topicsChanged.map(\.text) == ["Ramp", "Width"])
        after[2].text = "5 m"
        after[2].level = 1
        #expect(Items.short(DiscussionDiff(from: before, to: after)) == ["edited+indented+moved Bob"])
    }

    @Test func ofTwoTopicsThatChangedPlacesTheShorterOneMoved() {
        let short = [Items.heading("Short", name: "h-A-1"), Items.comment("A", at: 1, parent: 0, "one")]
        func long(_ start: Int) -> [ThreadItem] {
            [
                Items.heading("Long", name: "h-B-2"), Items.comment("B", at: 2, parent: start, "two"),
                Items.comment("C", at: 3, parent: start, "three"),
            ]
        }
        let last = { (start: Int) in
            [Items.heading("Last", name: "h-D-4"), Items.comment("D", at: 4, parent: start, "four")]
        }
        let movedShort = short.map { item in
            var item = item
            item.parent = item.parent.map { $0 + 3 }
            return item
        }
        let diff = DiscussionDiff(from: short + long(2) + last(5), to: long(0) + movedShort + last(5))
        #expect(Items.short(diff) == ["reordered = Short"])
    }

    @Test func aTopicUnderAnotherHeadingMoved() {
        let before = [Items.heading("One"), Items.heading("Two"), Items.heading("Part", level: 3, parent: 0)]
        var after = before
        after[2].parent = 1
        #expect(Items.short(DiscussionDiff(from: before, to: after)) == ["moved = Part"])
        after[2].parent = nil
        after[2].headingLevel = 2
        #expect(Items.short(DiscussionDiff(from: before, to: after)) == ["indented+moved = Part"])
    }

    @Test func twoTopicsOfOneNameStayApart() {
        func question(_ author: String, _ time: Int64, at index: Int) -> [ThreadItem] {
            var heading = Items.heading("Question", name: "h-\(author)-\(time)")
            heading.id = "h-Question-\(time)"
            return [heading, Items.comment(author, at: time, parent: index, "Who knows, said \(author)?")]
        }
        let both = question("Ann", 1, at: 0) + question("Ben", 2, at: 2)
        let diff = DiscussionDiff(from: both, to: question("Ben", 2, at: 0))
        #expect(Items.short(diff) == ["removed = Question", "removed Ann"])
        // Even when nothing else is left to tell them apart than that all comments are others.
        let other = DiscussionDiff(from: question("Ann", 1, at: 0), to: question("Ben", 2, at: 0))
        #expect(other.topicsAdded.count == 1 && other.topicsRemoved.count == 1)
    }

    @Test func aTopicWhoseHeadingAndFirstCommentChangedIsKnownByTheOthers() {
        let before = [
            Items.heading("Widht", name: "h-A-1"), Items.comment("A", at: 1, parent: 0, "one"),
            Items.comment("B", at: 2, parent: 0, "two"), Items.comment("C", at: 3, parent: 0, "three"),
        ]
        let after = [
            Items.heading("The width", name: "h-B-2"), Items.comment("B", at: 2, parent: 0, "two"),
            Items.comment("C", at: 3, parent: 0, "three"),
        ]
        #expect(Items.short(DiscussionDiff(from: before, to: after)) == ["renamed = The width", "removed A"])
    }

    @Test func whatWasRemovedIsToldWhereItStood() {
        let before = [
            Items.heading("One", name: "h-A-1"), Items.comment("A", at: 1, parent: 0, "one"),
            Items.comment("B", at: 2, parent: 0, "two"), Items.comment("C", at: 3, parent: 0, "three"),
            Items.heading("Gone", name: "h-D-4"), Items.comment("D", at: 4, parent: 4, "four"),
            Items.heading("Two", name: "h-E-5"), Items.comment("E", at: 5, parent: 6, "five"),
        ]
        let after = [
            before[0], before[1], Items.comment("X", at: 9, parent: 0, "new"), before[3],
            before[6], Items.comment("E", at: 5, parent: 4, "five!"),
        ]
        let diff = DiscussionDiff(from: before, to: after)
        #expect(Items.short(diff) == ["removed B", "added X", "removed = Gone", "removed D", "edited E"])
        #expect(diff.sections.map { ($0.heading?.new ?? $0.heading?.old)?.text } == ["One", "Gone", "Two"])
    }
}

/// Comments whose name is no help: edited signatures.
@Suite struct DiscussionDiffSignatureTests {
    typealias Items = DiffItems

    private func changes(from old: ThreadItem, to new: ThreadItem, topic: String = "T") -> [String] {
        DiffItems.short(DiscussionDiff(from: [Items.heading("T"), old], to: [Items.heading(topic), new]))
    }

    let long = "The arch was measured in June and is four metres wide"

    @Test func aTextThatWasSignedAnewIsTheSameComment() {
        let before = Items.comment("Alice", at: 60, parent: 0, long)
        #expect(changes(from: before, to: Items.comment("Alice", at: 600, parent: 0, long)) == ["resigned Alice"])
        let edited = Items.comment("Alice", at: 600, parent: 0, long.replacing("June", with: "July"))
        #expect(changes(from: before, to: edited) == ["edited+resigned Alice"])
    }

    @Test func anAuthorWhoWasRenamedKeepsWhatWasWritten() {
        let before = Items.comment("Alice", at: 60, parent: 0, "Yes")
        #expect(changes(from: before, to: Items.comment("Alicia", at: 60, parent: 0, "Yes")) == ["resigned Alicia"])
    }

    @Test func commentsOfTwoAuthorsAreTwoUnlessTheTextIsTheSame() {
        let before = Items.comment("Alice", at: 60, parent: 0, long)
        #expect(changes(from: before, to: Items.comment("Bob", at: 60, parent: 0, long)) == ["resigned Bob"])
        let similar = Items.comment("Bob", at: 60, parent: 0, long + " indeed")
        #expect(changes(from: before, to: similar) == ["removed Alice", "added Bob"])
        let short = Items.comment("Alice", at: 60, parent: 0, "Support")
        #expect(
            changes(from: short, to: Items.comment("Bob", at: 61, parent: 0, "Support"))
                == ["removed Alice", "added Bob"])
    }

    @Test func aShortTextOfOneAuthorIsTheSameOnlyInOneTopic() {
        let before = Items.comment("Alice", at: 60, parent: 0, "Thanks a lot")
        let after = Items.comment("Alice", at: 600, parent: 0, "Thanks a lot")
        #expect(changes(from: before, to: after) == ["resigned Alice"])
        #expect(
            changes(from: before, to: after, topic: "Other")
                == ["removed = T", "removed Alice", "added = Other", "added Alice"])
    }

    @Test func anUnlikeTextOfOneAuthorIsAnotherComment() {
        let before = Items.comment("Alice", at: 60, parent: 0, long)
        let after = Items.comment("Alice", at: 600, parent: 0, "Nobody has ever asked how long the whole bridge is")
        #expect(changes(from: before, to: after) == ["removed Alice", "added Alice"])
    }

    @Test func aThousandCommentsOfOneAuthorAreStillPairedByTheirRareWords() {
        func page(_ time: Int64, _ ending: String) -> [ThreadItem] {
            [Items.heading("T")]
                + (0..<1000).map { index in
                    Items.comment(
                        "Alice", at: time + Int64(index), parent: 0,
                        "The stone number\(index) was counted by me\(ending)")
                }
        }
        let diff = DiscussionDiff(from: page(0, ""), to: page(100_000, " again"))
        #expect(diff.commentsChanged.count == 1000 && diff.commentsAdded.isEmpty)
        #expect(diff.oldIndices == Array(0...1000).map { $0 })
    }

    @Test func whatOnlyTheLayoutOrAnImageChangesIsToldByTheReadableText() {
        let before = Items.comment("Alice", at: 60, parent: 0, "See it", readable: "See\nit")
        #expect(changes(from: before, to: Items.comment("Alice", at: 60, parent: 0, "See it")) == [])
        let after = Items.comment("Alice", at: 60, parent: 0, "See it", readable: "See it [A bridge]")
        #expect(changes(from: before, to: after) == ["edited Alice"])
    }
}
