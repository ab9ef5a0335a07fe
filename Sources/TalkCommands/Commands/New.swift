internal import TalkPages
internal import TalkStore
internal import TalkSync

extension Verb {
    static let new = Verb(
        "new", .write, "Queue a new topic",
        synopsis: "<page> [-s <heading>] [-m <text> | -F <file> | -] [--preview] [--expires <when>]",
        details: """
            Works without network, and for a page that is not cached or does not exist yet. Without -s the text begins
            with its heading, == Heading ==. Heading and text are wikitext; the signature is added for you. Without -m,
            -F and - the text is read from standard input, or on a terminal from your editor. The topic shows in the page
            at once and is posted by 'git talk sync'.
            """,
        options: [Option("subject", letter: "s", value: "<heading>", "the heading of the topic")]
            + Writing.options("the text of the topic"),
        examples: ["git talk new Talk:Bridge -s 'Its age' -m 'The inscription says 1742.'"]
    ) { arguments, context in
        let isFromInput = arguments.positional.count == 2 && arguments.positional[1] == "-"
        try arguments.expect(1...(isFromInput ? 2 : 1), "page")
        let store = try context.store()
        var draft = try WritingDraft(arguments, context, store, .topic, isFromInput: isFromInput)
        return try await draft.keeping { draft in
            let named = try context.page(arguments.positional[0], store.reader)
            try await CachedThreads.healForWriting(named, store, context)
            let writing = try Writing(arguments, context, store, named)
            var heading = arguments["subject"]
            // What is wrong with the page or the heading is said before anybody writes.
            _ = try await writing.composer.prepareTopic(heading ?? "x", on: named.page)
            var text = try await draft.text(
                about: [
                    heading.map { "Its heading: \($0.split(whereSeparator: \.isNewline).joined(separator: " "))" }
                        ?? "The heading stands between the equals signs of the first line."
                ],
                beginning: heading == nil ? WritingDraft.beginningOfTopic : "")
            if heading == nil, let leading = TopicHeading.leading(text) { (heading, text) = leading }
            guard let heading, !heading.allSatisfy(\.isWhitespace) else {
                throw TalkError(
                    .invalid, "the topic has no heading, so nothing was queued",
                    hint: "give it with -s, or begin the text with == Heading ==")
            }
            try draft.check(text)
            let prepared = try await writing.composer.prepareTopic(heading, on: named.page)
            if arguments.has("preview") {
                defer { draft.tellKept() }
                return try await writing.preview(text, prepared)
            }
            return try await writing.queue(text, prepared, &draft)
        }
    }
}
