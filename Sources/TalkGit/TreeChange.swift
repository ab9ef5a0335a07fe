/// A file that differs between two trees.
public struct TreeChange: Hashable, Sendable {
    /// Path from the root, with slashes.
    public let path: String
    /// The blob in the first tree; nil when it is only in the second.
    public let old: ObjectID?
    /// The blob in the second tree; nil when it is only in the first.
    public let new: ObjectID?

    /// Makes a change.
    public init(path: String, old: ObjectID?, new: ObjectID?) {
        self.path = path
        self.old = old
        self.new = new
    }
}

extension Repository {
    /// The files that differ between two trees, sorted by path; nil stands for the empty tree.
    ///
    /// Equal subtrees are not read, unlike with `git_diff_tree_to_tree` of libgit2 1.5, which expands them.
    public borrowing func changes(from old: ObjectID?, to new: ObjectID?) throws(GitError) -> [TreeChange] {
        var changes: [TreeChange] = []
        // A stack, not recursion: a tree from elsewhere may be as deep as it likes.
        var pending: [(path: String, old: ObjectID?, new: ObjectID?)] = [("", old, new)]
        while let (path, old, new) = pending.popLast() {
            guard old != new else { continue }
            let before = try entries(of: old), after = try entries(of: new)
            for name in Set(before.keys).union(after.keys) {
                let a = before[name], b = after[name]
                let file = path + name
                let directories = (a?.directory, b?.directory)
                if directories.0 != nil || directories.1 != nil {
                    pending.append((file + "/", directories.0, directories.1))
                }
                if (a?.file, a?.mode) != (b?.file, b?.mode), a?.file != nil || b?.file != nil {
                    changes.append(TreeChange(path: file, old: a?.file, new: b?.file))
                }
            }
        }
        return changes.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    private borrowing func entries(of tree: ObjectID?) throws(GitError) -> [String: TreeEntry] {
        guard let tree else { return [:] }
        return Dictionary(try self.tree(tree).map { ($0.name, $0) }) { first, _ in first }
    }
}

extension TreeEntry {
    fileprivate var directory: ObjectID? { mode == .directory ? id : nil }
    fileprivate var file: ObjectID? { mode == .directory ? nil : id }
}
