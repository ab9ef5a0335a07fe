internal import Foundation
internal import TalkPages
internal import TalkStore

/// Where the text of a reply or a topic comes from.
struct WritingDraft {
    /// What is written.
    enum Kind {
        case reply(to: ThreadItem)
        /// A topic; without a heading the text begins with one.
        case topic(heading: String?)
    }

    let context: Context
    let store: Store
    let kind: Kind
    private var lock: HeldLock?

    init(context: Context, store: Store, kind: Kind) {
        self.context = context
        self.store = store
        self.kind = kind
    }

    private static let scissors = "# ------------------------ >8 ------------------------"
    private static let emptyHeading = "==  =="

    private var isTopic: Bool { if case .topic = kind { true } else { false } }
    private var file: String { isTopic ? store.layout.topicDraft : store.layout.draft }
    private var noun: String { isTopic ? "topic" : "reply" }
    private var verb: String { isTopic ? "new" : "reply" }

    /// The user's text; throws `invalid` when it is empty or only white space.
    mutating func text(_ arguments: Arguments, isFromInput: Bool) async throws -> String {
        let text: String
        if isFromInput, arguments.has("message") || arguments.has("file") {
            throw UsageError("- excludes -m and -F")
        }
        if let message = arguments["message"] {
            if arguments.has("file") { throw UsageError("-m and -F exclude each other") }
            text = message
        } else if let name = arguments["file"], name != "-" {
            text = try read(context.surroundings.path(name), name)
        } else if context.terminal.isInputInteractive, !isFromInput, arguments["file"] == nil {
            text = try await edited()
        } else {
            text = context.terminal.readAll()
        }
        try check(text)
        return text
    }

    /// Throws `invalid` for a text that is empty or only white space.
    func check(_ text: String) throws(TalkError) {
        guard text.allSatisfy(\.isWhitespace) else { return }
        throw TalkError(
            .invalid, "the \(noun) is empty, so nothing was queued",
            hint: "give the text with -m, -F or in the editor")
    }

    /// Says what becomes of a text that was only looked at.
    func tellKept() {
        guard lock != nil else { return }
        context.note("hint: your text is kept, and the next git talk \(verb) offers it again")
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

    private mutating func edited() async throws(TalkError) -> String {
        lock = try await store.draftLock()
        guard lock != nil else {
            throw TalkError(
                .busy, "another reply is in an editor", hint: "finish that one first, or give the text with -m or -F")
        }
        // What a killed editor left is picked up again.
        let left = FileManager.default.contents(atPath: file)
        guard let kept = String(validating: left ?? Data(), as: UTF8.self).map(Self.body).map(Self.withoutEmptyHeading)
        else {
            throw TalkError(
                .invalid, "what is left of an earlier \(noun) in \(file) is not text in UTF-8",
                hint: "save it as UTF-8, or remove the file")
        }
        let template = """
            \(kept.isEmpty ? beginning : kept)

            \(Self.scissors)
            # Write the \(noun) above, in wikitext; the signature is added for you. An empty \(noun) is not queued.
            \(explanation)\(kept.isEmpty ? "" : "# What stands above is left from a \(noun) that was not queued.\n")
            """
        do { try Data(template.utf8).write(to: URL(filePath: file), options: .atomic) } catch {
            throw TalkError(
                .unwritable, "the file for the editor cannot be written", hint: "give the text with -m or -F")
        }
        try context.programs.edit(file, for: verb)
        return Self.withoutEmptyHeading(Self.body(try read(file, file)))
    }

    /// What a new text begins with.
    private var beginning: String { if case .topic(heading: nil) = kind { Self.emptyHeading + "\n" } else { "" } }

    /// What is answered, or what the heading is, as lines that are cut off.
    private var explanation: String {
        switch kind {
        case .reply(let item):
            let quote = item.text.split(separator: "\n").map { "# \($0)\n" }.joined()
            return "# You answer \(item.author.flatMap { $0.isEmpty ? nil : $0 } ?? "the topic"):\n\(quote)"
        case .topic(heading: nil): return "# The heading stands between the equals signs of the first line.\n"
        case .topic(let heading?):
            return "# Its heading: \(heading.split(whereSeparator: \.isNewline).joined(separator: " "))\n"
        }
    }

    private static func body(_ text: String) -> String {
        let end = (text.range(of: "\n" + scissors) ?? text.range(of: scissors))?.lowerBound ?? text.endIndex
        return text[..<end].trimmingCharacters(in: .newlines)
    }

    /// A heading that nobody filled in is no text.
    private static func withoutEmptyHeading(_ text: String) -> String {
        guard text.hasPrefix(emptyHeading) else { return text }
        return text.dropFirst(emptyHeading.count).trimmingCharacters(in: .newlines)
    }
}
