import Foundation
import Synchronization
import TalkHTTP
import TalkServer
import TalkTestSupport
import Testing

/// The client against real sockets.
@Suite(.temporaryDirectory) struct HTTPConnectionTests {
    /// Counts and keeps what a server received.
    final class Log: Sendable {
        private let kept = Mutex<[ServerRequest]>([])
        var requests: [ServerRequest] { kept.withLock { $0 } }
        func add(_ request: ServerRequest) { kept.withLock { $0.append(request) } }
    }

    func serve(_ log: Log = Log(), _ handler: @escaping LoopbackServer.Handler) throws -> LoopbackServer {
        try LoopbackServer { request in
            log.add(request)
            return handler(request)
        }
    }

    func connect(cookieFile: String? = nil) throws -> HTTPConnection {
        try HTTPConnection(HTTPConfiguration(userAgent: "test/1 (contact)", cookieFile: cookieFile))
    }

    func failure(_ connection: consuming HTTPConnection, _ request: HTTPRequest) -> TransportError? {
        do throws(TransportError) {
            _ = try connection.perform(request)
            return nil
        } catch {
            return error
        }
    }

    @Test func sendsFormAndHeadersAndReadsTheAnswer() throws {
        let log = Log()
        let server = try serve(log) { _ in
            .response(.text("grüß dich", type: "text/plain", status: 418, headers: [("X-Reason", " tea ")]))
        }
        var connection = try connect()
        let response = try connection.perform(
            HTTPRequest(
                .post, server.url + "/w/api.php?a=1%202", form: [("token", "+\\"), ("text", "ä b&c=+\n")],
                headers: [("X-Test", "yes")], bearerToken: "secret"))
        #expect(response.status == 418)
        #expect(String(decoding: response.body, as: UTF8.self) == "grüß dich")
        #expect(response.header("x-reason") == "tea")
        let request = try #require(log.requests.first)
        #expect(request.method == "POST")
        #expect(request.path == "/w/api.php")
        #expect(request.query.map { [$0.0, $0.1] } == [["a", "1 2"]])
        #expect(String(decoding: request.body, as: UTF8.self) == "text=%C3%A4%20b%26c%3D%2B%0A&token=%2B%5C")
        #expect(request.form.map { [$0.0, $0.1] } == [["text", "ä b&c=+\n"], ["token", "+\\"]])
        #expect(request.header("User-Agent") == "test/1 (contact)")
        #expect(request.header("X-Test") == "yes")
        #expect(request.header("Authorization") == "Bearer secret")
        #expect(request.header("Accept-Encoding")?.contains("gzip") == true)
        #expect(request.header("Expect") == nil)
    }

    @Test func sendsALargeFormWithoutWaitingForContinue() throws {
        let log = Log()
        let server = try serve(log) { request in .response(.text(String(request.body.count))) }
        var connection = try connect()
        let text = String(repeating: "x", count: 3_000_000)
        let response = try connection.perform(HTTPRequest(.post, server.url, form: [("t", text)], isWrite: true))
        #expect(String(decoding: response.body, as: UTF8.self) == "3000002")
        #expect(log.requests.count == 1)
    }

    @Test func refusesALargerBodyThanTheServerTakes() throws {
        let server = try LoopbackServer(bodyLimit: 10) { _ in .response(.text("ok")) }
        var connection = try connect()
        let short = try connection.perform(HTTPRequest(.post, server.url, form: [("a", "12345678")]))
        let long = try connection.perform(HTTPRequest(.post, server.url, form: [("a", "123456789")]))
        #expect(short.status == 200)
        #expect(long.status == 413)
    }

    @Test func neverRepeatsAWriteWhenTheKeptConnectionDies() throws {
        let log = Log()
        let server = try serve(log) { $0.method == "GET" ? .response(.text("ok")) : .close }
        var connection = try connect()
        _ = try connection.perform(HTTPRequest(.get, server.url))
        let error = failure(connection, HTTPRequest(.post, server.url, form: [("a", "b")], isWrite: true))
        #expect(error?.kind == .cut)
        #expect(error?.wasSent == true)
        #expect(log.requests.map(\.method) == ["GET", "POST"])
    }

    /// What the rule above protects from: libcurl itself sends a request again.
    @Test func libcurlRepeatsOtherRequestsOnAKeptConnection() throws {
        let log = Log()
        let server = try serve(log) { $0.method == "GET" ? .response(.text("ok")) : .close }
        var connection = try connect()
        _ = try connection.perform(HTTPRequest(.get, server.url))
        let error = failure(connection, HTTPRequest(.post, server.url, form: [("a", "b")]))
        #expect(error?.kind == .cut)
        #expect(log.requests.map(\.method) == ["GET", "POST", "POST"])
    }

    @Test func tellsThatARefusedConnectionSentNothing() throws {
        let connection = try connect()
        let error = failure(
            connection,
            HTTPRequest(.post, "http://127.0.0.1:\(StubWiki.closedPort())/", form: [("a", "b")], isWrite: true))
        #expect(error?.kind == .connect)
        // It is said once, however long each attempt took.
        #expect(error?.detail.contains(" ms") == false, "\(error?.detail ?? "")")
        #expect(error?.wasSent == false)
    }

