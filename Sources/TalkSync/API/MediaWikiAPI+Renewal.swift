internal import TalkPages

extension MediaWikiAPI {
    /// Logs in again where a wiki that only its members read no longer knows the session; whether that may have helped.
    ///
    /// Once: a login that did not help is not tried again.
    func renewSession(after failure: APIFailure) throws(TalkError) -> Bool {
        guard Self.wantsLogin(failure) else { return false }
        isForMembers = true
        guard !isRenewalVain, let credential else { return false }
        isRenewalVain = true
        guard let found = try credential() else { return false }
        try login(user: found.user, botPassword: found.password)
        return true
    }

    /// The error for the user; where a login is wanted, with the command for it.
    func explained(_ failure: APIFailure, _ subject: String?) -> TalkError {
        let error = failure.talkError(subject)
        guard Self.wantsLogin(failure), let server = URLParts(endpoint)?.server else { return error }
        return TalkError(
            error.kind, error.message, hint: "git talk login \(ShellWord.quoted(server))", underlying: error.underlying)
    }

    private static func wantsLogin(_ failure: APIFailure) -> Bool {
        guard case .refused(let error) = failure else { return false }
        return error.code == "readapidenied"
    }
}
