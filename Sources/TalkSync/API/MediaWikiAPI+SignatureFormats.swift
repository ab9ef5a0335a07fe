internal import TalkHTTP
internal import TalkPages
internal import TalkStore

extension MediaWikiAPI {
    /// How the wiki writes the date of a signature, and what may be missed because of it.
    ///
    /// A wiki with DiscussionTools gives exactly what its own parser uses. Elsewhere the format comes from a table, the
    /// names from the wiki's messages, and both are compared with a date that the wiki expands. Never fails for want of
    /// any of them.
    func signatureFormats(for wiki: Wiki, site: JSONValue) throws(TalkError) -> SignatureFormats.Result {
        if wiki.hasDiscussionTools, let data = startModule(wiki, site) {
            return SignatureFormats.Result(formats: data.formats, warnings: [])
        }
        let general = site["general"]
        let zones = SystemZones.rules(wiki.timezone)?.abbreviations ?? ["UTC"]
        let variants = (general?["variants"]?.elements ?? []).compactMap { $0["code"]?.text }
        let fallback = (general?["fallback"]?.elements ?? []).compactMap { $0["code"]?.text ?? $0.text }
        var messages: [String: [String: String]] = [:]
        for language in [wiki.language] + variants where messages[language] == nil {
            var found: [String: String] = [:]
            for names in SignatureFormats.messageNames(zones: zones) {
                found.merge(try self.messages(names, language: language)) { first, _ in first }
            }
            messages[language] = found
        }
        return SignatureFormats.make(
            SignatureFormats.Site(language: wiki.language, fallback: fallback, variants: variants, zones: zones),
            messages: messages, sample: sample(offset: Int(general?["timeoffset"]?.integer ?? 0) * 60))
    }

    /// The date data in the script of DiscussionTools' start module; nil when there is none that is understood.
    private func startModule(_ wiki: Wiki, _ site: JSONValue) -> DiscussionToolsData? {
        let load = wiki.server + (site["general"]?["scriptpath"]?.text ?? "/w") + "/load.php"
        let query = FormBody.encode([
            ("modules", "ext.discussionTools.init"), ("lang", wiki.language), ("skin", "vector"), ("only", "scripts"),
        ])
        guard let answer = try? send(HTTPRequest(.get, "\(load)?\(query)")), answer.status == 200 else { return nil }
        return DiscussionToolsData(script: String(decoding: answer.body, as: UTF8.self))
    }

    /// A date that the wiki expands now, by its own clock; nil when it does not.
    private func sample(offset: Int) -> SignatureFormats.Sample? {
        let answer = try? callOrExplain(
            [
                ("action", "parse"), ("onlypst", "1"), ("contentmodel", "wikitext"), ("title", "Talk:Sandbox"),
                ("text", "~~~~~"), ("prop", "text"), ("curtimestamp", "1"),
            ], isPost: true)
        let value = answer?["parse"]?["text"]
        guard let text = value?.text ?? value?["*"]?.text,
            let time = answer?["curtimestamp"]?.text.flatMap(APITimestamp.seconds)
        else { return nil }
        return SignatureFormats.Sample(text: text, timestamp: time, offset: offset)
    }

    /// Interface messages in a language, those that exist.
    func messages(_ names: [String], language: String) throws(TalkError) -> [String: String] {
        var found: [String: String] = [:]
        let answer = try callOrExplain([
            ("action", "query"), ("meta", "allmessages"), ("amlang", language),
            ("ammessages", names.joined(separator: "|")),
        ])
        guard let listed = answer["query"]?["allmessages"]?.elements else {
            throw TalkError(.unreachable, "the wiki does not give its messages", hint: "try again later")
        }
        for message in listed {
            if let name = message["name"]?.text, let text = message["content"]?.text { found[name] = text }
        }
        return found
    }
}