    @Test(arguments: ["ftp://127.0.0.1/", "file:///etc/passwd", "http://", "nonsense", "http://a b/"])
    func refusesOtherAddresses(url: String) throws {
        let connection = try connect()
        let error = failure(connection, HTTPRequest(.get, url))
        #expect(error?.wasSent == false)
        #expect(error?.kind == .badRequest)
    }

    @Test func refusesAHeaderWithALineBreak() throws {
        let log = Log()
        let server = try serve(log) { _ in .response(.text("ok")) }
        let error = failure(try connect(), HTTPRequest(.get, server.url, bearerToken: "a\r\nX-Other: b"))
        #expect(error?.kind == .badRequest)
        #expect(log.requests.isEmpty)
    }

    @Test func seesAnAnswerThatIsShorterThanAnnounced() throws {
        let server = try serve { _ in .cut(.text("0123456789"), afterBytes: 4) }
        let error = failure(try connect(), HTTPRequest(.get, server.url))
        #expect(error?.kind == .cut)
        #expect(error?.wasSent == true)
    }

    @Test func limitsTheBody() throws {
        let server = try serve { _ in .response(.text(String(repeating: "y", count: 200_000))) }
        var connection = try connect()
        let exact = try connection.perform(HTTPRequest(.get, server.url, bodyLimit: .refuse(above: 200_000)))
        #expect(exact.body.count == 200_000)
        let start = try connection.perform(HTTPRequest(.get, server.url, bodyLimit: .truncate(to: 1000)))
        #expect(start.body.count == 1000)
        #expect(start.status == 200)
        let error = failure(connection, HTTPRequest(.get, server.url, bodyLimit: .refuse(above: 199_999)))
        #expect(error?.kind == .tooLarge)
    }

    // MARK: Redirects

    @Test(arguments: [301, 302, 303, 307, 308])
    func followsAGetOnTheSameHost(status: Int) throws {
        let log = Log()
        let server = try serve(log) { request in
            request.path == "/old"
                ? .response(ServerResponse(status: status, headers: [("Location", "/new?x=1")]))
                : .response(.text("here"))
        }
        var connection = try connect()
        let response = try connection.perform(HTTPRequest(.get, server.url + "/old", bearerToken: "secret"))
        #expect(String(decoding: response.body, as: UTF8.self) == "here")
        #expect(response.effectiveURL == server.url + "/new?x=1")
        #expect(log.requests.map { $0.header("Authorization") } == ["Bearer secret", "Bearer secret"])
    }

    /// Once to the new address, and from then on there at once; always as a form.
    @Test(arguments: [301, 302, 307, 308])
    func sendsAFormWhereItBelongs(status: Int) throws {
        let log = Log()
        let server = try serve(log) { request in
            request.path == "/old"
                ? .response(ServerResponse(status: status, headers: [("Location", "/new")])) : .response(.text("here"))
        }
        var connection = try connect()
        let request = HTTPRequest(
            .post, server.url + "/old", form: [("a", "b")], isWrite: true, bearerToken: "secret")
        for _ in 1...2 {
            let response = try connection.perform(request)
            #expect(String(decoding: response.body, as: UTF8.self) == "here")
            #expect(response.effectiveURL == server.url + "/new")
        }
        #expect(log.requests.map(\.path) == ["/old", "/new", "/new"])
        #expect(log.requests.allSatisfy { $0.method == "POST" && $0.body == Array("a=b".utf8) })
        #expect(log.requests.allSatisfy { $0.header("Authorization") == "Bearer secret" })
    }

    /// 303 says that the form was taken; a second redirect, one to itself and one to another place are not followed.
    @Test(arguments: [(303, "/new", 1), (302, "/old", 1), (307, "http://localhost:9/new", 1), (308, "/older", 2)])
    func sendsAFormNowhereElse(status: Int, location: String, requests: Int) throws {
        let log = Log()
        let server = try serve(log) { request in
            .response(
                ServerResponse(status: status, headers: [("Location", request.path == "/older" ? "/oldest" : location)])
            )
        }
        var connection = try connect()
        let response = try connection.perform(HTTPRequest(.post, server.url + "/old", form: [("a", "b")]))
        #expect(response.status == status)
        #expect(response.redirectURL?.hasSuffix(requests == 2 ? "/oldest" : location) == true)
        #expect(log.requests.count == requests)
    }

    @Test func aFormNeverGoesToAnotherPort() throws {
        let log = Log()
        let other = try serve(log) { _ in .response(.text("other")) }
        let url = other.url + "/"
        let server = try serve { _ in .response(ServerResponse(status: 308, headers: [("Location", url)])) }
        var connection = try connect()
        let response = try connection.perform(HTTPRequest(.post, server.url, form: [("lgpassword", "secret")]))
        #expect(response.status == 308 && response.redirectURL == url)
        #expect(log.requests.isEmpty)
    }

