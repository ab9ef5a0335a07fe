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
    /// Whether more than the draft suffers: the signature, or the page around it.
    public var harmsPage: Bool

    /// What can be said of a draft; a reply suffers more, since its lines are indented.
    static func all(in draft: String, as form: DraftForm, wiki: Wiki) -> [DraftWarning] {
        let outline = WikitextOutline(draft, tags: wiki.wikitextTags)
        var warnings = unclosed(outline) + unbalanced(outline) + openBoxes(outline)
        func add(_ message: String, harmsPage: Bool = false) {
            warnings.append(DraftWarning(message: message, harmsPage: harmsPage))
        }
        switch form {
        case .topic:
            // Sections of the topic's own are part of it.
            if outline.scan.headings.contains(where: { $0.level <= 2 }) {
                add("its text would begin another topic; headings in it need three equals signs", harmsPage: true)
            }
        case .topicReply where !outline.scan.headings.isEmpty:
            add("a heading in a reply begins another section; use bold text", harmsPage: true)
        case .reply where !outline.scan.headings.isEmpty:
            add("a heading in a reply to a comment is shown as plain text, with its equals signs")
        case .topicReply, .reply: break
        }
        for name in categories(outline, wiki) {
            add("[[\(name)]] puts the page into that category; for a link write [[:\(name)]]")
        }
        guard form == .reply else { return warnings }
        for name in Set(outline.scan.spans.filter { outline.bytes[$0.range].contains(10) }.compactMap(\.tag)).sorted()
        where tornTags.contains(name) {
            add(
                "<\(name)> over several lines cannot be indented, so it does not work in a reply to a comment; "
                    + "<syntaxhighlight lang=\"text\"> does where the wiki has it", harmsPage: true)
        }
        for name in Set(outline.blocks.compactMap { $0.tornElement(outline.bytes) }).sorted() {
            add("<\(name)> over several lines ends with its first line, since each line of a reply is indented")
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
        if outline.blocks.contains(where: { $0.kind == .table && $0.close == nil }) {
            add("{| is not closed with |}, so that the table goes on below the reply", harmsPage: true)
        }
        return warnings
    }

    /// Tags whose lines a wiki shows as lines of the page, which end the list that a reply is in.
    private static let tornTags: Set<String> = ["pre", "poem", "gallery"]

    /// Elements that go on below the reply when they are not closed, and that may be open around it.
    private static let elements: Set<String> = [
        "b", "big", "code", "del", "em", "font", "i", "ins", "s", "small", "span", "strike", "strong", "sub", "sup",
        "tt",
        "u", "blockquote", "center", "div", "table", "ul", "ol", "dl",
    ]

    private static func unbalanced(_ outline: WikitextOutline) -> [DraftWarning] {
        var open: [String: Int] = [:]
        var stray: Set<String> = []
        var index = 0
        while let start = outline.bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
            index = start + 1
            if let span = outline.scan.spans[...].containing(start) {
                index = span.range.upperBound
                continue
            }
            let limit = outline.bytes.count
            guard let tag = WikitextOutline.BlockTag(outline.bytes, at: start, before: limit, names: elements) else {
                continue
            }
            index = tag.range.upperBound
            if tag.isEmpty { continue }
            open[tag.name, default: 0] += tag.isClosing ? -1 : 1
            if open[tag.name, default: 0] < 0 {
                open[tag.name] = 0
                stray.insert(tag.name)
            }
        }
        return open.filter { $0.value > 0 }.keys.sorted().map {
            DraftWarning(message: "<\($0)> is not closed, so that it goes on below the reply", harmsPage: true)
        }
            + stray.sorted().map {
                DraftWarning(message: "</\($0)> ends something that the reply did not begin", harmsPage: true)
            }
    }

    /// The categories that the draft names, as it writes them.
    private static func categories(_ outline: WikitextOutline, _ wiki: Wiki) -> [String] {
        let spaces = [wiki.namespace(id: 14)].compactMap(\.self)
        let names = Set((spaces.flatMap { [$0.name] + $0.aliases } + ["Category"]).map { $0.lowercased() })
        var found: [String] = []
        var index = 0
        while let start = outline.bytes.index(of: Array("[[".utf8), from: index) {
            index = start + 2
            if let span = outline.scan.spans[...].containing(start) {
                index = span.range.upperBound
                continue
            }
            // No title is longer, and many openings without an end take no time.
            let target = outline.bytes[index...].prefix(300).prefix { !"]|\n".utf8.contains($0) }
            let title = String(decoding: target, as: UTF8.self).replacing("_", with: " ")
            guard let colon = title.firstIndex(of: ":"),
                names.contains(title[..<colon].trimming { $0 == " " }.lowercased())
            else { continue }
            found.append(title.trimming { $0 == " " })
        }
        return found
    }
}

extension WikitextScan.Span {
    /// The name of the tag that the span is.
    fileprivate var tag: String? { if case .tag(let name) = kind { name } else { nil } }
}

extension WikitextOutline.Block {
    /// The name of an element that begins and ends on different lines.
    fileprivate func tornElement(_ bytes: [UInt8]) -> String? {
        guard case .element(let name) = kind, let close, bytes[open.lowerBound..<close.lowerBound].contains(10) else {
            return nil
        }
        return name
    }
}
