internal import Synchronization
internal import TalkHTTP
internal import TalkServer

/// What a `FaultyProxy` does to one request.
public enum ProxyFault: Sendable {
    /// Hands the request on and gives the answer back.
    case none
    /// Closes the connection; the wiki never sees the request.
    case refuse
    /// Keeps the request and closes the connection; `deliver` hands it on later, as a slow network may.
    case delay
    /// Hands the request on and closes the connection without a byte of the answer.
    case loseAnswer
    /// Hands the request on and closes the connection after so many bytes of the answer.
    case cutAnswer(afterBytes: Int)
    /// Gives this answer; the wiki never sees the request.
    case answer(StubAnswer)
    /// Hands the request on and gives this answer instead of the wiki's.
    case replaceAnswer(StubAnswer)
    /// Hands the request on without cookies, as if the wiki had forgotten the session.
    case withoutSession
    /// Does this first, then hands the request on: what happens in the wiki meanwhile.
    case meanwhile(@Sendable () -> Void)
    /// Hands the request on, then does this before the answer goes back.
    case afterwards(@Sendable () -> Void)
}

/// A request on its way to a wiki.
public struct ProxiedCall: Sendable {
    /// What it asks for: `edit`, `parse`, `preview`, `check`, `history`, `wikitext`, `tokens`, `userinfo`, `login` and so on.
    public let kind: String
    /// Its number among all requests since the last `reset`, from 1.
    public let number: Int
    /// Its number among those of its kind since the last `reset`, from 1.
    public let nth: Int
    /// The request.
    public let call: StubCall

    static func kind(of call: StubCall) -> String {
        switch call["action"] {
        case "parse": call["text"].isEmpty ? "parse" : "preview"
        case "query" where call["prop"] == "info|revisions": "check"
        case "query" where !call["meta"].isEmpty:
            call["meta"] == "tokens" && call["type"] == "login" ? "logintoken" : call["meta"]
        case "query" where !call["revids"].isEmpty: "wikitext"
        case "query" where !call["rvlimit"].isEmpty: "history"
        case "query": "check"
        case let action: action
        }
    }
}

/// Stands between a program and a wiki and breaks the requests that a test names.
///
/// It is the api address of the wiki that changes: what the wiki says of itself leads to the wiki. One request is handled
/// at a time.
public final class FaultyProxy: Sendable {
    /// Decides what becomes of a request; nil leaves it to the next rule.
    public typealias Rule = @Sendable (ProxiedCall) -> ProxyFault?

    private let server: LoopbackServer
    private let state: State

    private final class State: Sendable {
        let target: String
        let rules = Mutex<[Rule]>([])
        let calls = Mutex<[ProxiedCall]>([])
        let delayed = Mutex<[ServerRequest]>([])

        init(target: String) { self.target = target }

        /// Hands a request on; nil when the wiki cannot be reached.
        func forward(_ request: ServerRequest, hasSession: Bool = true) -> ServerResponse? {
            let query = request.query.isEmpty ? "" : "?" + FormBody.encode(request.query)
            let kept = hasSession ? ["cookie", "authorization"] : []
            let forwarded = HTTPRequest(
                request.method == "POST" ? .post : .get, target + query, form: request.form,
                headers: request.headers.filter { kept.contains($0.0.lowercased()) },
                isWrite: request.method == "POST")
            let agent = request.header("User-Agent") ?? ""
            guard var connection = try? HTTPConnection(HTTPConfiguration(userAgent: agent)),
                let response = try? connection.perform(forwarded)
            else { return nil }
            let own = ["connection", "transfer-encoding", "content-length", "content-encoding", "date", "keep-alive"]
            return ServerResponse(
                status: response.status, headers: response.headers.filter { !own.contains($0.0.lowercased()) },
                body: response.body)
        }

        func answer(_ request: ServerRequest) -> ServerAnswer {
            let fields = request.query + request.form
            let call = StubCall(
                method: request.method, path: request.path,
                parameters: Dictionary(fields, uniquingKeysWith: { $1 }), formNames: request.form.map(\.0),
                headers: Dictionary(request.headers.map { ($0.0.lowercased(), $0.1) }, uniquingKeysWith: { $1 }))
            let kind = ProxiedCall.kind(of: call)
            let proxied = calls.withLock { calls in
                let nth = calls.count { $0.kind == kind } + 1
                let proxied = ProxiedCall(kind: kind, number: calls.count + 1, nth: nth, call: call)
                calls.append(proxied)
                return proxied
            }
            // Each rule is asked once: what it does besides must not happen twice.
            for rule in rules.withLock({ $0 }) {
                if let fault = rule(proxied) { return answer(request, fault) }
            }
            return answer(request, .none)
        }

        private func answer(_ request: ServerRequest, _ fault: ProxyFault) -> ServerAnswer {
            switch fault {
            case .refuse: return .close
            case .answer(let answer): return answer.asServerAnswer
            case .delay:
                delayed.withLock { $0.append(request) }
                return .close
            case .meanwhile(let body): body()
            default: break
            }
            var hasSession = true
            if case .withoutSession = fault { hasSession = false }
            guard let response = forward(request, hasSession: hasSession) else { return .close }
            switch fault {
            case .loseAnswer: return .close
            case .cutAnswer(let count): return .cut(response, afterBytes: count)
            case .replaceAnswer(let answer): return answer.asServerAnswer
            case .afterwards(let body): body()
            default: break
            }
            return .response(response)
        }
    }

    /// Starts a proxy on a free port in front of the `api.php` at an address.
    public init(_ target: String) {
        let state = State(target: target)
        guard let server = try? LoopbackServer(handler: { state.answer($0) }) else {
            preconditionFailure("no free port on 127.0.0.1")
        }
        self.server = server
        self.state = state
    }

    /// The address of `api.php` through the proxy.
    public var api: String { server.url + "/w/api.php" }

    /// The requests since the last `reset`, those included that the wiki never saw.
    public var calls: [ProxiedCall] { state.calls.withLock { $0 } }

    /// How many requests of a kind there were since the last `reset`.
    public func count(_ kind: String) -> Int { calls.count { $0.kind == kind } }

    /// Forgets the rules and the requests.
    public func reset() {
        state.rules.withLock { $0 = [] }
        state.calls.withLock { $0 = [] }
    }

    /// Adds a rule that is asked before the others.
    public func add(_ rule: @escaping Rule) { state.rules.withLock { $0.insert(rule, at: 0) } }

    /// Breaks the requests of a kind: the `nth` one since the last `reset`, or all of them.
    public func fail(_ kind: String, _ fault: ProxyFault, nth: Int? = nil) {
        add { $0.kind == kind && (nth == nil || $0.nth == nth) ? fault : nil }
    }

    /// Hands the delayed requests on at last; nobody gets their answers.
    public func deliver() {
        let requests = state.delayed.withLock { delayed in
            defer { delayed = [] }
            return delayed
        }
        for request in requests { _ = state.forward(request) }
    }
}
