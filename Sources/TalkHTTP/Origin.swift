internal import CLibcurl

/// Scheme, host and port of an address, as libcurl itself reads it.
struct Origin: Hashable {
    let scheme: String
    let host: String
    let port: String

    init?(_ url: String) {
        guard let curl = try? Library.load().functions.pointee else { return nil }
        let handle = curl.url()
        defer { curl.url_cleanup(handle) }
        guard let handle, curl.url_set(handle, CURLUPART_URL, url, 0) == CURLUE_OK,
            let scheme = Self.part(curl, handle, CURLUPART_SCHEME), let host = Self.part(curl, handle, CURLUPART_HOST),
            let port = Self.part(curl, handle, CURLUPART_PORT)
        else { return nil }
        self.scheme = scheme.lowercased()
        self.host = host.lowercased()
        self.port = port
    }

    /// Whether a `GET` may be led from here to `target`.
    ///
    /// The same host, or from `http` to `https`; never back to `http`.
    func mayLead(to target: Origin, anyHost: Bool) -> Bool {
        switch (scheme, target.scheme) {
        case ("http", "https"): true
        case ("http", "http"), ("https", "https"): anyHost || self == target
        default: false
        }
    }

    /// Whether a secret for this origin may go to `target`.
    func trusts(_ target: Origin) -> Bool {
        self == target
            || (host == target.host && scheme == "http" && port == "80" && target.scheme == "https"
                && target.port == "443")
    }

    private static func part(_ curl: shim_curl, _ handle: OpaquePointer, _ part: CURLUPart) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl.url_get(handle, part, &text, UInt32(CURLU_DEFAULT_PORT)) == CURLUE_OK, let text else { return nil }
        defer { curl.free(text) }
        return String(cString: text)
    }
}
