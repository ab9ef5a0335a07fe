internal import CLibgit2
internal import Glibc

/// What is known of a file without opening it.
public struct FileInformation: Hashable, Sendable {
    /// What it is.
    public enum Kind: Hashable, Sendable {
        /// A file with bytes.
        case file
        /// A directory.
        case directory
        /// A link, a socket and the like.
        case other
    }

    /// What it is.
    public let kind: Kind
    /// Its number in the file system.
    public let inode: UInt64
    /// Length in bytes.
    public let size: Int
    /// Nanoseconds since 1970 of the last change of its bytes, or of a directory's names.
    public let modified: Int64
    /// The same for the last change of anything, the number and the name included; no program can set it.
    public let changed: Int64
    /// The permission bits.
    public let permissions: UInt32

    fileprivate init(_ info: stat) {
        kind =
            switch info.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .directory
            default: .other
            }
        inode = UInt64(info.st_ino)
        size = Int(info.st_size)
        modified = Int64(info.st_mtim.tv_sec) * 1_000_000_000 + Int64(info.st_mtim.tv_nsec)
        changed = Int64(info.st_ctim.tv_sec) * 1_000_000_000 + Int64(info.st_ctim.tv_nsec)
        permissions = info.st_mode & 0o7777
    }
}

/// File operations that Foundation lacks or does not make durable, without a pointer in their signatures.
public enum Files {
    /// The bytes of a file; nil when it is not there.
    public static func read(_ path: String) throws(FileError) -> [UInt8]? {
        do throws(FileError) {
            let file = try Descriptor(opening: path, O_RDONLY | O_NONBLOCK)
            return try file.readAll(path: path)
        } catch {
            if error.isMissing { return nil }
            throw error
        }
    }

    /// Makes a file that must not be there yet.
    public static func create(_ path: String, _ bytes: [UInt8], mode: UInt32, durable: Bool = false) throws(FileError) {
        let file = try Descriptor(opening: path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode)
        try file.write(bytes, path: path)
        if durable { try file.synchronize(path: path) }
    }

    /// Puts a file in place in one step: a reader sees the old bytes or the new ones.
    ///
    /// `scratch` is a path in the same directory that nobody else uses at the same time. With `durable`, file and
    /// directory are flushed before it returns.
    public static func replace(
        _ path: String, _ bytes: [UInt8], mode: UInt32, scratch: String, durable: Bool = false
    ) throws(FileError) {
        try remove(scratch)
        try create(scratch, bytes, mode: mode, durable: durable)
        try rename(scratch, to: path)
        if durable { try synchronizeDirectory(directory(of: path)) }
    }

    /// Makes a directory and those above it that are missing; with `durable`, they are on the disk when it returns.
    public static func makeDirectories(
        _ path: String, mode: UInt32 = 0o700, durable: Bool = false
    ) throws(FileError) {
        var missing: [String] = []
        var made: [String] = []
        var path = path
        while true {
            if mkdir(path, mode) == 0 {
                made.append(path)
                break
            }
            if errno == EEXIST {
                guard try information(path, followingLink: true)?.kind == .directory else {
                    throw FileError(code: ENOTDIR, "mkdir", path)
                }
                break
            }
            guard errno == ENOENT, path.contains("/"), path != "/" else { throw FileError("mkdir", path) }
            missing.append(path)
            path = directory(of: path)
        }
        for path in missing.reversed() where mkdir(path, mode) != 0 && errno != EEXIST {
            throw FileError("mkdir", path)
        }
        for path in made + missing where durable { try synchronizeDirectory(directory(of: path)) }
    }

    /// Makes one directory; false when it was there.
    public static func makeDirectory(_ path: String, mode: UInt32 = 0o700) throws(FileError) -> Bool {
        if mkdir(path, mode) == 0 { return true }
        if errno == EEXIST { return false }
        throw FileError("mkdir", path)
    }

    /// What is known of a path; nil when nothing is there.
    public static func information(_ path: String, followingLink: Bool = false) throws(FileError) -> FileInformation? {
        var info = stat()
        guard (followingLink ? stat(path, &info) : lstat(path, &info)) == 0 else {
            let error = FileError("stat", path)
            if error.isMissing { return nil }
            throw error
        }
        return FileInformation(info)
    }

