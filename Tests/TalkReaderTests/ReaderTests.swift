import Foundation
import Synchronization
import TalkHTTP
import TalkPages
import TalkStore
import TalkTestSupport
import Testing

@testable import TalkReader
@testable import TalkServer

/// The reader over a real socket, from a store with one page.
@Suite(.temporaryDirectory) struct ReaderTests {
    static let page = PageName(wiki: "w.example", namespace: "Talk", title: "Bridge & <ramp>")

    private func reader() async throws -> Reader { Reader(reader: try await store().reader, now: { 1_600 }) }

    private func store() async throws -> Store {
        let store = try Store.create(at: TemporaryDirectory.current.appending(path: "store").path)
        var state = PageState(page: Self.page, displayTitle: "Talk:Bridge & <ramp>")
        state.checked = 1_000
        try await store.save(state)
        try await store.save(
            DerivedThreads(
                treeID: "0", parserVersion: 1, localeHash: "0", revision: RevisionID(rawValue: 12),
                items: [
                    ThreadItem(
                        kind: .heading, level: 0, headingLevel: 2, id: "h-W", name: "h-", parent: nil, text: "Width"),
                    ThreadItem(
                        kind: .comment, level: 1, id: "c-A", name: "c-A", parent: 0, author: "Ann", timestamp: 0,
                        text: "<script>alert(1)</script>"),
                    ThreadItem(
                        kind: .comment, level: 2, id: "pending:1", name: "pending:1", parent: 1, author: "Bo",
                        timestamp: 60, text: "4 m", pending: "1"),
                ]), of: Self.page)
        return store
    }

    private func get(_ path: String, host: String? = nil) async throws -> (status: Int, body: String, policy: String?) {
        let server = try await reader().start(port: 0)
        var connection = try HTTPConnection(HTTPConfiguration(userAgent: "test"))
        let headers = host.map { [("Host", $0)] } ?? []
        let response = try connection.perform(HTTPRequest(.get, server.url + path, headers: headers))
        return (
            response.status, String(decoding: response.body, as: UTF8.self), response.header("Content-Security-Policy")
        )
    }

    @Test func listsThePages() async throws {
        let (status, body, policy) = try await get("/")
        #expect(status == 200)
        #expect(
            body.contains(#"<a href="/page?wiki=w%2Eexample&amp;namespace=Talk&amp;title=Bridge%20%26%20%3Cramp%3E""#))
        #expect(body.contains("Talk:Bridge &amp; &lt;ramp&gt;") && body.contains("checked 10 min ago"))
        #expect(policy?.hasPrefix("default-src 'none'") == true)
    }

    @Test func showsAPageAndTrustsNothingInIt() async throws {
        let (status, body, _) = try await get("/page?wiki=w.example&namespace=Talk&title=Bridge%20%26%20%3Cramp%3E")
        #expect(status == 200)
        #expect(body.contains("&lt;script&gt;alert(1)&lt;/script&gt;") && !body.contains("<script"))
        #expect(body.contains("Cached revision 12, checked 10 min ago"))
        #expect(body.contains(#"<article id="pending:1" class="pending">"#))
        #expect(body.components(separatedBy: "<article").count == body.components(separatedBy: "</article>").count)
    }

    /// What became of a reply, above every page; only a page that a person opens has been seen.
    @Test func tellsWhatBecameOfRepliesUntilAPageWasOpened() async throws {
        let store = try await store()
        let reply = PendingReply(
            id: "01j9zzzzzzzzzzzzzzzzzzzzzz", kind: .reply, text: "<b>Four</b>\nmetres", target: nil, heading: nil,
            base: RevisionID(rawValue: 12), created: 0, expires: 0)
        var entry = OutboxEntry(reply: reply, page: Self.page, account: "Ann")
        entry.state = .discarded
        entry.reason = "Bo & <Co>"
        try await store.save(entry)
        let seen = Seen()
        let reader = Reader(reader: store.reader, now: { 0 }, seen: { seen.add($0.map(\.reply.id)) })
        let server = try reader.start(port: 0)
        var connection = try HTTPConnection(HTTPConfiguration(userAgent: "test"))
        func body(_ path: String, _ headers: [(String, String)] = []) throws -> String {
            String(
                decoding: try connection.perform(HTTPRequest(.get, server.url + path, headers: headers)).body,
                as: UTF8.self)
        }
        let page = "/page?wiki=w.example&namespace=Talk&title=Bridge%20%26%20%3Cramp%3E"
        let words = "Set aside on <bdi>Talk:Bridge &amp; &lt;ramp&gt;</bdi>: Bo &amp; &lt;Co&gt;."
        let head = ServerRequest(method: "HEAD", uri: "/", headers: [("Host", "localhost")], body: [])
        #expect(reader.answer(head).status == 200)
        #expect(!(try body("/favicon.ico").contains("Set aside")))
        #expect(!(try body("/style.css").contains("Set aside")))
        #expect(try body("/", [("Sec-Purpose", "prefetch")]).contains(words))
        #expect(try body("/", [("Sec-Fetch-Dest", "empty")]).contains(words))
        #expect(seen.ids == [])
        for path in ["/", page] {
            let html = try body(path, [("Sec-Fetch-Dest", "document")])
            #expect(html.contains(words) && html.contains("&lt;b&gt;Four&lt;/b&gt;</q>"))
            #expect(html.contains("<code>git talk outbox restore 01j9zzzzzzzzzzzzzzzzzzzzzz</code>"))
        }
        #expect(seen.ids == [reply.id, reply.id])
        try await store.markSeen([entry])
        #expect(!(try body("/").contains("Set aside")))
    }

    private final class Seen: Sendable {
        private let list = Mutex<[String]>([])
        var ids: [String] { list.withLock { $0 } }
        func add(_ ids: [String]) { list.withLock { $0 += ids } }
    }

    @Test func whatIsNotThereIs404AndOtherHostsAreRefused() async throws {
        #expect(try await get("/page?wiki=x&namespace=Talk&title=Y").status == 404)
        #expect(try await get("/etc/passwd").status == 404)
        #expect(try await get("/", host: "evil.example").status == 403)
    }
}
