/// What the file system tells of the files that hold references, none of which is opened for it.
///
/// As long as it is the same, so are the references. Whoever changes one puts a new file in its place, which has another
/// inode than the file that still stood there; and whatever is written, also into the same file, has the time of that
/// change, which no program can set back. Only what changes twice within one tick of the clock could look the same, so
/// a stamp proves nothing until all files are older than that: `isProof`.
public struct ReferenceStamp: Hashable, Sendable {
    /// The coarsest clock of a file system that stores stand on (FAT counts every second second), in nanoseconds.
    private static let tick: Int64 = 2_000_000_000

    /// A line for each file.
    public private(set) var text = ""
    private var newest = Int64.min

    /// Looks at `packed-refs` and at all files below some directories, but for those below `excluded`; nil where one is a
    /// link, whose target may change by itself.
    ///
    /// The names end in a slash.
    public init?(
        _ gitDirectory: String, below prefixes: [String], excluding excluded: String
    ) throws(FileError) {
        let packed = "packed-refs"
        if let information = try Files.information("\(gitDirectory)/\(packed)") {
            guard add(packed, information) else { return nil }
        }
        var pending = prefixes
        while let directory = pending.popLast() {
            for (name, information) in try Files.entries(in: "\(gitDirectory)/\(directory)") ?? [] {
                if information.kind == .directory {
                    let below = "\(directory)\(name)/"
                    if below != excluded { pending.append(below) }
                } else if !name.hasSuffix(".lock") {
                    guard add("\(directory)\(name)", information) else { return nil }
                }
            }
        }
    }

    private mutating func add(_ name: String, _ file: FileInformation) -> Bool {
        guard file.kind == .file else { return false }
        text += "\(name) \(file.inode) \(file.size) \(file.modified) \(file.changed)\n"
        newest = max(newest, file.modified, file.changed)
        return true
    }

    /// Whether the references are the same as long as the stamp is; `now` is the time of the file system, in nanoseconds
    /// since 1970, from before the files were looked at.
    public func isProof(at now: Int64) -> Bool { newest < now - Self.tick }
}
