internal import TalkPages
internal import TalkStore

extension Verb {
    static let wiki = Verb(
        "wiki", .maintain, "List the known wikis, or choose the default one", synopsis: "[default <wiki>]",
        details: """
            A title without an address is a page of the default wiki. <wiki> is the name that the list shows.
            Configuration, of the store: talk.defaultWiki, wiki.<wiki>.user.
            """,
        examples: ["git talk wiki", "git talk wiki default en.wikipedia.org"]
    ) { arguments, context in
        let store = try context.store()
        let wikis = try store.wikis()
        var chosen = (try? context.defaultWiki(wikis, store.reader))?.key
        if arguments.positional.first == "default" {
            try arguments.expect(2...2, "wiki")
            let key = arguments.positional[1]
            guard wikis.contains(where: { $0.key == key }) else {
                let near = Arguments.nearest(key, in: wikis.map(\.key))
                throw TalkError(
                    .notFound, "the store knows no wiki “\(key)”",
                    hint: near.map { "git talk wiki default \($0)" } ?? "see which it knows: git talk wiki")
            }
            try await store.configure(Setting.defaultWiki.name, to: key)
            context.note("titles without an address are now pages of \(key)")
            if !context.isJSON { return .done }
            chosen = key
        } else {
            try arguments.expect(0...0, "")
        }
        let rows = wikis.map {
            WikiOutput.Row(
                isDefault: $0.key == chosen, key: $0.key, name: $0.siteName, server: $0.server,
                user: context.loginName($0, store.reader), version: $0.generator)
        }
        if context.isJSON {
            context.terminal.write(try JSONOutput.text(WikiOutput(wikis: rows)))
        } else if rows.isEmpty {
            context.note("no wiki is known yet: git talk pull <address of a page>")
        } else {
            for row in rows {
                let user = row.user.map { ", as \(Context.account($0))" } ?? ", not logged in"
                context.terminal.write(
                    "\(row.isDefault ? "* " : "  ")\(row.key)  \(TerminalText.safe(row.name)) (\(TerminalText.safe(row.version)))\(user)\n"
                )
            }
        }
        return .done
    }
}

/// `git talk wiki --json`, schema `Schema/cli/wiki.schema.json`.
private struct WikiOutput: Encodable {
    struct Row: Encodable {
        let isDefault: Bool
        let key: String
        let name: String
        let server: String
        let user: String?
        let version: String
    }

    let schema = 1
    let wikis: [Row]
}
