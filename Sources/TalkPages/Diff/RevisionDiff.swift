/// What happened to a page between two states: to its discussion, and to its files besides.
public struct RevisionDiff: Hashable, Sendable {
    /// A file of which more changed than its headings and comments.
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
    /// The files with changes that those of the discussion do not explain, in page order; those that are gone come last.
    public let renderOnly: [File]

    /// Whether the two states are the same in all that is stored.
    public var isEmpty: Bool { discussion.isEmpty && renderOnly.isEmpty }

    /// Compares two states of a page, each as its files and the items that are in them.
    ///
    /// `loose` is `ThreadParser.looseText` of both: it tells what else changed in a file whose comments changed.
    public init(
        old: (content: PageContent, items: [ThreadItem]), new: (content: PageContent, items: [ThreadItem]),
        loose: (old: [String: String], new: [String: String]) = ([:], [:])
    ) {
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
        var files: [File?] = newFiles.map { file in
            loose.new[file.path] == nil ? nil : File(file: file.path, oldFile: file.path, isMarkupOnly: false)
        }
        for (oldIndex, newIndex) in pairs {
            let (before, after) = (oldFiles[oldIndex], newFiles[newIndex])
            files[newIndex] = Self.file(
                before, after, isExplained: explainedOld.contains(before.path) || explained.contains(after.path),
                isLooseTextEqual: loose.old[before.path] == loose.new[after.path])
        }
        let paired = Set(pairs.map(\.0))
        let gone = oldFiles.indices.filter { !paired.contains($0) && loose.old[oldFiles[$0].path] != nil }
        renderOnly =
            files.compactMap(\.self)
            + gone.map { File(file: oldFiles[$0].path, oldFile: oldFiles[$0].path, isMarkupOnly: false) }
    }

    /// What changed in a file beside its headings and comments; nil when that is nothing.
    private static func file(
        _ before: (path: String, html: String), _ after: (path: String, html: String), isExplained: Bool,
        isLooseTextEqual: Bool
    ) -> File? {
        if before.html == after.html { return nil }
        if isExplained {
            return isLooseTextEqual ? nil : File(file: after.path, oldFile: before.path, isMarkupOnly: false)
        }
        let text = try? ReadableText.text(of: before.html)
        let isMarkupOnly = text != nil && text == (try? ReadableText.text(of: after.html))
        return File(file: after.path, oldFile: before.path, isMarkupOnly: isMarkupOnly)
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
