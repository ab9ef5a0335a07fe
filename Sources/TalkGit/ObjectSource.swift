internal import CLibgit2

/// One place where a repository keeps objects: its loose ones, or one pack.
///
/// The repository itself gives an object from wherever it is whole; this tells which place has it, and whether it is whole
/// there.
public struct ObjectSource: ~Copyable {
    private let git: UnsafePointer<shim_git>
    private let pointer: OpaquePointer

    /// The loose objects below a directory `objects`.
    public init(looseIn objects: String) throws(GitError) {
        let git = try Library.load().functions
        pointer = try Self.database(git, "git_odb_backend_loose") {
            git.pointee.odb_backend_loose(&$0, objects, -1, 0, 0, 0)
        }
        self.git = git
    }

    /// The pack that has this index; pack and index stand side by side.
    public init(packWithIndex path: String) throws(GitError) {
        let git = try Library.load().functions
        pointer = try Self.database(git, "git_odb_backend_one_pack") { git.pointee.odb_backend_one_pack(&$0, path) }
        self.git = git
    }

    private static func database(
        _ git: UnsafePointer<shim_git>, _ function: String,
        _ open: (inout UnsafeMutablePointer<git_odb_backend>?) -> Int32
    ) throws(GitError) -> OpaquePointer {
        let database = try makeHandle("git_odb_new") { git.pointee.odb_new(&$0) }
        var backend: UnsafeMutablePointer<git_odb_backend>?
        do throws(GitError) {
            try check(function) { open(&backend) }
            try check("git_odb_add_backend") { git.pointee.odb_add_backend(database, backend, 1) }
            return database
        } catch {
            if let backend { backend.pointee.free(backend) }
            git.pointee.odb_free(database)
            throw error
        }
    }

    deinit { git.pointee.odb_free(pointer) }

    /// The names of all objects that should be there, sorted.
    public borrowing func names() throws(GitError) -> [ObjectID] {
        var names: [ObjectID] = []
        _ = try withUnsafeMutablePointer(to: &names) { list throws(GitError) in
            try check("git_odb_foreach") {
                git.pointee.odb_foreach(
                    pointer,
                    { id, list in
                        guard let id, let list else { return -1 }
                        list.assumingMemoryBound(to: [ObjectID].self).pointee.append(ObjectID(id.pointee))
                        return 0
                    }, list)
            }
        }
        return names.sorted()
    }

    /// Reads an object, whose content is checked against its name; nil for an annotated tag.
    public borrowing func object(_ id: ObjectID) throws(GitError) -> GitObject? {
        var oid = id.oid
        let object = try makeHandle("git_odb_read") { git.pointee.odb_read(&$0, pointer, &oid) }
        defer { git.pointee.odb_object_free(object) }
        guard let kind = ObjectKind(git.pointee.odb_object_type(object)) else { return nil }
        let bytes = UnsafeRawBufferPointer(
            start: git.pointee.odb_object_data(object), count: git.pointee.odb_object_size(object))
        return GitObject(kind: kind, bytes: [UInt8](bytes))
    }
}
