internal import Foundation
internal import Synchronization
internal import TalkServer

/// What a `StubWiki` does with one request.
public enum StubAnswer: Sendable {
    /// An answer of `api.php`.
    case json(String)
    /// Any HTTP answer.
    case http(status: Int, headers: [(String, String)], body: String)
    /// Closes the connection after so many bytes of the body, which was announced in full.
    case cut(json: String, afterBytes: Int)
    /// Closes the connection without a byte.
    case close

    /// An error of the API, with status 200 as MediaWiki has it.
    public static func error(_ code: String, _ text: String = "no", data: String = "{}") -> StubAnswer {
        .http(
            status: 200,
            headers: [("Content-Type", "application/json; charset=utf-8"), ("MediaWiki-API-Error", code)],
            body: #"{"errors":[{"code":"\#(code)","text":"\#(text)","data":\#(data),"module":"main"}]}"#)
    }
}

/// A request that a `StubWiki` received.
public struct StubCall: Sendable {
    /// `GET` or `POST`.
    public let method: String
    /// The path, `/w/api.php`.
    public let path: String
    /// The fields of query and form.
    public let parameters: [String: String]
    /// The names of the fields of the form, in the order in which they came.
    public let formNames: [String]
    /// The headers, names in lower case.
    public let headers: [String: String]

    /// A parameter, empty when it was not sent.
    public subscript(name: String) -> String { parameters[name] ?? "" }
}

/// A wiki on a real socket whose answers a test decides.
///
/// The rules are asked in order; a request that none of them answers gets status 501, so that a test fails loudly.
public final class StubWiki: Sendable {
    /// Answers a call, or leaves it to the next rule.
    public typealias Rule = @Sendable (StubCall) -> StubAnswer?

    private let server: LoopbackServer
    private let state: State

    private final class State: Sendable {
        let rules = Mutex<[Rule]>([])
        let calls = Mutex<[StubCall]>([])
    }

    /// Starts a wiki on a free port.
    public init(_ rules: Rule...) {
        let state = State()
        state.rules.withLock { $0 = rules }
        let server = try? LoopbackServer { request in
            let fields = request.query + request.form
            let call = StubCall(
                method: request.method, path: request.path,
                parameters: Dictionary(fields, uniquingKeysWith: { $1 }), formNames: request.form.map(\.0),
                headers: Dictionary(request.headers.map { ($0.0.lowercased(), $0.1) }, uniquingKeysWith: { $1 }))
            state.calls.withLock { $0.append(call) }
            for rule in state.rules.withLock({ $0 }) {
                if let answer = rule(call) { return answer.asServerAnswer }
            }
            return .response(.text("no rule for \(call.method) \(call.path)", type: "text/plain", status: 501))
        }
        guard let server else { preconditionFailure("no free port on 127.0.0.1") }
        self.server = server
        self.state = state
    }

    /// Scheme, host and port.
    public var url: String { server.url }
    /// Address of `api.php`.
    public var api: String { server.url + "/w/api.php" }
    /// Every request so far, in order.
    public var calls: [StubCall] { state.calls.withLock { $0 } }

    /// Adds a rule that is asked before the others.
    public func prepend(_ rule: @escaping Rule) { state.rules.withLock { $0.insert(rule, at: 0) } }

    /// A rule that gives its answers one after another, then leaves the calls to the next rule.
    public static func sequence(
        _ answers: [StubAnswer], where matches: @escaping @Sendable (StubCall) -> Bool = { _ in true }
    ) -> Rule {
        let rest = Shared(answers)
        return { call in
            guard matches(call) else { return nil }
            return rest.answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        }
    }

    private final class Shared: Sendable {
        let answers: Mutex<[StubAnswer]>
        init(_ answers: [StubAnswer]) { self.answers = Mutex(answers) }
    }

    /// A port that nobody listens on, nor will while the tests run.
    public static func closedPort() -> UInt16 { LocalSocket(isListening: false)?.kept() ?? 9 }
}

extension StubAnswer {
    var asServerAnswer: ServerAnswer {
        let type = [("Content-Type", "application/json; charset=utf-8")]
        return switch self {
        case .json(let text): .response(ServerResponse(headers: type, body: Array(text.utf8)))
        case .http(let status, let headers, let body):
            .response(ServerResponse(status: status, headers: headers, body: Array(body.utf8)))
        case .cut(let text, let count): .cut(ServerResponse(headers: type, body: Array(text.utf8)), afterBytes: count)
        case .close: .close
        }
    }
}
