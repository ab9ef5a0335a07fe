import TalkHTTP
import TalkPages
import Testing

@testable import TalkSync

/// What errors of a wiki mean, on recorded answers.
@Suite struct APIErrorTests {
    /// Class of a read, class of a write, scope, kind.
    static let expected: [String: (APIErrorClass, APIErrorClass, TalkError.Kind)] = [
        "toomanyvalues": (.permanent, .permanent, .internal),
        "invalidparammix": (.permanent, .permanent, .internal),
        "badid_rvstartid": (.recoverOnce, .recoverOnce, .notFound),
        "permissiondenied": (.permanent, .needsUser(scope: .page), .refused),
        "internal_api_error_MediaWiki\\Revision\\RevisionAccessException": (
            .retryLater(after: nil), .verify, .unreachable
        ),
        "nosuchrevid": (.recoverOnce, .recoverOnce, .notFound),
        "missingtitle": (.permanent, .needsUser(scope: .page), .notFound),
        "invalidtitle": (.permanent, .permanent, .invalid),
        "nosuchsection": (.recoverOnce, .recoverOnce, .notFound),
        "readapidenied": (.needsUser(scope: .wiki), .needsUser(scope: .wiki), .refused),
        "latestnotfound": (.permanent, .needsUser(scope: .page), .notFound),
        "oldidnotfound": (.recoverOnce, .recoverOnce, .notFound),
        "missingparam": (.permanent, .permanent, .internal),
        "badvalue": (.permanent, .permanent, .internal),
        "assertuserfailed": (.recoverOnce, .recoverOnce, .refused),
        "badtoken": (.recoverOnce, .recoverOnce, .refused),
        "mustbeposted": (.permanent, .permanent, .internal),
        "discussiontools-commentid-notfound": (.recoverOnce, .recoverOnce, .notFound),
        "discussiontools-commentname-notfound": (.recoverOnce, .recoverOnce, .notFound),
        "discussiontools-commentname-ambiguous": (.recoverOnce, .recoverOnce, .notFound),
        "discussiontools-formtoken-used": (.verify, .verify, .refused),
        "maxchars": (.permanent, .permanent, .internal),
        "comment-comment-not-saved": (.verify, .verify, .refused),
        "articleexists": (.recoverOnce, .recoverOnce, .busy),
        "editconflict": (.recoverOnce, .recoverOnce, .busy),
        "badmd5": (.recoverOnce, .recoverOnce, .unreachable),
        "invalidsection": (.recoverOnce, .recoverOnce, .notFound),
        "pagecannotexist": (.permanent, .permanent, .invalid),
        "missingcommenttext": (.permanent, .permanent, .invalid),
        "assertnameduserfailed": (.recoverOnce, .recoverOnce, .refused),
        "assertanonfailed": (.recoverOnce, .recoverOnce, .refused),
        "assertbotfailed": (.recoverOnce, .recoverOnce, .refused),
        "cantcreate-anon": (.needsUser(scope: .page), .needsUser(scope: .page), .refused),
        "badtags": (.recoverOnce, .recoverOnce, .refused),
        "mustpostparams": (.permanent, .permanent, .internal),
        "pagedeleted": (.needsUser(scope: .page), .needsUser(scope: .page), .notFound),
        "invalid-json-data": (.permanent, .permanent, .internal),
        "blocked": (.needsUser(scope: .wiki), .needsUser(scope: .wiki), .refused),
        "autoblocked": (.needsUser(scope: .wiki), .needsUser(scope: .wiki), .refused),
        "protectedpage": (.permanent, .permanent, .refused),
        "cascadeprotected": (.permanent, .permanent, .refused),
        "protectednamespace-interface": (.permanent, .permanent, .refused),
        "readonly": (.retryLater(after: 30), .retryLater(after: 30), .unreachable),
        "maxlag": (.retryLater(after: 5), .retryLater(after: 5), .unreachable),
        "ratelimited": (.retryLater(after: 60), .retryLater(after: 60), .unreachable),
        "abusefilter-warning": (.needsUser(scope: .reply), .needsUser(scope: .reply), .refused),
        "abusefilter-disallowed": (.permanent, .permanent, .refused),
        "spamblacklist": (.permanent, .permanent, .refused),
        "titleblacklist-forbidden": (.permanent, .permanent, .refused),
        "contenttoobig": (.permanent, .permanent, .refused),
        "internal_api_error_RuntimeException": (.retryLater(after: nil), .verify, .unreachable),
        "concurrency-limit": (.retryLater(after: nil), .retryLater(after: nil), .unreachable),
        "invalidmethod": (.permanent, .permanent, .internal),
        "api-login-fail-aborted": (.needsUser(scope: .wiki), .needsUser(scope: .wiki), .refused),
        "wrongpassword": (.needsUser(scope: .wiki), .needsUser(scope: .wiki), .refused),
        "login-throttled": (.needsUser(scope: .wiki), .needsUser(scope: .wiki), .refused),
        "cantcreate": (.needsUser(scope: .page), .needsUser(scope: .page), .refused),
        "confirmemail": (.needsUser(scope: .wiki), .needsUser(scope: .wiki), .refused),
        "notloggedin": (.needsUser(scope: .wiki), .needsUser(scope: .wiki), .refused),
        "reauthenticate": (.needsUser(scope: .wiki), .needsUser(scope: .wiki), .refused),
        "http-401": (.needsUser(scope: .wiki), .needsUser(scope: .wiki), .refused),
        "http-403": (.needsUser(scope: .wiki), .needsUser(scope: .wiki), .refused),
        "http-404": (.needsUser(scope: .wiki), .needsUser(scope: .wiki), .unreachable),
        "http-407": (.needsUser(scope: .wiki), .needsUser(scope: .wiki), .unreachable),
        "http-redirect": (.needsUser(scope: .wiki), .needsUser(scope: .wiki), .unreachable),
        "edit-invalidredirect": (.needsUser(scope: .page), .needsUser(scope: .page), .refused),
        "redirect-appendonly": (.needsUser(scope: .page), .needsUser(scope: .page), .refused),
        "captcha": (.needsUser(scope: .reply), .needsUser(scope: .reply), .refused),
        "edit-failure": (.needsUser(scope: .reply), .needsUser(scope: .reply), .refused),
        "edit-already-exists": (.recoverOnce, .recoverOnce, .busy),
        "edit-gone-missing": (.recoverOnce, .recoverOnce, .busy),
        "sessionlost": (.recoverOnce, .recoverOnce, .refused),
        "badexpiry": (.recoverOnce, .recoverOnce, .refused),
        "badexpiry-past": (.recoverOnce, .recoverOnce, .refused),
        "invalidexpiry": (.recoverOnce, .recoverOnce, .refused),
        "pastexpiry": (.recoverOnce, .recoverOnce, .refused),
        "toofewexpiries": (.recoverOnce, .recoverOnce, .refused),
        "badcontinue": (.permanent, .permanent, .internal),
        "badinteger": (.permanent, .permanent, .internal),
        "badtimestamp": (.permanent, .permanent, .internal),
        "badformat": (.permanent, .permanent, .internal),
        "undofailure": (.permanent, .permanent, .internal),
        "revwrongpage": (.permanent, .permanent, .internal),
        "paramempty_ucuser": (.permanent, .permanent, .internal),
        "writeapidenied": (.permanent, .permanent, .refused),
        "promised-nonwrite-api": (.permanent, .permanent, .refused),
        "moduledisabled": (.permanent, .permanent, .refused),
        "notwikitext": (.permanent, .permanent, .refused),
        "sectionsnotsupported": (.permanent, .permanent, .refused),
        "no-direct-editing": (.permanent, .permanent, .refused),
        "contentmodel-mismatch": (.permanent, .permanent, .refused),
        "appendnotsupported": (.permanent, .permanent, .refused),
        "contentnotallowedhere": (.permanent, .permanent, .refused),
        "protectedtitle": (.permanent, .permanent, .refused),
        "protectednamespace": (.permanent, .permanent, .refused),
        "customcssprotected": (.permanent, .permanent, .refused),
        "customjsprotected": (.permanent, .permanent, .refused),
        "customjsonprotected": (.permanent, .permanent, .refused),
        "spamprotectionmatch": (.permanent, .permanent, .refused),
        "hookaborted": (.permanent, .permanent, .refused),
        "edit-hook-aborted": (.permanent, .permanent, .refused),
        // Codes of nobody but that wiki.
        "No_such_text_here_": (.permanent, .permanent, .refused),
        "my-filter": (.permanent, .permanent, .refused),
        "http-413": (.permanent, .permanent, .refused),
        "specialpage-cantexecute": (.permanent, .permanent, .invalid),
        "http-405": (.permanent, .permanent, .unreachable),
        "http-410": (.permanent, .permanent, .unreachable),
        "nosuchpageid": (.permanent, .needsUser(scope: .page), .notFound),
        "visualeditor-docserver-http-error": (.retryLater(after: nil), .retryLater(after: nil), .unreachable),
        "missingcontent": (.permanent, .permanent, .notFound),
        "empty-answer": (.retryLater(after: nil), .verify, .unreachable),
        "http-429": (.retryLater(after: 60), .retryLater(after: 60), .unreachable),
        "http-500": (.retryLater(after: nil), .verify, .unreachable),
        "http-502": (.retryLater(after: nil), .verify, .unreachable),
        "http-504": (.retryLater(after: nil), .verify, .unreachable),
        "not-json": (.retryLater(after: nil), .verify, .unreachable),
        "truncated-answer": (.retryLater(after: nil), .verify, .unreachable),
        "http-408": (.retryLater(after: nil), .verify, .unreachable),
        "internal_api_error_Wikimedia\\Parsoid\\Core\\ResourceLimitExceededException": (
            .retryLater(after: nil), .verify, .unreachable
        ),
    ]

