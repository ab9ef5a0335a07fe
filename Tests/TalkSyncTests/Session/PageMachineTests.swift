import TalkPages
import Testing

@testable import TalkSync

/// The rules of a session without wiki and store: events in, effects out.
@Suite struct PageMachineTests {
    static let site = Wiki(
        key: "w.example", api: "https://w.example/api.php", server: "https://w.example", articlePath: "/wiki/$1",
        script: "/index.php", generator: "MediaWiki 1.39.17", siteName: "W", language: "en", isRightToLeft: false,
        timezone: "UTC", namespaces: [Namespace(id: 1, name: "Talk", canonical: "Talk")], interwikiPrefixes: [],
        contributionsNames: ["Contributions"], signatureFormats: [], hasDiscussionTools: false)
    static let page = PageName(wiki: "w.example", namespace: "Talk", title: "Bridge")
    static let offline = TalkError(.unreachable, "no check")

    static func shown(_ revision: Int64?, isStored: Bool = false, isMissing: Bool = false) -> ShownPage {
        var state = PageState(page: page, displayTitle: "Talk:Bridge")
        state.isMissing = isMissing
        return ShownPage(
            title: "Talk:Bridge", revision: revision.map(RevisionID.init(rawValue:)),
            content: PageContent(lede: "", sections: []), items: [], state: state, isStored: isStored)
    }

    static func info(_ id: Int64, parent: Int64? = nil) -> RevisionInfo {
        RevisionInfo(
            id: RevisionID(rawValue: id), parent: RevisionID(rawValue: parent ?? id - 1), page: PageID(rawValue: 7),
            timestamp: id, user: "Bob", summary: "")
    }

    static func answer(_ latest: Int64, _ change: (inout PageCheck) -> Void = { _ in }) -> PageCheck {
        var check = PageCheck(requested: "Talk:Bridge", title: "Talk:Bridge", status: .exists)
        check.latest = RevisionID(rawValue: latest)
        check.revision = info(latest)
        check.contentModel = "wikitext"
        change(&check)
        return check
    }

    /// A wiki and a store that answer as they are told.
    struct World {
        var opening: PageMachine.Opening
        var tip: Int64?
        var cached: Set<Int64> = []
        var check: Result<PageCheck, TalkError>
        var rendered: Result<ShownPage, TalkError> = .failure(TalkError(.unreachable, "no fetch"))
        var list: Result<[RevisionInfo], TalkError> = .failure(TalkError(.unreachable, "no fetch"))
        var traced: Result<PageMove?, TalkError> = .success(nil)
        var fetches = true
        var stores: TalkError?
        var confirms: TalkError?
        var user: UserInfo?
        var testsEdit = true
        var history = 3
        var rendersFirst = true
        var isChecked = false

        /// Runs the rules to their end.
        func run() -> (states: [TalkPageState], requests: [String], notes: [String]) {
            var machine = PageMachine(
                page: PageMachineTests.page, wiki: PageMachineTests.site, history: history, isChecked: isChecked)
            var events: [PageMachine.Event] = [.opened(opening)]
            var states: [TalkPageState] = [], requests: [String] = [], notes: [String] = []
            while !events.isEmpty {
                var outcomes: [PageMachine.Event] = []
                for effect in machine.handle(events.removeFirst()) {
                    switch effect {
                    case .show(let state): states.append(state)
                    case .note(let note):
                        switch note {
                        case .behind(_, let latest): notes.append("behind \(latest)")
                        case .missing: notes.append("missing")
                        case .failure(let error): notes.append("failure: \(error.message)")
                        }
                    case .ask(let request):
                        let (event, asked) = perform(request)
                        requests += asked
                        outcomes.append(event)
                    }
                }
                events += rendersFirst ? outcomes.reversed() : outcomes
            }
            return (states, requests, notes)
        }

