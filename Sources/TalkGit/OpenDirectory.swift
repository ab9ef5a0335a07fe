internal import Glibc

/// A directory that stays the same one while it is read, whatever its path leads to by then.
public struct OpenDirectory: ~Copyable {
    private let descriptor: Descriptor
    private let path: String

    /// Opens a directory; throws an error that `isMissing` when it is not there.
    public init(_ path: String) throws(FileError) {
        descriptor = try Descriptor(opening: path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        self.path = path
    }

    /// The bytes of a file below the directory; no link is followed at its end.
    public borrowing func read(_ name: String) throws(FileError) -> [UInt8] {
        let file = try Descriptor(opening: name, in: descriptor, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        return try file.readAll(path: "\(path)/\(name)")
    }
}
