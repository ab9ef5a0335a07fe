internal import TalkPages

extension MediaWikiAPI {
    /// A revision as the wiki renders it.
    ///
    /// Throws `notFound` when it is gone or its text is hidden.
    nonisolated func rendering(of revision: RevisionID, title: String) async throws(TalkError) -> ParsedPage {
        let parsed = try await parse(revision: revision)
        guard parsed.revision == revision else {
            throw TalkError(
                .unreachable, "\(title): the wiki gave another revision than it was asked for",
                hint: "try again later")
        }
        return parsed
    }
}

extension ParsedPage {
    /// The page in canonical form; throws `invalid` when the store cannot take it.
    func content(of revision: RevisionID?, title: String, wiki: Wiki) throws(TalkError) -> PageContent {
        do throws(TalkError) {
            return try CanonicalPage.content(of: html, wiki: wiki, title: self.title)
        } catch {
            let which = revision.map { "revision \($0) of " } ?? ""
            throw TalkError(
                error.kind, "\(which)\(title) cannot be stored: \(error.message)", hint: error.hint, underlying: error)
        }
    }
}
