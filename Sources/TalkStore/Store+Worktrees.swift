internal import TalkGit
internal import TalkPages

/// A worktree of the user's, as git keeps it below `.git/worktrees`.
struct Worktree {
    /// Its git directory.
    let place: String
    /// Where the user has its files; where git does not tell, its name.
    let directory: String
    /// Whether its files are there: one that was removed by hand stays on git's list until it is pruned.
    let isThere: Bool
    /// What is checked out: a commit's name, or `ref: ` and a branch.
    let head: String
}

extension Store {
    /// The worktrees of the user's, sorted by name.
    func worktrees(_ subject: String) throws(TalkError) -> [Worktree] {
        let all = "\(layout.gitDirectory)/worktrees"
        return try onDisk(subject) { () throws(FileError) in
            var found: [Worktree] = []
            for name in try Files.list(all) ?? [] {
                let place = "\(all)/\(name)"
                func line(_ file: String) throws(FileError) -> String {
                    String(decoding: (try Files.read("\(place)/\(file)") ?? []).prefix { $0 != 10 }, as: UTF8.self)
                }
                let link = try line("gitdir")
                found.append(
                    Worktree(
                        place: place, directory: link.isEmpty ? name : Files.directory(of: link),
                        isThere: try Files.information(link) != nil, head: try line("HEAD")))
            }
            return found
        }
    }
}
