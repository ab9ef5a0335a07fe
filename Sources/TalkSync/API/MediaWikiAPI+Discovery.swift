internal import TalkHTTP
public import TalkPages

extension MediaWikiAPI {
    /// Finds the API of the wiki that an address belongs to.
    ///
    /// Reads the page's own `EditURI` link, then tries the usual places. Throws `unreachable` when the server does not
    /// answer and `invalid` when it does but is no wiki. Neither cookies nor a token are sent.
    public static func discover(from address: URLParts, settings: NetworkSettings) async throws(TalkError) -> String {
        try await MediaWikiAPI(endpoint: "", settings: settings).find(address)
    }

    private func find(_ address: URLParts) throws(TalkError) -> String {
        let page: HTTPResponse
        do throws(TransportError) {
            page = try send(
                HTTPRequest(
                    .get, address.withoutFragment, followsToOtherHosts: true, bodyLimit: .truncate(to: 256 << 10)))
        } catch {
            throw error.talkError(address.host)
        }
        let reached = URLParts(page.effectiveURL) ?? address
        let link = RealSimpleDiscovery.api(in: page.body, base: reached)
        let trouble: APIFailure?
        switch link.map({ ask($0, settings.retry) }) {
        case .api(let endpoint): return endpoint
        case .failure(let failure): trouble = failure
        case .somethingElse, nil: trouble = nil
        }
        for place in ["/w/api.php", "/api.php", "/wiki/api.php", "/mediawiki/api.php"] {
            let candidate = reached.server + place
            if candidate != link, case .api(let endpoint) = ask(candidate, nil) { return endpoint }
        }
        // The page named its API as MediaWiki does, so this is a wiki that has trouble.
        if let trouble, link?.hasSuffix("/api.php") == true { throw trouble.talkError(address.host) }
        switch page.status {
        case 429, 500...:
            throw APIError(code: "http-\(page.status)", text: "", isWrite: false, retryAfter: RetryAfter.seconds(page))
                .talkError(address.host)
        default:
            throw TalkError(
                .invalid, "\(address.host): no MediaWiki wiki was found at this address",
                hint: "give the address of a page of the wiki, or of its api.php")
        }
    }

    /// What answers at an address.
    private enum Answerer {
        /// A wiki's API, where the redirects led.
        case api(String)
        case somethingElse
        case failure(APIFailure)
    }

    /// Looks whether a wiki's API answers there; a private one refuses, in MediaWiki's own way.
    private func ask(_ url: String, _ policy: RetryPolicy?) -> Answerer {
        var attempts = RetryAttempts(policy)
        while true {
            let answerer = ask(url)
            guard case .failure(let failure) = answerer else { return answerer }
            switch attempts.decide(after: failure) {
            case .again(let pause): if let pause { policy?.wait(pause) }
            case .stop(let failure): return .failure(failure)
            }
        }
    }

    private func ask(_ url: String) -> Answerer {
        let query = "action=query&meta=siteinfo&format=json&formatversion=2&errorformat=plaintext"
        do throws(TransportError) {
            let response = try exchange(HTTPRequest(.get, url + "?" + query))
            let endpoint = String(response.effectiveURL.prefix { $0 != "?" })
            switch APIAnswer.read(response, isWrite: false) {
            case .result(let value):
                return value["query"]?["general"]?["generator"] != nil ? .api(endpoint) : .somethingElse
            case .error(let error): return error.module != nil ? .api(endpoint) : .failure(.refused(error))
            }
        } catch {
            return .failure(.transport(error))
        }
    }
}

/// The link with which a page of MediaWiki names its API.
enum RealSimpleDiscovery {
    /// The API of `<link rel="EditURI" href="…/api.php?action=rsd">`; an address without scheme gets that of the page.
    static func api(in html: [UInt8], base: URLParts) -> String? {
        let text = String(decoding: html, as: UTF8.self)
        for part in text.split(separator: "<link").dropFirst() {
            let tag = part.prefix { $0 != ">" }
            guard tag.contains("EditURI"), let value = attribute("href", in: tag) else { continue }
            let address = String(value.replacing("&amp;", with: "&").prefix { $0 != "?" && $0 != "#" })
            if address.hasPrefix("//") { return "\(base.scheme):\(address)" }
            if address.hasPrefix("/") { return base.server + address }
            guard let parts = URLParts(address) else { continue }
            // A wiki behind a proxy may believe that it is read without encryption.
            if base.scheme == "https", parts.scheme == "http" {
                return parts.host == base.host ? "https" + address.dropFirst(4) : nil
            }
            return address
        }
        return nil
    }

    private static func attribute(_ name: String, in tag: Substring) -> Substring? {
        guard let start = tag.firstRange(of: "\(name)=") else { return nil }
        let rest = tag[start.upperBound...]
        guard let quote = rest.first, quote == "\"" || quote == "'" else {
            return rest.prefix { !$0.isWhitespace && $0 != "/" }
        }
        return rest.dropFirst().prefix { $0 != quote }
    }
}
