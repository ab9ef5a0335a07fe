internal import Foundation
internal import TalkPages
internal import TalkStore
internal import TalkSync

extension Verb {
    static let reply = Verb(
        "reply", .write, "Queue a reply to a comment or topic", synopsis: "<page> <comment> [-m <text> | -F <file>]",
        details: """
            Works without network. <comment> is a code that 'git talk show' prints, or an id or its beginning. The text
            is wikitext; the signature is added for you. Without -m and -F it is read from standard input, or on a
            terminal from your editor. The reply shows in the page at once and is posted by 'git talk sync'.
            Configuration, of the store: talk.expire, days after which a reply that could not be posted is set aside (7).
            """,
        options: [
            Option("message", letter: "m", value: "<text>", "the text of the reply"),
            Option("file", letter: "F", value: "<file>", "read the text from a file; - is standard input"),
        ],
        examples: ["git talk reply User_talk:Example 3fa9c1 -m 'Thanks!'"]
    ) { arguments, context in
        try arguments.expect(2...2, arguments.positional.isEmpty ? "page" : "comment")
        let store = try context.store()
        let named = try context.page(arguments.positional[0], store.reader)
        guard let cached = try await PageThreads.current(of: named.page, store: store, wiki: named.wiki) else {
            throw TalkError(
                .notFound, "\(named.page) is not cached",
                hint: "git talk pull \(ShellWord.quoted(named.wiki.url(of: named.page)))")
        }
        let threads = try await PageThreads(store: store, wiki: named.wiki).newest(
            cached, store.state(of: named.page), of: named.page)
        let index = try target(arguments.positional[1], threads, named)
        let composer = ReplyComposer(store: store, wiki: named.wiki)
        let prepared = try await composer.prepare(named.page, threads, item: index)
        var draft = ReplyDraft(context: context, store: store)
        let text = try await draft.text(arguments, answering: threads.items[index])
        let account = context.loginName(named.wiki, store.reader).map(Context.account) ?? ""
        for warning in try composer.warnings(text, to: prepared, account: account) {
            context.note("warning: \(TerminalText.safe(warning))")
        }
        let days = Int64(store.reader.configuration.integer("talk.expire") ?? 7)
        // Ids sort by the time of writing, also when the clock was set back.
        let last = try store.outbox().entries.last.flatMap { ReplyID.milliseconds(of: $0.reply.id) } ?? 0
        let moment = max(context.surroundings.milliseconds(), last + 1)
        let entry = try await composer.reply(
            text, to: prepared, account: account,
            id: ReplyID.make(milliseconds: moment, random: context.surroundings.random()),
            now: context.now, expires: context.now + days * 86_400)
        draft.finish()
        try report(entry, named, context)
        return .done
    }

    private static func target(_ text: String, _ threads: DerivedThreads, _ named: NamedPage) throws(TalkError) -> Int {
        let matches = ItemSelection.matches(text, in: threads.items)
        if matches.count == 1 { return matches[0] }
        let show = "git talk show \(ShellWord.quoted(named.page.prefixedTitle))"
        if matches.isEmpty {
            throw TalkError(
                .notFound, "no comment of \(named.page) matches “\(text)”", hint: "\(show) prints the codes")
        }
        let codes = ItemSelection.codes(threads.items)
        let names = matches.prefix(10).map { index in
            let item = threads.items[index]
            let words = item.author.map { "\($0), \(item.timestamp.map(TimeText.minute) ?? "")" } ?? item.text
            return "\(codes[index]) (\(words))"
        }
        throw TalkError(
            .notFound, "\(matches.count) comments of \(named.page) match “\(text)”: \(names.joined(separator: "; "))",
            hint: "give more of the code")
    }

    private static func report(_ entry: OutboxEntry, _ named: NamedPage, _ context: Context) throws {
        if context.isJSON { return context.terminal.write(try JSONOutput.text(ReplyOutput(entry))) }
        let whom = entry.account.isEmpty ? "" : " as \(entry.account)"
        context.terminal.write(
            "queued \(entry.reply.id): will be posted\(whom) on \(named.page) at \(named.wiki.key); git talk sync sends it\n"
        )
        if entry.account.isEmpty {
            context.note(
                "nobody is logged in at \(named.wiki.key); before it can be posted: git talk login \(ShellWord.quoted(named.wiki.server))"
            )
        }
    }
}

