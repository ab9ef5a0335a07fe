public import TalkHTML

/// The files of a page as one tree again, with the file that each node comes from.
public struct JoinedPage: Sendable {
    /// The page's tree; what a file opened again is one element.
    public var document: HTMLDocument
    /// The files in page order; `lede.html` first when there is one.
    public let files: [String]
    /// For each file the number of nodes that were made before its own.
    private let bounds: [Int]

    init(document: HTMLDocument, files: [String], bounds: [Int]) {
        self.document = document
        self.files = files
        self.bounds = bounds
    }

    /// The file in which the node starts; nil for the root and for a node made later.
    public func file(of node: HTMLDocument.NodeID) -> String? {
        let index = document.index(of: node)
        guard index > 0, let end = bounds.last, index < end else { return nil }
        var low = 0
        var high = files.count - 1
        while low < high {
            let middle = (low + high + 1) / 2
            if bounds[middle] <= index { low = middle } else { high = middle - 1 }
        }
        return files[low]
    }
}

extension CanonicalPage {
    /// Path of the file before the first heading.
    public static let ledeFile = "lede.html"

    /// The page's tree from its files.
    ///
    /// Throws `damaged` when a file is beyond the limits of `HTMLDocument`, which none that this program wrote is.
    public static func document(of content: PageContent) throws(TalkError) -> JoinedPage {
        var document = HTMLDocument()
        var files: [String] = []
        var bounds: [Int] = []
        var isContinued = false
        for (file, html) in [(ledeFile, content.lede)] + content.sections.map({ ($0.file, $0.html) }) {
            guard !html.isEmpty else { continue }
            let part: HTMLDocument
            do {
                part = try HTMLDocument(parsing: html)
            } catch {
                throw TalkError(
                    .damaged, "\(file) of the page is nested too deeply or too large",
                    hint: "see what is damaged, and repair it: git talk doctor")
            }
            files.append(file)
            bounds.append(document.nodeCount)
            guard let first = document.append(copyOf: part, to: document.root) else { continue }
            if document.attribute(continuedAttribute, of: first) != nil {
                document.rejoin(first, mark: continuedAttribute)
                isContinued = true
            } else if let previous = document.previousSibling(first), document.kind(first) == .text,
                document.kind(previous) == .text
            {
                document.appendText(document.text(first), to: previous)
                document.remove(first)
            }
        }
        bounds.append(document.nodeCount)
        if isContinued {
            var tree = CanonicalTree(document)
            tree.findSections()
            tree.layOut()
            document = tree.document
        }
        return JoinedPage(document: document, files: files, bounds: bounds)
    }
}