        private func perform(_ request: PageMachine.Request) -> (PageMachine.Event, [String]) {
            switch request {
            case .check:
                let standing = PageMachine.Standing(
                    tip: tip.map(RevisionID.init(rawValue:)), cached: Set(cached.map(RevisionID.init(rawValue:))))
                return (
                    .checked(
                        PageMachine.Checked(answer: check, user: user, testsEdit: testsEdit, standing: standing)),
                    ["check"]
                )
            case .render: return (.rendered(rendered), ["parse"])
            case .trace(let id, _): return (.traced(traced), ["trace \(id)"])
            case .list(let start):
                return (.listed(list.map { $0.filter { $0.id <= start ?? $0.id } }), ["list"])
            case .fetch(let info, _):
                let page: Result<ShownPage, TalkError> =
                    fetches
                    ? .success(PageMachineTests.shown(info.id.rawValue))
                    : .failure(TalkError(.unreachable, "no fetch"))
                return (.fetched(page), ["parse \(info.id)"])
            case .store(let newest, _, let older, let shortfall, _):
                let asked = older.map { "parse \($0.id)" }
                if let stores { return (.stored(.failure(stores)), asked) }
                let added = (older + [newest]).map(\.id).sorted()
                let changes = TalkPageChanges(
                    added: added, discussion: DiscussionDiff(from: [], to: []), isFirst: tip == nil, topicsRemoved: [],
                    shortfall: shortfall)
                return (
                    .stored(
                        .success(
                            PageMachine.Stored(
                                changes: changes,
                                shown: PageMachineTests.shown(newest.id.rawValue, isStored: true), fitting: .init()))),
                    asked
                )
            case .confirm:
                if let confirms { return (.confirmed(.failure(confirms)), []) }
                return (.confirmed(.success(PageMachine.Confirmed(shown: nil, fitting: .init()))), [])
            }
        }
    }

    /// Phase, revision and reason of a state, as the table has them.
    static func words(_ state: TalkPageState) -> String {
        let revision = state.shown?.revision.map { " \($0)" } ?? ""
        return switch state.phase {
        case .confirming: "confirming\(revision)"
        case .current: "current\(revision)"
        case .updated(let changes): "updated\(revision) with \(changes.added.map(\.description).joined(separator: " "))"
        case .stale(let error): "stale\(revision): \(error.message)"
        case .missing(let wasKnown): "missing\(revision)\(wasKnown ? ", as before" : "")"
        case .moved(let move): "moved\(revision) to \(move.title)"
        case .failed(let error): "failed: \(error.message)"
        }
    }

    private static func world(_ row: SessionRow) -> World {
        let isCached = row.cache == .ok
        let latest: Int64 = isCached && row.check == .same ? 10 : 12
        let opening: PageMachine.Opening =
            switch row.cache {
            case .ok: .page(shown(10, isStored: true))
            case .unreadable: .unreadable
            case .none: .none(isKnownMissing: false)
            }
        var world = World(
            opening: opening, tip: isCached ? 10 : nil,
            check: row.check == .fails ? .failure(offline) : .success(answer(latest)))
        if row.fetch == .ok {
            world.rendered = .success(shown(row.check == .movedOn ? 11 : 12))
            world.list = .success([info(12), info(11), info(10)])
        } else {
            world.fetches = false
        }
        if row.cache == .unreadable { world.stores = TalkError(.damaged, "damaged") }
        return world
    }

    @Test(arguments: SessionRow.all, [true, false])
    func everyRowShowsAndAsksWhatTheTableSays(row: SessionRow, rendersFirst: Bool) {
        var world = Self.world(row)
        world.rendersFirst = rendersFirst
        let run = world.run()
        #expect(run.states.map(Self.words) == row.states)
        #expect(run.requests == row.requests)
    }

    @Test func theTableHasEveryCase() {
        var cases: Set<String> = []
        for cache in SessionRow.Cache.allCases {
            for check in SessionRow.Check.allCases {
                for fetch in SessionRow.Fetch.allCases { cases.insert("\(cache), check \(check), fetch \(fetch)") }
            }
        }
        #expect(Set(SessionRow.all.map(\.testDescription)) == cases)
        #expect(SessionRow.all.count == 18)
    }

