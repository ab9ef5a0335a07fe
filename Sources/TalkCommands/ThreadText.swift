internal import TalkPages

/// Indented threads for a terminal.
///
/// Text of the page is made safe here: no control character or bidi override reaches the terminal raw.
struct ThreadText: Sendable {
    /// Colours.
    let style: Style
    /// Columns to wrap at; nil for a pipe, where a paragraph stays one line.
    let width: Int?
    /// Code of each item, as `reply` takes it; empty for none.
    let codes: [String]

    /// The items of `range` as text.
    func text(_ items: [ThreadItem], _ range: Range<Int>) -> String {
        var out = ""
        for index in range {
            let item = items[index]
            switch item.kind {
            case .heading: out += heading(item, codes[index])
            case .comment: out += comment(item, codes[index])
            }
        }
        return out
    }

    private func heading(_ item: ThreadItem, _ code: String) -> String {
        guard let level = item.headingLevel else { return "" }
        let marks = String(repeating: "=", count: level)
        let text = style.page(item.text)
        let mark = item.pending == nil ? "" : "  " + style.yellow("[pending: not on the wiki yet]")
        return "\n" + style.bold("\(marks) \(text) \(marks)") + shown(code) + mark + "\n"
    }

    private func comment(_ item: ThreadItem, _ code: String) -> String {
        let indent = String(repeating: "    ", count: min(item.level - 1, 12)) + "  "
        var line = style.bold(style.page(item.shownAuthor))
        if let time = item.timestamp { line += ", \(TimeText.minute(time))" }
        line += shown(code)
        if item.pending != nil { line += "  " + style.yellow("[pending: not on the wiki yet]") }
        var out = "\n\(indent)\(line)\n"
        for paragraph in TerminalText.safe(item.shownText).utf8.split(separator: 10, omittingEmptySubsequences: false) {
            for row in wrapped(String(Substring(paragraph)), indent: indent.utf8.count + 2) {
                if !row.isEmpty {
                    out += indent
                    out += "  "
                    out += style.isolated(row)
                }
                out += "\n"
            }
        }
        return out
    }

    /// A code behind what it stands for.
    private func shown(_ code: String) -> String { code.isEmpty ? "" : "  " + style.dim(code) }

    /// Wraps a line at words; what follows stands under the first word, behind list marks and the like.
    private func wrapped(_ text: String, indent: Int) -> [String] {
        guard let width else { return [text] }
        let margin = text.prefix(while: { $0 == " " })
        let mark = text.dropFirst(margin.count).prefix(while: { $0 == "*" || $0 == ">" || $0 == "." || $0.isNumber })
        let isMark =
            !mark.isEmpty && mark.last?.isNumber == false && text.dropFirst(margin.count + mark.count).first == " "
        let hanging = margin + String(repeating: " ", count: isMark ? mark.count + 1 : 0)
        let room = max(width - indent, 30)
        var rows: [String] = []
        var row = String(margin)
        var length = row.count
        var isEmpty = true
        for word in text.dropFirst(margin.count).split(separator: " ", omittingEmptySubsequences: false) {
            let added = word.count + (isEmpty ? 0 : 1)
            if !isEmpty, length + added > room {
                rows.append(row)
                row = String(hanging + word)
                length = row.count
            } else {
                if !isEmpty { row += " " }
                row += word
                length += added
            }
            isEmpty = false
        }
        rows.append(row)
        return rows
    }
}

/// Which items a user means.
enum ItemSelection {
    /// The code of each item: the first hex digits of the SHA-256 of its id, as many as tell it from the page's others.
    static func codes(_ items: [ThreadItem]) -> [String] {
        let digests = items.map { SHA256.hexadecimal(of: $0.id) }
        let sorted = digests.sorted()
        var length = 6
        for (digest, next) in zip(sorted, sorted.dropFirst()) where digest != next {
            length = max(length, zip(digest.utf8, next.utf8).prefix { $0 == $1 }.count + 1)
        }
        return digests.map { String($0.prefix(length)) }
    }

    /// Indices of the items that `text` names: the whole id or name, else the start of a code or of an id, that of a
    /// pending reply as the outbox has it among them.
    static func matches(_ text: String, in items: [ThreadItem]) -> [Int] {
        let exact = items.indices.filter { items[$0].id == text }
        if !exact.isEmpty { return exact }
        let named = items.indices.filter { items[$0].name == text }
        if !named.isEmpty { return named }
        guard !text.isEmpty else { return [] }
        let lower = text.lowercased()
        let matches = items.indices.filter {
            items[$0].id.hasPrefix(text)
                || text.count >= 4
                    && (SHA256.hexadecimal(of: items[$0].id).hasPrefix(lower)
                        || items[$0].pending?.hasPrefix(lower) == true)
        }
        // The id of a pending topic means its text, not its heading.
        if let pending = matches.first.flatMap({ items[$0].pending }),
            matches.allSatisfy({ items[$0].pending == pending })
        {
            return matches.suffix(1)
        }
        return matches
    }

    /// The items of the topic that a `#fragment` names: its anchor, its heading's text, an id or a code.
    static func topic(_ fragment: String, in items: [ThreadItem]) -> Range<Int>? {
        let wanted = words(of: fragment.replacing("_", with: " "))
        let headings = items.indices.filter { items[$0].kind == .heading && items[$0].headingLevel != nil }
        let start =
            headings.first { items[$0].text == fragment } ?? headings.first { words(of: items[$0].text) == wanted }
            ?? matches(fragment, in: items).first.map { index in headings.last { $0 <= index } ?? index }
        guard let start, let level = items[start].headingLevel else { return nil }
        let end = headings.first { $0 > start && items[$0].headingLevel ?? 6 <= level } ?? items.count
        return start..<end
    }

    /// A heading as somebody types who only sees it: without marks of direction and width, in small letters.
    static func words(of heading: String) -> String {
        let visible = heading.unicodeScalars.filter {
            switch $0.value {
            case 0x61C, 0x200B, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: false
            default: true
            }
        }
        return String(String.UnicodeScalarView(visible)).split(whereSeparator: \.isWhitespace).joined(separator: " ")
            .lowercased()
    }
}
