internal import TalkPages

extension PageCheck {
    /// What a check means for a session.
    enum Verdict {
        /// The page is there, with this newest revision.
        case newest(RevisionID)
        /// There is no such page.
        case missing(TalkError)
        /// Nothing that could be pulled.
        case unusable(TalkError)
    }

    /// What it means for a session on `page`; `isShown` when the page is on the screen already.
    ///
    /// A page that became a redirect, or that has another number than before, counts as any other revision here.
    func verdict(of page: PageName, on wiki: Wiki, isShown: Bool) -> Verdict {
        let kept = isShown ? "what is cached stays: git talk show \(ShellWord.quoted(title))" : nil
        switch status {
        case .exists:
            guard let model = contentModel, model != "wikitext" else { break }
            let what = model == "flow-board" ? "a board of Structured Discussions (Flow)" : "a page of \(model)"
            return .unusable(
                TalkError(
                    .invalid, "\(title) is \(what), not a talk page this program can read",
                    hint: kept ?? "look at it in a browser: \(wiki.url(of: page))"))
        case .missing:
            return .missing(
                TalkError(
                    .notFound, "\(title) does not exist on \(wiki.key)",
                    hint: kept ?? "check the spelling: \(wiki.url(of: page))"))
        case .invalid(let reason):
            return .unusable(
                TalkError(.invalid, "\(requested) is not a page name: \(reason)", hint: kept ?? "check the spelling"))
        case .special:
            return .unusable(
                TalkError(
                    .invalid, "\(title) is a special page, not a talk page", hint: "give the title of a talk page"))
        case .interwiki(let url):
            return .unusable(
                TalkError(
                    .invalid, "\(requested) is a page of another wiki",
                    hint: url.map { "git talk pull \(ShellWord.quoted($0))" }))
        }
        guard let latest, latest.rawValue > 0 else {
            if isRedirect {
                return .unusable(
                    TalkError(
                        .invalid, "\(title) is a redirect, and the wiki tells only of the page that it leads to",
                        hint: "git talk pull --follow \(ShellWord.quoted(title))"))
            }
            return .unusable(
                TalkError(
                    .unreachable, "\(title): the wiki does not say which revision is the newest",
                    hint: "try again later"))
        }
        return .newest(latest)
    }
}
