public import TalkHTML

extension ThreadParser {
    /// Whether a rendered draft ends with the user's signature, so that none must be added.
    ///
    /// True as well when text follows in the same paragraph, as DiscussionTools sees it.
    public func isSigned(_ draft: HTMLDocument, by user: String) -> Bool {
        guard let (item, outline) = lastItem(of: draft), item.author == user.replacing("_", with: " ") else {
            return false
        }
        let comment = outline.range(first: item.start, last: item.end)
        guard let last = outline.last(0) else { return false }
        let page = OutlineRange(
            start: outline.position(before: 0), end: outline.position(after: last), first: 1, last: last)
        return outline.endsAlike(comment, page)
    }
}
