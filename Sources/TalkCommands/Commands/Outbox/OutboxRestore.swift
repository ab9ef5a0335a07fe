internal import TalkPages
internal import TalkStore
internal import TalkSync

extension OutboxCall {
    /// Puts what was set aside back into the queue.
    func restore() async throws -> ExitCode {
        let entry = try entry(words[0])
        guard entry.state == .discarded else {
            throw TalkError(
                .invalid, "the reply \(entry.reply.id) is \(entry.state.rawValue) and was not set aside",
                hint: "git talk outbox show \(entry.reply.id)")
        }
        if words.count == 2, !arguments.has("to") {
            throw UsageError("unexpected argument '\(words[1])'; '--to <page>' goes before a comment")
        }
        let expires = try ExpiryOption.time(arguments, context, store)
        let restored = try await actions.restore(entry.reply.id, to: try await place(entry), expires: expires)
        if context.isJSON {
            context.terminal.write(try JSONOutput.text(OutboxOutput([restored], store.reader)))
        } else {
            context.terminal.write(
                "queued \(restored.reply.id) again, \(OutboxText.subject(restored)) on \(restored.page); git talk sync sends it\n"
            )
        }
        return .done
    }

    private func place(_ entry: OutboxEntry) async throws(TalkError) -> OutboxActions.Place {
        let named: NamedPage
        if let typed = arguments["to"] {
            named = try context.page(typed, store.reader)
        } else {
            guard let wiki = try store.reader.wiki(entry.page.wiki) else {
                throw TalkError(
                    .notFound, "the store no longer knows the wiki \(entry.page.wiki)",
                    hint: "git talk pull <address of a page there>")
            }
            // A page that was moved is where its discussion went.
            named = NamedPage(
                wiki: wiki, page: try store.state(of: entry.page)?.movedTo ?? entry.page, fragment: nil)
        }
        let isTopic = entry.reply.kind == .topic
        if isTopic, words.count == 2 || named.fragment != nil {
            throw TalkError(.invalid, "a topic of its own answers nothing", hint: "give the page alone")
        }
        let threads = isTopic ? nil : try await CachedThreads.current(of: named, store, context)
        let item = try threads.flatMap { threads throws(TalkError) in try self.item(in: threads.items, named) }
        let account =
            named.wiki.key == entry.page.wiki && !entry.account.isEmpty
            ? entry.account : context.loginName(named.wiki, store.reader).map(Context.account) ?? ""
        return OutboxActions.Place(
            wiki: named.wiki, page: named.page, threads: threads, item: item, account: account)
    }

    /// What is to be answered; nil for the same as before.
    private func item(in items: [ThreadItem], _ named: NamedPage) throws(TalkError) -> Int? {
        if words.count == 2 { return try ItemSelection.item(words[1], in: items, of: named.page) }
        guard let fragment = named.fragment else { return nil }
        guard let topic = ItemSelection.topic(fragment, in: items) else {
            throw TalkError(
                .notFound, "\(named.page) has no topic “\(fragment)”",
                hint: "the topics are in: git talk show \(ShellWord.quoted(named.page.prefixedTitle))")
        }
        return topic.lowerBound
    }
}
