internal import TalkHTML

/// A heading or comment as found on the page, before it has a parent and an id.
struct ScannedItem {
    struct Signature {
        /// The siblings that hold it, from the leftmost link to the date.
        var first: Int
        var last: Int
    }

    var headingLevel: Int?
    /// The node in which a heading's text and anchor are.
    var headline: Int?
    var level = 0
    /// The first node of a comment.
    var start = 0
    /// The last node of a comment's last paragraph.
    var end = 0
    var author: String?
    var moment: Int64 = 0
    var signatures: [Signature] = []
    var transclusion: ThreadItem.Transclusion?
    /// The elements of a pending reply, one a line.
    var lines: [Int] = []
    /// Id of the pending reply that it is.
    var pending: String?
    /// Index of the pending reply inside of which it stands.
    var outerPending: Int?

    /// Whether it is a comment that the wiki has.
    var isComment: Bool { author != nil }
}

/// Walks a page and finds headings and signed comments, as DiscussionTools' CommentParser does.
struct DiscussionScanner {
    /// How many characters before a date a signature's link is looked for.
    private static let signatureLimit = 100

    let outline: PageOutline
    private let timestamps: SignatureTimestamp
    private var users: UserLinks
    private var transclusions: Transclusions
    private(set) var items: [ScannedItem] = []
    /// Whether a heading or comment comes before this document.
    private let hasBegun: Bool
    /// The last text that has a character reference before it, the joined text up to its end, and the date in that.
    private var chain: (entry: Int, match: SignatureTimestamp.Match?)?
    private var chainText = ""

    init(
        _ outline: PageOutline, timestamps: SignatureTimestamp, users: UserLinks, titles: LinkTitles,
        hasBegun: Bool = false
    ) {
        self.outline = outline
        self.hasBegun = hasBegun
        self.timestamps = timestamps
        self.users = users
        transclusions = Transclusions(outline, titles: titles)
    }

    mutating func scan() {
        // Where the last item ended, or nil at the start of the page.
        var lastEnd: Int?
        var index = 1
        while index < outline.count {
            if outline.has(.noTalk, index) {
                index = outline.end(index)
            } else if outline.has(.pending, index) {
                addPending(index)
                index = outline.end(index)
            } else if let level = outline.kind(index).headingLevel {
                addHeading(index, level: level)
                lastEnd = index
                index = outline.end(index)
            } else if outline.kind(index) == .text, let match = timestamp(index),
                let found = signature(before: index, until: lastEnd)
            {
                var item = ScannedItem(author: found.author, signatures: [found.signature])
                let lastDate = extendToParagraphEnd(&item, from: index)
                item.start = outline.contentStart(lastEnd.map { outline.end($0) } ?? 1)
                // All that is left is a box that starts no comment; DiscussionTools stays where it was.
                if item.start >= outline.count { item.start = lastEnd ?? 1 }
                if let moment = match.moment {
                    item.moment = moment
                    item.level = 1 + Int(min(outline.entries[item.start].indent, outline.entries[index].indent))
                    item.transclusion = transclusions.source(ofComment: item)
                    if items.isEmpty, !hasBegun { items.append(ScannedItem()) }
                    items.append(item)
                    lastEnd = item.end
                }
                index = lastDate + 1
            } else {
                index += 1
            }
        }
    }

    private mutating func addHeading(_ index: Int, level: Int) {
        let headline = outline.headline(of: index)
        items.append(
            ScannedItem(
                headingLevel: level, headline: headline, start: index, end: index,
                transclusion: transclusions.source(ofHeadline: headline)))
    }
}

// MARK: Pending replies

extension DiscussionScanner {
    /// Adds the pending replies in an element; what else stands there was written here and is not taken apart.
    private mutating func addPending(_ top: Int) {
        var open: [(end: Int, item: Int)] = []
        var index = top
        while index < outline.end(top) {
            while let last = open.last, index >= last.end { open.removeLast() }
            if let mark = outline.pendings[index] {
                let headingLevel = outline.kind(index).headingLevel
                // The heading of a topic is an item of its own; the lines below it are another one.
                let number =
                    items.lastIndex { $0.pending == mark.pending && ($0.headingLevel == nil) == (headingLevel == nil) }
                    ?? items.count
                if number == items.count, let headingLevel {
                    items.append(ScannedItem(headingLevel: headingLevel, start: index, pending: mark.pending))
                } else if number == items.count {
                    let level = 1 + Int(outline.entries[index].indent) + (outline.kind(index).indents ? 1 : 0)
                    items.append(
                        ScannedItem(
                            level: level, start: index, pending: mark.pending, outerPending: open.last?.item))
                }
                items[number].end = lastOwnNode(index)
                items[number].lines.append(index)
                open.append((outline.end(index), number))
            }
            index += 1
        }
    }

    /// The last child that is no list with replies to it.
    private func lastOwnNode(_ element: Int) -> Int {
        var last = outline.last(element)
        while let node = last, outline.kind(node).isList { last = outline.previous(node) }
        return last ?? element
    }
}

