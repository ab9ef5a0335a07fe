internal import TalkGit
public import TalkPages

/// What a purge is to remove from the store.
public struct PurgedObjects: Sendable {
    /// The oldest commit of each page: what has a later one has that, too.
    let commits: [ObjectID]
    /// The commits, and the directories and files that they alone had.
    let objects: Set<ObjectID>
    /// The pages that had them.
    var pages: Set<PageName> = []
}

/// What keeps in the store what was purged: all that git takes for a reason not to remove an object.
extension Store {
    /// Lists what is to go with the purged commits of pages, oldest first, before the store is packed without them.
    public func objects(
        ofPurged commits: [PageName: [String]], _ git: GitProgram
    ) async throws(TalkError) -> PurgedObjects {
        let own = try ownTips("what was purged cannot be listed", of: Set(commits.keys))
        let ids = commits.values.map { $0.compactMap { ObjectID(hex: $0) } }
        let objects =
            try reachable(git, ids.flatMap(\.self).map(\.description), without: own) ?? Set(ids.flatMap(\.self))
        return PurgedObjects(commits: ids.compactMap(\.first), objects: objects, pages: Set(commits.keys))
    }

    /// Names what keeps some of it, which is nothing when all of it is gone: references, worktrees, files of git.
    public func holders(of purged: PurgedObjects, _ git: GitProgram) async throws(TalkError) -> [String] {
        try keepers(of: purged, git)
    }

    func keepers(of purged: PurgedObjects, _ git: GitProgram) throws(TalkError) -> [String] {
        let subject = "what keeps what was purged cannot be found"
        var left = try present(purged.objects, subject)
        // Another revision may have the same directory or file: first the page's own, which are few.
        for pages in [purged.pages, nil] where !left.isEmpty {
            left.subtract(try reachable(git, try ownTips(subject, of: pages)) ?? [])
        }
        if left.isEmpty { return [] }
        let own = try ownTips(subject)
        var names = try references(to: purged.commits.filter(left.contains), git)
        let others = try self.git(subject) { repository throws(GitError) in
            try repository.references(under: "refs/").filter { !Self.isOwn($0.name) && !StoreLayout.isCopy($0.name) }
        }.filter { !names.contains($0.name) }
        if try reachable(git, others.map(\.target.description), without: own)?.isDisjoint(with: left) != true {
            for other in others where try reaches(git, [other.target.description], left, own) {
                names.append(other.name)
            }
        }
        names += try worktrees(keeping: left, git, own, subject)
        names += try files(keeping: left, subject)
        if !names.isEmpty { return names }
        // A page that was dropped here, and that a remote has, may have the same file.
        let copies = try self.git(subject) { repository throws(GitError) in
            try repository.references(under: "refs/").filter { StoreLayout.isCopy($0.name) }
        }
        left.subtract(try reachable(git, copies.map(\.target.description)) ?? [])
        return left.isEmpty ? [] : ["something that git does not name"]
    }

    /// Those of the objects that are in the store, referred to or not.
    func present(_ objects: Set<ObjectID>, _ subject: String) throws(TalkError) -> Set<ObjectID> {
        reopen()
        return try git(subject) { repository throws(GitError) in
            var found: Set<ObjectID> = []
            for id in objects where repository.contains(id) { found.insert(id) }
            return found
        }
    }

    /// Whether a purge has taken it out of there: the branches of pages, and what stores share.
    private static func isOwn(_ name: String) -> Bool {
        if name.hasPrefix("refs/meta/") { return true }
        guard name.hasPrefix(StoreLayout.branches), !name.hasPrefix(StoreLayout.pendingBranches) else { return false }
        return StoreLayout.names(in: String(name.utf8.dropFirst(StoreLayout.branches.utf8.count)) ?? "").count == 3
    }

    private func ownTips(_ subject: String, of pages: Set<PageName>? = nil) throws(TalkError) -> [String] {
        let names = pages.map { Set($0.map { StoreLayout.branch(of: $0) }) }
        return try git(subject) { repository throws(GitError) in
            try repository.references(under: "refs/")
                .filter { names?.contains($0.name) ?? Self.isOwn($0.name) }.map(\.target.description)
        }
    }

