internal import TalkGit
public import TalkPages

/// How many comments a revision brought and took, against the cached one before it.
public struct CommentChange: Hashable, Sendable {
    /// Comments that are there now and were not before.
    public var added: Int
    /// Comments that were there before.
    public var removed: Int

    /// Makes a change.
    public init(added: Int, removed: Int) {
        self.added = added
        self.removed = removed
    }
}

extension PageThreads {
    /// How many comments each revision changed; `revisions` are cached ones of one page, oldest first.
    ///
    /// The first one is there to be compared with: it has a number of its own only when it made the page. Comments are
    /// told apart by author and time, so one that was edited or moved on the page is not counted. Each file is parsed
    /// once, however many revisions have it.
    public func commentChanges(
        of page: PageName, in revisions: [StoredRevision]
    ) async throws(TalkError) -> [CommentChange?] {
        let parser = ThreadParser(wiki: wiki, title: wiki.localTitle(of: page), zone: zone)
        var names: [ObjectID: [String: Int]] = [:]
        var before: [ObjectID: Int] = [:]
        var changes: [CommentChange?] = []
        for (index, revision) in revisions.enumerated() {
            var after: [ObjectID: Int] = [:]
            for blob in try await store.files(of: page, tree: revision.tree) { after[blob, default: 0] += 1 }
            // Counts of each name in the files that only one of the two has.
            var balance: [String: Int] = [:]
            for (blob, count) in after.merging(before.mapValues { -$0 }, uniquingKeysWith: +) where count != 0 {
                if names[blob] == nil {
                    names[blob] = try self.names(in: try await store.text(ofFile: blob, page), parser)
                }
                for (name, number) in names[blob] ?? [:] { balance[name, default: 0] += number * count }
            }
            let isKnown = index > 0 || revision.record.parent.rawValue == 0
            changes.append(
                isKnown
                    ? CommentChange(
                        added: balance.values.reduce(0) { $0 + max($1, 0) },
                        removed: balance.values.reduce(0) { $0 + max(-$1, 0) }) : nil)
            before = after
        }
        return changes
    }

    private func names(in html: String, _ parser: ThreadParser) throws(TalkError) -> [String: Int] {
        let items = try parser.items(of: PageContent(lede: html, sections: []))
        return Dictionary(items.filter { $0.kind == .comment }.map { ($0.name, 1) }, uniquingKeysWith: +)
    }
}

extension Store {
    /// The HTML files of a tree, by their blobs.
    fileprivate func files(of page: PageName, tree hex: String) throws(TalkError) -> [ObjectID] {
        guard let tree = ObjectID(hex: hex) else { return [] }
        return try git("the page \(page) cannot be read") { repository throws(GitError) in
            try repository.pageFiles(of: tree).filter { $0.path.utf8.suffix(5).elementsEqual(".html".utf8) }.map(\.id)
        }
    }

    fileprivate func text(ofFile id: ObjectID, _ page: PageName) throws(TalkError) -> String {
        try git("the page \(page) cannot be read") { repository throws(GitError) in
            String(decoding: try repository.bytes(of: .blob, id), as: UTF8.self)
        }
    }
}
