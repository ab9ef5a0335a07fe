internal import Glibc

/// An open file or directory.
struct Descriptor: ~Copyable {
    let number: Int32

    init(opening path: String, _ flags: Int32, mode: UInt32 = 0) throws(FileError) {
        number = try retrying("open", path) { open(path, flags | O_CLOEXEC, mode) }
    }

    init(opening name: String, in directory: borrowing Descriptor, _ flags: Int32) throws(FileError) {
        let parent = directory.number
        number = try retrying("openat", name) { openat(parent, name, flags | O_CLOEXEC) }
    }

    /// From now on the value's, which closes it.
    fileprivate init(owning number: Int32) { self.number = number }

    deinit { close(number) }

    borrowing func write(_ bytes: [UInt8], path: String) throws(FileError) {
        var written = 0
        while written < bytes.count {
            written += try retrying("write", path) {
                bytes.withUnsafeBytes { Glibc.write(number, $0.baseAddress! + written, bytes.count - written) }
            }
        }
    }

    borrowing func readAll(path: String) throws(FileError) -> [UInt8] {
        var info = stat()
        _ = try retrying("fstat", path) { fstat(number, &info) }
        guard info.st_mode & S_IFMT == S_IFREG else { throw FileError(code: EINVAL, "read", path) }
        var bytes: [UInt8] = []
        var failure: FileError?
        // One more than its size, so that the last read says that it was the last.
        let size = Int(info.st_size) + 1
        while true {
            let chunk = [UInt8](unsafeUninitializedCapacity: max(size - bytes.count, 4096)) { buffer, count in
                do throws(FileError) {
                    count = try retrying("read", path) { read(number, buffer.baseAddress, buffer.count) }
                } catch {
                    failure = error
                }
            }
            if let failure { throw failure }
            if chunk.isEmpty { return bytes }
            if bytes.isEmpty { bytes = chunk } else { bytes += chunk }
        }
    }

    borrowing func synchronize(path: String) throws(FileError) {
        _ = try retrying("fsync", path) { fsync(number) }
    }
}

/// What joins this program and one that it starts: a socket, of which both ends read and write.
struct DescriptorPair: ~Copyable {
    let own: Descriptor
    let other: Descriptor

    init(_ path: String) throws(FileError) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        _ = try retrying("socketpair", path) { socketpair(AF_UNIX, kind, 0, &ends) }
        own = Descriptor(owning: ends[0])
        other = Descriptor(owning: ends[1])
    }
}

/// Runs a system call until a signal does not interrupt it.
@discardableResult
func retrying<Status: SignedInteger>(
    _ operation: String, _ path: String, _ call: () -> Status
) throws(FileError) -> Status {
    while true {
        let status = call()
        if status >= 0 { return status }
        if errno != EINTR { throw FileError(operation, path) }
    }
}
