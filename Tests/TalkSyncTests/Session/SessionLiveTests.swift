import Foundation
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore
@testable import TalkSync

/// Sessions with a real MediaWiki.
@Suite(.temporaryDirectory, .testWiki) struct SessionLiveTests {
    /// The states of a page, by another store than the one that has it.
    private func states(_ stage: SendingStage, _ title: String? = nil, api: MediaWikiAPI? = nil) async throws
        -> [TalkPageState]
    {
        let puller = stage.puller(api ?? stage.client(), try stage.store)
        var states: [TalkPageState] = []
        for await state in TalkPageSession(SendingStage.page(title ?? stage.title, stage.site), with: puller) {
            states.append(state)
        }
        return states
    }

    private func names(_ states: [TalkPageState]) -> [String] {
        states.map { String(PageMachineTests.words($0).prefix { $0 != " " && $0 != ":" }) }
    }

    @Test func aPageIsShownBeforeItIsStored() async throws {
        let stage = try await SendingStage("Session")
        let other = TestWiki.newTitle("Not cached")
        for text in ["First.", "Second.", "Third.", SendingStage.text] { try stage.wiki.edit(other, to: text) }
        let states = try await states(stage, other)
        #expect(names(states) == ["confirming", "updated"])
        #expect(states.map { $0.shown?.isStored } == [false, true])
        #expect(states[0].shown?.content == states[1].shown?.content)
        #expect(states[0].shown?.items.map(\.author) == states[1].shown?.items.map(\.author))
        #expect(states[0].canWrite == .denied(reason: "the page is not stored yet") && states[1].canWrite == .granted)
        #expect(states[1].canSend == .denied(reason: "nobody is logged in"))
        guard case .updated(let changes) = states[1].phase else { return }
        #expect(changes.added.count == 3 && changes.isFirst)
        #expect(stage.proxy.calls.map(\.kind).sorted() == ["check", "history", "parse", "parse", "parse"])
    }

    @Test func whatTheWikiAllowsIsSaidWithItsReason() async throws {
        let stage = try await SendingStage("Allowed")
        let api = stage.client()
        try await api.login(user: TestWiki.Account.alice.botName, botPassword: TestWiki.Account.alice.password)
        stage.proxy.reset()
        var found = try await states(stage, api: api)
        #expect(names(found) == ["confirming", "current"] && found.last?.canSend == .granted)
        #expect(stage.proxy.calls.map(\.kind) == ["check"])
        try stage.wiki.call(["action": "protect", "title": stage.title, "protections": "edit=sysop", "reason": "test"])
        found = try await states(stage, api: api)
        // The protection is a revision.
        #expect(names(found) == ["confirming", "updated"])
        #expect(found.last?.canSend.reason?.contains("protected") == true, "\(String(describing: found.last?.canSend))")
        #expect(found.last?.canWrite == .granted)
    }

    @Test func whoIsBlockedIsToldSo() async throws {
        try await TestWiki.withPrivateWiki { wiki in
            let endpoint = wiki.api.absoluteString
            let api = MediaWikiAPI(endpoint: endpoint, settings: SendingStage.settings)
            let site = try await api.siteInfo()
            let store = try Store.create(at: TemporaryDirectory.current.appending(path: "store").path)
            let page = PageName(wiki: site.key, namespace: "Talk", title: "Old stone bridge")
            let puller = PagePuller(api: api, store: store, wiki: site, history: 3, now: 0)
            _ = try await puller.pull(page)
            try await api.login(user: TestWiki.Account.carol.botName, botPassword: TestWiki.Account.carol.password)
            try wiki.call(["action": "block", "user": "Carol", "expiry": "1 day", "reason": "a pause"])
            var last: TalkPageState?
            for await state in TalkPageSession(page, with: puller) { last = state }
            #expect(last?.canSend == .denied(reason: "Carol is blocked by Admin: a pause"))
        }
    }

    /// The request beside the check is one of the session, too.
    @Test func aPrivateWikiIsReadWithTheLogin() async throws {
        try await TestWiki.withPrivateWiki { wiki in
            let endpoint = wiki.api.absoluteString
            let settings = SendingStage.settings
            let site = try await MediaWikiAPI(endpoint: endpoint, settings: settings).siteInfo()
            let rights = #"{"*":{"read":false,"writeapi":true},"user":{"read":true,"edit":true,"writeapi":true}}"#
            try wiki.set("GroupPermissions", to: rights)
            let proxy = FaultyProxy(endpoint)
            let cookies = TemporaryDirectory.current.appending(path: "cookies").path
            let api = MediaWikiAPI(endpoint: proxy.api, settings: settings, cookieFile: cookies)
            let store = try Store.create(at: TemporaryDirectory.current.appending(path: "store").path)
            let page = PageName(wiki: site.key, namespace: "Talk", title: "Old stone bridge")
            let session = TalkPageSession(
                page, with: PagePuller(api: api, store: store, wiki: site, history: 1, now: 0))
            var states: [TalkPageState] = []
            for await state in session { states.append(state) }
            #expect(names(states) == ["failed"])
            #expect(states.last?.canWrite.isGranted == false)
            try await api.login(user: TestWiki.Account.alice.botName, botPassword: TestWiki.Account.alice.password)
            proxy.reset()
            states = []
            for await state in session { states.append(state) }
            #expect(names(states) == ["confirming", "updated"])
            #expect(proxy.calls.map(\.kind).sorted() == ["check", "parse"])
        }
    }

    /// The page as pulled is the page as shown by title before, byte for byte.
    @Test func bothWaysToAskGiveTheSameBytes() async throws {
        let stage = try await SendingStage("Bytes")
        for title in ["Talk:Old stone bridge", "Talk:夏祭り & \"fireworks\" 🎆", "Talk:Weather station/Data"] {
            let found = try await states(stage, title)
            #expect(names(found) == ["confirming", "updated"], "\(title)")
            #expect(found.first?.shown?.content == found.last?.shown?.content, "\(title)")
        }
    }
}
