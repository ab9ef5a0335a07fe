internal import CLibgit2

/// What a git object is.
public enum ObjectKind: Hashable, Sendable {
    /// The bytes of a file.
    case blob
    /// A directory.
    case tree
    /// A tree with its history and its message.
    case commit

    var type: git_object_t {
        switch self {
        case .blob: GIT_OBJECT_BLOB
        case .tree: GIT_OBJECT_TREE
        case .commit: GIT_OBJECT_COMMIT
        }
    }

    init?(_ type: git_object_t) {
        switch type {
        case GIT_OBJECT_BLOB: self = .blob
        case GIT_OBJECT_TREE: self = .tree
        case GIT_OBJECT_COMMIT: self = .commit
        default: return nil
        }
    }
}

/// A git object as bytes.
public struct GitObject: Hashable, Sendable {
    /// What it is.
    public let kind: ObjectKind
    /// Its content without git's header.
    public let bytes: [UInt8]
}

extension ObjectID {
    /// The name that git gives these bytes.
    public init(of kind: ObjectKind, _ bytes: [UInt8]) throws(GitError) {
        let git = try Library.load().functions
        var oid = git_oid()
        try check("git_odb_hash") {
            bytes.withUnsafeBytes { git.pointee.odb_hash(&oid, $0.baseAddress, $0.count, kind.type) }
        }
        self.init(oid)
    }
}

extension Repository {
    /// Reads an object; its content is checked against its name.
    public borrowing func object(_ id: ObjectID) throws(GitError) -> GitObject {
        var oid = id.oid
        let owner = objects
        let object = try makeHandle("git_odb_read") { git.pointee.odb_read(&$0, owner, &oid) }
        defer { git.pointee.odb_object_free(object) }
        guard let kind = ObjectKind(git.pointee.odb_object_type(object)) else {
            throw GitError(.generic, "git_odb_read", "\(id) is neither blob nor tree nor commit")
        }
        let bytes = UnsafeRawBufferPointer(
            start: git.pointee.odb_object_data(object), count: git.pointee.odb_object_size(object))
        return GitObject(kind: kind, bytes: [UInt8](bytes))
    }

    /// Reads an object that must be of one kind.
    public borrowing func bytes(of kind: ObjectKind, _ id: ObjectID) throws(GitError) -> [UInt8] {
        let object = try object(id)
        guard object.kind == kind else { throw GitError(.generic, "git_odb_read", "\(id) is no \(kind)") }
        return object.bytes
    }

    /// Length of an object's content, which must be of one kind; nothing of it is read.
    public borrowing func size(of kind: ObjectKind, _ id: ObjectID) throws(GitError) -> Int {
        var oid = id.oid
        var size = 0
        var type = GIT_OBJECT_INVALID
        try check("git_odb_read_header") { git.pointee.odb_read_header(&size, &type, objects, &oid) }
        guard type == kind.type else { throw GitError(.generic, "git_odb_read_header", "\(id) is no \(kind)") }
        return size
    }

    /// Whether the object is there, as far as known without listing the packs again.
    public borrowing func contains(_ id: ObjectID) -> Bool {
        var oid = id.oid
        return git.pointee.odb_exists_ext(objects, &oid, GIT_ODB_LOOKUP_NO_REFRESH.rawValue) == 1
    }
}
