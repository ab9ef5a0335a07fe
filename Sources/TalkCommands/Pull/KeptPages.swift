internal import TalkPages
internal import TalkStore
internal import TalkSync

/// The pages that the store keeps, brought up to date with one request for fifty of them.
///
/// Each page is stored by itself, so a pull that is broken off goes on where it was: what came is current then.
struct KeptPages {
    let context: Context
    let store: Store

    /// Pulls every kept page of every wiki; a wiki that cannot be reached does not stop the others.
    func pull(into results: inout PullResults) async {
        do throws(TalkError) {
            for wiki in try store.wikis() { await pull(wiki, into: &results) }
        } catch {
            context.terminal.tell(error)
            results.errors.append((error, nil, nil))
        }
    }

    private func pull(_ wiki: Wiki, into results: inout PullResults) async {
        do throws(TalkError) {
            let pages = try store.reader.states().filter { $0.page.wiki == wiki.key && $0.isKept }.map(\.page)
            if pages.isEmpty { return }
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
        let puller = session.puller(now: context.now)
        var progress = ProgressLine(context, pages: pages.count, of: session.wiki.key)
        let before = results.reports.count
        var missing: [PageName] = []
        var rest = pages[...]
        var limit = PagePuller.checkLimit
        while !rest.isEmpty {
            let batch = rest.prefix(limit)
            progress.show("asking for the newest revisions")
            let checked = await puller.check(Array(batch))
            if checked.user?.rights.contains("apihighlimits") == true { limit = PagePuller.highCheckLimit }
            for (page, check) in zip(batch, checked.answers) {
                // What came is stored, and the next pull goes on from there.
                if context.surroundings.background.isStopped() { return }
                rest = rest.dropFirst()
                let outcome = await puller.run(page, check: check, progress: progress.show)
                progress.clear()
                progress.done += 1
                do throws(TalkError) {
                    if case .missing(_, wasKnown: true) = outcome {
                        missing.append(page)
                    } else {
                        try results.take(outcome, isQuiet: true, context)
                        if case .moved(let move) = outcome {
                            try results.take(await puller.run(move.to, progress: progress.show), context)
                        }
                        try await RedirectNote.tell(outcome, isQuiet: true, session)
                    }
                } catch {
                    guard PullResults.isOfOnePage(error) else {
                        // Nobody asked for the others, and they know why.
                        if check.isFailure { for page in rest { await puller.remember(error, of: page) } }
                        throw error
                    }
                    context.terminal.tell(error)
                    results.errors.append((error, page.prefixedTitle, page.wiki))
                }
            }
        }
        tell(missing, session.wiki)
        results.missing += missing
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
