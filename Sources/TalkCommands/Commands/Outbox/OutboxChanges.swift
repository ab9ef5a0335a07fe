internal import TalkPages
internal import TalkStore
internal import TalkSync

extension OutboxCall {
    /// Changes the text of a reply that does not go out meanwhile.
    func edit() async throws -> ExitCode {
        var draft = try WritingDraft(arguments, context, store, .change(try? entry(words[0])))
        return try await draft.keeping { draft in
            let entry = try entry(words[0])
            guard [.queued, .held].contains(entry.state), !entry.mayBePosted else {
                throw OutboxActions.refusal(entry, "changed")
            }
            let text = try await draft.text(
                about: ["It is \(entry.reply.id) on \(entry.page), \(OutboxText.subject(entry))."],
                beginning: entry.reply.text)
            let changed = try await actions.edit(entry.reply.id, to: text)
            await draft.finish()
            for warning in changed.warnings { context.note("warning: \(TerminalText.safe(warning))") }
            if context.isJSON {
                context.terminal.write(try JSONOutput.text(OutboxOutput([changed.entry], store.reader)))
            } else {
                context.terminal.write("changed \(entry.reply.id), which is \(changed.entry.state.rawValue)\n")
            }
            return .done
        }
    }

    /// Keeps replies back.
    func hold() async throws -> ExitCode {
        try await each { entry async throws(TalkError) in
            (
                try await actions.hold(entry.reply.id),
                "held \(entry.reply.id); let it go: git talk outbox retry \(entry.reply.id)"
            )
        }
    }

    /// Puts held replies into the queue.
    func retry() async throws -> ExitCode {
        if arguments.has("confirm") {
            guard words.count == 1 else { throw UsageError("'--confirm' wants one id") }
            return try await OutboxConfirm(context: context, store: store).run(try entry(words[0]).reply.id)
        }
        return try await each { entry async throws(TalkError) in
            // In the queue it would only be held once more.
            if entry.state == .held, entry.demand?.wantsBrowser != true, let hint = OutboxConfirm.hint(entry) {
                throw TalkError(.invalid, "the wiki wants your word on the reply \(entry.reply.id)", hint: hint)
            }
            let id = entry.reply.id
            let queued = try await actions.retry(id, isNotPosted: arguments.has("not-posted"))
            return queued.state == .unknown
                ? (queued, "\(id) may be on the wiki, so it is looked for before anything is sent: git talk sync")
                : (queued, "queued \(id) again; git talk sync sends it")
        }
    }

    /// Gives replies up.
    func drop() async throws -> ExitCode {
        let isForgotten = arguments.has("forget")
        return try await each { entry async throws(TalkError) in
            let id = entry.reply.id
            let dropped = try await actions.drop(id, isForgotten: isForgotten, isForced: arguments.has("force"))
            for other in dropped.dependants {
                context.note("git-talk: \(OutcomeText.line(other, wiki: nil))")
                context.told.add([other])
            }
            let words =
                isForgotten
                ? "deleted \(id)" : "dropped \(id); its text is kept until drop --forget: git talk outbox restore \(id)"
            return (dropped.entry, words)
        }
    }

    /// Marks outcomes as seen: those of the named replies, or all.
    func acknowledge() async throws -> ExitCode {
        let named =
            words.isEmpty ? entries.filter(\.isNews) : try words.map { word throws(TalkError) in try entry(word) }
        var done: [OutboxEntry] = []
        if let text = arguments["posted"] {
            guard let revision = Int64(text), revision > 0, named.count == 1, words.count == 1 else {
                throw UsageError("'--posted' wants the number of a revision, and one id")
            }
            done = [try await actions.accept(named[0].reply.id, as: RevisionID(rawValue: revision))]
        } else {
            if let early = named.first(where: { !$0.hasOutcome }) {
                throw TalkError(
                    .notFound,
                    "the reply \(early.reply.id) is \(early.state.rawValue), so nothing has become of it yet",
                    hint: "send it: git talk sync")
            }
            done = named
        }
        try await store.markSeen(done)
        for index in done.indices { done[index].isSeen = true }
        if context.isJSON {
            context.terminal.write(try JSONOutput.text(OutboxOutput(done, store.reader)))
        } else {
            context.terminal.write(
                done.isEmpty
                    ? "nothing has become of the replies that you do not know\n"
                    : "acknowledged \(TimeText.count(done.count, "reply", "replies"))\n")
        }
        return .done
    }
}
