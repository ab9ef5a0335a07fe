internal import TalkHTML

extension PageSection {
    /// Fragment of the heading's address; nil when the heading has none.
    public var anchor: String? {
        guard let document = try? HTMLDocument(parsing: html) else { return nil }
        var node: HTMLDocument.NodeID? = document.root
        while let current = node {
            if document.name(current) == "h\(level)" { return document.attribute("id", of: current) }
            node = document.next(after: current, in: document.root)
        }
        return nil
    }
}
