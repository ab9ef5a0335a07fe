import Foundation
import Synchronization
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore
@testable import TalkSync

/// A page of its own on the test wiki, a store that has it, and a proxy between the two: what the tests of sending share.
struct SendingStage: Sendable {
    static let text = """
        == Width ==
        How wide is it? [[User:Bob|Bob]] ([[User talk:Bob|talk]]) 10:00, 1 March 2024 (UTC)
        :Four metres. [[User:Carol|Carol]] ([[User talk:Carol|talk]]) 11:00, 1 March 2024 (UTC)
        :Five. [[User:Dora|Dora]] ([[User talk:Dora|talk]]) 11:30, 1 March 2024 (UTC)

        == Ramp ==
        And the ramp? [[User:Bob|Bob]] ([[User talk:Bob|talk]]) 12:00, 1 March 2024 (UTC)
        """
    static let carol = ":Four metres. [[User:Carol|Carol]] ([[User talk:Carol|talk]]) 11:00, 1 March 2024 (UTC)\n"
    static let settings = NetworkSettings(userAgent: "git-talk-tests/1 (local)", writeTimeout: 300)

    let wiki: TestWiki
    let proxy: FaultyProxy
    let title: String
    let path: String
    var site: Wiki

    var page: PageName { Self.page(title, site) }

    static func page(_ title: String, _ site: Wiki) -> PageName {
        PageName(wiki: site.key, namespace: "Talk", title: String(title.dropFirst("Talk:".count)))
    }

    /// Makes a page on the wiki and a store that has it.
    init(_ words: String, text: String = Self.text, on wiki: TestWiki? = nil) async throws {
        self.wiki = try wiki ?? TestWiki.required()
        proxy = FaultyProxy(self.wiki.api.absoluteString)
        title = TestWiki.newTitle(words)
        path = TemporaryDirectory.current.appending(path: UUID().uuidString).path
        var site = try await MediaWikiAPI(endpoint: proxy.api, settings: Self.settings).siteInfo()
        site.api = proxy.api
        self.site = site
        try self.wiki.edit(title, to: text)
        let store = try Store.create(at: path)
        try await store.save(site)
        try await pull(title)
        proxy.reset()
    }

    /// The same stage in another process, with a proxy of its own.
    init(path: String, title: String) throws {
        wiki = try TestWiki.required()
        self.title = title
        self.path = path
        proxy = FaultyProxy(wiki.api.absoluteString)
        site = try #require(try Store.open(at: path).wikis().first)
    }

    var store: Store { get throws { try Store.open(at: path) } }

    func client(_ endpoint: String? = nil) -> MediaWikiAPI {
        MediaWikiAPI(endpoint: endpoint ?? proxy.api, settings: Self.settings, cookieFile: path + ".cookies")
    }

    func puller(_ api: MediaWikiAPI, _ store: Store, onMove: MoveRule = .rebase) -> PagePuller {
        PagePuller(api: api, store: store, wiki: site, history: 3, now: 0, onMove: onMove)
    }

    @discardableResult
    func pull(_ title: String? = nil) async throws -> PullReport {
        try await puller(client(), store).pull(Self.page(title ?? self.title, site))
    }

    /// Writes a reply offline to the comment by an author, or to the topic when there is none of that name; its id.
    @discardableResult
    func reply(
        _ text: String, to author: String = "Carol", on title: String? = nil, as account: String = "Alice",
        waiting seconds: Double = 10
    ) async throws -> String {
        let store = try Store.open(at: path, wait: seconds), page = Self.page(title ?? self.title, site)
        let threads = try #require(try await PageThreads.current(of: page, store: store, wiki: site))
        let index = try #require(threads.items.firstIndex { ($0.author ?? $0.text) == author })
        let composer = ReplyComposer(store: store, wiki: site)
        let number = Int64(try store.outbox().entries.count)
        let entry = try await composer.reply(
            text, to: try await composer.prepare(page, threads, item: index), account: account,
            id: ReplyID.make(milliseconds: 1_800_000_000_000 + number, random: (1, 1)), now: 1_800_000_000,
            expires: 1_900_000_000)
        return entry.reply.id
    }

    /// Begins a topic offline, on the page of the stage or on another one; its id.
    @discardableResult
    func topic(
        _ heading: String, _ text: String, on title: String? = nil, as account: String = "Alice"
    ) async throws -> String {
        let store = try store, composer = ReplyComposer(store: store, wiki: site)
        let number = Int64(try store.outbox().entries.count)
        let prepared = try await composer.prepareTopic(heading, on: Self.page(title ?? self.title, site))
        return try await composer.reply(
            text, to: prepared, account: account,
            id: ReplyID.make(milliseconds: 1_800_000_000_000 + number, random: (1, 1)), now: 1_800_000_000,
            expires: 1_900_000_000
        ).reply.id
    }

