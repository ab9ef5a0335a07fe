internal import TalkGit
internal import TalkPages

/// Makes the store's git directory beside its place and moves it there when it is whole.
struct StoreCreation {
    let layout: StoreLayout
    let faults: StoreFaults

    /// What a broken-off creation leaves in the store's directory begins like this.
    static let scratchPrefix = ".git.new-"

    /// Does nothing when there is a store already.
    func run() throws(TalkError) {
        let subject = "a store at \(layout.root) cannot be made"
        if try exists(subject) { return }
        guard try StoreFormat.isVacant(layout) else { throw StoreFormat.foreign(layout) }
        let scratch = layout.root + "/" + Self.scratchPrefix + String(UInt64.random(in: 0...UInt64.max), radix: 36)
        try makeRoot(subject)
        try onDisk(subject) { () throws(FileError) in try writeFiles(scratch) }
        try refuseWithoutCase(scratch, subject)
        try inGit(subject) { () throws(GitError) in try Self.writeReadme(scratch) }
        try onDisk(subject) { () throws(FileError) in
            faults.reach("move git directory in place")
            do throws(FileError) {
                try Files.rename(scratch, to: layout.gitDirectory)
            } catch {
                // Somebody else made it meanwhile.
                guard error.isExisting else { throw error }
            }
            try Files.synchronizeDirectory(layout.root)
            try removeLeftovers()
        }
    }

    private func makeRoot(_ subject: String) throws(TalkError) {
        do throws(FileError) { try Files.makeDirectories(layout.root) } catch {
            guard error.isMissing || error.isExisting else { throw TalkError(error, subject) }
            throw TalkError(
                .unwritable, "\(subject): no directory can be made there", hint: "name another directory",
                underlying: error)
        }
    }

    /// Another creation may be under way; it takes no minute.
    private func removeLeftovers() throws(FileError) {
        guard let now = try Files.information(layout.root)?.modified else { return }
        for name in try Files.list(layout.root) ?? [] where name.hasPrefix(Self.scratchPrefix) {
            let path = "\(layout.root)/\(name)"
            guard let made = try Files.information(path)?.modified, now - made >= 60_000_000_000 else { continue }
            try Files.removeTree(path)
        }
    }

    private func exists(_ subject: String) throws(TalkError) -> Bool {
        try onDisk(subject) { () throws(FileError) in try Files.information(layout.configuration) != nil }
    }

    private func writeFiles(_ directory: String) throws(FileError) {
        for path in ["", "/hooks", "/info", "/objects/info", "/objects/pack", "/refs/heads", "/refs/tags"] {
            try Files.makeDirectories(directory + path)
        }
        let files = [
            ("HEAD", "ref: \(StoreLayout.mainBranch)\n"), ("config", Self.configuration),
            ("info/attributes", Self.attributes),
        ]
        for (name, text) in files {
            faults.reach("create \(name)")
            try Files.create("\(directory)/\(name)", Array(text.utf8), mode: 0o600, durable: true)
        }
        faults.reach("create hooks/pre-push")
        try Files.create("\(directory)/hooks/pre-push", Array(PushHook.text.utf8), mode: 0o700, durable: true)
        for path in ["", "/hooks", "/info"] { try Files.synchronizeDirectory(directory + path) }
    }

    /// Two pages may differ in case alone, and so may their branches.
    private func refuseWithoutCase(_ directory: String, _ subject: String) throws(TalkError) {
        let isBlind = try onDisk(subject) { () throws(FileError) in try Files.information("\(directory)/CONFIG") != nil
        }
        guard isBlind else { return }
        throw TalkError(
            .invalid, "\(subject): its file system takes capital and small letters for the same",
            hint: "use a directory on another file system")
    }

    private static func writeReadme(_ directory: String) throws(GitError) {
        try writeReadme(Repository(openingAt: directory), replacing: nil)
    }

    /// Makes the branch `main`, which names `old` so far.
    static func writeReadme(_ repository: borrowing Repository, replacing old: ObjectID?) throws(GitError) {
        var batch = ObjectBatch()
        let file = try batch.insert(.blob, Array(readme.utf8))
        let tree = try batch.insert(tree: [TreeEntry(name: "README.md", mode: .file, id: file)])
        let commit = CommitText(
            tree: tree, parents: [], author: CommitText.committer(at: 0), committer: CommitText.committer(at: 0),
            subject: "Talk pages kept by git-talk", trailers: [])
        let tip = try batch.insert(.commit, commit.bytes)
        try repository.write(batch)
        try repository.moveReference(StoreLayout.mainBranch, from: old, to: tip)
    }

    static let configuration = """
        [core]
        \trepositoryformatversion = 0
        \tfilemode = true
        \tbare = true
        \tquotePath = false
        \tlogAllRefUpdates = false
        \tautocrlf = false
        \tfsync = committed,reference
        [gc]
        \tauto = 0
        \tpackRefs = false
        [maintenance]
        \tauto = false
        [transfer]
        \thideRefs = refs/heads/pending
        \thideRefs = refs/discarded
        [receive]
        \thideRefs = refs/heads
        \thideRefs = refs/meta
        [talk]
        \tformat = \(StoreFormat.current)

        """

    private static let attributes = "*.html -text diff=html\n"

    /// The same on every machine for ever: its commit's name is part of the format.
    private static let readme = """
        # Talk pages

        This repository keeps talk pages of MediaWiki wikis for git-talk.

        Each page is a branch, `<wiki>/<namespace>/<title>`, each commit on it is one revision of the page, and each
        section of the page is an HTML file. `git branch -r` lists the pages of a clone, and `git log`, `git diff` and
        `git blame` work on them as usual.

        """
}
