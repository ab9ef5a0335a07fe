public import TalkPages

/// The talk pages on the watchlist of an account.
public struct Watchlist: Hashable, Sendable {
    /// Those that exist, sorted by namespace and title.
    public let pages: [PageName]
    /// How many are watched that do not exist: with an article its talk page is watched, made or not.
    public let missing: Int
}

extension MediaWikiAPI {
    /// The talk pages that the account watches; a page and its talk page are always watched together.
    ///
    /// Throws `.refused` when nobody is logged in.
    public func watchlist(on wiki: Wiki) throws(TalkError) -> Watchlist {
        let subject = "the watchlist at \(wiki.key)"
        let namespaces = wiki.namespaces.filter { $0.id > 0 && $0.id % 2 == 1 }.map { String($0.id) }
        var pages: Set<PageName> = [], missing: Set<String> = []
        var more = Continuation(subject)
        var isMore = false
        repeat {
            let answer = try callOrExplain(
                [
                    ("action", "query"), ("generator", "watchlistraw"),
                    ("gwrnamespace", namespaces.joined(separator: "|")), ("gwrlimit", "max"), ("prop", "info"),
                ] + more.parameters, subject: subject)
            let found = answer["query"]?["pages"]?.elements ?? []
            for page in found {
                guard let title = page["title"]?.text else { continue }
                if page.flag("missing") {
                    missing.insert(title)
                } else if let name = try? TitleParser.parse(title, wiki: wiki).page {
                    pages.insert(name)
                }
            }
            isMore = try more.goesOn(after: answer, isFruitful: !found.isEmpty)
        } while isMore
        return Watchlist(
            pages: pages.sorted { ($0.namespace, $0.title) < ($1.namespace, $1.title) }, missing: missing.count)
    }
}
