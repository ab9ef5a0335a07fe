internal import TalkPages

extension ItemSelection {
    /// The one item of a page that a user means; throws `notFound` when there is none, or several with what tells them
    /// apart.
    static func item(_ text: String, in items: [ThreadItem], of page: PageName) throws(TalkError) -> Int {
        let matches = matches(text, in: items)
        if matches.count == 1 { return matches[0] }
        let show = "git talk show \(ShellWord.quoted(page.prefixedTitle))"
        if matches.isEmpty {
            throw TalkError(.notFound, "no comment of \(page) matches “\(text)”", hint: "the codes are in: \(show)")
        }
        let codes = codes(items)
        let names = matches.prefix(10).map { index in
            let item = items[index]
            let words =
                item.author.map { _ in "\(item.shownAuthor), \(item.timestamp.map(TimeText.minute) ?? "")" }
                ?? item.text
            return "\(codes[index]) (\(words))"
        }
        throw TalkError(
            .notFound, "\(matches.count) comments of \(page) match “\(text)”: \(names.joined(separator: "; "))",
            hint: "give more of the code")
    }
}
