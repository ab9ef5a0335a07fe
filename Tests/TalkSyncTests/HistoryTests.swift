import Foundation
import Synchronization
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore
@testable import TalkSync

/// Older revisions come newest first, once each, and whatever breaks it off loses nothing.
@Suite(.temporaryDirectory) struct HistoryTests {
    private func makeStore(_ name: String = "store") throws -> Store {
        try Store.create(at: TemporaryDirectory.current.appending(path: name).path)
    }

    private func ids(_ store: Store) async throws -> [Int64] {
        try await store.records(of: HistoryWiki.page).map(\.record.id.rawValue)
    }

    @Test func takesOneRequestARevision() async throws {
        let wiki = HistoryWiki(count: 250), store = try makeStore()
        try await wiki.pull(into: store)
        let packs = try store.packing().packs
        let report = try await wiki.bring(.newest(200), into: store)
        #expect(report.added == 197 && report.missing == [] && report.gaps == [] && !report.isWhole)
        #expect(try await ids(store) == Array(51...250))
        #expect(wiki.rendered == (51...250).reversed())
        // The check, the page by title, which this wiki refuses, two lists, and each revision once.
        #expect(wiki.stub.calls.count == 204)
        #expect(try #require(try store.state(of: HistoryWiki.page)).isKept)
        // Of 8, 16, 32, 40, 40, 40 and 21 revisions.
        #expect(try store.packing().packs == packs + 7)
        let oldest = try #require(try await store.records(of: HistoryWiki.page).first?.record)
        #expect(oldest.parent.rawValue == 50 && oldest.timestamp == HistoryWiki.start + 51 * 60)
    }

