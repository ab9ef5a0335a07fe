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
        guard path.count == depth, StoreLayout.areComponents(path.prefix(3)) else { return false }
        switch self {
        case .purged:
            guard let id = Int64(path[3]), id > 0, String(id) == path[3] else { return false }
            let parts = PurgedParts(words: text.split(whereSeparator: \.isWhitespace))
            return !parts.isEmpty && text.utf8.elementsEqual(parts.text.utf8)
        case .bookmarks:
            let counter = Self.counter(text)
            return counter > 0 && counter <= Self.greatestCounter && "\(counter)\n" == text
        case .titles:
            // The path has a digest of the title, so nobody can give a page another one.
            guard text.hasSuffix("\n") else { return false }
            let name = RefComponent.escape(String(text.dropLast()))
            return name.utf8.elementsEqual(path[2].utf8) && name.utf8.contains(UInt8(ascii: "="))
        }
    }

    /// What two stores know of one thing together.
    func join(_ one: String, _ other: String) -> String {
        switch self {
        case .purged:
            func parts(_ text: String) -> PurgedParts { PurgedParts(words: text.split(whereSeparator: \.isWhitespace)) }
            return parts(one).union(parts(other)).text
        case .bookmarks:
            return Self.counter(one) >= Self.counter(other) ? one : other
        case .titles:
            // Both have the digest of the path; should they differ all the same, every store keeps the same one.
            return one.utf8.lexicographicallyPrecedes(other.utf8) ? other : one
        }
    }

    /// The pages among these files whose bookmark is on, by path.
    static func bookmarked(_ files: [String: String]) -> Set<String> {
        Set(files.filter { counter($0.value) % 2 == 1 }.keys)
    }

    /// Nobody puts a bookmark on and takes it off this often; it can still be counted on.
    static let greatestCounter = Int64(1) << 31

    /// The counter of a bookmark: how often it was put on and taken off.
    static func counter(_ text: String?) -> Int64 { text.flatMap { Int64($0.dropLast()) } ?? 0 }

    /// Joins all that two stores know.
    func join(_ one: [String: String], _ other: [String: String]) -> [String: String] {
        one.merging(other) { join($0, $1) }
    }
}