    // MARK: Beyond the table

    @Test func anAnswerOnTheTargetOfARedirectIsNoneOnThePage() {
        var check = PageCheck(requested: "Talk:Bridge", title: "Talk:Bridge", status: .exists)
        check.isRedirect = true
        let run = cached(.success(check)).run()
        #expect(run.requests == ["check"])
        guard case .stale(let error) = run.states.last?.phase else {
            Issue.record("\(run.states.map(Self.words))")
            return
        }
        #expect(error.kind == .invalid && error.hint == "git talk pull --follow Talk:Bridge")
    }

    /// One of many pages: the wiki's answer on all of them came first.
    @Test func aPageThatIsCheckedIsFetchedByItsNumber() {
        var world = World(opening: .none(isKnownMissing: false), check: .success(Self.answer(12)))
        world.isChecked = true
        world.list = .success([Self.info(12), Self.info(11), Self.info(10)])
        #expect(world.run().requests == ["check", "parse 12", "list", "parse 11", "parse 10"])
        #expect(world.run().states.map(Self.words) == ["updated 12 with 10 11 12"])
        world.check = .failure(Self.offline)
        #expect(world.run().requests == ["check", "list", "parse 12", "parse 11", "parse 10"])
        world.check = .success(PageCheck(requested: "Talk:Bridge", title: "Talk:Bridge", status: .missing))
        #expect(world.run().requests == ["check"])
        #expect(world.run().states.map(Self.words) == ["missing"])
        // Another program pulled it after its files were looked for.
        world.check = .success(Self.answer(12))
        world.tip = 12
        #expect(world.run().states.map(Self.words) == ["updated 12 with 12"])
    }

    private func cached(_ check: Result<PageCheck, TalkError>) -> World {
        World(opening: .page(Self.shown(10, isStored: true)), tip: 10, check: check)
    }

    @Test func aNeighbourOfWhatIsCachedNeedsNoList() {
        var world = cached(.success(Self.answer(11)))
        world.fetches = true
        let run = world.run()
        #expect(run.requests == ["check", "parse 11"])
        #expect(run.states.map(Self.words) == ["confirming 10", "updated 11 with 11"])
        #expect(run.notes == ["behind 11"])
    }

    @Test func aFailedCheckOfACurrentPageCostsOneRequestMore() {
        var world = cached(.failure(Self.offline))
        world.list = .success([Self.info(10), Self.info(9)])
        let run = world.run()
        #expect(run.requests == ["check", "list"])
        #expect(run.states.map(Self.words) == ["confirming 10", "current 10"])
        #expect(run.states.last?.canSend == .denied(reason: "the wiki did not say who may edit the page"))
    }

    @Test func aWikiThatAsksToWaitIsAskedNothingMore() {
        let error = APIError(code: "http-429", text: "", isWrite: false, retryAfter: 120).talkError()
        let run = cached(.failure(error)).run()
        #expect(run.requests == ["check"])
        #expect(run.states.count == 2 && Self.words(run.states[1]).hasPrefix("stale 10"))
        var none = World(opening: .none(isKnownMissing: false), check: .failure(error))
        none.rendered = .success(Self.shown(12))
        #expect(none.run().requests == ["check", "parse"])
    }

