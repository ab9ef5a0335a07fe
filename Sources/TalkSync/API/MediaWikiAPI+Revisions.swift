internal import Foundation
public import TalkPages

extension MediaWikiAPI {
    /// A page as it is addressed.
    public typealias Page = EditRequest.Page

    /// Which way a history is read.
    public enum HistoryDirection: String, Sendable {
        /// From new to old.
        case older
        /// From old to new.
        case newer
    }

    private static let batch = 50
    static let revisionProperties = "ids|timestamp|user|userid|comment|tags|sha1|size|flags"

    /// Asks for the newest revisions of many pages, 50 a request; the answers are in the order of the titles.
    ///
    /// `testsEdit` also asks whether the account may edit each page (`PageCheck.editError`).
    public func check(titles: [String], testsEdit: Bool = false) throws(TalkError) -> [PageCheck] {
        var checks: [PageCheck] = []
        for start in stride(from: 0, to: titles.count, by: Self.batch) {
            let batch = Array(titles[start..<min(start + Self.batch, titles.count)])
            let answer = try query(
                [("titles", Self.list(batch))], subject: titles.count == 1 ? titles[0] : nil, testsEdit: testsEdit)
            checks += Self.checks(for: batch, in: answer)
        }
        return checks
    }

    /// Asks about pages and about whoever is logged in, in one request; the answers are in the order of the titles.
    ///
    /// There may be 50 titles, and 500 where the account has the right `apihighlimits`. `account` stays as it is: who
    /// posts asks for himself.
    public func checkWithUser(
        titles: [String], testsEdit: Bool
    ) throws(TalkError) -> (pages: [PageCheck], user: UserInfo?) {
        let answer = try query(
            [("titles", Self.list(titles)), ("meta", "userinfo"), ("uiprop", "blockinfo|groups|rights")],
            subject: titles.count == 1 ? titles[0] : nil, testsEdit: testsEdit)
        let user = answer["query"]?["userinfo"].flatMap(UserInfo.init)
        return (Self.checks(for: titles, in: answer), user)
    }

    /// The same for pages by number, which finds pages that were moved.
    public func check(pages: [PageID], testsEdit: Bool = false) throws(TalkError) -> [PageCheck] {
        var checks: [PageCheck] = []
        for start in stride(from: 0, to: pages.count, by: Self.batch) {
            let batch = pages[start..<min(start + Self.batch, pages.count)]
            let answer = try query(
                [("pageids", batch.map(\.description).joined(separator: "|"))], testsEdit: testsEdit)
            let found = answer["query"]?["pages"]?.elements ?? []
            let time = answer["curtimestamp"]?.text.flatMap(APITimestamp.seconds)
            checks += batch.map { id in
                let page = found.first { $0["pageid"]?.integer == id.rawValue }
                return PageCheck(page ?? .object(["missing": .bool(true)]), requested: "", serverTime: time)
            }
        }
        return checks
    }

    private func query(
        _ which: [(String, String)], subject: String? = nil, testsEdit: Bool
    ) throws(TalkError) -> JSONValue {
        var parameters =
            [("action", "query"), ("prop", "info|revisions")] + which
            + [("rvprop", Self.revisionProperties), ("iwurl", "1"), ("curtimestamp", "1")]
        if testsEdit { parameters += [("intestactions", "edit"), ("intestactionsdetail", "full")] }
        let answer = try callOrExplain(parameters, subject: subject)
        guard answer["query"]?["pages"]?.elements != nil || answer["query"]?["interwiki"]?.elements != nil else {
            throw TalkError(
                .unreachable, "\(subject.map { "\($0): " } ?? "")the wiki's answer says nothing of the pages",
                hint: "try again later")
        }
        return answer
    }

    /// Joins values; where one of them holds the usual separator, with the other one.
    static func list(_ values: [String]) -> String {
        values.contains { $0.contains("|") }
            ? values.map { "\u{1F}" + $0 }.joined() : values.joined(separator: "|")
    }

    /// Finds the answer for each title: the wiki writes titles its own way, merges equal ones and has its own order.
    static func checks(for titles: [String], in answer: JSONValue) -> [PageCheck] {
        let query = answer["query"]
        let normalized = renamings("normalized", in: query), converted = renamings("converted", in: query)
        let redirects = renamings("redirects", in: query)
        var pages: [String: JSONValue] = [:]
        for page in query?["pages"]?.elements ?? [] {
            if let title = page["title"]?.text { pages[title] = page }
        }
        var elsewhere: [String: JSONValue] = [:]
        for entry in query?["interwiki"]?.elements ?? [] {
            if let title = entry["title"]?.text { elsewhere[title] = entry }
        }
        let time = answer["curtimestamp"]?.text.flatMap(APITimestamp.seconds)
        return titles.map { title in
            let normal = normalized[title] ?? title, name = converted[normal] ?? normal
            if let page = pages[name] { return PageCheck(page, requested: title, serverTime: time) }
            let entry = elsewhere[name] ?? elsewhere[title]
            // Nobody asks for what redirects lead to; an answer about that is none about the redirect.
            let isRedirect = redirects[name] != nil
            let status: PageCheck.Status =
                isRedirect
                ? .exists
                : entry.map { .interwiki(url: $0["url"]?.text) } ?? .invalid("the wiki does not know this title")
            var check = PageCheck(requested: title, title: name, status: status)
            check.isRedirect = isRedirect
            check.serverTime = time
            return check
        }
    }

