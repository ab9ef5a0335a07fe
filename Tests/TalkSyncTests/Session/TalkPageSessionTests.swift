import Foundation
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore
@testable import TalkSync

/// Sessions on a store on disk and a wiki on a socket.
@Suite(.temporaryDirectory) struct TalkPageSessionTests {
    private static let title = "Talk:Bridge"

    private static func comment(_ text: String, _ user: String, _ hour: Int) -> String {
        #"<p>\#(text) <a href="/wiki/User:\#(user)" title="User:\#(user)">\#(user)</a> \#(hour):00, 1 March 2024 (UTC)</p>"#
    }

    private static func topic(_ heading: String, _ comments: String...) -> String {
        #"<h2><span class="mw-headline" id="\#(heading)">\#(heading)</span></h2>"# + comments.joined(separator: "\n")
    }

    private static let width = topic("Width", comment("How wide?", "Bob", 10))
    private static let ramp = topic("Ramp", comment("And the ramp?", "Carol", 11))
    private static let answered = topic("Width", comment("How wide?", "Bob", 10), comment("Four metres.", "Dora", 12))
    private static let three = [
        PaperPages.Revision(10, width + "\n" + ramp), PaperPages.Revision(11, answered + "\n" + ramp, by: "Dora"),
        PaperPages.Revision(12, answered + "\n" + ramp + "\n" + topic("Paint", comment("Which?", "Eve", 13))),
    ]

    /// A wiki with a page, and a store beside it.
    private struct Stage {
        let paper = PaperPages()
        let store: Store
        let site: Wiki
        let path = TemporaryDirectory.current.appending(path: "store").path
        var endpoint: String { paper.api }
        var page: PageName { PageName(wiki: site.key, namespace: "Talk", title: "Bridge") }

        init(_ revisions: [PaperPages.Revision]) async throws {
            paper.set(title, revisions)
            let api = MediaWikiAPI(endpoint: paper.api, settings: NetworkSettings(userAgent: "test/1"))
            site = try await api.siteInfo()
            store = try Store.create(at: path)
            try await store.save(site)
        }

        func puller(_ endpoint: String? = nil) throws -> PagePuller {
            let api = MediaWikiAPI(endpoint: endpoint ?? paper.api, settings: NetworkSettings(userAgent: "test/1"))
            // As another process would: what this one knows of the repository is no help.
            return PagePuller(api: api, store: try Store.open(at: path), wiki: site, history: 3, now: 1_800_000_000)
        }

        func states(_ endpoint: String? = nil) async throws -> [TalkPageState] {
            var states: [TalkPageState] = []
            for await state in TalkPageSession(page, with: try puller(endpoint)) { states.append(state) }
            return states
        }

        func pull() async throws {
            _ = try await puller().pull(page)
            paper.reset()
        }

        var directory: URL { URL(filePath: store.layout.pageDirectory(of: page)) }
        var objects: URL { URL(filePath: store.layout.gitDirectory + "/objects") }

        /// Inode and time of change of every file of the page.
        func files() throws -> [String: String] {
            var found: [String: String] = [:]
            for name in try FileManager.default.subpathsOfDirectory(atPath: directory.path) {
                let attributes = try FileManager.default.attributesOfItem(
                    atPath: directory.appending(path: name).path)
                guard attributes[.type] as? FileAttributeType == .typeRegular else { continue }
                found[name] = "\(attributes[.systemFileNumber] ?? 0) \(attributes[.modificationDate] ?? 0)"
            }
            return found
        }
    }

    private static func words(_ state: TalkPageState) -> String {
        let words = PageMachineTests.words(state)
        guard case .stale(let error) = state.phase else {
            guard case .failed(let error) = state.phase else { return words }
            return "failed: " + reason(error)
        }
        return words.replacing(error.message, with: reason(error))
    }

    private static func reason(_ error: TalkError) -> String {
        if error.kind == .damaged { return "damaged" }
        return ["no check", "no fetch"].first { error.message.contains($0) } ?? error.message
    }

