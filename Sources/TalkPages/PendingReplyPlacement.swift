internal import TalkHTML

/// Shows a pending reply or topic in its page, where it will stand once it is posted.
public enum PendingReplyPlacement {
    /// Puts the reply into the one file of the page in which its target's thread ends, a topic into a file of its own
    /// at the end; no other file changes.
    ///
    /// The page may have other pending replies in place, named in `pending`. `title` is the page's with its local
    /// namespace. Throws `notFound` when the target is not on the page, or comes from another one.
    public static func insert(
        _ reply: PendingReply, in content: PageContent, pending: Set<String>, wiki: Wiki, title: String,
        zone: TimeZoneRules
    ) throws(TalkError) -> PageContent {
        guard let target = reply.target else { return try append(reply, to: content, wiki) }
        let placed = try ReplyPlacement.insert(
            reply.text, pendingID: reply.id, under: itemID(of: target), in: content,
            parser: ThreadParser(wiki: wiki, title: title, zone: zone), pending: pending, indentation: .invisible)
        var result = placed
        if placed.lede != content.lede { result.lede = try canonical(placed.lede, wiki) }
        for (index, section) in placed.sections.enumerated() where section.html != content.sections[index].html {
            result.sections[index].html = try canonical(section.html, wiki)
        }
        return result
    }

    /// The id of the item that is answered, in the page with all that is pending.
    private static func itemID(of target: PendingReply.Target) -> String {
        guard let pending = target.pending, target.author == nil else { return target.id }
        return PendingMark.topicID(pending)
    }

    /// The file in canonical form again, so that a diff shows the reply and nothing else.
    private static func canonical(_ html: String, _ wiki: Wiki) throws(TalkError) -> String {
        let page = try CanonicalPage.content(of: html, wiki: wiki)
        return page.lede + page.sections.map(\.html).joined()
    }

    /// The page with a topic as its last section, heading and lines as they were written.
    private static func append(_ topic: PendingReply, to page: PageContent, _ wiki: Wiki) throws(TalkError)
        -> PageContent
    {
        let heading = topic.heading ?? ""
        var document = HTMLDocument()
        func add(_ name: String, _ text: String, line: Int) {
            let element = document.makeElement(name)
            let mark = PendingMark(pending: topic.id, line: line)
            document.setAttributes([.init("class", "pending"), .init("id", mark.id)], of: element)
            document.append(document.makeText(text), to: element)
            document.append(element, to: document.root)
        }
        add("h2", heading, line: 1)
        let lines = topic.text.split(whereSeparator: \.isNewline).filter { !$0.allSatisfy(\.isWhitespace) }
        guard !lines.isEmpty else {
            throw TalkError(.invalid, "the topic has no text", hint: "write something in it")
        }
        for (number, line) in lines.enumerated() { add("p", String(line), line: number + 2) }
        let written = try CanonicalPage.content(of: document.innerHTML(document.root), wiki: wiki)
        guard var section = written.sections.first, written.sections.count == 1 else {
            throw TalkError(.internal, "the topic does not become a section")
        }
        var slugs = SectionSlugs()
        for section in page.sections { _ = slugs.nextFile(for: section.heading) }
        section.file = slugs.nextFile(for: section.heading)
        var page = page
        page.sections.append(section)
        return page
    }
}
