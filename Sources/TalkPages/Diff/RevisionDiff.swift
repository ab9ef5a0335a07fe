/// What happened to a page between two states: to its discussion, and to its files besides.
public struct RevisionDiff: Hashable, Sendable {
    /// A file that changed although no heading or comment in it did.
    public struct File: Hashable, Sendable {
        /// Path in the second state.
        public let file: String
        /// Path in the first state.
        public let oldFile: String
        /// Whether it reads the same: only its markup changed, such as the colour of a link to a missing page.
        ///
        /// Otherwise it is text outside of comments: what a template gives, a box, a comment without signature.
        public let isMarkupOnly: Bool
    }

    /// What happened to the topics and comments.
    public let discussion: DiscussionDiff
    /// The files that changed and that no change of the discussion explains, in page order.
    public let renderOnly: [File]

    /// Whether the two states are the same in all that is stored.
    public var isEmpty: Bool { discussion.isEmpty && renderOnly.isEmpty }

    /// Compares two states of a page, each as its files and the items that are in them.
    public init(old: (content: PageContent, items: [ThreadItem]), new: (content: PageContent, items: [ThreadItem])) {
        discussion = DiscussionDiff(from: old.items, to: new.items)
        var explainedOld: Set<String> = []
        var explained: Set<String> = []
        for change in discussion.changes {
            if let file = change.old?.file { explainedOld.insert(file) }
            if let file = change.new?.file { explained.insert(file) }
        }
        let oldFiles = Self.files(old.content)
        let newFiles = Self.files(new.content)
        let pairs = Self.pairs(discussion, oldFiles, newFiles)
        renderOnly = pairs.compactMap { oldIndex, newIndex in
            let (before, after) = (oldFiles[oldIndex], newFiles[newIndex])
            guard before.html != after.html, !explainedOld.contains(before.path), !explained.contains(after.path) else {
                return nil
            }
            let text = try? ReadableText.text(of: before.html)
            let isMarkupOnly = text != nil && text == (try? ReadableText.text(of: after.html))
            return File(file: after.path, oldFile: before.path, isMarkupOnly: isMarkupOnly)
        }
    }

    private static func files(_ content: PageContent) -> [(path: String, html: String)] {
        [(CanonicalPage.ledeFile, content.lede)] + content.sections.map { ($0.file, $0.html) }
    }

    /// Which file became which: that of the same heading, or the one of the same name where no heading is known.
    private static func pairs(
        _ diff: DiscussionDiff, _ old: [(path: String, html: String)], _ new: [(path: String, html: String)]
    ) -> [(Int, Int)] {
        let oldHeadings = headings(diff.oldItems)
        let newHeadings = headings(diff.newItems)
        let places = Dictionary(old.enumerated().map { ($1.path, $0) }, uniquingKeysWith: { first, _ in first })
        return new.enumerated().compactMap { newIndex, file in
            guard let heading = newHeadings[file.path] else {
                guard oldHeadings[file.path] == nil, let oldIndex = places[file.path] else { return nil }
                return (oldIndex, newIndex)
            }
            guard let before = diff.oldIndices[heading], let path = diff.oldItems[before].file,
                oldHeadings[path] == before, let oldIndex = places[path]
            else { return nil }
            return (oldIndex, newIndex)
        }
    }

    /// The first heading of each file.
    private static func headings(_ items: [ThreadItem]) -> [String: Int] {
        var headings: [String: Int] = [:]
        for (index, item) in items.enumerated() where item.kind == .heading && item.headingLevel != nil {
            if let file = item.file, headings[file] == nil { headings[file] = index }
        }
        return headings
    }
}
