internal import TalkPages
internal import TalkStore
internal import TalkSync

extension Verb {
    static let reply = Verb(
        "reply", .write, "Queue a reply to a comment or topic",
        synopsis: "<page> <comment> [-m <text> | -F <file> | -] [--preview] [--expires <when>]",
        details: """
            Works without network. <comment> is a code that 'git talk show' prints, or an id or its beginning; one of your
            own that is not posted yet can be answered, too, by the id that 'git talk outbox' prints. The text is
            wikitext; the signature is added for you. Without -m, -F and - it is read from standard input, or on a
            terminal from your editor. The reply shows in the page at once and is posted by 'git talk sync'.
            Configuration, of the store: talk.expire, days after which a reply that could not be posted is set aside (7);
            talk.sync, which set to auto posts it at once where the wiki answers (manual).
            """,
        options: Writing.options("the text of the reply"),
        examples: ["git talk reply User_talk:Example 3fa9c1 -m 'Thanks!'"]
    ) { arguments, context in
        let isFromInput = arguments.positional.count == 3 && arguments.positional[2] == "-"
        try arguments.expect(2...(isFromInput ? 3 : 2), arguments.positional.isEmpty ? "page" : "comment")
        let store = try context.store()
        var draft = try WritingDraft(arguments, context, store, .reply, isFromInput: isFromInput)
        return try await draft.keeping { draft in
            let named = try context.page(arguments.positional[0], store.reader)
            try await CachedThreads.healForWriting(named, store, context)
            let threads = try await CachedThreads.current(of: named, store, context)
            let index = try ItemSelection.item(arguments.positional[1], in: threads.items, of: named.page)
            let writing = try Writing(arguments, context, store, named)
            let prepared = try await writing.composer.prepare(named.page, threads, item: index)
            let item = threads.items[index]
            let text = try await draft.text(
                about: ["You answer \(item.author == nil ? "the topic" : item.shownAuthor):", item.text])
            if arguments.has("preview") {
                defer { draft.tellKept() }
                return try await writing.preview(text, prepared)
            }
            return try await writing.queue(text, prepared, &draft)
        }
    }
}
