import TalkPages
import Testing

@Suite struct TopicHeadingTests {
    private func checked(_ heading: String) throws(TalkError) -> String {
        try TopicHeading.checked(heading, context: .example())
    }

    @Test(arguments: [
        ("  Its age\t", "Its age"), ("two\nlines", "two lines"), ("two\r\nlines", "two lines"),
        ("Caf\u{65}\u{301}", "Caf\u{E9}"), ("a = b", "a = b"),
        ("[[a]] ''b'' {{c}} <s>d</s>", "[[a]] ''b'' {{c}} <s>d</s>"),
        ("=", "="), (String(repeating: "ä", count: 500), String(repeating: "ä", count: 500)),
    ])
    func keepsAHeadingOnOneLine(typed: String, kept: String) throws {
        #expect(try checked(typed) == kept)
    }

    @Test(arguments: [
        ("", "the topic has no heading"), (" \n\t", "the topic has no heading"),
        (String(repeating: "ä", count: 501), "the heading has 501 characters, and the wiki takes 500"),
        ("by ~~~~", "the tildes in the heading would become a signature"),
        ("a <!-- b", "the heading cannot be used, since the wiki would not see it as one"),
        ("{{a", "the heading cannot be used, since the wiki would not see it as one"),
    ])
    func refusesWhatTheWikiWouldNotTake(typed: String, reason: String) {
        let error = #expect(throws: TalkError.self) { try checked(typed) }
        #expect(error?.kind == .invalid && error?.message == reason)
    }

    @Test func takesTheHeadingOffAText() {
        #expect(TopicHeading.leading("== Its age ==\n\nOld.\n== Not this ==")?.heading == "Its age")
        #expect(TopicHeading.leading("== Its age ==\n\nOld.\n== Not this ==")?.text == "Old.\n== Not this ==")
        #expect(TopicHeading.leading("\n \n==a==\r\ntext\r\nmore")?.text == "text\nmore")
        #expect(TopicHeading.leading("==  ==\n\ntext")?.heading == "")
        for text in ["", "text", "=== a ===\nx", "= a =\nx", "text\n== a ==", "==="] {
            #expect(TopicHeading.leading(text) == nil, "\(text)")
        }
    }
}
