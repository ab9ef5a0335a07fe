internal import TalkHTML

extension ReplyPlacement {
    /// Puts a pending reply into a stored page: exactly one of its files changes.
    ///
    /// Each line of `text` becomes a list item, or below a heading a paragraph, as it will be posted; it is marked with
    /// the reply's id and shown as it was written.
    /// `target` is the id of the item to answer, which may be a pending reply itself. `pending` names the pending replies
    /// that stand in the page already. Throws when the target is not there or comes from another page.
    public static func insert(
        _ text: String, pendingID: String, under target: String, in page: PageContent, parser: ThreadParser,
        pending: Set<String> = [], indentation: ReplyIndentation
    ) throws(TalkError) -> PageContent {
        let discussion = try parser.discussion(of: page, pending: pending)
        guard let index = discussion.tree.index(ofID: target) else {
            throw TalkError(
                .notFound, "The page has no topic or comment with the id \(target)",
                hint: "It may have been archived or removed; pull the page and look for it again.")
        }
        let name = discussion.tree.items[index].file ?? "lede.html"
        let file = discussion.files.firstIndex(of: name) ?? 0
        var document = discussion.documents[file]
        let lines = text.split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }
        if lines.isEmpty { throw TalkError(.invalid, "The reply is empty", hint: "Write something in it.") }
        var nodes: [[HTMLDocument.NodeID]] = []
        for line in lines { nodes.append([document.makeText(String(line))]) }
        let items = try insert(
            nodes, under: index, of: discussion.tree, in: &document, indentation: indentation, asParagraphs: true)
        for (number, item) in items.enumerated() {
            let mark = PendingMark(pending: pendingID, line: number + 1)
            document.setAttributes([.init("class", "pending"), .init("id", mark.id)], of: item)
        }
        let html = document.innerHTML(document.root)
        var page = page
        if file == 0 { page.lede = html } else { page.sections[file - 1].html = html }
        return page
    }

    /// Puts a line of text into the text of a page, a fragment or a whole document, as a reply.
    package static func insert(
        _ text: String, under target: String, inText page: String, parser: ThreadParser, indentation: ReplyIndentation
    ) throws(TalkError) -> String {
        let page = PageText(page)
        var document = try HTMLDocument(page: String(page.body))
        let tree = parser.parse(document)
        guard let index = tree.index(ofID: target) else {
            throw TalkError(.notFound, "The page has no topic or comment with the id \(target)")
        }
        let line = document.makeText(text)
        try insert([[line]], under: index, of: tree, in: &document, indentation: indentation)
        return page.head + document.innerHTML(document.root) + page.tail
    }
}
