internal import Foundation
internal import TalkPages
internal import TalkStore
internal import TalkSync

/// Wikis whose pages came from another store, and which this one has never asked what they are.
///
/// Without that a page cannot be shown: how dates are written and what namespaces are called is the wiki's to say.
actor NewWikis {
    private let context: Context
    private let store: Store
    /// Those that were asked in this run, so that none is waited for, or told of, twice.
    private var asked: Set<String> = []

    init(context: Context, store: Store) {
        self.context = context
        self.store = store
    }

    /// Asks those that can be reached, each once.
    func ask(_ keys: [String]) async {
        for key in Set(keys).sorted() where (try? store.wiki(key)) == nil && asked.insert(key).inserted {
            var hasty = context
            hasty.isHasty = true
            var isFound = false
            for address in Self.addresses(key) where !isFound {
                guard let parts = URLParts(address) else { continue }
                let found = try? await WikiSession.discover(parts, context: hasty, store: store)
                isFound = found?.key == key
            }
            guard !isFound else { continue }
            context.note(
                """
                git-talk: the wiki \(TerminalText.safe(key)) could not be asked what it is, so its pages cannot be shown yet
                hint: when it can be reached: git talk pull \(ShellWord.quoted("\(Self.addresses(key)[0])…"))
                hint: where only members read: git talk login \(ShellWord.quoted(Self.addresses(key)[0]))
                """)
        }
    }

    /// Where a wiki with this key may be.
    static func addresses(_ key: String) -> [String] {
        let host = key.prefix { $0 != "/" && $0 != ":" }
        let isHere = host == "localhost" || host == "127.0.0.1" || host.hasSuffix(".localhost")
        return (isHere ? ["http"] : ["https"]).map { "\($0)://\(key)/" }
    }
}
