/// The edit summaries of replies and topics, as DiscussionTools and MediaWiki write them.
public enum EditSummary {
    /// The longest summary that a wiki keeps, in code points.
    public static let limit = 500

    /// `/* Heading */ Reply`; `message` is the wiki's `discussiontools-defaultsummary-reply`.
    ///
    /// `heading` is the heading's text as the page shows it; empty for a comment above the first heading.
    public static func reply(heading: String, message: String = "Reply") -> String {
        let text = plain(heading)
        return text.isEmpty ? cut(message, to: limit) : summary("/* $1 */ ", text, rest: message)
    }

    /// `/* Title */ new section`; `message` is the wiki's `newsectionsummary`.
    ///
    /// `heading` is the heading as wikitext.
    public static func newTopic(heading: String, message: String = "/* $1 */ new section") -> String {
        summary(message, plain(stripped(heading)), rest: "")
    }

    private static func summary(_ format: String, _ heading: String, rest: String) -> String {
        let parts = (format + rest).split(separator: "$1", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return cut(format + rest, to: limit) }
        let room = limit - parts[0].unicodeScalars.count - parts[1].unicodeScalars.count
        return cut(parts[0] + cut(heading, to: max(0, room)) + parts[1], to: limit)
    }

    private static func cut(_ text: some StringProtocol, to limit: Int) -> String {
        guard text.unicodeScalars.count > limit else { return String(text) }
        guard limit > 3 else { return "" }
        return String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit - 3))) + "..."
    }

    /// One line without what would end the comment that names the section.
    private static func plain(_ heading: String) -> String {
        let text = heading.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return text.split(separator: "*/", omittingEmptySubsequences: false).joined(separator: "* /")
    }

    /// Without links, quotes, tags and comments, as `Parser::stripSectionName` does it.
    private static func stripped(_ wikitext: String) -> String {
        var text = ""
        var rest = wikitext[...]
        while let character = rest.first {
            if rest.hasPrefix("[["), let end = rest.firstRange(of: "]]") {
                let inner = rest[rest.index(rest.startIndex, offsetBy: 2)..<end.lowerBound]
                let shown = inner.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false).last ?? inner
                text += shown.hasPrefix(":") && !inner.contains("|") ? shown.dropFirst() : shown
                rest = rest[end.upperBound...]
            } else if character == "[", let end = rest.firstIndex(of: "]"), isURL(rest.dropFirst()),
                let blank = rest[..<end].firstIndex(of: " ")
            {
                text += rest[rest.index(after: blank)..<end]
                rest = rest[rest.index(after: end)...]
            } else if rest.hasPrefix("<!--"), let end = rest.firstRange(of: "-->") {
                rest = rest[end.upperBound...]
            } else if character == "<", let end = rest.firstIndex(of: ">") {
                rest = rest[rest.index(after: end)...]
            } else if rest.hasPrefix("''") {
                rest = rest.drop { $0 == "'" }
            } else {
                text.append(character)
                rest.removeFirst()
            }
        }
        return text
    }

    private static func isURL(_ text: Substring) -> Bool {
        ["http://", "https://", "//", "mailto:", "ftp://"].contains { text.lowercased().hasPrefix($0) }
    }
}
