internal import TalkGit
public import TalkPages

/// A pending reply as it stands on its page's pending branch.
public struct PendingCommit: Hashable, Sendable {
    /// The reply.
    public let reply: PendingReply
    /// The account as whom it was written.
    public let author: String
    /// Its commit, 40 hexadecimal digits.
    public let commit: String

    /// The author of what was written before anybody logged in; git wants a name.
    public static let nobody = "(not logged in)"
}

/// What stands on a page's pending branch, and on what; whoever changes the branch says what he saw.
public struct PendingBranch: Hashable, Sendable {
    /// The page.
    public let page: PageName
    /// What the replies are to stand on: the revision that the wiki calls the newest or, where the store has not got that,
    /// the last one in time; nil when the store has none.
    public let base: StoredRevision?
    /// The commit that the page's directory is to equal, 40 hexadecimal digits; nil when the store has no page.
    public let head: String?
    /// Tip of the pending branch, 40 hexadecimal digits; nil when there is none.
    public let tip: String?
    /// The commit that the first reply stands on, 40 hexadecimal digits; nil when there is no page or no branch.
    public let foot: String?
    /// The replies in order.
    public let commits: [PendingCommit]

    /// Whether the replies stand on that revision, so that nothing has to be rebased.
    public var isOnBase: Bool { tip == nil || foot == base?.commit }
}

/// A reply with the page as it is when this reply, and those before it, are in place.
public struct PlacedReply: Hashable, Sendable {
    /// The reply.
    public var reply: PendingReply
    /// The account as whom it is written.
    public var author: String
    /// The page with the reply in place.
    public var content: PageContent

    /// Places a reply.
    public init(reply: PendingReply, author: String, content: PageContent) {
        self.reply = reply
        self.author = author
        self.content = content
    }
}

/// A pending reply as a commit.
enum PendingCommitText {
    static func make(
        _ placed: PlacedReply, tree: ObjectID, parent: ObjectID?, wiki: String
    ) -> CommitText {
        let reply = placed.reply
        return CommitText(
            tree: tree, parents: parent.map { [$0] } ?? [],
            author: CommitText.Signature(
                name: placed.author, mail: "\(placed.author)@\(wiki)", timestamp: max(0, reply.created)),
            committer: CommitText.committer(at: max(0, reply.created)), subject: firstWords(of: reply),
            trailers: trailers(of: reply))
    }

    static func trailers(of reply: PendingReply) -> [String] {
        var trailers = ["Pending-Id: \(reply.id)"]
        if let target = reply.target { trailers.append("Pending-Target: \(CommitText.line(target.id))") }
        return trailers + ["Wiki-Base: \(reply.base)"]
    }

    /// The first words of a reply, after a topic's heading.
    static func firstWords(of reply: PendingReply) -> String {
        firstWords(of: reply.heading.map { "\($0): \(reply.text)" } ?? reply.text)
    }

    /// As many words as stand in 60 characters, on one line.
    static func firstWords(of text: String) -> String {
        let words = text.split { $0.isWhitespace || $0 == "\0" }
        var line = ""
        for word in words {
            guard line.isEmpty || line.count + word.count < 60 else { break }
            line += line.isEmpty ? String(word.prefix(60)) : " " + word
        }
        return line.isEmpty ? "(no text)" : line
    }
}

extension Repository {
    /// Reads a page's pending branch; `latest` is the revision that the wiki calls the newest, where that is known.
    borrowing func pendingBranch(of page: PageName, latest: RevisionID?) throws(GitError) -> PendingBranch {
        let last = try self.tip(of: page)
        var base = last
        if let last, let latest, last.commit.record.id != latest {
            // The wiki took revisions back, or has such as are not in the order of time.
            let records = try records(from: last.id, downTo: nil, wiki: page.wiki).records
            base = records.last { $0.commit.record.id == latest } ?? last
        }
        let tip = try resolve(StoreLayout.pendingBranch(of: page))
        var commits: [PendingCommit] = []
        var foot = tip
        if let tip {
            var replies: [String: PendingReply]?
            while let commit = foot {
                let raw = try bytes(of: .commit, commit)
                guard let text = CommitText(parsing: raw), text.parents.count <= 1 else {
                    throw .notOurs(commit, "is no reply's")
                }
                guard let id = text.trailer("Pending-Id") else {
                    // What somebody committed there himself is not to be lost when the branch is made anew.
                    guard RevisionCommit.parse(raw, wiki: page.wiki) != nil else {
                        throw .notOurs(commit, "is no reply's")
                    }
                    break
                }
                if replies == nil { replies = try pendingReplies(in: tip) }
                guard let reply = replies?[id] else {
                    throw GitError(.generic, "check", "\(tip) lacks pending/\(id).json")
                }
                commits.append(PendingCommit(reply: reply, author: text.author.name, commit: commit.description))
                foot = text.parents.first
            }
        }
        return PendingBranch(
            page: page, base: base.map(StoredRevision.init), head: (tip ?? last?.id)?.description,
            tip: tip?.description, foot: foot?.description, commits: commits.reversed())
    }

    private borrowing func pendingReplies(in commit: ObjectID) throws(GitError) -> [String: PendingReply] {
        guard let text = CommitText(parsing: try bytes(of: .commit, commit)) else {
            throw .notOurs(commit, "is no page's")
        }
        var replies: [String: PendingReply] = [:]
        for file in try pageFiles(of: text.tree) where file.path.hasPrefix("pending/") {
            guard let reply = try? StoredJSON.decode(PendingReply.self, try bytes(of: .blob, file.id)) else {
                throw GitError(.generic, "parse", "\(commit) has a damaged \(file.path)")
            }
            replies[reply.id] = reply
        }
        return replies
    }
}
