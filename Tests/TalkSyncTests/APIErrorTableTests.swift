import Foundation
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkSync

/// Every code that MediaWiki and its usual extensions have, each with its class; and the table of them for people.
@Suite struct APIErrorTableTests {
    /// What is done about an edit that was refused so.
    enum What: String {
        /// It is sent again by itself, after a pause.
        case later
        /// A token, a login or the page's revision is renewed, and it is tried once more.
        case again
        /// The user must log in, answer or decide.
        case ask
        /// The same request never works.
        case never
        /// It may have been saved, so the history is looked at.
        case look

        init(_ errorClass: APIErrorClass) {
            self =
                switch errorClass {
                case .retryLater: .later
                case .recoverOnce: .again
                case .needsUser: .ask
                case .permanent: .never
                case .verify: .look
                }
        }
    }

    /// By hand, from the documentation of the API and the sources of the extensions.
    static let reference: [(What, [String])] = [
        (
            .later,
            [
                "http-429", "maxlag", "readonly", "ratelimited", "actionthrottledtext", "concurrency-limit",
                "docserver",
                "parsoid-resource-limit-exceeded", "visualeditor-docserver-http-error",
            ]
        ),
        (
            .again,
            [
                "badtoken", "assertuserfailed", "assertnameduserfailed", "assertbotfailed", "assertanonfailed",
                "sessionlost", "nosuchrevid", "badid_rvstartid", "oldidnotfound", "nosuchsection", "invalidsection",
                "editconflict", "edit-already-exists", "edit-gone-missing", "articleexists", "badmd5", "badtags",
                "tags-apply-not-allowed-one", "tags-apply-not-allowed-multi", "tags-apply-no-permission",
                "toofewexpiries", "invalidexpiry", "pastexpiry", "badexpiry", "badexpiry-past",
                "discussiontools-commentid-notfound",
                "discussiontools-commentname-notfound", "discussiontools-commentname-ambiguous",
            ]
        ),
        (
            .ask,
            [
                "http-redirect", "http-401", "http-403", "http-404", "http-407", "notloggedin",
                "mustbeloggedin-generic",
                "confirmemail", "reauthenticate", "readapidenied", "mwoauth-invalid-authorization", "wrongpassword",
                "login-throttled", "api-login-fail-aborted", "login-failed", "missingtitle", "nosuchpageid",
                "latestnotfound", "permissiondenied", "pagedeleted", "deletedwhileediting",
                "edit-constraint-confirmrecreate", "blocked", "autoblocked", "systemblocked",
                "globalblocking-blockedtext-ip", "noedit", "noedit-anon", "cantcreate", "cantcreate-anon", "captcha",
                "abusefilter-warning", "edit-failure", "redirect-appendonly", "edit-invalidredirect",
                "tempuseracquirefailed", "acct_creation_throttle_hit", "comment-became-transcluded",
            ]
        ),
        (
            .never,
            [
                "http-413", "http-contenttoolarge", "invalidmethod", "mustbeposted", "mustpostparams", "noapiwrite",
                "writeapidenied", "promised-nonwrite-api", "moduledisabled", "mwoauth-api-module-disabled", "badvalue",
                "unknown_action", "unrecognizedvalue", "missingparam", "paramempty", "invalidparammix",
                "toomanyvalues", "badinteger", "maxchars", "maxbytes", "outofrange", "badtimestamp", "badcontinue",
                "badformat", "revwrongpage", "undofailure", "invalid-json-data", "invalidtitle", "invalid",
                "interwiki", "missingcontent", "texthidden", "textdeleted", "cantview-deleted",
                "notwikitext", "parsetree-notwikitext", "sectionsnotsupported", "no-direct-editing",
                "contentmodel-mismatch",
                "appendnotsupported", "contentnotallowedhere", "pagecannotexist", "unsupportednamespace",
                "specialpage-cantexecute", "protectedpage", "cascadeprotected", "protectednamespace",
                "protectednamespace-interface", "protectedtitle", "customcssprotected", "customjsprotected",
                "customjsonprotected", "abusefilter-disallowed", "abusefilter-blocked-domains-attempted",
                "abusefilter-degroup", "spamblacklist", "titleblacklist-forbidden", "titleblacklist-forbidden-edit",
                "spamdetected", "spamprotectionmatch", "hookaborted", "edit-hook-aborted", "contenttoobig", "emptypage",
                "missingcommenttext", "emptynewsection", "missingsummary", "summaryrequired",
                "discussiontools-newtopic-missing-title",
            ]
        ),
        (
            .look,
            [
                "http-408", "http-500", "http-502", "http-503", "http-504", "not-json", "empty-answer",
                "truncated-answer", "internal_api_error_DBQueryError", "internal_api_error_ReadOnlyError",
                "unknownerror", "unknownerror-nocode", "comment-comment-not-saved", "discussiontools-formtoken-used",
            ]
        ),
    ]

