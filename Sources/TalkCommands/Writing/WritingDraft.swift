internal import Foundation
internal import TalkPages
internal import TalkStore

/// Where the text of a reply or a topic comes from, and where it stays when it cannot be queued.
struct WritingDraft {
    /// What is written.
    enum Kind {
        case reply
        case topic
        /// Another text for what is in the outbox; nil for what is not there.
        case change(OutboxEntry?)
    }

    /// Where the text is.
    private enum Source {
        case message(String)
        case file(String)
        case input
        case editor
    }

    let context: Context
    let store: Store
    let kind: Kind
    private let source: Source
    private var lock: HeldLock?
    /// The text as it was given.
    private var given: [UInt8]?
    private var isQueued = false

    /// Takes what the command line says of the text; nothing is read yet.
    init(
        _ arguments: Arguments, _ context: Context, _ store: Store, _ kind: Kind, isFromInput: Bool = false
    ) throws(UsageError) {
        if isFromInput, arguments.has("message") || arguments.has("file") {
            throw UsageError("- excludes -m and -F")
        }
        if arguments.has("message"), arguments.has("file") { throw UsageError("-m and -F exclude each other") }
        self.context = context
        self.store = store
        self.kind = kind
        if let message = arguments["message"] {
            source = .message(message)
        } else if let name = arguments["file"], name != "-" {
            source = .file(name)
        } else if context.terminal.isInputInteractive, !isFromInput, arguments["file"] == nil {
            source = .editor
        } else {
            source = .input
        }
    }

    private static let emptyHeading = "==  =="

    private var noun: String {
        switch kind {
        case .reply: "reply"
        case .topic: "topic"
        case .change(let entry): entry?.reply.kind.rawValue ?? "reply"
        }
    }

    private var verb: String {
        switch kind {
        case .reply: "reply"
        case .topic: "new"
        case .change(let entry): "outbox edit \(entry?.reply.id ?? "<id>")"
        }
    }

    /// Where the editor gets the text, and finds it again.
    private var file: String? {
        switch kind {
        case .reply: store.layout.draft
        case .topic: store.layout.topicDraft
        case .change(let entry): entry.map { store.layout.changeDraft($0.reply.id) }
        }
    }

    /// Runs what queues the text; when that fails, the text is kept for the next call.
    mutating func keeping(_ body: (inout WritingDraft) async throws -> ExitCode) async throws -> ExitCode {
        do {
            return try await body(&self)
        } catch let error as TalkError {
            guard let words = await keep(isAtFault: error.kind == .invalid) else { throw error }
            throw TalkError(
                error.kind, error.message, hint: error.hint.map { "\(words); \($0)" } ?? words,
                underlying: error.underlying)
        } catch let error as UsageError {
            if let words = await keep(isAtFault: true) { context.note("git-talk: \(words)") }
            throw error
        }
    }

    /// The user's text; throws `invalid` when it is empty or only white space.
    ///
    /// `about` are lines about it for the editor, `beginning` is what a new text begins with there.
    mutating func text(about lines: [String], beginning: String = "") async throws(TalkError) -> String {
        let text: String
        switch source {
        case .message(let message):
            given = Array(message.utf8)
            text = message
        case .file(let name):
            text = try read(context.surroundings.path(name), name)
        case .input:
            let bytes = context.terminal.readAll()
            given = bytes
            guard let decoded = WrittenText.decode(bytes) else {
                throw TalkError(
                    .invalid, "what came on standard input is not text in UTF-8, so nothing was queued",
                    hint: "convert it with iconv and give it with -F")
            }
            text = decoded
        case .editor:
            text = try await edited(lines, beginning)
            given = Array(text.utf8)
        }
        try WrittenText.check(text, noun)
        return text
    }

    /// Throws `invalid` for a text without a word, or with characters that no wiki can keep.
    func check(_ text: String) throws(TalkError) { try WrittenText.check(text, noun) }

    /// Says what becomes of a text that was only looked at.
    func tellKept() {
        guard lock != nil else { return }
        context.note("hint: your text is kept, and offered again by: git talk \(verb)")
    }

    /// Removes what is kept of the text, which is in the outbox now.
    mutating func finish() async {
        isQueued = true
        guard let file else { return }
        var held = lock
        defer { withExtendedLifetime(held) {} }
        if held == nil {
            // What was kept when this text was refused before.
            guard let given, let left = FileManager.default.contents(atPath: file), Self.isSame(left, given) else {
                return
            }
            held = try? await store.draftLock()
        }
        if held != nil { try? FileManager.default.removeItem(atPath: file) }
        // What may follow takes its time.
        lock = nil
    }

