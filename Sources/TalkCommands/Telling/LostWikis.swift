internal import TalkPages
internal import TalkStore
internal import TalkSync

/// Wikis that replies wait for and that the store has lost: what it knows of them may be deleted, and is asked for again.
struct LostWikis {
    let context: Context
    let store: Store

    /// Asks each at the address that a login left in the configuration; one that does not answer stays lost.
    func find() async {
        guard let known = try? Set(store.wikis().map(\.key)), let entries = try? store.outbox().entries else { return }
        for key in Set(entries.filter { $0.state.isPending }.map(\.page.wiki)).subtracting(known) {
            guard let address = store.reader.configuration.text(.api, of: key), let parts = URLParts(address) else {
                continue
            }
            let api = MediaWikiAPI(endpoint: address, settings: context.network(for: parts.server))
            do throws(TalkError) {
                let wiki = try await WikiSession.describe(api, context: context)
                if wiki.key == key { try await WikiSession.remember(wiki, context: context, store: store) }
            } catch {
                context.terminal.tell(error.named(key))
            }
        }
    }
}
