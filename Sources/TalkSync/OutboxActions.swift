public import TalkPages
public import TalkStore

/// What a user does with the replies in the outbox.
///
/// The journal comes first and alone decides; the page is brought there after it, and by the next pull where that fails.
public struct OutboxActions: Sendable {
    let store: Store

    /// Makes the actions on one store.
    public init(store: Store) { self.store = store }

    /// Holds a queued reply back until `retry`.
    ///
    /// Throws `unknownOutcome` for one that may be on the wiki, `invalid` for one that does not wait.
    public func hold(_ id: String) async throws(TalkError) -> OutboxEntry {
        try await change(id, to: "held") { entry in
            guard entry.state == .queued || entry.state == .held, !entry.mayBePosted else { return false }
            if entry.state == .queued { entry.reason = "you held it" }
            entry.state = .held
            entry.isSeen = true
            return true
        }
    }

    /// Puts a held reply into the queue again.
    ///
    /// `isNotPosted` is the user's word that it is not on the wiki, whatever the page's history looks like; else one
    /// that may be there is looked for again first. Throws `invalid` for one that is not held.
    public func retry(_ id: String, isNotPosted: Bool = false) async throws(TalkError) -> OutboxEntry {
        try await change(id, to: "sent again") { entry in
            guard entry.state == .held else { return false }
            if isNotPosted { entry.sendAgain() }
            // What only a browser answers is asked again: the wiki may want it no more.
            if entry.demand?.wantsBrowser == true { entry.demand = nil }
            entry.queue()
            return true
        }
    }

    /// Takes the user's word that a held reply is on the wiki as a revision.
    public func accept(_ id: String, as revision: RevisionID) async throws(TalkError) -> OutboxEntry {
        let entry = try await change(id, to: "taken for posted") { entry in
            guard entry.state == .held else { return false }
            entry.accept(revision)
            entry.isSeen = true
            return true
        }
        await refit(entry)
        return entry
    }

    /// Changes the text of a queued or held reply; what will not look as it is meant comes with it, one sentence each.
    ///
    /// Throws `invalid` for a text that would harm the page, `unknownOutcome` for a reply that may be on the wiki.
    public func edit(_ id: String, to text: String) async throws(TalkError) -> (entry: OutboxEntry, warnings: [String])
    {
        guard let current = try store.outboxEntry(id) else { throw Self.missing(id) }
        let warnings = try self.warnings(text, for: current)
        let text = ReplyText.normalized(text)
        let entry = try await change(id, to: "changed") { entry in
            guard entry.state == .queued || entry.state == .held, !entry.mayBePosted else { return false }
            entry.reply.text = text
            return true
        }
        await refit(entry)
        return (entry, warnings)
    }

    private func warnings(_ text: String, for entry: OutboxEntry) throws(TalkError) -> [String] {
        guard let wiki = try store.reader.wiki(entry.page.wiki) else { return [] }
        let dates = SignatureTimestamp(
            formats: wiki.signatureFormats, zone: PageThreads(store: store, wiki: wiki).zone)
        let context = WikitextReply.Context(
            wiki: wiki, user: entry.account.isEmpty ? nil : entry.account, dates: dates)
        let form: DraftForm =
            entry.reply.kind == .topic ? .topic : entry.reply.target?.author == nil ? .topicReply : .reply
        let draft = try WikitextReply.prepared(text, as: form, context: context)
        if let harm = draft.warnings.first(where: \.harmsPage) {
            throw TalkError(
                .invalid, "the reply was not changed, since it would harm the page: \(harm.message)",
                hint: "correct it and give it again")
        }
        return draft.warnings.map(\.message)
    }

    // MARK: For the extensions

    /// Changes a journal; `what` would have become of the reply says, in words, why it cannot.
    func change(
        _ id: String, to what: String, _ apply: @Sendable (inout OutboxEntry) -> Bool
    ) async throws(TalkError) -> OutboxEntry {
        if let written = try await store.updateEntry(id, apply) { return written }
        guard let entry = try store.outboxEntry(id) else { throw Self.missing(id) }
        throw Self.refusal(entry, what)
    }

    /// Brings the page to what the journals say now, and gives what was set aside with that; the next pull does it where
    /// this cannot.
    @discardableResult
    func refit(_ entry: OutboxEntry) async -> [OutboxEntry] {
        guard let wiki = try? store.reader.wiki(entry.page.wiki) else { return [] }
        return (try? await PendingFitting(store: store, wiki: wiki).heal(entry.page).setAside) ?? []
    }

    static func missing(_ id: String) -> TalkError {
        TalkError(.notFound, "there is no reply \(id) in the outbox", hint: "see which there are: git talk outbox")
    }

    package static func refusal(_ entry: OutboxEntry, _ what: String) -> TalkError {
        let id = entry.reply.id
        if entry.mayBePosted {
            return TalkError(
                .unknownOutcome, "the reply \(id) may be on the wiki already, so it cannot be \(what)",
                hint: "look whether it is there: git talk sync")
        }
        return switch entry.state {
        case .posted:
            TalkError(
                .invalid, "the reply \(id) is on the wiki, so it cannot be \(what)",
                hint: "take it off the list: git talk outbox ack \(id)")
        case .discarded:
            TalkError(
                .invalid, "the reply \(id) was set aside, so it cannot be \(what)",
                hint: "put it back into the queue: \(entry.restoreCommand)")
        default:
            TalkError(
                .invalid, "the reply \(id) is \(entry.state.rawValue), so it cannot be \(what)",
                hint: "git talk outbox show \(id)")
        }
    }
}
