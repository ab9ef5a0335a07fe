internal import CLibgit2

/// One git configuration file, opened for writing.
///
/// Reading needs no library: see `GitConfiguration`. What is written is not flushed, but by `change`.
public struct ConfigurationFile: ~Copyable {
    private let git: UnsafePointer<shim_git>
    private let pointer: OpaquePointer

    /// Opens the file, which need not exist.
    public init(at path: String) throws(GitError) {
        let git = try Library.load().functions
        pointer = try makeHandle("git_config_open_ondisk") { git.pointee.config_open_ondisk(&$0, path) }
        self.git = git
    }

    /// Changes a file in one step, on the disk when this returns: a power failure leaves the old one or the new one.
    ///
    /// Throws `.locked` while git changes it.
    public static func change(
        _ path: String, _ body: (borrowing ConfigurationFile) throws(GitError) -> Void
    ) throws(GitError) {
        let lock = path + ".lock"
        do throws(FileError) {
            try Files.create(lock, Files.read(path) ?? [], mode: 0o600)
        } catch {
            guard error.isExisting else { throw GitError(error) }
            throw GitError(.locked, "change", "\(lock) is there")
        }
        do throws(GitError) {
            try body(ConfigurationFile(at: lock))
            do throws(FileError) {
                try Files.synchronize(lock)
                try Files.rename(lock, to: path)
                try Files.synchronizeDirectory(Files.directory(of: path))
            } catch { throw GitError(error) }
        } catch {
            try? Files.remove(lock)
            throw error
        }
    }

    deinit { git.pointee.config_free(pointer) }

    /// Sets a key to one value, or removes it when `value` is nil.
    public borrowing func set(_ key: String, to value: String?) throws(GitError) {
        if let value {
            try check("git_config_set_string") { git.pointee.config_set_string(pointer, key, value) }
        } else {
            let status = git.pointee.config_delete_entry(pointer, key)
            if status != GIT_ENOTFOUND.rawValue { try check("git_config_delete_entry") { status } }
        }
    }

    /// Adds a value to a key that may have several.
    public borrowing func add(_ key: String, _ value: String) throws(GitError) {
        // No value that stands there is this one, so none is replaced.
        try check("git_config_set_multivar") { git.pointee.config_set_multivar(pointer, key, "a^", value) }
    }
}
