import Foundation
import TalkPages
import TalkStore
import TalkSync
import TalkTestSupport

/// Makes the store of format 1 that is kept in `Tests/Store`: a little of everything that a store can have.
///
/// Nothing in it depends on the machine or the time, so that it can be made anew and compared.
struct KeptStore {
    static let english: Wiki = {
        var wiki = InventedPage.wiki
        wiki.asked = 1_709_600_000
        return wiki
    }()
    /// A wiki on another port, whose namespaces, dates and clock are German.
    static let german = Wiki(
        key: "localhost:8080/wiki", api: "http://localhost:8080/wiki/api.php", server: "http://localhost:8080",
        articlePath: "/wiki/index.php/$1", script: "/wiki/index.php", generator: "MediaWiki 1.43.0",
        siteName: "Beispiel",
        language: "de", isRightToLeft: false, timezone: "Europe/Berlin",
        namespaces: [
            Namespace(id: -1, name: "Spezial", canonical: "Special"), Namespace(id: 0, name: "", canonical: ""),
            Namespace(id: 1, name: "Diskussion", canonical: "Talk"),
            Namespace(id: 2, name: "Benutzer", canonical: "User", aliases: ["Benutzerin"]),
            Namespace(id: 3, name: "Benutzer Diskussion", canonical: "User talk"),
        ],
        interwikiPrefixes: [], contributionsNames: ["Beiträge"],
        signatureFormats: [
            SignatureFormat(
                variant: "de", format: "H:i, j. M Y", timezoneAbbreviations: ["CET": "CET", "CEST": "CEST"],
                months: german("Januar Februar März April Mai Juni Juli August September Oktober November Dezember"),
                monthsGenitive: german(
                    "Januar Februar März April Mai Juni Juli August September Oktober November Dezember"),
                monthsShort: german("Jan. Feb. Mär. Apr. Mai Jun. Jul. Aug. Sep. Okt. Nov. Dez."),
                weekdays: german("Sonntag Montag Dienstag Mittwoch Donnerstag Freitag Samstag"),
                weekdaysShort: german("So Mo Di Mi Do Fr Sa"))
        ],
        hasDiscussionTools: false)

    private static func german(_ words: String) -> [String] { words.split(separator: " ").map(String.init) }

    static let bridge = page("Talk", "Old Stone Bridge"), former = page("Talk", "Footbridge")
    static let moved = page("Talk", "Foot bridge / \"north\""), gone = page("Talk", "Ferry"),
        main = page("Main", "Pump")
    static let bob = page("User talk", "Bob"), ann = page("User talk", "Ann"), wanted = page("Talk", "Tunnel")
    static let long = page(
        "Talk", String(repeating: "Über die lange Brücke über den Fluß ", count: 6) + "und zurück")
    static let river = PageName(wiki: german.key, namespace: "Talk", title: "Fluß")

    private static func page(_ namespace: String, _ title: String) -> PageName {
        PageName(wiki: english.key, namespace: namespace, title: title)
    }

    /// 2024-03-01 12:00; revisions are some minutes after it.
    static let noon: Int64 = 1_709_294_400

    let store: Store

    /// Makes the store in a new directory.
    static func make(at path: String) async throws -> Store {
        let kept = KeptStore(store: try Store.create(at: path))
        try await kept.addRevisions()
        try await kept.addReplies()
        try await kept.addKeeping()
        try kept.addUnknownTrailer()
        try await kept.store.refresh(main)
        for wiki in [english, german] {
            for page in try await kept.store.pages() where page.wiki == wiki.key {
                _ = try await PageThreads.current(of: page, store: kept.store, wiki: wiki)
            }
        }
        for words in [["repack", "-a", "-d", "-q"], ["prune", "--expire=now"]] { try kept.git(words) }
        return kept.store
    }

    @discardableResult
    private func git(_ words: [String], input: String? = nil) throws -> String {
        let (status, output) = try runGit(words, in: store.layout.root, input: input)
        guard status == 0 else { throw TalkError(.internal, "git \(words): \(output)") }
        return output.split(separator: "\n").last.map(String.init) ?? ""
    }

    // MARK: Revisions

    private func add(
        _ id: Int64, _ page: PageName, of number: Int64, after parent: Int64, minutes: Int64, by user: String? = "Bob",
        _ summary: String? = "", isMinor: Bool = false, render: Int = 0, _ html: String
    ) async throws {
        let wiki = page.wiki == Self.german.key ? Self.german : Self.english
        let record = RevisionRecord(
            id: RevisionID(rawValue: id), parent: RevisionID(rawValue: parent), page: PageID(rawValue: number),
            timestamp: Self.noon + 60 * minutes, user: user, summary: summary, isMinor: isMinor, format: 1,
            render: render)
        try await store.add([(record, try CanonicalPage.content(of: html, wiki: wiki))], to: page)
    }

