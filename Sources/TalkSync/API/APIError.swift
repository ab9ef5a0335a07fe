public import TalkPages

/// An error that a wiki answered with, or an answer that is none of MediaWiki's.
///
/// The latter have codes of our own: `http-503`, `http-redirect`, `not-json`, `empty-answer`, `truncated-answer`.
public struct APIError: Error, Hashable, Sendable {
    /// MediaWiki's code as it came; decide by this, never by the text.
    public let code: String
    /// The wiki's own words, one line, without control characters.
    public let text: String
    /// What belongs to the code: `blockinfo`, `abusefilter`, `captcha`.
    public let data: JSONValue
    /// The module that refused, `edit`.
    public let module: String?
    /// What is to be done.
    public let errorClass: APIErrorClass
    /// How much of the outbox waits with it.
    public let scope: APIErrorClass.Scope
    /// The kind of the error for the caller of a read.
    public let kind: TalkError.Kind
    /// What happened, in words for the user, one sentence without a full stop.
    public let words: String

    /// Whether it is no answer of MediaWiki's but that of a server, which may stand before the wiki or in its place.
    var isServers: Bool { code.hasPrefix("http-") || ["not-json", "empty-answer", "truncated-answer"].contains(code) }

    /// Judges what a wiki answered.
    ///
    /// `retryAfter` is the time in seconds that came with the answer.
    public init(
        code: String, text: String, data: JSONValue = .null, module: String? = nil, isWrite: Bool,
        retryAfter: Int? = nil
    ) {
        let rule = APIErrorRules.rule(for: code)
        self.code = code
        self.text = Self.oneLine(text)
        self.data = data
        self.module = module
        kind = rule.kind
        let isPartialBlock = data["blockinfo"]?.flag("blockpartial") ?? false
        scope = isPartialBlock ? .page : rule.scope
        words = rule.words
        switch rule.classFor(isWrite: isWrite) {
        case .retryLater(let seconds):
            errorClass = .retryLater(after: retryAfter.map { max($0, seconds ?? 0) } ?? seconds)
        case .needsUser: errorClass = .needsUser(scope: scope)
        case let other: errorClass = other
        }
    }

    /// The same error, with so many seconds to wait at least.
    func waiting(_ seconds: Int) -> APIError {
        APIError(code: code, text: text, data: data, module: module, isWrite: false, retryAfter: seconds)
    }

    /// What is to be done about a code.
    public static func classify(code: String, isWrite: Bool) -> APIErrorClass {
        APIErrorRules.rule(for: code).classFor(isWrite: isWrite)
    }

    /// The error that decides when a wiki names several: the one that is hardest to get over.
    static func gravest(_ errors: [APIError]) -> APIError? {
        errors.enumerated().max { ($0.element.gravity, -$0.offset) < ($1.element.gravity, -$1.offset) }?.element
    }

    private var gravity: Int {
        switch errorClass {
        case .retryLater: 0
        case .recoverOnce: 1
        case .needsUser: 2
        case .permanent: 3
        case .verify: 4
        }
    }

    /// The error for the user; `subject` names what was asked for, as in `Talk:Bridge`.
    public func talkError(_ subject: String? = nil) -> TalkError {
        let start = subject.map { "\($0): " } ?? ""
        let saying = text.isEmpty || code.hasPrefix("http-") ? "" : " (the wiki says: \(text) [\(code)])"
        return TalkError(kind, start + explanation + saying, hint: hint, underlying: self)
    }

    /// `words` with what the wiki added to the code: who blocked and until when, why it is read-only, which link.
    public var explanation: String {
        if let block = data["blockinfo"] {
            // The software itself blocks as nobody.
            let by = block["blockedby"]?.text.flatMap { $0.isEmpty ? nil : " by " + $0 } ?? ""
            let until = block["blockexpiry"]?.text.flatMap(APITimestamp.seconds).map(APITimestamp.text)
            let reason = block["blockreason"]?.text.flatMap { $0.isEmpty ? nil : ": " + $0 } ?? ""
            return Self.oneLine(words + by + (until.map { " until \($0)" } ?? "") + reason)
        }
        let detail =
            data["readonlyreason"]?.text ?? data["spamblacklist"]?["matches"]?[0]?.text
            ?? data["abusefilter"]?["description"]?.text
        return Self.oneLine(detail.map { "\(words): \($0)" } ?? words)
    }

    private var hint: String? {
        switch (errorClass, kind) {
        case (.retryLater(let seconds?), _): "try again in \(Self.span(seconds))"
        case (_, .unreachable): "try again later"
        case _ where code.hasPrefix("http-"): "try from another network, or ask who runs the wiki"
        case (.needsUser(.wiki), .refused) where data["blockinfo"]?.flag("blockanononly") ?? true:
            "log in with an account that may do this"
        default: nil
        }
    }

    /// A time in seconds, minutes or hours, rounded up.
    private static func span(_ seconds: Int) -> String {
        switch seconds {
        case ...120: "\(seconds) s"
        case ...7200: "\((seconds + 59) / 60) min"
        default: "\((seconds + 3599) / 3600) h"
        }
    }

    private static func oneLine(_ text: String) -> String {
        let visible = text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }
        let joined = String(String.UnicodeScalarView(visible))
        let words = joined.split(separator: " ").joined(separator: " ")
        return words.count > 400 ? String(words.prefix(399)) + "…" : words
    }
}

extension APIError: CustomStringConvertible {
    /// Code and text, for the log.
    public var description: String { text.isEmpty ? code : "\(code): \(text)" }
}
