public import TalkPages

extension MediaWikiAPI {
    /// Where a redirect leads.
    public struct Redirect: Hashable, Sendable {
        /// The page at the end of all redirects, as the wiki writes it; with its prefix when it is on another wiki.
        public var title: String
        /// The topic there that it names.
        public var fragment: String?
        /// Whether that page exists, as far as this wiki knows.
        public var exists: Bool
    }

    /// Follows a redirect to its end; nil when the title is no redirect, or one that leads in a circle.
    public func redirect(from title: String) throws(TalkError) -> Redirect? {
        let answer = try callOrExplain(
            [("action", "query"), ("prop", "info"), Self.selector(.title(title)), ("redirects", "1")], subject: title)
        return Self.redirect(in: answer)
    }

    /// The last of the redirects in an answer about one title.
    static func redirect(in answer: JSONValue) -> Redirect? {
        let query = answer["query"]
        let steps = query?["redirects"]?.elements ?? []
        let sources = Set(steps.compactMap { $0["from"]?.text })
        guard let last = steps.last(where: { !sources.contains($0["to"]?.text ?? "") }), let title = last["to"]?.text
        else { return nil }
        if let wiki = last["tointerwiki"]?.text, !wiki.isEmpty {
            let isPrefixed = title.lowercased().hasPrefix(wiki.lowercased() + ":")
            return Redirect(title: isPrefixed ? title : "\(wiki):\(title)", fragment: nil, exists: true)
        }
        let page = query?["pages"]?.elements?.first { $0["title"]?.text == title }
        let fragment = last["tofragment"]?.text.flatMap { $0.isEmpty ? nil : $0 }
        return Redirect(title: title, fragment: fragment, exists: page.map { !$0.flag("missing") } ?? true)
    }
}
