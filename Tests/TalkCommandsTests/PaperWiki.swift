import Synchronization
import TalkTestSupport

/// A wiki with one page, `Talk:Bridge`, on a real socket: for tests without network, and for answers that a real wiki
/// does not give on request.
struct PaperWiki: Sendable {
    /// The requests of a first pull, in their order.
    enum Step: String, CaseIterable, Sendable {
        case address, site, messages, sample, check, revisions, parse
    }

    static let first = """
        <h2><span class="mw-headline" id="Width">Width</span></h2>
        <p>How wide is it? <a href="/wiki/User:Bob" title="User:Bob">Bob</a> (<a href="/wiki/User_talk:Bob" \
        title="User talk:Bob">talk</a>) 10:00, 1 March 2024 (UTC)</p>
        <dl><dd>Four metres. <a href="/wiki/User:Carol" title="User:Carol">Carol</a> (<a href="/wiki/User_talk:Carol" \
        title="User talk:Carol">talk</a>) 11:00, 1 March 2024 (UTC)</dd></dl>
        <h2><span class="mw-headline" id="Ramp">Ramp</span></h2>
        <p>And the ramp? <a href="/wiki/User:Bob" title="User:Bob">Bob</a> (<a href="/wiki/User_talk:Bob" \
        title="User talk:Bob">talk</a>) 12:00, 1 March 2024 (UTC)</p>
        """

    let stub: StubWiki
    private let state: State

    private final class State: Sendable {
        /// The HTML of each revision, the number of the first is 11.
        let revisions = Mutex([PaperWiki.first])
        let answers = Mutex<[Step: StubAnswer]>([:])
        let clock = Mutex<String?>(nil)
    }

    init() {
        let state = State()
        self.state = state
        stub = StubWiki({ call in
            guard let step = Self.step(of: call) else { return nil }
            let clock = state.clock.withLock { $0 }.map { #""curtimestamp":"\#($0)","# } ?? ""
            return state.answers.withLock { $0[step] }
                ?? Self.answer(step, call, state.revisions.withLock { $0 }, clock: clock)
        })
    }

    /// The page's address.
    var page: String { stub.url + "/wiki/Talk:Bridge" }

    /// From now on the step gets this answer; nil for the right one.
    func answer(_ step: Step, with answer: StubAnswer?) { state.answers.withLock { $0[step] = answer } }

    /// What time the wiki says it is, as `2024-03-05T12:00:00Z`; nil when it does not tell.
    func setClock(_ time: String?) { state.clock.withLock { $0 = time } }

    /// Saves a revision with this HTML.
    func replace(_ html: String) { state.revisions.withLock { $0.append(html) } }

    /// Saves a revision that adds HTML at the end of the page.
    func append(_ html: String) { state.revisions.withLock { $0.append(($0.last ?? "") + html) } }

    private static func step(of call: StubCall) -> Step? {
        switch (call["action"], call["meta"], call["prop"]) {
        case ("parse", _, _): call["onlypst"].isEmpty ? .parse : .sample
        case (_, "siteinfo", _): .site
        case (_, "allmessages", _): .messages
        case (_, _, "info|revisions"): .check
        case (_, _, "revisions"): .revisions
        default: call.path.hasPrefix("/wiki/") ? .address : nil
        }
    }

    private static func answer(
        _ step: Step, _ call: StubCall, _ revisions: [String], clock: String
    ) -> StubAnswer {
        let latest = 10 + revisions.count
        switch step {
        case .address:
            let html =
                #"<!DOCTYPE html><head><link rel="EditURI" href="/w/api.php?action=rsd"></head><body>Hello</body>"#
            return .http(status: 200, headers: [("Content-Type", "text/html")], body: html)
        case .site:
            let names = [-1: "Special", 0: "", 1: "Talk", 2: "User", 3: "User talk"]
            let namespaces = names.map {
                #""\#($0.key)":{"id":\#($0.key),"name":"\#($0.value)","canonical":"\#($0.value)","case":"first-letter"}"#
            }
            return .json(
                #"{"query":{"general":{"generator":"MediaWiki 1.39.0","sitename":"Paper","lang":"en","timezone":"UTC","#
                    + #""articlepath":"/wiki/$1","scriptpath":"/w","script":"/w/index.php"},"#
                    + #""namespaces":{\#(namespaces.joined(separator: ","))}}}"#)
        case .messages:
            let messages = call["ammessages"].split(separator: "|").map { name in
                let word = name == "timezone-utc" ? "UTC" : name.prefix { $0 != "-" && $0 != "_" }
                return #"{"name":"\#(name)","content":"\#(word.prefix(1).uppercased() + word.dropFirst())"}"#
            }
            return .json(#"{"query":{"allmessages":[\#(messages.joined(separator: ","))]}}"#)
        case .sample:
            return .json(#"{"curtimestamp":"2024-03-05T12:00:00Z","parse":{"text":"12:00, 5 March 2024 (UTC)"}}"#)
        case .check:
            return .json(
                #"{\#(clock)"query":{"pages":[{"pageid":7,"ns":1,"title":"Talk:Bridge","contentmodel":"wikitext","#
                    + #""pagelanguage":"en","pagelanguagedir":"ltr","lastrevid":\#(latest)}]}}"#)
        case .revisions:
            // One revision a day, and no month has more than 28.
            let first = min(Int(call["rvstartid"]) ?? latest, latest)
            let list = (11...first).reversed().prefix(Int(call["rvlimit"]) ?? 0).map {
                let (month, day) = (3 + ($0 - 11) / 28, 1 + ($0 - 11) % 28)
                return #"{"revid":\#($0),"parentid":\#($0 == 11 ? 0 : $0 - 1),"user":"Bob","comment":"edit \#($0)","#
                    + #""timestamp":"2024-\#(month < 10 ? "0" : "")\#(month)-\#(day < 10 ? "0" : "")\#(day)T12:00:00Z"}"#
            }
            return .json(
                #"{"query":{"pages":[{"pageid":7,"title":"Talk:Bridge","revisions":[\#(list.joined(separator: ","))]}]}}"#
            )
        case .parse:
            // By title it is the newest.
            guard let id = call["oldid"].isEmpty ? latest : Int(call["oldid"]), (11...latest).contains(id) else {
                return .error("nosuchrevid")
            }
            let text = revisions[id - 11].replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
            return .json(
                #"{"parse":{"title":"Talk:Bridge","pageid":7,"revid":\#(id),"text":"\#(text)","sections":[]}}"#)
        }
    }
}
