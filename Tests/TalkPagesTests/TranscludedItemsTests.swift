import TalkPages
import Testing

/// Which comments are the page's own, from its wikitext and from what the wiki says of its headings.
@Suite struct TranscludedItemsTests {
    static let noon: Int64 = 1_709_294_400  // 12:00, 1 March 2024

    private func comment(_ author: String, minute: Int64, file: String = "sections/Own.html") -> ThreadItem {
        ThreadItem(
            kind: .comment, level: 1, id: "c-\(author)", name: "c-\(author)", parent: 0, author: author,
            timestamp: Self.noon + minute * 60, text: "", file: file)
    }

    private func heading(_ text: String, file: String) -> ThreadItem {
        ThreadItem(
            kind: .heading, level: 0, headingLevel: 2, id: "h-\(text)", name: "h-", parent: nil, text: text, file: file)
    }

    private var items: [ThreadItem] {
        [
            heading("Own", file: "sections/Own.html"), comment("Bob", minute: 0), comment("Carol", minute: 1),
            heading("Poll", file: "sections/Poll.html"), comment("Dora", minute: 2, file: "sections/Poll.html"),
            comment("Erin", minute: 3, file: "sections/Poll.html"),
        ]
    }

    private func sources(
        headings: [String: String], pages: [String],
        wikitext: String = "a [[User:Bob]] 12:00, 1 March 2024 (UTC)\n{{x}}\nb [[User:Erin]] 12:03, 1 March 2024 (UTC)"
    ) -> [String: ThreadItem.Transclusion]? {
        TranscludedItems(
            RevisionID(rawValue: 7), items: items, headings: headings, pages: pages, wikitext: wikitext,
            dates: EnglishDates())?.sources
    }

    @Test func namesThePageOfTheHeadingAbove() {
        #expect(
            sources(headings: ["sections/Poll.html": "Talk:Poll"], pages: ["Talk:Poll", "User:Frank/Sig"])
                == ["h-Poll": .page("Talk:Poll"), "c-Dora": .page("Talk:Poll"), "c-Carol": .unknown])
    }

    @Test func namesTheOnlyPageThatIsShown() {
        #expect(
            sources(headings: [:], pages: ["Talk:Poll"])
                == ["c-Carol": .page("Talk:Poll"), "c-Dora": .page("Talk:Poll")])
    }

    @Test func leavesTheCommentsBelowAHeadingOfATemplateToThePage() {
        #expect(
            sources(headings: ["sections/Poll.html": "Template:Welcome"], pages: [])
                == ["h-Poll": .page("Template:Welcome")])
    }

    @Test func findsNothingOnAPageOfItsOwn() {
        #expect(sources(headings: [:], pages: []) == nil)
        let all = (0...3).map { "[[User:X]] 12:0\($0), 1 March 2024 (UTC)" }.joined(separator: "\n")
        #expect(sources(headings: [:], pages: ["User:Frank/Sig"], wikitext: all) == nil)
    }

    @Test func marksItemsThatDoNotTellThemselves() {
        var items = items
        items[2].transclusion = .page("Talk:Known")
        let found = TranscludedItems(
            RevisionID(rawValue: 7), items: items, headings: [:], pages: ["Talk:Poll"], wikitext: "",
            dates: EnglishDates())
        let marked = found?.mark(items) ?? []
        #expect(
            marked.map(\.transclusion) == [
                nil, .page("Talk:Poll"), .page("Talk:Known"), nil, .page("Talk:Poll"), .page("Talk:Poll"),
            ])
    }

    @Test func saysWhereToAnswer() {
        let source = ThreadItem.Transclusion.page("Diskussion:Poll")
        let error = source.error(of: items[1], wiki: .example)
        #expect(error.kind == .notFound)
        #expect(error.message == "the comment by Bob comes from Diskussion:Poll, so it must be answered there")
        #expect(error.hint == "git talk pull https://wiki.example/wiki/Diskussion:Poll")
        #expect(source.error(of: items[1]).hint == "answer it on Diskussion:Poll")
        let heading = ThreadItem.Transclusion.page("Vorlage:Hello").error(of: items[3], wiki: .example)
        #expect(
            heading.message
                == "the heading of the topic “Poll” is made by Vorlage:Hello, so that nothing can be put below it")
    }
}