    @Test func whatIsMissingIsRememberedAndAskedForEachTime() {
        let missing = Result<PageCheck, TalkError>.success(
            PageCheck(requested: "Talk:Bridge", title: "Talk:Bridge", status: .missing))
        let first = World(
            opening: .none(isKnownMissing: false), check: missing,
            rendered: .failure(TalkError(.notFound, "no such page"))
        ).run()
        #expect(first.states.map(Self.words) == ["missing"])
        #expect(first.requests == ["check", "parse"] && first.notes == ["missing"])
        let again = World(opening: .none(isKnownMissing: true), check: missing).run()
        #expect(again.states.map(Self.words) == ["missing, as before"])
        #expect(again.requests == ["check"] && again.notes == ["missing"])
        let gone = cached(missing).run()
        #expect(gone.states.map(Self.words) == ["confirming 10", "missing 10"])
        #expect(gone.states.last?.canWrite == .granted)
        #expect(gone.states.last?.canSend == .denied(reason: "there is no such page on the wiki"))
        var stillGone = cached(missing)
        stillGone.opening = .page(Self.shown(10, isStored: true, isMissing: true))
        #expect(stillGone.run().states.map(Self.words) == ["confirming 10", "missing 10, as before"])
    }

    @Test func aPageThatWasMissingComesWhenItIsMade() {
        var world = World(
            opening: .none(isKnownMissing: true),
            check: .success(Self.answer(12) { $0.revision?.parent = .init(rawValue: 0) }))
        world.fetches = true
        let run = world.run()
        #expect(run.states.map(Self.words) == ["updated 12 with 12"])
        #expect(run.requests == ["check", "parse 12"])
    }

    // MARK: A page's life

    private static let other = PageName(wiki: "w.example", namespace: "Talk", title: "Arch")

    private static func move(isGone: Bool) -> PageMove {
        PageMove(from: page, to: other, title: "Talk:Arch", isGone: isGone, setAside: [])
    }

    /// A cached page of number 7, and what the wiki says of its title.
    private func known(
        _ check: PageCheck, traced: Result<PageMove?, TalkError> = .success(nil), movedTo: PageName? = nil,
        isMissing: Bool = false
    ) -> World {
        var shown = Self.shown(10, isStored: true, isMissing: isMissing)
        shown.state?.pageID = PageID(rawValue: 7)
        shown.state?.movedTo = movedTo
        var world = World(opening: .page(shown), tip: 10, check: .success(check))
        world.traced = traced
        return world
    }

    private static let gone = PageCheck(requested: "Talk:Bridge", title: "Talk:Bridge", status: .missing)

    private static func another(isRedirect: Bool) -> PageCheck {
        answer(12) {
            $0.page = PageID(rawValue: 8)
            $0.isRedirect = isRedirect
            $0.revision?.parent = RevisionID(rawValue: 0)
        }
    }

    @Test func aMovedPageStaysAsItWasCached() {
        for check in [Self.gone, Self.another(isRedirect: true)] {
            for target in [nil, Self.other] {
                let run = known(check, traced: .success(Self.move(isGone: true)), movedTo: target).run()
                #expect(run.states.map(Self.words) == ["confirming 10", "moved 10 to Talk:Arch"])
                #expect(run.requests == ["check", "trace 7"] && run.notes.isEmpty)
                #expect(run.states.last?.canWrite == .denied(reason: "the page was moved to Talk:Arch"))
                #expect(run.states.last?.canSend == .denied(reason: "the page was moved to Talk:Arch"))
            }
        }
    }

    @Test func anotherPageAtTheTitleIsPulledAndWhereTheOldOneWentIsTold() {
        let check = Self.another(isRedirect: false)
        let swapped = known(check, traced: .success(Self.move(isGone: false))).run()
        #expect(swapped.states.map(Self.words) == ["confirming 10", "updated 12 with 12"])
        #expect(swapped.requests == ["check", "trace 7", "parse 12"])
        #expect(swapped.states.last?.move?.to == Self.other && swapped.states.last?.events == [])
        let replaced = known(check).run()
        #expect(replaced.states.map(Self.words) == ["confirming 10", "updated 12 with 12"])
        #expect(replaced.states.last?.move == nil && replaced.states.last?.events == [.replaced])
        let anew = known(check, isMissing: true).run()
        #expect(anew.states.last?.events == [.replaced])
    }

