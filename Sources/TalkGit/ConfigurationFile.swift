internal import CLibgit2

/// One git configuration file, opened for writing.
///
/// Reading needs no library: see `GitConfiguration`.
public struct ConfigurationFile: ~Copyable {
    private let pointer: OpaquePointer

    /// Opens the file, which need not exist.
    public init(at path: String) throws(GitError) {
        try Library.start()
        pointer = try makeHandle("git_config_open_ondisk") { git_config_open_ondisk(&$0, path) }
    }

    deinit { git_config_free(pointer) }

    /// Sets a key to one value, or removes it when `value` is nil.
    public borrowing func set(_ key: String, to value: String?) throws(GitError) {
        if let value {
            try check("git_config_set_string") { git_config_set_string(pointer, key, value) }
        } else {
            let status = git_config_delete_entry(pointer, key)
            if status != GIT_ENOTFOUND.rawValue { try check("git_config_delete_entry") { status } }
        }
    }

    /// Adds a value to a key that may have several.
    public borrowing func add(_ key: String, _ value: String) throws(GitError) {
        // No value that stands there is this one, so none is replaced.
        try check("git_config_set_multivar") { git_config_set_multivar(pointer, key, "a^", value) }
    }
}
