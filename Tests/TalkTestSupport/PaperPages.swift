internal import Synchronization

/// A wiki of pages that a test writes, on a real socket: revisions, requests by kind, and failures on demand.
///
/// It gives checks, histories and renderings as MediaWiki does, without its cost: for counting requests, and for stopping
/// a program at one of them.
public final class PaperPages: Sendable {
    /// A revision of a page; its parent is the one before it.
    public struct Revision: Sendable {
        /// `revid`.
        public let id: Int
        /// The HTML of the page.
        public let html: String
        /// Who saved it.
        public let user: String
        /// The edit summary.
        public let summary: String
        /// The minute of the hour in which it was saved; nil for that of its place among the page's revisions.
        public let minute: Int?

        /// Makes a revision.
        public init(
            _ id: Int, _ html: String, by user: String = "Bob", _ summary: String = "", at minute: Int? = nil
        ) {
            self.minute = minute
            self.id = id
            self.html = html
            self.user = user
            self.summary = summary
        }
    }

    /// What a request asks for, `check`, `list`, `parse` by title, `parse 12` by number.
    public typealias Rule = @Sendable (_ kind: String, _ call: StubCall) -> StubAnswer?

    private let state: State
    private let stub: StubWiki

    private final class State: Sendable {
        let pages = Mutex<[String: [Revision]]>([:])
        let rules = Mutex<[Rule]>([])
        let kinds = Mutex<[String]>([])
        let user = Mutex(#"{"id":0,"name":"127.0.0.1","anon":true,"rights":["read","edit"]}"#)

        func answer(_ call: StubCall) -> StubAnswer? {
            guard let kind = PaperPages.kind(of: call) else { return nil }
            kinds.withLock { $0.append(kind) }
            for rule in rules.withLock({ $0 }) {
                if let answer = rule(kind, call) { return answer }
            }
            return pages.withLock { Answers(pages: $0, user: user.withLock { $0 }).answer(kind, call) }
        }
    }

    /// Starts a wiki without pages.
    public init() {
        let state = State()
        self.state = state
        stub = StubWiki({ state.answer($0) })
    }

    /// Scheme, host and port.
    public var url: String { stub.url }
    /// Address of `api.php`.
    public var api: String { stub.api }
    /// Every request so far, in order.
    public var calls: [StubCall] { stub.calls }
    /// What was asked for since the last `reset`, in order.
    public var kinds: [String] { state.kinds.withLock { $0 } }

    /// Gives a page its revisions, oldest first; none makes it missing.
    public func set(_ title: String, _ revisions: [Revision]) {
        state.pages.withLock { $0[title] = revisions.isEmpty ? nil : revisions }
    }

    /// From now on the wiki sees this program as that user, an object as `meta=userinfo` gives it.
    public func logIn(_ json: String) { state.user.withLock { $0 = json } }

    /// Adds a rule that is asked before the others.
    public func add(_ rule: @escaping Rule) { state.rules.withLock { $0.insert(rule, at: 0) } }

    /// Forgets the requests and the rules.
    public func reset() {
        state.rules.withLock { $0 = [] }
        state.kinds.withLock { $0 = [] }
    }

    private static func kind(of call: StubCall) -> String? {
        guard call.path.hasSuffix("/api.php") else { return call.path.hasPrefix("/wiki/") ? "address" : nil }
        switch (call["action"], call["prop"], call["meta"]) {
        case ("parse", _, _):
            if !call["onlypst"].isEmpty { return "sample" }
            return call["oldid"].isEmpty ? "parse" : "parse \(call["oldid"])"
        case (_, "info|revisions", _): return "check"
        case (_, "revisions", _): return "list"
        case (_, _, let meta): return meta
        }
    }

    private struct Answers {
        let pages: [String: [Revision]]
        let user: String

