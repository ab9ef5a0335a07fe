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

    /// The most bytes of a commit, of `page.json` or a directory, of a file and of a page: none of ours comes near.
    private static let limits = (commit: 1 << 16, index: 1 << 23, file: 1 << 25, page: 1 << 26)
    /// The most bytes of all commits and of all files that are looked at in one branch: a small pack may unfold to more
    /// than anybody has the memory or the time for.
    private static let totals = (commits: 1 << 28, files: 1 << 32)
    /// The end of the latest year that four digits name, and the greatest number of renderings that a record may have.
    private static let greatest = (timestamp: Int64(253_402_300_799), render: 1 << 31)
    /// What the branch may still have.
    private var left = Self.totals

    /// The records of a fetched branch that are not in the branch that the store has, oldest first.
    ///
    /// Throws when the branch has anything in it that this program would not have written for the wiki's page.
    mutating func records(
        _ repository: borrowing Repository, from tip: ObjectID, wiki: String, known: Set<ObjectID>,
        knownTrees: Set<ObjectID>
    ) throws(Refusal) -> [RevisionCommit] {
        left = Self.totals
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

    private mutating func record(
        _ repository: borrowing Repository, _ id: ObjectID, wiki: String
    ) throws(Refusal) -> (commit: RevisionCommit, parent: ObjectID?) {
        let bytes = try Self.bytes(repository, .commit, id, limit: Self.limits.commit)
        left.commits -= bytes.count
        guard left.commits >= 0 else { throw Refusal("its commits are too large together") }
        guard let text = CommitText(parsing: bytes), text.bytes == bytes,
            let found = RevisionCommit.parse(bytes, wiki: wiki)
        else { throw Refusal("the commit \(id) is no revision's") }
        let record = found.commit.record
        guard record.parent.rawValue >= 0, record.page.rawValue >= 0, record.render >= 0, record.format >= 1,
            (0...Self.greatest.timestamp).contains(record.timestamp), record.render <= Self.greatest.render,
            !text.author.name.isEmpty, text.isWritten(as: found.commit, wiki: wiki)
        else { throw Refusal("the commit \(id) is not as one of revision \(record.id) must be") }
        guard record.format <= CanonicalPage.formatVersion else {
            throw Refusal("revision \(record.id) was written by a newer git-talk")
        }
        return found
    }

    private mutating func count(_ bytes: Int) throws(Refusal) {
        left.files -= bytes
        guard left.files >= 0 else { throw Refusal("its files are too large together") }
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
            try count(html.utf8.count)
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
    private mutating func files(
        _ repository: borrowing Repository, _ tree: ObjectID
    ) throws(Refusal) -> (lede: ObjectID, sections: [(id: ObjectID, entry: PageTreeJSON.Entry)]) {
        var ids: [String: ObjectID] = [:]
        for entry in try directory(repository, tree) {
            switch (entry.name, entry.mode) {
            case (PageFiles.index, .file), (PageFiles.lede, .file): ids[entry.name] = entry.id
            case ("sections", .directory):
                for section in try directory(repository, entry.id) {
                    guard section.mode == .file else { throw Refusal("sections/\(section.name.prefix(80)) is no file") }
                    ids["sections/\(section.name)"] = section.id
                }
            default: throw Refusal("it has something else as \(entry.name.prefix(80))")
            }
        }
        guard let index = ids[PageFiles.index], let lede = ids[PageFiles.lede] else {
            throw Refusal("it has not all files of a page")
        }
        let json = try Self.text(repository, index, limit: Self.limits.index)
        try count(json.utf8.count)
        guard let entries = try? PageTreeJSON.read(json), ids.count == entries.count + 2 else {
            throw Refusal("page.json is not as it must be, or lists other files")
        }
        var sections: [(id: ObjectID, entry: PageTreeJSON.Entry)] = []
        for entry in entries {
            guard PageFiles.isAllowed(entry.file), let id = ids[entry.file] else {
                throw Refusal("page.json lists other files")
            }
            sections.append((id, entry))
        }
        return (lede, sections)
    }

    /// What is in a directory, each name once.
    private mutating func directory(
        _ repository: borrowing Repository, _ id: ObjectID
    ) throws(Refusal) -> [TreeEntry] {
        do throws(GitError) {
            let size = try repository.size(of: .tree, id)
            guard size <= Self.limits.index else { throw GitError(.generic, "check", "it has too many files") }
            do throws(Refusal) { try count(size) } catch { throw GitError(.generic, "check", error.reason) }
            let entries = try repository.tree(id)
            var again = ObjectBatch()
            // Who fetched it by hand did not have git look at its order.
            guard !entries.isEmpty, Set(entries.map(\.name)).count == entries.count,
                try again.insert(tree: entries) == id
            else { throw GitError(.generic, "check", "it has a file twice, or in the wrong place") }
            return entries
        } catch {
            throw Refusal(error.function == "check" ? error.message : "its files are damaged or missing")
        }
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

extension CommitText {
    /// Whether these are the bytes of a record, with nothing more than trailers after its own that this program does not know.
    ///
    /// So no program reads another revision in them than this one.
    fileprivate func isWritten(as commit: RevisionCommit, wiki: String) -> Bool {
        var own = self
        own.parents = []
        guard let end = own.trailers.firstIndex(where: { !Self.own.contains(Self.key($0)) }) else {
            return own.bytes == RevisionCommit(commit.record, tree: tree, wiki: wiki).bytes(parent: nil)
        }
        let others = own.trailers[end...].map(Self.key)
        own.trailers.removeSubrange(end...)
        return others.allSatisfy { !$0.isEmpty && !Self.own.contains($0) && !Self.forbidden.contains($0) }
            && own.bytes == RevisionCommit(commit.record, tree: tree, wiki: wiki).bytes(parent: nil)
    }

    private static let own: Set<String> = [
        "Wiki-Revision", "Wiki-Parent", "Wiki-Page-Id", "Wiki-Minor", "Wiki-Format", "Wiki-Render",
    ]
    /// Those of a pending reply.
    private static let forbidden: Set<String> = ["Pending-Id", "Pending-Target", "Wiki-Base"]

    /// The name of a trailer; empty for a line that is none.
    private static func key(_ line: String) -> String {
        guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")), line.utf8[colon...].dropFirst().first == 0x20
        else { return "" }
        let key = line.utf8[..<colon]
        let isWord = key.allSatisfy {
            ($0 | 0x20 >= 0x61 && $0 | 0x20 <= 0x7A) || ($0 >= 0x30 && $0 <= 0x39) || $0 == 0x2D
        }
        return isWord ? String(decoding: key, as: UTF8.self) : ""
    }
}
