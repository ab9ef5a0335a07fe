internal import TalkPages
internal import TalkStore
internal import TalkSync

/// What `reply` and `new` have in common: from a text to the outbox, or to a preview.
struct Writing {
    let context: Context
    let store: Store
    let named: NamedPage
    private let expires: Int64
    private let posting: AutomaticSync

    /// Reads what the command line and the settings say, before anybody writes a text that would be lost.
    init(_ arguments: Arguments, _ context: Context, _ store: Store, _ named: NamedPage) throws {
        self.context = context
        self.store = store
        self.named = named
        expires = try ExpiryOption.time(arguments, context, store)
        posting = try AutomaticSync(context, store)
    }

    var composer: ReplyComposer { ReplyComposer(store: store, wiki: named.wiki) }

    static func options(_ message: String) -> [Option] {
        [
            Option("message", letter: "m", value: "<text>", message),
            Option("file", letter: "F", value: "<file>", "read the text from a file; - is standard input"),
            Option("preview", "show it as the wiki renders it; nothing is queued"),
            .expires,
        ]
    }

    private var account: String { context.loginName(named.wiki, store.reader).map(Context.account) ?? "" }

    /// Puts the text into the outbox and into the page.
    func queue(
        _ text: String, _ prepared: ReplyComposer.Prepared, _ draft: inout WritingDraft
    ) async throws -> ExitCode {
        let account = account
        for warning in try composer.warnings(text, to: prepared, account: account) {
            context.note("warning: \(TerminalText.safe(warning))")
        }
        // Ids sort by the time of writing, also when the clock was set back.
        let last = try store.outbox().entries.last.flatMap { ReplyID.milliseconds(of: $0.reply.id) } ?? 0
        let moment = max(context.surroundings.milliseconds(), last + 1)
        let entry = try await composer.reply(
            text, to: prepared, account: account,
            id: ReplyID.make(milliseconds: moment, random: context.surroundings.random()),
            now: context.now, expires: expires)
        await draft.finish()
        try report(entry)
        await posting.run(named.page)
        return .done
    }

    private func report(_ entry: OutboxEntry) throws {
        if context.isJSON { return context.terminal.write(try JSONOutput.text(WritingOutput(entry))) }
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

    // MARK: Preview

    /// Shows the text as the wiki renders it, or in place as it was written when the wiki cannot be asked.
    func preview(_ text: String, _ prepared: ReplyComposer.Prepared) async throws -> ExitCode {
        if context.isJSON { throw UsageError("--preview is for people; it has no --json form") }
        for warning in try composer.warnings(text, to: prepared, account: account) {
            context.note("warning: \(TerminalText.safe(warning))")
        }
        do throws(TalkError) {
            let items = try await rendered(text, prepared)
            show(items, items.indices.map { $0 })
            context.note("shown as \(named.wiki.key) renders it; nothing was queued")
            return .done
        } catch {
            guard error.kind == .unreachable else { throw error }
            let (items, new) = try composer.preview(text, at: prepared, now: context.now)
            show(items, new)
            context.terminal.tell(error)
            context.note("so this is the text as it was written, in its place; nothing was queued")
            return .later
        }
    }

    private func rendered(
        _ text: String, _ prepared: ReplyComposer.Prepared
    ) async throws(TalkError) -> [ThreadItem] {
        let session = try await WikiSession.open(named.wiki, context: context, store: store)
        if session.loginName != nil { try await session.logIn() }
        let name = try await session.api.userInfo().name
        return try await composer.preview(text, at: prepared, account: name, by: session.api)
    }

    /// Some items, the first new one below what it answers.
    private func show(_ items: [ThreadItem], _ new: [Int]) {
        let codes = items.map { _ in "" }
        let text = ThreadText(style: context.style, width: context.width, codes: codes)
        var shown = new
        if let first = new.first, let parent = items[first].parent, items.indices.contains(parent), parent < first,
            new.count < items.count
        {
            shown.insert(parent, at: 0)
        }
        context.show(shown.map { text.text(items, $0..<($0 + 1)) }.joined())
    }
}

/// `git talk reply --json` and `git talk new --json`, schemas `Schema/cli/reply.schema.json` and `new.schema.json`.
private struct WritingOutput: Encodable {
    let schema = 1
    let account: String
    let base: Int64
    let expires: String
    let heading: String?
    let id: String
    let page: String
    let state: String
    let target: String?
    let wiki: String

    init(_ entry: OutboxEntry) {
        account = entry.account
        base = entry.reply.base.rawValue
        expires = TimeText.iso(entry.reply.expires)
        heading = entry.reply.heading
        id = entry.reply.id
        page = entry.page.prefixedTitle
        state = entry.state.rawValue
        target = entry.reply.target?.id
        wiki = entry.page.wiki
    }
}
