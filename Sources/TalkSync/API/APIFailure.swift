internal import TalkHTTP
internal import TalkPages

/// Why a call gave no result.
enum APIFailure: Error {
    /// No complete HTTP answer.
    case transport(TransportError)
    /// The wiki, or something before it, refused.
    case refused(APIError)

    static func wrap<Value>(_ body: () throws(TransportError) -> Value) throws(APIFailure) -> Value {
        do {
            return try body()
        } catch {
            throw .transport(error)
        }
    }

    /// What happened, in words for the user, without a full stop.
    var words: String {
        switch self {
        case .transport(let error): error.words
        case .refused(let error): error.words
        }
    }

    /// The error for the user; `subject` names what was asked for.
    func talkError(_ subject: String? = nil) -> TalkError {
        switch self {
        case .transport(let error): error.talkError(subject)
        case .refused(let error): error.talkError(subject)
        }
    }
}

extension TransportError {
    /// What happened, in words for the user, without a full stop.
    var words: String {
        switch kind {
        case .resolve: "the wiki's server name cannot be resolved"
        case .connect: "the wiki's server cannot be reached"
        case .tls: "no secure connection to the wiki came about"
        case .certificate: "the wiki's certificate could not be verified, so nothing was sent"
        case .timeout: "the wiki did not answer in time"
        case .cut: "the connection ended before the answer was complete"
        case .tooManyRedirects: "the server leads in a circle"
        case .tooLarge: "the answer is larger than this program takes"
        case .badRequest: "the address cannot be used"
        case .other: "the connection to the wiki failed"
        }
    }

    func talkError(_ subject: String? = nil) -> TalkError {
        let start = subject.map { "\($0): " } ?? ""
        let isTheirs = kind != .badRequest && kind != .tooLarge
        return TalkError(
            isTheirs ? .unreachable : .invalid, "\(start)\(words) (\(detail))",
            hint: isTheirs ? "check the connection and try again" : nil, underlying: self)
    }
}