    @Test func doesNotFollowToAnotherPortUnlessAsked() throws {
        let log = Log()
        let other = try serve(log) { _ in .response(.text("other")) }
        let url = other.url + "/"
        let server = try serve { _ in .response(ServerResponse(status: 302, headers: [("Location", url)])) }
        var connection = try connect()
        let stopped = try connection.perform(HTTPRequest(.get, server.url, bearerToken: "secret"))
        #expect(stopped.status == 302)
        #expect(stopped.redirectURL == url)
        #expect(log.requests.isEmpty)
        let followed = try connection.perform(
            HTTPRequest(.get, server.url, bearerToken: "secret", followsToOtherHosts: true))
        #expect(followed.effectiveURL == url)
        #expect(log.requests.count == 1)
        #expect(log.requests.first?.header("Authorization") == nil)
    }

    @Test func givesUpOnACircle() throws {
        let log = Log()
        let server = try serve(log) { _ in .response(ServerResponse(status: 302, headers: [("Location", "/again")])) }
        let error = failure(try connect(), HTTPRequest(.get, server.url))
        #expect(error?.kind == .tooManyRedirects)
        #expect(log.requests.count == 6)
    }

    // MARK: Cookies

    @Test func keepsCookiesBetweenRunsReadableByTheOwnerOnly() throws {
        let log = Log()
        let server = try serve(log) { request in
            request.path == "/set"
                ? .response(
                    ServerResponse(headers: [
                        ("Set-Cookie", "session=s1; path=/; HttpOnly"),
                        ("Set-Cookie", "kept=k1; path=/; expires=Fri, 01 Jan 2038 00:00:00 GMT"),
                    ])) : .response(.text("ok"))
        }
        let file = TemporaryDirectory.current.appending(path: "cookies").path
        var first = try connect(cookieFile: file)
        _ = try first.perform(HTTPRequest(.get, server.url + "/set"))
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
        #expect(try FileManager.default.contentsOfDirectory(atPath: TemporaryDirectory.current.path) == ["cookies"])

        var second = try connect(cookieFile: file)
        _ = try second.perform(HTTPRequest(.get, server.url + "/read"))
        let sent = log.requests.last?.header("Cookie") ?? ""
        #expect(Set(sent.split(separator: "; ").map(String.init)) == ["session=s1", "kept=k1"])
        let isStale = second.isCookieFileStale
        #expect(!isStale)

        try second.clearCookies()
        let cleared = try FileManager.default.attributesOfItem(atPath: file)
        #expect((cleared[.size] as? NSNumber)?.intValue == 0)
        _ = try second.perform(HTTPRequest(.get, server.url + "/read"))
        #expect(log.requests.last?.header("Cookie") == nil)
    }

    @Test func answersEvenWhenTheCookiesCannotBeKept() throws {
        let server = try serve { _ in
            .response(ServerResponse(headers: [("Set-Cookie", "a=b")], body: Array("ok".utf8)))
        }
        var connection = try connect(cookieFile: "/nonexistent/cookies")
        let response = try connection.perform(HTTPRequest(.get, server.url))
        #expect(response.status == 200)
        let isStale = connection.isCookieFileStale
        #expect(isStale)
    }

    @Test func ignoresCommandsToLibcurlInACookieFile() throws {
        let log = Log()
        let server = try serve(log) { _ in .response(.text("ok")) }
        let file = TemporaryDirectory.current.appending(path: "cookies")
        try "127.0.0.1\tFALSE\t/\tFALSE\t0\ta\tb\nALL\n\u{0}\n".write(to: file, atomically: true, encoding: .utf8)
        var connection = try connect(cookieFile: file.path)
        _ = try connection.perform(HTTPRequest(.get, server.url))
        #expect(log.requests.first?.header("Cookie") == "a=b")
    }

    // MARK: Settings

    @Test func goesThroughTheProxyThatWasGiven() throws {
        let log = Log()
        let proxy = try serve(log) { _ in .response(.text("from the proxy")) }
        var connection = try HTTPConnection(
            HTTPConfiguration(userAgent: "test", proxy: .url(proxy.url, except: "")))
        let response = try connection.perform(HTTPRequest(.get, "http://wiki.example/w/api.php"))
        #expect(String(decoding: response.body, as: UTF8.self) == "from the proxy")
        #expect(log.requests.first?.header("Host") == "wiki.example")
    }

    @Test func showsNoSecretInADescription() {
        let request = HTTPRequest(
            .post, "https://wiki.example/w/api.php?token=query", form: [("lgpassword", "form")],
            headers: [("Cookie", "header")], bearerToken: "bearer")
        var dumped = ""
        dump(request, to: &dumped)
        let shown = "\(request) \(String(reflecting: request)) \(dumped)"
        #expect(shown.contains("POST https://wiki.example/w/api.php"))
        for secret in ["query", "form", "header", "bearer"] { #expect(!shown.contains(secret)) }
    }
}
