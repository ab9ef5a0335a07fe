internal import TalkPages
internal import TalkStore

extension Verb {
    static let outbox = Verb(
        "outbox", .write, "List what is queued, held or was set aside",
        synopsis: "[show <id> | retry [--confirm] <id>]",
        details: """
            Works without network. What was posted is listed, too, on a terminal once. 'outbox show' prints the text of
            one reply; an id may be shortened. A reply that was set aside keeps its text here and under
            refs/discarded/<id>. One that is held waits, and those after it on its page with it, until 'outbox retry'
            puts it back into the queue: do that once what held it is gone. Where an edit filter warned or a captcha is asked,
            'outbox retry --confirm' says that you want it posted all the same.
            """,
        options: [OutboxConfirm.option],
        examples: ["git talk outbox", "git talk outbox show 01j9", "git talk outbox retry 01j9"]
    ) { arguments, context in
        let store = try context.store()
        let listing = try store.outbox()
        for id in listing.unreadable {
            context.note("git-talk: the journal of reply \(id) is damaged; its text is on the page's pending branch")
        }
        if arguments.positional.first == "show" {
            try arguments.expect(2...2, "id")
            let entry = try OutboxText.entry(arguments.positional[1], in: listing.entries)
            // Elsewhere the text comes out as it was written, to be put back.
            let text = context.terminal.isInteractive ? OutboxText.shown(entry.reply.text) : entry.reply.text
            context.terminal.write(context.isJSON ? try JSONOutput.text(OutboxOutput([entry])) : text + "\n")
            return .done
        }
        if arguments.positional.first == "retry" {
            try arguments.expect(2...2, "id")
            let id = try OutboxText.entry(arguments.positional[1], in: listing.entries).reply.id
            if arguments.has("confirm") { return try await OutboxConfirm(context: context, store: store).run(id) }
            let entry = try await store.updateEntry(id) { current in
                guard current.state == .held else { return false }
                current.state = .queued
                current.reason = nil
                return true
            }
            guard let entry, entry.state == .queued else {
                throw TalkError(.invalid, "the reply \(id) is not held", hint: "git talk outbox shows where it stands")
            }
            context.terminal.write(
                context.isJSON
                    ? try JSONOutput.text(OutboxOutput([entry])) : "queued \(id) again; git talk sync sends it\n")
            return .done
        }
        try arguments.expect(0...0, "")
        if context.isJSON {
            context.terminal.write(try JSONOutput.text(OutboxOutput(listing.entries)))
        } else if listing.entries.isEmpty {
            context.terminal.write("the outbox is empty\n")
        } else {
            context.show(listing.entries.map { OutboxText.lines($0, context) }.joined())
        }
        // A person has seen what became of them now.
        if context.terminal.isInteractive, !context.isJSON {
            for entry in listing.entries where entry.state == .posted { try await store.removeEntry(entry.reply.id) }
        }
        return .done
    }
}

/// The words about replies in the outbox.
enum OutboxText {
    static func lines(_ entry: OutboxEntry, _ context: Context) -> String {
        let what = entry.reply.target.map { target in
            target.author.map { "reply to \($0), \(target.timestamp.map(TimeText.minute) ?? "")" }
                ?? "reply to the topic"
        }
        var text = context.style.yellow(entry.reply.id) + "  " + context.style.bold(entry.state.rawValue)
        text += "  \(TerminalText.safe(entry.page.prefixedTitle))  \(TerminalText.safe(what ?? "new topic"))"
        if !entry.account.isEmpty { text += "  as \(TerminalText.safe(entry.account))" }
        if let revision = entry.postedRevision { text += "  revision \(revision)" }
        text += "\n"
        if let reason = entry.reason { text += "    \(TerminalText.safe(reason))\n" }
        let first = entry.reply.text.split(separator: "\n").first.map(String.init) ?? ""
        return text + "    “\(TerminalText.safe(first.count > 70 ? first.prefix(69) + "…" : first))”\n"
    }

    /// A text with its lines, and nothing in them that a terminal would obey.
    static func shown(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { TerminalText.safe(String($0)) }
            .joined(separator: "\n")
    }

    static func entry(_ id: String, in entries: [OutboxEntry]) throws(TalkError) -> OutboxEntry {
        let matches = entries.filter { $0.reply.id.hasPrefix(id.lowercased()) }
        if matches.count == 1 { return matches[0] }
        throw TalkError(
            .notFound,
            matches.isEmpty
                ? "no reply in the outbox has the id “\(id)”" : "several replies have ids that begin with “\(id)”",
            hint: "git talk outbox lists them")
    }

    static func tellSetAside(_ entry: OutboxEntry, _ context: Context) {
        context.note(
            "git-talk: a reply on \(entry.page) was set aside: \(entry.reason ?? "")\nhint: its text is kept: git talk outbox show \(entry.reply.id)"
        )
    }
}

/// `git talk outbox --json`, schema `Schema/cli/outbox.schema.json`.
struct OutboxOutput: Encodable {
    struct Entry: Encodable {
        let account: String
        let attempts: Int
        let base: Int64
        let created: String
        let expires: String
        let id: String
        let kind: String
        let page: String
        let postedRevision: Int64?
        let reason: String?
        let state: String
        let target: String?
        let text: String
        let wiki: String
    }

    let schema = 1
    let entries: [Entry]

    init(_ entries: [OutboxEntry]) {
        self.entries = entries.map { entry in
            Entry(
                account: entry.account, attempts: entry.attempts, base: entry.reply.base.rawValue,
                created: TimeText.iso(entry.reply.created), expires: TimeText.iso(entry.reply.expires),
                id: entry.reply.id, kind: entry.reply.kind.rawValue, page: entry.page.prefixedTitle,
                postedRevision: entry.postedRevision?.rawValue, reason: entry.reason, state: entry.state.rawValue,
                target: entry.reply.target?.id, text: entry.reply.text, wiki: entry.page.wiki)
        }
    }
}
