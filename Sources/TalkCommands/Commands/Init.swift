internal import TalkPages
internal import TalkStore
internal import TalkSync

extension Verb {
    static let initialize = Verb(
        "init", .maintain, "Make a store, empty or of what a hub has", synopsis: "[--from <address>]",
        details: """
            Commands that bring pages make a store by themselves. With --from, the store is made of what a git repository has
            with which other stores were exchanged; it becomes the remote origin, for git talk exchange.
            """,
        options: [Option("from", value: "<address>", "the repository to take the pages from")],
        examples: ["git talk init", "git talk init --from git@git.example.org:talk.git"]
    ) { arguments, context in
        try arguments.expect(0...0, "")
        let store = try Store.create(at: context.storePath)
        guard let from = arguments["from"] else {
            if context.isJSON {
                context.terminal.write(try JSONOutput.text(InitOutput(exchange: nil, store: store.layout.root)))
            } else {
                context.terminal.write("a store is at \(TerminalText.safe(store.layout.root))\n")
            }
            return .done
        }
        let origin = "remote.origin.url", address = Self.absolute(from, context)
        let known = try store.configuration().string(origin)
        guard known == nil || known == address else {
            throw TalkError(
                .invalid, "the store has a remote called origin with another address",
                hint:
                    "git -C \(ShellWord.quoted(store.layout.root)) remote set-url origin \(ShellWord.quoted(address)), "
                    + "or to take from the one that it has: git talk exchange")
        }
        try await store.configure(origin, to: address)
        try await store.configure("remote.origin.fetch", to: "+refs/heads/*:refs/remotes/origin/*")
        let exchange = Exchanging(context: context, store: store, remote: "origin")
        let result = try await exchange.run()
        await exchange.newWikis.ask(result.pages.map(\.page.wiki))
        if context.isJSON {
            let output = InitOutput(exchange: ExchangeOutput("origin", result), store: store.layout.root)
            context.terminal.write(try JSONOutput.text(output))
        } else {
            context.terminal.write("a store is at \(TerminalText.safe(store.layout.root))\n\(exchange.text(result))")
        }
        return exchange.tell(result)
    }

    /// A path is taken from where the user stands; git takes it from where it runs.
    private static func absolute(_ address: String, _ context: Context) -> String {
        let host = address.utf8.firstIndex(of: UInt8(ascii: ":")),
            slash = address.utf8.firstIndex(of: UInt8(ascii: "/"))
        guard let host else { return context.surroundings.path(address) }
        return slash.map { $0 < host } ?? false ? context.surroundings.path(address) : address
    }
}

/// `git talk init --json`, schema `Schema/cli/init.schema.json`.
private struct InitOutput: Encodable {
    let schema = 1
    let exchange: ExchangeOutput?
    let store: String
}