    /// The objects that these lead to and `others` do not; nil when git cannot tell.
    private func reachable(
        _ git: GitProgram, _ tips: [String], without others: [String] = []
    ) throws(TalkError) -> Set<ObjectID>? {
        if tips.isEmpty { return [] }
        let input = (tips + others.map { "^" + $0 }).map { $0 + "\n" }.joined()
        let answer = try git.run(
            ["rev-list", "--objects", "--no-object-names", "--ignore-missing", "--stdin"], input: Array(input.utf8))
        guard answer.isSuccess else { return nil }
        return Set(Self.lines(answer).compactMap { ObjectID(hex: $0) })
    }

    private func reaches(
        _ git: GitProgram, _ tips: [String], _ left: Set<ObjectID>, _ own: [String]
    ) throws(TalkError) -> Bool {
        try reachable(git, tips, without: own)?.isDisjoint(with: left) == false
    }

    private static func lines(_ answer: GitProgram.Answer) -> [String] {
        String(decoding: answer.output, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private func references(to commits: [ObjectID], _ git: GitProgram) throws(TalkError) -> [String] {
        if commits.isEmpty { return [] }
        // As many as one command line takes.
        let words = commits.prefix(1000).flatMap { ["--contains", $0.description] }
        return Self.lines(try git.run(["for-each-ref", "--format=%(refname)"] + words))
    }

    /// Worktrees whose head, index or references of their own keep some of it.
    private func worktrees(
        keeping left: Set<ObjectID>, _ git: GitProgram, _ own: [String], _ subject: String
    ) throws(TalkError) -> [String] {
        var names: [String] = []
        for tree in try worktrees(subject) {
            let there = git.on(tree.place)
            let tips = Self.lines(
                try there.run(
                    ["for-each-ref", "--format=%(objectname)", "refs/bisect", "refs/worktree", "refs/rewritten"]))
            let index = Self.lines(try there.run(["ls-files", "-s"])).compactMap { line in
                line.split(separator: " ").dropFirst().first.flatMap { ObjectID(hex: String($0)) }
            }
            var isHolder = !left.isDisjoint(with: index)
            if !isHolder { isHolder = try reaches(there, tips + ["HEAD"], left, own) }
            guard isHolder else { continue }
            names.append("the worktree \(tree.directory)")
        }
        return names
    }

    /// Packs that somebody told git to keep, and the list of other repositories whose objects count as the store's.
    private func files(keeping left: Set<ObjectID>, _ subject: String) throws(TalkError) -> [String] {
        let objects = "\(layout.gitDirectory)/objects", pack = "\(objects)/pack"
        var names: [String] = []
        try onDisk(subject) { () throws(FileError) in
            for name in (try Files.list(pack) ?? []).sorted() where name.hasSuffix(".keep") {
                let path = "\(pack)/\(name)"
                if Self.packHas(left, "\(path.dropLast(".keep".count)).idx") { names.append(place(path)) }
            }
            let alternates = "\(objects)/info/alternates"
            let text = String(decoding: try Files.read(alternates) ?? [], as: UTF8.self)
            for line in text.split(separator: "\n") where !line.hasPrefix("#") {
                let other = line.hasPrefix("/") ? String(line) : "\(objects)/\(line)"
                let packs = (try Files.list("\(other)/pack") ?? []).filter { $0.hasSuffix(".idx") }
                var isHit = packs.contains { Self.packHas(left, "\(other)/pack/\($0)") }
                for id in left.lazy.map(\.description) where !isHit {
                    isHit = try Files.information("\(other)/\(id.prefix(2))/\(id.dropFirst(2))") != nil
                }
                if isHit {
                    names.append(place(alternates))
                    break
                }
            }
        }
        return names
    }

    private static func packHas(_ left: Set<ObjectID>, _ index: String) -> Bool {
        guard let names = try? ObjectSource(packWithIndex: index).names() else { return false }
        return !left.isDisjoint(with: names)
    }
}
