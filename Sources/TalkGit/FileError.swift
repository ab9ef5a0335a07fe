internal import Glibc

/// A file operation that the operating system refused.
public struct FileError: Error, Hashable, Sendable {
    /// `errno`.
    public let code: Int32
    /// What was tried, as the system calls it: `open`, `rename`.
    public let operation: String
    /// The file, for the log; never part of a message to the user.
    public let path: String

    /// Must be called right after the failed call.
    init(_ operation: String, _ path: String) {
        code = errno
        self.operation = operation
        self.path = path
    }

    init(code: Int32, _ operation: String, _ path: String) {
        self.code = code
        self.operation = operation
        self.path = path
    }

    /// Whether the file, or a directory above it, is not there.
    public var isMissing: Bool { code == ENOENT || code == ENOTDIR }
    /// Whether something is there already.
    public var isExisting: Bool { code == EEXIST || code == ENOTEMPTY }
    /// Whether a name or the whole path is too long.
    public var isTooLong: Bool { code == ENAMETOOLONG }
    /// Why the operating system refused, where it is a matter of permission or space.
    public var cause: GitError.SystemCause? {
        switch code {
        case EACCES, EPERM: .denied
        case EROFS: .readOnly
        case ENOSPC, EDQUOT, EFBIG: .full
        default: nil
        }
    }
}

extension FileError: CustomStringConvertible {
    /// The call, the file and the system's words, for the log.
    public var description: String { "\(operation) \(path): \(String(cString: strerror(code)))" }
}
