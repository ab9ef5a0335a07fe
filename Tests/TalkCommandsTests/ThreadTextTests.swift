import TalkPages
import Testing

@testable import TalkCommands

@Suite struct ThreadTextTests {
    let items = [
        ThreadItem(kind: .heading, level: 0, headingLevel: 2, id: "h-Width", name: "h-", parent: nil, text: "Width"),
        ThreadItem(
            kind: .comment, level: 1, id: "c-Alice-1", name: "c-Alice", parent: 0, author: "Alice",
            timestamp: 1_700_000_040,
            text: "How wide?\nAnd how long?"),
        ThreadItem(
            kind: .comment, level: 2, id: "pending:01", name: "pending:01", parent: 1, author: "Bob",
            timestamp: 1_700_000_100, text: "4 m", pending: "01"),
        ThreadItem(kind: .heading, level: 0, headingLevel: 3, id: "h-Ramp-Width", name: "h-", parent: 0, text: "Ramp"),
        ThreadItem(
            kind: .heading, level: 0, headingLevel: 2, id: "h-Other", name: "h-", parent: nil, text: "Other one"),
    ]

    func text(width: Int? = nil) -> String {
        ThreadText(style: Style(isColoured: false), width: width, codes: ["aaaa", "bbbb", "cccc", "dddd", "eeee"])
            .text(items, 0..<3)
    }

    @Test func indentsByLevelAndMarksWhatIsPending() {
        #expect(
            text() == """

                == Width ==  aaaa

                  Alice, 2023-11-14 22:14 UTC  bbbb
                    How wide?
                    And how long?

                      Bob, 2023-11-14 22:15 UTC  cccc  [pending: not on the wiki yet]
                        4 m

                """)
    }

    @Test func wrapsAtWordsOnATerminal() {
        var long = items
        long[1].text = "one two three four five six seven eight nine ten"
        let text = ThreadText(style: Style(isColoured: false), width: 34, codes: ["a", "b", "c", "d", "e"])
            .text(long, 1..<2)
        #expect(text.contains("    one two three four five six\n    seven eight nine ten\n"))
    }

    @Test func wrapsAListUnderItsMarksAndKeepsAQuotation() {
        var long = items
        long[1].readableText = "So:\n  * one two three four five six seven\n12. one two three four five six"
        let text = ThreadText(style: Style(isColoured: false), width: 34, codes: ["a", "b", "c", "d", "e"])
            .text(long, 1..<2)
        #expect(
            text.hasSuffix(
                "    So:\n      * one two three four five\n        six seven\n    12. one two three four five\n        six\n"
            ))
    }

    @Test func rightToLeftTextStaysWithinItsLineOnATerminal() {
        var mixed = items
        mixed[1].author = "דנה"
        mixed[1].text = "מה הרוחב? \u{202E}x"
        let text = ThreadText(
            style: Style(isColoured: false, isTerminal: true), width: nil, codes: ["a", "b", "c", "d", "e"]
        ).text(mixed, 1..<2)
        #expect(
            text == "\n  \u{2068}דנה\u{2069}, 2023-11-14 22:14 UTC  b\n    \u{2068}מה הרוחב? <U+202E>x\u{2069}\n")
        let plain = ThreadText(style: Style(isColoured: false), width: nil, codes: ["a", "b", "c", "d", "e"])
            .text(mixed, 1..<2)
        #expect(!plain.contains("\u{2068}"))
    }

    @Test func findsATopicByHeadingAnchorOrID() {
        #expect(ItemSelection.topic("Width", in: items) == 0..<4)
        #expect(ItemSelection.topic("other_one", in: items) == 4..<5)
        #expect(ItemSelection.topic("h-Ramp-Width", in: items) == 3..<4)
        #expect(ItemSelection.topic("c-Alice-1", in: items) == 0..<4)
        #expect(ItemSelection.topic("Nothing", in: items) == nil)
    }

    @Test func codesTellTheItemsApartAndAreFoundByTheirBeginning() throws {
        let codes = ItemSelection.codes(items)
        #expect(Set(codes).count == items.count)
        for (index, code) in codes.enumerated() { #expect(ItemSelection.matches(code, in: items) == [index]) }
        #expect(ItemSelection.matches("c-Alice-1", in: items) == [1])
        #expect(ItemSelection.matches("c-", in: items) == [1])
        #expect(ItemSelection.matches("h-", in: items).count == 3)
        #expect(ItemSelection.matches("", in: items).isEmpty)
        #expect(ItemSelection.matches("zzzz", in: items).isEmpty)
    }

    /// The SHA-256 of both ids begins with a173f4.
    @Test func codesGrowUntilTheyTellTheItemsApart() {
        let ids = ["c-Alice-1111", "c-Alice-5422", "c-Alice-1111"]
        let items = ids.map { ThreadItem(kind: .comment, level: 1, id: $0, name: $0, parent: nil, text: "") }
        #expect(ItemSelection.codes(items) == ["a173f40", "a173f42", "a173f40"])
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00Z"), (951_827_696, "2000-02-29T12:34:56Z"), (-1, "1969-12-31T23:59:59Z"),
        (253_402_300_800, "10000-01-01T00:00:00Z"), (-62_135_596_800, "0001-01-01T00:00:00Z"),
    ])
    func writesMoments(seconds: Int64, text: String) {
        #expect(TimeText.iso(seconds) == text)
        #expect(TimeText.minute(seconds) == text.replacing("T", with: " ").dropLast(4) + " UTC")
    }

    @Test func lineEndsOfAnotherSystemAreShownAsTheyAre() {
        let item = ThreadItem(kind: .comment, level: 1, id: "c", name: "c", parent: nil, author: "A", text: "a\r\nb")
        let text = ThreadText(style: Style(isColoured: false), width: nil, codes: ["cccc"]).text([item], 0..<1)
        #expect(text == "\n  A  cccc\n    a␍\n    b\n")
    }

    @Test func saysAgesInWords() {
        #expect(TimeText.ago(100, now: 130) == "just now")
        #expect(TimeText.ago(0, now: 60) == "1 minute ago")
        #expect(TimeText.ago(0, now: 7200) == "2 hours ago")
        #expect(TimeText.ago(0, now: 86_400 * 3) == "3 days ago")
        #expect(TimeText.ago(500, now: 100) == "just now")
    }
}
