internal import TalkPages

/// What each error code of MediaWiki and its usual extensions means for a reader and for the outbox.
enum APIErrorRules {
    struct Rule {
        let read: APIErrorClass
        let write: APIErrorClass
        let scope: APIErrorClass.Scope
        let kind: TalkError.Kind
        let words: String

        func classFor(isWrite: Bool) -> APIErrorClass { isWrite ? write : read }
    }

    static func rule(for code: String) -> Rule {
        if let rule = exact[code] { return rule }
        if let family = families.first(where: { code.hasPrefix($0.prefix) }) { return family.rule }
        if code.contains("blocked") { return block }
        return unknown
    }

    private static func make(
        _ errorClass: APIErrorClass, _ kind: TalkError.Kind, _ words: String, scope: APIErrorClass.Scope = .reply,
        read: APIErrorClass? = nil
    ) -> Rule {
        var scope = scope
        if case .needsUser(let own) = errorClass { scope = own }
        if case .retryLater = errorClass { scope = .wiki }
        return Rule(read: read ?? errorClass, write: errorClass, scope: scope, kind: kind, words: words)
    }

    private static let block = make(
        .needsUser(scope: .wiki), .refused, "the account or the network is blocked on this wiki")
    private static let unknown = make(.permanent, .refused, "the wiki refused the request")
    private static let login = make(.recoverOnce, .refused, "the login is no longer valid", scope: .wiki)
    private static let misunderstood = make(
        .permanent, .internal, "this program and the wiki do not understand each other")
    private static let badTitle = make(
        .permanent, .invalid, "this is not a page name that the wiki accepts", scope: .page)
    private static let noPage = make(.needsUser(scope: .page), .notFound, "there is no such page", read: .permanent)
    private static let noRevision = make(.recoverOnce, .notFound, "there is no such revision")
    private static let hidden = make(.permanent, .notFound, "the wiki's administrators have hidden this version")
    private static let noSection = make(.recoverOnce, .notFound, "the section no longer exists")
    private static let notTalk = make(.permanent, .refused, "this is not an ordinary talk page", scope: .page)
    private static let nowhere = make(.permanent, .invalid, "nothing can be written there", scope: .page)
    private static let conflict = make(.recoverOnce, .busy, "the page changed meanwhile")
    private static let deleted = make(.needsUser(scope: .page), .notFound, "the page was deleted after it was read")
    private static let protected = make(.permanent, .refused, "the page is protected", scope: .page)
    private static let empty = make(.permanent, .invalid, "the heading or the text is empty")
    private static let spam = make(.permanent, .refused, "the text is refused as spam")
    private static let aborted = make(.permanent, .refused, "an extension of the wiki refuses the text")
    private static let token = make(.needsUser(scope: .wiki), .refused, "the access token is not valid")
    private static let failed = make(
        .verify, .unreachable, "the server failed while it worked", scope: .page, read: .retryLater(after: nil))
    private static let noAPI = make(.permanent, .refused, "the wiki does not allow this through its API", scope: .wiki)
    private static let tagless = make(.recoverOnce, .refused, "the wiki does not accept the tags or watchlist options")
    private static let target = make(
        .recoverOnce, .notFound, "the comment was changed, moved or archived")
    private static let renderer = make(.retryLater(after: nil), .unreachable, "the wiki could not render this")
    private static let anonymous = make(.needsUser(scope: .wiki), .refused, "the wiki wants a login for this")
    private static let blacklisted = make(
        .permanent, .refused, "the wiki does not allow this page name or heading", scope: .reply)

    /// The most special prefix first.
    static let families: [(prefix: String, rule: Rule)] = [
        ("internal_api_error_", failed), ("unknownerror", failed), ("http-5", failed),
        ("globalblocking-", block), ("titleblacklist-forbidden", blacklisted),
        ("abusefilter-", make(.permanent, .refused, "an edit filter refuses the text")),
        ("mwoauth-api-module-disabled", noAPI), ("mwoauth-", token),
        ("mustbeloggedin-", anonymous), ("cantview-", hidden),
        ("edit-constraint-confirmrecreate", deleted),
        ("parsoid-", renderer), ("visualeditor-docserver", renderer), ("paramempty", misunderstood),
        ("protectednamespace", protected), ("badid_", noRevision), ("missingcontent", hidden),
        ("http-4", make(.permanent, .unreachable, "the server refuses the request", scope: .wiki)),
        ("http-3", make(.permanent, .unreachable, "the server leads elsewhere", scope: .wiki)),
    ]

