internal import TalkPages
internal import TalkStore
internal import TalkSync

/// Pulls of several pages of one wiki, which is asked about fifty of them in one request.
///
/// Each page is stored by itself, so a round that is broken off goes on where it was: what came is current then.
struct PullRound {
    let session: WikiSession
    /// How the user named each page, who is told of all of them; nil for pages that nobody named this time, of which
    /// only what is new is told.
    var names: [PageName: String]?
    /// Whether redirects are followed.
    var follows = false

    /// So many pages in a row that the wiki cannot give mean that it is the wiki.
    private static let patience = 3

    /// How a round ended.
    struct Ending {
        /// Pages that are gone, as the wiki had said before, of those that nobody named.
        var missing: [PageName] = []
        /// What stopped the round, and at which page.
        var stop: (error: TalkError, page: PageName)?
    }

    /// Pulls the pages; one that cannot be had is told and does not stop the others, a wiki that fails does.
    func pull(_ pages: [PageName], _ progress: inout ProgressLine, into results: inout PullResults) async -> Ending {
        let ending = await run(pages, &progress, &results)
        await session.keepPrivacy()
        return ending
    }

    private func run(
        _ pages: [PageName], _ progress: inout ProgressLine, _ results: inout PullResults
    ) async -> Ending {
        let context = session.context
        let puller = session.puller(now: context.now)
        var ending = Ending()
        var rest = pages[...]
        var limit = PagePuller.checkLimit
        var failures = 0
        while !rest.isEmpty {
            let batch = rest.prefix(limit)
            var checks: [KnownCheck?] = [nil]
            // A single page that may be new is asked for beside its check.
            if pages.count > 1 || follows || names == nil {
                progress.show("asking for the newest revisions")
                let checked = await puller.check(Array(batch))
                if checked.user?.rights.contains("apihighlimits") == true { limit = PagePuller.highCheckLimit }
                checks = checked.answers
                results.serverTime = checks.lazy.compactMap { $0?.serverTime }.first ?? results.serverTime
                if context.isHasty, let page = batch.first, let error = checks[0]?.failure {
                    // A second question would be waited for as long as the first one.
                    progress.clear()
                    for page in rest { await puller.remember(error, of: page) }
                    ending.stop = (error, page)
                    return ending
                }
            }
            for (page, check) in zip(batch, checks) {
                // What came is stored, and the next pull goes on from there.
                if context.surroundings.background.isStopped() { return ending }
                rest = rest.dropFirst()
                defer { progress.done += 1 }
                do throws(TalkError) {
                    if try await pull(page, check, puller, progress, &results) { ending.missing.append(page) }
                    failures = 0
                } catch {
                    progress.clear()
                    failures = error.reach == .unclear ? failures + 1 : 0
                    let isOfWiki = error.reach == .wiki || failures == Self.patience
                    guard !isOfWiki, check?.failure == nil || error.reach == .page else {
                        // Nobody asked for the others, and they know why.
                        if check?.failure != nil { for page in rest { await puller.remember(error, of: page) } }
                        ending.stop = (error, page)
                        return ending
                    }
                    if error.kind == .unreachable || error.kind == .busy { results.unknown.insert(page) }
                    let error = error.reach == .page ? error : error.named(names?[page] ?? page.prefixedTitle)
                    context.terminal.tell(error)
                    results.errors.append((error, names?[page] ?? page.prefixedTitle, page.wiki))
                }
            }
        }
        return ending
    }

    /// Pulls one page, at its new title where it was moved; whether it is missing as before, and that is no news.
    private func pull(
        _ page: PageName, _ check: KnownCheck?, _ puller: PagePuller, _ progress: ProgressLine,
        _ results: inout PullResults
    ) async throws(TalkError) -> Bool {
        let context = session.context, isQuiet = names == nil
        let target = follows && check?.isRedirect != false ? try await RedirectNote.follow(page, session) : page
        let outcome = await puller.run(target, check: target == page ? check : nil, progress: progress.show)
        progress.clear()
        if isQuiet, case .missing(_, let wasKnown) = outcome {
            if try isToBeMade(page) { return false }
            if wasKnown { return true }
        }
        try results.take(outcome, isQuiet: isQuiet, context)
        if case .moved(let move) = outcome {
            let moved = await puller.run(move.to, progress: progress.show)
            progress.clear()
            try results.take(moved, context)
        }
        try await RedirectNote.tell(outcome, isQuiet: isQuiet, session)
        return false
    }

    /// Whether a topic waits that will make the page.
    private func isToBeMade(_ page: PageName) throws(TalkError) -> Bool {
        let topics = try session.store.outbox().entries.filter { $0.page == page && $0.state.isPending }
        return topics.contains { $0.reply.base.rawValue == 0 }
    }
}
