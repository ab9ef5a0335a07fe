internal import Glibc

/// Cookies on disk, one line of the Netscape format each.
///
/// libcurl's own cookie jar would leave out nothing, but follows the umask; this file is never readable by others.
enum CookieFile {
    /// The lines of a file that exists; none when it cannot be read.
    static func read(_ path: String) -> [String] {
        guard let file = fopen(path, "re") else { return [] }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count < 1 << 22 {
            let count = fread(&chunk, 1, chunk.count, file)
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Replaces the file in one step; false when that failed, and then the old one still stands.
    static func write(_ lines: [String], to path: String) -> Bool {
        let temporary = "\(path).\(getpid()).new"
        unlink(temporary)
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { return false }
        let bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
        var offset = 0
        var isGood = fchmod(descriptor, 0o600) == 0
        while isGood, offset < bytes.count {
            let count = bytes[offset...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            isGood = count > 0
            offset += max(count, 0)
        }
        isGood = close(descriptor) == 0 && isGood
        isGood = isGood && rename(temporary, path) == 0
        if !isGood { unlink(temporary) }
        return isGood
    }
}