    /// Answers a pending reply or topic, or with `toHeading` the topic itself; its id.
    @discardableResult
    func answer(
        _ pending: String, _ text: String, on title: String? = nil, as account: String = "Alice",
        toHeading: Bool = false
    ) async throws -> String {
        let store = try store, composer = ReplyComposer(store: store, wiki: site)
        let page = Self.page(title ?? self.title, site)
        let threads = try #require(try await PageThreads.current(of: page, store: store, wiki: site))
        let index = try #require(
            threads.items.firstIndex { $0.pending == pending && ($0.kind == .heading) == toHeading })
        let number = Int64(try store.outbox().entries.count)
        return try await composer.reply(
            text, to: try await composer.prepare(page, threads, item: index), account: account,
            id: ReplyID.make(milliseconds: 1_800_000_000_000 + number, random: (1, 1)), now: 1_800_000_000,
            expires: 1_900_000_000
        ).reply.id
    }

    /// One round of what `git talk sync` does; what became of each reply, in order.
    @discardableResult
    func sync(
        as account: TestWiki.Account = .alice, api: MediaWikiAPI? = nil, faults: StoreFaults = .none,
        onMove: MoveRule = .rebase, isBackground: Bool = false, now: Int64 = 0,
        logIn: (@Sendable () async throws(TalkError) -> Void)? = nil
    ) async throws -> [Sent] {
        let store = try Store.open(at: path, wait: 10, faults: faults), api = api ?? client()
        let lock = try #require(try await store.senderLock())
        let puller = puller(api, store, onMove: onMove)
        try await puller.fitting.healAll()
        let pages = try store.outbox().entries.filter(\.state.isPending).map(\.page)
        for page in Set(pages) {
            do { _ = try await puller.pull(page, isKept: false) } catch {
                guard error.kind == .notFound else { throw error }
            }
        }
        if await api.account == nil, try await api.userInfo().name != account.name {
            try await api.login(user: account.botName, botPassword: account.password)
        }
        let sender = OutboxSender(api: api, store: store, wiki: site, puller: puller, now: { now }, logIn: logIn)
        let told = Mutex<[Sent]>([])
        let waiting = try store.outbox().entries.filter(\.state.isPending)
        try await sender.send(waiting, holding: lock, isBackground: isBackground) { entry, outcome in
            told.withLock { $0.append(Sent(id: entry.reply.id, outcome: outcome)) }
        }
        return told.withLock { $0 }
    }

    struct Sent: Hashable, Sendable {
        let id: String
        let outcome: SendOutcome
    }

    func journal(_ id: String) throws -> OutboxEntry { try #require(try store.outboxEntry(id)) }

    /// How often a text stands on the page on the wiki.
    func copies(_ text: String, on title: String? = nil) throws -> Int {
        try wiki.text(of: title ?? self.title).ranges(of: text).count
    }

    /// The ids of the replies on the pending branch.
    func pending(on title: String? = nil) async throws -> [String] {
        try await store.pendingBranch(of: Self.page(title ?? self.title, site)).commits.map(\.reply.id)
    }

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

    /// A reply is on the wiki once, and here nothing says otherwise.
    func expectPosted(
        _ id: String, _ text: String, edits: Int, _ comment: Comment? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let entry = try journal(id)
        #expect(entry.state == .posted, comment, sourceLocation: sourceLocation)
        #expect(entry.reply.text == text, comment, sourceLocation: sourceLocation)
        #expect(try copies(text) == 1, comment, sourceLocation: sourceLocation)
        #expect(try await pending() == [], comment, sourceLocation: sourceLocation)
        #expect(proxy.count("edit") == edits, comment, sourceLocation: sourceLocation)
        let store = try store
        #expect(try await store.discarded() == [], comment, sourceLocation: sourceLocation)
        let shown = try #require(try store.reader.page(page))
        let html = shown.content.lede + shown.content.sections.map(\.html).joined()
        #expect(html.ranges(of: text).count == 1, comment, sourceLocation: sourceLocation)
        #expect(shown.pending == [], comment, sourceLocation: sourceLocation)
    }
}

/// Waits for asynchronous work on a thread that may wait, as that of a proxy.
func waitFor(_ body: @escaping @Sendable () async throws -> Void) {
    let done = DispatchSemaphore(value: 0)
    Task.detached {
        do { try await body() } catch { Issue.record(error) }
        done.signal()
    }
    done.wait()
}
