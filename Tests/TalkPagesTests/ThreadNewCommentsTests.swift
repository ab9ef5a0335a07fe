import Testing

@testable import TalkPages

@Suite struct ThreadNewCommentsTests {
    static func tree(_ items: [(level: Int?, name: String, id: String, author: String, minute: Int)]) -> ThreadTree {
        var tree = ThreadTree(items: [], places: [])
        for item in items {
            let isComment = !item.author.isEmpty
            tree.items.append(
                ThreadItem(
                    kind: isComment ? .comment : .heading, level: isComment ? 1 : 0, headingLevel: item.level,
                    id: item.id, name: item.name, parent: nil, author: isComment ? item.author : nil,
                    timestamp: isComment ? Int64(item.minute * 60) : nil, text: ""))
        }
        return tree
    }
    static func topic(_ name: String, level: Int? = 2) -> (Int?, String, String, String, Int) {
        (level, name, name, "", 0)
    }
    static func comment(_ author: String, _ minute: Int, id: String = "") -> (Int?, String, String, String, Int) {
        (nil, "c-\(author)-\(minute)", id.isEmpty ? "c-\(author)-\(minute)" : id, author, minute)
    }

    @Test func findsWhatIsNewByNameInItsTopic() {
        let old = Self.tree([Self.topic("h-A"), Self.comment("A", 1), Self.topic("h-B"), Self.comment("B", 2)])
        let new = Self.tree([
            Self.topic("h-A"), Self.comment("A", 1, id: "moved"), Self.comment("Z", 3), Self.comment("Y", 3),
            Self.topic("h-B"), Self.comment("B", 2), Self.topic("x", level: 3), Self.comment("Z", 4),
        ])
        #expect(NewComments.indices(in: new, notIn: old, by: "Z", savedAt: 300) == [2, 7])
        #expect(NewComments.indices(in: new, notIn: old) == [2, 3, 7])
        #expect(NewComments.indices(in: old, notIn: new) == [])
    }

    @Test func countsACommentThatMovedToAnotherTopic() {
        let old = Self.tree([Self.topic("h-A"), Self.comment("Z", 3)])
        let new = Self.tree([Self.topic("h-B"), Self.comment("Z", 3)])
        #expect(NewComments.indices(in: new, notIn: old) == [1])
        // But not as written by this edit, when it was written long before.
        #expect(NewComments.indices(in: new, notIn: old, by: "Z", savedAt: 180 + 599) == [1])
        #expect(NewComments.indices(in: new, notIn: old, by: "Z", savedAt: 180 + 600) == [])
    }

    @Test func ofEqualNamesTakesThoseWithNewIdsAndThenTheLast() {
        let old = Self.tree([Self.topic("h-A"), Self.comment("Z", 3, id: "x")])
        let one = Self.tree([Self.topic("h-A"), Self.comment("Z", 3, id: "y"), Self.comment("Z", 3, id: "x")])
        #expect(NewComments.indices(in: one, notIn: old) == [1])
        let two = Self.tree([
            Self.topic("h-A"), Self.comment("Z", 3, id: "a"), Self.comment("Z", 3, id: "b"),
            Self.comment("Z", 3, id: "c"),
        ])
        #expect(NewComments.indices(in: two, notIn: old) == [2, 3])
    }

    @Test func leavesOutWhatStandsInNoTopic() {
        let empty = Self.tree([])
        let new = Self.tree([
            Self.topic("h-", level: nil), Self.comment("Z", 1), Self.topic("h-C", level: 3), Self.comment("Z", 2),
            Self.topic("h-D"), Self.comment("Z", 3), Self.topic("h-E", level: 1), Self.comment("Z", 4),
            Self.topic("h-F", level: 3), Self.comment("Z", 5),
        ])
        #expect(NewComments.indices(in: new, notIn: empty) == [5])
    }
}