    @Test func classifiesEveryRecordedCode() throws {
        var seen: Set<String> = []
        for entry in try Recording.list("recorded-errors.json") {
            let recording = Recording(entry)
            seen.formUnion(recording.codes)
            for code in recording.codes {
                let expected = try #require(Self.expected[code], "\(code)")
                #expect(Self.isSame(APIError.classify(code: code, isWrite: false), expected.0), "\(code)")
                #expect(Self.isSame(APIError.classify(code: code, isWrite: true), expected.1), "\(code)")
            }
            for isWrite in [false, true] {
                guard let error = recording.error(isWrite: isWrite) else {
                    Issue.record("\(recording.name) is no error")
                    continue
                }
                let expected = try #require(Self.expected[error.code], "\(error.code)")
                #expect(error.errorClass == (isWrite ? expected.1 : expected.0), "\(recording.name)")
                #expect(error.kind == expected.2, "\(recording.name)")
                #expect(!error.words.isEmpty, "\(recording.name)")
                // The words of the wiki come out, where it has any.
                #expect(!error.text.isEmpty || !recording.body.contains(#""code":""#), "\(recording.name)")
                let told = error.talkError("Talk:X")
                #expect(told.message.hasPrefix("Talk:X: ") && !told.message.contains("\n"))
                #expect(told.message.contains(error.code) || error.text.isEmpty || error.code.hasPrefix("http-"))
            }
        }
        #expect(seen == Set(Self.expected.keys), "\(seen.symmetricDifference(Self.expected.keys))")
    }

