public import TalkHTML

/// Finds the headings and signed comments of a talk page, with the ids and names that DiscussionTools gives them.
///
/// A value without I/O. Works on what `action=parse` gives, with or without DiscussionTools' marks, from the legacy
/// parser and from Parsoid, and on stored pages.
public struct ThreadParser: Sendable {
    /// Counts up whenever the same page may give other items.
    public static let version = 1

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

    /// Parses the page.
    public func parse(_ document: HTMLDocument) -> ThreadTree {
        var scanner = DiscussionScanner(PageOutline(document), timestamps: timestamps, users: users, titles: titles)
        scanner.scan()
        return tree(scanner.items, scanner.outline)
    }

    private func tree(_ scanned: [ScannedItem], _ outline: PageOutline) -> ThreadTree {
        let structure = DiscussionTree(scanned)
        var identifiers = ThreadIdentifiers(zone: zone)
        var tree = ThreadTree(items: [], places: [])
        for (index, item) in scanned.enumerated() {
            let oldest = structure.oldest[index].map { (author: scanned[$0].author ?? "", moment: scanned[$0].moment) }
            var id: String
            var name: String
            var text = ""
            if let author = item.author {
                id = "c-" + identifiers.part(author, item.moment)
                name = id
                text = DiscussionText.ofBody(outline, item)
            } else {
                id = "h-" + Self.anchor(item, outline)
                name = "h-" + (oldest.map { identifiers.part($0.author, $0.moment) } ?? "")
                if let headline = item.headline { text = DiscussionText.ofContent(outline, headline) }
            }
            if let parent = structure.parents[index] {
                if let author = scanned[parent].author {
                    id += "-" + identifiers.part(author, scanned[parent].moment)
                } else if scanned[parent].headingLevel != nil {
                    id += "-" + Self.anchor(scanned[parent], outline)
                }
            }
            if !item.isComment, let oldest { id += "-" + identifiers.time(oldest.moment) }
            tree.items.append(
                ThreadItem(
                    kind: item.isComment ? .comment : .heading, level: item.level, headingLevel: item.headingLevel,
                    id: identifiers.unique(id), name: name, parent: structure.parents[index], author: item.author,
                    timestamp: item.isComment ? item.moment : nil, text: text, transclusion: item.transclusion))
            tree.places.append(Self.place(of: item, outline))
        }
        return tree
    }

    private static func anchor(_ item: ScannedItem, _ outline: PageOutline) -> String {
        item.headline.flatMap { outline.anchor(of: $0) }.map(ThreadIdentifiers.cut) ?? ""
    }

    private static func place(of item: ScannedItem, _ outline: PageOutline) -> ThreadTree.Place {
        func last(_ index: Int) -> HTMLDocument.NodeID { outline.joined[index]?.last ?? outline.entries[index].node }
        return ThreadTree.Place(
            start: outline.entries[item.start].node, end: last(item.end),
            signatures: item.signatures.map {
                ThreadTree.Place.ClosedRange(first: outline.entries[$0.first].node, last: last($0.last))
            })
    }
}
