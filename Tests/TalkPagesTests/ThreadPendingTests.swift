import Testing

@testable import TalkPages

@Suite struct ThreadPendingTests {
    static let page = PageContent(
        lede: "<p>Lede.</p>\n",
        sections: [
            PageSection(
                file: "sections/One.html", heading: "One", level: 2,
                html: ThreadPlacementTests.signed(
                    "<h2 id=\"One\">One</h2>\n<p>a (A1)</p>\n<dl><dd>b (B2)</dd>\n<dd>c (C3)</dd></dl>\n")),
            PageSection(
                file: "sections/Two.html", heading: "Two", level: 2,
                html: ThreadPlacementTests.signed(
                    "<h2 id=\"Two\">Two</h2>\n<p>not signed</p>\n<ul><li>d (D4)</li></ul>\n")),
        ])
    static let a = "c-A-20240303100100-One"
    static let b = "c-B-20240303100200-A-20240303100100"

    @Test func changesExactlyOneFile() throws {
        let parser = try ThreadPlacementTests.parser()
        let after = try ReplyPlacement.insert(
            "First line\n\n  \nsecond <line>\n", pendingID: "01a", under: Self.a, in: Self.page, parser: parser,
            indentation: .invisible)
        #expect(after.lede == Self.page.lede)
        #expect(after.sections[1] == Self.page.sections[1])
        #expect(
            after.sections[0].html
                == Self.page.sections[0].html.replacing(
                    "(UTC)</dd></dl>",
                    with: "(UTC)</dd><dd class=\"pending\" id=\"pending-01a\">First line</dd>"
                        + "<dd class=\"pending\" id=\"pending-01a-2\">second &lt;line&gt;</dd></dl>"))
        let items = try parser.items(of: after, pending: ["01a"])
        let reply = try #require(items.first { $0.pending != nil })
        #expect(reply.id == "pending:01a")
        #expect(reply.name == "pending:01a")
        #expect(reply.text == "First line\nsecond <line>")
        #expect(reply.level == 2)
        #expect(reply.parent.map { items[$0].id } == Self.a)
        #expect(reply.file == "sections/One.html")
        #expect(reply.author == nil)
    }

    /// As `WikitextReply` posts it: paragraphs at the end of the topic's own section.
    @Test func answersATopicWithParagraphs() throws {
        let parser = try ThreadPlacementTests.parser()
        let after = try ReplyPlacement.insert(
            "one\n\ntwo", pendingID: "01a", under: "h-One-20240303100100", in: Self.page, parser: parser,
            indentation: .invisible)
        #expect(
            after.sections[0].html
                == Self.page.sections[0].html.replacing(
                    "(UTC)</dd></dl>",
                    with: "(UTC)</dd></dl><p class=\"pending\" id=\"pending-01a\">one</p>"
                        + "<p class=\"pending\" id=\"pending-01a-2\">two</p>"))
        let items = try parser.items(of: after, pending: ["01a"])
        let reply = try #require(items.first { $0.pending != nil })
        #expect(reply.level == 1 && reply.text == "one\ntwo")
        #expect(reply.parent.map { items[$0].id } == "h-One-20240303100100")
        #expect(items.firstIndex { $0.pending != nil } == 4)
    }

    @Test func theWikisOwnItemsStayAsTheyWere() throws {
        let parser = try ThreadPlacementTests.parser()
        let before = try parser.items(of: Self.page)
        for target in before {
            let after = try ReplyPlacement.insert(
                "x", pendingID: "01a", under: target.id, in: Self.page, parser: parser, indentation: .bullet)
            let items = try parser.items(of: after, pending: ["01a"])
            #expect(items.filter { $0.pending == nil }.map(\.id) == before.map(\.id))
            #expect(items.filter { $0.pending == nil }.map(\.text) == before.map(\.text))
            #expect(items.filter { $0.pending == nil }.map(\.level) == before.map(\.level))
            #expect(items.filter { $0.pending != nil }.count == 1)
        }
    }

    @Test func answersAPendingReply() throws {
        let parser = try ThreadPlacementTests.parser()
        var page = try ReplyPlacement.insert(
            "one\ntwo", pendingID: "01a", under: Self.b, in: Self.page, parser: parser, indentation: .invisible)
        page = try ReplyPlacement.insert(
            "three", pendingID: "01b", under: "pending:01a", in: page, parser: parser, pending: ["01a"],
            indentation: .invisible)
        page = try ReplyPlacement.insert(
            "four", pendingID: "01c", under: Self.b, in: page, parser: parser, pending: ["01a", "01b"],
            indentation: .invisible)
        let mark = { (id: String, rest: String) in "<dd class=\"pending\" id=\"pending-\(id)\">\(rest)</dd>" }
        #expect(
            page.sections[0].html.contains(
                "(UTC)<dl>" + mark("01a", "one") + mark("01a-2", "two<dl>" + mark("01b", "three") + "</dl>")
                    + mark("01c", "four") + "</dl></dd>"))
        let items = try parser.items(of: page, pending: ["01a", "01b", "01c"])
        let pending = items.filter { $0.pending != nil }
        #expect(pending.map(\.text) == ["one\ntwo", "three", "four"])
        #expect(pending.map { $0.parent.map { items[$0].id } } == [Self.b, "pending:01a", Self.b])
        #expect(pending.map(\.level) == [3, 4, 3])
    }

    @Test func looksOnlyForThePendingRepliesThatItKnows() throws {
        let parser = try ThreadPlacementTests.parser()
        let after = try ReplyPlacement.insert(
            "x", pendingID: "01a", under: Self.a, in: Self.page, parser: parser, indentation: .invisible)
        #expect(try parser.items(of: after).allSatisfy { $0.pending == nil })
        #expect(try parser.items(of: after, pending: ["01b"]).allSatisfy { $0.pending == nil })
    }

    @Test func aPendingReplyIsNotTakenForUnsignedTextOfTheNextComment() throws {
        let parser = try ThreadPlacementTests.parser()
        let after = try ReplyPlacement.insert(
            "x", pendingID: "01a", under: Self.b, in: Self.page, parser: parser, indentation: .invisible)
        let items = try parser.items(of: after, pending: ["01a"])
        #expect(items.first { $0.author == "C" }?.text == "c")
        #expect(try parser.items(of: after).first { $0.author == "C" }?.text == "x c")
    }

    @Test func saysWhenTheTargetIsGone() throws {
        let error = #expect(throws: TalkError.self) {
            try ReplyPlacement.insert(
                "x", pendingID: "01a", under: "c-X", in: Self.page, parser: try ThreadPlacementTests.parser(),
                indentation: .invisible)
        }
        #expect(error?.kind == .notFound)
        #expect(error?.message == "The page has no topic or comment with the id c-X")
    }

    @Test func refusesAnEmptyReply() throws {
        let error = #expect(throws: TalkError.self) {
            try ReplyPlacement.insert(
                " \n\n", pendingID: "01a", under: Self.a, in: Self.page, parser: try ThreadPlacementTests.parser(),
                indentation: .invisible)
        }
        #expect(error?.kind == .invalid)
    }

    @Test func readsMarks() {
        #expect(PendingMark(id: "pending-01a") == PendingMark(pending: "01a", line: 1))
        #expect(PendingMark(id: "pending-01a-12") == PendingMark(pending: "01a", line: 12))
        for id in ["", "pending", "pending-", "pending-a-1", "pending-a-x", "pending-a-2-3", "x-pending-a"] {
            #expect(PendingMark(id: id) == nil, "\(id)")
        }
    }
}
