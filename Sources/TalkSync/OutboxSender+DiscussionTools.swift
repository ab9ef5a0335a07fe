internal import TalkPages

extension OutboxSender {
    /// Has DiscussionTools place a reply for which our own placing found no place in the wikitext.
    ///
    /// It takes the page's newest revision whatever that is, so the comment is compared first: the base of the reply, in
    /// which the comment was found by its text, must be the newest. `problem` is why our own placing did not do.
    func attemptByDiscussionTools(
        _ entry: OutboxEntry, _ problem: TalkError, _ round: inout Round
    ) async throws(TalkError) -> Step {
        guard let target = entry.reply.target, target.author != nil else {
            return try await unfit(problem, entry, &round)
        }
        let title = wiki.localTitle(of: entry.page)
        let check: PageCheck?, addition: OutboxEntry.Addition
        do throws(TalkError) {
            let context = ReplyComposer(store: store, wiki: wiki).context(account: entry.account)
            let text = try WikitextReply.prepared(entry.reply.text, as: .reply, context: context).text
            addition = try await api.addition(AddedLines.lines(of: text), at: nil, title: title)
            check = try await api.check(titles: [title]).first
        } catch {
            return try await unfit(error, entry, &round)
        }
        guard check?.latest == entry.reply.base else { return try await pullAgain(entry, problem.message) }
        var reply = DiscussionToolsReply(
            title: title, name: target.name, text: entry.reply.text,
            summary: EditSummary.reply(heading: target.heading), formToken: String(entry.reply.id.suffix(16)),
            account: entry.account, captcha: Self.captcha(for: entry))
        guard
            let sending = try await begin(
                entry, base: entry.reply.base, summary: reply.summary, addition: addition,
                clock: check?.serverTime ?? now())
        else { return .again }
        var outcome = await api.edit(reply)
        if case .refused(let error) = outcome, error.code == "discussiontools-commentname-ambiguous" {
            reply.id = target.id
            outcome = await api.edit(reply)
        }
        if case .refused(let error) = outcome, DiscussionToolsReply.noPlace.contains(error.code) {
            let reason = "\(problem.message), and DiscussionTools finds no place for it either"
            return .done(try await save(sending, .held, reason, ending: .refused), .held(reason: reason), .page)
        }
        return try await judge(outcome, sending, &round)
    }
}
