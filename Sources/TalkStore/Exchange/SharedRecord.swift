internal import TalkGit
internal import TalkPages

/// What a store shares with others beside its pages: a reference to a tree of small files, joined file by file.
///
/// The commit of such a reference has no parent and tells nothing but its tree, so that two stores that know the same have
/// the same reference.
enum SharedRecord: CaseIterable {
    /// What was taken out of the history of pages: below each page a file a revision.
    case purged
    /// Which pages are kept for ever: a file a page with a counter, odd while the bookmark is on.
    case bookmarks
    /// The titles that are too long for the name of a branch: a file a page.
    case titles

    /// Name of the reference.
    var reference: String {
        switch self {
        case .purged: PurgeRecord.reference
        case .bookmarks: "refs/meta/bookmarks"
        case .titles: "refs/meta/titles"
        }
    }

    /// The last component of the reference's name.
    var name: String { String(reference.dropFirst(Self.prefix.count)) }

    static let prefix = "refs/meta/"

    /// Number of names in the path of a file.
    var depth: Int { self == .purged ? 4 : 3 }

    /// The bytes of the commit.
    func commit(_ tree: ObjectID) -> [UInt8] {
        let subject =
            switch self {
            case .purged: "Parts of revisions that the wikis have hidden"
            case .bookmarks: "Bookmarked pages"
            case .titles: "Titles that are too long for a branch"
            }
        return CommitText(
            tree: tree, parents: [], author: CommitText.committer(at: 0), committer: CommitText.committer(at: 0),
            subject: subject, trailers: []
        ).bytes
    }

    /// Whether a file of this path may say this; `path` has `depth` names.
    func isValid(_ text: String, at path: [String]) -> Bool {
        guard path.count == depth, path.prefix(3).allSatisfy({ RefComponent.isValid($0) }) else { return false }
        switch self {
        case .purged:
            guard let id = Int64(path[3]), id > 0, String(id) == path[3] else { return false }
            let parts = PurgedParts(words: text.split(whereSeparator: \.isWhitespace))
            return !parts.isEmpty && text.utf8.elementsEqual(parts.text.utf8)
        case .bookmarks:
            guard text.hasSuffix("\n"), let counter = Int64(text.dropLast()), counter > 0 else { return false }
            return "\(counter)\n" == text
        case .titles:
            // The path has a digest of the title, so nobody can give a page another one.
            guard text.hasSuffix("\n") else { return false }
            let name = RefComponent.escape(String(text.dropLast()))
            return name.utf8.elementsEqual(path[2].utf8) && name.contains("=")
        }
    }

    /// What two stores know of one thing together.
    func join(_ one: String, _ other: String) -> String {
        switch self {
        case .purged:
            func parts(_ text: String) -> PurgedParts { PurgedParts(words: text.split(whereSeparator: \.isWhitespace)) }
            return parts(one).union(parts(other)).text
        case .bookmarks:
            func counter(_ text: String) -> Int64 { Int64(text.dropLast()) ?? 0 }
            return counter(one) >= counter(other) ? one : other
        case .titles:
            // Both have the digest of the path; should they differ all the same, every store keeps the same one.
            return one.utf8.lexicographicallyPrecedes(other.utf8) ? other : one
        }
    }

    /// Joins all that two stores know.
    func join(_ one: [String: String], _ other: [String: String]) -> [String: String] {
        one.merging(other) { join($0, $1) }
    }
}

extension PurgedParts {
    /// The content of a file in `refs/meta/purged`.
    var text: String { words.joined(separator: " ") + "\n" }
}

extension Repository {
    /// The most files of a shared record, and the most bytes of one: more comes from no store.
    private static var sharedLimits: (files: Int, bytes: Int) { (1 << 20, 1 << 12) }

    /// The files of a shared record by path; throws when there is one that it may not have.
    borrowing func files(of record: SharedRecord, at commit: ObjectID?) throws(GitError) -> [String: String] {
        guard let commit else { return [:] }
        func refused(_ what: String) -> GitError { GitError(.generic, "check", "\(record.reference) \(what)") }
        guard let text = CommitText(parsing: try bytes(of: .commit, commit)) else { throw refused("is no record") }
        var files: [String: String] = [:]
        var directories: [(path: [String], id: ObjectID)] = [([], text.tree)]
        while let (path, id) = directories.popLast() {
            for entry in try tree(id) {
                let path = path + [entry.name]
                if path.count < record.depth {
                    guard entry.mode == .directory else { throw refused("has a file where a page belongs") }
                    directories.append((path, entry.id))
                    continue
                }
                let name = path.joined(separator: "/")
                guard entry.mode == .file, files.count < Self.sharedLimits.files,
                    try size(of: .blob, entry.id) <= Self.sharedLimits.bytes,
                    let text = String(validating: try bytes(of: .blob, entry.id), as: UTF8.self),
                    record.isValid(text, at: path)
                else { throw refused("has something else at \(name)") }
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
