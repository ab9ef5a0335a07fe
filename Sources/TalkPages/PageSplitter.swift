internal import TalkHTML

/// Writes a canonical tree as the files of a page, one a section.
///
/// Where a heading stands inside other elements, the file before closes them and the section's file opens them again,
/// marked; so each file is well formed, and `CanonicalPage.document(of:)` finds the one tree again.
struct PageSplitter {
    private typealias NodeID = HTMLDocument.NodeID

    private let tree: CanonicalTree
    private var buffer = HTMLBuffer()
    /// Elements that are open, outermost first, and whether this file has content of theirs.
    private var open: [NodeID] = []
    private var preserving = 0
    private var size = 0

    init(_ tree: CanonicalTree) { self.tree = tree }

    /// The files; throws when wrappers opened again and again make more than `limit` bytes.
    func content(limit: Int) throws(TalkError) -> PageContent {
        var splitter = self
        return try splitter.split(limit: limit)
    }

    private mutating func split(limit: Int) throws(TalkError) -> PageContent {
        let document = tree.document
        var content = PageContent(lede: "", sections: [])
        var slugs = SectionSlugs()
        var section: Int?
        var next = document.firstChild(document.root)
        while let node = next {
            if let start = tree.sectionAtNode[document.index(of: node)] {
                closeFile(before: node)
                try finish(section, &content, &slugs, limit)
                section = start
                reopen()
            }
            next = write(node)
        }
        closeFile(before: nil)
        try finish(section, &content, &slugs, limit)
        return content
    }

    /// Writes the node up to its first child, or to the end; returns what comes next.
    private mutating func write(_ top: NodeID) -> NodeID? {
        let document = tree.document
        var node = top
        switch document.kind(node) {
        case .text: document.write(node, to: &buffer)
        case .element where tree.isDrawing(node): document.write(node, to: &buffer)
        case .element:
            document.writeStart(node, to: &buffer)
            if let child = document.firstChild(node) {
                open.append(node)
                if tree.preservesSpace(node) { preserving += 1 }
                return child
            }
            document.writeEnd(node, to: &buffer)
        case .comment, .root: break
        }
        while true {
            if let sibling = document.nextSibling(node) { return sibling }
            guard let parent = open.popLast() else { return nil }
            node = parent
            if tree.preservesSpace(node) { preserving -= 1 }
            document.writeEnd(node, to: &buffer)
        }
    }

    /// Ends all open elements, as they would end if nothing followed.
    private mutating func closeFile(before start: NodeID?) {
        let document = tree.document
        var previous = start.flatMap(document.previousSibling)
        while let node = previous, document.kind(node) == .text, isSpace(document.text(node)) {
            previous = document.previousSibling(node)
        }
        var isAfterBlock = previous.map(tree.isBlock) ?? false
        var preserving = preserving
        for node in open.reversed() {
            if preserving == 0 {
                buffer.trimEnd()
                let roles = ElementRoles.of(node, in: document)
                if !tree.isPlaced(node), roles.contains(.endsOnOwnLine) || roles.contains(.box) && isAfterBlock {
                    buffer.append(byte: UInt8(ascii: "\n"))
                }
            } else if tree.preservesSpace(node) {
                preserving -= 1
            }
            document.writeEnd(node, to: &buffer)
            isAfterBlock = tree.isBlock(node)
        }
        buffer.trimEnd()
    }

    /// Opens again what the section's start stands in.
    private mutating func reopen() {
        var preserving = 0
        for (index, node) in open.enumerated() {
            if index > 0, preserving == 0, tree.isBlock(node) { buffer.append(byte: UInt8(ascii: "\n")) }
            var attributes = tree.document.attributes(node)
            attributes.append(.init(CanonicalPage.continuedAttribute, ""))
            attributes.sort { $0.name < $1.name }
            tree.document.writeStart(node, attributes: attributes, to: &buffer)
            if tree.preservesSpace(node) { preserving += 1 }
        }
        if !open.isEmpty, preserving == 0 { buffer.append(byte: UInt8(ascii: "\n")) }
    }

    /// Takes what was written as the lede or as a section.
    private mutating func finish(
        _ section: Int?, _ content: inout PageContent, _ slugs: inout SectionSlugs, _ limit: Int
    ) throws(TalkError) {
        if buffer.count > 0 { buffer.append(byte: UInt8(ascii: "\n")) }
        size += buffer.count
        guard size <= limit else {
            throw TalkError(
                .invalid, "the page has too many headings inside other elements to be stored",
                hint: "look for unclosed tags in the page's wikitext")
        }
        if let section {
            let heading = tree.sectionStarts[section].heading
            let text = Self.headingText(tree.document.textContent(heading))
            content.sections.append(
                PageSection(
                    file: slugs.nextFile(for: text), heading: text,
                    level: Int(tree.document.name(heading).dropFirst()) ?? 2, html: buffer.string))
        } else {
            content.lede = buffer.string
        }
        buffer = HTMLBuffer()
    }

    /// A heading's text on one line.
    static func headingText(_ text: String) -> String {
        text.split { $0.utf8.count <= 2 && $0.utf8.allSatisfy(isSpace) }.joined(separator: " ")
    }
}
