internal import TalkPages

extension Verb {
    static let place = Verb(
        "place", .plumbing, "Print an HTML page with a reply where the wiki would put it",
        synopsis: "--site <file> --id <id> --indent invisible|bullet --text <text> <page.html>",
        details: "Needs no store. A comment that comes from another page is refused, and that page is named.",
        options: [
            .site, Option("id", value: "<id>", "id of the heading or comment that is answered"),
            Option("indent", value: "<how>", "invisible for ':', bullet for '*'"),
            Option("text", value: "<text>", "the reply"),
        ]
    ) { arguments, context in
        let files = try PlumbingFiles(arguments, context, required: ["site", "id", "indent", "text"], files: 1)
        guard let indentation = ReplyIndentation(rawValue: arguments["indent"] ?? "") else {
            throw UsageError("--indent is either invisible or bullet")
        }
        let text = try ReplyPlacement.insert(
            arguments["text"] ?? "", under: arguments["id"] ?? "", inText: try files.page(0),
            parser: try files.parser(),
            indentation: indentation)
        context.terminal.write(text)
        return .done
    }
}
