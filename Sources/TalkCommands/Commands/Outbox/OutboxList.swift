internal import TalkPages
internal import TalkStore

extension OutboxCall {
    /// Lists every reply, and on a terminal tells with that what became of them.
    func list() async throws -> ExitCode {
        // What was posted and seen is there only for what answers it.
        let entries = entries.filter { $0.state != .posted || !$0.isSeen }
        if context.isJSON {
            context.terminal.write(try JSONOutput.text(OutboxOutput(entries, store.reader)))
        } else if entries.isEmpty {
            context.terminal.write("the outbox is empty\n")
        } else {
            context.show(entries.map { OutboxText.lines($0, context) }.joined())
            context.told.add(entries)
        }
        return .done
    }

    /// Shows one reply: for a person with where it goes and how it stands; else its text as it was written, to be put
    /// back.
    func show() async throws -> ExitCode {
        let entry = try entry(words[0])
        if context.isJSON {
            context.terminal.write(try JSONOutput.text(OutboxOutput([entry], store.reader)))
        } else if context.terminal.isInteractive {
            context.terminal.write(
                OutboxText.details(entry, try store.reader.wiki(entry.page.wiki), context)
                    + "\n\(OutboxText.shown(entry.reply.text))\n")
            context.told.add([entry])
        } else {
            context.terminal.write(entry.reply.text + "\n")
        }
        return .done
    }
}
