internal import TalkPages
internal import TalkStore

/// The words about replies in the outbox.
enum OutboxText {
    /// What it is: `reply to Carol, 2024-03-01 11:00 UTC`.
    static func subject(_ entry: OutboxEntry) -> String {
        guard let target = entry.reply.target else { return "new topic" }
        if let own = target.pending { return "reply to your own \(own)" }
        guard let author = target.author else { return "reply to the topic" }
        return "reply to \(TerminalText.safe(author)), \(target.timestamp.map(TimeText.minute) ?? "")"
    }

    /// Where it stands, in the word that people read.
    static func state(_ entry: OutboxEntry) -> String {
        entry.state == .discarded ? "set aside" : entry.state.rawValue
    }

    /// The lines of the list.
    static func lines(_ entry: OutboxEntry, _ context: Context) -> String {
        var text = context.style.yellow(entry.reply.id) + "  " + context.style.bold(state(entry))
        text += "  \(TerminalText.safe(entry.page.prefixedTitle))  \(subject(entry))"
        if let heading = entry.reply.heading { text += " “\(TerminalText.safe(heading))”" }
        if !entry.account.isEmpty { text += "  as \(TerminalText.safe(entry.account))" }
        if let revision = entry.postedRevision { text += "  revision \(revision)" }
        text += "\n"
        if let reason = entry.reason { text += "    \(TerminalText.safe(reason))\n" }
        let first = entry.reply.text.split(separator: "\n").first.map(String.init) ?? ""
        return text + "    “\(TerminalText.safe(first.count > 70 ? first.prefix(69) + "…" : first))”\n"
    }

    /// All about one reply but its text.
    static func details(_ entry: OutboxEntry, _ wiki: Wiki?, _ context: Context) -> String {
        let reply = entry.reply
        var rows = [("page", "\(entry.page.prefixedTitle) at \(entry.page.wiki)"), ("what", subject(entry))]
        if let heading = reply.heading ?? reply.target?.heading, !heading.isEmpty { rows.append(("topic", heading)) }
        rows.append(("as", entry.account.isEmpty ? "whoever is logged in when it is posted" : entry.account))
        rows.append(("written", "\(TimeText.minute(reply.created)), on revision \(reply.base)"))
        if entry.state.isPending { rows.append(("expires", TimeText.minute(reply.expires))) }
        if entry.attempts > 0 { rows.append(("sent", TimeText.count(entry.attempts, "time"))) }
        if let revision = entry.postedRevision {
            rows.append(("posted", "revision \(revision)" + (wiki.map { ", \($0.url(ofChange: revision))" } ?? "")))
        }
        if let reason = entry.reason { rows.append(("why", reason)) }
        let head = "\(context.style.yellow(reply.id))  \(context.style.bold(state(entry)))\n"
        return rows.reduce(head) { $0 + "\(Help.padded($1.0, 9))\(TerminalText.safe($1.1))\n" }
    }

    /// A text with its lines, and nothing in them that a terminal would obey.
    static func shown(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { TerminalText.safe(String($0)) }
            .joined(separator: "\n")
    }
}
