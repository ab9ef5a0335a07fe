import Foundation
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore
@testable import TalkSync

/// The wiki's newest revision is not the last one in time that is cached: what is written stands on the wiki's.
@Suite(.temporaryDirectory) struct TakenBackTests {
    private static let title = "Talk:Bridge"

    private static func html(_ comments: (text: String, user: String, hour: Int)...) -> String {
        #"<h2><span class="mw-headline" id="Width">Width</span></h2>"#
            + comments.map {
                #"<p>\#($0.text) <a href="/wiki/User:\#($0.user)" title="User:\#($0.user)">\#($0.user)</a> "#
                    + "\($0.hour):00, 1 March 2024 (UTC)</p>"
            }.joined(separator: "\n")
    }

    private static let first = html(("How wide?", "Bob", 10), ("Four metres.", "Carol", 11))
    private static let second = html(
        ("How wide?", "Bob", 10), ("Four metres.", "Carol", 11), ("No, five.", "Dora", 12))

    private struct Stage {
        let paper = PaperPages()
        let store: Store
        let site: Wiki
        let page: PageName

        init(_ revisions: PaperPages.Revision...) async throws {
            paper.set(title, revisions)
            let api = MediaWikiAPI(endpoint: paper.api, settings: NetworkSettings(userAgent: "test/1"))
            site = try await api.siteInfo()
            page = PageName(wiki: site.key, namespace: "Talk", title: "Bridge")
            store = try Store.create(at: TemporaryDirectory.current.appending(path: "store").path)
            try await store.save(site)
            try await pull()
        }

        /// Pulls the page; the last state in words, with what became of the replies.
        @discardableResult
        func pull() async throws -> (words: String, state: TalkPageState) {
            paper.reset()
            let api = MediaWikiAPI(endpoint: paper.api, settings: NetworkSettings(userAgent: "test/1"))
            let puller = PagePuller(api: api, store: store, wiki: site, history: 3, now: 1_800_000_000)
            var last: TalkPageState?
            for await state in TalkPageSession(page, with: puller) { last = state }
            let state = try #require(last)
            return (PageMachineTests.words(state), state)
        }

        /// What `show` and `reply` take.
        func threads() async throws -> DerivedThreads {
            let cached = try #require(try await PageThreads.current(of: page, store: store, wiki: site))
            return try await PageThreads(store: store, wiki: site).newest(cached, store.state(of: page), of: page)
        }

        @discardableResult
        func reply(_ text: String, to author: String) async throws -> String {
            let threads = try await threads(), composer = ReplyComposer(store: store, wiki: site)
            let index = try #require(threads.items.firstIndex { $0.author == author && $0.pending == nil })
            let number = Int64(try store.outbox().entries.count)
            return try await composer.reply(
                text, to: try await composer.prepare(page, threads, item: index), account: "Alice",
                id: ReplyID.make(milliseconds: 1_800_000_000_000 + number, random: (1, 1)), now: 1_800_000_000,
                expires: 1_900_000_000
            ).reply.id
        }

        /// The bases of the replies that wait, by their journals; all stand on one commit in their order.
        func bases() async throws -> [Int64] {
            let waiting = try store.outbox().entries.filter(\.state.isPending)
            let branch = try await store.pendingBranch(of: page)
            #expect(branch.commits.map(\.reply) == waiting.map(\.reply) && branch.isOnBase)
            let foot = try await store.records(of: page).first { $0.commit == branch.foot }?.record.id
            #expect(waiting.isEmpty || foot == waiting[0].reply.base)
            let shown = try #require(try store.reader.page(page))
            #expect(shown.stamp.commit == branch.head && shown.pending.map(\.id) == waiting.map(\.reply.id))
            #expect(try await threads().items.compactMap(\.pending).sorted() == waiting.map(\.reply.id))
            #expect(try runGit(["fsck", "--strict", "--no-dangling"], in: store.layout.root).output == "")
            return waiting.map(\.reply.base.rawValue)
        }
    }

    @Test func repliesStandOnWhatTheWikiCallsTheNewest() async throws {
        let before = PaperPages.Revision(10, Self.first), after = PaperPages.Revision(11, Self.second)
        let stage = try await Stage(before, after)
        try await stage.reply("Before that.", to: "Carol")
        let lost = try await stage.reply("To what goes.", to: "Dora")
        #expect(try await stage.bases() == [11, 11])

        // A backup was brought back.
        stage.paper.set(Self.title, [before])
        let back = try await stage.pull()
        #expect(back.words == "current 10" && back.state.events == [.takenBack] && stage.paper.kinds == ["check"])
        #expect(back.state.fitting.rebased == 1 && back.state.fitting.setAside.map(\.reply.id) == [lost])
        #expect(back.state.shown?.items.map(\.text) == ["Width", "How wide?", "Four metres.", "Before that."])
        #expect(try await stage.bases() == [10])
        try await stage.reply("After that.", to: "Bob")
        #expect(try await stage.bases() == [10, 10])
        #expect(try await stage.threads().revision?.rawValue == 10)
        // Nothing more happens.
        #expect(try await stage.pull().state.fitting == PendingFitting.Result())
        #expect(stage.paper.kinds == ["check"])

        // The wiki goes on.
        stage.paper.set(Self.title, [before, PaperPages.Revision(12, Self.second, at: 30)])
        let next = try await stage.pull()
        #expect(next.words == "updated 12 with 12" && next.state.fitting.rebased == 2)
        #expect(try await stage.bases() == [12, 12])
    }

