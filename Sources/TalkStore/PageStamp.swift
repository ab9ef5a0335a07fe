/// Which commit a page's directory equals: the file `.stamp` in it, exchanged together with it.
public struct PageStamp: Hashable, Sendable {
    /// A file of the directory.
    struct File: Hashable, Sendable {
        /// Path below the directory.
        let path: String
        /// Name of the blob, 40 hexadecimal digits.
        let blob: String
        /// Length in bytes.
        ///
        /// The directory is not flushed; a file that a power failure cut is found by its length.
        let size: Int
    }

    /// The commit, 40 hexadecimal digits: tip of the pending branch when there is one, else of the page's branch.
    public let commit: String
    /// Its tree, 40 hexadecimal digits; what is derived from a page is stamped with it.
    public let tree: String
    let files: [File]

    static let name = ".stamp"
    private static let firstLine = "git-talk stamp 1"

    init(commit: String, tree: String, files: [File]) {
        self.commit = commit
        self.tree = tree
        self.files = files
    }

    var bytes: [UInt8] {
        let lines =
            [Self.firstLine, "commit \(commit)", "tree \(tree)"] + files.map { "\($0.blob) \($0.size) \($0.path)" }
        return Array((lines.joined(separator: "\n") + "\n").utf8)
    }

    /// Reads the file; nil when it is cut or unknown.
    init?(parsing bytes: [UInt8]) {
        guard let text = String(validating: bytes, as: UTF8.self), text.hasSuffix("\n") else { return nil }
        let lines = text.dropLast().split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count >= 3, lines[0] == Self.firstLine, lines[1].hasPrefix("commit "), lines[2].hasPrefix("tree ")
        else { return nil }
        commit = String(lines[1].dropFirst("commit ".count))
        tree = String(lines[2].dropFirst("tree ".count))
        var files: [File] = []
        for line in lines[3...] {
            let parts = line.split(separator: " ", maxSplits: 2)
            guard parts.count == 3, let size = Int(parts[1]) else { return nil }
            files.append(File(path: String(parts[2]), blob: String(parts[0]), size: size))
        }
        self.files = files
    }
}
