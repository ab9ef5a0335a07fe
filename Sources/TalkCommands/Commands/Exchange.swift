internal import TalkPages
internal import TalkStore
internal import TalkSync

extension Verb {
    static let exchange = Verb(
        "exchange", .exchange, "Bring this store and a git remote to the same state", synopsis: "[<remote>]",
        details: """
            Afterwards both have every revision, bookmark and purge that either had, whatever was pulled where and in which
            order; so a store goes from machine to machine over any git host. The remote is made by git itself:
            git -C <store> remote add hub <address>. It may be left out while there is only one, or when one is called
            origin. A page that was dropped with evict comes back only when it is bookmarked somewhere. Replies that are not
            on the wiki never leave this machine.

            A branch of the remote with anything in it that git-talk would not have written is named and left alone. The remote
            must allow that branches are sorted anew (receive.denyNonFastForwards must not be set there).
            """,
        examples: ["git talk exchange", "git talk exchange hub"]
    ) { arguments, context in
        try arguments.expect(0...1, "remote")
        let store = try context.store()
        let name = try Remotes.choose(arguments.positional.first, in: store)
        let exchange = Exchanging(context: context, store: store, remote: name)
        let result = try await exchange.run()
        await exchange.newWikis.ask(result.pages.map(\.page.wiki))
        if context.isJSON {
            context.terminal.write(try JSONOutput.text(ExchangeOutput(name, result)))
        } else {
            context.terminal.write(exchange.text(result))
        }
        return exchange.tell(result)
    }
}

/// The git remotes of a store.
enum Remotes {
    /// The remote that was named or, without a name, the only one or `origin`.
    static func choose(_ typed: String?, in store: Store) throws(TalkError) -> String {
        let names = try all(in: store)
        if let typed {
            if names.contains(typed) { return typed }
            let near = Arguments.nearest(typed, in: names)
            throw TalkError(
                .notFound, "the store has no remote “\(typed)”",
                hint: near.map { "git talk exchange \($0)" } ?? add(typed, store))
        }
        if names.count == 1 { return names[0] }
        if names.contains("origin") { return "origin" }
        if names.isEmpty {
            throw TalkError(.notFound, "the store has no remote to exchange with", hint: add("hub", store))
        }
        throw TalkError(
            .notFound, "the store has several remotes (\(names.joined(separator: ", ")))",
            hint: "name one: git talk exchange \(names[0])")
    }

    /// The remotes that have an address.
    static func all(in store: Store) throws(TalkError) -> [String] {
        let configuration = try store.configuration()
        return configuration.subsections(of: "remote").filter { configuration.string("remote.\($0).url") != nil }
    }

    private static func add(_ typed: String, _ store: Store) -> String {
        let isName = !typed.isEmpty && typed.utf8.allSatisfy { $0 != 0x2F && $0 != 0x3A && $0 > 0x20 }
        let address = isName ? "<address>" : ShellWord.quoted(typed)
        return "git -C \(ShellWord.quoted(store.layout.root)) remote add \(isName ? typed : "hub") \(address)"
    }
}

/// One exchange with a remote, and what is told of it.
struct Exchanging {
    let context: Context
    let store: Store
    let remote: String
    let newWikis: NewWikis

    init(context: Context, store: Store, remote: String) {
        self.context = context
        self.store = store
        self.remote = remote
        newWikis = NewWikis(context: context, store: store)
    }

    func run() async throws(TalkError) -> StoreExchange.Result {
        let surroundings = context.surroundings
        let exchange = StoreExchange(
            store: store, git: context.remoteGit, remote: remote, time: TimeText.iso(context.now)
        ) { attempt in
            surroundings.sleep(0.1 * Double(attempt) * (1 + surroundings.chance()))
        }
        let result = try await exchange.run { take throws(TalkError) in try await withhold(take) }
        if result.isFirst { try showReadme(result) }
        return result
    }

    /// Why the remote is given nothing.
    ///
    /// What only its members read is given to a remote only when the user said so for this remote; and so is what a wiki
    /// has that did not say yet whether everybody reads it.
    private func withhold(_ take: ExchangeTake) async throws(TalkError) -> String? {
        let configuration = try store.configuration()
        for key in take.wikis {
            let allowed = (configuration.text(.remotes, of: key) ?? "").split(separator: " ").map(String.init)
            if allowed.contains(remote) { continue }
            await newWikis.ask([key])
            let wiki = try store.wiki(key)
            if let wiki, wiki.isPrivate != true { continue }
            let reason =
                wiki == nil
                ? "it is not known whether only the members of \(key) read its pages"
                : "only the members of \(key) read its pages"
            let setting = Setting.remotes.name(of: key), terminal = context.terminal
            guard terminal.isInputInteractive, terminal.isErrorInteractive else {
                let value = ShellWord.quoted((allowed + [remote]).joined(separator: " "))
                let command =
                    "git -C \(ShellWord.quoted(store.layout.root)) config \(ShellWord.quoted(setting)) \(value)"
                return "\(reason); if whoever reads \(remote) may have them: \(command)"
            }
            terminal.writeError(
                Terminal.shown(
                    "\(reason.prefix(1).uppercased() + reason.dropFirst()). May everybody who reads \(remote) have them?"
                )
                    + " [y/N] ")
            guard ["y", "yes"].contains(terminal.readLine()?.lowercased() ?? "") else {
                return reason
            }
            try await store.configure(setting, to: (allowed + [remote]).joined(separator: " "))
        }
        return nil
    }

