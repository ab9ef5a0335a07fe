internal import TalkPages

extension Verb {
    static let text = Verb(
        "text", .plumbing, "Print a stored HTML file as text", synopsis: "<file>.html",
        details: """
            One line a block; headings are marked as in wikitext, lists keep their marks, a link is its text, an image
            its alternative text. 'git talk setup-diff' makes git use it.
            """,
        examples: ["git talk text en.wikipedia.org/User_talk/Example/lede.html"]
    ) { arguments, context in
        let files = try PlumbingFiles(arguments, context, required: [], files: 1)
        let text = TerminalText.safe(try ReadableText.text(of: try files.page(0)))
        context.terminal.write(text.isEmpty ? "" : text + "\n")
        return .done
    }
}
