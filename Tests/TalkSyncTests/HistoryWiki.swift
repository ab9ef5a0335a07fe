import Foundation
import Synchronization
import TalkPages
import TalkTestSupport

@testable import TalkStore
@testable import TalkSync

/// A wiki with one page whose history a test writes, on a real socket.
struct HistoryWiki: Sendable {
    /// A revision as the wiki has it.
    struct Revision: Sendable {
        var id: Int64
        var parent: Int64
        /// Minutes since 2024-03-01.
        var minute: Int64
        var user: String? = "Bob"
        var summary: String? = "edit"
        var isTextHidden = false
        var isMinor = false
    }

    static let start: Int64 = 1_709_251_200
    static let page = PageName(wiki: "history.example", namespace: "Talk", title: "Bridge")
    static let site = Wiki(
        key: "history.example", api: "", server: "http://history.example", articlePath: "/wiki/$1", script: "",
        generator: "", siteName: "", language: "en", isRightToLeft: false, timezone: "UTC",
        namespaces: [Namespace(id: 0, name: "", canonical: ""), Namespace(id: 1, name: "Talk", canonical: "Talk")],
        interwikiPrefixes: [], contributionsNames: [], signatureFormats: [], hasDiscussionTools: false)

    let stub: StubWiki
    private let state: State

    private final class State: Sendable {
        let revisions = Mutex<[Revision]>([])
        let html = Mutex<[Int64: String]>([:])
    }

    /// Makes a page with revisions 1 to `count`, a minute apart.
    init(count: Int64) {
        self.init((1...count).map { Revision(id: $0, parent: $0 - 1, minute: $0) })
    }

    init(_ revisions: [Revision]) {
        let state = State()
        state.revisions.withLock { $0 = revisions }
        self.state = state
        stub = StubWiki({ call in
            let html = state.html.withLock { $0 }
            return Self.answer(call, state.revisions.withLock { $0 }, html)
        })
    }

    /// Changes what the wiki has.
    func change(_ body: (inout [Revision]) -> Void) { state.revisions.withLock { body(&$0) } }

    /// The wiki's own rendering of a revision, instead of the usual one.
    func render(_ id: Int64, as html: String) { state.html.withLock { $0[id] = html } }

    /// The revisions that were rendered, in the order of the requests.
    var rendered: [Int64] { stub.calls.compactMap { $0["action"] == "parse" ? Int64($0["oldid"]) : nil } }
    /// The places that the lists of revisions began at; empty for the newest.
    var lists: [String] { stub.calls.filter { !$0["rvlimit"].isEmpty }.map { $0["rvstartid"] } }

    func client(_ retry: RetryPolicy? = nil) -> MediaWikiAPI {
        MediaWikiAPI(endpoint: stub.api, settings: NetworkSettings(userAgent: "test/1", retry: retry))
    }

    /// Pulls the newest three revisions into a store, as a pull does before it goes further back.
    @discardableResult
    func pull(into store: Store) async throws -> PullReport {
        try await PagePuller(api: client(), store: store, wiki: Self.site, history: 3, now: 0).pull(Self.page)
    }

    func bring(
        _ depth: HistoryDepth, into store: Store, progress: @Sendable (HistoryProgress) -> Void = { _ in }
    ) async throws -> HistoryReport {
        try await HistoryPuller(api: client(), store: store, wiki: Self.site).pull(Self.page, depth, progress: progress)
    }

    private static func answer(_ call: StubCall, _ revisions: [Revision], _ html: [Int64: String]) -> StubAnswer? {
        // As MediaWiki sorts them: newest first, of equal times the greater number first.
        let sorted = revisions.sorted { ($0.minute, $0.id) > ($1.minute, $1.id) }
        let head = #"{"pageid":7,"ns":1,"title":"Talk:Bridge""#
        if call["action"] == "parse" {
            guard let id = Int64(call["oldid"]), let revision = revisions.first(where: { $0.id == id }) else {
                return .error("nosuchrevid", "There is no revision with ID \(call["oldid"]).")
            }
            if revision.isTextHidden { return .error("permissiondenied") }
            let text = (html[id] ?? self.html(id)).replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
            return .json(
                #"{"parse":{"title":"Talk:Bridge","pageid":7,"revid":\#(id),"text":"\#(text)","sections":[]}}"#)
        }
        guard let newest = sorted.first else {
            return .json(#"{"query":{"pages":[{"ns":1,"title":"Talk:Bridge","missing":true}]}}"#)
        }
        if call["prop"] == "info|revisions" {
            return .json(
                #"{"query":{"pages":[\#(head),"contentmodel":"wikitext","pagelanguage":"en","pagelanguagedir":"ltr","#
                    + #""lastrevid":\#(newest.id)}]}}"#)
        }
        guard let limit = Int(call["rvlimit"]) else { return nil }
        var from = 0
        if let first = Int64(call["rvstartid"]) {
            guard let index = sorted.firstIndex(where: { $0.id == first }) else { return .error("nosuchrevid") }
            from = index
        }
        if let next = Int64(call["rvcontinue"]) { from = sorted.firstIndex { $0.id == next } ?? sorted.count }
        let part = sorted[from...].prefix(limit)
        let list = part.map { revision in
            #"{"revid":\#(revision.id),"parentid":\#(revision.parent),"minor":\#(revision.isMinor),"#
                + (revision.user.map { #""user":"\#($0)","# } ?? #""userhidden":true,"#)
                + (revision.summary.map { #""comment":"\#($0)","# } ?? #""commenthidden":true,"#)
                + (revision.isTextHidden ? #""slots":{"main":{"texthidden":true}},"# : "")
                + #""timestamp":"\#(APITimestamp.text(start + revision.minute * 60))"}"#
        }
        let rest = sorted[from...].dropFirst(limit).first
        let more = rest.map { #""continue":{"rvcontinue":"\#($0.id)","continue":"||"},"# } ?? ""
        return .json("{\(more)\"query\":{\"pages\":[\(head),\"revisions\":[\(list.joined(separator: ","))]}]}}")
    }

    /// A page of two topics; each revision changes one of them.
    static func html(_ id: Int64) -> String {
        """
        <h2><span class="mw-headline" id="Width">Width</span></h2>
        <p>Revision \(id / 2 * 2) has it.</p>
        <h2><span class="mw-headline" id="Ramp">Ramp</span></h2>
        <p>Revision \((id + 1) / 2 * 2 - 1) has it.</p>
        """
    }
}
