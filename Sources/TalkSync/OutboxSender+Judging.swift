internal import TalkPages
internal import TalkStore

/// What an answer of the wiki means for the reply that was sent.
extension OutboxSender {
    func judge(
        _ outcome: EditOutcome, _ entry: OutboxEntry, _ round: inout Round
    ) async throws(TalkError) -> Step {
        switch outcome {
        case .saved(let revision, _, _):
            return try await posted(entry, revision, &round)
        case .unknown(let reason):
            return try await look(try await save(entry, .unknown, reason), &round)
        case .noChange:
            // The page has exactly this text, so the reply is there: perhaps somebody else put it in.
            let step = try await look(
                try await save(entry, .unknown, "the wiki says that the page has this text already"), &round)
            guard case .done(let entry, .unknown(let reason), _) = step else { return step }
            return .done(try await save(entry, .held, reason), .held(reason: reason), .page)
        case .notSent(let reason):
            return try await putOff(entry, .queued, reason, ending: .unsent, scope: .wiki)
        case .refused(let error):
            return try await refused(error, entry, &round)
        case .intercepted(let error):
            return try await intercepted(error, entry, &round)
        }
    }

    /// What a server before the wiki refused, or hid the wiki's answer to: its words say nothing of the edit.
    private func intercepted(
        _ error: APIError, _ entry: OutboxEntry, _ round: inout Round
    ) async throws(TalkError) -> Step {
        let reason = error.explanation
        let unknown = try await save(entry, .unknown, reason)
        let step = try await look(
            unknown, &round, least: error.secondsToWait, scope: error.scope == .wiki ? .wiki : .page)
        guard case .done(let entry, .unknown, .page) = step, error.secondsToWait == nil else { return step }
        // The same text would be refused again; before it goes out the reply is looked for.
        return .done(try await save(entry, .held, reason), .held(reason: reason), .page)
    }

    /// What the wiki did not save.
    private func refused(
        _ error: APIError, _ entry: OutboxEntry, _ round: inout Round
    ) async throws(TalkError) -> Step {
        let explanation = error.explanation
        let reason = error.text.isEmpty ? explanation : "\(explanation) (the wiki says: \(error.text))"
        switch error.errorClass {
        case .verify:
            return try await look(try await save(entry, .unknown, reason), &round)
        case .recoverOnce where error.scope == .wiki:
            let entry = try await save(entry, .queued, reason, ending: .refused)
            return try await renewSession(error, entry, reason, &round)
        case .recoverOnce:
            let entry = try await save(entry, .queued, reason, ending: .refused)
            return try await pullAgain(entry, reason)
        case .retryLater(let least):
            return try await putOff(entry, .queued, reason, ending: .refused, least: least, scope: .wiki)
        case .needsUser, .permanent:
            // What concerns the whole wiki is no fault of this reply: it goes out when that is over.
            if error.scope == .wiki { return try await stop(entry, reason) }
            let held = try await save(
                entry, .held, reason, ending: .refused, demand: SendDemand(error, of: entry.reply))
            return .done(held, .held(reason: reason), .page)
        }
    }

    private func renewSession(
        _ error: APIError, _ entry: OutboxEntry, _ reason: String, _ round: inout Round
    ) async throws(TalkError) -> Step {
        if error.code == "badtoken", !round.hasNewToken {
            round.hasNewToken = true
            return .again
        }
        guard let logIn, !round.hasNewSession else { return try await stop(entry, reason) }
        round.hasNewSession = true
        do throws(TalkError) {
            try await logIn()
        } catch {
            if error.kind == .unreachable { return try await putOff(entry, .queued, error.message, scope: .wiki) }
            return try await stop(entry, error.message)
        }
        return .again
    }

    func pullAgain(_ entry: OutboxEntry, _ reason: String) async throws(TalkError) -> Step {
        let revision: RevisionID
        switch await puller.run(entry.page, isKept: false) {
        case .pulled(let report): revision = report.revision
        // Whether an earlier request was saved is seen in the history of the page, wherever that is.
        case .moved: return .again
        case .missing(let error, _), .failed(let error):
            return try await putOff(
                entry, .queued, error.message, scope: error.kind == .unreachable ? .wiki : .page)
        }
        // Nothing newer than what the wiki did not take: asking at once would give the same answer.
        guard revision != entry.sentBase ?? entry.reply.base else {
            return try await putOff(entry, .queued, reason)
        }
        return .again
    }

    /// A reply of which no request was made: the page or the wiki is not as it must be.
    func unfit(
        _ error: TalkError, _ entry: OutboxEntry, _ round: inout Round
    ) async throws(TalkError) -> Step {
        switch error.kind {
        case .damaged, .unwritable: throw error
        case .unreachable, .busy:
            let refusal = error.underlying as? APIError
            return try await putOff(
                entry, .queued, error.message, least: refusal?.secondsToWait,
                scope: error.kind == .busy ? .page : .wiki)
        default: break
        }
        if let refusal = error.underlying as? APIError, error.kind != .notFound {
            return try await refused(refusal, entry, &round)
        }
        var reason = error.message
        if error.kind == .notFound,
            let check = try? await api.check(titles: [wiki.localTitle(of: entry.page)]).first,
            check.status == .missing
        {
            reason = "the page \(entry.page) does not exist any more"
        }
        return .done(try await save(entry, .held, reason), .held(reason: reason), .page)
    }

    /// The reply is on the wiki: the journal says so first, then the page comes back and the pending commit goes.
    func posted(
        _ entry: OutboxEntry, _ revision: RevisionID, _ round: inout Round
    ) async throws(TalkError) -> Step {
        round.claimed.insert(revision)
        let entry = try await save(entry, .posted, nil, revision: revision)
        var isBack = false
        do throws(TalkError) {
            // A replica of the wiki's database may lag behind.
            isBack = try await puller.pull(entry.page, isKept: false).revision.rawValue >= revision.rawValue
        } catch {
            // Posted all the same: the next pull brings the page, and heals what is left here.
            _ = try? await fitting.fit(entry.page)
        }
        // The replies behind it are to be made from a text that has this one.
        return .done(entry, .posted(revision), isBack ? .none : .page)
    }
}
