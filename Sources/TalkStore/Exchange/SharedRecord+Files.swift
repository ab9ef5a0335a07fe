internal import TalkGit
internal import TalkPages

extension PurgedParts {
    /// The content of a file in `refs/meta/purged`.
    var text: String { words.joined(separator: " ") + "\n" }
}

extension Repository {
    /// The most files of a shared record, and the most bytes of one: more comes from no store.
    private static var sharedLimits: (files: Int, bytes: Int) { (1 << 20, 1 << 12) }

    /// The files of a shared record by path; throws when there is one that it may not have.
    ///
    /// With `isLenient` that one is left out.
    borrowing func files(
        of record: SharedRecord, at commit: ObjectID?, isLenient: Bool = false
    ) throws(GitError) -> [String: String] {
        guard let commit else { return [:] }
        func refused(_ what: String) -> GitError { GitError(.generic, "check", "\(record.reference) \(what)") }
        guard let text = CommitText(parsing: try bytes(of: .commit, commit)) else { throw refused("is no record") }
        var files: [String: String] = [:]
        var directories: [(path: [String], id: ObjectID)] = [([], text.tree)]
        while let (path, id) = directories.popLast() {
            for entry in try tree(id) {
                let path = path + [entry.name]
                if path.count < record.depth {
                    if entry.mode == .directory {
                        directories.append((path, entry.id))
                    } else if !isLenient {
                        throw refused("has a file where a page belongs")
                    }
                    continue
                }
                let name = path.joined(separator: "/")
                guard entry.mode == .file, files.count < Self.sharedLimits.files,
                    try size(of: .blob, entry.id) <= Self.sharedLimits.bytes,
                    let text = String(validating: try bytes(of: .blob, entry.id), as: UTF8.self),
                    record.isValid(text, at: path)
                else {
                    if isLenient { continue }
                    throw refused("has something else at \(name)")
                }
                files[name] = text
            }
        }
        return files
    }

    /// Puts a shared record into the batch, and gives its commit's name; there is no record without a file.
    borrowing func insert(
        _ record: SharedRecord, _ files: [String: String], into batch: inout ObjectBatch
    ) throws(GitError) -> ObjectID? {
        if files.isEmpty { return nil }
        var levels: [[String]: [TreeEntry]] = [:]
        for (path, text) in files {
            let names = StoreLayout.names(in: path)
            let id = try batch.insert(.blob, Array(text.utf8))
            levels[Array(names.dropLast()), default: []].append(
                TreeEntry(name: names[names.count - 1], mode: .file, id: id))
        }
        for depth in (1..<record.depth).reversed() {
            for (path, entries) in levels where path.count == depth {
                let tree = try batch.insert(tree: entries)
                levels[Array(path.dropLast()), default: []].append(
                    TreeEntry(name: path[depth - 1], mode: .directory, id: tree))
            }
        }
        let root = try batch.insert(tree: levels[[]] ?? [])
        return try batch.insert(.commit, record.commit(root))
    }
}
