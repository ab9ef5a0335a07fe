internal import TalkPages
internal import TalkStore
internal import TalkSync

/// The subpages of a talk page, where old discussions go.
struct Archives {
    let context: Context

    /// Asks the wiki for the subpages of a page and prints each with the command that pulls it.
    func list(_ typed: String) async throws -> ExitCode {
        let store = try context.store()
        let (named, session) = try await WikiSession.find(typed, context: context, store: store)
        let titles = try await session.api.subpages(of: named.page, on: session.wiki)
        var rows: [Row] = []
        for title in titles {
            guard let page = try? TitleParser.parse(title, wiki: session.wiki).page else { continue }
            let isCached = try store.reader.stamp(of: page) != nil
            rows.append(Row(cached: isCached, page: page.prefixedTitle, title: title, wiki: page.wiki))
        }
        if context.isJSON {
            context.terminal.write(try JSONOutput.text(Output(archives: rows)))
        } else if rows.isEmpty {
            context.note("\(session.wiki.localTitle(of: named.page)) has no subpages")
        } else {
            context.show(rows.map { line($0, session.wiki) }.joined())
        }
        return .done
    }

    private func line(_ row: Row, _ wiki: Wiki) -> String {
        let title = TerminalText.safe(row.title)
        let mark = row.cached ? "  cached" : ""
        return context.style.bold(title) + context.style.dim(mark)
            + "\n    git talk pull \(ShellWord.quoted(title))\n"
    }

    private struct Row: Encodable {
        let cached: Bool
        let page: String
        let title: String
        let wiki: String
    }

    /// `git talk list --archives --json`, schema `Schema/cli/list.schema.json`.
    private struct Output: Encodable {
        let archives: [Row]
        let pages: [String] = []
        let schema = 1
    }
}