// MARK: Dates

extension DiscussionScanner {
    /// The date in the text, which Parsoid may have divided at character references.
    private mutating func timestamp(_ index: Int) -> SignatureTimestamp.Match? {
        let text = outline.text(index)
        guard let entity = entity(before: index) else { return timestamps.first(in: text) }
        // Texts come in order, so that what was joined last is the beginning of this one.
        var pieces = [text, outline.first(entity).map(outline.text) ?? ""]
        var joined = ""
        var known: SignatureTimestamp.Match?
        var piece = outline.previous(entity).flatMap { outline.kind($0) == .text ? $0 : nil }
        while let before = piece {
            if let chain, chain.entry == before {
                // Moved, not copied, so that a long chain is built in linear time.
                swap(&joined, &chainText)
                known = chain.match
                break
            }
            pieces.append(outline.text(before))
            guard let entity = self.entity(before: before) else { break }
            pieces.append(outline.first(entity).map(outline.text) ?? "")
            piece = outline.previous(entity).flatMap { outline.kind($0) == .text ? $0 : nil }
        }
        let checked = joined.utf8.count
        for piece in pieces.reversed() { joined += piece }
        let match = known ?? timestamps.first(in: joined, after: checked)
        chain = (index, match)
        chainText = joined
        return match
    }

    private func entity(before index: Int) -> Int? {
        outline.previous(index).flatMap { outline.has(.entity, $0) ? $0 : nil }
    }
}

// MARK: Signatures

extension DiscussionScanner {
    /// Looks backwards from a date for links to a user.
    private mutating func signature(
        before date: Int, until stop: Int?
    ) -> (author: String, signature: ScannedItem.Signature)? {
        var author: String?
        var link = date
        var length = 0
        var within = outline.parent(date)
        var before: Int? = date
        while true {
            if let node = before {
                if node == stop || length >= Self.signatureLimit || outline.has(.block, node) { break }
                within = node
                before = outline.last(node)
                continue
            }
            let node = within
            if node <= 0 || length >= Self.signatureLimit || outline.has(.block, node) { break }
            if outline.kind(node) == .text, node != date { length += trimmedLength(node) }
            if outline.kind(node) == .a, let user = users.user(of: node, in: outline), author == nil || author == user {
                author = user
                link = node
            }
            within = outline.parent(node)
            before = outline.previous(node)
        }
        guard let author else { return nil }
        // Whole siblings, so that the formatting around a signature belongs to it.
        var ancestor = outline.parent(date)
        while !outline.contains(ancestor, outline.parent(link)) { ancestor = outline.parent(ancestor) }
        return (
            author,
            ScannedItem.Signature(
                first: outline.child(of: ancestor, holding: link), last: outline.child(of: ancestor, holding: date))
        )
    }

    /// Characters of the text without white space at its ends, up to the limit.
    private func trimmedLength(_ index: Int) -> Int {
        let text = outline.text(index)
        guard let start = text.utf8.firstIndex(where: { !$0.isHTMLSpace }),
            let end = text.utf8.lastIndex(where: { !$0.isHTMLSpace })
        else { return 0 }
        var length = 0
        for byte in text.utf8[start...end] where byte & 0xC0 != 0x80 {
            length += 1
            if length >= Self.signatureLimit { break }
        }
        return length
    }

    /// Goes on from the signature to the end of its paragraph, taking in further signatures.
    ///
    /// Gives the last text with a date.
    private mutating func extendToParagraphEnd(_ item: inout ScannedItem, from date: Int) -> Int {
        var lastDate = date
        item.end = item.signatures[0].last
        var within = outline.parent(item.end)
        var before: Int? = item.end
        while true {
            if let node = before {
                if outline.has(.block, node) || outline.has(.separator, node) { break }
                within = node
                before = outline.first(node)
                continue
            }
            let node = within
            if node <= 0 || outline.has(.block, node) || outline.has(.separator, node) { break }
            if outline.kind(node) == .text, node != date, timestamp(node) != nil {
                lastDate = node
                if let found = signature(before: node, until: date) { item.signatures.append(found.signature) }
            }
            item.end = node
            within = outline.parent(node)
            before = outline.next(node)
        }
        return lastDate
    }
}

extension PageOutline {
    /// The node with the text and the anchor of a heading.
    func headline(of heading: Int) -> Int {
        if anchor(of: heading) != nil { return heading }
        var index = heading + 1
        while index < end(heading) {
            if has(.headline, index) { return index }
            index += 1
        }
        return heading
    }

    /// What a link to the heading names; nil when it has none.
    func anchor(of headline: Int) -> String? {
        let node = entries[headline].node
        // PHP takes "0" for nothing, and so DiscussionTools does for a heading that reads "0".
        if let anchor = document.attribute("id", of: node), anchor != "", anchor != "0" { return anchor }
        return document.attribute("data-mw-anchor", of: node).flatMap { $0.isEmpty ? nil : $0 }
    }
}
