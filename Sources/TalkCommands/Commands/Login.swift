internal import Foundation
internal import TalkPages
internal import TalkStore
internal import TalkSync

extension Verb {
    static let login = Verb(
        "login", .exchange, "Verify a bot password and remember the account",
        synopsis: "<wiki> [--user <name> | --oauth]",
        details: """
            <wiki> is the address of any page of the wiki. Your real password is never asked for: make a bot password at
            Special:BotPasswords of the wiki, with the grants "Edit existing pages" and "Create, edit, and move pages".
            Its name is YourName@something. The password goes to git's credential helper; the session's cookies stay in
            the store. Without a terminal the name and the password are read as two lines from standard input, unless
            --user and a credential helper give them. With --oauth the access token is asked for instead: that of a
            consumer "for use only by me", from Special:OAuthConsumerRegistration.
            """,
        options: [
            Option("user", letter: "u", value: "<name>", "the bot password's name, YourName@something"),
            Option("oauth", "log in with the access token of an OAuth 2 consumer of your own instead"),
        ],
        examples: ["git talk login https://en.wikipedia.org/"]
    ) { arguments, context in
        try arguments.expect(1...1, "address of a wiki")
        let address = try Login.address(arguments.positional[0])
        let store = try Store.create(at: context.storePath)
        return try await Login(context: context, store: store).run(
            address, user: arguments["user"], withToken: arguments.has("oauth"))
    }
}

/// Logging in: ask, verify, remember.
private struct Login {
    let context: Context
    let store: Store

    /// `en.wikipedia.org` alone is meant as an address here.
    static func address(_ typed: String) throws(TalkError) -> URLParts {
        if case .url(let parts) = try PageAddress.parse(typed) { return parts }
        if typed.contains("."), case .url(let parts) = try PageAddress.parse("https://\(typed)") { return parts }
        throw TalkError(.invalid, "“\(typed)” is no address of a wiki", hint: "git talk login https://…")
    }

    func run(_ address: URLParts, user: String?, withToken: Bool) async throws -> ExitCode {
        let door = try await WikiDoor.find(address, context: context, store: store)
        try MediaWikiAPI.requireSecrecy(door.server)
        let questions = LoginQuestions(context: context, door: door, remembered: door.loginName(context, store))
        if withToken {
            return try await enter(door, token: questions.accessToken())
        }
        return try await enter(door, try questions.botPassword(user: user), questions)
    }

    /// Verifies a bot password.
    private func enter(_ door: WikiDoor, _ typed: Credential, _ questions: LoginQuestions) async throws -> ExitCode {
        // A session of its own: with the cookies of another one the wiki refuses a login, and a failed one costs nothing.
        let fresh = try await store.cookieFile(wiki: door.name, user: typed.user) + ".login"
        defer { try? FileManager.default.removeItem(atPath: fresh) }
        try? FileManager.default.removeItem(atPath: fresh)
        let api = MediaWikiAPI(endpoint: door.endpoint, settings: context.network(for: door.server), cookieFile: fresh)
        let account: String
        do throws(TalkError) {
            account = try await api.login(user: typed.user, botPassword: typed.password)
        } catch {
            if error.kind == .refused {
                try context.credentials.reject(typed, server: door.server)
                questions.explainUnlessDone()
            }
            throw error
        }
        // The name as the wiki writes it: by that one, replies are signed and found again.
        let credential = Credential(
            user: account + typed.user.dropFirst(Context.account(typed.user).count), password: typed.password)
        let wiki = try await door.wiki(api, context: context, store: store)
        let info = try await api.userInfo()
        let cookies = try await store.cookieFile(wiki: wiki.key, user: credential.user)
        _ = try? FileManager.default.removeItem(atPath: cookies)
        try? FileManager.default.moveItem(atPath: fresh, toPath: cookies)
        try await remember(wiki, credential)
        return try tell(wiki, info, loginName: credential.user, remedy: questions.remedy)
    }

    /// Verifies an access token.
    private func enter(_ door: WikiDoor, token: String) async throws -> ExitCode {
        guard try context.credentials.isConfigured(for: door.server) else {
            throw TalkError(
                .invalid, "git has no credential helper, so the access token could not be kept",
                hint: "choose one, see gitcredentials(7), or the simplest: git config --global credential.helper store")
        }
        let api = MediaWikiAPI(
            endpoint: door.endpoint, settings: context.network(for: door.server), bearerToken: token)
        let info = try await api.userInfo()
        guard !info.isAnonymous else {
            throw TalkError(
                .refused, "the wiki takes no notice of the access token",
                hint: "it is for a wiki with the OAuth extension; else log in with a bot password")
        }
        let wiki = try await door.wiki(api, context: context, store: store)
        let loginName = Context.accessToken(of: info.name)
        try await remember(wiki, Credential(user: loginName, password: token))
        return try tell(wiki, info, loginName: loginName, remedy: "tick \"Edit existing pages\" for the OAuth consumer")
    }

    private func remember(_ wiki: Wiki, _ credential: Credential) async throws(TalkError) {
        try await store.configure(Setting.api.name(of: wiki.key), to: wiki.api)
        try await store.configure(Setting.user.name(of: wiki.key), to: credential.user)
        guard try context.credentials.isConfigured(for: wiki.server) else {
            context.note(
                """
                git-talk: git has no credential helper, so the password is not stored; the session lasts until the wiki ends it
                hint: choose one, see gitcredentials(7), or the simplest: git config --global credential.helper store
                """)
            return
        }
        try context.credentials.approve(credential, server: wiki.server)
    }

    private func tell(_ wiki: Wiki, _ info: UserInfo, loginName: String, remedy: String) throws -> ExitCode {
        if context.isJSON {
            let output = LoginOutput(
                account: info.name, loginName: loginName, mayEdit: info.mayEdit, server: wiki.server, wiki: wiki.key)
            context.terminal.write(try JSONOutput.text(output))
        } else {
            context.terminal.write("logged in at \(wiki.key) as \(info.name); replies will be posted as \(info.name)\n")
        }
        if !info.mayEdit { context.note("git-talk: this login may not edit\nhint: \(remedy)") }
        return .done
    }
}

/// `git talk login --json`, schema `Schema/cli/login.schema.json`.
private struct LoginOutput: Encodable {
    let schema = 1
    let account: String
    let loginName: String
    let mayEdit: Bool
    let server: String
    let wiki: String
}
