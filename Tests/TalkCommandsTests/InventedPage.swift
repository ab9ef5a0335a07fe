import Foundation
import TalkPages
import TalkStore
import TalkSync
import TalkTestSupport

/// A store with one invented page, written without any wiki: `Talk:Old Stone Bridge` of `en.wiki.example`.
struct InventedPage {
    let program: TestProgram
    let store: Store

    static let name = PageName(wiki: "en.wiki.example", namespace: "Talk", title: "Old Stone Bridge")
    static let wiki = Wiki(
        key: "en.wiki.example", api: "https://en.wiki.example/w/api.php", server: "https://en.wiki.example",
        articlePath: "/wiki/$1", script: "/w/index.php", generator: "MediaWiki 1.39.17", siteName: "Example",
        language: "en", isRightToLeft: false, timezone: "UTC",
        namespaces: [
            Namespace(id: -1, name: "Special", canonical: "Special"), Namespace(id: 0, name: "", canonical: ""),
            Namespace(id: 1, name: "Talk", canonical: "Talk"), Namespace(id: 2, name: "User", canonical: "User"),
            Namespace(id: 3, name: "User talk", canonical: "User talk"),
        ],
        interwikiPrefixes: [], contributionsNames: ["Contributions"],
        signatureFormats: [
            SignatureFormat(
                variant: "en", format: "H:i, j F Y",
                months: months, monthsGenitive: months, monthsShort: months.map { String($0.prefix(3)) },
                weekdays: weekdays, weekdaysShort: weekdays.map { String($0.prefix(3)) })
        ],
        hasDiscussionTools: true)
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
    private static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

    init() async throws {
        program = try TestProgram()
        store = try Store.create(at: program.store.path)
        try await store.save(Self.wiki)
    }

    /// Stores a revision; `~Bob 10:00, 1 March 2024~` in the HTML is a signature.
    func add(_ id: Int64, by user: String?, at time: Int64, page: Int64 = 45, _ html: String) async throws {
        let signed = html.replacing(/~(\S+) ([^~]+)~/) { match in
            #"<a href="/wiki/User:\#(match.1)" title="User:\#(match.1)">\#(match.1)</a> \#(match.2) (UTC)"#
        }
        let record = RevisionRecord(
            id: RevisionID(rawValue: id), parent: RevisionID(rawValue: id - 1), page: PageID(rawValue: page),
            timestamp: time, user: user, summary: "", isMinor: false, format: CanonicalPage.formatVersion)
        try await store.add([(record, try CanonicalPage.content(of: signed, wiki: Self.wiki))], to: Self.name)
    }

    /// Queues a reply to the comment whose id is given, at 2024-03-05 08:00; `account` is empty for nobody logged in.
    func reply(_ text: String, to id: String, account: String = "Alice") async throws {
        guard let threads = try await PageThreads.current(of: Self.name, store: store, wiki: Self.wiki),
            let index = threads.items.firstIndex(where: { $0.id == id })
        else { throw TalkError(.notFound, "no item \(id)") }
        let composer = ReplyComposer(store: store, wiki: Self.wiki)
        _ = try await composer.reply(
            text, to: try await composer.prepare(Self.name, threads, item: index), account: account,
            id: "01hq0000000000000000000000", now: 1_709_625_600, expires: 1_719_625_600)
    }
}
