/// What a wiki makes of a text when it saves it (its pre-save transform), as far as that can be told without it.
enum SavedWikitext {
    /// A line with `~~~` for each part that the wiki will write otherwise: substituted templates, links with the pipe
    /// trick, and characters that it takes for invalid.
    static func withoutReplaced(_ line: String) -> String {
        var result = ""
        var rest = line[...]
        while let first = rest.first {
            if let end = substitution(rest) ?? pipeTrick(rest) {
                result += "~~~"
                rest = rest[end...]
            } else {
                if first.unicodeScalars.contains(where: isInvalid) { result += "~~~" } else { result.append(first) }
                rest.removeFirst()
            }
        }
        return result
    }

    /// The end of `{{subst:…}}` at the beginning of a text; of the line where it goes on behind it.
    private static func substitution(_ text: Substring) -> String.Index? {
        guard text.hasPrefix("{{") else { return nil }
        let name = text.dropFirst(2).drop(while: \.isWhitespace).prefix(10).lowercased()
        guard name.hasPrefix("subst:") || name.hasPrefix("safesubst:") else { return nil }
        var depth = 0
        var index = text.startIndex
        while index < text.endIndex {
            if text[index...].hasPrefix("{{") {
                depth += 1
                index = text.index(index, offsetBy: 2)
            } else if text[index...].hasPrefix("}}") {
                depth -= 1
                index = text.index(index, offsetBy: 2)
                if depth == 0 { return index }
            } else {
                index = text.index(after: index)
            }
        }
        return text.endIndex
    }

    /// The end of `[[Page (more)|]]` or `[[|Page]]` at the beginning of a text.
    private static func pipeTrick(_ text: Substring) -> String.Index? {
        guard text.hasPrefix("[["), let end = text.firstRange(of: "]]") else { return nil }
        let inside = text[text.index(text.startIndex, offsetBy: 2)..<end.lowerBound]
        guard inside.hasSuffix("|") || inside.hasPrefix("|"), !inside.contains("[") else { return nil }
        return end.upperBound
    }

    /// Whether MediaWiki writes U+FFFD in its place.
    private static func isInvalid(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...8, 0xB, 0xC, 0xE...0x1F, 0xFFFE, 0xFFFF: true
        default: false
        }
    }
}
