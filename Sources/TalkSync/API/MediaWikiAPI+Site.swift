public import TalkPages

extension MediaWikiAPI {
    /// What the wiki says of itself; `Wiki.api` is the address that its canonical server has.
    public func siteInfo() throws(TalkError) -> Wiki {
        let query = try siteQuery()
        guard let general = query["general"] else {
            throw TalkError(.unreachable, "the wiki does not say what it is", hint: "is \(endpoint) a MediaWiki API?")
        }
        var wiki = Self.wiki(query, general: general, endpoint: endpoint)
        if Self.hasLiquidThreads(query) { wiki.hasLiquidThreads = true }
        let dates = try signatureFormats(for: wiki, site: query)
        wiki.signatureFormats = dates.formats
        wiki.dateWarnings = dates.warnings.isEmpty ? nil : dates.warnings
        return wiki
    }

    /// Site information may come in several parts.
    private func siteQuery() throws(TalkError) -> JSONValue {
        let properties =
            "general|namespaces|namespacealiases|specialpagealiases|interwikimap|languagevariants|extensions"
            + "|extensiontags"
        var merged: [String: JSONValue] = [:]
        var more = Continuation("what the wiki says of itself")
        for _ in 0..<10 {
            let answer = try callOrExplain(
                [("action", "query"), ("meta", "siteinfo"), ("siprop", properties)] + more.parameters)
            for (key, value) in answer["query"]?.members ?? [:] {
                if case .array(let old) = merged[key], case .array(let new) = value {
                    merged[key] = .array(old + new)
                } else {
                    merged[key] = value
                }
            }
            guard try more.goesOn(after: answer, isFruitful: true) else { break }
        }
        return .object(merged)
    }

    static func wiki(_ query: JSONValue, general: JSONValue, endpoint: String) -> Wiki {
        let text = { (key: String) in general[key]?.text ?? "" }
        let named = Self.server(general, endpoint: endpoint)
        let server = Self.encrypted(named, endpoint: endpoint)
        let canonicalAPI = server + text("scriptpath") + "/api.php"
        let isOwnHost = URLParts(endpoint)?.server == URLParts(canonicalAPI)?.server
        let prefixes = query["interwikimap"]?.elements ?? []
        let contributions = query["specialpagealiases"]?.elements?.first { $0["realname"]?.text == "Contributions" }
        return Wiki(
            key: Wiki.key(server: named, scriptPath: text("scriptpath")), api: isOwnHost ? endpoint : canonicalAPI,
            server: server, articlePath: text("articlepath"), script: text("script"), generator: text("generator"),
            siteName: text("sitename"), language: text("lang"), isRightToLeft: general.flag("rtl"),
            timezone: text("timezone"), namespaces: namespaces(query),
            interwikiPrefixes: prefixes.filter { !$0.flag("localinterwiki") }.compactMap { $0["prefix"]?.text },
            contributionsNames: (contributions?["aliases"]?.elements ?? []).compactMap {
                $0.text?.replacing("_", with: " ")
            },
            signatureFormats: [],
            hasDiscussionTools: query["extensions"]?.elements?.contains { $0["name"]?.text == "DiscussionTools" }
                ?? false,
            localInterwikiPrefixes: prefixes.filter { $0.flag("localinterwiki") }.compactMap { $0["prefix"]?.text },
            extensionTags: query["extensiontags"]?.elements?.compactMap { $0.text.map(WikitextTags.name) }.sorted())
    }

    /// `server` may lack its scheme; then that of `base`, else that of the endpoint.
    private static func server(_ general: JSONValue, endpoint: String) -> String {
        let server = general["server"]?.text ?? URLParts(endpoint)?.server ?? ""
        guard server.hasPrefix("//") else { return server }
        let base = general["base"]?.text ?? ""
        return ((base.hasPrefix("//") ? URLParts(endpoint) : URLParts(base))?.scheme ?? "https") + ":" + server
    }

    /// A wiki behind a proxy may believe that it is read without encryption: what was reached by https stays there.
    private static func encrypted(_ server: String, endpoint: String) -> String {
        guard let named = URLParts(server), let reached = URLParts(endpoint), named.scheme == "http",
            reached.scheme == "https", named.host == reached.host
        else { return server }
        return reached.server
    }

    private static func namespaces(_ query: JSONValue) -> [Namespace] {
        let aliases = query["namespacealiases"]?.elements ?? []
        return (query["namespaces"]?.members ?? [:]).values.compactMap { value -> Namespace? in
            guard let id = value["id"]?.integer else { return nil }
            let name = value["name"]?.text ?? ""
            let own = aliases.filter { $0["id"]?.integer == id }.compactMap { $0["alias"]?.text }
            return Namespace(
                id: Int(id), name: name, canonical: value["canonical"]?.text ?? name, aliases: own,
                isCaseSensitive: value["case"]?.text == "case-sensitive")
        }.sorted { $0.id < $1.id }
    }
}
