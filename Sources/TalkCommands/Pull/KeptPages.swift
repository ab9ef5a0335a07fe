internal import TalkPages
internal import TalkStore
internal import TalkSync

/// The pages that the store keeps, brought up to date with one request for fifty of them.
struct KeptPages {
    let context: Context
    let store: Store
    /// Whether redirects are followed.
    var follows = false

    /// Pulls every kept page of every wiki; a wiki that cannot be reached does not stop the others.
    func pull(into results: inout PullResults) async {
        do throws(TalkError) {
            let pages = try await store.followedPages()
            if pages.isEmpty { context.note("no page is kept yet: git talk pull <page>") }
            for wiki in try store.wikis() { await pull(pages.filter { $0.wiki == wiki.key }, of: wiki, into: &results) }
        } catch {
            context.terminal.tell(error)
            results.errors.append((error, nil, nil))
        }
    }

    private func pull(_ pages: [PageName], of wiki: Wiki, into results: inout PullResults) async {
        if pages.isEmpty { return }
        do throws(TalkError) {
            let session = try await WikiSession.open(wiki, context: context, store: store).refreshed()
            try await pull(pages, session, into: &results)
        } catch {
            context.terminal.tell(error.named(wiki.key))
            results.errors.append((error, nil, wiki.key))
        }
    }

    /// Pulls these pages of one wiki and prints a line about each that changed.
    ///
    /// What is wrong with one page is told and stands in the results; what stops the wiki is thrown.
    func pull(
        _ pages: [PageName], _ session: WikiSession, into results: inout PullResults
    ) async throws(TalkError) {
        var progress = ProgressLine(context, pages: pages.count, of: session.wiki.key)
        let before = results.reports.count
        let ending = await PullRound(session: session, follows: follows).pull(pages, &progress, into: &results)
        if let stop = ending.stop { throw stop.error }
        tell(ending.missing, session.wiki)
        results.missing += ending.missing
        if !context.isJSON, !context.isBackground {
            let unchanged = results.reports[before...].count { $0.added.isEmpty }
            context.terminal.write(
                "\(session.wiki.key): \(TimeText.count(pages.count, "page")) checked, \(unchanged) unchanged\n")
        }
    }

    /// One line about all pages that are gone as they were before.
    private func tell(_ missing: [PageName], _ wiki: Wiki) {
        if missing.isEmpty { return }
        let titles = missing.prefix(5).map { TerminalText.safe($0.prefixedTitle) }.joined(separator: ", ")
        let more = missing.count > 5 ? " and \(missing.count - 5) more" : ""
        context.note("git-talk: still missing on \(wiki.key): \(titles)\(more); what is cached stays")
    }
}
