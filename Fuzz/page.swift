import TalkHTML
import TalkPages

/// A page as a wiki may answer it: splitter, canonical form, thread parser, reply placement and sanitizer.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    let html = String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    // What is beyond the limits is refused; nothing else may go wrong.
    guard let page = try? CanonicalPage.content(of: html, wiki: Example.wiki) else { return 0 }

    let joined = ([page.lede] + page.sections.map(\.html)).joined()
    let again = try? CanonicalPage.content(of: joined, wiki: Example.wiki)
    Example.require(again == page, "a canonical page is not its own canonical form")

    let parser = ThreadParser(wiki: Example.wiki, title: "Talk:Example")
    guard let items = try? parser.items(of: page) else { return 0 }
    for (index, item) in items.enumerated() {
        Example.require(item.parent.map { $0 < index } ?? true, "an item stands before what it answers")
    }
    if let document = try? HTMLDocument(parsing: html) { _ = parser.parse(document) }
    if let comment = items.last(where: { $0.kind == .comment }) { check(comment, items, page, parser) }

    if let clean = try? HTMLSanitizer().html(html) {
        Example.require((try? HTMLSanitizer().html(clean)) != nil, "clean HTML cannot be read")
        Example.require(!clean.lowercased().contains("<script"), "a script is left in clean HTML")
    }
    return 0
}

/// A reply changes one file, and what was there stays.
private func check(_ comment: ThreadItem, _ items: [ThreadItem], _ page: PageContent, _ parser: ThreadParser) {
    let reply = PendingReply(
        id: "01hzzzzzzzzzzzzzzzzzzzzzzz", kind: .reply, text: "A reply.",
        target: PendingReply.Target(
            id: comment.id, name: comment.name, author: comment.author, timestamp: comment.timestamp, heading: ""),
        heading: nil, base: RevisionID(rawValue: 1), created: 0, expires: 0)
    guard
        let placed = try? PendingReplyPlacement.insert(
            reply, in: page, pending: [], wiki: Example.wiki, title: "Talk:Example", zone: .utc)
    else { return }
    Example.require(placed.sections.count == page.sections.count, "a reply makes or removes a section")
    let changed = zip(placed.sections, page.sections).count { $0 != $1 } + (placed.lede == page.lede ? 0 : 1)
    Example.require(changed == 1, "a reply changes \(changed) files")
    guard let after = try? parser.items(of: placed, pending: [reply.id]) else { return }
    Example.require(after.count { $0.pending == reply.id } == 1, "a reply is not on its page")
    // The heading that stands for the missing one of a first comment goes when the reply comes before that.
    let comments = { (items: [ThreadItem]) in items.filter { $0.kind == .comment && $0.pending == nil }.map(\.id) }
    Example.require(comments(after) == comments(items), "a reply changes the comments around it")
}