    /// Whether two classes are one but for the seconds that an answer names.
    private static func isSame(_ one: APIErrorClass, _ other: APIErrorClass) -> Bool {
        if case .retryLater = one, case .retryLater = other { return true }
        return one == other
    }

    @Test(arguments: [
        ("globalblocking-ipblocked-range", APIErrorClass.needsUser(scope: .wiki)),
        ("some-extension-blocked-you", .needsUser(scope: .wiki)),
        ("internal_api_error_DBQueryError", .verify), ("unknownerror-nocode", .verify),
        ("titleblacklist-forbidden-new-account", .permanent), ("abusefilter-blocked", .permanent),
        ("mwoauth-invalid-authorization-wrong-wiki", .needsUser(scope: .wiki)),
        ("edit-constraint-confirmrecreate-comment", .needsUser(scope: .page)),
        ("nobody-knows-this", .permanent), ("http-503", .verify), ("http-403", .needsUser(scope: .wiki)),
        ("http-418", .permanent), ("http-429", .retryLater(after: 60)),
    ])
    func classifiesFamilies(code: String, expected: APIErrorClass) {
        #expect(APIError.classify(code: code, isWrite: true) == expected)
    }

    @Test func aPartialBlockConcernsThePage() throws {
        let partial = try JSONParser.parse(Array(#"{"blockinfo":{"blockpartial":true}}"#.utf8))
        let whole = try JSONParser.parse(Array(#"{"blockinfo":{"blockpartial":false}}"#.utf8))
        #expect(
            APIError(code: "blocked", text: "", data: partial, isWrite: true).errorClass == .needsUser(scope: .page))
        #expect(APIError(code: "blocked", text: "", data: whole, isWrite: true).errorClass == .needsUser(scope: .wiki))
    }

    @Test func saysWhoBlockedAndWhy() throws {
        let entry = try Recording.list("recorded-errors.json").first { $0["name"]?.text == "700-blocked-full" }
        guard case .error(let error) = APIAnswer.read(Recording(try #require(entry)).response, isWrite: true) else {
            Issue.record("no error")
            return
        }
        #expect(
            error.explanation
                == "the account or the network is blocked on this wiki by Admin until 2031-01-01T00:00:00Z: Spamming links"
        )
        #expect(error.talkError().hint == nil)
    }

    /// Blocks of the software itself name nobody; one of those without an account ends with a login.
    @Test(arguments: [
        ("1063", "Your IP address has been blocked because it is an open proxy. ", nil),
        (
            "1065", "Anonymous contributions are not allowed from your IP address",
            "log in with an account that may do this"
        ),
    ])
    func aBlockByNobodyNamesNobody(number: String, words: String, hint: String?) throws {
        let recording = try #require(
            try Recording.list("recorded-errors.json").map(Recording.init).first { $0.name.hasPrefix(number) })
        let error = try #require(recording.error(isWrite: true))
        #expect(error.explanation.hasPrefix("the account or the network is blocked on this wiki: " + words))
        #expect(error.talkError().hint == hint)
    }

    @Test func theGravestOfSeveralErrorsDecides() throws {
        let make = { APIError(code: $0, text: "", isWrite: true) }
        let gravest = { (codes: [String]) in APIError.gravest(codes.map(make))?.code }
        #expect(gravest(["maxlag", "badtoken", "blocked"]) == "blocked")
        #expect(gravest(["blocked", "protectedpage"]) == "protectedpage")
        #expect(gravest(["protectedpage", "internal_api_error_X"]) == "internal_api_error_X")
        #expect(gravest(["protectedpage", "spamblacklist"]) == "protectedpage")
        #expect(gravest([]) == nil)
    }

    @Test func takesTheTimeThatTheServerNames() throws {
        let read = { (headers: [(String, String)], status: Int, body: String) -> APIErrorClass? in
            let response = HTTPResponse(status: status, headers: headers, body: Array(body.utf8), effectiveURL: "")
            guard case .error(let error) = APIAnswer.read(response, isWrite: false) else { return nil }
            return error.errorClass
        }
        #expect(read([("Retry-After", "90")], 429, "<html>") == .retryLater(after: 90))
        #expect(read([("Retry-After", "3")], 429, "<html>") == .retryLater(after: 60))
        #expect(read([("retry-after", "7")], 503, "busy") == .retryLater(after: 7))
        #expect(read([], 503, "busy") == .retryLater(after: nil))
        #expect(read([("Retry-After", "nonsense")], 503, "busy") == .retryLater(after: nil))
        #expect(read([("Retry-After", "-1")], 503, "busy") == .retryLater(after: nil))
        #expect(
            read([("Retry-After", "99999999999999999999999")], 503, "busy") == .retryLater(after: 86_400))
        #expect(
            read(
                [("Date", "Sun, 06 Nov 1994 08:49:37 GMT"), ("Retry-After", "Sun, 06 Nov 1994 08:51:00 GMT")], 503, "")
                == .retryLater(after: 83))
        let maxlag = try Recording("731").response
        guard case .error(let error) = APIAnswer.read(maxlag, isWrite: false) else { return }
        #expect(error.errorClass == .retryLater(after: 5))
        #expect(error.data["lag"]?.integer == 380)
        #expect(error.talkError().hint == "try again in 5 s")
    }