/// Where the text of a reply comes from.
struct ReplyDraft {
    let context: Context
    let store: Store
    private var lock: HeldLock?

    init(context: Context, store: Store) {
        self.context = context
        self.store = store
    }

    private var file: String { store.layout.draft }
    private static let scissors = "# ------------------------ >8 ------------------------"

    /// The user's text; throws `invalid` when it is empty or only white space.
    mutating func text(_ arguments: Arguments, answering item: ThreadItem) async throws -> String {
        let text: String
        if let message = arguments["message"] {
            if arguments.has("file") { throw UsageError("-m and -F exclude each other") }
            text = message
        } else if let name = arguments["file"], name != "-" {
            text = try read(context.surroundings.path(name), name)
        } else if context.terminal.isInputInteractive, arguments["file"] == nil {
            text = try await edited(answering: item)
        } else {
            text = context.terminal.readAll()
        }
        guard !text.allSatisfy(\.isWhitespace) else {
            throw TalkError(
                .invalid, "the reply is empty, so nothing was queued",
                hint: "give the text with -m, -F or in the editor")
        }
        return text
    }

    /// Removes the editor's file: its text is in the outbox now.
    func finish() {
        if lock != nil { try? FileManager.default.removeItem(atPath: file) }
    }

    private func read(_ path: String, _ name: String) throws(TalkError) -> String {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw TalkError(.invalid, "the file \(name) cannot be read", hint: "check its name and permissions")
        }
        guard let text = String(validating: data, as: UTF8.self) else {
            throw TalkError(.invalid, "the file \(name) is not text in UTF-8", hint: "convert it with iconv")
        }
        return text
    }

    private mutating func edited(answering item: ThreadItem) async throws(TalkError) -> String {
        lock = try await store.draftLock()
        guard lock != nil else {
            throw TalkError(
                .busy, "another reply is in an editor", hint: "finish that one first, or give the text with -m or -F")
        }
        let quote = item.text.split(separator: "\n").map { "# \($0)\n" }.joined()
        // What a killed editor left is picked up again.
        let left = FileManager.default.contents(atPath: file)
        guard
            let kept = String(validating: left ?? Data(), as: UTF8.self).map(Self.body)?.trimmingCharacters(
                in: .newlines)
        else {
            throw TalkError(
                .invalid, "what is left of an earlier reply in \(file) is not text in UTF-8",
                hint: "save it as UTF-8, or remove the file")
        }
        let template = """
            \(kept)

            \(Self.scissors)
            # Write the reply above, in wikitext; the signature is added for you. An empty reply is not queued.
            # You answer \(item.author ?? "the topic"):
            \(quote)\(kept.isEmpty ? "" : "# What stands above is left from a reply that was not queued.\n")
            """
        do { try Data(template.utf8).write(to: URL(filePath: file), options: .atomic) } catch {
            throw TalkError(
                .unwritable, "the file for the editor cannot be written", hint: "give the text with -m or -F")
        }
        try context.programs.edit(file)
        return Self.body(try read(file, file)).trimmingCharacters(in: .newlines)
    }

    private static func body(_ text: String) -> String {
        guard let cut = text.range(of: "\n" + scissors) ?? text.range(of: scissors) else { return text }
        return String(text[..<cut.lowerBound])
    }
}

/// `git talk reply --json`, schema `Schema/cli/reply.schema.json`.
private struct ReplyOutput: Encodable {
    let schema = 1
    let account: String
    let base: Int64
    let expires: String
    let id: String
    let page: String
    let state: String
    let target: String?
    let wiki: String

    init(_ entry: OutboxEntry) {
        account = entry.account
        base = entry.reply.base.rawValue
        expires = TimeText.iso(entry.reply.expires)
        id = entry.reply.id
        page = entry.page.prefixedTitle
        state = entry.state.rawValue
        target = entry.reply.target?.id
        wiki = entry.page.wiki
    }
}
