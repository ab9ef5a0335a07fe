internal import TalkPages
internal import TalkStore

extension Verb {
    static let list = Verb(
        "list", .read, "List the cached pages", synopsis: "[--archives <page>]",
        details: """
            Works without network: title, wiki, cached revision, when it was checked, the size of its files (its history is
            not counted), when you looked at it last, why it stays, and pending replies. What an exchange brought stays as if
            it was pulled by name; what nothing keeps is dropped by the next pull or sync ('git talk help evict').

            --archives asks the wiki for the subpages of a talk page, where old discussions go, and prints each with the
            command that pulls it.
            """,
        options: [Option("archives", value: "<page>", "list the subpages that the wiki has of a page")]
    ) { arguments, context in
        try arguments.expect(0...0, "")
        if let page = arguments["archives"] { return try await Archives(context: context).list(page) }
        let store = try context.store()
        let outbox = try store.outbox().entries
        var rows: [ListOutput.Page] = []
        var exitCode = ExitCode.done
        let cached = try await store.keeping(limit: try store.configuration().number(.keep))
        // A page may be there for nothing but the topics that wait for it.
        let known = Set(cached.map(\.page))
        let others = try await store.pagesWithPendingReplies().filter { !known.contains($0) }
        let pages =
            cached.map { (page: $0.page, state: $0.state, visited: $0.visited, reasons: $0.reasons) }
            + (try others.map {
                (page: $0, state: try store.state(of: $0), visited: Int64?.none, reasons: [KeepReason.pending])
            })
        for (page, state, visited, reasons) in pages {
            var tip: StoredRevision?, damage: String?
            do throws(TalkError) { tip = try await store.tip(of: page) } catch {
                // One branch that somebody committed onto does not hide the other pages.
                guard error.kind == .damaged else { throw error }
                damage = error.message
                exitCode = .damaged
                context.terminal.tell(error)
            }
            rows.append(
                ListOutput.Page(
                    checked: state?.checked.map(TimeText.iso), failure: damage ?? state?.failure,
                    kept: state?.isKept ?? false,
                    keptFor: reasons.map(\.rawValue), latestRevision: state?.latest?.rawValue,
                    missing: state?.isMissing ?? false, movedTo: state?.movedTo?.prefixedTitle,
                    page: page.prefixedTitle, pending: outbox.count { $0.page == page && $0.state.isPending },
                    revision: tip?.record.id.rawValue, size: tip == nil ? nil : try store.reader.size(of: page),
                    title: state?.displayTitle, visited: visited.map(TimeText.iso), wiki: page.wiki,
                    age: state?.checked, visit: visited, reasons: reasons))
        }
        if context.isJSON {
            context.terminal.write(try JSONOutput.text(ListOutput(pages: rows)))
        } else if rows.isEmpty {
            context.note("no page is cached yet: git talk pull <page>")
        } else {
            context.show(rows.map { line($0, context) }.joined())
        }
        return exitCode
    }

    private static func line(_ row: ListOutput.Page, _ context: Context) -> String {
        var text = context.style.bold(TerminalText.safe(row.page)) + context.style.dim("  " + row.wiki)
        text += row.revision.map { "  revision \($0)" } ?? "  nothing cached"
        text += row.age.map { ", checked \(TimeText.ago($0, now: context.now))" } ?? ", never checked"
        if let target = row.movedTo {
            text += ", moved to \(TerminalText.safe(target))"
        } else if row.missing {
            text += ", no longer on the wiki"
        }
        if let size = row.size { text += ", \(SizeText.words(size))" }
        if let visit = row.visit { text += ", looked at \(TimeText.ago(visit, now: context.now))" }
        let reasons = row.reasons.compactMap(words)
        text +=
            row.reasons.isEmpty
            ? ", dropped by the next pull" : reasons.isEmpty ? "" : ", " + reasons.joined(separator: ", ")
        if row.pending > 0 { text += "  " + context.style.yellow("\(row.pending) pending") }
        return text + "\n"
    }
}

/// Why a page stays, in words; what the line says anyway has none.
private func words(_ reason: KeepReason) -> String? {
    switch reason {
    case .bookmark: "bookmarked"
    case .named: "pulled by name"
    case .history: "with its history"
    case .discarded: "a reply was set aside"
    case .pending, .unknown, .recent: nil
    }
}

/// `git talk list --json`, schema `Schema/cli/list.schema.json`.
private struct ListOutput: Encodable {
    struct Page: Encodable {
        let checked: String?
        let failure: String?
        let kept: Bool
        let keptFor: [String]
        let latestRevision: Int64?
        let missing: Bool
        let movedTo: String?
        let page: String
        let pending: Int
        let revision: Int64?
        let size: Int?
        let title: String?
        let visited: String?
        let wiki: String
        // For the text alone.
        let age: Int64?
        let visit: Int64?
        let reasons: [KeepReason]

        enum CodingKeys: String, CodingKey {
            case checked, failure, kept, keptFor, latestRevision, missing, movedTo, page, pending, revision, size,
                title,
                visited, wiki
        }
    }

    let schema = 1
    let pages: [Page]
}
