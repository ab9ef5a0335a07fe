/// Why an operation failed, in words for the user.
///
/// `message` says what happened in one sentence about this page or this reply, without a secret in it; `hint` says what
/// to do next. Expected outcomes (a page that did not change, a reply that was set aside) are values, not errors.
public struct TalkError: Error, Sendable {
    /// What the caller can do about it; the program's exit code is a function of this alone.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// The page, revision, topic, comment or pending reply is not there, or several match.
        case notFound
        /// The user's own input cannot be used: a title, a URL, an empty reply.
        case invalid
        /// The store cannot be written: permissions, a full or read-only disk.
        case unwritable
        /// The store is damaged, is not a store, or is of a newer format.
        case damaged
        /// A program or a library that this needs, git or libgit2, is not installed.
        case missingProgram
        /// The program is wrong, not the user.
        case `internal`
        /// Another process holds the store, or a branch moved while the operation ran.
        case busy
        /// The wiki could not be reached or gave no usable answer; the same request may work later.
        case unreachable
        /// Whether a reply was saved is not known yet; the next command looks again.
        case unknownOutcome
        /// The wiki refused: login, block, protection, filter.
        case refused
    }

    /// What the caller can do about it.
    public let kind: Kind
    /// What happened, one sentence without a full stop.
    public let message: String
    /// What the user can do next, one line.
    public let hint: String?
    /// The error of the layer below, for the log.
    public let underlying: (any Error)?

    /// Makes an error; `message` and `hint` are shown to the user as they are.
    public init(_ kind: Kind, _ message: String, hint: String? = nil, underlying: (any Error)? = nil) {
        self.kind = kind
        self.message = message
        self.hint = hint
        self.underlying = underlying
    }
}

extension TalkError: CustomStringConvertible {
    /// The message alone.
    public var description: String { message }
}
