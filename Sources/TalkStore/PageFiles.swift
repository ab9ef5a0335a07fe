internal import TalkGit
internal import TalkPages

/// A page as files: what its tree in git and its directory on disk have in common.
enum PageFiles {
    /// A file of a page that is in git.
    struct Entry: Hashable {
        let path: String
        let id: ObjectID
    }

    static let index = PageTreeJSON.file
    static let lede = "lede.html"

    /// Whether a page may have a file at this path; nothing else is written, wherever a tree comes from.
    static func isAllowed(_ path: String) -> Bool {
        if path == index || path == lede { return true }
        if path.hasPrefix("pending/"), path.hasSuffix(".json") {
            return ReplyID.isValid(String(path.dropFirst("pending/".count).dropLast(".json".count)))
        }
        return SectionSlugs.isValidFile(path)
    }

    /// Puts a page with its pending replies into the batch and gives its tree.
    static func insert(
        _ content: PageContent, pending: [PendingReply] = [], into batch: inout ObjectBatch
    ) throws(TalkError) -> ObjectID {
        var root = [try entry(index, named: index, Array(PageTreeJSON.write(content.sections).utf8), &batch)]
        root.append(try entry(lede, named: lede, Array(content.lede.utf8), &batch))
        var sections: [TreeEntry] = []
        for section in content.sections {
            guard SectionSlugs.isValidFile(section.file) else {
                throw TalkError(.internal, "a section cannot be kept as \(section.file)")
            }
            let name = String(decoding: section.file.utf8.dropFirst(SectionSlugs.directory.utf8.count), as: UTF8.self)
            sections.append(try entry(section.file, named: name, Array(section.html.utf8), &batch))
        }
        guard Set(sections.map(\.name)).count == sections.count else {
            throw TalkError(.internal, "two sections of a page have one file")
        }
        var replies: [TreeEntry] = []
        for reply in pending {
            guard ReplyID.isValid(reply.id) else { throw TalkError(.invalid, "\(reply.id) is no id of a reply") }
            let name = "\(reply.id).json"
            replies.append(try entry("pending/\(name)", named: name, encode(reply), &batch))
        }
        for (name, entries) in [("sections", sections), ("pending", replies)] where !entries.isEmpty {
            let id = try inGit("a page cannot be stored") { () throws(GitError) in try batch.insert(tree: entries) }
            root.append(TreeEntry(name: name, mode: .directory, id: id))
        }
        return try inGit("a page cannot be stored") { () throws(GitError) in try batch.insert(tree: root) }
    }

    private static func entry(
        _ path: String, named name: String, _ bytes: [UInt8], _ batch: inout ObjectBatch
    ) throws(TalkError) -> TreeEntry {
        let id = try inGit("a page cannot be stored") { () throws(GitError) in
            try batch.insert(.blob, bytes, name: path)
        }
        return TreeEntry(name: name, mode: .file, id: id)
    }

    /// Puts a page together from its files; nil when one is missing or `page.json` cannot be understood.
    static func content<Failure: Error>(
        _ read: (String) throws(Failure) -> [UInt8]?
    ) throws(Failure) -> PageContent? {
        guard let index = try read(index), let lede = try read(lede),
            let entries = try? PageTreeJSON.read(String(decoding: index, as: UTF8.self))
        else { return nil }
        var sections: [PageSection] = []
        for entry in entries {
            guard let html = try read(entry.file) else { return nil }
            sections.append(
                PageSection(
                    file: entry.file, heading: entry.heading, level: entry.level,
                    html: String(decoding: html, as: UTF8.self)))
        }
        return PageContent(lede: String(decoding: lede, as: UTF8.self), sections: sections)
    }

    /// The bytes of `pending/<id>.json`.
    static func encode(_ reply: PendingReply) throws(TalkError) -> [UInt8] {
        do { return try StoredJSON.encode(reply) } catch {
            throw TalkError(.internal, "the reply \(reply.id) cannot be written as JSON", underlying: error)
        }
    }
}

extension Repository {
    /// The files of a page's tree.
    ///
    /// Throws when there is one that no page may have.
    borrowing func pageFiles(of tree: ObjectID) throws(GitError) -> [PageFiles.Entry] {
        var files: [PageFiles.Entry] = []
        var directories = [(prefix: "", id: tree)]
        while let (prefix, id) = directories.popLast() {
            for entry in try self.tree(id) {
                let path = prefix + entry.name
                if entry.mode == .directory, prefix.isEmpty, ["sections", "pending"].contains(entry.name) {
                    directories.append((path + "/", entry.id))
                } else if entry.mode == .file, PageFiles.isAllowed(path) {
                    files.append(PageFiles.Entry(path: path, id: entry.id))
                } else {
                    throw GitError(.generic, "check", "a page's tree may not have \(path)")
                }
            }
        }
        return files.sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
    }

    /// Throws unless a tree from elsewhere is that of a page in a revision: what `page.json` lists is there, and no more.
    borrowing func checkPage(_ tree: ObjectID) throws(GitError) {
        let files = try pageFiles(of: tree)
        var listed: Set = [PageFiles.index, PageFiles.lede]
        guard let index = files.first(where: { $0.path == PageFiles.index }),
            let entries = try? PageTreeJSON.read(String(decoding: try bytes(of: .blob, index.id), as: UTF8.self))
        else { throw GitError(.generic, "check", "\(tree) has no list of sections") }
        for entry in entries { listed.insert(entry.file) }
        guard files.count == listed.count, files.allSatisfy({ listed.contains($0.path) }) else {
            throw GitError(.generic, "check", "\(tree) has other files than it lists")
        }
    }
}
