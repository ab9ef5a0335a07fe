public import TalkPages

extension MediaWikiAPI {
    /// The titles of a page's subpages in the wiki's order, redirects left out, as many as `limit`.
    public func subpages(of page: PageName, on wiki: Wiki, limit: Int = 5000) throws(TalkError) -> [String] {
        guard let namespace = wiki.namespace(of: page) else {
            throw TalkError(.invalid, "\(wiki.key) has no namespace \(page.namespace)")
        }
        var titles: [String] = []
        var more = Continuation(wiki.localTitle(of: page))
        var isMore = false
        repeat {
            let answer = try callOrExplain(
                [
                    ("action", "query"), ("list", "allpages"), ("apprefix", page.title + "/"),
                    ("apnamespace", String(namespace.id)), ("apfilterredir", "nonredirects"), ("aplimit", "500"),
                ] + more.parameters, subject: wiki.localTitle(of: page))
            let new = answer["query"]?["allpages"]?.elements?.compactMap { $0["title"]?.text } ?? []
            titles += new
            isMore = try more.goesOn(after: answer, isFruitful: !new.isEmpty)
        } while isMore && titles.count < limit
        return titles
    }
}