    @Test(arguments: [
        (200, "", "empty-answer"), (200, "<!DOCTYPE html><title>Login</title>", "not-json"),
        (200, #"{"parse":{"title":"Talk"#, "truncated-answer"), (200, #"{"a":1}<br />"#, "not-json"),
        (200, "3", "not-json"),
        (301, "<html>", "http-redirect"), (403, "forbidden", "http-403"), (404, "<html>", "http-404"),
        (413, "", "http-413"), (500, "", "http-500"), (502, "<html>", "http-502"),
        (404, #"{"httpCode":404}"#, "http-404"), (429, #"{"error":"slow down"}"#, "http-429"),
    ])
    func namesAnswersThatAreNoneOfMediaWikis(status: Int, body: String, code: String) {
        let response = HTTPResponse(status: status, headers: [], body: Array(body.utf8), effectiveURL: "")
        guard case .error(let error) = APIAnswer.read(response, isWrite: false) else {
            Issue.record("taken as a result")
            return
        }
        #expect(error.code == code)
    }

    @Test(arguments: [
        ("782", "http-500"), ("793", "truncated-answer"), ("977", "not-json"),
    ])
    func namesRecordedAccidents(number: String, code: String) throws {
        guard case .error(let error) = APIAnswer.read(try Recording(number).response, isWrite: false) else {
            Issue.record("taken as a result")
            return
        }
        #expect(error.code == code)
    }

    @Test func showsNoControlCharactersOfTheWiki() {
        let error = APIError(
            code: "x", text: "a\u{1B}[31m\r\n b\u{0}" + String(repeating: "y", count: 900), isWrite: false)
        #expect(error.text.hasPrefix("a [31m b yyy"))
        #expect(error.text.count == 400)
    }
}
