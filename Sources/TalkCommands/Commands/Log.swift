internal import TalkPages
internal import TalkStore

extension Verb {
    static let log = Verb(
        "log", .read, "Show the cached revisions of a page, newest first", synopsis: "<page>",
        details: """
            Works without network. A line "…" stands where the wiki has revisions that are not cached. With git:
            git -C <store> log --stat <wiki>/<Namespace>/<title>
            """,
        examples: ["git talk log User_talk:Example"]
    ) { arguments, context in
        try arguments.expect(1...1, "the page")
        let store = try context.store()
        let named = try context.page(arguments.positional[0], store.reader)
        let revisions = Array(try await store.records(of: named.page).reversed())
        guard !revisions.isEmpty else {
            throw TalkError(
                .notFound, "\(named.page) is not cached", hint: "git talk pull \(named.wiki.url(of: named.page))")
        }
        if context.isJSON {
            let output = LogOutput(
                page: named.page.prefixedTitle, revisions: revisions.map(LogOutput.Revision.init), wiki: named.wiki.key)
            context.terminal.write(try JSONOutput.text(output))
            return .done
        }
        var text = ""
        for (index, revision) in revisions.enumerated() {
            let record = revision.record
            let user = record.user.map(context.style.page) ?? "(user hidden)"
            let summary =
                record.summary.map { $0.isEmpty ? "(no summary)" : context.style.page($0) } ?? "(summary hidden)"
            text += context.style.yellow(record.id.description) + "  \(TimeText.minute(record.timestamp))  "
            text += context.style.bold(user) + (record.isMinor ? "  m" : "") + "  \(summary)\n"
            let older = index + 1 < revisions.count ? revisions[index + 1].record.id : nil
            if record.parent.rawValue != 0, record.parent != older { text += context.style.dim("…") + "\n" }
        }
        context.show(text)
        return .done
    }
}

/// `git talk log --json`, schema `Schema/cli/log.schema.json`.
private struct LogOutput: Encodable {
    struct Revision: Encodable {
        let commit: String
        let minor: Bool
        let pageID: Int64
        let parent: Int64
        let revision: Int64
        let summary: String?
        let timestamp: String
        let user: String?

        init(_ stored: StoredRevision) {
            commit = stored.commit
            minor = stored.record.isMinor
            pageID = stored.record.page.rawValue
            parent = stored.record.parent.rawValue
            revision = stored.record.id.rawValue
            summary = stored.record.summary
            timestamp = TimeText.iso(stored.record.timestamp)
            user = stored.record.user
        }
    }

    let schema = 1
    let page: String
    let revisions: [Revision]
    let wiki: String
}
