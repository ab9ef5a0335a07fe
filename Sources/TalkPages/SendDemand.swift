/// What a wiki wants from a person before it saves a reply; nothing but the user's own word answers it.
public struct SendDemand: Codable, Hashable, Sendable {
    /// What is wanted.
    public enum Kind: String, Codable, Sendable {
        /// An edit filter warned: the same edit, sent once more, is taken for a confirmation.
        case warning
        /// A question that people answer and programs do not.
        case captcha
    }

    /// What is wanted.
    public var kind: Kind
    /// The wiki's words: the warning, or the question without markup.
    public var text: String
    /// `captchaid`.
    public var captcha: String?
    /// Address of the picture that shows the question, as the wiki gave it; nil when `text` is the question.
    public var image: String?
    /// Whether only a browser can show it.
    public var wantsBrowser: Bool
    /// The user's answer to the captcha, until it is sent.
    public var answer: String?
    /// Whether the user confirmed, until that is sent.
    public var isConfirmed: Bool
    /// SHA-256 of the text that it is about, in hexadecimal: of a text that was changed since nothing is known.
    public var digest: String

    /// Makes a demand that nobody answered yet.
    public init(
        _ kind: Kind, of reply: PendingReply, text: String, captcha: String? = nil, image: String? = nil,
        wantsBrowser: Bool = false
    ) {
        self.kind = kind
        self.text = text
        self.captcha = captcha
        self.image = image
        self.wantsBrowser = wantsBrowser
        isConfirmed = false
        digest = Self.sum(of: reply)
    }

    /// Whether it is about the text of the reply as it is now.
    public func concerns(_ reply: PendingReply) -> Bool { digest == Self.sum(of: reply) }

    private static func sum(of reply: PendingReply) -> String { SHA256.hexadecimal(of: reply.text) }
}
