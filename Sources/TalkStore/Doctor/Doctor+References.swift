internal import TalkGit
internal import TalkPages

/// References: files that name nothing, and what leads to objects that are not there.
extension Store {
    func examineReferences(_ examination: inout Examination) throws(TalkError) {
        try examineHead(&examination)
        try examinePackedReferences(&examination)
        try examineReferenceFiles(&examination)
        for reference in try read({ repository throws(GitError) in try repository.references(under: "refs/") }) ?? [] {
            examination.references[reference.name] = reference.target
        }
        try noteLostPages(&examination)
        try examineMain(&examination)
    }

    private func examineHead(_ examination: inout Examination) throws(TalkError) {
        let path = "\(layout.gitDirectory)/HEAD", subject = "HEAD cannot be put back"
        let text = try onDisk(subject) { () throws(FileError) in try Files.read(path) } ?? []
        if Self.isHead(text) { return }
        if examination.repairs {
            let scratch = scratch(path)
            try onDisk(subject) { () throws(FileError) in
                faults.reach("write HEAD")
                let bytes = Array("ref: \(StoreLayout.mainBranch)\n".utf8)
                try Files.replace(path, bytes, mode: 0o600, scratch: scratch, durable: true)
            }
            reopen()
        }
        examination.add(
            .reference, "HEAD names nothing, so that git takes the store for no repository", repair: "written anew")
    }

    /// Whether git takes a repository with this in its `HEAD` for one, and finds nothing wrong with it.
    private static func isHead(_ bytes: [UInt8]) -> Bool {
        guard let text = String(validating: bytes, as: UTF8.self), text.last == "\n" else { return false }
        let line = text.dropLast()
        guard line.hasPrefix("ref: ") else { return ObjectID(hex: line) != nil }
        let name = line.dropFirst("ref: ".count)
        guard name.hasPrefix(StoreLayout.branches) else { return false }
        // No component begins or ends with a dot, and what is escaped in a page's name stands in no name at all.
        return name.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { component in
            !component.isEmpty && !component.hasPrefix(".") && !component.hasSuffix(".") && !component.contains("..")
                && !component.hasSuffix(".lock") && !component.contains("@{")
                && component.utf8.allSatisfy { $0 > 32 && $0 != 127 && !"~^:?*[\\".utf8.contains($0) }
        }
    }

    /// The commit or the reference that a file of a reference names, as it stands there; nil for nonsense.
    static func target(of bytes: [UInt8]) -> String? {
        guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
        let line = text.prefix { $0 != "\n" }
        if line.hasPrefix("ref: refs/") { return String(line.dropFirst("ref: ".count)) }
        return ObjectID(hex: line)?.description
    }

