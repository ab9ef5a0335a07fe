/// Shows a pending reply in its page, where it will stand once it is posted.
public enum PendingReplyPlacement {
    /// Puts the reply into the one file of the page in which its target's thread ends; no other file changes.
    ///
    /// The page may have other pending replies in place, named in `pending`. `title` is the page's with its local
    /// namespace. Throws `notFound` when the target is not on the page, or comes from another one.
    public static func insert(
        _ reply: PendingReply, in content: PageContent, pending: Set<String>, wiki: Wiki, title: String,
        zone: TimeZoneRules
    ) throws(TalkError) -> PageContent {
        guard let target = reply.target else { throw TalkError(.invalid, "a new topic has no place in the page yet") }
        let placed = try ReplyPlacement.insert(
            reply.text, pendingID: reply.id, under: target.id, in: content,
            parser: ThreadParser(wiki: wiki, title: title, zone: zone), pending: pending, indentation: .invisible)
        var result = placed
        if placed.lede != content.lede { result.lede = try canonical(placed.lede, wiki) }
        for (index, section) in placed.sections.enumerated() where section.html != content.sections[index].html {
            result.sections[index].html = try canonical(section.html, wiki)
        }
        return result
    }

    /// The file in canonical form again, so that a diff shows the reply and nothing else.
    private static func canonical(_ html: String, _ wiki: Wiki) throws(TalkError) -> String {
        let page = try CanonicalPage.content(of: html, wiki: wiki)
        return page.lede + page.sections.map(\.html).joined()
    }
}