    /// A clone of the remote is to show the README.
    private func showReadme(_ result: StoreExchange.Result) throws(TalkError) {
        let repository = RemoteRepository(name: remote, git: context.remoteGit, directory: store.layout.root)
        guard try !repository.showsMain() else { return }
        context.note("hint: that a clone of \(remote) shows a README, there: git symbolic-ref HEAD refs/heads/main")
    }

    /// What went otherwise than it should, on standard error.
    func tell(_ result: StoreExchange.Result) -> ExitCode {
        for refusal in result.refused {
            context.note(
                "git-talk: \(Terminal.shown(refusal.name)) was left alone, here and at \(remote): \(refusal.reason)"
            )
        }
        if result.hasOtherMain {
            context.note("git-talk: the branch main of \(remote) is not that of a git-talk store, and was left alone")
        }
        if result.isStore {
            context.note(
                "\(remote) is a store itself and was given nothing; to take from here, there: git talk exchange")
        }
        if let withheld = result.withheld { context.note("git-talk: nothing was given to \(remote): \(withheld)") }
        tellDenied(result.denied)
        for entry in result.setAside { context.tell(entry) }
        var codes: [ExitCode] = []
        if !result.denied.isEmpty { codes.append(.refused) }
        if !result.refused.isEmpty || result.withheld != nil { codes.append(.failure) }
        return ExitCode(gravestOf: codes)
    }

    /// What was done, a line a page.
    func text(_ result: StoreExchange.Result) -> String {
        var text = ""
        for page in result.pages {
            let title = TerminalText.safe(page.page.prefixedTitle)
            if !page.written.isEmpty {
                let revisions = TimeText.count(page.written.count, "revision")
                text += "\(title): \(revisions) taken\(page.isNew ? ", a new page" : "")\n"
            }
            for (id, parts) in page.purged.sorted(by: { $0.key < $1.key }) {
                text += "\(title): \(parts.text(of: id)) purged\n"
            }
        }
        if result.bookmarks > 0 { text += "bookmarks: \(TimeText.count(result.bookmarks, "change")) taken\n" }
        let words = given(result.given.map(\.reference))
        if !words.isEmpty { text += "\(words.joined(separator: " and ")) given to \(remote)\n" }
        guard text.isEmpty else { return text }
        let isEqual = result.denied.isEmpty && result.withheld == nil && !result.isStore
        return "\(remote) has nothing new\(isEqual ? ", and lacks nothing" : "")\n"
    }

    /// References in words; what only comes along has none.
    private func given(_ references: [String]) -> [String] {
        let branches = references.count {
            $0.utf8.starts(with: "refs/heads/".utf8) && $0 != StoreLayout.mainBranch
        }
        var words = branches > 0 ? [TimeText.count(branches, "branch", "branches")] : []
        if references.contains("refs/meta/bookmarks") { words.append("the bookmarks") }
        if references.contains("refs/meta/purged") { words.append("what was purged") }
        return words.isEmpty && references.contains(StoreLayout.mainBranch) ? ["the README"] : words
    }

    private func tellDenied(_ denied: [PushOutcome.Denial]) {
        for (reason, changes) in Dictionary(grouping: denied, by: \.reason).sorted(by: { $0.key < $1.key }) {
            let branches = TimeText.count(changes.count, "branch", "branches")
            context.note("git-talk: \(remote) refused \(branches): \(Terminal.shown(reason))")
            if let hint = Self.hint(reason) { context.note("hint: \(hint)") }
        }
    }

    /// What to change at a remote that refuses.
    static func hint(_ reason: String) -> String? {
        let rules: [(word: String, hint: String)] = [
            ("non-fast-forward", "branches are sorted anew; on the hub: git config receive.denyNonFastForwards false"),
            ("deletion prohibited", "what was purged is still there; on the hub: git config receive.denyDeletes false"),
            ("hidden ref", "it is a store itself; there: git talk exchange"),
            ("current branch", "on the hub: git symbolic-ref HEAD refs/heads/main"),
            ("hook declined", "the hub protects its branches: allow forced pushes there"),
            ("protected branch", "the hub protects its branches: allow forced pushes there"),
            (
                "unpacker error",
                "the hub could not store it: see whether its disk is full, and whether you may write there"
            ),
        ]
        return rules.first { reason.contains($0.word) }?.hint
    }
}

/// `git talk exchange --json`, schema `Schema/cli/exchange.schema.json`.
struct ExchangeOutput: Encodable {
    struct Page: Encodable {
        let gone: Bool
        let new: Bool
        let page: String
        let purged: [Purge]
        let revisions: [Int64]
        let wiki: String
    }
    struct Purge: Encodable {
        let parts: [String]
        let revision: Int64
    }
    struct Reason: Encodable {
        let name: String
        let reason: String
    }

    let schema = 1
    let bookmarks: Int
    let denied: [Reason]
    let given: [String]
    let pages: [Page]
    let refused: [Reason]
    let remote: String
    let setAside: [String]
    let withheld: String?

    init(_ remote: String, _ result: StoreExchange.Result) {
        self.remote = remote
        bookmarks = result.bookmarks
        denied = result.denied.map { Reason(name: $0.change.reference, reason: $0.reason) }
        given = result.given.map(\.reference)
        pages = result.pages.map { page in
            Page(
                gone: page.isGone, new: page.isNew, page: page.page.prefixedTitle,
                purged: page.purged.sorted { $0.key < $1.key }.map {
                    Purge(parts: $0.value.words, revision: $0.key.rawValue)
                }, revisions: page.written.map(\.rawValue), wiki: page.page.wiki)
        }
        refused = result.refused.map { Reason(name: $0.name, reason: $0.reason) }
        setAside = result.setAside.map(\.reply.id)
        withheld = result.withheld
    }
}
