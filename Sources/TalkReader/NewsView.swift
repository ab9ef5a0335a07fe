internal import TalkPages

/// What became of replies and was not seen yet, above a page.
enum NewsView {
    static func html(_ entries: [OutboxEntry], _ wikis: [Wiki]) -> String {
        if entries.isEmpty { return "" }
        let rows = entries.map { entry in
            let wiki = wikis.first { $0.key == entry.page.wiki }
            return
                "<li>\(words(entry, wiki))<br><q dir=\"auto\">\(Template.escape(beginning(entry.reply.text)))</q></li>\n"
        }
        return
            "<section class=\"news\" role=\"status\" aria-label=\"Your replies\"><ul>\n\(rows.joined())</ul></section>\n"
    }

    private static func words(_ entry: OutboxEntry, _ wiki: Wiki?) -> String {
        let place = "<bdi>\(Template.escape(entry.page.prefixedTitle))</bdi>"
        let reason = Template.escape(entry.reason ?? ""), id = entry.reply.id
        switch entry.state {
        case .posted:
            guard let revision = entry.postedRevision else { return "Posted on \(place)." }
            let name = "revision \(revision)"
            return "Posted on \(place): "
                + (wiki.map { "<a href=\"\(Template.escape($0.url(ofChange: revision)))\">\(name)</a>." } ?? "\(name).")
        case .held: return "Held on \(place): \(reason). <code>git talk outbox show \(id)</code>"
        default:
            return
                "Set aside on \(place): \(reason). Its text is kept: <code>\(Template.escape(entry.restoreCommand))</code>"
        }
    }

    private static func beginning(_ text: String) -> String {
        let line = text.split(separator: "\n").first.map(String.init) ?? ""
        return line.count > 100 ? line.prefix(99) + "…" : line
    }
}
