internal import TalkHTTP
public import TalkPages
internal import TalkStore

/// One wiki's Action API, for one account.
///
/// Requests run one after another on a queue of their own, never on a thread that others wait for. Nothing is sent
/// twice but a read: once when its kept connection was cut, and then as `NetworkSettings.retry` has it.
public actor MediaWikiAPI {
    private let executor = BlockingExecutor(label: "mediawiki-api")
    /// The queue that requests run on.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    /// Address of `api.php`.
    public nonisolated let endpoint: String
    let settings: NetworkSettings
    private let cookieFile: String?
    private let bearerToken: String?
    private let isCompanion: Bool
    /// Gives the bot password with which a session that ended is renewed.
    let credential: (@Sendable () throws(TalkError) -> Credential?)?
    /// Whether a renewal was in vain, so that it is not tried again.
    var isRenewalVain = false
    /// Whether the wiki refused a read since nobody was logged in.
    public internal(set) var isForMembers = false
    private var openConnection: HTTPConnection?
    /// The account that is logged in, as the wiki named it last; nil when unknown or nobody.
    public internal(set) var account: String?
    /// The CSRF token of the session, kept until the wiki no longer takes it.
    var token: String?

    /// Makes a client; nothing is sent yet.
    ///
    /// `cookieFile` keeps the session between runs, one file for a wiki and account. `bearerToken` is that of an OAuth
    /// consumer of the user's own; it goes to the host of `endpoint` only. `credential` is asked, and may block, when a
    /// wiki that only its members read does not know the session any more.
    public init(
        endpoint: String, settings: NetworkSettings, cookieFile: String? = nil, bearerToken: String? = nil,
        credential: (@Sendable () throws(TalkError) -> Credential?)? = nil
    ) {
        self.endpoint = endpoint
        self.settings = settings
        self.cookieFile = cookieFile
        self.bearerToken = bearerToken
        self.credential = credential
        isCompanion = false
    }

    private init(beside other: MediaWikiAPI) {
        endpoint = other.endpoint
        settings = other.settings
        cookieFile = other.cookieFile
        bearerToken = other.bearerToken
        credential = nil
        isCompanion = true
    }

    /// A client of the same session for a read beside this one's, on a connection of its own.
    ///
    /// It leaves the session as it is in the cookie file: it keeps no cookie, and renews nothing.
    nonisolated var companion: MediaWikiAPI { MediaWikiAPI(beside: self) }

    /// Sends a request and reads the answer of a wiki.
    func call(
        _ parameters: [(String, String)], isPost: Bool = false, isWrite: Bool = false
    ) throws(APIFailure) -> JSONValue {
        var all = [
            ("format", "json"), ("formatversion", "2"), ("errorformat", "plaintext"), ("errorlang", "uselang"),
            ("uselang", "content"),
        ]
        if let lag = settings.maximumLag, !isWrite { all.append(("maxlag", String(lag))) }
        all += parameters
        let query = FormBody.encode(all)
        // Servers refuse long addresses; a secret never goes into one.
        let request =
            isPost || isWrite || query.utf8.count > 1800
            ? HTTPRequest(.post, endpoint, form: all, isWrite: isWrite, bearerToken: bearerToken)
            : HTTPRequest(.get, endpoint + "?" + query, bearerToken: bearerToken)
        if isWrite { return try answer(to: request) }
        var attempts = RetryAttempts(settings.retry)
        while true {
            do throws(APIFailure) {
                return try answer(to: request)
            } catch {
                switch attempts.decide(after: error) {
                case .again(let pause): if let pause { settings.retry?.wait(pause) }
                case .stop(let failure): throw failure
                }
            }
        }
    }

    private func answer(to request: HTTPRequest) throws(APIFailure) -> JSONValue {
        let response = try APIFailure.wrap { () throws(TransportError) in try exchange(request) }
        switch APIAnswer.read(response, isWrite: request.isWrite) {
        case .result(let value): return value
        case .error(let error): throw .refused(error)
        }
    }

    /// Sends a request that is none of the API; a read is sent once more when its connection was cut, since a kept one
    /// may have been dead.
    func send(_ request: HTTPRequest) throws(TransportError) -> HTTPResponse {
        do {
            return try exchange(request)
        } catch  where error.kind == .cut && !request.isWrite {
            return try exchange(request)
        }
    }

    /// Forgets the cookies: a wiki refuses a login that comes with a session of somebody logged in.
    func forgetSession() throws(TransportError) {
        account = nil
        token = nil
        try connect()
        try openConnection?.clearCookies()
    }

    private func connect() throws(TransportError) {
        guard openConnection == nil else { return }
        openConnection = try HTTPConnection(settings.configuration(cookieFile: cookieFile, keepsCookies: !isCompanion))
    }

    func exchange(_ request: HTTPRequest) throws(TransportError) -> HTTPResponse {
        try connect()
        guard let response = try openConnection?.perform(request) else {
            throw TransportError(.other, wasSent: false, detail: "no connection")
        }
        return response
    }
}
