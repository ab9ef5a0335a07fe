/// Why no complete HTTP answer arrived.
public struct TransportError: Error, Hashable, Sendable {
    /// What went wrong on the way.
    public enum Kind: String, Hashable, Sendable {
        /// The host name has no address.
        case resolve
        /// No connection came about.
        case connect
        /// The encrypted connection could not be set up.
        case tls
        /// The certificate of the server or of the proxy is not to be trusted.
        case certificate
        /// A time limit passed.
        case timeout
        /// The connection ended before the answer was complete.
        case cut
        /// More redirects than are followed.
        case tooManyRedirects
        /// The answer is larger than the request allows.
        case tooLarge
        /// The URL or a header cannot be used; nothing was sent.
        case badRequest
        /// Anything else.
        case other
    }

    /// What went wrong.
    public let kind: Kind
    /// Whether the server could have seen the request, wholly or in part.
    ///
    /// False only when libcurl had not begun to write it; true is not a proof that it arrived.
    public let wasSent: Bool
    /// libcurl's number, 0 when the error is this module's own.
    public let code: Int32
    /// libcurl's words; they may name the host, never a header or a body.
    public let detail: String

    /// Makes an error of this module's own or of libcurl's.
    public init(_ kind: Kind, wasSent: Bool, code: Int32 = 0, detail: String) {
        self.kind = kind
        self.wasSent = wasSent
        self.code = code
        self.detail = detail
    }
}

extension TransportError: CustomStringConvertible {
    /// Kind and libcurl's words, for a log.
    public var description: String { "\(kind.rawValue): \(detail)" }
}
