internal import TalkHTTP
internal import TalkPages

extension MediaWikiAPI {
    /// Sends one edit, once, and says what became of it.
    ///
    /// Fetches a token first when there is none; a token that the wiki no longer takes is forgotten, so that the next
    /// call gets a new one. Never sends again by itself.
    public func edit(_ request: EditRequest) -> EditOutcome {
        send(request.parameters, outcome: Self.outcome(of:), failed: Self.outcome(of:))
    }

    /// Sends a write with a token, once, and judges the answer.
    func send(
        _ parameters: [(String, String)], outcome read: (JSONValue) -> EditOutcome,
        failed: (APIFailure) -> EditOutcome
    ) -> EditOutcome {
        let token: String
        do throws(APIFailure) {
            token = try fetchToken()
        } catch {
            return Self.outcomeBeforeSending(error)
        }
        let outcome: EditOutcome
        do throws(APIFailure) {
            outcome = read(try call(parameters + [("token", token)], isPost: true, isWrite: true))
        } catch {
            outcome = failed(error)
        }
        if case .refused(let error) = outcome, error.code == "badtoken" || error.code.hasPrefix("assert") {
            self.token = nil
        }
        return outcome
    }

    private static func outcomeBeforeSending(_ failure: APIFailure) -> EditOutcome {
        switch failure {
        case .transport(let error): .notSent(reason: error.words)
        case .refused(let error):
            switch error.errorClass {
            case .retryLater, .verify: .notSent(reason: error.words)
            default: .refused(error)
            }
        }
    }

    /// What an answer without an error says.
    static func outcome(of answer: JSONValue) -> EditOutcome {
        guard let edit = answer["edit"] else { return .unknown(reason: "the answer does not speak of the edit") }
        switch edit["result"]?.text {
        case "Success":
            if edit.flag("nochange") { return .noChange }
            guard let new = edit["newrevid"]?.integer, new > 0 else {
                return .unknown(reason: "the wiki names no new revision")
            }
            return .saved(
                newRevision: RevisionID(rawValue: new),
                oldRevision: RevisionID(rawValue: edit["oldrevid"]?.integer ?? 0),
                timestamp: edit["newtimestamp"]?.text.flatMap(APITimestamp.seconds))
        case "Failure":
            return .refused(failure(edit))
        default:
            return .unknown(reason: "the answer does not speak of the edit")
        }
    }

    /// An edit that an extension stopped without an error: a captcha, or a code and words of its own.
    private static func failure(_ edit: JSONValue) -> APIError {
        if edit["captcha"] != nil {
            return APIError(
                code: "captcha", text: edit["captcha"]?["question"]?.text ?? "", data: edit, module: "edit",
                isWrite: true)
        }
        if edit["spamblacklist"] != nil {
            return APIError(
                code: "spamblacklist", text: edit["spamblacklist"]?.text ?? "", data: edit, module: "edit",
                isWrite: true)
        }
        return APIError(
            code: edit["code"]?.text ?? "edit-failure",
            text: edit["info"]?.text ?? edit["message"]?["text"]?.text ?? "", data: edit, module: "edit", isWrite: true)
    }

    /// What a call that failed means for the edit.
    static func outcome(of failure: APIFailure) -> EditOutcome {
        switch failure {
        case .transport(let error):
            return error.wasSent ? .unknown(reason: error.words) : .notSent(reason: error.words)
        case .refused(let error):
            if error.errorClass == .verify {
                return .unknown(
                    reason: error.text.isEmpty ? error.explanation : "\(error.explanation): \(error.text)")
            }
            // A firewall that reads what leaves may put a page of its own in the place of the wiki's answer.
            return error.isServers ? .intercepted(error) : .refused(error)
        }
    }
}
