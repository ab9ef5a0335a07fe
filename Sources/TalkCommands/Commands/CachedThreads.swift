internal import TalkPages
internal import TalkStore
internal import TalkSync

/// The threads of a cached page, for the commands that show or answer it.
enum CachedThreads {
    /// The threads of the revision that the wiki calls the newest, with what waits in place.
    ///
    /// They come from the page's files; where there are none, git and the journals are asked. Throws `notFound` when the page is not cached.
    static func current(
        of named: NamedPage, _ store: Store, _ context: Context
    ) async throws(TalkError) -> DerivedThreads {
        let page = named.page
        return try await PageThreads(store: store, wiki: named.wiki).newest(
            try await files(of: named, store, context), store.state(of: page), of: page)
    }

    private static func files(
        of named: NamedPage, _ store: Store, _ context: Context
    ) async throws(TalkError) -> DerivedThreads {
        let page = named.page
        if let threads = try await PageThreads.current(of: page, store: store, wiki: named.wiki) { return threads }
        try await heal(named, store, context)
        if let threads = try await PageThreads.current(of: page, store: store, wiki: named.wiki) { return threads }
        throw TalkError(
            .notFound, "\(page) is not cached", hint: "git talk pull \(ShellWord.quoted(named.wiki.url(of: page)))")
    }

    /// Brings a page to what its newest revision and the journals make of it, where a crash left it otherwise.
    static func heal(_ named: NamedPage, _ store: Store, _ context: Context) async throws(TalkError) {
        let healed = try await PendingFitting(store: store, wiki: named.wiki).heal(named.page)
        for entry in healed.setAside { context.tell(entry) }
    }

    /// The same before something is written; what is written is in its journal, whatever keeps the page from being made
    /// anew now.
    static func healForWriting(_ named: NamedPage, _ store: Store, _ context: Context) async throws(TalkError) {
        do throws(TalkError) {
            try await heal(named, store, context)
        } catch {
            guard error.kind == .busy else { throw error }
        }
    }
}
