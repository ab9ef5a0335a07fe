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
        /// Another text for what is in the outbox; `about` says what that is.
        case change(OutboxEntry, about: String)
    }

    let context: Context
    let store: Store
    let kind: Kind
    private var lock: HeldLock?
    /// What came from standard input, which nobody can read again.
    private var received: [UInt8]?

    init(context: Context, store: Store, kind: Kind) {
        self.context = context
        self.store = store
        self.kind = kind
    }

    private static let emptyHeading = "==  =="

    private var noun: String {
        switch kind {
        case .reply: "reply"
        case .topic: "topic"
        case .change(let entry, _): entry.reply.kind.rawValue
        }
    }

    private var verb: String {
        switch kind {
        case .reply: "reply"
        case .topic: "new"
        case .change(let entry, _): "outbox edit \(entry.reply.id)"
        }
    }

    private var file: String {
        switch kind {
        case .reply: store.layout.draft
        case .topic: store.layout.topicDraft
        case .change(let entry, _): store.layout.changeDraft(entry.reply.id)
        }
    }

    /// The user's text; throws `invalid` when it is empty or only white space.
    mutating func text(_ arguments: Arguments, isFromInput: Bool = false) async throws -> String {
        if isFromInput, arguments.has("message") || arguments.has("file") {
            throw UsageError("- excludes -m and -F")
        }
        let text: String
        if let message = arguments["message"] {
            if arguments.has("file") { throw UsageError("-m and -F exclude each other") }
            text = message
        } else if let name = arguments["file"], name != "-" {
            text = try read(context.surroundings.path(name), name)
        } else if context.terminal.isInputInteractive, !isFromInput, arguments["file"] == nil {
            text = try await edited()
        } else {
            let bytes = context.terminal.readAll()
            received = bytes
            guard let decoded = WrittenText.decode(bytes) else {
                throw kept(
                    TalkError(
                        .invalid, "what came on standard input is not text in UTF-8, so nothing was queued",
                        hint: "convert it with iconv and give it with -F"))
            }
            text = decoded
        }
        try check(text)
        return text
    }

    /// Throws `invalid` for a text without a word, or with characters that no wiki can keep.
    func check(_ text: String) throws(TalkError) {
        do throws(TalkError) {
            try WrittenText.check(text, noun)
        } catch {
            throw text.allSatisfy(\.isWhitespace) ? error : kept(error)
        }
    }

    /// An error because of which the text is not queued, with where the text is kept that would be lost otherwise.
    func kept(_ error: TalkError) -> TalkError {
        guard let received, !received.isEmpty else { return error }
        let path = store.layout.refusedText(context.surroundings.milliseconds())
        guard
            FileManager.default.createFile(
                atPath: path, contents: Data(received), attributes: [.posixPermissions: 0o600])
        else { return error }
        let hint = error.hint.map { "the text is kept in \(path); \($0)" } ?? "the text is kept in \(path)"
        return TalkError(error.kind, error.message, hint: hint, underlying: error.underlying)
    }

    /// Says what becomes of a text that was only looked at.
    func tellKept() {
        guard lock != nil else { return }
        context.note("hint: your text is kept, and offered again by: git talk \(verb)")
    }

    /// Removes the editor's file: its text is in the outbox now.
    func finish() {
        if lock != nil { try? FileManager.default.removeItem(atPath: file) }
    }

    private func read(_ path: String, _ name: String) throws(TalkError) -> String {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw TalkError(.invalid, "the file \(name) cannot be read", hint: "check its name and permissions")
        }
        guard let text = WrittenText.decode(Array(data)) else {
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
        guard
            let kept = WrittenText.decode(Array(left ?? Data())).map({
                Self.withoutEmptyHeading(EditorText.body(of: $0, about: nil))
            })
        else {
            throw TalkError(
                .invalid, "what is left of an earlier \(noun) in \(file) is not text in UTF-8",
                hint: "save it as UTF-8, or remove the file")
        }
        let lines =
            ["Write the \(noun) above, in wikitext; the signature is added for you. An empty \(noun) is not queued."]
            + explanation + (kept.isEmpty ? [] : ["What stands above is left from a \(noun) that was not queued."])
        let start = EditorText.file(kept.isEmpty ? beginning : kept, about: lines)
        do { try Data(start.utf8).write(to: URL(filePath: file), options: .atomic) } catch {
            throw TalkError(
                .unwritable, "the file for the editor cannot be written", hint: "give the text with -m or -F")
        }
        try context.programs.edit(file, for: verb)
        return Self.withoutEmptyHeading(EditorText.body(of: try read(file, file), about: lines))
    }

    /// What a new text begins with.
    private var beginning: String {
        switch kind {
        case .topic(heading: nil): Self.emptyHeading + "\n"
        case .change(let entry, _): entry.reply.text
        default: ""
        }
    }

    /// What is answered, or what the heading is, as lines of ours.
    private var explanation: [String] {
        switch kind {
        case .reply(let item):
            ["You answer \(item.author == nil ? "the topic" : item.shownAuthor):", item.text]
        case .topic(heading: nil): ["The heading stands between the equals signs of the first line."]
        case .topic(let heading?): ["Its heading: \(heading.split(whereSeparator: \.isNewline).joined(separator: " "))"]
        case .change(_, let about): [about]
        }
    }

    /// A heading that nobody filled in is no text.
    private static func withoutEmptyHeading(_ text: String) -> String {
        guard text.hasPrefix(emptyHeading) else { return text }
        return text.dropFirst(emptyHeading.count).trimmingCharacters(in: .newlines)
    }
}