    @Test func aDeletedPageIsLookedForOnceAndToldWhenItIsBack() {
        #expect(known(Self.gone).run().requests == ["check", "trace 7"])
        let again = known(Self.gone, isMissing: true).run()
        #expect(again.requests == ["check"])
        #expect(again.states.map(Self.words) == ["confirming 10", "missing 10, as before"])
        let back = known(Self.answer(10) { $0.page = PageID(rawValue: 7) }, isMissing: true).run()
        #expect(back.requests == ["check"] && back.states.last?.events == [.restored])
    }

    @Test func whereAPageWentIsAskedAgainWhenTheWikiDidNotSay() {
        let run = known(Self.gone, traced: .failure(Self.offline)).run()
        #expect(run.states.map(Self.words) == ["confirming 10", "stale 10: no check"])
        #expect(run.notes == ["failure: no check"])
    }

    @Test func whatTheWikiTookBackIsNotFetchedAgain() {
        var world = cached(.success(Self.answer(9)))
        world.cached = [8, 9, 10]
        let run = world.run()
        #expect(run.requests == ["check"] && run.states.last?.events == [.takenBack])
    }

    @Test func aRedirectIsPulledAndSaidToBeOne() {
        let run = cached(.success(Self.answer(11) { $0.isRedirect = true })).run()
        #expect(run.states.map(Self.words) == ["confirming 10", "updated 11 with 11"])
        #expect(run.states.last?.events == [.redirect])
    }