        func answer(_ kind: String, _ call: StubCall) -> StubAnswer? {
            switch kind {
            case "address":
                return .http(
                    status: 200, headers: [("Content-Type", "text/html")],
                    body: #"<html><head><link rel="EditURI" href="/w/api.php?action=rsd"></head></html>"#)
            case "siteinfo": return .json(site)
            case "allmessages":
                // Names of months and days as they are in English: the beginning of each message's own name.
                let messages = call["ammessages"].split(separator: "|").map { name in
                    let word = name == "timezone-utc" ? "UTC" : name.prefix { $0 != "-" && $0 != "_" }
                    return #"{"name":"\#(name)","content":"\#(word.prefix(1).uppercased() + word.dropFirst())"}"#
                }
                return .json(#"{"query":{"allmessages":[\#(messages.joined(separator: ","))]}}"#)
            case "sample":
                return .json(#"{"curtimestamp":"2024-03-05T12:00:00Z","parse":{"text":"12:00, 5 March 2024 (UTC)"}}"#)
            case "check":
                let user = call["meta"] == "userinfo" ? #""userinfo":\#(self.user),"# : ""
                let found = titles(call).map(check).joined(separator: ",")
                return .json(#"{"curtimestamp":"2024-03-05T12:00:00Z","query":{\#(user)"pages":[\#(found)]}}"#)
            case "list":
                let title = titles(call)[0]
                guard let revisions = pages[title] else { return .json(#"{"query":{"pages":[\#(check(title))]}}"#) }
                let start = Int(call["rvstartid"]) ?? Int.max
                let list = revisions.indices.reversed().filter { revisions[$0].id <= start }
                    .prefix(Int(call["rvlimit"]) ?? 500).map { information(revisions, $0) }.joined(separator: ",")
                return .json(
                    #"{"query":{"pages":[{"pageid":\#(number(title)),"title":"\#(title)","revisions":[\#(list)]}]}}"#)
            default: return rendering(call)
            }
        }

        private func titles(_ call: StubCall) -> [String] {
            if !call["pageids"].isEmpty {
                return call["pageids"].split(separator: "|").map { id in
                    pages.keys.first { String(number($0)) == id } ?? "Nobody"
                }
            }
            return call["titles"].split { $0 == "|" || $0 == "\u{1F}" }.map(String.init)
        }

        /// A page's number: that of its first revision.
        private func number(_ title: String) -> Int { pages[title]?.first?.id ?? 0 }

        private func check(_ title: String) -> String {
            guard let revisions = pages[title], let last = revisions.last else {
                return #"{"ns":1,"title":"\#(title)","missing":true}"#
            }
            return #"{"pageid":\#(number(title)),"ns":1,"title":"\#(title)","contentmodel":"wikitext","#
                + #""pagelanguage":"en","pagelanguagedir":"ltr","lastrevid":\#(last.id),"#
                + #""revisions":[\#(information(revisions, revisions.count - 1))]}"#
        }

        private func information(_ revisions: [Revision], _ index: Int) -> String {
            let revision = revisions[index]
            let parent = index == 0 ? 0 : revisions[index - 1].id
            let minute = String(100 + (revision.minute ?? index % 60)).dropFirst()
            return #"{"revid":\#(revision.id),"parentid":\#(parent),"user":"\#(revision.user)","#
                + #""comment":"\#(revision.summary)","timestamp":"2024-03-01T12:\#(minute):00Z"}"#
        }

        private func rendering(_ call: StubCall) -> StubAnswer {
            let title = pages.first { page in page.value.contains { String($0.id) == call["oldid"] } }?.key
            let name = call["oldid"].isEmpty ? call["page"] : title ?? ""
            let revision =
                call["oldid"].isEmpty ? pages[name]?.last : pages[name]?.first { String($0.id) == call["oldid"] }
            guard let revision else { return .error(call["oldid"].isEmpty ? "missingtitle" : "nosuchrevid") }
            let text = revision.html.replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
            return .json(
                #"{"parse":{"title":"\#(name)","pageid":\#(number(name)),"revid":\#(revision.id),"text":"\#(text)"}}"#)
        }

        private var site: String {
            let names = [-1: "Special", 0: "", 1: "Talk", 2: "User", 3: "User talk"].map {
                #""\#($0.key)":{"id":\#($0.key),"name":"\#($0.value)","canonical":"\#($0.value)","case":"first-letter"}"#
            }
            return
                #"{"query":{"general":{"generator":"MediaWiki 1.39.0","sitename":"Paper","lang":"en","timezone":"UTC","#
                + #""articlepath":"/wiki/$1","scriptpath":"/w","script":"/w/index.php"},"#
                + #""namespaces":{\#(names.joined(separator: ","))}}}"#
        }
    }
}
