internal import TalkPages
internal import TalkStore

/// `git talk outbox --json`, schema `Schema/cli/outbox.schema.json`.
struct OutboxOutput: Encodable {
    struct Entry: Encodable {
        let account: String
        let attempts: Int
        let base: Int64
        let created: String
        let expires: String
        let heading: String?
        let id: String
        let kind: String
        let link: String?
        let page: String
        let postedRevision: Int64?
        let reason: String?
        let seen: Bool
        let state: String
        let target: String?
        let text: String
        let wiki: String
    }

    let schema = 1
    let entries: [Entry]

    init(_ entries: [OutboxEntry], _ reader: PageReader) throws(TalkError) {
        let wikis = try reader.wikis()
        self.entries = entries.map { entry in
            let wiki = wikis.first { $0.key == entry.page.wiki }
            return Entry(
                account: entry.account, attempts: entry.attempts, base: entry.reply.base.rawValue,
                created: TimeText.iso(entry.reply.created), expires: TimeText.iso(entry.reply.expires),
                heading: entry.reply.heading ?? entry.reply.target?.heading, id: entry.reply.id,
                kind: entry.reply.kind.rawValue, link: entry.postedRevision.flatMap { wiki?.url(ofChange: $0) },
                page: entry.page.prefixedTitle, postedRevision: entry.postedRevision?.rawValue, reason: entry.reason,
                seen: entry.isSeen, state: entry.state.rawValue, target: entry.reply.target?.id,
                text: entry.reply.text, wiki: entry.page.wiki)
        }
    }
}
