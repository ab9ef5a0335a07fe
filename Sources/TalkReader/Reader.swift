public import TalkPages
internal import TalkServer
public import TalkStore

/// Shows the pages of a store to a browser on this machine: the list, and each page's threads, without script.
///
/// Read-only, from plain files: git is not started. Everything from a page is escaped. Requests that name another host
/// are refused, so that no web site can reach the reader through a name of its own that leads to this machine.
public struct Reader: Sendable {
    private let reader: PageReader
    private let now: @Sendable () -> Int64
    private let seen: @Sendable ([OutboxEntry]) -> Void

    /// Makes the reader of a store; `now` is seconds since 1970.
    ///
    /// `seen` hears of the replies whose outcome a page has just shown to a person.
    public init(
        reader: PageReader, now: @escaping @Sendable () -> Int64,
        seen: @escaping @Sendable ([OutboxEntry]) -> Void = { _ in }
    ) {
        self.reader = reader
        self.now = now
        self.seen = seen
    }

    /// Starts serving on 127.0.0.1.
    ///
    /// Throws `busy` when the port cannot be had; 0 lets the system choose one.
    public func start(port: UInt16) throws(TalkError) -> RunningReader {
        do throws(ServerError) {
            return RunningReader(try LoopbackServer(port: port) { request in .response(answer(request)) })
        } catch {
            switch error {
            case .portTaken:
                throw TalkError(.busy, "port \(port) cannot be had", hint: "choose another one with --port")
            case .noLibrary(let reason): throw TalkError(.notFound, reason, hint: "install libmicrohttpd12")
            }
        }
    }

    /// Answers one request.
    func answer(_ request: ServerRequest) -> ServerResponse {
        let host = (request.header("Host") ?? "").prefix { $0 != ":" }
        guard host == "127.0.0.1" || host == "localhost" else {
            return page(status: 403, "Not this way", "<p>Use the address that git talk serve printed.</p>")
        }
        guard request.method == "GET" || request.method == "HEAD" else {
            return page(status: 405, "Not possible", "<p>Pages can only be read here.</p>")
        }
        do throws(TalkError) {
            switch request.path {
            case "/":
                // A page that was never there is remembered as missing, but there is nothing to read.
                let states = try reader.states().filter { !$0.isMissing || $0.latest != nil }
                return page("Talk pages", try news(request) + ListView.html(states, now: now()))
            case "/style.css":
                return ServerResponse(
                    headers: [("Content-Type", "text/css; charset=utf-8")], body: Array(Template.style.utf8))
            case "/page":
                if let found = try self.page(request) { return found }
            default: break
            }
            return page(status: 404, "Not here", "<p>There is no such page in the store.</p>")
        } catch {
            return page(status: 500, "Could not be read", "<p>\(Template.escape(error.message))</p>")
        }
    }

    private func page(_ request: ServerRequest) throws(TalkError) -> ServerResponse? {
        let value = { (key: String) in request.query.first { $0.0 == key }?.1 ?? "" }
        let name = PageName(wiki: value("wiki"), namespace: value("namespace"), title: value("title"))
        guard let state = try reader.state(of: name), let threads = try reader.threads(of: name) else { return nil }
        return page(
            state.displayTitle, try news(request) + PageView.html(state, threads, now: now()),
            isRightToLeft: state.isRightToLeft)
    }

    /// What became of replies that nobody has seen; with a page that a person opens it has been seen.
    private func news(_ request: ServerRequest) throws(TalkError) -> String {
        let entries = try reader.outbox().entries.filter(\.isNews)
        if entries.isEmpty { return "" }
        // A browser that fetches ahead, or a script, says so.
        let isFetchedAhead = request.header("Sec-Purpose") != nil || request.header("Purpose") != nil
        let isOpened = request.header("Sec-Fetch-Dest").map { $0 == "document" } ?? true
        if request.method == "GET", isOpened, !isFetchedAhead { seen(entries) }
        return NewsView.html(entries, try reader.wikis())
    }

    private func page(
        status: Int = 200, _ title: String, _ body: String, isRightToLeft: Bool = false
    ) -> ServerResponse {
        ServerResponse(
            status: status,
            headers: [
                ("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "no-store"),
                ("Content-Security-Policy", "default-src 'none'; style-src 'self'; frame-ancestors 'none'"),
                ("Referrer-Policy", "no-referrer"), ("X-Content-Type-Options", "nosniff"),
            ], body: Array(Template.html(title, body, isRightToLeft: isRightToLeft).utf8))
    }
}

/// A reader that serves as long as the value lives.
public final class RunningReader: Sendable {
    private let server: LoopbackServer

    init(_ server: LoopbackServer) { self.server = server }

    /// Where it is, `http://127.0.0.1:<port>`.
    public var url: String { server.url }
}
