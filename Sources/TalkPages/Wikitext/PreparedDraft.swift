/// A draft as it is posted, without indentation.
public struct PreparedDraft: Hashable, Sendable {
    /// The signed text.
    public var text: String
    /// What will not look as it was meant.
    public var warnings: [DraftWarning]
}

/// Something in a draft that breaks when it is posted.
public struct DraftWarning: Hashable, Sendable {
    /// One sentence for the user, without a full stop.
    public var message: String
    /// Whether more than the draft suffers: the signature, or the page below it.
    public var harmsPage: Bool

    /// What can be said of a draft; a reply suffers more, since each of its lines is indented.
    static func all(in draft: String, as kind: PendingReply.Kind, tags: Set<String>) -> [DraftWarning] {
        let outline = WikitextOutline(draft, tags: tags)
        var warnings = unclosed(outline)
        guard kind == .reply else { return warnings }
        func add(_ message: String) { warnings.append(DraftWarning(message: message, harmsPage: false)) }
        if outline.blocks.contains(where: { $0.kind == .table }) {
            add("A table does not work in a reply, because each of its lines is indented; write it as a new topic")
        }
        if !outline.scan.headings.isEmpty {
            add("A heading in a reply is shown as plain text; write it as a new topic")
        }
        func isLong(_ span: WikitextScan.Span) -> Bool { outline.bytes[span.range].contains(UInt8(ascii: "\n")) }
        for name in Set(outline.scan.spans.filter(isLong).compactMap(\.tag)).sorted() {
            add("<\(name)> over several lines does not work in a reply, because each line is indented")
        }
        if outline.scan.spans.contains(where: { $0.kind == .template && isLong($0) }) {
            add("A template over several lines may not work in a reply, because each line is indented")
        }
        return warnings
    }

    private static func unclosed(_ outline: WikitextOutline) -> [DraftWarning] {
        var warnings: [DraftWarning] = []
        func add(_ message: String, harmsPage: Bool) {
            warnings.append(DraftWarning(message: message, harmsPage: harmsPage))
        }
        if outline.scan.spans.contains(where: { !$0.isClosed }) {
            add("<!-- is not closed with -->, so that it hides the signature and the rest of the page", harmsPage: true)
        }
        for name in outline.scan.unclosedTags.sorted() {
            add("<\(name)> is not closed and is shown as plain text", harmsPage: false)
        }
        if outline.scan.hasOpenTemplate { add("{{ is not closed with }}", harmsPage: false) }
        for block in outline.blocks where block.close == nil {
            switch block.kind {
            case .element(let name) where name == "div" || name == "table" || name == "blockquote" || name == "center":
                add("<\(name)> is not closed, so that it goes on below the reply", harmsPage: true)
            case .table: add("{| is not closed with |}, so that the table goes on below the reply", harmsPage: true)
            default: break
            }
        }
        return warnings
    }
}

extension WikitextScan.Span {
    /// The name of the tag that the span is.
    var tag: String? { if case .tag(let name) = kind { name } else { nil } }
}
