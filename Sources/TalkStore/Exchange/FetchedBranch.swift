internal import TalkGit
internal import TalkPages

/// Why something from another store is not taken, in words.
struct Refusal: Error, Hashable {
    let reason: String

    init(_ reason: String) { self.reason = reason }
}

/// Looks at the branches of another store before anything of them is used, whoever wrote them.
///
/// What it has seen once it does not look at again, so one is made for an exchange.
struct FetchedCheck {
    private var goodTrees: Set<ObjectID> = []
    /// Files that are right by themselves, with their lengths.
    private var goodFiles: [File: Int] = [:]

    private struct File: Hashable {
        let id: ObjectID
        /// The heading as `page.json` has it; nil for `lede.html`.
        let heading: String?
        let level: Int
    }

    /// The most bytes of a commit, of `page.json`, of a file and of a page: none of ours comes near.
    private static let limits = (commit: 1 << 16, index: 1 << 23, file: 1 << 25, page: 1 << 26)
    /// The latest time and the greatest number of renderings that a record may have.
    private static let greatest = (timestamp: Int64(1) << 40, render: 1 << 31)

    /// The records of a fetched branch that are not in the branch that the store has, oldest first.
    ///
    /// Throws when the branch has anything in it that this program would not have written for the wiki's page.
    mutating func records(
        _ repository: borrowing Repository, from tip: ObjectID, wiki: String, known: Set<ObjectID>,
        knownTrees: Set<ObjectID>
    ) throws(Refusal) -> [RevisionCommit] {
        var commits: [RevisionCommit] = []
        var next: ObjectID? = tip
        while let id = next, !known.contains(id) {
            let (commit, parent) = try record(repository, id, wiki: wiki)
            if let later = commits.last, later.position <= commit.position {
                throw Refusal("revision \(later.record.id) stands in the wrong place")
            }
            commits.append(commit)
            next = parent
        }
        for commit in commits where !knownTrees.contains(commit.tree) {
            do throws(Refusal) { try checkTree(repository, commit.tree) } catch {
                throw Refusal("revision \(commit.record.id): \(error.reason)")
            }
        }
        return commits.reversed()
    }

    private func record(
        _ repository: borrowing Repository, _ id: ObjectID, wiki: String
    ) throws(Refusal) -> (commit: RevisionCommit, parent: ObjectID?) {
        let bytes = try Self.bytes(repository, .commit, id, limit: Self.limits.commit)
        guard let text = CommitText(parsing: bytes), text.bytes == bytes,
            let found = RevisionCommit.parse(bytes, wiki: wiki)
        else { throw Refusal("the commit \(id) is no revision's") }
        let record = found.commit.record
        guard record.parent.rawValue >= 0, record.page.rawValue >= 0, record.render >= 0, record.format >= 1,
            (0..<Self.greatest.timestamp).contains(record.timestamp), record.render <= Self.greatest.render,
            text.committer == CommitText.committer(at: record.timestamp), !text.author.name.isEmpty,
            text.author.mail == "\(record.user ?? "hidden")@\(wiki)"
        else { throw Refusal("the commit \(id) is not as one of revision \(record.id) must be") }
        guard record.format <= CanonicalPage.formatVersion else {
            throw Refusal("revision \(record.id) was written by a newer git-talk")
        }
        return found
    }

    private mutating func checkTree(_ repository: borrowing Repository, _ tree: ObjectID) throws(Refusal) {
        guard !goodTrees.contains(tree) else { return }
        let files = try files(repository, tree)
        guard CanonicalPage.areNames(files.sections.map(\.entry)) else {
            throw Refusal("a section's file has another name than its heading")
        }
        var isEachCanonical = true
        var size = 0
        var seen: [File: Int] = [:]
        for (id, entry) in [(files.lede, nil)] + files.sections.map({ ($0.id, $0.entry) }) {
            let file = File(id: id, heading: entry?.heading, level: entry?.level ?? 0)
            if let known = goodFiles[file] {
                size += known
                continue
            }
            let html = try Self.text(repository, id, limit: Self.limits.file)
            size += html.utf8.count
            guard size <= Self.limits.page else { throw Refusal("it is too large") }
            seen[file] = html.utf8.count
            isEachCanonical =
                isEachCanonical
                && (entry.map { CanonicalPage.isCanonical($0.section(html)) } ?? CanonicalPage.isCanonical(lede: html))
        }
        if !isEachCanonical {
            var page = PageContent(lede: try Self.text(repository, files.lede, limit: Self.limits.file), sections: [])
            for (id, entry) in files.sections {
                page.sections.append(entry.section(try Self.text(repository, id, limit: Self.limits.file)))
            }
            guard CanonicalPage.isCanonical(page) else { throw Refusal("its HTML is not in canonical form") }
        }
        // A file that is right only beside the others is looked at again.
        if isEachCanonical { goodFiles.merge(seen) { first, _ in first } }
        goodTrees.insert(tree)
    }

    /// The blobs of a page, which has exactly those that `page.json` lists.
    private func files(
        _ repository: borrowing Repository, _ tree: ObjectID
    ) throws(Refusal) -> (lede: ObjectID, sections: [(id: ObjectID, entry: PageTreeJSON.Entry)]) {
        let files: [PageFiles.Entry]
        do throws(GitError) {
            var trees = [tree]
            while let id = trees.popLast() {
                guard try repository.size(of: .tree, id) <= Self.limits.index else {
                    throw GitError(.generic, "check", "it has too many files")
                }
                if id == tree { trees += try repository.tree(id).filter { $0.mode == .directory }.map(\.id) }
            }
            files = try repository.pageFiles(of: tree)
        } catch {
            throw Refusal(error.function == "check" ? error.message : "its files are damaged or missing")
        }
        let ids = Dictionary(files.map { ($0.path, $0.id) }) { first, _ in first }
        guard ids.count == files.count, let index = ids[PageFiles.index], let lede = ids[PageFiles.lede],
            let entries = try? PageTreeJSON.read(try Self.text(repository, index, limit: Self.limits.index)),
            files.count == entries.count + 2
        else { throw Refusal("page.json is not as it must be, or lists other files") }
        var sections: [(id: ObjectID, entry: PageTreeJSON.Entry)] = []
        for entry in entries {
            guard let id = ids[entry.file] else { throw Refusal("page.json lists other files") }
            sections.append((id, entry))
        }
        return (lede, sections)
    }

    private static func text(
        _ repository: borrowing Repository, _ id: ObjectID, limit: Int
    ) throws(Refusal) -> String {
        guard let text = String(validating: try bytes(repository, .blob, id, limit: limit), as: UTF8.self) else {
            throw Refusal("a file is no text")
        }
        return text
    }

    /// Nothing is read of an object that is too large.
    private static func bytes(
        _ repository: borrowing Repository, _ kind: ObjectKind, _ id: ObjectID, limit: Int
    ) throws(Refusal) -> [UInt8] {
        do throws(GitError) {
            guard try repository.size(of: kind, id) <= limit else { throw GitError(.generic, "check", "too large") }
            return try repository.bytes(of: kind, id)
        } catch {
            throw Refusal(error.function == "check" ? "\(id) is too large" : "\(id) is damaged or missing")
        }
    }
}

extension PageTreeJSON.Entry {
    fileprivate func section(_ html: String) -> PageSection {
        PageSection(file: file, heading: heading, level: level, html: html)
    }
}
