internal import CLibcurl

/// A synchronous HTTP client with one connection and one set of cookies.
///
/// It has one owner and is used by one thread at a time. A `POST` never becomes a `GET`: one that is led to another
/// address of the same host is sent there, once, and later ones go there at once. An answer that has neither a length nor
/// chunks ends where the server closes the connection: whether it is complete, only its content can tell.
public struct HTTPConnection: ~Copyable {
    private static let redirectLimit = 5
    private let handle: EasyHandle
    private let configuration: HTTPConfiguration
    private var keptCookies: [String]
    /// Where forms for an address are to be sent instead.
    private var movedForms: [String: String] = [:]
    /// Whether the last change of the cookies is not in the cookie file, because that could not be written.
    public private(set) var isCookieFileStale = false

    /// Makes a client; the first request opens the connection.
    public init(_ configuration: HTTPConfiguration) throws(TransportError) {
        let handle = try EasyHandle()
        try handle.reset()
        // Switches cookies on until the handle ends; CURLOPT_COOKIEFILE would have to be set, and leak, for each request.
        try handle.set(CURLOPT_COOKIELIST, "")
        // A line without a tab would be a command to libcurl ("ALL" forgets every cookie).
        for line in configuration.cookieFile.map(CookieFile.read) ?? [] where line.contains("\t") {
            try handle.set(CURLOPT_COOKIELIST, line)
        }
        keptCookies = handle.cookies().sorted()
        self.handle = handle
        self.configuration = configuration
    }

    /// Sends a request and waits for the whole answer.
    ///
    /// Returns whatever the status is, a redirect that may not be followed included.
    public mutating func perform(_ request: HTTPRequest) throws(TransportError) -> HTTPResponse {
        guard var origin = Origin(request.url) else {
            throw TransportError(.badRequest, wasSent: false, detail: "not an http or https address")
        }
        if request.method == .post { return try post(request, origin) }
        var url = request.url
        var token = request.bearerToken
        for _ in 0...Self.redirectLimit {
            let response = try exchange(request, url: url, token: token)
            guard [301, 302, 303, 307, 308].contains(response.status),
                let next = response.redirectURL, let target = Origin(next),
                origin.mayLead(to: target, anyHost: request.followsToOtherHosts)
            else { return response }
            if !origin.trusts(target) { token = nil }
            origin = target
            url = next
        }
        throw TransportError(
            .tooManyRedirects, wasSent: true, detail: "more than \(Self.redirectLimit) redirects")
    }

    /// Sends a form, and once more where the server says that it belongs: to the same host, which has the form already.
    ///
    /// 303 says that it was taken; back to the same address it would go in a circle.
    private mutating func post(_ request: HTTPRequest, _ origin: Origin) throws(TransportError) -> HTTPResponse {
        let url = movedForms[request.url] ?? request.url
        let response = try exchange(request, url: url, token: request.bearerToken)
        guard [301, 302, 307, 308].contains(response.status), let next = response.redirectURL, next != url,
            let target = Origin(next), origin.trusts(target)
        else { return response }
        let second = try exchange(request, url: next, token: request.bearerToken)
        if !(300..<400).contains(second.status) { movedForms[request.url] = next }
        return second
    }

    /// Forgets every cookie, on disk too.
    public mutating func clearCookies() throws(TransportError) {
        try handle.set(CURLOPT_COOKIELIST, "ALL")
        keepCookies()
    }

    private mutating func exchange(
        _ request: HTTPRequest, url: String, token: String?
    ) throws(TransportError) -> HTTPResponse {
        try handle.reset()
        try setUp(request, url: url)
        var headers = request.headers.map { "\($0.0): \($0.1)" }
        if let token { headers.append("Authorization: Bearer \(token)") }
        // libcurl hands a header on as it is: a line break in it would begin another header.
        guard !headers.contains(where: { $0.unicodeScalars.contains { $0.value < 32 && $0 != "\t" } }) else {
            throw TransportError(.badRequest, wasSent: false, detail: "control character in a header")
        }
        // Without this, libcurl waits for a "100 Continue" that some servers never send.
        headers.append("Expect:")
        let collector = Collector(request.bodyLimit)
        defer { keepCookies() }
        try handle.perform(headers: headers, into: collector)
        return HTTPResponse(
            status: handle.integer(CURLINFO_RESPONSE_CODE), headers: collector.headers, body: collector.body,
            effectiveURL: handle.string(CURLINFO_EFFECTIVE_URL) ?? url,
            redirectURL: handle.string(CURLINFO_REDIRECT_URL))
    }

    private func setUp(_ request: HTTPRequest, url: String) throws(TransportError) {
        try handle.set(CURLOPT_URL, url)
        try handle.set(CURLOPT_PROTOCOLS_STR, "http,https")
        try handle.set(CURLOPT_FOLLOWLOCATION, 0)
        try handle.set(CURLOPT_ACCEPT_ENCODING, "")
        try handle.set(CURLOPT_USERAGENT, configuration.userAgent)
        try handle.set(CURLOPT_TCP_KEEPALIVE, 1)
        switch configuration.proxy {
        case .none:
            try handle.set(CURLOPT_PROXY, "")
        case .url(let url, let except):
            try handle.set(CURLOPT_PROXY, url)
            try handle.set(CURLOPT_NOPROXY, except)
        }
        if let file = configuration.certificateAuthorities {
            try handle.set(CURLOPT_CAINFO, file)
            // Else the directory of the system's authorities counts as well.
            try handle.unset(CURLOPT_CAPATH)
        }
        let limits = request.isWrite ? configuration.writeLimits : configuration.readLimits
        try handle.set(CURLOPT_CONNECTTIMEOUT, limits.connect)
        try handle.set(CURLOPT_TIMEOUT_MS, Int(limits.total * 1000))
        if limits.idle > 0 {
            try handle.set(CURLOPT_LOW_SPEED_LIMIT, 1)
            try handle.set(CURLOPT_LOW_SPEED_TIME, limits.idle)
        }
        if request.isWrite { try handle.set(CURLOPT_FRESH_CONNECT, 1) }
        if request.method == .post {
            try handle.set(CURLOPT_POST, 1)
            try handle.setForm(FormBody.encode(request.form))
        }
    }

    /// A request that worked is not made to fail by a full disk: the session then just ends with the program.
    private mutating func keepCookies() {
        guard configuration.keepsCookies, let path = configuration.cookieFile else { return }
        let cookies = handle.cookies().sorted()
        guard cookies != keptCookies || isCookieFileStale else { return }
        keptCookies = cookies
        isCookieFileStale = !CookieFile.write(cookies, to: path)
    }
}