    static let exact: [String: Rule] = [
        // Transport.
        "http-redirect": make(.needsUser(scope: .wiki), .unreachable, "the server leads to another address"),
        "http-401": make(.needsUser(scope: .wiki), .refused, "the server wants a login of its own"),
        "http-403": make(.needsUser(scope: .wiki), .refused, "the server refuses this program or this network"),
        "http-404": make(.needsUser(scope: .wiki), .unreachable, "there is no MediaWiki API at this address"),
        "http-407": make(.needsUser(scope: .wiki), .unreachable, "the proxy wants a login"),
        "http-408": failed,
        "http-413": make(.permanent, .refused, "the text is too large for the server"),
        "http-429": make(.retryLater(after: 60), .unreachable, "the wiki asks to slow down"),
        "not-json": make(
            .verify, .unreachable, "the answer is no answer of a wiki, perhaps a login page of this network",
            scope: .page, read: .retryLater(after: nil)),
        "empty-answer": make(
            .verify, .unreachable, "the server gave an empty answer", scope: .page,
            read: .retryLater(after: nil)),
        "truncated-answer": make(
            .verify, .unreachable, "the answer is cut off", scope: .page,
            read: .retryLater(after: nil)),
        // General.
        "invalidmethod": misunderstood, "mustbeposted": misunderstood, "mustpostparams": misunderstood,
        "http-contenttoolarge": make(.permanent, .refused, "the text is too large for the server"),
        "maxlag": make(.retryLater(after: 5), .unreachable, "the wiki is busy"),
        "readonly": make(.retryLater(after: 30), .unreachable, "the wiki can only be read for the moment"),
        "ratelimited": make(.retryLater(after: 60), .unreachable, "too many requests in a short time"),
        "actionthrottledtext": make(.retryLater(after: 60), .unreachable, "too many requests in a short time"),
        "docserver": renderer, "concurrency-limit": make(.retryLater(after: nil), .unreachable, "the wiki is busy"),
        "badtoken": login, "assertuserfailed": login, "assertnameduserfailed": login, "assertbotfailed": login,
        "assertanonfailed": make(.recoverOnce, .refused, "the wiki sees a login where none was expected", scope: .wiki),
        "notloggedin": anonymous,
        "confirmemail": make(
            .needsUser(scope: .wiki), .refused, "the wiki wants the account's e-mail address confirmed"),
        "reauthenticate": make(.needsUser(scope: .wiki), .refused, "the wiki wants the password once more"),
        "readapidenied": make(.needsUser(scope: .wiki), .refused, "this wiki can only be read after login"),
        "noapiwrite": noAPI, "writeapidenied": noAPI, "promised-nonwrite-api": noAPI, "moduledisabled": noAPI,
        "badvalue": misunderstood, "unknown_action": misunderstood, "unrecognizedvalue": misunderstood,
        "missingparam": misunderstood, "invalidparammix": misunderstood,
        "toomanyvalues": misunderstood, "badinteger": misunderstood, "maxchars": misunderstood,
        "maxbytes": misunderstood, "outofrange": misunderstood, "badtimestamp": misunderstood,
        "badcontinue": misunderstood, "badformat": misunderstood, "revwrongpage": misunderstood,
        "undofailure": misunderstood, "invalid-json-data": misunderstood,
        // Login.
        "sessionlost": login,
        "wrongpassword": make(.needsUser(scope: .wiki), .refused, "the wiki does not accept this name and password"),
        "login-throttled": make(.needsUser(scope: .wiki), .refused, "too many logins were tried"),
        "api-login-fail-aborted": make(
            .needsUser(scope: .wiki), .refused, "this account can only log in with a bot password"),
        "login-failed": make(.needsUser(scope: .wiki), .refused, "the login failed"),
        // Titles and reads.
        "invalidtitle": badTitle, "invalid": badTitle, "interwiki": badTitle,
        "missingtitle": noPage, "nosuchpageid": noPage, "latestnotfound": noPage, "oldidnotfound": noRevision,
        "nosuchrevid": noRevision, "texthidden": hidden, "textdeleted": hidden,
        "permissiondenied": make(.needsUser(scope: .page), .refused, "the account may not do this", read: .permanent),
        "nosuchsection": noSection, "invalidsection": noSection,
        "notwikitext": notTalk, "parsetree-notwikitext": notTalk, "sectionsnotsupported": notTalk,
        "no-direct-editing": notTalk,
        "contentmodel-mismatch": notTalk, "appendnotsupported": notTalk, "contentnotallowedhere": notTalk,
        "pagecannotexist": nowhere, "unsupportednamespace": nowhere, "specialpage-cantexecute": nowhere,
        // Writes.
        "editconflict": conflict, "edit-already-exists": conflict, "edit-gone-missing": conflict,
        "articleexists": conflict, "pagedeleted": deleted, "deletedwhileediting": deleted,
        "badmd5": make(.recoverOnce, .unreachable, "the text was damaged on its way"),
        "blocked": block, "autoblocked": block, "systemblocked": block,
        "protectedpage": protected, "cascadeprotected": protected, "protectedtitle": protected,
        "customcssprotected": protected, "customjsprotected": protected, "customjsonprotected": protected,
        "noedit": make(.needsUser(scope: .wiki), .refused, "the account may not do this"), "noedit-anon": anonymous,
        // Pages that exist can be answered all the same.
        "cantcreate": make(.needsUser(scope: .page), .refused, "the account may not make pages"),
        "cantcreate-anon": make(.needsUser(scope: .page), .refused, "the wiki wants a login for this"),
        "captcha": make(.needsUser(scope: .reply), .refused, "the wiki wants a captcha answered"),
        "abusefilter-warning": make(.needsUser(scope: .reply), .refused, "an edit filter warns about the text"),
        "edit-failure": make(.needsUser(scope: .reply), .refused, "the wiki did not save the text"),
        "spamblacklist": make(.permanent, .refused, "the text links to an address that the wiki does not allow"),
        "hookaborted": aborted, "edit-hook-aborted": aborted,
        "spamdetected": spam, "spamprotectionmatch": spam,
        "contenttoobig": make(.permanent, .refused, "the page would become too large", scope: .page),
        "emptypage": empty, "missingcommenttext": empty, "emptynewsection": empty, "missingsummary": empty,
        "summaryrequired": empty, "discussiontools-newtopic-missing-title": empty,
        "redirect-appendonly": make(.needsUser(scope: .page), .refused, "the page is a redirect now"),
        "edit-invalidredirect": make(.needsUser(scope: .page), .refused, "the page is a redirect now"),
        "badtags": tagless, "tags-apply-not-allowed-one": tagless, "tags-apply-not-allowed-multi": tagless,
        "tags-apply-no-permission": tagless, "toofewexpiries": tagless, "invalidexpiry": tagless,
        "pastexpiry": tagless, "badexpiry": tagless, "badexpiry-past": tagless,
        "tempuseracquirefailed": make(.needsUser(scope: .wiki), .refused, "the wiki has no temporary account to give"),
        "acct_creation_throttle_hit": make(
            .needsUser(scope: .wiki), .refused, "the wiki has no temporary account to give"),
        "discussiontools-commentid-notfound": target, "discussiontools-commentname-notfound": target,
        "discussiontools-commentname-ambiguous": make(.recoverOnce, .notFound, "several comments fit"),
        "comment-became-transcluded": make(
            .needsUser(scope: .reply), .refused, "the discussion lives on another page now"),
        "comment-comment-not-saved": make(.verify, .refused, "the wiki could not place the reply", scope: .reply),
        "discussiontools-formtoken-used": make(.verify, .refused, "the wiki has had this form before"),
    ]
}
