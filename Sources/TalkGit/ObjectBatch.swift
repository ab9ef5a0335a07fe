internal import CLibgit2

/// New objects that are written together, as one pack.
public struct ObjectBatch: Sendable {
    struct Entry {
        let id: ObjectID
        let kind: ObjectKind
        let bytes: [UInt8]
        /// Path of a file, so that its versions are packed as differences of each other.
        let name: String?
    }

    private(set) var entries: [Entry] = []
    private var known: Set<ObjectID> = []

    /// Makes an empty batch.
    public init() {}

    /// Whether nothing was inserted.
    public var isEmpty: Bool { entries.isEmpty }

    /// Adds an object unless the batch has it, and gives its name.
    @discardableResult
    public mutating func insert(_ kind: ObjectKind, _ bytes: [UInt8], name: String? = nil) throws(GitError) -> ObjectID
    {
        let id = try ObjectID(of: kind, bytes)
        if known.insert(id).inserted { entries.append(Entry(id: id, kind: kind, bytes: bytes, name: name)) }
        return id
    }

    /// Adds a directory.
    @discardableResult
    public mutating func insert(tree entries: [TreeEntry]) throws(GitError) -> ObjectID {
        try insert(.tree, TreeEntry.encode(entries))
    }
}

extension Repository {
    /// Writes what the repository does not have yet as one flushed pack, and says how many objects that were.
    ///
    /// Nothing is visible to anybody before the pack is complete; no pack is made when there is nothing to write. What
    /// the repository has is judged by the packs that it knew when it was opened or written last: after somebody else
    /// removed packs, it must be opened anew.
    @discardableResult
    public borrowing func write(_ batch: ObjectBatch) throws(GitError) -> Int {
        let new = batch.entries.filter { !contains($0.id) }
        guard !new.isEmpty else { return 0 }
        defer { git_mempack_reset(scratch) }
        let builder = try PackBuilder(self)
        for entry in new {
            var oid = entry.id.oid
            try check("git_mempack_write") {
                entry.bytes.withUnsafeBytes {
                    shim_git_backend_write(scratch, &oid, $0.baseAddress, $0.count, entry.kind.type)
                }
            }
            try builder.insert(entry.id, name: entry.name)
        }
        try builder.write()
        try check("git_odb_refresh") { git_odb_refresh(objects) }
        return new.count
    }
}

/// Only the objects that it was given go into its pack, not what they refer to.
private struct PackBuilder: ~Copyable {
    let pointer: OpaquePointer

    init(_ repository: borrowing Repository) throws(GitError) {
        let owner = repository.pointer
        pointer = try makeHandle("git_packbuilder_new") { git_packbuilder_new(&$0, owner) }
        git_packbuilder_set_threads(pointer, 1)
    }

    deinit { git_packbuilder_free(pointer) }

    borrowing func insert(_ id: ObjectID, name: String?) throws(GitError) {
        var oid = id.oid
        try check("git_packbuilder_insert") { git_packbuilder_insert(pointer, &oid, name) }
    }

    borrowing func write() throws(GitError) {
        try check("git_packbuilder_write") { git_packbuilder_write(pointer, nil, 0, nil, nil) }
    }
}
