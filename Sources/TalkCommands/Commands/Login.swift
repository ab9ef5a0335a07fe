internal import Foundation
internal import TalkPages
internal import TalkStore
internal import TalkSync

extension Verb {
    static let login = Verb(
        "login", .exchange, "Verify a bot password and remember the account", synopsis: "<wiki> [--user <name>]",
        details: """
            <wiki> is the address of any page of the wiki. Your real password is never asked for: make a bot password at
            Special:BotPasswords of the wiki, with the grants "Edit existing pages" and "Create, edit, and move pages".
            Its name is YourName@something. The password goes to git's credential helper; the session's cookies stay in
            the store. Without a terminal the name and the password are read as two lines from standard input, unless
            --user and a credential helper give them.
            """,
        options: [Option("user", letter: "u", value: "<name>", "the bot password's name, YourName@something")],
        examples: ["git talk login https://en.wikipedia.org/"]
    ) { arguments, context in
        try arguments.expect(1...1, "the wiki's address")
        let address = try Login.address(arguments.positional[0])
        let store = try Store.create(at: context.storePath)
        return try await Login(context: context, store: store).run(address, user: arguments["user"])
    }
}

/// Logging in: explain, ask, verify, remember.
private struct Login {
    let context: Context
    let store: Store

    /// `en.wikipedia.org` alone is meant as an address here.
    static func address(_ typed: String) throws(TalkError) -> URLParts {
        if case .url(let parts) = try PageAddress.parse(typed) { return parts }
        if typed.contains("."), case .url(let parts) = try PageAddress.parse("https://\(typed)") { return parts }
        throw TalkError(.invalid, "“\(typed)” is no address of a wiki", hint: "git talk login https://…")
    }

    func run(_ address: URLParts, user: String?) async throws -> ExitCode {
        let wiki = try await WikiSession.discover(address, context: context, store: store)
        guard wiki.server.hasPrefix("https:") || Self.isLoopback(wiki.server) else {
            throw TalkError(
                .refused, "\(wiki.key) is reached without encryption, so no password is sent to it",
                hint: "use its https address")
        }
        let page = wiki.server + wiki.articlePath.replacing("$1", with: "Special:BotPasswords")
        context.note(
            """
            A bot password is a name and a secret for one program, with fewer rights than your account.
            Make one at \(page)
            with the grants "Edit existing pages" and "Create, edit, and move pages".
            """)
        let typed = try ask(wiki, user: user)
        // A session of its own: with the cookies of another one the wiki refuses a login, and a failed one costs nothing.
        let fresh = try await store.cookieFile(wiki: wiki.key, user: typed.user) + ".login"
        try? FileManager.default.removeItem(atPath: fresh)
        let api = MediaWikiAPI(endpoint: wiki.api, settings: context.network(for: wiki.server), cookieFile: fresh)
        let account: String
        do throws(TalkError) {
            account = try await api.login(user: typed.user, botPassword: typed.password)
        } catch {
            try? FileManager.default.removeItem(atPath: fresh)
            if error.kind == .refused { try context.credentials.reject(typed, server: wiki.server) }
            throw error
        }
        let info = try await api.userInfo()
        // The name as the wiki writes it: by that one, replies are signed and found again.
        let credential = Credential(
            user: account + typed.user.dropFirst(Context.account(typed.user).count), password: typed.password)
        let cookies = try await store.cookieFile(wiki: wiki.key, user: credential.user)
        _ = try? FileManager.default.removeItem(atPath: cookies)
        try? FileManager.default.moveItem(atPath: fresh, toPath: cookies)
        try await store.configure("wiki.\(wiki.key).api", to: wiki.api)
        try await store.configure("wiki.\(wiki.key).user", to: credential.user)
        try remember(credential, wiki)
        if context.isJSON {
            let output = LoginOutput(
                account: info.name, loginName: credential.user, mayEdit: info.mayEdit, server: wiki.server,
                wiki: wiki.key)
            context.terminal.write(try JSONOutput.text(output))
        } else {
            context.terminal.write("logged in at \(wiki.key) as \(info.name); replies will be posted as \(info.name)\n")
        }
        if !info.mayEdit {
            context.note(
                "git-talk: this login may not edit\nhint: tick \"Edit existing pages\" for the bot password at \(page)")
        }
        return .done
    }

    /// The name and the password: from the user, or from a credential helper that has the password of the name.
    private func ask(_ wiki: Wiki, user: String?) throws(TalkError) -> Credential {
        let terminal = context.terminal
        let remembered = context.loginName(wiki, store.reader)
        var name = user ?? ""
        if name.isEmpty {
            if terminal.isInputInteractive {
                terminal.writeError(
                    "Name of the bot password\(remembered.map { " [\($0)]" } ?? " (YourName@something)"): ")
            }
            name = terminal.readLine()?.trimmingCharacters(in: .whitespaces) ?? ""
            if name.isEmpty { name = remembered ?? "" }
        }
        if terminal.isInputInteractive || user != nil || name.isEmpty,
            let stored = try context.credentials.fill(server: wiki.server, user: name.isEmpty ? nil : name)
        {
            context.note("using the password of \(stored.user) that git's credential helper has")
            return stored
        }
        guard !name.isEmpty else {
            throw TalkError(.invalid, "no name was given", hint: "git talk login <wiki> --user YourName@something")
        }
        // The account alone will do when a helper knows its bot password.
        if !name.contains("@"), let stored = try context.credentials.fill(server: wiki.server, user: nil),
            Context.account(stored.user) == name
        {
            return stored
        }
        guard name.contains("@") else {
            throw TalkError(
                .invalid, "“\(name)” is not the name of a bot password, which is YourName@something",
                hint: "make one at Special:BotPasswords; your real password is not wanted")
        }
        if terminal.isInputInteractive { terminal.writeError("Password of \(name): ") }
        let typed = terminal.readSecret()?.trimmingCharacters(in: .whitespaces) ?? ""
        if !typed.isEmpty { return Credential(user: name, password: typed) }
        if let stored = try context.credentials.fill(server: wiki.server, user: name) { return stored }
        throw TalkError(
            .invalid, "no password was given", hint: "type it at the prompt, or store it with git credential approve")
    }

    private func remember(_ credential: Credential, _ wiki: Wiki) throws(TalkError) {
        guard try context.credentials.isConfigured(for: wiki.server) else {
            context.note(
                """
                git-talk: git has no credential helper, so the password is not stored; the session lasts until the wiki ends it
                hint: git config --global credential.helper store   (or libsecret, cache: see gitcredentials(7))
                """)
            return
        }
        try context.credentials.approve(credential, server: wiki.server)
    }

    private static func isLoopback(_ server: String) -> Bool {
        guard let host = URLParts(server)?.host else { return false }
        return host == "localhost" || host == "[::1]" || host == "::1" || host.hasPrefix("127.")
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
