internal import Foundation
internal import TalkPages
internal import TalkStore
internal import TalkSync

/// What a verb works with: the terminal, the surroundings and the store that was asked for.
struct Context: Sendable {
    private(set) var terminal: Terminal
    let surroundings: Surroundings
    let storePath: String
    let isJSON: Bool
    /// What this command has told of replies.
    private(set) var told = Told()
    /// Whether a wiki that is in trouble is asked once only, and one that says nothing not waited for.
    var isHasty = false
    /// Whether nobody waits for the command, which goes on by itself.
    let isBackground: Bool

    init(_ arguments: Arguments, _ terminal: Terminal, _ surroundings: Surroundings) throws {
        self.terminal = terminal
        self.surroundings = surroundings
        isJSON = arguments.has("json")
        isBackground = arguments.has("watch")
        let environment = surroundings.environment
        if let given = arguments["store"] ?? environment["GIT_TALK_STORE"] {
            guard !given.isEmpty else { throw UsageError("the store's directory is empty") }
            storePath = surroundings.path(given)
        } else {
            // The XDG specification: a relative path is to be ignored.
            let data = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            storePath = (data ?? surroundings.home + "/.local/share") + "/git-talk"
        }
    }

    /// The same with another terminal, on which nobody was told anything yet.
    func with(_ terminal: Terminal) -> Context {
        var context = self
        context.terminal = terminal
        context.told = Told()
        return context
    }

    var now: Int64 { surroundings.now }
    var programs: Programs { Programs(surroundings: surroundings) }
    var style: Style {
        let environment = surroundings.environment
        return Style(
            isColoured: terminal.isInteractive && (environment["NO_COLOR"] ?? "").isEmpty
                && environment["TERM"] != "dumb",
            isTerminal: terminal.isInteractive)
    }
    /// Columns of the terminal; nil when the output goes elsewhere.
    var width: Int? {
        guard terminal.isInteractive else { return nil }
        return surroundings.environment["COLUMNS"].flatMap { Int($0) } ?? terminal.columns() ?? 80
    }

    /// The store for reading, without git.
    func reader() throws(TalkError) -> PageReader { try PageReader(at: storePath) }

    /// The store; must exist.
    func store() throws(TalkError) -> Store { try Store.open(at: storePath) }

    /// How this program reaches wikis.
    ///
    /// `contact` is the user's page there. Bulk work gives way to a wiki that is busy and waits longer for it; work in the
    /// background gives way, too, and comes back by itself.
    func network(for server: String, contact: String? = nil, isBulk: Bool = false) -> NetworkSettings {
        let preferences = NetworkPreferences(environment: surroundings.environment, git: gitSettings(for: server))
        let configured = (try? reader())?.configuration.text(.contact)
        return NetworkSettings(
            userAgent: UserAgent.text(contact: configured ?? contact), proxy: preferences.proxy(for: server),
            proxyExceptions: preferences.proxyExceptions, certificateAuthorities: preferences.certificateAuthorities,
            patience: isHasty ? Self.patience : nil,
            maximumLag: isBulk || isBackground ? 5 : nil, retry: isBackground ? nil : retry(isBulk: isBulk))
    }

    /// Seconds that a person waits for a wiki that was not asked for.
    static let patience = 10

    /// What git's configuration says of connections to a server: `http.<name>` and `http.<address>.<name>`.
    private func gitSettings(for server: String) -> String {
        let words = ["config", "--type=path", "-z", "--get-urlmatch", "http", server]
        return programs.output(["git", "--git-dir=\(storePath)/.git"] + words) ?? ""
    }

    /// Half a minute is what one waits for on a terminal; bulk work may take five minutes to get one answer.
    private func retry(isBulk: Bool) -> RetryPolicy {
        let terminal = terminal, surroundings = surroundings
        return RetryPolicy(
            attempts: isHasty ? 1 : isBulk ? 6 : 3, limit: isBulk ? 300 : 30,
            chance: surroundings.chance,
            wait: { pause in
                if terminal.isErrorInteractive { terminal.writeError("\r\u{1B}[K") }
                let seconds = Int(pause.seconds.rounded(.up))
                terminal.writeError("git-talk: \(pause.reason); asking again in \(seconds) s\n")
                surroundings.sleep(pause.seconds)
            })
    }

    /// Passwords in git's keeping.
    ///
    /// Never asks on the terminal by itself: the commands do, in their own words.
    var credentials: CredentialHelper {
        CredentialHelper(
            git: programs.find("git"), repository: storePath + "/.git",
            environment: surroundings.cleanEnvironment, mayAsk: false)
    }