    /// The names in a directory, sorted by bytes; nil when it is not there.
    public static func list(_ path: String) throws(FileError) -> [String]? {
        guard let stream = opendir(path) else {
            let error = FileError("opendir", path)
            if error.isMissing { return nil }
            throw error
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = name(of: entry)
            if name != "." && name != ".." { names.append(name) }
        }
        return names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// The names in a directory, in no order, and which of them are directories; nil when it is not there.
    ///
    /// For directories of many files: nothing but the directory itself is read where the file system tells the kinds.
    public static func kinds(in path: String) throws(FileError) -> [(name: String, isDirectory: Bool)]? {
        guard let stream = opendir(path) else {
            let error = FileError("opendir", path)
            if error.isMissing { return nil }
            throw error
        }
        defer { closedir(stream) }
        var names: [(name: String, isDirectory: Bool)] = []
        while let entry = readdir(stream) {
            let name = name(of: entry)
            if name == "." || name == ".." { continue }
            let kind = Int32(entry.pointee.d_type)
            let isDirectory =
                kind == Int32(DT_UNKNOWN)
                ? try information("\(path)/\(name)")?.kind == .directory : kind == Int32(DT_DIR)
            names.append((name, isDirectory))
        }
        return names
    }

    /// The names in a directory, sorted by bytes, and what is known of each; nil when it is not there.
    public static func entries(
        in path: String
    ) throws(FileError) -> [(name: String, information: FileInformation)]? {
        guard let stream = opendir(path) else {
            let error = FileError("opendir", path)
            if error.isMissing { return nil }
            throw error
        }
        defer { closedir(stream) }
        var entries: [(name: String, information: FileInformation)] = []
        while let entry = readdir(stream) {
            let name = name(of: entry)
            if name == "." || name == ".." { continue }
            var info = stat()
            // Relative to the directory, whose path is not walked again for each name.
            guard fstatat(dirfd(stream), name, &info, AT_SYMLINK_NOFOLLOW) == 0 else {
                let error = FileError("fstatat", "\(path)/\(name)")
                // Gone since it was listed.
                if error.isMissing { continue }
                throw error
            }
            entries.append((name, FileInformation(info)))
        }
        return entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    private static func name(of entry: UnsafeMutablePointer<dirent>) -> String {
        withUnsafePointer(to: &entry.pointee.d_name) {
            $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
    }

    /// Gives a file a second name.
    public static func link(_ path: String, as other: String) throws(FileError) {
        _ = try retrying("link", other) { Glibc.link(path, other) }
    }

    /// Moves a file or directory over another one in one step.
    public static func rename(_ path: String, to other: String) throws(FileError) {
        _ = try retrying("rename", path) { Glibc.rename(path, other) }
    }

    /// Removes a file; nothing happens when it is not there.
    public static func remove(_ path: String) throws(FileError) {
        guard unlink(path) != 0 else { return }
        let error = FileError("unlink", path)
        if !error.isMissing { throw error }
    }

    /// Sets the permission bits of a file.
    public static func permit(_ path: String, _ mode: UInt32) throws(FileError) {
        _ = try retrying("chmod", path) { chmod(path, mode) }
    }

    /// Removes an empty directory; false when it is not empty or not there.
    @discardableResult
    public static func removeEmptyDirectory(_ path: String) throws(FileError) -> Bool {
        if rmdir(path) == 0 { return true }
        let error = FileError("rmdir", path)
        if error.isMissing || error.isExisting { return false }
        throw error
    }

    /// Removes a directory with all that is in it, following no link; nothing happens when it is not there.
    public static func removeTree(_ path: String) throws(FileError) {
        // A stack, not recursion: each directory is removed when it comes up the second time, then empty.
        var pending = [(path: path, isListed: false)]
        while let (path, isListed) = pending.popLast() {
            if isListed {
                try removeEmptyDirectory(path)
                continue
            }
            guard let kind = try information(path)?.kind else { continue }
            guard kind == .directory else {
                try remove(path)
                continue
            }
            pending.append((path, true))
            for name in try list(path) ?? [] { pending.append(("\(path)/\(name)", false)) }
        }
    }

    /// Sets the time of the last change to now, as the file system counts it, and gives that time.
    public static func touch(_ path: String) throws(FileError) -> Int64 {
        _ = try retrying("utimensat", path) { utimensat(AT_FDCWD, path, nil, 0) }
        return try information(path)?.modified ?? 0
    }

    /// Makes an empty file unless it is there, and sets the time of its last change.
    public static func mark(_ path: String, at seconds: Int64) throws(FileError) {
        let file = try Descriptor(opening: path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode: 0o600)
        let time = timespec(tv_sec: Int(seconds), tv_nsec: 0)
        _ = try retrying("futimens", path) { futimens(file.number, [time, time]) }
    }

    /// Makes the bytes of a file durable.
    public static func synchronize(_ path: String) throws(FileError) {
        let file = try Descriptor(opening: path, O_RDONLY)
        try file.synchronize(path: path)
    }

    /// Makes the names in a directory durable.
    public static func synchronizeDirectory(_ path: String) throws(FileError) {
        let file = try Descriptor(opening: path, O_RDONLY | O_DIRECTORY)
        try file.synchronize(path: path)
    }

    /// Exchanges two directories, or two files, in one step; false where the file system cannot.
    public static func exchange(_ path: String, _ other: String) throws(FileError) -> Bool {
        if shim_exchange(path, other) == 0 { return true }
        if errno == EINVAL || errno == ENOSYS { return false }
        throw FileError("renameat2", other)
    }

    /// What stands behind the last slash.
    public static func name(of path: String) -> String {
        // By bytes: a name may begin with a character that joins with the slash.
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
        return String(decoding: path.utf8[slash...].dropFirst(), as: UTF8.self)
    }

    /// What stands before the last slash.
    public static func directory(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