    @Test func aReplyWrittenAfterwardsStandsOnIt() async throws {
        let before = PaperPages.Revision(10, Self.first)
        let stage = try await Stage(before, PaperPages.Revision(11, Self.second))
        stage.paper.set(Self.title, [before])
        let back = try await stage.pull()
        #expect(back.words == "current 10")
        #expect(back.state.shown?.items.map(\.text) == ["Width", "How wide?", "Four metres."])
        #expect(try await stage.bases() == [])
        try await stage.reply("After that.", to: "Carol")
        #expect(try await stage.bases() == [10])
        let shown = try #require(try stage.store.reader.page(stage.page))
        let html = shown.content.sections.map(\.html).joined()
        #expect(html.contains("After that.") && !html.contains("No, five."))
    }

    /// A revision of the past that was not cached, as after an import: it is put where it belongs in time.
    @Test func anOlderOneThatComesLaterIsTheNewest() async throws {
        let stage = try await Stage(PaperPages.Revision(11, Self.second, at: 20))
        try await stage.reply("Wait.", to: "Carol")
        stage.paper.set(Self.title, [PaperPages.Revision(12, Self.first, at: 10)])
        let late = try await stage.pull()
        #expect(late.words == "updated 12 with 12")
        #expect(late.state.shown?.items.map(\.text) == ["Width", "How wide?", "Four metres.", "Wait."])
        #expect(try await stage.store.records(of: stage.page).map(\.record.id.rawValue) == [12, 11])
        #expect(try await stage.bases() == [12])
        #expect(try await stage.pull().words == "current 12" && stage.paper.kinds == ["check"])
        // Without replies that wait, too.
        let entry = try #require(try stage.store.outbox().entries.first)
        _ = try await PendingFitting(store: stage.store, wiki: stage.site).setAside(entry, reason: "test")
        stage.paper.set(Self.title, [PaperPages.Revision(13, Self.first + "<p>Ramp</p>", at: 15)])
        let other = try await stage.pull()
        #expect(other.words == "updated 13 with 13" && other.state.shown?.items.count == 3)
        #expect(try await stage.threads().revision?.rawValue == 13)
    }

    @Test(arguments: [[10, 11], [11, 10]])
    func ofEqualTimesTheGreaterNumberIsLastAndTheWikiDecides(order: [Int]) async throws {
        let texts = [10: Self.first, 11: Self.second]
        let revisions = order.map { PaperPages.Revision($0, texts[$0] ?? "", at: 5) }
        let stage = try await Stage(revisions[0])
        stage.paper.set(Self.title, revisions)
        #expect(try await stage.pull().words == "updated \(order[1]) with \(order[1])")
        #expect(try await stage.store.records(of: stage.page).map(\.record.id.rawValue) == [10, 11])
        try await stage.reply("Wait.", to: "Carol")
        #expect(try await stage.bases() == [Int64(order[1])])
        for _ in 1...2 {
            let again = try await stage.pull()
            #expect(again.words == "current \(order[1])" && stage.paper.kinds == ["check"])
        }
    }

    @Test func aNumberThatIsUsedAgainIsNotTakenForWhatIsCached() async throws {
        let before = PaperPages.Revision(10, Self.first)
        let stage = try await Stage(before, PaperPages.Revision(11, Self.second))
        stage.paper.set(Self.title, [before, PaperPages.Revision(11, Self.html(("New.", "Eve", 13)), at: 40)])
        let found = try await stage.pull()
        guard case .stale(let error) = found.state.phase else {
            Issue.record("\(found.words)")
            return
        }
        #expect(
            error.message.hasSuffix(
                "the wiki has another revision 11 now than the one that is cached, as after a backup was brought back"))
        #expect(error.kind == .invalid && found.state.canSend.isGranted == false)
        // The next edit has a number of its own.
        stage.paper.set(
            Self.title, [before, PaperPages.Revision(12, Self.html(("New.", "Eve", 13)), at: 41)])
        #expect(try await stage.pull().words == "updated 12 with 12")
    }
}
