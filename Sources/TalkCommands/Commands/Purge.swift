internal import TalkPages
internal import TalkStore
internal import TalkSync

extension Verb {
    static let purge = Verb(
        "purge", .maintain, "Remove revisions from the history of a page for good",
        synopsis: "<page> [<revision>…]",
        details: """
            The revisions, or without one all that are cached, are taken out of the page's branch, its files, every other
            title that has them, and the remotes of the store that can be reached; and the store is packed without them.
            They are remembered as purged: no later pull brings them back, and every store that is exchanged with this one
            removes them, too. What waits in the page is fitted to what is left of it. The wiki is not asked.

            A remote may keep the objects, which nothing refers to then, for some time: on a hub of your own
            git gc --prune=now removes them, a hosting service wants to be asked.
            """,
        examples: ["git talk purge Talk:Bridge 1234567", "git talk purge User_talk:Example"]
    ) { arguments, context in
        guard let typed = arguments.positional.first else { throw UsageError("a page is missing", isIncomplete: true) }
        var revisions: [RevisionID] = []
        for word in arguments.positional.dropFirst() {
            guard let number = Int64(word), number > 0 else { throw UsageError("“\(word)” is no number of a revision") }
            revisions.append(RevisionID(rawValue: number))
        }
        let store = try context.store()
        let page = try context.page(typed, store.reader).page
        return try await Purging(context: context, store: store).run(page, revisions)
    }
}

/// A purge here and at the remotes.
private struct Purging {
    let context: Context
    let store: Store

    func run(_ page: PageName, _ typed: [RevisionID]) async throws -> ExitCode {
        let cached = try await store.records(of: page)
        let revisions = typed.isEmpty ? cached.map(\.record.id) : typed
        let known = Set(cached.map(\.record.id)).union(try await store.purged(of: page).keys)
        if let missing = revisions.first(where: { !known.contains($0) }) {
            throw TalkError(
                .notFound, "revision \(missing) of \(page) is not cached",
                hint: "see which are: git talk log \(ShellWord.quoted(page.prefixedTitle))")
        }
        guard !revisions.isEmpty else {
            throw TalkError(.notFound, "nothing of \(page) is cached", hint: "see what is: git talk list")
        }
        let hidden = Dictionary(revisions.map { ($0, PurgedParts.revision) }) { first, _ in first }
        let purge = RevisionPurge(store: store, wiki: try store.wiki(page.wiki))
        let (purged, setAside) = try await purge.run(hidden, of: page, time: TimeText.iso(context.now))
        let commits = Dictionary(grouping: purged, by: \.page).mapValues { $0.map(\.commit) }
        let objects = try await store.objects(ofPurged: commits, context.git)
        try await store.collectGarbage(context.git, afterPurge: true)
        var codes: [ExitCode] = []
        var remotes: [PurgeOutput.Remote] = []
        for remote in try Remotes.all(in: store) {
            do throws(TalkError) {
                let exchange = Exchanging(context: context, store: store, remote: remote)
                let result = try await exchange.run()
                let code = exchange.tell(result)
                codes.append(code)
                remotes.append(PurgeOutput.Remote(name: remote, reached: code == .done))
            } catch {
                context.terminal.tell(error)
                context.note("hint: \(remote) does not know of the purge yet; later: git talk exchange \(remote)")
                codes.append(ExitCode(error.kind))
                remotes.append(PurgeOutput.Remote(name: remote, reached: false))
            }
        }
        let left = try await store.holders(of: objects, context.git)
        if !left.isEmpty { codes.append(.failure) }
        tell(purged, left, page)
        if context.isJSON {
            context.terminal.write(try JSONOutput.text(PurgeOutput(purged: purged, remotes: remotes, left: left)))
        }
        for entry in setAside { context.tell(entry) }
        return ExitCode(gravestOf: codes)
    }

    private func tell(_ purged: [RevisionPurge.Purge], _ left: [String], _ page: PageName) {
        if !context.isJSON {
            for purge in purged {
                let title = TerminalText.safe(purge.page.prefixedTitle)
                context.terminal.write("\(title): revision \(purge.revision) purged\n")
            }
            if purged.isEmpty {
                context.terminal.write("\(TerminalText.safe(page.prefixedTitle)): nothing was left to purge\n")
            }
        }
        guard !left.isEmpty else { return }
        let isCopied = left.contains { $0.hasPrefix("refs/remotes/") }
        let more = isCopied ? "; what is below refs/remotes is at that remote, too" : ""
        context.note(
            """
            git-talk: what was purged is still in the store, since these refer to it: \(left.joined(separator: ", "))\(more)
            hint: delete them, then: git talk pull --recheck
            """)
    }
}

/// `git talk purge --json`, schema `Schema/cli/purge.schema.json`.
private struct PurgeOutput: Encodable {
    struct Purge: Encodable {
        let page: String
        let parts: [String]
        let revision: Int64
        let wiki: String
    }
    struct Remote: Encodable {
        let name: String
        let reached: Bool
    }

    let schema = 1
    let left: [String]
    let purged: [Purge]
    let remotes: [Remote]

    init(purged: [RevisionPurge.Purge], remotes: [Remote], left: [String]) {
        self.left = left
        self.remotes = remotes
        self.purged = purged.map {
            Purge(
                page: $0.page.prefixedTitle, parts: $0.parts.words, revision: $0.revision.rawValue, wiki: $0.page.wiki)
        }
    }
}
