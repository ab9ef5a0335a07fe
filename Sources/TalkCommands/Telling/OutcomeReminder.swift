internal import TalkPages
internal import TalkStore

/// Says after every command for people what became of replies, until a person has seen it.
struct OutcomeReminder {
    let context: Context

    /// A command says so much about others than its own replies; the rest stays news.
    private static let limit = 5

    /// Repeats what is news and was not told by the command itself; on a terminal it has been seen then.
    ///
    /// Nothing that goes wrong here concerns the command.
    func run() async {
        if context.isJSON { return }
        guard let reader = try? context.reader(), let entries = try? reader.outbox().entries else { return }
        let news = entries.filter { $0.isNews && !context.told.has($0) }
        let wikis = news.isEmpty ? [] : (try? reader.wikis()) ?? []
        for entry in news.prefix(Self.limit) {
            context.tell(entry, wiki: wikis.first { $0.key == entry.page.wiki })
        }
        if news.count > Self.limit {
            context.note(
                "git-talk: and \(TimeText.count(news.count - Self.limit, "more reply", "more replies")): git talk outbox"
            )
        }
        let seen = context.told.all.filter { told in entries.contains { $0.isNews && $0.tellsTheSame(as: told) } }
        guard context.isSeen, !seen.isEmpty, let store = try? context.store() else { return }
        try? await store.markSeen(seen)
    }
}
