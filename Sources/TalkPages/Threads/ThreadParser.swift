public import TalkHTML

/// Finds the headings and signed comments of a talk page, with the ids and names that DiscussionTools gives them.
///
/// A value without I/O. Works on what `action=parse` gives, with or without DiscussionTools' marks, from the legacy
/// parser and from Parsoid, and on stored pages.
public struct ThreadParser: Sendable {
    /// Counts up whenever the same page may give other items.
    public static let version = 4

    private let timestamps: SignatureTimestamp
    private let users: UserLinks
    private let titles: LinkTitles
    private let zone: TimeZoneRules

    /// Makes a parser for one page.
    ///
    /// `title` is the page's title with its local namespace, `zone` the clock of `wiki.timezone`.
    public init(wiki: Wiki, title: String, zone: TimeZoneRules = .utc) {
        timestamps = SignatureTimestamp(formats: wiki.signatureFormats, zone: zone)
        titles = LinkTitles(wiki)
        users = UserLinks(titles: titles, wiki: wiki, page: title)
        self.zone = zone
    }

    /// Parses a page in one document.
    ///
    /// `pending` has the ids of pending replies that stand in it; they become items without author and time.
    public func parse(_ document: HTMLDocument, pending: Set<String> = []) -> ThreadTree {
        tree([scan(document, file: nil, pending: pending, hasBegun: false)])
    }

    /// Parses a stored page and names the file of each item.
    ///
    /// The same items as those of the page in one document. Throws for a page that is too large or too deep.
    public func items(of page: PageContent, pending: Set<String> = []) throws(TalkError) -> [ThreadItem] {
        try discussion(of: page, pending: pending).tree.items
    }

    /// Whether a part of an item of the page stands less deep than its beginning and its end.
    ///
    /// That is what becomes of a list item with something in it that the wiki ends the list for, as preformatted text of
    /// several lines.
    public func isTorn(_ index: Int, of page: PageContent) throws(TalkError) -> Bool {
        var first = 0
        var hasBegun = false
        for html in [page.lede] + page.sections.map(\.html) {
            let part = scan(try HTMLDocument(page: html), file: nil, pending: [], hasBegun: hasBegun)
            hasBegun = hasBegun || !part.items.isEmpty
            if part.items.indices.contains(index - first) {
                let item = part.items[index - first], outline = part.outline
                return item.start <= item.end
                    && (item.start...item.end).contains { node in
                        let isShown =
                            outline.kind(node) == .text ? !outline.has(.blank, node) : outline.has(.leaf, node)
                        return isShown && 1 + Int(outline.entries[node].indent) < item.level
                    }
            }
            first += part.items.count
        }
        return false
    }

    /// The text of each file of a stored page that stands in no heading and in no comment; no entry where there is none.
    ///
    /// What nobody signed, what a template shows, a table between comments. `pending` replies count as comments.
    public func looseText(of page: PageContent, pending: Set<String> = []) throws(TalkError) -> [String: String] {
        var texts: [String: String] = [:]
        var hasBegun = false
        for (name, html) in [(CanonicalPage.ledeFile, page.lede)] + page.sections.map({ ($0.file, $0.html) }) {
            let part = scan(try HTMLDocument(page: html), file: name, pending: pending, hasBegun: hasBegun)
            hasBegun = hasBegun || !part.items.isEmpty
            let outline = part.outline
            var isTaken = [Bool](repeating: false, count: outline.count)
            for item in part.items {
                let ends = (item.lines.isEmpty ? [item.end] : item.lines).map { max($0 + 1, outline.end($0)) }
                let starts = item.lines.isEmpty ? [item.start] : item.lines
                for (start, end) in zip(starts, ends) where start < end {
                    for node in start..<min(end, outline.count) { isTaken[node] = true }
                }
            }
            let words = (0..<outline.count).filter {
                outline.kind($0) == .text && !isTaken[$0] && !outline.has(.blank, $0)
            }
            .flatMap { outline.text($0).split(whereSeparator: \.isWhitespace) }
            if !words.isEmpty { texts[name] = words.joined(separator: " ") }
        }
        return texts
    }

    /// The items of a stored page, with the document of each file.
    func discussion(of page: PageContent, pending: Set<String>) throws(TalkError) -> PageDiscussion {
        var parts: [Part] = []
        let files = [(name: "lede.html", html: page.lede)] + page.sections.map { (name: $0.file, html: $0.html) }
        var hasBegun = false
        for file in files {
            let document = try HTMLDocument(page: file.html)
            parts.append(scan(document, file: file.name, pending: pending, hasBegun: hasBegun))
            hasBegun = hasBegun || !parts[parts.count - 1].items.isEmpty
        }
        return PageDiscussion(tree: tree(parts), documents: parts.map(\.outline.document), files: files.map(\.name))
    }