    private static func renamings(_ key: String, in query: JSONValue?) -> [String: String] {
        var renamings: [String: String] = [:]
        for entry in query?[key]?.elements ?? [] {
            guard let from = entry["from"]?.text, let to = entry["to"]?.text else { continue }
            // `from` of a title that was not in NFC is given percent-encoded.
            renamings[entry.flag("fromencoded") ? from.removingPercentEncoding ?? from : from] = to
        }
        return renamings
    }

    /// The revisions of one page, at most `limit`.
    ///
    /// `start` is the first one, itself included; nil for the newest, or for the oldest when reading towards newer ones.
    /// `time`, in seconds since 1970, stands for the first one that is not older.
    /// Throws `notFound` when there is no such page.
    public func revisions(
        of page: Page, limit: Int, from start: RevisionID? = nil, since time: Int64? = nil,
        direction: HistoryDirection = .older,
        withText: Bool = false
    ) throws(TalkError) -> [RevisionInfo] {
        let subject = Self.name(of: page)
        var parameters: [(String, String)] = [("action", "query"), ("prop", "revisions"), Self.selector(page)]
        parameters += [("rvdir", direction.rawValue)]
        if let start { parameters.append(("rvstartid", start.description)) }
        if let time { parameters.append(("rvstart", APITimestamp.text(time))) }
        parameters.append(("rvprop", Self.revisionProperties + (withText ? "|content" : "")))
        parameters.append(("rvslots", "main"))
        var found: [RevisionInfo] = []
        var more = Continuation(subject)
        while found.count < limit {
            let count = min(limit - found.count, withText ? 50 : 500)
            let answer = try callOrExplain(
                parameters + [("rvlimit", String(count))] + more.parameters, subject: subject)
            guard let value = answer["query"]?["pages"]?[0] else {
                throw TalkError(
                    .unreachable, "\(subject): the wiki's answer has no history of the page", hint: "try again later")
            }
            guard let id = PageCheck(value, requested: subject, serverTime: nil).page else {
                throw TalkError(.notFound, "\(subject): there is no such page")
            }
            let revisions = value["revisions"]?.elements ?? []
            let new = revisions.compactMap { RevisionInfo($0, page: id) }
            found += new
            guard try more.goesOn(after: answer, isFruitful: !new.isEmpty), !revisions.isEmpty else { break }
        }
        return Array(found.prefix(limit))
    }

    /// The wikitext of a revision, with what the wiki says of it, its title and the wiki's clock.
    ///
    /// Throws `notFound` when the revision is gone or its text is hidden.
    public func wikitext(of revision: RevisionID) throws(TalkError) -> Wikitext {
        let subject = "revision \(revision)"
        let answer = try callOrExplain(
            [
                ("action", "query"), ("prop", "revisions"), ("revids", revision.description),
                ("rvprop", Self.revisionProperties + "|content"), ("rvslots", "main"), ("curtimestamp", "1"),
            ], subject: subject)
        guard let value = answer["query"]?["pages"]?[0], let page = value["pageid"]?.integer,
            let info = value["revisions"]?[0].flatMap({ RevisionInfo($0, page: PageID(rawValue: page)) })
        else { throw TalkError(.notFound, "\(subject): there is no such revision") }
        guard let text = info.text else {
            throw Self.hidden(subject)
        }
        return Wikitext(
            text: text, revision: info, title: value["title"]?.text ?? "",
            serverTime: answer["curtimestamp"]?.text.flatMap(APITimestamp.seconds))
    }

    /// A revision as wikitext.
    public struct Wikitext: Hashable, Sendable {
        /// The whole page.
        public var text: String
        /// What the wiki says of the revision.
        public var revision: RevisionInfo
        /// The page's title as the wiki writes it.
        public var title: String
        /// The wiki's clock, seconds since 1970; `EditRequest.started` for an edit made from this text.
        public var serverTime: Int64?
    }

    static func selector(_ page: Page) -> (String, String) {
        switch page {
        case .title(let title): ("titles", list([title]))
        case .id(let id): ("pageids", id.description)
        }
    }

    static func name(of page: Page) -> String {
        switch page {
        case .title(let title): title
        case .id(let id): "page \(id)"
        }
    }

    /// `call` with the error in the user's words.
    func callOrExplain(
        _ parameters: [(String, String)], subject: String? = nil, isPost: Bool = false
    ) throws(TalkError) -> JSONValue {
        do throws(APIFailure) {
            return try call(parameters, isPost: isPost)
        } catch {
            guard try renewSession(after: error) else { throw explained(error, subject) }
        }
        do throws(APIFailure) {
            let answer = try call(parameters, isPost: isPost)
            isRenewalVain = false
            return answer
        } catch {
            throw explained(error, subject)
        }
    }
}
