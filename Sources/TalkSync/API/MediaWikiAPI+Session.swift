internal import TalkHTTP
public import TalkPages

extension MediaWikiAPI {
    /// Logs in with a bot password (`Special:BotPasswords`) and returns the account's name.
    ///
    /// `user` is `Name@app`. The session so far is forgotten. Throws `refused` with the wiki's reason, and when the password
    /// would go unencrypted to another machine; the password is in no error.
    @discardableResult
    public func login(user: String, botPassword: String) throws(TalkError) -> String {
        try Self.requireSecrecy(endpoint)
        do throws(TransportError) { try forgetSession() } catch { throw error.talkError("login") }
        let tokens = try callOrExplain(
            [("action", "query"), ("meta", "tokens"), ("type", "login")], subject: "login")
        guard let loginToken = tokens["query"]?["tokens"]?["logintoken"]?.text else {
            throw TalkError(.unreachable, "login: the wiki gave no login token", hint: "try again later")
        }
        let answer: JSONValue
        do throws(APIFailure) {
            answer = try call(
                [
                    ("action", "login"), ("lgname", user), ("lgpassword", botPassword), ("lgtoken", loginToken),
                ], isPost: true, isWrite: true)
        } catch {
            throw error.talkError("login as \(user)").without(botPassword)
        }
        let result = answer["login"]
        if result?["result"]?.text == "Success", let name = result?["lgusername"]?.text {
            account = name
            return name
        }
        throw Self.loginError(result, user: user).without(botPassword)
    }

    /// Throws `refused` when a secret must not be sent to an address.
    public static func requireSecrecy(_ address: String) throws(TalkError) {
        guard let parts = URLParts(address), !parts.mayHaveSecrets else { return }
        throw TalkError(
            .refused, "\(parts.host) is reached without encryption, so no password is sent to it",
            hint: "use its https address")
    }

    /// What the result of `action=login` says that is no success.
    static func loginRefusal(_ result: JSONValue?) -> APIError {
        let reason = result?["reason"]
        let code: String =
            switch result?["result"]?.text {
            case "WrongToken", "NeedToken": "badtoken"
            default: reason?["code"]?.text ?? "login-failed"
            }
        return APIError(code: code, text: reason?["text"]?.text ?? reason?.text ?? "", isWrite: true)
    }

    private static func loginError(_ result: JSONValue?, user: String) -> TalkError {
        let known = loginRefusal(result)
        let hint =
            switch known.code {
            case "login-throttled": "wait some minutes before the next try"
            case "badtoken": "the wiki lost the session: allow its cookies and try again"
            default: "make a bot password at Special:BotPasswords and use its name (User@app) and its password"
            }
        return TalkError(.refused, known.talkError("login as \(user)").message, hint: hint, underlying: known)
    }

    /// As whom the wiki sees this program; a name that is logged in becomes `account`.
    public func userInfo() throws(TalkError) -> UserInfo {
        let answer = try callOrExplain(
            [("action", "query"), ("meta", "userinfo"), ("uiprop", "blockinfo|groups|rights")])
        guard let user = answer["query"]?["userinfo"].flatMap(UserInfo.init) else {
            throw TalkError(.unreachable, "the wiki does not say who is logged in")
        }
        account = user.isAnonymous ? nil : user.name
        return user
    }

    /// Ends the session at the wiki and forgets its cookies.
    public func logout() throws(TalkError) {
        let token = try csrfToken()
        do throws(APIFailure) {
            _ = try call([("action", "logout"), ("token", token)], isPost: true, isWrite: true)
        } catch {
            throw error.talkError("logout")
        }
        account = nil
        self.token = nil
    }

    /// The token that every write needs; asked for once in a session.
    @discardableResult
    public func csrfToken() throws(TalkError) -> String {
        do throws(APIFailure) {
            return try fetchToken()
        } catch {
            throw error.talkError()
        }
    }

    func fetchToken() throws(APIFailure) -> String {
        if let token { return token }
        let answer = try call([("action", "query"), ("meta", "tokens"), ("type", "csrf")])
        guard let fresh = answer["query"]?["tokens"]?["csrftoken"]?.text else {
            throw .refused(APIError(code: "empty-answer", text: "no token", isWrite: false))
        }
        token = fresh
        return fresh
    }
}

extension TalkError {
    /// The error without a secret that a server repeats.
    fileprivate func without(_ secret: String) -> TalkError {
        let texts = [message, underlying.map { "\($0)" } ?? ""]
        guard !secret.isEmpty, texts.contains(where: { $0.contains(secret) }) else { return self }
        return TalkError(kind, message.replacing(secret, with: "…"), hint: hint)
    }
}