    /// A comment's end as a wiki writes it.
    private static func signed(_ user: String, _ time: String) -> String {
        let address = user.replacing(" ", with: "_")
        return #"<a href="/wiki/User:\#(address)" title="User:\#(user)">\#(user)</a> "#
            + #"(<a href="/wiki/User_talk:\#(address)" title="User talk:\#(user)">talk</a>) \#(time) (UTC)"#
    }

    private static func unterschrieben(_ user: String, _ time: String) -> String {
        #"<a href="/wiki/index.php/Benutzer:\#(user)" title="Benutzer:\#(user)">\#(user)</a> \#(time)"#
    }

    static let width = """
        <h2><span class="mw-headline" id="Width">Width</span></h2>
        <p>How wide is it? \(signed("Bob", "10:00, 1 March 2024"))</p>
        """
    static let answered =
        width + "<dl><dd>Four metres &amp; a bit.\n\(signed("Ann Müller", "11:30, 1 March 2024"))</dd></dl>"
    static let ramp = #"<h3 id="Ramp">Ramp</h3><p>And the ramp? \#(signed("Bob", "12:13, 1 March 2024"))</p>"#

    private func addRevisions() async throws {
        try await store.save(Self.english)
        try await store.save(Self.german)
        let bridge = Self.bridge
        try await add(11, bridge, of: 11, after: 0, minutes: 11, "new page", "<p>About the bridge.</p>" + Self.width)
        try await add(
            12, bridge, of: 11, after: 11, minutes: 12, by: nil, "a <b>reply</b>\nwith two lines", isMinor: true,
            "<p>About the bridge.</p>" + Self.answered)
        try await add(
            13, bridge, of: 11, after: 12, minutes: 13, nil, "<p>About the bridge.</p>" + Self.answered + Self.ramp)
        try await add(14, bridge, of: 11, after: 13, minutes: 14, "", "<p>An ugly word.</p>")
        _ = try await store.purge([RevisionID(rawValue: 14): .revision], of: bridge)
        try await store.logPurge([RevisionID(rawValue: 14): .revision], of: bridge, at: "2024-03-02T08:00:00Z")
        // A gap, a name that was taken out, and a rendering on request.
        try await add(31, Self.bob, of: 31, after: 30, minutes: 31, by: "Mallory", "hello", "<p>Hello.</p>")
        try await add(
            35, Self.bob, of: 31, after: 34, minutes: 35, by: "<%", "", render: 2,
            "<p>Hello.</p><h2>Same</h2><p>One.</p><h2>Same</h2><p>Two. \(Self.signed("Eve", "12:34, 1 March 2024"))</p>"
        )
        _ = try await store.purge([RevisionID(rawValue: 31): [.user, .summary]], of: Self.bob)
        // A page that moved, and one that has no title of its own any more.
        try await add(41, Self.former, of: 41, after: 0, minutes: 41, "a footbridge", "<p>Foot.</p>")
        try await store.copyRevisions(of: PageID(rawValue: 41), from: Self.former, to: Self.moved)
        try await add(42, Self.moved, of: 41, after: 41, minutes: 42, "moved", "<p>Foot.</p>")
        try await add(51, Self.long, of: 51, after: 0, minutes: 51, "long", "<h2>.lock</h2><p>Long.</p>")
        try await add(61, Self.main, of: 61, after: 0, minutes: 61, "pump", "<p>Pump.</p>")
        try await add(62, Self.main, of: 61, after: 61, minutes: 62, "handle", "<p>Pump and handle.</p>")
        try await add(71, Self.gone, of: 71, after: 0, minutes: 71, "ferry", "<p>Ferry.</p>")
        try await store.evict(Self.gone)
        try await add(
            5, Self.river, of: 2, after: 0, minutes: 5, by: "Jürgen.", "",
            "<p>Wie tief? \(Self.unterschrieben("Jürgen.", "13:05, 1. Mär. 2024 (CET)"))</p><ul><li>"
                + "Zwei Meter. \(Self.unterschrieben("Änne", "10:00, 1. Jul. 2023 (CEST)"))</li></ul>")
    }

    /// A commit of a newer program, which knew one thing more.
    private func addUnknownTrailer() throws {
        let branch = "refs/heads/\(Self.english.key)/Main/Pump"
        let bytes = try runGit(["cat-file", "commit", branch], in: store.layout.root).output
        let commit = try git(
            ["hash-object", "-t", "commit", "-w", "--stdin"],
            input: bytes.replacing("Wiki-Format: 1\n", with: "Wiki-Format: 1\nWiki-Tag: mobile edit\n"))
        try git(["update-ref", branch, commit])
    }

