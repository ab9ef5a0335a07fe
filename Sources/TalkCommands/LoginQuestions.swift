internal import Foundation
internal import TalkPages
internal import TalkSync

/// What a login asks for, from the user or from a credential helper.
struct LoginQuestions {
    let context: Context
    let door: WikiDoor
    /// The account of the last login.
    let remembered: String?

    /// What lets a login edit that may not.
    var remedy: String { "tick \"Edit existing pages\" for the bot password at \(page("Special:BotPasswords"))" }

    private var isFirst: Bool { remembered == nil }
    private var terminal: Terminal { context.terminal }

    /// Tells what a bot password is, when a wiki did not take one and it was not told before.
    func explainUnlessDone() {
        if !isFirst { explain() }
    }

    private func explain() {
        context.note(
            """
            A bot password is a name and a secret for one program, with fewer rights than your account.
            Make one at \(page("Special:BotPasswords"))
            with the grants "Edit existing pages" and "Create, edit, and move pages".
            """)
    }

    private func page(_ title: String) -> String {
        door.known.map { $0.server + $0.articlePath.replacing("$1", with: title) } ?? "\(title) of \(door.server)"
    }

    /// The name and the password.
    func botPassword(user: String?) throws(TalkError) -> Credential {
        let known = remembered.flatMap { Context.isAccessToken($0) ? nil : $0 }
        if isFirst { explain() }
        var name = user ?? ""
        if name.isEmpty {
            if terminal.isInputInteractive {
                terminal.writeError("Name of the bot password\(known.map { " [\($0)]" } ?? " (YourName@something)"): ")
            }
            name = try line(terminal.readLine())
            if name.isEmpty { name = known ?? "" }
        }
        if terminal.isInputInteractive || user != nil || name.isEmpty,
            let stored = try stored(name.isEmpty ? nil : name)
        {
            context.note("using the password of \(stored.user) that git's credential helper has")
            return stored
        }
        guard !name.isEmpty else {
            throw TalkError(.invalid, "no name was given", hint: "git talk login <wiki> --user YourName@something")
        }
        // The account alone will do when a helper knows its bot password.
        if !name.contains("@"), let stored = try stored(nil), Context.account(stored.user) == name { return stored }
        guard name.contains("@") else {
            throw TalkError(
                .invalid, "“\(name)” is not the name of a bot password, which is YourName@something",
                hint: "make one at Special:BotPasswords; your real password is not wanted")
        }
        if terminal.isInputInteractive { terminal.writeError("Password of \(name): ") }
        let typed = try line(terminal.readSecret())
        if !typed.isEmpty { return Credential(user: name, password: typed) }
        if let stored = try stored(name) { return stored }
        throw TalkError(
            .invalid, "no password was given", hint: "type it at the prompt, or store it with git credential approve")
    }

    /// The access token.
    func accessToken() throws(TalkError) -> String {
        if terminal.isInputInteractive {
            if isFirst {
                context.note(
                    """
                    Register an OAuth 2 consumer "for use only by me" at \(page("Special:OAuthConsumerRegistration"))
                    with the grants "Edit existing pages" and "Create, edit, and move pages"; the wiki shows its access token once.
                    """)
            }
            terminal.writeError("Access token: ")
        }
        let typed = try line(terminal.readSecret())
        guard !typed.isEmpty else {
            throw TalkError(
                .invalid, "no access token was given", hint: "type it at the prompt, or give it on standard input")
        }
        return typed
    }

    /// A password that a helper has; an access token is none.
    private func stored(_ user: String?) throws(TalkError) -> Credential? {
        let found = try context.credentials.fill(server: door.server, user: user)
        return found.flatMap { Context.isAccessToken($0.user) ? nil : $0 }
    }

    /// What was typed; Ctrl-D at a prompt means that nothing is wanted any more.
    private func line(_ typed: String?) throws(TalkError) -> String {
        if typed == nil, terminal.isInputInteractive {
            terminal.writeError("\n")
            throw TalkError(
                .invalid, "the login was broken off, so nothing has changed",
                hint: "git talk login \(ShellWord.quoted(door.server))")
        }
        return typed?.trimmingCharacters(in: .whitespaces) ?? ""
    }
}
