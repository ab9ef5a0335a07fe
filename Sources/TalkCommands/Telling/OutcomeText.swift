internal import TalkPages
internal import TalkStore
internal import TalkSync

/// What became of a reply, in one line each.
enum OutcomeText {
    /// What a journal says: posted, held or set aside; what else a reply may be is told as waiting.
    static func line(_ entry: OutboxEntry, wiki: Wiki?, fitted: RevisionID? = nil) -> String {
        switch entry.state {
        case .posted:
            guard let revision = entry.postedRevision else { return line(entry, .waiting(reason: ""), wiki: wiki) }
            return line(entry, .posted(revision), wiki: wiki, fitted: fitted)
        case .held: return line(entry, .held(reason: entry.reason ?? ""), wiki: wiki, fitted: fitted)
        case .discarded: return line(entry, .setAside(reason: entry.reason ?? ""), wiki: wiki, fitted: fitted)
        case .unknown, .sending: return line(entry, .unknown(reason: entry.reason ?? ""), wiki: wiki, fitted: fitted)
        case .queued: return line(entry, .waiting(reason: entry.reason ?? ""), wiki: wiki, fitted: fitted)
        }
    }

    /// What a round of sending did; `fitted` is the revision that the reply was fitted to on the way.
    static func line(
        _ entry: OutboxEntry, _ outcome: SendOutcome, wiki: Wiki?, fitted: RevisionID? = nil
    ) -> String {
        let id = entry.reply.id, place = "\(entry.page) at \(entry.page.wiki)"
        let moved = fitted.map { ", fitted to revision \($0)" } ?? ""
        let line =
            switch outcome {
            case .posted(let revision):
                "posted \(id) on \(place) as \(entry.account)\(moved): revision \(revision)"
                    + (wiki.map { ", \($0.url(ofChange: revision))" } ?? "")
            case .held(let reason) where entry.state == .held:
                "\(id) on \(place) is held\(moved): \(reason); \(remedy(entry))"
            case .held(let reason):
                // What concerns the whole wiki is no fault of this reply.
                "\(id) on \(place) cannot be sent\(moved): \(reason); it stays queued for the next git talk sync"
            case .waiting(let reason):
                "\(id) on \(place) waits\(moved): \(reason); git talk sync tries again"
            case .unknown(let reason):
                "whether \(id) on \(place) was posted is not known yet: \(reason); the next git talk sync looks for it and never sends it blindly"
            case .setAside(let reason):
                "\(id) on \(place) was set aside: \(reason); its text is kept: \(entry.restoreCommand)"
            }
        return TerminalText.safe(line)
    }

    /// What to do about a held reply.
    static func remedy(_ entry: OutboxEntry) -> String {
        let id = entry.reply.id
        // It was looked for, and what was found only the user can judge.
        if entry.sentBase != nil {
            return "look, then retry --not-posted, ack --posted, or drop it: git talk outbox show \(id)"
        }
        if let hint = OutboxConfirm.hint(entry) { return hint }
        return "edit it, drop it, or send it again: git talk outbox retry \(id)"
    }
}

extension Context {
    /// Whether what is written now is read by a person on a terminal.
    var isSeen: Bool { terminal.isInteractive && terminal.isErrorInteractive && !isJSON }

    /// Tells what became of a reply on standard error.
    func tell(_ entry: OutboxEntry, wiki: Wiki? = nil) {
        note("git-talk: \(OutcomeText.line(entry, wiki: wiki))")
        told.add([entry])
    }
}
