internal import Foundation

/// An `http` or `https` address, taken apart.
public struct URLParts: Hashable, Sendable {
    /// One field of the query.
    public struct Field: Hashable, Sendable {
        /// Its name, decoded.
        public var name: String
        /// Its value, decoded.
        public var value: String

        /// Makes a field.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// `http` or `https`.
    public var scheme: String
    /// Lower case; an IPv6 address stands in brackets.
    public var host: String
    /// The port, nil when it is the scheme's own.
    public var port: Int?
    /// Percent-encoded as it came, `/` at least.
    public var path: String
    /// The fields of the query.
    public var query: [Field]
    /// The query as it came.
    public var rawQuery: String?
    /// What follows `#`, decoded.
    public var fragment: String?

    /// Reads an address; nil when it is none.
    public init?(_ text: String) {
        guard let separator = text.firstRange(of: "://") else { return nil }
        scheme = text[..<separator.lowerBound].lowercased()
        guard scheme == "http" || scheme == "https" else { return nil }
        var rest = text[separator.upperBound...]
        // A control character or a space is never part of an address.
        guard !rest.unicodeScalars.contains(where: { $0.value <= 0x20 || $0.value == 0x7F }) else { return nil }
        if let hash = rest.firstIndex(of: "#") {
            let raw = String(rest[rest.index(after: hash)...])
            fragment = raw.isEmpty ? nil : Self.decoded(raw)
            rest = rest[..<hash]
        }
        query = []
        if let mark = rest.firstIndex(of: "?") {
            let raw = rest[rest.index(after: mark)...]
            rawQuery = String(raw)
            query = Self.fields(raw)
            rest = rest[..<mark]
        }
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        path = slash == rest.endIndex ? "/" : String(rest[slash...])
        let authority = rest[..<slash]
        // A name and password in an address are not for this program, and hide where it leads.
        guard !authority.contains("@"), !authority.contains("\\"), let (host, port) = Self.hostAndPort(authority) else {
            return nil
        }
        self.host = host
        self.port = port == (scheme == "https" ? 443 : 80) ? nil : port
    }

    /// Scheme, host and port without a slash at the end.
    public var server: String { "\(scheme)://\(host)\(port.map { ":\($0)" } ?? "")" }

    /// The address without its fragment, as it is requested.
    public var withoutFragment: String { server + path + (rawQuery.map { "?" + $0 } ?? "") }

    /// Whether it leads to this machine, so that nobody listens on the way.
    public var isLoopback: Bool {
        host == "localhost" || host == "[::1]" || host.hasPrefix("127.") && InternetAddress.canonical(host) != nil
    }

    /// Whether a secret may go there: encrypted, or to this machine.
    public var mayHaveSecrets: Bool { scheme == "https" || isLoopback }

    /// The value of the first field of that name.
    public func value(_ name: String) -> String? { query.first { $0.name == name }?.value }

    /// Percent-decoded; as it came when that gives no UTF-8.
    static func decoded(_ text: String) -> String { text.removingPercentEncoding ?? text }

    private static func hostAndPort(_ authority: Substring) -> (String, Int?)? {
        var host = authority
        var port: Int?
        let colon = authority.lastIndex(of: ":")
        if let colon, !authority[colon...].contains("]") {
            let digits = authority[authority.index(after: colon)...]
            guard digits.isEmpty || Int(digits).map({ (1...65_535).contains($0) }) == true else { return nil }
            port = Int(digits)
            host = authority[..<colon]
        }
        while host.last == "." { host.removeLast() }
        let isPlain = host.unicodeScalars.allSatisfy { scalar in
            scalar.value >= 0x80 || ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
                || ("0"..."9").contains(scalar) || "-._".unicodeScalars.contains(scalar)
        }
        let isAddress =
            host.first == "[" && host.last == "]"
            && InternetAddress.canonical(String(host.dropFirst().dropLast())) != nil
        guard !host.isEmpty, isPlain || isAddress else { return nil }
        return (host.lowercased(), port)
    }

    private static func fields(_ query: Substring) -> [Field] {
        query.split(separator: "&").map { field in
            let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { decoded(String($0).replacingScalar("+", with: " ")) }
            return Field(name: parts[0], value: parts.count == 2 ? parts[1] : "")
        }
    }
}
