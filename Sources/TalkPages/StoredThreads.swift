internal import TalkHTML

/// Reads the topics and comments of a page in canonical form.
public enum StoredThreads {
    /// The items of the page, each with the file in which it starts.
    ///
    /// The elements of the pending replies `without` are left out before the page is read: they carry no signature, so
    /// their text would count as the next comment's. `title` is the page's with its local namespace. Throws `damaged`
    /// when the HTML is none that this program wrote.
    public static func items(
        of content: PageContent, wiki: Wiki, title: String, zone: TimeZoneRules, without pending: [String] = []
    ) throws(TalkError) -> [ThreadItem] {
        let joined = try CanonicalPage.document(of: content)
        var document = joined.document
        if !pending.isEmpty {
            let marks = Set(pending.map { "pending-\($0)" })
            var node: HTMLDocument.NodeID? = document.root
            while let current = node {
                node = document.next(after: current, in: document.root)
                guard document.attribute("id", of: current).map(marks.contains) == true else { continue }
                node = document.next(afterAllOf: current, in: document.root)
                document.remove(current)
            }
        }
        let tree = ThreadParser(wiki: wiki, title: title, zone: zone).parse(document)
        return tree.items.indices.map { index in
            var item = tree.items[index]
            item.file = joined.file(of: tree.places[index].start)
            return item
        }
    }
}