    @Test func givesTheSameCommitsInWhateverPartsItCame() async throws {
        let wiki = HistoryWiki(count: 90), parts = try makeStore("parts"), whole = try makeStore("whole")
        for store in [parts, whole] { try await wiki.pull(into: store) }
        for depth in [HistoryDepth.newest(5), .newest(6), .since(HistoryWiki.start + 60 * 60), .all] {
            _ = try await wiki.bring(depth, into: parts)
        }
        _ = try await wiki.bring(.all, into: whole)
        #expect(try await ids(parts) == Array(1...90))
        #expect(try await parts.records(of: HistoryWiki.page) == whole.records(of: HistoryWiki.page))
        #expect(Set(wiki.rendered).count == 90 && wiki.rendered.count == 180)
        for id in [Int64(1), 31, 90] {
            let content = try #require(
                try await parts.content(of: HistoryWiki.page, at: RevisionID(rawValue: id)))
            #expect(content == (try CanonicalPage.content(of: HistoryWiki.html(id), wiki: HistoryWiki.site)))
        }
    }

    @Test func takesWhatWasSavedSinceADay() async throws {
        let wiki = HistoryWiki(count: 30), store = try makeStore()
        try await wiki.pull(into: store)
        let report = try await wiki.bring(.since(HistoryWiki.start + 20 * 60), into: store)
        #expect(try await ids(store) == Array(20...30) && report.added == 8 && !report.isWhole)
    }

    @Test func readsHowFarToGo() {
        #expect(HistoryDepth("50") == .newest(50) && HistoryDepth("all") == .all)
        #expect(HistoryDepth("since:2024-03-01") == .since(HistoryWiki.start))
        for text in [
            "", "0", "-5", "x", "ALL", "5.0", "+5", "since:", "since:2024-02-30", "since:2024", "since:2024-3-1",
        ] {
            #expect(HistoryDepth(text) == nil, "\(text)")
        }
    }

    // MARK: Broken off

    @Test func goesOnWhereTheServerFailed() async throws {
        let wiki = HistoryWiki(count: 120), store = try makeStore()
        try await wiki.pull(into: store)
        let isDown = Mutex(true)
        wiki.stub.prepend {
            $0["oldid"] == "70" && isDown.withLock { $0 } ? .http(status: 503, headers: [], body: "") : nil
        }
        let error = await #expect(throws: TalkError.self) { try await wiki.bring(.all, into: store) }
        #expect(error?.kind == .unreachable)
        // The batch that was not full is kept as well.
        #expect(try await ids(store) == Array(71...120))
        #expect(
            try store.state(of: HistoryWiki.page)?.history
                == HistorySpan(
                    newest: RevisionID(rawValue: 120), oldest: RevisionID(rawValue: 71), count: 50, isWhole: false))
        isDown.withLock { $0 = false }
        let report = try await wiki.bring(.all, into: store)
        #expect(report.added == 70 && report.isWhole && report.gaps == [])
        #expect(wiki.rendered.filter { $0 != 70 } == (1...120).reversed().filter { $0 != 70 })
        // From the newest to where the stretch begins, then from its end.
        #expect(wiki.lists.suffix(2) == ["", "71"])
    }

    @Test(arguments: ["write pack", "move branch", "write state"]) func goesOnAfterItWasKilled(point: String)
        async throws
    {
        let wiki = HistoryWiki(count: 130)
        let path = TemporaryDirectory.current.appending(path: "store").path, api = wiki.stub.api
        let store = try Store.create(at: path)
        try await wiki.pull(into: store)
        await #expect(processExitsWith: .exitCode(77)) {
            [path = path as String, api = api as String, point = point as String] in
            let count = Mutex(0)
            // In the second batch, of 16 revisions.
            let faults = StoreFaults { name in
                if name == point,
                    count.withLock({
                        $0 += 1; return $0
                    }) == 2
                {
                    exit(77)
                }
            }
            let store = try Store.open(at: path, wait: 10, faults: faults)
            let client = MediaWikiAPI(endpoint: api, settings: NetworkSettings(userAgent: "test/1"))
            _ = try await HistoryPuller(api: client, store: store, wiki: HistoryWiki.site).pull(HistoryWiki.page, .all)
        }
        let report = try await wiki.bring(.all, into: store)
        #expect(try await ids(store) == Array(1...130) && report.isWhole)
        // What had been stored was not asked for again, but for the batch that was not.
        let again = Dictionary(wiki.rendered.map { ($0, 1) }, uniquingKeysWith: +).filter { $0.value > 1 }
        #expect(again.count == (point == "write state" ? 0 : 16) && again.values.allSatisfy { $0 == 2 })
        let shown = try #require(try store.reader.page(HistoryWiki.page))
        #expect(shown.stamp.commit == (try await store.tip(of: HistoryWiki.page))?.commit)
    }

    @Test func goesOnWhenTheRevisionItEndedWithIsGone() async throws {
        let wiki = HistoryWiki(count: 60), store = try makeStore()
        try await wiki.pull(into: store)
        _ = try await wiki.bring(.newest(20), into: store)
        wiki.change { $0.removeAll { $0.id == 41 } }
        let report = try await wiki.bring(.all, into: store)
        #expect(report.isWhole && report.added == 40)
        #expect(try await ids(store) == Array(1...60))
    }

    @Test func aPageThatIsDeletedMeanwhileStopsIt() async throws {
        let wiki = HistoryWiki(count: 60), store = try makeStore()
        try await wiki.pull(into: store)
        wiki.stub.prepend { call in
            if call["oldid"] == "50" { wiki.change { $0 = [] } }
            return nil
        }
        let error = await #expect(throws: TalkError.self) { try await wiki.bring(.all, into: store) }
        #expect(error?.kind == .notFound)
        #expect(try await ids(store) == Array(51...60))
        #expect(wiki.rendered.last == 46)
    }

    // MARK: What the list says

    @Test func aListOfManyPartsIsReadOnce() async throws {
        let wiki = HistoryWiki(count: 1100), store = try makeStore()
        try await wiki.pull(into: store)
        let report = try await wiki.bring(.all, into: store)
        #expect(report.added == 1097 && report.isWhole)
        #expect(wiki.lists == ["", "", "601", "102"])
        #expect(wiki.stub.calls.count == 2 + 4 + 1100)
        // A page whose first revision is there needs no more than a look at the newest.
        wiki.change { $0.append(.init(id: 1101, parent: 1100, minute: 1101)) }
        try await wiki.pull(into: store)
        #expect(try await wiki.bring(.all, into: store).added == 0)
        #expect(wiki.lists.count == 6)
        #expect(try store.state(of: HistoryWiki.page)?.history?.count == 1101)
        // Batches grow with the page, so that there are not too many packs.
        #expect(try store.packing().packs <= 32)
    }

    @Test func hiddenPartsAreNotStored() async throws {
        let wiki = HistoryWiki(count: 12), store = try makeStore()
        wiki.change {
            $0[4].isTextHidden = true
            $0[5].user = nil
            $0[6].summary = nil
            $0[7].isMinor = true
        }
        try await wiki.pull(into: store)
        let report = try await wiki.bring(.all, into: store)
        #expect(try await ids(store) == [1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12] && report.isWhole)
        #expect(!wiki.rendered.contains(5))
        #expect(
            report.missing == [
                .init(revision: RevisionID(rawValue: 5), reason: "its text is hidden by administrators")
            ])
        // The next one's parent is not there: that is a gap to see.
        #expect(report.gaps == [RevisionID(rawValue: 6)])
        let records = report.records
        #expect(records[4].user == nil && records[4].summary == "edit")
        #expect(records[5].summary == nil && records[5].user == "Bob" && records[6].isMinor)
        // It is not asked for again, nor told as new.
        #expect(try await wiki.bring(.all, into: store).added == 0)
    }

    @Test func aRevisionThatCannotBeStoredIsLeftOut() async throws {
        let wiki = HistoryWiki(count: 12), store = try makeStore()
        try await wiki.pull(into: store)
        wiki.render(6, as: String(repeating: "<div>", count: 20_000))
        let report = try await wiki.bring(.all, into: store)
        #expect(try await ids(store) == [1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12] && report.isWhole)
        #expect(report.missing.map(\.revision.rawValue) == [6])
        #expect(report.missing.first?.reason.hasPrefix("revision 6 of Talk:Bridge cannot be stored") == true)
    }

    /// Imported revisions have greater numbers than younger ones, and may share a minute and second with others.
    @Test func importedRevisionsStandWhereTheirTimeIs() async throws {
        let wiki = HistoryWiki([
            .init(id: 10, parent: 22, minute: 50), .init(id: 11, parent: 10, minute: 50),
            .init(id: 12, parent: 11, minute: 60),
            .init(id: 13, parent: 12, minute: 61), .init(id: 14, parent: 13, minute: 62),
            .init(id: 20, parent: 0, minute: 5),
            .init(id: 21, parent: 20, minute: 5), .init(id: 22, parent: 21, minute: 40),
        ])
        let store = try makeStore()
        try await wiki.pull(into: store)
        let report = try await wiki.bring(.all, into: store)
        #expect(try await ids(store) == [20, 21, 22, 10, 11, 12, 13, 14])
        #expect(report.gaps == [] && report.isWhole)
    }

    /// A wiki that was restored from an older copy has a newest revision that is older than ours.
    @Test func aHistoryThatWentBackEnds() async throws {
        let wiki = HistoryWiki(count: 30), store = try makeStore()
        try await wiki.pull(into: store)
        wiki.change { $0.removeAll { $0.id > 25 } }
        try await wiki.pull(into: store)
        let report = try await wiki.bring(.newest(10), into: store)
        #expect(try await ids(store) == Array(16...25) + [28, 29, 30])
        #expect(report.gaps == [RevisionID(rawValue: 28)])
    }

    @Test func whatCameSinceThePullIsLeftToTheNextOne() async throws {
        let wiki = HistoryWiki(count: 10), store = try makeStore()
        try await wiki.pull(into: store)
        wiki.change { $0.append(.init(id: 11, parent: 10, minute: 11)) }
        let report = try await wiki.bring(.newest(5), into: store)
        #expect(report.records.last?.id.rawValue == 10)
        #expect(try await ids(store).last == 10)
    }

    @Test func aHistoryThatLeadsInACircleEnds() async throws {
        let wiki = HistoryWiki(count: 502), store = try makeStore()
        try await wiki.pull(into: store)
        _ = try await wiki.bring(.newest(20), into: store)
        // A server that begins with the newest whatever it is asked for.
        wiki.stub.prepend { call in
            guard !call["rvstartid"].isEmpty else { return nil }
            let list = (Int64(3)...502).reversed().map {
                #"{"revid":\#($0),"parentid":\#($0 - 1),"user":"Bob","comment":"","timestamp":"\#(APITimestamp.text(HistoryWiki.start + $0 * 60))"}"#
            }
            return .json(
                #"{"query":{"pages":[{"pageid":7,"title":"Talk:Bridge","revisions":[\#(list.joined(separator: ","))]}]}}"#
            )
        }
        let error = await #expect(throws: TalkError.self) { try await wiki.bring(.all, into: store) }
        #expect(error?.kind == .unreachable && error?.message == "Talk:Bridge: the wiki's history leads in a circle")
        #expect(try await ids(store) == Array(483...502))
    }
}
