import Foundation
import Synchronization
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore
@testable import TalkSync

/// The wiki of crash runs: the one that a test scripts, or a page on the real one.
struct CrashWiki: Sendable {
    let api: String
    /// Seconds after which a request that saves is given up, where a run wants that.
    let impatience: Double
    /// Changes the page as somebody; nothing when the body says so.
    let change: @Sendable (_ user: String, _ summary: String, _ body: (String) -> String?) throws -> Void
    /// Every revision since the first, oldest first: number and wikitext.
    let revisions: @Sendable () throws -> [(id: Int, text: String)]

    static func scripted() -> CrashWiki {
        let wiki = ScriptedWiki(SendingStage.text)
        return CrashWiki(
            api: wiki.api, impatience: 0.1,
            change: { user, summary, body in
                guard let text = wiki.revisions.last.flatMap({ body($0.text) }) else { return }
                wiki.change(as: user, summary: summary) { _ in text }
            }, revisions: { wiki.revisions.map { ($0.id, $0.text) } })
    }

    static func real(_ title: String) throws -> CrashWiki {
        let wiki = try TestWiki.required()
        try wiki.edit(title, to: SendingStage.text)
        return CrashWiki(
            api: wiki.api.absoluteString, impatience: 0.5,
            change: { user, summary, body in
                let old = try wiki.text(of: title)
                guard let text = body(old), text != old else { return }
                try wiki.edit(title, to: text, as: TestWiki.Account(name: user), summary: summary)
            },
            revisions: {
                struct Answer: Decodable {
                    struct Query: Decodable { let pages: [Page] }
                    struct Page: Decodable { let revisions: [Revision] }
                    struct Revision: Decodable {
                        let revid: Int
                        let slots: [String: Slot]
                    }
                    struct Slot: Decodable { let content: String }
                    let query: Query
                }
                let json = try wiki.call([
                    "action": "query", "prop": "revisions", "titles": title, "rvprop": "ids|content", "rvslots": "main",
                    "rvlimit": "500", "rvdir": "newer", "formatversion": "2",
                ])
                let answer = try JSONDecoder().decode(Answer.self, from: Data(json.utf8))
                return (answer.query.pages.first?.revisions ?? []).map { ($0.revid, $0.slots["main"]?.content ?? "") }
            })
    }
}

/// A store and a proxy before a wiki, in this process or in one that is to be stopped.
struct CrashStage: Sendable {
    let path: String
    let title: String
    let site: Wiki
    let proxy: FaultyProxy

    init(_ wiki: CrashWiki, _ title: String, site: Wiki) async throws {
        self.title = title
        path = TemporaryDirectory.current.appending(path: UUID().uuidString).path
        proxy = FaultyProxy(wiki.api)
        self.site = site
        let store = try Store.create(at: path)
        try await store.save(site)
        _ = try await puller(client(), store).pull(page)
        proxy.reset()
    }

    /// The same in another process, with a proxy of its own.
    init(path: String, title: String, api: String) throws {
        self.path = path
        self.title = title
        proxy = FaultyProxy(api)
        site = try #require(try Store.open(at: path).wikis().first)
    }

    var page: PageName { SendingStage.page(title, site) }
    var store: Store { get throws { try Store.open(at: path, wait: 10) } }

    func client(impatience: Double? = nil) -> MediaWikiAPI {
        let settings = NetworkSettings(userAgent: "git-talk-tests/1 (local)", writeTimeout: impatience ?? 300)
        return MediaWikiAPI(endpoint: proxy.api, settings: settings, cookieFile: path + ".cookies")
    }

    private func puller(_ api: MediaWikiAPI, _ store: Store) -> PagePuller {
        PagePuller(api: api, store: store, wiki: site, history: 3, now: 0)
    }

    func reply(_ text: String, to author: String) async throws -> String {
        let store = try store
        let threads = try #require(try await PageThreads.current(of: page, store: store, wiki: site))
        let index = try #require(
            threads.items.firstIndex { ($0.author ?? $0.text) == author && $0.pending == nil })
        let composer = ReplyComposer(store: store, wiki: site)
        let number = Int64(try store.outbox().entries.count)
        let entry = try await composer.reply(
            text, to: try await composer.prepare(page, threads, item: index), account: "Alice",
            id: ReplyID.make(milliseconds: 1_800_000_000_000 + number, random: (1, 1)), now: 1_800_000_000,
            expires: 1_900_000_000)
        return entry.reply.id
    }

    /// One round of what `git talk sync` does.
    func round(impatience: Double? = nil, faults: StoreFaults = .none) async throws {
        let store = try Store.open(at: path, wait: 10, faults: faults), api = client(impatience: impatience)
        let lock = try #require(try await store.senderLock())
        let puller = puller(api, store)
        try await puller.fitting.healAll()
        _ = try await puller.pull(page, isKept: false)
        let account = TestWiki.Account.alice
        if try await api.userInfo().name != account.name {
            try await api.login(user: account.botName, botPassword: account.password)
        }
        let sender = OutboxSender(api: api, store: store, wiki: site, puller: puller, now: { 0 })
        try await sender.send(store.outbox().entries.filter(\.state.isPending), holding: lock) { _, _ in }
    }

    func pull() async throws { _ = try await puller(client(), store).pull(page) }

    func entry(_ id: String) throws -> OutboxEntry { try #require(try store.outboxEntry(id)) }

    /// Lets ten minutes pass: every request was sent so much earlier.
    func tenMinutesPass() async throws {
        let store = try store
        for entry in try store.outbox().entries where entry.sentAt != nil {
            try await store.updateEntry(entry.reply.id) { current in
                current.sentAt = current.sentAt.map { $0 - 600 }
                return true
            }
        }
    }
}