    @Test func classifiesEveryCodeOfTheReference() {
        var listed: Set<String> = []
        for (what, codes) in Self.reference {
            for code in codes {
                #expect(What(APIError.classify(code: code, isWrite: true)) == what, "\(code)")
                #expect(!APIErrorRules.rule(for: code).words.isEmpty, "\(code)")
                #expect(listed.insert(code).inserted, "\(code) is listed twice")
            }
        }
        let missing = Set(APIErrorRules.exact.keys).subtracting(listed)
        #expect(missing.isEmpty, "\(missing.sorted())")
        for (prefix, _) in APIErrorRules.families {
            let isListed = listed.contains { $0.hasPrefix(prefix) } || ["http-4", "http-3"].contains(prefix)
            #expect(isListed, "\(prefix)")
        }
    }

    /// A refusal of an edit comes out with these words, wherever the code is in the answer.
    @Test func saysEveryCodeInWords() throws {
        for (_, codes) in Self.reference {
            for code in codes where !code.hasPrefix("http-") && !code.contains("answer") && code != "not-json" {
                for body in [
                    #"{"errors":[{"code":"\#(code)","text":"their words","module":"edit"}]}"#,
                    #"{"error":{"code":"\#(code)","info":"their words"}}"#,
                    #"{"edit":{"result":"Failure","code":"\#(code)","info":"their words"}}"#,
                ] {
                    let parsed = try JSONParser.parse(Array(body.utf8))
                    var error: APIError?
                    if let edit = parsed["edit"], case .refused(let refusal) = MediaWikiAPI.outcome(of: parsed) {
                        #expect(edit["result"]?.text == "Failure")
                        error = refusal
                    } else if let value = parsed["errors"]?[0] ?? parsed["error"] {
                        error = APIAnswer.entry(in: value, isWrite: true)
                    }
                    #expect(error?.code == code && error?.text == "their words", "\(body)")
                    #expect(error?.explanation == APIErrorRules.rule(for: code).words, "\(body)")
                }
            }
        }
    }

    /// `docs/ERRORS.md` has the codes as the code has them; `GIT_TALK_UPDATE_GOLDEN=1` writes them anew.
    @Test func theTableForPeopleIsWhatTheCodeDoes() throws {
        let file = SharedData.repositoryRoot.appending(path: "docs/ERRORS.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let parts = text.components(separatedBy: "<!-- table -->\n")
        try #require(parts.count == 3)
        let table = try Self.table()
        if ProcessInfo.processInfo.environment["GIT_TALK_UPDATE_GOLDEN"] == "1" {
            try [parts[0], table, parts[2]].joined(separator: "<!-- table -->\n")
                .write(to: file, atomically: true, encoding: .utf8)
            return
        }
        #expect(parts[1] == table)
    }

    private static func table() throws -> String {
        var recorded: Set<String> = []
        for entry in try Recording.list("recorded-errors.json") {
            recorded.formUnion(Recording(entry).codes)
        }
        var rows = APIErrorRules.exact.map { ($0.key, $0.value) }
        rows += APIErrorRules.families.map { ($0.prefix + "…", $0.rule) }
        var text = "| code | what is done | what waits | words | test |\n|---|---|---|---|---|\n"
        for (code, rule) in rows.sorted(by: { $0.0 < $1.0 }) {
            let prefix = String(code.prefix { $0 != "…" })
            let isRecorded =
                recorded.contains(code) || code.hasSuffix("…") && recorded.contains { $0.hasPrefix(prefix) }
            let test = isRecorded ? "classifiesEveryRecordedCode" : "classifiesEveryCodeOfTheReference"
            let scope = rule.write == .verify ? "page" : rule.scope.rawValue
            text += "| `\(code)` | \(What(rule.write).rawValue) | \(scope) | \(rule.words) | `\(test)` |\n"
        }
        return text
    }
}