    private mutating func read(_ path: String, _ name: String) throws(TalkError) -> String {
        guard let bytes = Self.contents(path) else {
            throw TalkError(.invalid, "the file \(name) cannot be read", hint: "check its name and permissions")
        }
        given = bytes
        guard let text = WrittenText.decode(bytes) else {
            throw TalkError(.invalid, "the file \(name) is not text in UTF-8", hint: "convert it with iconv")
        }
        return text
    }

    /// All of a file, or of what a pipe gives.
    private static func contents(_ path: String) -> [UInt8]? {
        (try? FileHandle(forReadingAtPath: path)?.readToEnd() ?? Data()).flatMap { $0 }.map { Array($0) }
    }

    private mutating func edited(_ about: [String], _ beginning: String) async throws(TalkError) -> String {
        guard let file else { throw TalkError(.internal, "there is nothing to edit") }
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
            + about + (kept.isEmpty ? [] : ["What stands above is left from a \(noun) that was not queued."])
        let start = EditorText.file(kept.isEmpty ? beginning : kept, about: lines)
        do { try Data(start.utf8).write(to: URL(filePath: file), options: .atomic) } catch {
            throw TalkError(
                .unwritable, "the file for the editor cannot be written", hint: "give the text with -m or -F")
        }
        try context.programs.edit(file, for: verb)
        guard let data = FileManager.default.contents(atPath: file), let text = WrittenText.decode(Array(data)) else {
            throw TalkError(
                .invalid, "what the editor left in \(file) is not text in UTF-8",
                hint: "save it as UTF-8, or remove the file")
        }
        return Self.withoutEmptyHeading(EditorText.body(of: text, about: lines))
    }

    /// What a topic without a heading begins with in the editor.
    static let beginningOfTopic = emptyHeading + "\n"

    /// A heading that nobody filled in is no text.
    private static func withoutEmptyHeading(_ text: String) -> String {
        guard text.hasPrefix(emptyHeading) else { return text }
        return text.dropFirst(emptyHeading.count).trimmingCharacters(in: .newlines)
    }

    // MARK: What is not queued

    /// Keeps a text that was not queued and says where; nil when nothing would be lost.
    ///
    /// `isAtFault` when something may be wrong with the text itself, which is corrected where it came from.
    private mutating func keep(isAtFault: Bool) async -> String? {
        // What failed was said after it was queued.
        if isQueued { return nil }
        readUnread()
        guard let given, !Self.isBlank(given) else { return nil }
        switch source {
        case .editor: return "your text is kept, and offered again by the same command"
        case .input: break
        case .message: if isAtFault { return nil }
        case .file(let name): if isAtFault, KeptText.isFile(context.surroundings.path(name)) { return nil }
        }
        if let file = await offer(given) {
            return "the text is kept in \(file), where the editor of the same command finds it"
        }
        // Several may fail in one millisecond, and nobody else is to know the name beforehand.
        let chance = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        let name = "\(context.surroundings.milliseconds())-\(chance)"
        let places = [
            store.layout.refusedText(name), "\(context.surroundings.temporaryDirectory)/git-talk-\(noun)-\(name).txt",
        ]
        if let path = KeptText.write(given, toFirstOf: places) { return "the text is kept in \(path)" }
        context.note("git-talk: the text could be kept nowhere:\n\(String(decoding: given, as: UTF8.self))")
        return "the text stands above"
    }

    /// Reads the text of which a failure kept the command from reading it.
    private mutating func readUnread() {
        guard given == nil else { return }
        switch source {
        case .editor: break
        case .message(let message): given = Array(message.utf8)
        case .file(let name):
            let path = context.surroundings.path(name)
            guard KeptText.isFile(path) || !context.terminal.isInputInteractive else { return }
            given = Self.contents(path)
        case .input:
            // Nobody is to type what is not wanted any more.
            if !context.terminal.isInputInteractive { given = context.terminal.readAll() }
        }
    }

    /// Puts the text where the editor picks it up, unless another text is there; nil when that cannot be done.
    private func offer(_ text: [UInt8]) async -> String? {
        guard let file, WrittenText.decode(text) != nil, let lock = try? await store.draftLock() else { return nil }
        defer { withExtendedLifetime(lock) {} }
        let left = FileManager.default.contents(atPath: file) ?? Data()
        if Self.isSame(left, text) { return file }
        return Self.isBlank(left) ? KeptText.write(text, toFirstOf: [file]) : nil
    }

    /// Whether two texts differ by nothing that an editor's file can keep.
    private static func isSame(_ a: some Sequence<UInt8>, _ b: some Sequence<UInt8>) -> Bool { body(a) == body(b) }

    private static func isBlank(_ text: some Sequence<UInt8>) -> Bool { body(text).allSatisfy(\.isWhitespace) }

    private static func body(_ text: some Sequence<UInt8>) -> String {
        withoutEmptyHeading(EditorText.body(of: String(decoding: Array(text), as: UTF8.self), about: nil))
    }
}
