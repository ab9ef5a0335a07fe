internal import TalkPages
internal import TalkStore
internal import TalkSync

/// Where one logs in at a wiki, which may say what it is only then.
struct WikiDoor {
    /// Address of `api.php`.
    let endpoint: String
    /// Scheme, host and port that the password is for.
    let server: String
    /// What the wiki said of itself; nil for one that says nothing to strangers.
    let known: Wiki?

    /// What the wiki is called until it says it.
    var name: String { known?.key ?? URLParts(server)?.host ?? server }

    /// Finds the wiki of an address.
    static func find(_ address: URLParts, context: Context, store: Store) async throws(TalkError) -> WikiDoor {
        let settings = context.network(for: address.server)
        let endpoint = try await MediaWikiAPI.discover(from: address, settings: settings)
        do throws(TalkError) {
            let wiki = try await WikiSession.describe(
                MediaWikiAPI(endpoint: endpoint, settings: settings), context: context)
            try await WikiSession.remember(wiki, context: context, store: store)
            return WikiDoor(endpoint: wiki.api, server: wiki.server, known: wiki)
        } catch {
            guard (error.underlying as? APIError)?.code == "readapidenied", let parts = URLParts(endpoint) else {
                throw error
            }
            return WikiDoor(endpoint: endpoint, server: parts.server, known: nil)
        }
    }

    /// The account that was remembered.
    func loginName(_ context: Context, _ store: Store) -> String? {
        let wikis = (try? store.wikis()) ?? []
        return (known ?? wikis.first { $0.server == server }).flatMap { context.loginName($0, store.reader) }
    }

    /// The wiki, asked by somebody who is logged in where it says nothing to strangers.
    ///
    /// Throws `invalid` when it calls another server its own: the password was for this one.
    func wiki(_ api: MediaWikiAPI, context: Context, store: Store) async throws(TalkError) -> Wiki {
        if let known { return known }
        var wiki = try await api.siteInfo()
        wiki.asked = context.now
        wiki.isPrivate = true
        guard wiki.server == server else {
            throw TalkError(
                .invalid, "the wiki at \(server) calls itself \(wiki.server)",
                hint: "git talk login \(ShellWord.quoted(wiki.server))")
        }
        try await WikiSession.remember(wiki, context: context, store: store)
        return wiki
    }
}
