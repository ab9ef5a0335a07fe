import Foundation
import Synchronization
import TalkPages
import TalkTestSupport

@testable import TalkSync

/// A wiki with one talk page, on a real socket: it saves, merges and refuses edits as MediaWiki does, and takes so little
/// time that a test can play hundreds of stories.
final class ScriptedWiki: Sendable {
    struct Revision: Sendable {
        let id: Int
        let user: String
        let summary: String
        let text: String
        let time: Int64
    }

    static let title = "Talk:Bridge"
    static let site = Wiki(
        key: "scripted.example", api: "", server: "http://scripted.example", articlePath: "/wiki/$1", script: "",
        generator: "", siteName: "", language: "en", isRightToLeft: false, timezone: "UTC",
        namespaces: [
            Namespace(id: -1, name: "Special", canonical: "Special"), Namespace(id: 0, name: "", canonical: ""),
            Namespace(id: 1, name: "Talk", canonical: "Talk"), Namespace(id: 2, name: "User", canonical: "User"),
            Namespace(id: 3, name: "User talk", canonical: "User talk"),
        ], interwikiPrefixes: [], contributionsNames: ["Contributions"],
        signatureFormats: [
            SignatureFormat(
                variant: "en", format: "H:i, j F Y", months: months, monthsGenitive: months,
                monthsShort: months.map { String($0.prefix(3)) }, weekdays: weekdays,
                weekdaysShort: weekdays.map { String($0.prefix(3)) })
        ], hasDiscussionTools: false)
    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]
    private static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

    private let stub: StubWiki
    private let state: State

    private final class State: Sendable {
        let revisions: Mutex<[Revision]>
        init(_ text: String) {
            revisions = Mutex([Revision(id: 1, user: "Bob", summary: "", text: text, time: 1_800_000_000)])
        }
    }

    init(_ text: String) {
        let state = State(text)
        self.state = state
        stub = StubWiki({ call in state.revisions.withLock { Self.answer(call, &$0) } })
    }

    var api: String { stub.api }
    var revisions: [Revision] { state.revisions.withLock { $0 } }

    /// Saves the page as somebody changes it.
    func change(as user: String, summary: String, _ body: (String) -> String) {
        state.revisions.withLock { revisions in
            let text = body(revisions[revisions.count - 1].text)
            Self.save(text, as: user, summary, &revisions)
        }
    }

    // MARK: Answers

    private static func answer(_ call: StubCall, _ revisions: inout [Revision]) -> StubAnswer? {
        let time = JSONValue.string(APITimestamp.text((revisions.last?.time ?? 0) + 1))
        let value: JSONValue
        switch (call["action"], call["prop"]) {
        case ("query", "info|revisions"):
            let page = page(with: ["lastrevid": number(revisions.last?.id ?? 0)], revisions.suffix(1), hasText: false)
            let user: JSONValue = .object(["id": .integer(3), "name": .string("Alice"), "rights": .array([])])
            value = .object([
                "curtimestamp": time, "query": .object(["pages": .array([page]), "userinfo": user]),
            ])
        case ("query", "revisions"):
            let found: ArraySlice<Revision>
            if !call["revids"].isEmpty {
                let ids = call["revids"].split(separator: "|").compactMap { Int($0) }
                found = revisions.filter { ids.contains($0.id) }[...]
            } else {
                let time = APITimestamp.seconds(call["rvstart"])
                let start =
                    Int(call["rvstartid"]).flatMap { id in revisions.firstIndex { $0.id == id } }
                    ?? time.flatMap { time in revisions.firstIndex { $0.time >= time } }
                let sorted =
                    call["rvdir"] == "newer" ? revisions[(start ?? 0)...] : revisions[...(start ?? revisions.count - 1)]
                let limited = sorted.count > Int(call["rvlimit"]) ?? 0
                let isNewer = call["rvdir"] == "newer"
                let limit = Int(call["rvlimit"]) ?? 0
                found = limited ? (isNewer ? sorted.prefix(limit) : sorted.suffix(limit)) : sorted
            }
            let ordered = call["rvdir"] == "newer" || !call["revids"].isEmpty ? Array(found) : found.reversed()
            let page = page(with: [:], ordered[...], hasText: call["rvprop"].contains("content"))
            value = .object(["curtimestamp": time, "query": .object(["pages": .array([page])])])
        case ("query", _) where call["meta"] == "tokens":
            value = .object(["query": .object(["tokens": .object(["csrftoken": .string("scripted+\\")])])])
        case ("query", _) where call["list"] == "logevents":
            value = .object(["query": .object(["logevents": .array([])])])
        case ("query", _) where call["meta"] == "userinfo":
            let user: JSONValue = .object(["id": .integer(3), "name": .string("Alice"), "rights": .array([])])
            value = .object(["query": .object(["userinfo": user])])
        case ("parse", _):
            let id = Int(call["oldid"])
            let clock = (revisions.last?.time ?? 0) + 1
            if call["onlypst"] == "1" {
                value = .object(["parse": .object(["text": .string(signed(call["text"], clock))])])
                break
            }
            guard
                let text = call["text"].isEmpty
                    ? revisions.first(where: { $0.id == id })?.text : signed(call["text"], clock)
            else { return .error("nosuchrevid") }
            var parsed: [String: JSONValue] = [
                "title": .string(title), "pageid": .integer(7), "text": .string(html(text)), "sections": sections(text),
            ]
            if let id { parsed["revid"] = number(id) }
            value = .object(["curtimestamp": time, "parse": .object(parsed)])
        case ("edit", _): return edit(call, &revisions)
        default: return nil
        }
        return .json(String(decoding: value.encoded, as: UTF8.self))
    }

    private static func number(_ value: Int) -> JSONValue { .integer(Int64(value)) }

    private static func page(
        with members: [String: JSONValue], _ revisions: ArraySlice<Revision>, hasText: Bool
    ) -> JSONValue {
        var page = members
        page["pageid"] = .integer(7)
        page["ns"] = .integer(1)
        page["title"] = .string(title)
        page["contentmodel"] = .string("wikitext")
        page["pagelanguage"] = .string("en")
        page["revisions"] = .array(
            revisions.map { revision in
                var entry: [String: JSONValue] = [
                    "revid": number(revision.id), "parentid": number(revision.id - 1), "user": .string(revision.user),
                    "timestamp": .string(APITimestamp.text(revision.time)), "comment": .string(revision.summary),
                ]
                if hasText {
                    let main: JSONValue = .object([
                        "contentmodel": .string("wikitext"), "content": .string(revision.text),
                    ])
                    entry["slots"] = .object(["main": main])
                }
                return .object(entry)
            })
        return .object(page)
    }

    // MARK: Saving

    private static func edit(_ call: StubCall, _ revisions: inout [Revision]) -> StubAnswer {
        guard call["token"] == "scripted+\\" else { return .error("badtoken") }
        guard call["assert"] == "user", call["assertuser"] == "Alice" else { return .error("assertnameduserfailed") }
        guard let latest = revisions.last, let base = revisions.first(where: { String($0.id) == call["baserevid"] })
        else { return .error("editconflict") }
        let text = { (text: String) in
            guard let section = Int(call["section"]) else { return Optional(call["text"]) }
            return replacing(section, of: text, with: call["text"])
        }
        // The section must be there in the newest revision as well.
        guard let mine = text(base.text), text(latest.text) != nil else { return .error("nosuchsection") }
        guard let merged = base.id == latest.id ? mine : merge(mine, latest.text, base: base.text) else {
            return .error("editconflict")
        }
        let saved = signed(merged, latest.time + 1)
        if saved == latest.text { return .json(#"{"edit":{"result":"Success","nochange":true}}"#) }
        save(saved, as: "Alice", call["summary"], &revisions)
        return .json(
            #"{"edit":{"result":"Success","newrevid":\#(latest.id + 1),"oldrevid":\#(latest.id),"#
                + #""newtimestamp":"\#(APITimestamp.text(latest.time + 1))"}}"#)
    }

    private static func save(_ text: String, as user: String, _ summary: String, _ revisions: inout [Revision]) {
        guard let latest = revisions.last else { return }
        var text = signed(text, latest.time + 1, user)
        while text.last?.isWhitespace == true { text.removeLast() }
        revisions.append(
            Revision(id: latest.id + 1, user: user, summary: summary, text: text, time: latest.time + 1))
    }

    private static func signed(_ text: String, _ time: Int64, _ user: String = "Alice") -> String {
        text.replacing(
            "~~~~", with: "[[User:\(user)|\(user)]] ([[User talk:\(user)|talk]]) \(date(time))")
    }

    /// The clock begins in January 2027 and does not leave it.
    private static func date(_ time: Int64) -> String {
        let minutes = time / 60 % 1440, day = (time - 1_798_761_600) / 86_400 + 1
        let two = { (number: Int64) in number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(minutes / 60)):\(two(minutes % 60)), \(day) January 2027 (UTC)"
    }

    private static func replacing(_ section: Int, of text: String, with new: String) -> String? {
        var parts = [""]
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("==") { parts.append("") }
            parts[parts.count - 1] += line + "\n"
        }
        guard parts.indices.contains(section) else { return nil }
        var own = new
        while own.last?.isWhitespace == true { own.removeLast() }
        parts[section] = own + "\n\n"
        return parts.joined()
    }

    /// As `diff3` does it for edits that each change one place: they must not touch.
    private static func merge(_ mine: String, _ theirs: String, base: String) -> String? {
        let lines = { (text: String) in
            var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            while lines.last == "" { lines.removeLast() }
            return lines
        }
        let base = lines(base), mine = lines(mine), theirs = lines(theirs)
        let place = { (new: [String]) -> (from: Int, until: Int, lines: ArraySlice<String>) in
            let head = zip(base, new).prefix { $0 == $1 }.count
            let tail = min(
                zip(base.reversed(), new.reversed()).prefix { $0 == $1 }.count, min(base.count, new.count) - head)
            return (head, base.count - tail, new[head..<(new.count - tail)])
        }
        let own = place(mine), other = place(theirs)
        guard own.until < other.from || other.until < own.from else { return nil }
        let (first, second) = own.from < other.from ? (own, other) : (other, own)
        let merged =
            base[..<first.from] + first.lines + base[first.until..<second.from] + second.lines + base[second.until...]
        return merged.joined(separator: "\n")
    }

    // MARK: Rendering

    private static func sections(_ text: String) -> JSONValue {
        var found: [JSONValue] = []
        var offset = 0
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("==") {
                let name = line.filter { $0 != "=" }.trimmingPrefix(" ").description.dropLast()
                found.append(
                    .object([
                        "level": .string("2"), "line": .string(String(name)),
                        "anchor": .string(String(name).replacing(" ", with: "_")),
                        "index": .string("\(found.count + 1)"),
                        "byteoffset": number(offset),
                    ]))
            }
            offset += line.unicodeScalars.count + 1
        }
        return .array(found)
    }

    private static func html(_ text: String) -> String {
        var html = ""
        var depth = 0
        for line in text.split(separator: "\n") {
            let level = line.prefix { $0 == ":" }.count
            let body = inline(line.dropFirst(level))
            if level > depth {
                html += String(repeating: "\n<dl><dd>", count: level - depth) + body
            } else {
                html += String(repeating: "</dd></dl>", count: depth - level)
                if level > 0 {
                    html += "</dd>\n<dd>" + body
                } else if line.hasPrefix("==") {
                    let name = body.filter { $0 != "=" }.trimmingPrefix(" ").description.dropLast()
                    let anchor = name.replacing(" ", with: "_")
                    html += "\n<h2><span class=\"mw-headline\" id=\"\(anchor)\">\(name)</span></h2>"
                } else {
                    html += "\n<p>\(body)\n</p>"
                }
            }
            depth = level
        }
        return html + String(repeating: "</dd></dl>", count: depth)
    }

    private static func inline(_ text: Substring) -> String {
        let escaped = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        return String(escaped).replacing(/\[\[([^|\]]*)\|([^\]]*)\]\]/) { match in
            "<a href=\"/wiki/\(match.1.replacing(" ", with: "_"))\" title=\"\(match.1)\">\(match.2)</a>"
        }
    }
}