    // MARK: What was written here

    private static func id(_ number: Int64) -> String {
        ReplyID.make(milliseconds: (noon + 86_400 + number) * 1000, random: (7, 9))
    }

    /// Of what was written here, in the order of writing.
    static let replyIDs = [1, 2, 4, 5, 6, 7, 8].map(id)

    private static let created = noon + 86_400, expires: Int64 = 4_102_444_800

    private func reply(_ number: Int64, _ text: String, to id: String, account: String = "Chloe") async throws {
        let threads = try await PageThreads.current(of: Self.bridge, store: store, wiki: Self.english)
        guard let threads, let index = threads.items.firstIndex(where: { $0.id == id || $0.pending == id }) else {
            throw TalkError(.internal, "no item \(id) in \(String(describing: threads?.items.map(\.id)))")
        }
        let composer = ReplyComposer(store: store, wiki: Self.english)
        _ = try await composer.reply(
            text, to: composer.prepare(Self.bridge, threads, item: index), account: account, id: Self.id(number),
            now: Self.created + number, expires: Self.expires)
    }

    private func topic(_ number: Int64, _ heading: String, _ text: String, on page: PageName, _ wiki: Wiki) async throws
    {
        let composer = ReplyComposer(store: store, wiki: wiki)
        _ = try await composer.reply(
            text, to: composer.prepareTopic(heading, on: page), account: number % 2 == 0 ? "" : "Chloe",
            id: Self.id(number), now: Self.created + number, expires: Self.expires)
    }

    private func addReplies() async throws {
        let question = "c-Bob-20240301100000-Width"
        // Pending: an answer, an answer to that, a topic by nobody, and a topic on a page that the wiki has not got.
        try await reply(1, "I measured it: 4.2 m.\nIn \"the middle\".", to: question)
        try await reply(2, "And at the end?", to: Self.id(1))
        try await topic(4, "Höhe", "Wie hoch?", on: Self.river, Self.german)
        try await topic(5, "Hello", "Hello Ann.", on: Self.ann, Self.english)
        // Set aside: with and without its journal; and one that was posted.
        let target = PendingReply.Target(
            id: question, name: "c-Bob-20240301100000", author: "Bob", timestamp: Self.noon - 7200, heading: "Width")
        for number: Int64 in [6, 7, 8] {
            let reply = PendingReply(
                id: Self.id(number), kind: .reply, text: "Text \(number).", target: target, heading: nil,
                base: RevisionID(rawValue: 12), created: Self.created + number, expires: Self.expires)
            var entry = OutboxEntry(reply: reply, page: Self.bridge, account: "Chloe")
            entry.attempts = 1
            entry.state = number == 8 ? .posted : .discarded
            entry.postedRevision = number == 8 ? RevisionID(rawValue: 13) : nil
            entry.reason = number == 8 ? nil : "the comment that it answers is gone"
            entry.isSeen = number == 7
            if number != 8 { try await store.discard(entry, reason: entry.reason ?? "") }
            try await store.save(entry)
        }
        try await store.removeEntry(Self.id(7))
        try await store.updateEntry(Self.id(4)) { entry in
            entry.state = .held
            entry.reason = "the wiki asks a question"
            entry.demand = SendDemand(.captcha, of: entry.reply, text: "2 + 3", captcha: "9")
            entry.pause = SendPause(failures: 2, until: Self.noon + 90_000, stopsWiki: false)
            return true
        }
    }

    // MARK: What stays

    private func addKeeping() async throws {
        try await store.bookmark([Self.bridge, Self.moved, Self.wanted], true)
        try await store.bookmark([Self.moved], false)
        for page in try await store.pages() + [Self.ann] {
            let wiki = page.wiki == Self.german.key ? Self.german : Self.english
            var state = try store.state(of: page) ?? PageState(page: page, displayTitle: wiki.localTitle(of: page))
            let tip = try await store.tip(of: page)
            state.pageID = tip?.record.page
            state.latest = tip?.record.id
            state.checked = Self.noon + 7200
            state.language = wiki.language
            state.isMissing = page == Self.ann
            state.isKept = page == Self.bridge || page == Self.long
            if page == Self.former { state.movedTo = Self.moved }
            if page == Self.bob { state.failure = "the wiki could not be reached" }
            if page == Self.bridge {
                state.latest = RevisionID(rawValue: 14)
                state.history = HistorySpan(
                    newest: RevisionID(rawValue: 13), oldest: RevisionID(rawValue: 11), count: 3, isWhole: true)
            }
            try await store.save(state)
        }
        store.visit(Self.bob, at: Self.noon + 3600)
        try await store.configure("talk.keep", to: "5")
        try await store.configure("talk.defaultWiki", to: Self.english.key)
    }
}
