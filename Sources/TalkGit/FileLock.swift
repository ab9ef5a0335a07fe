internal import Glibc

/// An advisory lock on a file (`flock`), held until the value is gone or the process ends, however it ends.
///
/// The file itself is never removed: who waits for it would then hold the lock of nothing.
public struct FileLock: ~Copyable, Sendable {
    /// Who may hold the lock at the same time.
    public enum Mode: Hashable, Sendable {
        /// Others that share it.
        case shared
        /// Nobody else.
        case exclusive
    }

    private let descriptor: Descriptor
    private var isHandedOn = false

    private init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

    deinit {
        // Closing the file is not enough: a program that another thread starts has it open until it begins.
        if !isHandedOn { flock(descriptor.number, LOCK_UN) }
    }

    /// Takes the lock, making the file when it is missing; nil when somebody else held it during `wait` seconds.
    ///
    /// With `wait` 0 it asks once.
    public static func take(_ mode: Mode, at path: String, wait seconds: Double) throws(FileError) -> FileLock? {
        try take(mode, try Descriptor(opening: path, O_RDWR | O_CREAT, mode: 0o600), path, seconds)
    }

    /// Takes the lock on a file that must be there, and changes nothing on the disk.
    public static func takeQuietly(_ mode: Mode, at path: String, wait seconds: Double) throws(FileError) -> FileLock? {
        try take(mode, try Descriptor(opening: path, O_RDONLY), path, seconds)
    }

    private static func take(
        _ mode: Mode, _ descriptor: consuming Descriptor, _ path: String, _ seconds: Double
    ) throws(FileError) -> FileLock? {
        let operation = (mode == .shared ? LOCK_SH : LOCK_EX) | LOCK_NB
        let step = 0.005
        var waited = 0.0
        while true {
            if flock(descriptor.number, operation) == 0 { return FileLock(descriptor) }
            guard errno == EWOULDBLOCK || errno == EINTR else { throw FileError("flock", path) }
            guard waited < seconds else { return nil }
            usleep(UInt32(step * 1_000_000))
            waited += step
        }
    }

    /// The open file, for a program that is started and then holds the lock as well.
    ///
    /// From now on the lock is let go when both have.
    public mutating func handOn() -> Int32 {
        isHandedOn = true
        return descriptor.number
    }

    /// Lets go of the lock.
    public consuming func release() {}
}
