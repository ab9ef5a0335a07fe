internal import Foundation
internal import TalkPages

extension Verb {
    static let text = Verb(
        "text", .plumbing, "Print a stored HTML file as text", synopsis: "<file>",
        details: """
            One line a block; headings are marked as in wikitext, lists keep their marks, a link is its text, an image
            its alternative text. 'git talk setup-diff' makes git use it.
            """,
        examples: ["git talk text en.wikipedia.org/User_talk/Example/lede.html"]
    ) { arguments, context in
        try arguments.expect(1...1, "the file")
        let path = context.surroundings.path(arguments.positional[0])
        let data: Data
        do { data = try Data(contentsOf: URL(filePath: path)) } catch {
            throw TalkError(.notFound, "the file cannot be read: \(path)", underlying: error)
        }
        let text = TerminalText.safe(try ReadableText.text(of: String(decoding: data, as: UTF8.self)))
        context.terminal.write(text.isEmpty ? "" : text + "\n")
        return .done
    }
}
