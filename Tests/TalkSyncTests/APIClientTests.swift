import Foundation
import TalkPages
import TalkSync
import TalkTestSupport
import Testing

/// The client against a wiki whose answers are given, over real sockets.
@Suite(.temporaryDirectory) struct APIClientTests {
    func api(_ wiki: StubWiki, settings: NetworkSettings = NetworkSettings(userAgent: "test/1")) -> MediaWikiAPI {
        MediaWikiAPI(
            endpoint: wiki.api, settings: settings,
            cookieFile: TemporaryDirectory.current.appending(path: "cookies").path)
    }

    func error<Value>(_ body: () async throws -> Value) async -> TalkError? {
        do {
            _ = try await body()
            return nil
        } catch {
            return error as? TalkError
        }
    }

    static let token = StubAnswer.json(#"{"query":{"tokens":{"csrftoken":"abc+\\"}}}"#)
    static let saved = StubAnswer.json(
        #"{"edit":{"result":"Success","oldrevid":5,"newrevid":6,"newtimestamp":"2026-11-30T05:21:24Z"}}"#)

    static func tokens(_ call: StubCall) -> StubAnswer? { call["meta"] == "tokens" ? token : nil }
    static func isEdit(_ call: StubCall) -> Bool { call["action"] == "edit" }

    let reply = EditRequest(
        page: .title("Talk:Bridge"), section: 2, text: "== A ==\nx\n:y ~~~~", summary: "/* A */ Reply",
        base: RevisionID(rawValue: 5), started: 1_796_015_683, account: "Alice")

    // MARK: Every request

    @Test func sendsTheCommonParameters() async throws {
        let wiki = StubWiki({ _ in .json(#"{"query":{"userinfo":{"id":0,"name":"127.0.0.1","anon":true}}}"#) })
        let user = try await api(wiki, settings: NetworkSettings(userAgent: "test/1", maximumLag: 5)).userInfo()
        #expect(user.isAnonymous && user.name == "127.0.0.1")
        let call = try #require(wiki.calls.first)
        #expect(call.method == "GET")
        #expect(call.headers["user-agent"] == "test/1")
        #expect(
            call.parameters == [
                "format": "json", "formatversion": "2", "errorformat": "plaintext", "errorlang": "uselang",
                "uselang": "content", "maxlag": "5", "action": "query", "meta": "userinfo",
                "uiprop": "blockinfo|groups|rights",
            ])
    }

    @Test func sendsTheAccessTokenAsAHeader() async throws {
        let wiki = StubWiki({ _ in .json(#"{"query":{"userinfo":{"id":3,"name":"Alice"}}}"#) })
        let api = MediaWikiAPI(
            endpoint: wiki.api, settings: NetworkSettings(userAgent: "test"), bearerToken: "secret-token")
        _ = try await api.userInfo()
        #expect(await api.account == "Alice")
        #expect(wiki.calls.first?.headers["authorization"] == "Bearer secret-token")
        #expect(wiki.calls.first?.parameters.values.contains { $0.contains("secret") } == false)
    }

    @Test func readsOnceMoreWhenAConnectionWasCut() async throws {
        let wiki = StubWiki(
            StubWiki.sequence([
                .cut(json: #"{"query":{"userinfo":{"name":"A"}}}"#, afterBytes: 5),
                .json(#"{"query":{"userinfo":{"id":3,"name":"Alice"}}}"#),
            ]))
        #expect(try await api(wiki).userInfo().name == "Alice")
        #expect(wiki.calls.count == 2)
    }

    @Test func givesUpWhenTheConnectionIsCutAgain() async {
        let wiki = StubWiki({ _ in .close })
        let error = await error { try await api(wiki).userInfo() }
        #expect(error?.kind == .unreachable)
        #expect(wiki.calls.count == 2)
    }

    @Test func saysThatTheServerIsNotReached() async {
        let api = MediaWikiAPI(
            endpoint: "http://127.0.0.1:\(StubWiki.closedPort())/w/api.php",
            settings: NetworkSettings(userAgent: "test"))
        let failure = await error { try await api.userInfo() }
        #expect(failure?.kind == .unreachable)
        #expect(failure?.message.hasPrefix("the wiki's server cannot be reached") == true)
        guard case .notSent = await api.edit(reply) else {
            Issue.record("nothing can have been sent")
            return
        }
    }

    @Test(arguments: [
        (StubAnswer.http(status: 429, headers: [("Retry-After", "120")], body: "<html>"), "try again in 120 s"),
        (.http(status: 503, headers: [("Retry-After", "9")], body: "<html>"), "try again in 9 s"),
        (.http(status: 503, headers: [], body: "<html>"), "try again later"),
        (.error("maxlag"), "try again in 5 s"), (.error("readonly"), "try again in 30 s"),
        (.json(""), "try again later"), (.json(#"{"query":{"#), "try again later"),
        (.http(status: 200, headers: [], body: "<!DOCTYPE html><form>Wi-Fi login</form>"), "try again later"),
    ])
    func saysWhenToTryAgain(answer: StubAnswer, hint: String) async {
        let wiki = StubWiki({ _ in answer })
        let error = await error { try await api(wiki).check(titles: ["Talk:Bridge"]) }
        #expect(error?.kind == .unreachable)
        #expect(error?.hint == hint)
        #expect(wiki.calls.count == 1)
    }

    // MARK: Reading

    @Test func checksManyTitlesFiftyAtATime() async throws {
        let wiki = StubWiki({ call in
            let titles = call["titles"].split(separator: "|")
            let pages = titles.reversed().map {
                #"{"pageid":\#($0.dropFirst(5)),"ns":1,"title":"\#($0)","lastrevid":1\#($0.dropFirst(5))}"#
            }
            return .json(
                #"{"curtimestamp":"2026-11-30T05:14:43Z","query":{"pages":[\#(pages.joined(separator: ","))]}}"#)
        })
        let titles = (100..<220).map { "Talk:\($0)" }
        let checks = try await api(wiki).check(titles: titles)
        #expect(checks.map(\.title) == titles)
        #expect(checks.map { $0.latest?.rawValue } == (1100..<1220).map(Int64.init))
        #expect(checks.first?.serverTime == 1_796_015_683)
        #expect(wiki.calls.map { $0["titles"].split(separator: "|").count } == [50, 50, 20])
    }

    @Test func sendsLongListsAsPost() async throws {
        let wiki = StubWiki({ _ in .json(#"{"query":{"pages":[]}}"#) })
        _ = try await api(wiki).check(titles: (0..<50).map { "Talk:\($0) " + String(repeating: "é", count: 20) })
        _ = try await api(wiki).check(titles: ["Talk:A|B", "Talk:C"])
        #expect(wiki.calls.map(\.method) == ["POST", "GET"])
        #expect(wiki.calls.last?["titles"] == "\u{1F}Talk:A|B\u{1F}Talk:C")
    }

    @Test func mapsTitlesToAnswers() async throws {
        let recording = try Recording("100")
        let wiki = StubWiki({ _ in .json(recording.body) })
        let titles = [
            "talk:bridge", "Talk:Bridge", "Talk:Nope", "a[b", "Special:Version", "wikipedia:Foo", "Talk:Old name",
            "User_talk:Chloé", "User talk:chloé", "Media:X.png", "Talk:مكتبة الجسر", "Talk:Never asked",
        ]
        let checks = try await api(wiki).check(titles: titles)
        #expect(checks.map(\.requested) == titles)
        #expect(
            checks.map(\.title) == [
                "Talk:Bridge", "Talk:Bridge", "Talk:Nope", "a[b", "Special:Version", "wikipedia:Foo", "Talk:Old name",
                "User talk:Chloé", "User talk:Chloé", "Media:X.png", "Talk:مكتبة الجسر", "Talk:Never asked",
            ])
        #expect(
            checks.map(\.status) == [
                .exists, .exists, .missing, .invalid("The requested page title contains invalid characters: \"[\"."),
                .special, .interwiki(url: "https://en.wikipedia.org/wiki/Foo"), .exists, .exists, .exists, .special,
                .exists, .invalid("the wiki does not know this title"),
            ])
        #expect(checks[0].latest == RevisionID(rawValue: 17))
        #expect(checks[0].page == PageID(rawValue: 9))
        #expect(checks[0].revision?.user == "Bob")
        #expect(checks[0].revision?.summary == "/* Photo */ reply")
        #expect(checks[0].language == "en" && !checks[0].isRightToLeft && checks[0].contentModel == "wikitext")
        #expect(checks[2].page == nil && checks[2].latest == nil)
        #expect(checks[6].isRedirect && !checks[0].isRedirect)
        #expect(checks.allSatisfy { $0.serverTime == 1_796_015_685 })
    }

    /// Nobody asks for it, yet a wiki may follow a redirect, and a Chinese one knows a title in another script.
    @Test func givesNoTitleTheAnswerOfAnother() async throws {
        let wiki = StubWiki({ _ in
            .json(
                """
                {"query":{
                "normalized":[{"fromencoded":false,"from":"talk:汉字_一","to":"Talk:汉字 一"},
                {"fromencoded":true,"from":"Talk%3ACafe%CC%81","to":"Talk:Café"}],
                "converted":[{"from":"Talk:汉字 一","to":"Talk:漢字 一"},{"from":"Talk:后","to":"Talk:後"}],
                "redirects":[{"from":"Talk:Old","to":"Talk:New"},{"from":"Talk:Away","to":"de:Weg","tointerwiki":"de"}],
                "pages":[{"pageid":3,"title":"Talk:New","lastrevid":30},{"pageid":2,"title":"Talk:漢字 一","lastrevid":20},
                {"pageid":4,"title":"Talk:後","lastrevid":40},{"pageid":5,"title":"Talk:Café","lastrevid":50}]}}
                """)
        })
        let titles = [
            "Talk:Old", "talk:汉字_一", "Talk:New", "Talk:漢字 一", "Talk:后", "Talk:Away", "Talk:Cafe\u{301}", "Talk:後",
        ]
        let checks = try await api(wiki).check(titles: titles)
        #expect(checks.map(\.requested) == titles)
        #expect(checks.map(\.latest?.rawValue) == [nil, 20, 30, 20, 40, nil, 50, 40])
        #expect(checks.map(\.page?.rawValue) == [nil, 2, 3, 2, 4, nil, 5, 4])
        #expect(checks.map(\.isRedirect) == [true, false, false, false, false, true, false, false])
        #expect(checks[1].title == "Talk:漢字 一" && checks[0].title == "Talk:Old")
    }

    @Test func findsATitleThatTheWikiComposed() async throws {
        let recording = try Recording("113")
        let wiki = StubWiki({ _ in .json(recording.body) })
        let decomposed = "Talk:Cafe\u{301} \"Zur Bru\u{308}cke\"/Archive: 1"
        let check = try await api(wiki).check(titles: [decomposed])[0]
        #expect(check.status == .exists)
        #expect(check.page == PageID(rawValue: 10))
    }

    @Test func asksWhetherThePageMayBeEdited() async throws {
        let wiki = StubWiki({ _ in
            .json(
                #"{"query":{"pages":[{"pageid":1,"title":"Talk:A","actions":{"edit":[]}},{"pageid":2,"title":"Talk:B","#
                    + #""actions":{"edit":[{"code":"protectedpage","text":"Protected."}]}}]}}"#)
        })
        let checks = try await api(wiki).check(titles: ["Talk:A", "Talk:B"], testsEdit: true)
        #expect(checks[0].editError == nil)
        #expect(checks[1].editError?.code == "protectedpage")
        #expect(wiki.calls[0]["intestactions"] == "edit")
    }

    /// What is hidden stays out even when the account may see it.
    @Test(arguments: ["142", "143"])
    func neverReturnsHiddenParts(number: String) async throws {
        let recording = try Recording(number)
        let wiki = StubWiki({ _ in .json(recording.body) })
        let revisions = try await api(wiki).revisions(of: .title("Talk:Hidden history"), limit: 50, withText: true)
        #expect(revisions.map(\.id.rawValue) == [54, 53, 52, 51, 50, 49])
        #expect(revisions.map(\.user) == ["192.0.2.33", "Bob", nil, "Bob", nil, "Alice"])
        #expect(revisions.map(\.isSummaryHidden) == [false, false, true, true, true, false])
        #expect(revisions.map { $0.text == nil } == [false, false, true, false, true, false])
        #expect(revisions.map(\.isTextHidden) == [false, false, true, false, true, false])
        #expect(revisions.map(\.isSuppressed) == [false, false, true, false, false, false])
        #expect(revisions.map { $0.sha1 == nil } == [false, false, true, false, true, false])
    }

    @Test(arguments: ["148", "149"])
    func neverReturnsAHiddenRendering(number: String) async throws {
        let recording = try Recording(number)
        let wiki = StubWiki({ _ in .json(recording.body) })
        let error = await error { try await api(wiki).parse(revision: RevisionID(rawValue: 50)) }
        #expect(error?.kind == .notFound)
        #expect(error?.message == "revision 50: the wiki's administrators have hidden this version")
    }

    @Test func readsALongHistoryInParts() async throws {
        let wiki = StubWiki({ call in
            let start = Int(call["rvcontinue"]) ?? Int(call["rvstartid"]) ?? 0
            let count = min(Int(call["rvlimit"]) ?? 0, 3)
            let revisions = (0..<count).map {
                #"{"revid":\#(start - $0),"parentid":\#(start - $0 - 1),"timestamp":"2026-11-30T05:14:43Z","user":"A","comment":"c"}"#
            }
            return .json(
                #"{"continue":{"rvcontinue":"\#(start - count)","continue":"||"},"query":{"pages":[{"pageid":7,"#
                    + #""title":"Talk:A","revisions":[\#(revisions.joined(separator: ","))]}]}}"#)
        })
        let revisions = try await api(wiki).revisions(
            of: .id(PageID(rawValue: 7)), limit: 8, from: RevisionID(rawValue: 100))
        #expect(revisions.map(\.id.rawValue) == Array((93...100).reversed()))
        #expect(wiki.calls.map { $0["rvlimit"] } == ["8", "5", "2"])
        #expect(wiki.calls.map { $0["continue"] } == ["", "||", "||"])
        #expect(wiki.calls.allSatisfy { $0["pageids"] == "7" && $0["rvdir"] == "older" })
    }

    @Test func readsTheSectionsOfAPage() async throws {
        let recording = try Recording("208")
        let wiki = StubWiki({ _ in .json(recording.body) })
        let page = try await api(wiki).parse(revision: RevisionID(rawValue: 33))
        #expect(page.title == "Talk:Crossing")
        #expect(page.revision == RevisionID(rawValue: 33) && page.page == PageID(rawValue: 14))
        #expect(page.html.hasPrefix("<h2"))
        #expect(page.sections.map(\.index).contains { $0.hasPrefix("T-") })
        let call = wiki.calls[0]
        #expect(call["oldid"] == "33" && call["page"] == "" && call.parameters["wrapoutputclass"] == "")
        for flag in ["disablelimitreport", "disableeditsection", "disabletoc", "disablestylededuplication"] {
            #expect(call[flag] == "1")
        }
        for name in ["useskin", "mobileformat", "preview", "pst"] { #expect(call.parameters[name] == nil) }
    }

    @Test func previewsAsTheAccount() async throws {
        let wiki = StubWiki({ call in
            call["meta"] == "userinfo"
                ? .json(#"{"query":{"userinfo":{"id":3,"name":"Alice"}}}"#)
                : .json(#"{"parse":{"title":"Talk:A","pageid":0,"text":"<p>x</p>","sections":[]}}"#)
        })
        let api = api(wiki)
        _ = try await api.userInfo()
        let page = try await api.parsePreview(wikitext: "x ~~~~", title: "Talk:A")
        #expect(page.html == "<p>x</p>" && page.page == nil && page.revision == nil)
        let call = wiki.calls[1]
        #expect(call.method == "POST" && call["pst"] == "1" && call["contentmodel"] == "wikitext")
        #expect(call["assertuser"] == "Alice" && call.parameters["token"] == nil)
    }

    // MARK: Writing

    @Test func sendsAnEditWithItsGuards() async throws {
        let wiki = StubWiki(Self.tokens, { Self.isEdit($0) ? Self.saved : nil })
        let api = api(wiki)
        let outcome = await api.edit(reply)
        #expect(
            outcome
                == .saved(
                    newRevision: RevisionID(rawValue: 6), oldRevision: RevisionID(rawValue: 5),
                    timestamp: 1_796_016_084))
        let call = try #require(wiki.calls.last)
        #expect(call.method == "POST")
        #expect(call.formNames.last == "token")
        #expect(
            call.parameters == [
                "format": "json", "formatversion": "2", "errorformat": "plaintext", "errorlang": "uselang",
                "uselang": "content", "action": "edit", "title": "Talk:Bridge", "section": "2",
                "text": "== A ==\nx\n:y ~~~~", "summary": "/* A */ Reply", "baserevid": "5",
                "starttimestamp": "2026-11-30T05:14:43Z", "nocreate": "1", "notminor": "1",
                "watchlist": "preferences", "assert": "user", "assertuser": "Alice", "token": "abc+\\",
            ])
        _ = await api.edit(reply)
        #expect(wiki.calls.filter { $0["meta"] == "tokens" }.count == 1)
    }

    @Test func sendsANewPageAsOneThatMustNotExist() async {
        let wiki = StubWiki(Self.tokens, { Self.isEdit($0) ? Self.saved : nil })
        var request = reply
        request.existence = .mustNotExist
        request.section = nil
        request.base = nil
        request.account = nil
        _ = await api(wiki).edit(request)
        let call = wiki.calls.last
        #expect(call?["createonly"] == "1" && call?.parameters["nocreate"] == nil && call?["assert"] == "anon")
        #expect(call?.parameters["baserevid"] == nil && call?.parameters["section"] == nil)
    }

    /// The token request leaves a kept connection behind; the edit must not be repeated on another one.
    @Test(arguments: [
        StubAnswer.close, .cut(json: #"{"edit":{"result":"Success","newrevid":6}}"#, afterBytes: 10), .json(""),
        .json(#"{"edit":{"result":"Succ"#), .http(status: 500, headers: [], body: ""),
        .http(status: 502, headers: [], body: "<html>"), .http(status: 200, headers: [], body: "<br />Fatal error"),
        .error("internal_api_error_DBQueryError"),
    ])
    func doesNotKnowAndDoesNotRepeat(answer: StubAnswer) async {
        let wiki = StubWiki(Self.tokens, { Self.isEdit($0) ? answer : nil })
        guard case .unknown = await api(wiki).edit(reply) else {
            Issue.record("the wiki may have saved it")
            return
        }
        #expect(wiki.calls.filter(Self.isEdit).count == 1)
    }

    /// The API moved on its host: an edit is sent to the new place, as what it was, and so is the next one.
    @Test(arguments: [301, 302, 307, 308])
    func sendsAnEditWhereTheAPIWent(status: Int) async {
        let wiki = StubWiki(
            Self.tokens,
            { call in
                guard Self.isEdit(call) else { return nil }
                return call.path == "/w/api.php"
                    ? .http(status: status, headers: [("Location", "/new/api.php")], body: "<html>") : Self.saved
            })
        let api = api(wiki)
        for _ in 1...2 {
            guard case .saved = await api.edit(reply) else {
                Issue.record("not saved")
                return
            }
        }
        let edits = wiki.calls.filter(Self.isEdit)
        #expect(edits.map(\.path) == ["/w/api.php", "/new/api.php", "/new/api.php"])
        #expect(edits.allSatisfy { $0.method == "POST" && $0.formNames.last == "token" })
    }

    /// Back to itself, or as an answer to be read elsewhere.
    @Test(arguments: [301, 302, 303, 307, 308])
    func neverFollowsAnEdit(status: Int) async {
        let wiki = StubWiki(
            Self.tokens,
            { Self.isEdit($0) ? .http(status: status, headers: [("Location", "/w/api.php")], body: "<html>") : nil })
        guard case .intercepted(let error) = await api(wiki).edit(reply) else {
            Issue.record("a redirect is no answer of the wiki")
            return
        }
        #expect(error.code == "http-redirect")
        #expect(wiki.calls.filter(Self.isEdit).count == 1)
        #expect(wiki.calls.filter { $0.method == "GET" }.count == 1)
    }

    @Test func asksForANewTokenAfterABadOne() async {
        let wiki = StubWiki(
            StubWiki.sequence([.error("badtoken"), Self.saved], where: Self.isEdit), Self.tokens)
        let api = api(wiki)
        guard case .refused(let error) = await api.edit(reply) else {
            Issue.record("not refused")
            return
        }
        #expect(error.errorClass == .recoverOnce)
        guard case .saved = await api.edit(reply) else {
            Issue.record("not saved")
            return
        }
        #expect(wiki.calls.filter { $0["meta"] == "tokens" }.count == 2)
    }

    @Test func aTokenThatIsNotGivenMeansNotSent() async {
        let wiki = StubWiki({ _ in .http(status: 503, headers: [], body: "") })
        guard case .notSent = await api(wiki).edit(reply) else {
            Issue.record("only the token was asked for")
            return
        }
        #expect(wiki.calls.contains(where: Self.isEdit) == false)
        let refusing = StubWiki({ _ in .error("readapidenied") })
        guard case .refused(let error) = await api(refusing).edit(reply) else {
            Issue.record("not refused")
            return
        }
        #expect(error.errorClass == .needsUser(scope: .wiki))
    }

    // MARK: Logging in

    static func login(_ answer: String) -> StubWiki.Rule {
        { call in
            if call["type"] == "login" {
                return .http(
                    status: 200, headers: [("Set-Cookie", "session=s; path=/; HttpOnly")],
                    body: #"{"query":{"tokens":{"logintoken":"lt+\\"}}}"#)
            }
            return call["action"] == "login" ? .json(answer) : nil
        }
    }

    @Test func logsInWithTheCookieOfTheToken() async throws {
        let wiki = StubWiki(Self.login(#"{"login":{"result":"Success","lguserid":4,"lgusername":"Alice"}}"#))
        let api = api(wiki)
        #expect(try await api.login(user: "Alice@app", botPassword: "hunter2hunter2") == "Alice")
        #expect(await api.account == "Alice")
        let call = try #require(wiki.calls.last)
        #expect(call.method == "POST" && call["lgtoken"] == "lt+\\" && call.headers["cookie"] == "session=s")
        #expect(call["lgname"] == "Alice@app" && call["lgpassword"] == "hunter2hunter2")
        #expect(call.parameters["assert"] == nil)
        #expect(wiki.calls[0].method == "GET" && wiki.calls.count == 2)
        let file = TemporaryDirectory.current.appending(path: "cookies").path
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o600)
    }

    @Test(arguments: [
        (
            #"{"login":{"result":"Failed","reason":{"code":"wrongpassword","text":"Incorrect username or password."}}}"#,
            "the wiki does not accept this name and password", "wrongpassword"
        ),
        (
            #"{"login":{"result":"Failed","reason":"Incorrect username or password."}}"#, "the login failed",
            "login-failed"
        ),
        (
            #"{"login":{"result":"Failed","reason":{"code":"login-throttled","text":"Wait 5 minutes."}}}"#,
            "too many logins were tried", "login-throttled"
        ),
        (
            #"{"login":{"result":"Aborted","reason":{"code":"api-login-fail-aborted","text":"Use clientlogin."}}}"#,
            "this account can only log in with a bot password", "api-login-fail-aborted"
        ),
        (#"{"login":{"result":"WrongToken"}}"#, "the login is no longer valid", "badtoken"),
        ("{}", "the login failed", "login-failed"),
    ])
    func saysWhyALoginFailed(answer: String, words: String, code: String) async {
        let wiki = StubWiki(Self.login(answer))
        let api = api(wiki)
        let error = await error { try await api.login(user: "Alice@app", botPassword: "hunter2hunter2") }
        #expect(error?.kind == .refused)
        #expect(error?.message.hasPrefix("login as Alice@app: \(words)") == true)
        #expect((error?.underlying as? APIError)?.code == code)
        #expect(error?.hint != nil)
        var dumped = ""
        dump(error, to: &dumped)
        #expect(!dumped.contains("hunter2") && !dumped.contains("lt+"))
        #expect(await api.account == nil)
        #expect(wiki.calls.filter { $0["action"] == "login" }.count == 1)
    }

    /// The token and the password go to one host, whatever a server says.
    @Test func aLoginIsNotLedToAnotherHost() async {
        let other = StubWiki({ _ in .json("{}") })
        let url = other.api
        let wiki = StubWiki(
            { call in
                call["action"] == "login" ? .http(status: 307, headers: [("Location", url)], body: "") : nil
            }, Self.login("{}"))
        let error = await error { try await api(wiki).login(user: "Alice@app", botPassword: "hunter2hunter2") }
        #expect(error?.kind == .unreachable && error?.message.contains("leads to another address") == true)
        #expect(other.calls.isEmpty)
        #expect(error?.message.contains("hunter2") == false)
    }

    @Test func aPasswordIsNotSentOpenly() async {
        let api = MediaWikiAPI(
            endpoint: "http://wiki.example/w/api.php",
            settings: NetworkSettings(userAgent: "t", proxy: "http://127.0.0.1:\(StubWiki.closedPort())"))
        let error = await error { try await api.login(user: "Alice@app", botPassword: "x") }
        #expect(error?.kind == .refused && error?.message.contains("without encryption") == true)
    }

    /// A wiki for members: once with the password, and never again when that did not help.
    @Test(arguments: [true, false])
    func renewsTheSessionOfAClosedWikiOnce(helps: Bool) async throws {
        let wiki = StubWiki(
            Self.login(#"{"login":{"result":"Success","lguserid":4,"lgusername":"Alice"}}"#),
            { call in
                helps && call.headers["cookie"] == "session=s"
                    ? .json(#"{"query":{"pages":[]}}"#) : .error("readapidenied", "You need read permission")
            })
        let api = MediaWikiAPI(
            endpoint: wiki.api, settings: NetworkSettings(userAgent: "t"),
            credential: { () throws(TalkError) in Credential(user: "Alice@app", password: "right") })
        for _ in 1...2 {
            let error = await error { try await api.check(titles: ["Talk:A"]) }
            #expect((error == nil) == helps)
            if !helps { #expect(error?.hint == "git talk login \(wiki.url)") }
        }
        #expect(wiki.calls.filter { $0["action"] == "login" }.count == 1)
    }

    // MARK: Finding a wiki

    @Test func followsTheAPIWhereItWent() async throws {
        let wiki = StubWiki({ call in
            switch call.path {
            case "/w/api.php": .http(status: 301, headers: [("Location", "/new/api.php?x=1")], body: "")
            case "/new/api.php": .json(#"{"query":{"general":{"generator":"MediaWiki 1.39.17"}}}"#)
            default: .http(status: 200, headers: [], body: "<html>")
            }
        })
        let address = try #require(URLParts(wiki.url + "/wiki/X"))
        let found = try await MediaWikiAPI.discover(from: address, settings: NetworkSettings(userAgent: "t"))
        #expect(found == wiki.url + "/new/api.php")
    }

    @Test func findsTheAPIInThePagesHead() async throws {
        let head = try Recording("980").body
        let wiki = StubWiki({ call in
            switch call.path {
            case "/wiki/Talk:Bridge":
                .http(status: 200, headers: [], body: head.replacing("https://wiki.example/w/", with: "/deep/"))
            case "/deep/api.php": .json(#"{"query":{"general":{"generator":"MediaWiki 1.39.17"}}}"#)
            default: nil
            }
        })
        let address = try #require(URLParts(wiki.url + "/wiki/Talk:Bridge"))
        let found = try await MediaWikiAPI.discover(from: address, settings: NetworkSettings(userAgent: "t"))
        #expect(found == wiki.url + "/deep/api.php")
        #expect(wiki.calls.count == 2)
    }

    @Test func triesTheUsualPlaces() async throws {
        let wiki = StubWiki({ call in
            call.path == "/wiki/api.php"
                ? .error("readapidenied") : .http(status: 404, headers: [], body: "<html>not here</html>")
        })
        let address = try #require(URLParts(wiki.url + "/"))
        let found = try await MediaWikiAPI.discover(from: address, settings: NetworkSettings(userAgent: "t"))
        #expect(found == wiki.url + "/wiki/api.php")
        #expect(wiki.calls.map(\.path) == ["/", "/w/api.php", "/api.php", "/wiki/api.php"])
    }

    @Test func saysThatASiteIsNoWiki() async throws {
        let wiki = StubWiki({ _ in .http(status: 200, headers: [], body: "<html><link rel=x href=y></html>") })
        let address = try #require(URLParts(wiki.url + "/"))
        let settings = NetworkSettings(userAgent: "t")
        let none = await error { try await MediaWikiAPI.discover(from: address, settings: settings) }
        #expect(none?.kind == .invalid)
        #expect(none?.message == "127.0.0.1: no MediaWiki wiki was found at this address")
        let closed = try #require(URLParts("http://127.0.0.1:\(StubWiki.closedPort())/"))
        let dead = await error { try await MediaWikiAPI.discover(from: closed, settings: settings) }
        #expect(dead?.kind == .unreachable)
    }

    @Test func describesAWiki() async throws {
        let recording = try Recording("001")
        let wiki = StubWiki({ call in
            switch call["meta"] {
            case "siteinfo": return .json(recording.body)
            case "allmessages":
                let messages = call["ammessages"].split(separator: "|").map {
                    #"{"name":"\#($0)","content":"<\#($0)>"}"#
                }
                return .json(#"{"query":{"allmessages":[\#(messages.joined(separator: ","))]}}"#)
            default: return nil
            }
        })
        let site = try await api(wiki).siteInfo()
        #expect(site.key == "wiki.example")
        #expect(site.api == "https://wiki.example/w/api.php")
        #expect(
            site.server == "https://wiki.example" && site.articlePath == "/wiki/$1" && site.script == "/w/index.php")
        #expect(site.generator == "MediaWiki 1.39.17" && site.siteName == "Example Wiki" && site.language == "en")
        #expect(!site.isRightToLeft && site.timezone == "UTC" && site.hasDiscussionTools)
        #expect(site.namespaces.map(\.id) == [-2, -1] + Array(0...15))
        #expect(site.namespaces.first { $0.id == 7 }?.aliases == ["Image talk"])
        #expect(site.namespaces.first { $0.id == 4 } == Namespace(id: 4, name: "Example Wiki", canonical: "Project"))
        #expect(site.interwikiPrefixes.contains("wikipedia"))
        #expect(site.contributionsNames == ["Contributions", "Contribs"])
        #expect(site.extensionTags == nil)
        #expect(site.signatureFormats.count == 1)
        #expect(site.signatureFormats.first?.months[4] == "<may_long>")
        #expect(site.signatureFormats.first?.monthsShort[4] == "<may>")
        #expect(
            wiki.calls.filter { $0["meta"] == "allmessages" }.allSatisfy {
                $0["ammessages"].split(separator: "|").count <= 50
            })
    }
}
