internal import TalkPages

/// A reply that DiscussionTools places, `action=discussiontoolsedit`.
struct DiscussionToolsReply {
    let title: String
    /// `ThreadItem.name` of the answered comment.
    let name: String
    /// Its id, only where several comments have the name: it changes with the parents of a comment, and may name another
    /// one then.
    var id: String?
    let text: String
    let summary: String
    /// At most 16 characters; the wiki refuses a second edit with the same ones in a session.
    let formToken: String
    let account: String
    var captcha: EditRequest.Captcha?

    /// What the wiki says when it has not found the comment or no place for a reply to it; nothing is saved then.
    static let noPlace: Set<String> = [
        "discussiontools-commentid-notfound", "discussiontools-commentname-notfound", "comment-comment-not-saved",
    ]

    var parameters: [(String, String)] {
        var all = [
            ("action", "discussiontoolsedit"), ("paction", "addcomment"), ("page", title), ("commentname", name),
            ("wikitext", text), ("summary", summary), ("formtoken", formToken), ("watchlist", "preferences"),
            ("nocontent", "1"), ("assert", "user"), ("assertuser", account),
        ]
        if let id { all.append(("commentid", id)) }
        if let captcha { all += [("captchaid", captcha.id), ("captchaword", captcha.word)] }
        return all
    }
}

extension MediaWikiAPI {
    /// Has DiscussionTools place a reply, once, and says what became of it.
    func edit(_ reply: DiscussionToolsReply) -> EditOutcome {
        send(reply.parameters, outcome: Self.discussionToolsOutcome) { failure in
            if case .refused(let error) = failure, DiscussionToolsReply.noPlace.contains(error.code) {
                return .refused(error)
            }
            let outcome = Self.outcome(of: failure)
            guard case .refused(let error) = outcome, !Self.isFromBeforeSaving(error) else { return outcome }
            return .unknown(reason: "\(error.words), perhaps after it was saved")
        }
    }

    /// What an answer without an error says.
    static func discussionToolsOutcome(_ answer: JSONValue) -> EditOutcome {
        let result = answer["discussiontoolsedit"]
        if result?["result"]?.text == "success", let revision = result?["newrevid"]?.integer, revision > 0 {
            return .saved(
                newRevision: RevisionID(rawValue: revision), oldRevision: RevisionID(rawValue: 0), timestamp: nil)
        }
        if let edit = result?["edit"] { return outcome(of: .object(["edit": edit])) }
        return .unknown(reason: "the answer does not speak of the edit")
    }

    /// Whether an error certainly means that nothing was saved.
    ///
    /// The page is rendered once more after it was saved, and an error of that looks like any other. What the edit itself
    /// refuses, and what is looked at before it, has names.
    private static func isFromBeforeSaving(_ error: APIError) -> Bool {
        if error.module == "edit" || error.module == "main" { return true }
        let early = ["badtoken", "assert", "discussiontools-", "comment-", "missingparam", "invalidparammix", "max"]
        return early.contains { error.code.hasPrefix($0) }
    }
}