    /// A user's git may have made it, which is allowed; libgit2 reads it as a whole or not at all.
    private func examinePackedReferences(_ examination: inout Examination) throws(TalkError) {
        let path = "\(layout.gitDirectory)/packed-refs", subject = "packed-refs cannot be examined"
        guard let bytes = try onDisk(subject, { () throws(FileError) in try Files.read(path) }) else { return }
        guard try read({ repository throws(GitError) in try repository.references(under: "refs/") }) == nil else {
            examination.add(
                .git, "packed-refs is there, since git packed or deleted references; git-talk writes none", isNote: true
            )
            return
        }
        var found: [(name: String, target: ObjectID)] = []
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words.count == 2, words[1].hasPrefix("refs/"), let target = ObjectID(hex: words[0]) else { continue }
            found.append((String(words[1]), target))
        }
        var repair: String?
        if examination.repairs {
            repair = "what can be read of it stands by itself, and it is moved to "
            repair? += try moveAside(path, named: "packed-refs")
            reopen()
            for (name, target) in found where examination.objects.isWhole(target) {
                if try read({ repository throws(GitError) in try repository.resolve(name) }) == nil {
                    try moveReference(name, from: nil, to: target, subject)
                }
            }
            try noteLostWithPacked(&examination)
        }
        examination.add(.reference, "packed-refs cannot be read", repair: repair)
    }

    /// What stores share stood there if it stands nowhere: its earlier versions are looked for.
    private func noteLostWithPacked(_ examination: inout Examination) throws(TalkError) {
        for name in SharedRecord.allCases.map(\.reference)
        where try read({ repository throws(GitError) in try repository.resolve(name) }) == .some(nil) {
            examination.lostReferences.insert(name)
            try rememberLost(name)
        }
    }

    /// A page's files tell the commit that they were made from: without a branch, that is looked for.
    private func noteLostPages(_ examination: inout Examination) throws(TalkError) {
        let tips = Set(examination.references.values)
        for component in try directories() {
            let branch = StoreLayout.branches + component
            guard examination.references[branch] == nil, let page = StoreLayout.page(ofBranch: branch),
                examination.references[StoreLayout.pendingBranch(of: page)] == nil,
                let commit = try reader.stamp(of: page)?.commit, let id = ObjectID(hex: commit),
                examination.objects.isWhole(id), !tips.contains(id)
            else { continue }
            examination.lostReferences.insert(branch)
            if examination.repairs { try rememberLost(branch) }
        }
    }

    private func examineReferenceFiles(_ examination: inout Examination) throws(TalkError) {
        let refs = "\(layout.gitDirectory)/refs", subject = "a reference cannot be examined"
        for name in try rememberedLost()
        where try onDisk(
            subject, { () throws(FileError) in try Files.information("\(layout.gitDirectory)/\(name)") }) == nil
        {
            examination.lostReferences.insert(name)
        }
        try eachFile(below: refs) { file throws(TalkError) in
            let name = "refs/\(file)", path = "\(refs)/\(file)"
            if name.hasSuffix(".lock") { return }
            let bytes = try onDisk(subject) { () throws(FileError) in try Files.read(path) } ?? []
            if Self.target(of: bytes) != nil { return }
            examination.lostReferences.insert(name)
            if examination.repairs {
                try rememberLost(name)
                if !bytes.isEmpty { try keepAside(bytes, named: name) }
                try onDisk(subject) { () throws(FileError) in
                    faults.reach("remove reference")
                    try Files.remove(path)
                }
            }
            examination.add(
                .reference, "\(name) \(bytes.isEmpty ? "is empty" : "names nothing")",
                repair: "removed; what it led to is looked for")
        }
        if !examination.lostReferences.isEmpty, examination.repairs { reopen() }
    }

    // MARK: Lost references, while a repair that may be stopped brings them back

    private func rememberedLost() throws(TalkError) -> [String] {
        let bytes = try onDisk("lost references cannot be read") { () throws(FileError) in
            try Files.read(layout.repairing) ?? []
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private func rememberLost(_ name: String) throws(TalkError) {
        let names = try rememberedLost()
        guard !names.contains(name) else { return }
        try onDisk("a lost reference cannot be remembered") { () throws(FileError) in
            faults.reach("remember lost reference")
            try Files.replace(
                layout.repairing, Array((names + [name]).map { $0 + "\n" }.joined().utf8), mode: 0o600,
                scratch: scratch(layout.repairing), durable: true)
        }
    }

    func forgetLost() throws(TalkError) {
        try onDisk("lost references cannot be forgotten") { () throws(FileError) in
            faults.reach("forget lost references")
            try Files.remove(layout.repairing)
        }
    }

    private func examineMain(_ examination: inout Examination) throws(TalkError) {
        let main = StoreLayout.mainBranch, tip = examination.references[main]
        if let tip, try isWhole(history: tip, &examination) { return }
        if examination.repairs {
            try git("the branch main cannot be put back") { repository throws(GitError) in
                try StoreCreation.writeReadme(repository, replacing: tip)
            }
            reopen()
        }
        examination.add(.reference, "the branch main, for who clones the store, is missing", repair: "made anew")
    }

    /// Copies of what remotes have, and references of the user's, that lead to objects that are not there.
    func examineOthers(_ examination: inout Examination) throws(TalkError) {
        for (name, target) in examination.references(under: "refs/") {
            guard let target, !isExaminedAsPage(name), !name.hasPrefix(SharedRecord.prefix),
                !name.hasPrefix(StoreLayout.discardedReferences), try !isWhole(history: target, &examination)
            else { continue }
            let isCopy = StoreLayout.isCopy(name)
            if isCopy, examination.repairs {
                faults.reach("delete copy of a remote's reference")
                try git("a copy of a remote's branch cannot be removed") { repository throws(GitError) in
                    try repository.deleteReference(name, from: target)
                }
            }
            examination.add(
                .reference, "\(name) leads to objects that are damaged or missing",
                repair: isCopy ? "removed; the next exchange or fetch brings it again" : nil,
                hint: isCopy ? nil : "remove it, in the store: git update-ref -d \(ShellWord.quoted(name))")
        }
        for directory in try brokenWorktrees("the worktrees cannot be examined") {
            examination.add(
                .git, "the worktree \(directory) has a commit checked out that is damaged or missing",
                hint:
                    "keep what you changed in it, and remove it: git worktree remove --force \(ShellWord.quoted(directory))"
            )
        }
        let logs = try onDisk("the reflogs cannot be examined") { () throws(FileError) in
            try Files.list("\(layout.gitDirectory)/logs") ?? []
        }
        if !logs.isEmpty {
            examination.add(
                .git, "there are reflogs, which keep what was purged until the store is packed",
                hint: "drop them, in the store: git reflog expire --expire=now --all", isNote: true)
        }
    }

    /// Not so a branch of the user's own.
    private func isExaminedAsPage(_ name: String) -> Bool {
        guard name.hasPrefix(StoreLayout.branches) else { return false }
        return name == StoreLayout.mainBranch || name.hasPrefix(StoreLayout.pendingBranches)
            || StoreLayout.names(in: StoreLayout.component(of: name, below: StoreLayout.branches)).count == 3
    }

    /// Whether a commit, all before it and all their files are there.
    func isWhole(history tip: ObjectID, _ examination: inout Examination) throws(TalkError) -> Bool {
        var next = [tip]
        var seen: Set<ObjectID> = []
        while let id = next.popLast() {
            guard !examination.objects.wholeHistories.contains(id), seen.insert(id).inserted else { continue }
            guard examination.objects.isWhole(id) else { return false }
            guard
                let bytes = try read({ repository throws(GitError) in try repository.bytes(of: .commit, id) }),
                let links = CommitLinks(parsing: bytes)
            else {
                // An annotated tag, or a reference to a file: no business of ours.
                continue
            }
            guard try isWhole(tree: links.tree, &examination) else { return false }
            next += links.parents
        }
        examination.objects.wholeHistories.formUnion(seen)
        return true
    }

    /// Whether a directory and all in it are there.
    func isWhole(tree root: ObjectID, _ examination: inout Examination) throws(TalkError) -> Bool {
        var next = [root]
        var seen: Set<ObjectID> = []
        while let id = next.popLast() {
            guard !examination.objects.wholeTrees.contains(id), seen.insert(id).inserted else { continue }
            guard examination.objects.isWhole(id),
                let entries = try read({ repository throws(GitError) in try repository.tree(id) })
            else { return false }
            for entry in entries {
                switch entry.mode {
                case .directory: next.append(entry.id)
                // A submodule's commit is elsewhere.
                case .other("160000"): continue
                default: guard examination.objects.isWhole(entry.id) else { return false }
                }
            }
        }
        examination.objects.wholeTrees.formUnion(seen)
        return true
    }
}

/// What a commit refers to, whoever wrote it.
struct CommitLinks {
    let tree: ObjectID
    let parents: [ObjectID]

    init?(parsing bytes: [UInt8]) {
        var tree: ObjectID?
        var parents: [ObjectID] = []
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            if line.isEmpty { break }
            let words = String(decoding: line.prefix(60), as: UTF8.self).split(separator: " ")
            guard words.count == 2, let id = ObjectID(hex: words[1]) else { continue }
            if words[0] == "tree" { tree = id }
            if words[0] == "parent" { parents.append(id) }
        }
        guard let tree else { return nil }
        self.tree = tree
        self.parents = parents
    }
}
