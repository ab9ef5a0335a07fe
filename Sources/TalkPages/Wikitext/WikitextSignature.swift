/// Looks whether a draft is signed already.
public enum WikitextSignature {
    /// Whether the last line of `draft` ends with the signature of `user`, so that none must be added.
    ///
    /// A signature is `~~~~` that the wiki will expand, or a link to the user followed by a date. Text after it on the
    /// same line does not matter.
    public static func isSigned(
        _ draft: String, user: String?, wiki: Wiki, dates: any SignatureDates
    ) -> Bool {
        let outline = WikitextOutline(draft, tags: wiki.wikitextTags)
        guard let leaf = outline.leaves.last, let line = leaf.lines.last else { return false }
        if hasTildes(outline, line.range) { return true }
        guard let user else { return false }
        let found = WikitextComments(outline, wiki: wiki, dates: dates)
        let name = WikitextUserLinks.normalized(user)
        return found.signatures(in: line.range).contains { $0 == name }
    }

    /// Whether exactly four tildes stand where the wiki expands them.
    private static func hasTildes(_ outline: WikitextOutline, _ range: Range<Int>) -> Bool {
        var index = range.lowerBound
        while index < range.upperBound {
            if let span = outline.scan.spans[...].containing(index),
                span.kind == .comment || span.kind != .template
            {
                index = span.range.upperBound
                continue
            }
            var count = 0
            while index + count < range.upperBound, outline.bytes[index + count] == UInt8(ascii: "~") { count += 1 }
            if count == 4 { return true }
            index += max(1, count)
        }
        return false
    }
}
