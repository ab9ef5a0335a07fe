internal import TalkPages
internal import TalkStore
internal import TalkSync

/// A wiki that a command talks to: its client, with the cookies of the remembered account.
struct WikiSession: Sendable {
    let context: Context
    let store: Store
    let wiki: Wiki
    let api: MediaWikiAPI
    /// As whom this program logs in, `Name@app`; nil when no account is remembered.
    let loginName: String?
    /// How many revisions the first pull of a page brings.
    let history: Int

    /// Opens a session; nothing is sent yet.
    static func open(
        _ wiki: Wiki, context: Context, store: Store, isBulk: Bool = false
    ) async throws(TalkError) -> WikiSession {
        let configuration = try store.configuration()
        let loginName = configuration.text(.user, of: wiki.key)
        let history = try configuration.number(.history)
        // What waits is fitted by it: where it cannot be read, nothing is pulled and nothing sent.
        _ = try configuration.word(.onMove)
        let user = loginName.map { PageName(wiki: wiki.key, namespace: "User", title: Context.account($0)) }
        let settings = context.network(for: wiki.server, contact: user.map { wiki.url(of: $0) }, isBulk: isBulk)
        guard let loginName else {
            return WikiSession(
                context: context, store: store, wiki: wiki,
                api: MediaWikiAPI(endpoint: wiki.api, settings: settings), loginName: nil, history: history)
        }
        let cookies = try await store.cookieFile(wiki: wiki.key, user: loginName)
        let helper = context.credentials
        let api: MediaWikiAPI
        if Context.isAccessToken(loginName) {
            try MediaWikiAPI.requireSecrecy(wiki.api)
            let token = try helper.fill(server: wiki.server, user: loginName)?.password
            api = MediaWikiAPI(endpoint: wiki.api, settings: settings, cookieFile: cookies, bearerToken: token)
        } else {
            api = MediaWikiAPI(
                endpoint: wiki.api, settings: settings, cookieFile: cookies,
                credential: { () throws(TalkError) in try helper.fill(server: wiki.server, user: loginName) })
        }
        return WikiSession(
            context: context, store: store, wiki: wiki, api: api, loginName: loginName, history: history)
    }

    /// Seconds after which a wiki is asked again what it is: its software, names and date formats change now and then.
    private static let siteInfoAge: Int64 = 7 * 86_400

    /// The session with what the wiki says of itself asked again when that is a week old, or younger than now.
    ///
    /// When the wiki does not tell, what it said before is good enough.
    func refreshed() async -> WikiSession {
        if let asked = wiki.asked, asked <= context.now, context.now - asked < Self.siteInfoAge { return self }
        guard var fresh = try? await api.siteInfo(), fresh.key == wiki.key else { return self }
        fresh.api = wiki.api
        fresh.asked = context.now
        fresh.isPrivate = wiki.isPrivate
        try? await store.save(fresh)
        return WikiSession(
            context: context, store: store, wiki: fresh, api: api, loginName: loginName, history: history)
    }

    /// Keeps that the wiki told nothing without a login: what the store has of it is for its members from then on.
    func keepPrivacy() async {
        guard await api.isForMembers else { return }
        do throws(TalkError) {
            guard var known = try store.wiki(wiki.key), known.isPrivate != true else { return }
            known.isPrivate = true
            try await store.save(known)
        } catch {
            context.terminal.tell(error)
        }
    }

    /// The page that `typed` names, and a session with its wiki.
    static func find(
        _ typed: String, context: Context, store: Store
    ) async throws(TalkError) -> (NamedPage, WikiSession) {
        let named = try await name(typed, context: context, store: store)
        return (named, try await open(named.wiki, context: context, store: store))
    }

