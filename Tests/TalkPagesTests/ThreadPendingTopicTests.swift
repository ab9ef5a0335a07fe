import Foundation
import Testing

@testable import TalkPages

/// A topic that is not on the wiki yet, and the answers in it.
@Suite struct ThreadPendingTopicTests {
    private func wiki() throws -> Wiki {
        let site = ThreadFixture.root.appending(components: "replies", "site.json")
        return try SiteFile(json: Array(try Data(contentsOf: site))).wiki
    }

    private func topic(
        _ heading: String, _ text: String, id: String = "01a"
    ) -> PendingReply {
        PendingReply(
            id: id, kind: .topic, text: text, target: nil, heading: heading, base: RevisionID(rawValue: 1), created: 0,
            expires: 0)
    }

    private func answer(_ pending: String, _ text: String, id: String, toTopic: Bool = false) -> PendingReply {
        PendingReply(
            id: id, kind: .reply, text: text,
            target: PendingReply.Target(
                id: "pending:\(pending)", name: "pending:\(pending)", author: toTopic ? nil : "", timestamp: nil,
                heading: "H"),
            heading: nil, base: RevisionID(rawValue: 1), created: 0, expires: 0)
    }

    private func place(_ replies: [PendingReply], in page: PageContent) throws -> PageContent {
        var page = page
        var pending: Set<String> = []
        for reply in replies {
            page = try PendingReplyPlacement.insert(
                reply, in: page, pending: pending, wiki: try wiki(), title: "Talk:T", zone: .utc)
            pending.insert(reply.id)
        }
        return page
    }

    @Test func aTopicIsASectionOfItsOwnAtTheEnd() throws {
        let page = try place([topic("One", "a <b>\n\n* c")], in: ThreadPendingTests.page)
        #expect(page.lede == ThreadPendingTests.page.lede)
        #expect(Array(page.sections.prefix(2)) == ThreadPendingTests.page.sections)
        let section = try #require(page.sections.last)
        #expect(section.file == "sections/One~2.html" && section.heading == "One" && section.level == 2)
        #expect(
            section.html == """
                <h2 class="pending" id="pending-01a">One</h2>
                <p class="pending" id="pending-01a-2">a &lt;b&gt;
                </p>
                <p class="pending" id="pending-01a-3">* c
                </p>

                """)
        // What is stored is canonical: nothing changes when it is read and written again.
        #expect(try CanonicalPage.content(of: section.html, wiki: wiki()).sections.map(\.html) == [section.html])
    }

    @Test func theTopicIsAHeadingAndAComment() throws {
        let parser = try ThreadPlacementTests.parser()
        let page = try place([topic("One", "a\n\nb")], in: ThreadPendingTests.page)
        let before = try parser.items(of: ThreadPendingTests.page)
        let items = try parser.items(of: page, pending: ["01a"])
        #expect(Array(items.prefix(before.count)) == before)
        let added = items[before.count...].map { "\($0.kind) \($0.id) \($0.level) \($0.headingLevel ?? 0) \($0.text)" }
        #expect(added == ["heading h-pending:01a 0 2 One", "comment pending:01a 1 0 a\nb"])
        #expect(items[before.count].parent == nil && items[before.count + 1].parent == before.count)
        #expect(items.suffix(2).allSatisfy { $0.pending == "01a" && $0.file == "sections/One~2.html" })
        // Without the id it is a section like any other.
        #expect(try parser.items(of: page).last?.id == "h-pending-01a")
    }

    @Test func answersInATopicStandWhereTheyWillBePosted() throws {
        let parser = try ThreadPlacementTests.parser()
        let page = try place(
            [
                topic("H", "one\n\ntwo"), answer("01a", "three", id: "01b"), answer("01b", "four", id: "01c"),
                answer("01a", "five", id: "01d"), answer("01a", "six", id: "01e", toTopic: true),
                topic("Next", "seven", id: "01f"),
            ], in: PageContent(lede: "", sections: []))
        let items = try parser.items(of: page, pending: ["01a", "01b", "01c", "01d", "01e", "01f"])
        #expect(
            items.map { "\($0.level) \($0.text.replacing("\n", with: "/")) < \($0.parent.map { items[$0].id } ?? "-")" }
                == [
                    "0 H < -", "1 one/two < h-pending:01a", "2 three < pending:01a", "3 four < pending:01b",
                    "2 five < pending:01a", "1 six < h-pending:01a", "0 Next < -", "1 seven < h-pending:01f",
                ])
        #expect(page.sections.map(\.file) == ["sections/H.html", "sections/Next.html"])
        #expect(page.lede == "")
        // Each mark stands once: no list is torn apart by what comes below it.
        for mark in ["01a", "01a-2", "01a-3", "01b", "01c", "01d", "01e", "01e-2", "01f"] {
            let count = page.sections.map(\.html).joined().ranges(of: "\"pending-\(mark)\"").count
            #expect(count == (mark == "01e-2" ? 0 : 1), "\(mark)")
        }
    }

    /// As a paragraph at the end of a topic it has no list of its own, so that its answer stands beside it.
    @Test func answersAPendingReplyToATopicOfTheWiki() throws {
        let parser = try ThreadPlacementTests.parser()
        var first = answer("", "mine", id: "01a")
        first.target = PendingReply.Target(
            id: "h-One-20240303100100", name: "h-A-20240303100100", author: nil, timestamp: nil, heading: "One")
        let page = try place([first, answer("01a", "more", id: "01b")], in: ThreadPendingTests.page)
        let items = try parser.items(of: page, pending: ["01a", "01b"])
        let pending = items.filter { $0.pending != nil }
        #expect(pending.map(\.level) == [1, 2])
        #expect(pending.map { $0.parent.map { items[$0].id } } == ["h-One-20240303100100", "pending:01a"])
        #expect(page.sections[1] == ThreadPendingTests.page.sections[1])
    }

    @Test func aHeadingIsShownAsItWasWritten() throws {
        let page = try place([topic("''a'' <nowiki>&amp;</nowiki>", "x")], in: PageContent(lede: "", sections: []))
        #expect(
            page.sections[0].html.hasPrefix(
                "<h2 class=\"pending\" id=\"pending-01a\">''a'' &lt;nowiki&gt;&amp;amp;&lt;/nowiki&gt;</h2>\n"))
        #expect(page.sections[0].heading == "''a'' <nowiki>&amp;</nowiki>")
    }
}