    @Test func aBoardOfFlowIsNoTalkPage() {
        let run = World(
            opening: .none(isKnownMissing: false), check: .success(Self.answer(12) { $0.contentModel = "flow-board" })
        ).run()
        #expect(
            run.states.map(Self.words) == [
                "failed: Talk:Bridge is a board of Structured Discussions (Flow), not a talk page this program can read"
            ])
    }

    @Test func aPageMadeBetweenTheTwoRequestsIsTaken() {
        let run = World(
            opening: .none(isKnownMissing: false),
            check: .success(PageCheck(requested: "Talk:Bridge", title: "Talk:Bridge", status: .missing)),
            rendered: .success(Self.shown(12)), list: .success([Self.info(12, parent: 0)])
        ).run()
        #expect(run.states.map(Self.words) == ["confirming 12", "updated 12 with 12"])
    }

    @Test func whatIsNoTalkPageIsNotShown() {
        let model = Self.answer(12) { $0.contentModel = "json" }
        for rendersFirst in [true, false] {
            let none = World(
                opening: .none(isKnownMissing: false), check: .success(model), rendered: .success(Self.shown(12)),
                rendersFirst: rendersFirst
            ).run()
            #expect(none.states.last?.shown == nil)
            #expect(
                none.states.last.map(Self.words)?.hasPrefix("failed: Talk:Bridge is a page of json, not a talk page")
                    == true)
            #expect(none.requests == ["check", "parse"])
        }
        let kept = cached(.success(model)).run()
        #expect(
            kept.states.count == 2
                && Self.words(kept.states[1]).hasPrefix("stale 10: Talk:Bridge is a page of json, not a talk page"))
        let nameless = PageCheck(requested: "Talk:[", title: "Talk:[", status: .invalid("bad"))
        let invalid = World(opening: .none(isKnownMissing: false), check: .success(nameless)).run()
        #expect(invalid.states.map(Self.words) == ["failed: Talk:[ is not a page name: bad"])
    }

    @Test func aPrivateWikiThatShowsNothingToNobodyIsAskedByNumber() {
        let run = World(
            opening: .none(isKnownMissing: false), check: .success(Self.answer(12)),
            rendered: .failure(TalkError(.refused, "login")), list: .success([Self.info(12), Self.info(11)])
        ).run()
        #expect(run.requests == ["check", "parse", "list", "parse 12", "parse 11"])
        #expect(run.states.map(Self.words) == ["updated 12 with 11 12"])
    }

    @Test func whatCameIsKeptWhenTheRestDoesNot() {
        var world = cached(.success(Self.answer(12)))
        world.fetches = true
        let run = world.run()
        #expect(run.requests == ["check", "parse 12", "list"])
        guard case .updated(let changes) = run.states.last?.phase else {
            Issue.record("not updated")
            return
        }
        #expect(changes.added.map(\.rawValue) == [12] && changes.shortfall?.message == "no fetch")
    }

    @Test func whatCannotBeStoredCanBeRead() {
        var world = World(
            opening: .none(isKnownMissing: false),
            check: .success(Self.answer(12) { $0.revision?.parent = .init(rawValue: 0) }))
        world.rendered = .success(Self.shown(12))
        world.stores = TalkError(.unwritable, "no space")
        let run = world.run()
        #expect(run.states.map(Self.words) == ["confirming 12", "stale 12: no space"])
        #expect(run.states.last?.canWrite == .denied(reason: "the page is not stored: no space"))
        world = cached(.success(Self.answer(11)))
        world.stores = TalkError(.unwritable, "no space")
        // What is cached stays on the screen, since it can be answered.
        #expect(world.run().states.map(Self.words) == ["confirming 10", "stale 10: no space"])
    }

    @Test func aRevisionThatTheWikiTookBackIsNotFetchedForEver() {
        var world = cached(.success(Self.answer(9)))
        world.cached = [8, 9, 10]
        #expect(world.run().requests == ["check"])
    }

    @Test func oneRevisionIsEnoughWhereNoMoreAreWanted() {
        var world = World(opening: .none(isKnownMissing: false), check: .success(Self.answer(12)))
        world.rendered = .success(Self.shown(12))
        world.history = 1
        #expect(world.run().requests == ["check", "parse"])
    }

    // MARK: Permissions

    private func user(_ json: String) throws -> UserInfo {
        try #require(UserInfo(try JSONParser.parse(Array(json.utf8))))
    }

    @Test func sendingTakesAnAccountAndTheWikisLeave() throws {
        let alice = #"{"name":"Alice","rights":["read","edit"]}"#
        let blocked =
            #"{"name":"Alice","rights":["edit"],"blockid":1,"blockedby":"Admin","blockreason":"a pause","blockexpiry":"infinite"}"#
        let partly = blocked.replacing(#""blockid""#, with: #""blockpartial":true,"blockid""#)
        let protected = APIError(code: "protectedpage", text: "", isWrite: true)
        let rows: [(user: String?, edit: APIError?, tests: Bool, reason: String?)] = [
            (alice, nil, true, nil),
            (partly, nil, true, nil),
            (blocked, nil, true, "Alice is blocked by Admin: a pause"),
            (#"{"name":"127.0.0.1","anon":true,"rights":["edit"]}"#, nil, true, "nobody is logged in"),
            (#"{"name":"Alice","rights":["read"]}"#, nil, true, "this login of Alice may not edit"),
            (alice, protected, true, protected.explanation),
            (alice, nil, false, "whether the page may be edited was not asked"),
            (nil, nil, true, "the wiki did not say who may edit the page"),
        ]
        for row in rows {
            var world = cached(.success(Self.answer(10) { $0.editError = row.edit }))
            world.user = try row.user.map(user)
            world.testsEdit = row.tests
            let states = world.run().states
            #expect(states.count == 2)
            #expect(states[0].canSend == .denied(reason: "the wiki is being asked whether this is the newest revision"))
            #expect(states[0].canWrite == .granted && states[1].canWrite == .granted)
            #expect(states[1].canSend == (row.reason.map { .denied(reason: $0) } ?? .granted))
        }
    }

    @Test func offlineOneWritesAndDoesNotSend() {
        let stale = cached(.failure(Self.offline)).run().states
        #expect(stale.last?.canWrite == .granted)
        #expect(stale.last?.canSend == .denied(reason: "the page is not up to date: no check"))
        let failed = World(opening: .none(isKnownMissing: false), check: .failure(Self.offline)).run().states
        #expect(failed.last?.canWrite == .denied(reason: "no check"))
        #expect(failed.last?.canSend == .denied(reason: "no check"))
    }
}
