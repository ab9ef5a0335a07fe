/// One name in a directory, as git's tree objects hold it.
public struct TreeEntry: Hashable, Sendable {
    /// What the name stands for.
    public enum Mode: Hashable, Sendable {
        /// A file, `100644`.
        case file
        /// A directory, `40000`.
        case directory
        /// Anything else that git knows: an executable, a link, a submodule. No store holds one.
        case other(String)

        var digits: String {
            switch self {
            case .file: "100644"
            case .directory: "40000"
            case .other(let digits): digits
            }
        }
    }

    /// The name, without a slash.
    public let name: String
    /// What it stands for.
    public let mode: Mode
    /// The blob or tree.
    public let id: ObjectID

    /// Makes an entry.
    public init(name: String, mode: Mode, id: ObjectID) {
        self.name = name
        self.mode = mode
        self.id = id
    }

    /// What git sorts by: a directory's name counts as if it ended in a slash.
    private var sortKey: [UInt8] { Array(name.utf8) + (mode == .directory ? [UInt8(ascii: "/")] : []) }

    /// The bytes of a tree object.
    static func encode(_ entries: [TreeEntry]) -> [UInt8] {
        var bytes: [UInt8] = []
        let sorted = entries.map { ($0.sortKey, $0) }.sorted { $0.0.lexicographicallyPrecedes($1.0) }
        for (_, entry) in sorted {
            bytes += "\(entry.mode.digits) \(entry.name)\0".utf8
            bytes += entry.id.raw
        }
        return bytes
    }

    /// Reads the bytes of a tree object; nil when they are none, or when a name is not UTF-8.
    static func decode(_ bytes: [UInt8]) -> [TreeEntry]? {
        var entries: [TreeEntry] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let space = rest.firstIndex(of: UInt8(ascii: " ")),
                let zero = rest[space...].firstIndex(of: 0),
                let id = ObjectID(raw: rest[(zero + 1)...].prefix(20)),
                let name = String(validating: rest[(space + 1)..<zero], as: UTF8.self),
                let digits = String(validating: rest[..<space], as: UTF8.self)
            else { return nil }
            entries.append(TreeEntry(name: name, mode: Mode(digits: digits), id: id))
            rest = rest[(zero + 21)...]
        }
        return entries
    }
}

extension TreeEntry.Mode {
    fileprivate init(digits: String) {
        switch digits {
        case "100644": self = .file
        case "40000": self = .directory
        default: self = .other(digits)
        }
    }
}

extension Repository {
    /// The entries of a directory in git's order.
    public borrowing func tree(_ id: ObjectID) throws(GitError) -> [TreeEntry] {
        guard let entries = TreeEntry.decode(try bytes(of: .tree, id)) else {
            throw GitError(.generic, "git_odb_read", "\(id) is a malformed tree")
        }
        return entries
    }
}
