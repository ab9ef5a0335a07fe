internal import TalkPages
internal import TalkStore
internal import TalkSync

/// `git talk pull --recheck`: what the wikis have hidden since is purged from the store.
struct Recheck {
    let context: Context
    let store: Store

    /// Rechecks the pages that were pulled, and packs the store when something was purged.
    func run(_ results: inout PullResults) async {
        var pages: [PageName] = []
        for report in results.reports where !pages.contains(report.page) { pages.append(report.page) }
        var checked = 0
        for page in pages {
            do throws(TalkError) {
                guard let wiki = try store.wiki(page.wiki) else { continue }
                let session = try await WikiSession.open(wiki, context: context, store: store)
                let recheck = PageRecheck(api: session.api, store: store, wiki: wiki)
                let found = try await recheck.run(page, time: TimeText.iso(context.now))
                checked += found.checked
                results.purged += found.purged
                results.setAsideByPurge += found.setAside
                for purge in found.purged where !context.isJSON { context.terminal.write(Self.line(purge)) }
            } catch {
                context.terminal.tell(error)
                results.errors.append((error, page.prefixedTitle, page.wiki))
            }
        }
        if !context.isJSON {
            let revisions = TimeText.count(checked, "cached revision")
            context.terminal.write("\(revisions) rechecked, \(results.purged.count) with hidden parts\n")
        }
        // Also what an earlier recheck, stopped half-way, left to do.
        if (try? await store.hasPurged()) == true { await pack(&results) }
    }

    private static func line(_ purge: RevisionPurge.Purge) -> String {
        "\(TerminalText.safe(purge.page.prefixedTitle)): \(purge.parts.text(of: purge.revision)) purged\n"
    }

    /// Without references to them, the old objects go when git packs the store.
    private func pack(_ results: inout PullResults) async {
        do throws(TalkError) {
            try await store.collectGarbage(context.git, afterPurge: true)
        } catch {
            let error = TalkError(
                error.kind, "what was purged is still in the store's files: \(error.message)",
                hint: error.hint.map { "\($0); then: git talk pull --recheck" }, underlying: error)
            context.terminal.tell(error)
            results.errors.append((error, nil, nil))
        }
    }
}

extension PurgedParts {
    /// Of which revision they are, and which.
    func text(of revision: RevisionID) -> String {
        contains(.revision) ? "revision \(revision)" : "revision \(revision): \(words.joined(separator: ", "))"
    }
}