    /// The page that `typed` names; its wiki is asked for what it is when the store does not know it yet.
    static func name(_ typed: String, context: Context, store: Store) async throws(TalkError) -> NamedPage {
        if let named = try context.known(typed, store.reader) { return named }
        guard case .url(let address) = try PageAddress.parse(typed) else {
            throw TalkError(.internal, "a title belongs to no wiki")
        }
        let wiki = try await discover(address, context: context, store: store)
        var found = try context.known(typed, store.reader)
        if found == nil { found = try page(address, of: wiki) }
        guard let named = found, named.wiki.key == wiki.key else {
            throw TalkError(
                .invalid, "the address is not one of a page of \(wiki.key)",
                hint: "open the page in a browser and copy its address")
        }
        return named
    }

    /// The page of an address at another host, which led to the wiki.
    private static func page(_ address: URLParts, of wiki: Wiki) throws(TalkError) -> NamedPage? {
        guard let own = URLParts(wiki.server) else { return nil }
        var address = address
        (address.scheme, address.host, address.port) = (own.scheme, own.host, own.port)
        guard case .page(let title, let fragment, _) = wiki.match(address) else { return nil }
        let parsed = try TitleParser.parse(title, wiki: wiki)
        return NamedPage(wiki: wiki, page: parsed.page, fragment: fragment ?? parsed.fragment)
    }

    /// Finds the wiki of an address; one that is not known yet is asked for what it is, and that is remembered.
    static func discover(_ address: URLParts, context: Context, store: Store) async throws(TalkError) -> Wiki {
        let settings = context.network(for: address.server)
        let endpoint = try await MediaWikiAPI.discover(from: address, settings: settings)
        // One that only its members read tells no stranger what it is.
        if let known = try store.wikis().first(where: { $0.api == endpoint }) { return known }
        let wiki = try await describe(MediaWikiAPI(endpoint: endpoint, settings: settings), context: context)
        try await remember(wiki, context: context, store: store)
        return wiki
    }

    /// Asks a wiki for what it is, at the address that it calls its own: only there it is believed who it is.
    static func describe(_ api: MediaWikiAPI, context: Context) async throws(TalkError) -> Wiki {
        var wiki = try await api.siteInfo()
        wiki.asked = context.now
        guard wiki.api != api.endpoint else { return wiki }
        var own: Wiki
        do throws(TalkError) {
            own = try await MediaWikiAPI(endpoint: wiki.api, settings: context.network(for: wiki.server)).siteInfo()
        } catch {
            throw error.named(wiki.server)
        }
        guard own.key == wiki.key, own.server == wiki.server else {
            throw TalkError(
                .invalid,
                "the wiki at \(api.endpoint) says that it is \(wiki.server), which says that it is \(own.server)",
                hint: "give the address of a page at \(own.server)")
        }
        own.asked = context.now
        return own
    }

    /// Keeps what a wiki is.
    static func remember(_ wiki: Wiki, context: Context, store: Store) async throws(TalkError) {
        try await store.save(wiki)
        for warning in wiki.dateWarnings ?? [] { context.note("git-talk: \(wiki.key): \(warning)") }
    }

    /// A puller with the number of revisions that the user wants at first.
    func puller(now: Int64) -> PagePuller {
        PagePuller(api: api, store: store, wiki: wiki, history: history, now: now)
    }

    /// Logs in when the session is not that of the remembered account any more.
    ///
    /// Throws `refused` when no account is remembered, or no password for it.
    func logIn() async throws(TalkError) {
        guard let loginName else {
            throw TalkError(
                .refused, "nobody is logged in at \(wiki.key)", hint: "git talk login \(ShellWord.quoted(wiki.server))")
        }
        let account = Context.account(loginName)
        if try await api.userInfo().name == account { return }
        guard !Context.isAccessToken(loginName) else {
            throw TalkError(
                .refused,
                "the access token of \(account) at \(wiki.key) is not in git's keeping any more, or not valid",
                hint: "git talk login --oauth \(ShellWord.quoted(wiki.server))")
        }
        let helper = context.credentials
        guard let stored = try helper.fill(server: wiki.server, user: loginName) else {
            throw TalkError(
                .refused, "the session at \(wiki.key) ended and no password of \(loginName) is stored",
                hint: "git talk login \(ShellWord.quoted(wiki.server))")
        }
        _ = try await api.login(user: loginName, botPassword: stored.password)
    }
}