    @Test(arguments: SessionRow.all) func everyRowHoldsOnAStoreAndAWiki(row: SessionRow) async throws {
        let stage = try await Stage(row.cache == .none ? Self.three : Array(Self.three.prefix(1)))
        if row.cache != .none { try await stage.pull() }
        if row.cache != .ok || row.check != .same { stage.paper.set(Self.title, Self.three) }
        if row.cache == .unreadable {
            try FileManager.default.removeItem(at: stage.objects.appending(path: "pack"))
            try FileManager.default.removeItem(at: stage.directory.appending(path: ".stamp"))
        }
        stage.paper.reset()
        if row.fetch == .fails {
            stage.paper.add { kind, _ in kind == "check" ? nil : .error("internal_api_error_X", "no fetch") }
        }
        switch row.check {
        case .same: break
        case .movedOn:
            stage.paper.add { kind, _ in
                kind == "parse" && row.fetch == .ok
                    ? .json(#"{"parse":{"title":"Talk:Bridge","pageid":10,"revid":11,"text":"old"}}"#) : nil
            }
        case .fails: stage.paper.add { kind, _ in kind == "check" ? .error("internal_api_error_X", "no check") : nil }
        }
        let states = try await stage.states()
        #expect(states.map(Self.words) == row.states)
        var asked = stage.paper.kinds
        if asked.prefix(2).sorted() == ["check", "parse"] { asked.replaceSubrange(0..<2, with: ["check", "parse"]) }
        #expect(asked == row.requests)
        if row.cache == .ok {
            #expect(states.first?.shown?.items.map(\.text) == ["Width", "How wide?", "Ramp", "And the ramp?"])
            #expect(states.allSatisfy { $0.canWrite == .granted })
        }
        let branch = try? await stage.store.tip(of: stage.page)?.record.id.rawValue
        let stored: Int64? = states.last?.shown?.isStored == true ? states.last?.shown?.revision?.rawValue : nil
        #expect(branch == stored)
    }

    @Test func aCachedPageComesFromFilesAlone() async throws {
        let stage = try await Stage(Self.three)
        try await stage.pull()
        // There is no repository, and nobody listens.
        let elsewhere = TemporaryDirectory.current.appending(path: "objects")
        try FileManager.default.moveItem(at: stage.objects, to: elsewhere)
        let dead = "http://127.0.0.1:\(StubWiki.closedPort())/w/api.php"
        let states = try await stage.states(dead)
        #expect(states.map { Self.words($0).prefix(13) } == ["confirming 12", "stale 12: Tal"])
        #expect(states[0].shown?.items.count == 7)
        #expect(states[0].shown?.content.sections.map(\.heading) == ["Width", "Ramp", "Paint"])
        #expect(states[1].canSend.reason?.hasPrefix("the page is not up to date: Talk:Bridge: ") == true)
        try FileManager.default.moveItem(at: elsewhere, to: stage.objects)
        #expect(try stage.store.state(of: stage.page)?.failure != nil)
        #expect(try await stage.states().map(Self.words) == ["confirming 12", "current 12"])
        #expect(try stage.store.state(of: stage.page)?.failure == nil)
    }

    @Test func anUnchangedPageTakesOneRequestAndTouchesNothing() async throws {
        let stage = try await Stage(Self.three)
        try await stage.pull()
        let files = try stage.files(), tip = try await stage.store.tip(of: stage.page)
        let packs = try stage.store.packing().packs
        stage.paper.logIn(#"{"id":2,"name":"Alice","rights":["read","edit"]}"#)
        let states = try await stage.states()
        #expect(states.map(Self.words) == ["confirming 12", "current 12"])
        #expect(states.last?.canSend == .granted)
        #expect(stage.paper.kinds == ["check"])
        #expect(try stage.files() == files)
        #expect(try await stage.store.tip(of: stage.page) == tip)
        #expect(try stage.store.packing().packs == packs)
        let call = try #require(stage.paper.calls.last)
        #expect(call["meta"] == "userinfo" && call["intestactions"] == "edit" && call["titles"] == "Talk:Bridge")
    }

    @Test func onlyWhatChangedIsWrittenAndNamed() async throws {
        let stage = try await Stage(Array(Self.three.prefix(1)))
        try await stage.pull()
        let before = try stage.files()
        stage.paper.set(Self.title, Array(Self.three.prefix(2)))
        let states = try await stage.states()
        #expect(states.map(Self.words) == ["confirming 10", "updated 11 with 11"])
        #expect(stage.paper.kinds == ["check", "parse 11"])
        let after = try stage.files()
        #expect(after["sections/Ramp.html"] == before["sections/Ramp.html"])
        #expect(after["lede.html"] == before["lede.html"] && after["page.json"] == before["page.json"])
        #expect(after["sections/Width.html"] != before["sections/Width.html"])
        guard case .updated(let changes) = states.last?.phase else { return }
        #expect(changes.discussion.commentsAdded.map(\.text) == ["Four metres."])
        #expect(changes.discussion.topicsChanged.map(\.text) == ["Width"])
        #expect(changes.discussion.topicsAdded == [] && changes.topicsRemoved == [] && !changes.isFirst)
        #expect(states.last?.shown?.items.count == 5)
    }

    @Test func aTopicThatVanishedIsNamedWithWhoTookItAndWhere() async throws {
        let stage = try await Stage(Array(Self.three.prefix(2)))
        try await stage.pull()
        let archived = PaperPages.Revision(13, Self.answered, by: "Frank", "1 topic to [[/Archive 1|the archive]]")
        stage.paper.set(Self.title, Array(Self.three.prefix(2)) + [archived])
        guard case .updated(let changes) = try await stage.states().last?.phase else {
            Issue.record("not updated")
            return
        }
        let removed = try #require(changes.topicsRemoved.first)
        #expect(changes.topicsRemoved.count == 1 && removed.heading.text == "Ramp")
        #expect(removed.revision?.rawValue == 13 && removed.user == "Frank" && removed.timestamp == 1_709_294_520)
        #expect(removed.destination?.title == "Bridge/Archive 1" && removed.destination?.namespace == "Talk")
    }

    @Test func filesThatAreNotWholeAreMadeAnewBeforeAnythingIsAsked() async throws {
        let stage = try await Stage(Self.three)
        try await stage.pull()
        try FileManager.default.removeItem(at: stage.directory.appending(path: "sections/Ramp.html"))
        #expect(try await stage.states().map(Self.words) == ["confirming 12", "current 12"])
        #expect(stage.paper.kinds == ["check"])
        try FileManager.default.removeItem(at: stage.directory)
        #expect(try await stage.states().map(Self.words) == ["confirming 12", "current 12"])
        #expect(try stage.files().keys.contains("sections/Ramp.html"))
    }

    @Test func aMissingPageIsRememberedAndComesWhenItIsThere() async throws {
        let stage = try await Stage([])
        #expect(try await stage.states().map(Self.words) == ["missing"])
        #expect(try stage.store.state(of: stage.page)?.isMissing == true)
        #expect(try stage.store.state(of: stage.page)?.isKept == false)
        stage.paper.reset()
        #expect(try await stage.states().map(Self.words) == ["missing, as before"])
        #expect(stage.paper.kinds == ["check"])
        stage.paper.set(Self.title, Array(Self.three.prefix(1)))
        #expect(try await stage.states().map(Self.words) == ["updated 10 with 10"])
        #expect(try stage.store.state(of: stage.page)?.isMissing == false)
        stage.paper.set(Self.title, [])
        for words in ["missing 10", "missing 10, as before"] {
            #expect(try await stage.states().map(Self.words) == ["confirming 10", words])
        }
    }

    @Test func anEditBetweenTheTwoRequestsIsNotMistaken() async throws {
        let stage = try await Stage(Self.three)
        let next = PaperPages.Revision(14, Self.answered)
        let paper = stage.paper
        // The list is read last, and the wiki has gone on.
        paper.add { kind, _ in
            if kind == "list" { paper.set(Self.title, Self.three + [next]) }
            return nil
        }
        let states = try await stage.states()
        // The list starts at the revision that is at hand.
        #expect(states.map(Self.words) == ["confirming 12", "updated 12 with 10 11 12"])
        #expect(try await stage.states().last.map(Self.words) == "updated 14 with 14")
    }

    @Test func aFirstPullHasOnePackAndThreeRevisions() async throws {
        let stage = try await Stage(Self.three)
        let packs = try stage.store.packing().packs
        let states = try await stage.states()
        #expect(states.map { $0.shown?.isStored } == [false, true])
        #expect(try stage.store.packing().packs == packs + 1)
        #expect(try await stage.store.records(of: stage.page).map(\.record.id.rawValue) == [10, 11, 12])
        guard case .updated(let changes) = states.last?.phase else { return }
        #expect(changes.isFirst && changes.discussion.commentsAdded.count == 4)
    }

    @Test func olderRevisionsThatFailAreSaidAndTheNewestStays() async throws {
        let stage = try await Stage(Self.three)
        stage.paper.add { kind, _ in kind == "parse 11" ? .error("internal_api_error_X", "no fetch") : nil }
        let states = try await stage.states()
        #expect(states.map(Self.words) == ["confirming 12", "updated 12 with 12"])
        guard case .updated(let changes) = states.last?.phase else { return }
        #expect(changes.shortfall.map(Self.reason) == "no fetch")
        #expect(!stage.paper.kinds.contains("parse 10"))
    }

    // MARK: Broken off

    /// Says when nobody has it any more.
    private final class Token: Sendable {
        let end: AsyncStream<Void>.Continuation
        init(_ end: AsyncStream<Void>.Continuation) { self.end = end }
        deinit { end.finish() }
    }

    /// Whoever iterates is cancelled after the first state, while the wiki works on a request.
    @Test(arguments: ["list", "parse 11", "parse 10"])
    func aSessionThatIsCancelledAsksForNothingMoreAndLeavesAWholeStore(request: String) async throws {
        let stage = try await Stage(Self.three)
        stage.paper.reset()
        let (reached, reach) = AsyncStream.makeStream(of: Void.self)
        let (ended, end) = AsyncStream.makeStream(of: Void.self)
        let answer = DispatchSemaphore(value: 0)
        stage.paper.add { kind, _ in
            guard kind == request else { return nil }
            reach.finish()
            if answer.wait(timeout: .now() + 30) != .success { Issue.record("nobody was cancelled") }
            return nil
        }
        let states = Task {
            let token = Token(end)
            let session = TalkPageSession(stage.page, with: try stage.puller()) { _ in
                withExtendedLifetime(token) {}
            }
            var words: [String] = []
            for await state in session { words.append(Self.words(state)) }
            return words
        }
        for await _ in reached {}
        states.cancel()
        #expect(try await states.value == ["confirming 12"])
        let asked = stage.paper.kinds
        answer.signal()
        for await _ in ended {}
        #expect(stage.paper.kinds == asked && asked.last == request)
        let (status, output) = try runGit(["fsck", "--strict", "--no-dangling"], in: stage.path)
        #expect(status == 0 && output == "")
        let stored = try await stage.store.records(of: stage.page).map(\.record.id.rawValue)
        stage.paper.reset()
        let next = try await stage.states().map(Self.words)
        // What had come was stored, and nothing at all where that was not enough for a page.
        #expect(stored == (request == "list" ? [] : request == "parse 11" ? [11, 12] : [10, 11, 12]))
        #expect(next == ["confirming 12", stored.isEmpty ? "updated 12 with 10 11 12" : "current 12"])
        let tip = try await stage.store.tip(of: stage.page)?.commit
        #expect(try stage.store.reader.page(stage.page)?.stamp.commit == tip)
    }

    /// A wiki that only its members read: both requests that start together are theirs, and one keeps the cookies.
    @Test(arguments: [true, false]) func aPageOfAClosedWikiIsShownAfterOneAnswer(hasToken: Bool) async throws {
        let stage = try await Stage(Self.three)
        stage.paper.reset()
        let file = TemporaryDirectory.current.appending(path: "cookies")
        let line = "127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\ts\n"
        if !hasToken { try Data(line.utf8).write(to: file) }
        stage.paper.add { kind, _ in
            kind == "parse"
                ? .http(status: 200, headers: [("Set-Cookie", "session=other; path=/")], body: Self.newest) : nil
        }
        stage.paper.add { _, call in
            let isKnown = call.headers["cookie"] == "session=s" || call.headers["authorization"] == "Bearer secret"
            return isKnown ? nil : .error("readapidenied", "You need read permission")
        }
        let api = MediaWikiAPI(
            endpoint: stage.paper.api, settings: NetworkSettings(userAgent: "test/1"), cookieFile: file.path,
            bearerToken: hasToken ? "secret" : nil)
        let puller = PagePuller(api: api, store: stage.store, wiki: stage.site, history: 1, now: 0)
        var phases: [String] = []
        for await state in TalkPageSession(stage.page, with: puller) { phases.append(Self.words(state)) }
        #expect(phases == ["confirming 12", "updated 12 with 12"])
        #expect(stage.paper.kinds.sorted() == ["check", "parse"])
        if !hasToken { #expect(try String(contentsOf: file, encoding: .utf8) == line) }
    }

    private static let newest = #"{"parse":{"title":"Talk:Bridge","pageid":10,"revid":12,"text":"<p>New</p>"}}"#

    /// Of the two requests that start together, the one for the page is enough to show it.
    @Test func aPageIsShownAfterOneAnswer() async throws {
        let stage = try await Stage(Self.three)
        let isShown = DispatchSemaphore(value: 0)
        let paper = stage.paper
        paper.add { kind, _ in
            // The check may come first; then the page is what the list, the next request, finds on the screen.
            guard kind == "list" || kind == "check" && paper.kinds.contains("parse") else { return nil }
            if isShown.wait(timeout: .now() + 30) != .success { Issue.record("\(kind) was answered first") }
            isShown.signal()
            return nil
        }
        var phases: [String] = []
        for await state in TalkPageSession(stage.page, with: try stage.puller()) {
            phases.append(Self.words(state))
            isShown.signal()
        }
        #expect(phases == ["confirming 12", "updated 12 with 10 11 12"])
    }
}