    /// The git program on the store.
    var git: GitProgram {
        GitProgram(path: programs.find("git"), repository: storePath + "/.git", environment: surroundings.environment)
    }

    /// Git on the store, to talk to other machines: it may ask for a password where somebody can answer.
    var remoteGit: GitProgram {
        GitProgram(
            path: programs.find("git"), repository: storePath + "/.git", environment: surroundings.environment,
            mayAsk: terminal.isInputInteractive && terminal.isErrorInteractive)
    }

    /// Writes text to the pager on a terminal, else to standard output.
    func show(_ text: String) {
        if terminal.isInteractive, programs.page(text) { return }
        terminal.write(text)
    }

    /// A line about progress or about something that the user should know.
    func note(_ text: String) { terminal.writeError(TerminalText.safe(text) + "\n") }
}

/// A page that a user named, on a wiki that the store knows.
struct NamedPage: Sendable {
    let wiki: Wiki
    let page: PageName
    let fragment: String?
}

extension Context {
    /// Finds the page that `typed` names among the wikis that the store knows, without network; nil for an address of
    /// another wiki.
    func known(_ typed: String, _ reader: PageReader) throws(TalkError) -> NamedPage? {
        let wikis = try reader.wikis()
        switch try PageAddress.parse(typed) {
        case .url(let address):
            for wiki in wikis {
                switch wiki.match(address) {
                case .otherWiki: continue
                case .noPage:
                    throw TalkError(
                        .invalid, "the address names no page of \(wiki.key)",
                        hint:
                            "give the address of a talk page, \(wiki.server)\(wiki.articlePath.replacing("$1", with: "Talk:…"))"
                    )
                case .page(let title, let fragment, _):
                    let parsed = try TitleParser.parse(title, wiki: wiki)
                    return NamedPage(wiki: wiki, page: parsed.page, fragment: fragment ?? parsed.fragment)
                }
            }
            return nil
        case .title(let title):
            // `<wiki>/<Namespace>/<title>` is what git calls the page.
            for wiki in wikis {
                if let page = StoreLayout.page(ofBranch: "refs/heads/" + title), page.wiki == wiki.key {
                    return NamedPage(wiki: wiki, page: page, fragment: nil)
                }
            }
            let wiki = try defaultWiki(wikis, reader)
            let parsed = try TitleParser.parse(title, wiki: wiki)
            return NamedPage(wiki: wiki, page: parsed.page, fragment: parsed.fragment)
        }
    }

    /// The page that `typed` names; throws `notFound` for a wiki that the store does not know.
    func page(_ typed: String, _ reader: PageReader) throws(TalkError) -> NamedPage {
        if let found = try known(typed, reader) { return found }
        throw TalkError(
            .notFound, "the store does not know that wiki yet", hint: "git talk pull \(ShellWord.quoted(typed))")
    }

    /// The wiki of a title without address: the setting, else the only one that the store knows.
    func defaultWiki(_ wikis: [Wiki], _ reader: PageReader) throws(TalkError) -> Wiki {
        if let key = reader.configuration.text(.defaultWiki) {
            if let wiki = wikis.first(where: { $0.key == key }) { return wiki }
            throw TalkError(.notFound, "the default wiki \(key) is not known to the store", hint: "git talk wiki")
        }
        if wikis.count == 1 { return wikis[0] }
        if wikis.isEmpty {
            throw TalkError(
                .notFound, "the store knows no wiki yet, so a title alone names no page",
                hint: "give the page's address: git talk pull https://…")
        }
        throw TalkError(
            .notFound, "the store knows several wikis (\(wikis.map(\.key).joined(separator: ", ")))",
            hint: "give the page's address, or choose with: git talk wiki default <wiki>")
    }

    /// The account that is remembered for a wiki, as it logs in (`Name@app`); nil when there is none.
    func loginName(_ wiki: Wiki, _ reader: PageReader) -> String? {
        reader.configuration.text(.user, of: wiki.key)
    }

    /// The name under which the access token of an account is kept; no account and no bot password is called so.
    static func accessToken(of account: String) -> String { "oauth:\(account)" }

    /// Whether a login name stands for an access token.
    static func isAccessToken(_ loginName: String) -> Bool { loginName.hasPrefix("oauth:") }

    /// The account's own name: without the part that names the bot password.
    static func account(_ loginName: String) -> String {
        if isAccessToken(loginName) { return String(loginName.dropFirst("oauth:".count)) }
        return loginName.lastIndex(of: "@").map { String(loginName[..<$0]) } ?? loginName
    }
}
