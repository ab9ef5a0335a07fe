internal import CLibgit2

/// libgit2's global state, started once per process and never shut down.
///
/// It reads no configuration file of the machine, so that nobody's `~/.gitconfig` changes what a store holds or keeps
/// it from opening, and it flushes everything that it writes below a git directory.
enum Library {
    private static let status: Int32 = {
        let started = git_libgit2_init()
        guard started >= 0 else { return started }
        for level in [
            GIT_CONFIG_LEVEL_SYSTEM, GIT_CONFIG_LEVEL_XDG, GIT_CONFIG_LEVEL_GLOBAL, GIT_CONFIG_LEVEL_PROGRAMDATA,
        ] {
            let status = shim_git_set_search_path(level.rawValue, "")
            guard status >= 0 else { return status }
        }
        return shim_git_set_fsync(1)
    }()

    static func start() throws(GitError) {
        try check("git_libgit2_init") { status }
    }
}
