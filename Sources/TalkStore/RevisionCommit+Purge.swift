internal import TalkGit
internal import TalkPages

extension RevisionCommit {
    /// The commit without what was purged; nil when nothing is left, since there is no revision without its text.
    func without(_ parts: PurgedParts, wiki: String) -> RevisionCommit? {
        if parts.isEmpty { return self }
        guard parts.isDisjoint(with: [.text, .revision]), var text = CommitText(parsing: parentless) else { return nil }
        if parts.contains(.user) {
            text.author.name = Self.hiddenUser
            text.author.mail = "hidden@\(wiki)"
        }
        if parts.contains(.summary) { text.subject = Self.hiddenSummary }
        return Self.parse(text.bytes, wiki: wiki)?.commit
    }
}

/// What was purged, as `refs/meta/purged` has it: a commit without parent, of a tree of all pages.
enum PurgeRecord {
    static let reference = "refs/meta/purged"

    /// The bytes of the commit: the same on every machine that has purged the same.
    static func commit(_ tree: ObjectID) -> [UInt8] {
        CommitText(
            tree: tree, parents: [], author: CommitText.committer(at: 0), committer: CommitText.committer(at: 0),
            subject: "Parts of revisions that the wikis have hidden", trailers: []
        ).bytes
    }
}

extension Repository {
    /// What was purged of a page.
    borrowing func purged(of page: PageName) throws(GitError) -> [RevisionID: PurgedParts] {
        guard let root = try purgedTree() else { return [:] }
        var next: ObjectID? = root
        for name in StoreLayout.components(of: page) {
            guard let tree = next else { return [:] }
            next = try self.tree(tree).first { $0.name == name }?.id
        }
        guard let next else { return [:] }
        var parts: [RevisionID: PurgedParts] = [:]
        for entry in try tree(next) {
            guard let id = CommitText.number(entry.name) else { continue }
            let words = String(decoding: try bytes(of: .blob, entry.id), as: UTF8.self)
            parts[RevisionID(rawValue: id)] = PurgedParts(words: words.split(whereSeparator: \.isWhitespace))
        }
        return parts
    }

    /// Puts the record with a page's parts into the batch, and gives the commit's name.
    borrowing func purgeRecord(
        _ parts: [RevisionID: PurgedParts], of page: PageName, into batch: inout ObjectBatch
    ) throws(GitError) -> ObjectID {
        let names = StoreLayout.components(of: page)
        // The trees from the root down to the page's, as they are now.
        var levels: [[TreeEntry]] = []
        var next = try purgedTree()
        for name in names {
            let entries = try next.map { id throws(GitError) in try self.tree(id) } ?? []
            levels.append(entries)
            next = entries.first { $0.name == name }?.id
        }
        var files: [TreeEntry] = []
        for (id, parts) in parts {
            let words = parts.words.joined(separator: " ") + "\n"
            files.append(
                TreeEntry(name: id.description, mode: .file, id: try batch.insert(.blob, Array(words.utf8))))
        }
        var tree = try batch.insert(tree: files)
        for (name, entries) in zip(names, levels).reversed() {
            let others = entries.filter { $0.name != name }
            tree = try batch.insert(tree: others + [TreeEntry(name: name, mode: .directory, id: tree)])
        }
        return try batch.insert(.commit, PurgeRecord.commit(tree))
    }

    private borrowing func purgedTree() throws(GitError) -> ObjectID? {
        guard let commit = try resolve(PurgeRecord.reference) else { return nil }
        guard let text = CommitText(parsing: try bytes(of: .commit, commit)) else {
            throw GitError(.generic, "parse", "\(commit) is no record of what was purged")
        }
        return text.tree
    }
}
