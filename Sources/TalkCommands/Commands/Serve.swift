internal import TalkPages
internal import TalkReader
internal import TalkStore

extension Verb {
    static let serve = Verb(
        "serve", .read, "Show the cached pages in a browser on this machine", synopsis: "[--port <number>]",
        details:
            "Listens on 127.0.0.1 only, prints the address, and ends with Ctrl-C. Pages can be read, not answered.",
        options: [Option("port", letter: "p", value: "<number>", "the port; without it the system chooses one")]
    ) { arguments, context in
        try arguments.expect(0...0, "")
        guard let port = UInt16(arguments["port"] ?? "0") else { throw UsageError("a port is a number up to 65535") }
        let reader = try context.reader()
        // Threads that are out of date are made anew first: the server reads files only.
        let store = try context.store()
        for wiki in try store.wikis() {
            for state in try reader.states() where state.page.wiki == wiki.key {
                _ = try await PageThreads.current(of: state.page, store: store, wiki: wiki)
            }
        }
        let surroundings = context.surroundings
        let server = try Reader(
            reader: reader, now: { surroundings.now },
            seen: { entries in Task { try? await store.markSeen(entries) } }
        ).start(port: port)
        let address = server.url + "/"
        context.terminal.write(context.isJSON ? try JSONOutput.text(ServeOutput(url: address)) : address + "\n")
        while !Task.isCancelled { try? await Task.sleep(for: .seconds(3600)) }
        withExtendedLifetime(server) {}
        return .done
    }
}

/// `git talk serve --json`, schema `Schema/cli/serve.schema.json`.
private struct ServeOutput: Encodable {
    let schema = 1
    let url: String
}
