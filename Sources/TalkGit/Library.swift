internal import CLibgit2

/// libgit2, which is loaded when it is first needed and stays until the process ends.
///
/// It reads no configuration file of the machine, so that nobody's `~/.gitconfig` changes what a store holds or keeps
/// it from opening, and it flushes everything that it writes below a git directory.
struct Library: @unchecked Sendable {
    // Filled once, before anybody else sees it.
    let functions: UnsafePointer<shim_git>

    private static let loaded: Result<Library, GitError> = {
        let functions = UnsafeMutablePointer<shim_git>.allocate(capacity: 1)
        functions.initialize(to: shim_git())
        if let reason = shim_git_load(functions) { return .failure(GitError(notLoaded: String(cString: reason))) }
        let git = UnsafePointer(functions)
        var status = git.pointee.libgit2_init()
        for level in [
            GIT_CONFIG_LEVEL_SYSTEM, GIT_CONFIG_LEVEL_XDG, GIT_CONFIG_LEVEL_GLOBAL, GIT_CONFIG_LEVEL_PROGRAMDATA,
        ] where status >= 0 {
            status = shim_git_set_search_path(git, level.rawValue, "")
        }
        if status >= 0 { status = shim_git_set_fsync(git, 1) }
        // Not `check`, which asks for what is made here.
        if status < 0 { return .failure(GitError(status: status, function: "git_libgit2_init", git)) }
        return .success(Library(functions: git))
    }()

    /// Throws an error whose cause is `.noLibrary` on a machine without libgit2.
    static func load() throws(GitError) -> Library { try loaded.get() }
}
