internal import TalkPages

extension MediaWikiAPI {
    /// A revision as it is stored: rendered by the wiki, in canonical form.
    ///
    /// Throws `notFound` when it is gone or its text is hidden, `invalid` when the store cannot take it.
    nonisolated func content(
        of revision: RevisionID, title: String, wiki: Wiki
    ) async throws(TalkError) -> PageContent {
        let parsed = try await parse(revision: revision)
        guard parsed.revision == revision else {
            throw TalkError(
                .unreachable, "\(title): the wiki gave another revision than it was asked for",
                hint: "try again later")
        }
        do throws(TalkError) {
            return try CanonicalPage.content(of: parsed.html, wiki: wiki)
        } catch {
            throw TalkError(
                error.kind, "revision \(revision) of \(title) cannot be stored: \(error.message)", hint: error.hint,
                underlying: error)
        }
    }
}
