internal import TalkPages
internal import TalkStore
internal import TalkSync

extension Verb {
    static let outbox = Verb(
        "outbox", .write, "See and change what is queued, held or was set aside",
        synopsis:
            "[list | show <id> | edit <id> | hold <id>… | retry <id>… | drop <id>… | restore <id> | ack [<id>…]]",
        details: """
            Works without network. An id may be shortened.
              list      what waits, what became of the others until you have seen it, and what was set aside (default)
              show      one reply: its text, where it goes and where it stands; elsewhere than a terminal the text alone
              edit      change the text of one that is queued or held: from -m, -F, standard input or your editor
              hold      keep it back, and those after it on its page with it, until 'retry'
              retry     put what is held into the queue again: do that once what held it is gone; with --confirm also
                        what an edit filter warned of or a captcha is asked for
              drop      give it up; its text is kept under refs/discarded/<id>, unless --forget
              restore   put what was set aside back into the queue: where it was, or --to another place
              ack       you know what became of them, or of all: they are not told again
            """,
        options: OutboxVerb.options,
        examples: [
            "git talk outbox", "git talk outbox edit 01j9", "git talk outbox restore 01j9",
            "git talk outbox restore 01j9 --to User_talk:Example/Archive_2",
        ]
    ) { arguments, context in
        let name = arguments.positional.first ?? "list"
        guard let verb = OutboxVerb.all.first(where: { $0.name == name }) else {
            let near = Arguments.nearest(name, in: OutboxVerb.all.map(\.name))
            throw UsageError("unknown word '\(name)'" + (near.map { "; did you mean '\($0)'?" } ?? ""))
        }
        for option in OutboxVerb.options where arguments.has(option.name) && !verb.options.contains(option.name) {
            throw UsageError("'outbox \(name)' takes no option '--\(option.name)'")
        }
        let words = Array(arguments.positional.dropFirst())
        if words.count < verb.words.lowerBound { throw UsageError("no id was given", isIncomplete: true) }
        if words.count > verb.words.upperBound {
            throw UsageError("unexpected argument '\(words[verb.words.upperBound])'")
        }
        return try await verb.run(OutboxCall(arguments: arguments, words: words, context: context))
    }
}

/// One of the words after `outbox`.
struct OutboxVerb: Sendable {
    let name: String
    /// How many words follow it.
    let words: ClosedRange<Int>
    let options: Set<String>
    let run: @Sendable (OutboxCall) async throws -> ExitCode

    /// The options of all of them.
    static let options: [Option] =
        [
            Option("message", letter: "m", value: "<text>", "edit: the new text"),
            Option("file", letter: "F", value: "<file>", "edit: read the text from a file; - is standard input"),
            Option("forget", "drop: delete the text, too"),
            Option("force", "drop: also one that may be on the wiki already, without looking"),
            Option("not-posted", "retry: you looked, and it is not on the wiki"),
            OutboxConfirm.option,
            Option("posted", value: "<revision>", "ack: you looked, and a held reply is on the wiki as that revision"),
            Option("to", value: "<page>", "restore: put it there, as an answer to the comment or topic that follows"),
            .expires,
        ]

    static let all = [
        OutboxVerb(name: "list", words: 0...0, options: []) { try await $0.list() },
        OutboxVerb(name: "show", words: 1...1, options: []) { try await $0.show() },
        OutboxVerb(name: "edit", words: 1...1, options: ["message", "file"]) { try await $0.edit() },
        OutboxVerb(name: "hold", words: 1...100, options: []) { try await $0.hold() },
        OutboxVerb(name: "retry", words: 1...100, options: ["not-posted", "confirm"]) { try await $0.retry() },
        OutboxVerb(name: "drop", words: 1...100, options: ["forget", "force"]) { try await $0.drop() },
        OutboxVerb(name: "restore", words: 1...2, options: ["to", "expires"]) { try await $0.restore() },
        OutboxVerb(name: "ack", words: 0...100, options: ["posted"]) { try await $0.acknowledge() },
    ]
}

/// A call of `git talk outbox`, with what is in the outbox.
struct OutboxCall: Sendable {
    let arguments: Arguments
    /// What follows the verb: ids.
    let words: [String]
    let context: Context
    let store: Store
    /// What has a journal, even a damaged one, and what was set aside and has none any more, in the order of writing.
    let entries: [OutboxEntry]

    init(arguments: Arguments, words: [String], context: Context) async throws(TalkError) {
        self.arguments = arguments
        self.words = words
        self.context = context
        store = try context.store()
        let listing = try store.outbox()
        let standing = try await listing.entries + store.damagedEntries()
        let known = Set(standing.map(\.reply.id))
        let others = try await store.discarded().map(\.setAsideEntry).filter { !known.contains($0.reply.id) }
        entries = (standing + others).sorted { $0.reply.id < $1.reply.id }
        for id in listing.unreadable {
            let isText = entries.contains { $0.reply.id == id }
            let hint =
                isText ? "see its text: git talk outbox show \(id)" : "look into it: \(store.layout.outboxEntry(id))"
            context.note("git-talk: the journal of reply \(id) is damaged, so it is not sent\nhint: \(hint)")
        }
    }

    var actions: OutboxActions { OutboxActions(store: store) }

    /// The reply whose id begins so; throws `notFound` when none or several do.
    func entry(_ word: String) throws(TalkError) -> OutboxEntry {
        let matches = entries.filter { !word.isEmpty && $0.reply.id.hasPrefix(word.lowercased()) }
        if matches.count == 1 { return matches[0] }
        if matches.isEmpty {
            throw TalkError(
                .notFound, "no reply in the outbox has the id “\(word)”", hint: "see which there are: git talk outbox")
        }
        let ids = matches.prefix(10).map(\.reply.id).joined(separator: ", ")
        throw TalkError(
            .notFound, "\(matches.count) replies have ids that begin with “\(word)”: \(ids)",
            hint: "give more of the id")
    }

    /// Does something to each reply that is named, and says for each that it is done.
    func each(_ act: (OutboxEntry) async throws(TalkError) -> (OutboxEntry, String)) async throws -> ExitCode {
        let named = try words.map { word throws(TalkError) in try entry(word) }
        var done: [OutboxEntry] = []
        for entry in named where !done.contains(where: { $0.reply.id == entry.reply.id }) {
            let (changed, line) = try await act(entry)
            done.append(changed)
            if !context.isJSON { context.terminal.write(line + "\n") }
        }
        if context.isJSON { context.terminal.write(try JSONOutput.text(OutboxOutput(done, store.reader))) }
        return .done
    }
}