    /// The last heading or comment of a document.
    func lastItem(of document: HTMLDocument) -> (ScannedItem, PageOutline)? {
        let part = scan(document, file: nil, pending: [], hasBegun: false)
        return part.items.last.map { ($0, part.outline) }
    }

    /// What was found in one document.
    private struct Part {
        var items: [ScannedItem]
        var outline: PageOutline
        var file: String?
    }

    private func scan(_ document: HTMLDocument, file: String?, pending: Set<String>, hasBegun: Bool) -> Part {
        var scanner = DiscussionScanner(
            PageOutline(document, pending: pending), timestamps: timestamps, users: users, titles: titles,
            hasBegun: hasBegun)
        scanner.scan()
        return Part(items: scanner.items, outline: scanner.outline, file: file)
    }

    // MARK: Building the tree

    private func tree(_ parts: [Part]) -> ThreadTree {
        var scanned: [ScannedItem] = []
        for part in parts {
            let offset = scanned.count
            for var item in part.items {
                item.outerPending = item.outerPending.map { $0 + offset }
                scanned.append(item)
            }
        }
        let structure = DiscussionTree(scanned)
        let anchors = parts.flatMap { part in part.items.map { Self.anchor($0, part.outline) } }
        var identifiers = ThreadIdentifiers(zone: zone)
        var tree = ThreadTree(items: [], places: [])
        for part in parts {
            for item in part.items {
                let index = tree.items.count
                var (id, name) = (identifiers.own(item, anchor: anchors[index]), "")
                if item.pending != nil || item.isComment {
                    name = id
                } else {
                    name = "h-" + (structure.oldest[index].map { identifiers.part(scanned[$0]) } ?? "")
                }
                if item.pending == nil, let parent = structure.parents[index] {
                    if scanned[parent].isComment {
                        id += "-" + identifiers.part(scanned[parent])
                    } else if scanned[parent].headingLevel != nil {
                        id += "-" + anchors[parent]
                    }
                }
                if !item.isComment, item.pending == nil, let oldest = structure.oldest[index] {
                    id += "-" + identifiers.time(scanned[oldest].moment)
                }
                let text = Self.text(of: item, part.outline)
                let readable = item.isComment ? ReadableText.ofBody(part.outline, item) : nil
                tree.items.append(
                    ThreadItem(
                        kind: item.isComment || item.pending != nil && item.headingLevel == nil ? .comment : .heading,
                        level: item.level,
                        headingLevel: item.headingLevel, id: identifiers.unique(id), name: name,
                        parent: structure.parents[index], author: item.author,
                        timestamp: item.isComment ? item.moment : nil, text: text,
                        readableText: readable == text ? nil : readable,
                        transclusion: item.transclusion, file: part.file, pending: item.pending))
                tree.places.append(Self.place(of: item, part.outline))
            }
        }
        return tree
    }

    private static func anchor(_ item: ScannedItem, _ outline: PageOutline) -> String {
        item.headline.flatMap { outline.anchor(of: $0) }.map(ThreadIdentifiers.cut) ?? ""
    }

    private static func text(of item: ScannedItem, _ outline: PageOutline) -> String {
        if item.pending != nil { return item.lines.map { DiscussionText.ofLine(outline, $0) }.joined(separator: "\n") }
        if item.isComment { return DiscussionText.ofBody(outline, item) }
        return item.headline.map { DiscussionText.ofContent(outline, $0) } ?? ""
    }

    private static func place(of item: ScannedItem, _ outline: PageOutline) -> ThreadTree.Place {
        func last(_ index: Int) -> HTMLDocument.NodeID { outline.joined[index]?.last ?? outline.entries[index].node }
        return ThreadTree.Place(
            start: outline.entries[item.start].node, end: last(item.end),
            signatures: item.signatures.map {
                ThreadTree.Place.Siblings(first: outline.entries[$0.first].node, last: last($0.last))
            })
    }
}

/// The items of a stored page, with the document of each file.
struct PageDiscussion {
    /// The places of its items are in the document of the item's file.
    var tree: ThreadTree
    var documents: [HTMLDocument]
    var files: [String]
}
