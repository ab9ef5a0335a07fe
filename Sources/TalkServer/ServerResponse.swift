/// A complete answer.
public struct ServerResponse: Sendable {
    /// The status code.
    public var status: Int
    /// The headers; length and connection are added.
    public var headers: [(String, String)]
    /// The body.
    public var body: [UInt8]

    /// Makes an answer.
    public init(status: Int = 200, headers: [(String, String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// A text of a type, UTF-8.
    public static func text(
        _ text: String, type: String = "text/html; charset=utf-8", status: Int = 200, headers: [(String, String)] = []
    ) -> ServerResponse {
        ServerResponse(status: status, headers: [("Content-Type", type)] + headers, body: Array(text.utf8))
    }
}

/// What a server does with a request.
public enum ServerAnswer: Sendable {
    /// Sends the answer.
    case response(ServerResponse)
    /// Sends the headers and so many bytes of the body, then closes the connection.
    case cut(ServerResponse, afterBytes: Int)
    /// Closes the connection without a byte.
    case close
}
