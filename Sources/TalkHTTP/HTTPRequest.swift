/// One HTTP request.
///
/// Its description and its mirror show method and address only, since form and token hold secrets.
public struct HTTPRequest: Sendable {
    /// The methods that a wiki's API needs.
    public enum Method: String, Hashable, Sendable {
        /// `GET`.
        case get = "GET"
        /// `POST` of a form.
        case post = "POST"
    }

    /// What happens when the body is longer than wanted.
    public enum BodyLimit: Hashable, Sendable {
        /// The transfer ends with `TransportError.Kind.tooLarge`.
        case refuse(above: Int)
        /// The transfer ends early and the first bytes are the body.
        case truncate(to: Int)
    }

    /// The method.
    public var method: Method
    /// An absolute `http` or `https` address.
    public var url: String
    /// The fields of a form, sent in the body; only with `POST`.
    public var form: [(String, String)]
    /// Further headers.
    public var headers: [(String, String)]
    /// Whether the request changes something on the server.
    ///
    /// Such a request gets a connection of its own and the longer time limits: libcurl sends a request again when a
    /// kept connection turns out to be dead, a `POST` included.
    public var isWrite: Bool
    /// Sent as `Authorization: Bearer`, to the host of `url` only.
    public var bearerToken: String?
    /// Whether a `GET` may be led to any other host, instead of only from `http` to `https`.
    public var followsToOtherHosts: Bool
    /// How much body is wanted.
    public var bodyLimit: BodyLimit

    /// Makes a request.
    public init(
        _ method: Method, _ url: String, form: [(String, String)] = [], headers: [(String, String)] = [],
        isWrite: Bool = false, bearerToken: String? = nil, followsToOtherHosts: Bool = false,
        bodyLimit: BodyLimit = .refuse(above: 64 << 20)
    ) {
        self.method = method
        self.url = url
        self.form = form
        self.headers = headers
        self.isWrite = isWrite
        self.bearerToken = bearerToken
        self.followsToOtherHosts = followsToOtherHosts
        self.bodyLimit = bodyLimit
    }
}

extension HTTPRequest: CustomStringConvertible, CustomReflectable {
    /// Method and address without the query.
    public var description: String { "\(method.rawValue) \(url.prefix { $0 != "?" && $0 != "#" })" }
    /// No children, so that `dump` shows no secret.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// A complete HTTP answer, whatever its status.
public struct HTTPResponse: Sendable {
    /// The status code.
    public let status: Int
    /// The headers of the last answer, in order.
    public let headers: [(String, String)]
    /// The body, decompressed.
    public let body: [UInt8]
    /// The address that answered, after redirects.
    public let effectiveURL: String
    /// Where a redirect that was not followed leads.
    public let redirectURL: String?

    /// Makes an answer.
    public init(
        status: Int, headers: [(String, String)], body: [UInt8], effectiveURL: String, redirectURL: String? = nil
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.effectiveURL = effectiveURL
        self.redirectURL = redirectURL
    }

    /// The first header of that name; case does not matter.
    public func header(_ name: String) -> String? {
        headers.first { $0.0.lowercased() == name.lowercased() }?.1
    }
}
