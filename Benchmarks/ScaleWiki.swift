import Foundation
import Synchronization
import TalkPages
import TalkServer

/// A wiki of generated pages on loopback that takes next to no time, so that what a program does shows.
final class ScaleWiki: Sendable {
    private let server: LoopbackServer
    private let pages = Pages()

    /// A page as it is now.
    typealias Page = (record: RevisionRecord, content: PageContent)

    private final class Pages: Sendable {
        let known = Mutex<[String: Page]>([:])
    }

    init() throws {
        let pages = pages
        server = try LoopbackServer { request in
            let fields = Dictionary(request.query + request.form) { $1 }
            let answer = pages.known.withLock { Self.answer(fields, $0) }
            let body = (try? JSONSerialization.data(withJSONObject: answer)) ?? Data()
            return .response(ServerResponse(headers: [("Content-Type", "application/json")], body: Array(body)))
        }
    }

    /// The wiki as a store is to know it.
    var wiki: Wiki {
        var wiki = GeneratedPage.wiki
        wiki.api = server.url + "/w/api.php"
        wiki.asked = Int64(Date().timeIntervalSince1970)
        return wiki
    }

    /// Gives a page this revision as its newest.
    func set(_ page: PageName, _ revision: Page) { pages.known.withLock { $0[page.prefixedTitle] = revision } }

    private static func answer(_ fields: [String: String], _ pages: [String: Page]) -> [String: Any] {
        let time = Date(timeIntervalSince1970: 1_710_000_000).formatted(.iso8601)
        if fields["action"] == "parse" {
            guard let page = pages.first(where: { $0.value.record.id.description == fields["oldid"] }) else {
                return ["errors": [["code": "nosuchrevid", "text": "no"]]]
            }
            let content = page.value.content, record = page.value.record
            return [
                "parse": [
                    "title": page.key, "pageid": record.page.rawValue, "revid": record.id.rawValue,
                    "text": content.lede + content.sections.map(\.html).joined(),
                ]
            ]
        }
        let found = (fields["titles"] ?? "").split(separator: "|").map { title -> [String: Any] in
            guard let record = pages[String(title)]?.record else {
                return ["ns": 1, "title": String(title), "missing": true]
            }
            return [
                "pageid": record.page.rawValue, "ns": 1, "title": String(title), "contentmodel": "wikitext",
                "pagelanguage": "en", "pagelanguagedir": "ltr", "lastrevid": record.id.rawValue,
                "revisions": [
                    [
                        "revid": record.id.rawValue, "parentid": record.parent.rawValue, "user": record.user ?? "",
                        "comment": record.summary ?? "",
                        "timestamp": Date(timeIntervalSince1970: Double(record.timestamp)).formatted(.iso8601),
                    ]
                ],
            ]
        }
        let user: [String: Any] = ["id": 0, "name": "127.0.0.1", "anon": true, "rights": ["read", "edit"]]
        return ["curtimestamp": time, "query": ["userinfo": user, "pages": found]]
    }
}
