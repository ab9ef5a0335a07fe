internal import TalkPages
internal import TalkSync

/// What is told about a page that is a redirect.
enum RedirectNote {
    /// Tells where a page leads that was pulled although it is a redirect; `isQuiet`: only when that is new.
    static func tell(_ outcome: PullOutcome, isQuiet: Bool = false, _ session: WikiSession) async throws(TalkError) {
        guard case .pulled(let report) = outcome, report.events.contains(.redirect),
            !isQuiet || !report.added.isEmpty
        else { return }
        let target = try await session.api.redirect(from: session.wiki.localTitle(of: report.page))
        let title = report.title
        guard let target else {
            session.context.note("git-talk: \(title) is a redirect that leads nowhere")
            return
        }
        session.context.note(
            "git-talk: \(title) is a redirect to \(target.title)\nhint: git talk pull --follow \(ShellWord.quoted(title))"
        )
    }

    /// The page that a redirect leads to; the page itself when it is none.
    static func follow(_ page: PageName, _ session: WikiSession) async throws(TalkError) -> PageName {
        let title = session.wiki.localTitle(of: page)
        guard let target = try await session.api.redirect(from: title) else { return page }
        session.context.note("git-talk: \(title) is a redirect to \(target.title)")
        return try TitleParser.parse(target.title, wiki: session.wiki).page
    }
}
