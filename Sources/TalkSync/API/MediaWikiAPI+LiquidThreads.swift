internal import TalkPages

extension MediaWikiAPI {
    /// Whether the site information names the extension.
    static func hasLiquidThreads(_ site: JSONValue) -> Bool {
        site["extensions"]?.elements?.contains {
            ["Liquid Threads", "LiquidThreads"].contains($0["name"]?.text ?? "")
        } ?? false
    }

    /// Whether a page is one of LiquidThreads: it says so itself, or it has threads; for wikis that have the extension.
    func hasLiquidThreads(title: String) throws(TalkError) -> Bool {
        let answer = try callOrExplain(
            [
                ("action", "query"), ("prop", "pageprops"), ("ppprop", "use-liquid-threads"),
                Self.selector(.title(title)), ("list", "threads"), ("thpagename", title), ("thlimit", "1"),
                ("thprop", "id"),
            ], subject: title)
        let query = answer["query"]
        if let own = query?["pages"]?[0]?["pageprops"]?["use-liquid-threads"] {
            return own.text != "0" && own.integer != 0
        }
        let threads = query?["threads"]
        return threads?.elements?.isEmpty == false || threads?.members?.isEmpty == false
    }
}
