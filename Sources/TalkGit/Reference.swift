internal import CLibgit2

/// A name for a commit.
public struct Reference: Hashable, Sendable {
    /// The full name, `refs/heads/…`.
    public let name: String
    /// The commit.
    public let target: ObjectID

    /// Makes a value; nothing is written.
    public init(name: String, target: ObjectID) {
        self.name = name
        self.target = target
    }
}

extension Repository {
    /// The commit that a reference names; nil when there is no such reference.
    public borrowing func resolve(_ name: String) throws(GitError) -> ObjectID? {
        var oid = git_oid()
        let status = git.pointee.reference_name_to_id(&oid, pointer, name)
        if status == GIT_ENOTFOUND.rawValue { return nil }
        try check("git_reference_name_to_id") { status }
        return ObjectID(oid)
    }

    /// The references whose name begins with `prefix`, sorted by name; symbolic and unreadable ones are left out.
    public borrowing func references(under prefix: String) throws(GitError) -> [Reference] {
        let iterator = try ReferenceIterator(self, under: prefix)
        var references: [Reference] = []
        while let reference = try iterator.next() { references.append(reference) }
        return references.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// Creates a reference, or moves it when it still names `old`; the compare and the write are one step.
    ///
    /// Throws `.modified` when the reference names something else, `.exists` when `old` is nil and it is there, and
    /// `.locked` when somebody else is writing it.
    public borrowing func moveReference(_ name: String, from old: ObjectID?, to new: ObjectID) throws(GitError) {
        var oid = new.oid
        var reference: OpaquePointer?
        defer { git.pointee.reference_free(reference) }
        guard let old else {
            try check("git_reference_create") { git.pointee.reference_create(&reference, pointer, name, &oid, 0, nil) }
            return
        }
        var expected = old.oid
        let status = git.pointee.reference_create_matching(&reference, pointer, name, &oid, 1, &expected, nil)
        if status == GIT_ENOTFOUND.rawValue {
            throw GitError(.modified, "git_reference_create_matching", "\(name) is gone")
        }
        try check("git_reference_create_matching") { status }
    }

    /// Deletes a reference when it still names `old`.
    ///
    /// Throws `.modified` when it names something else. libgit2 rewrites `packed-refs` without a lock when the
    /// reference stands there, so the caller must be the only writer.
    public borrowing func deleteReference(_ name: String, from old: ObjectID) throws(GitError) {
        let owner = pointer
        var reference: OpaquePointer?
        let status = git.pointee.reference_lookup(&reference, owner, name)
        if status == GIT_ENOTFOUND.rawValue { throw GitError(.modified, "git_reference_lookup", "\(name) is gone") }
        try check("git_reference_lookup") { status }
        defer { git.pointee.reference_free(reference) }
        guard let target = git.pointee.reference_target(reference), ObjectID(target.pointee) == old else {
            throw GitError(.modified, "git_reference_delete", "\(name) moved")
        }
        // It compares with the value that was looked up, under the lock.
        try check("git_reference_delete") { git.pointee.reference_delete(reference) }
    }
}

private struct ReferenceIterator: ~Copyable {
    private let git: UnsafePointer<shim_git>
    private let pointer: UnsafeMutablePointer<git_reference_iterator>

    init(_ repository: borrowing Repository, under prefix: String) throws(GitError) {
        let git = repository.git, owner = repository.pointer, function = "git_reference_iterator_glob_new"
        var iterator: UnsafeMutablePointer<git_reference_iterator>?
        // No character of a reference's name means something in a pattern, and `*` crosses slashes here.
        try check(function) { git.pointee.reference_iterator_glob_new(&iterator, owner, prefix + "*") }
        guard let iterator else { throw GitError(.generic, function, "there is no iterator") }
        self.git = git
        pointer = iterator
    }

    deinit { git.pointee.reference_iterator_free(pointer) }

    borrowing func next() throws(GitError) -> Reference? {
        while true {
            var reference: OpaquePointer?
            let status = git.pointee.reference_next(&reference, pointer)
            if status == GIT_ITEROVER.rawValue { return nil }
            try check("git_reference_next") { status }
            defer { git.pointee.reference_free(reference) }
            guard let target = git.pointee.reference_target(reference), let name = git.pointee.reference_name(reference)
            else {
                continue
            }
            return Reference(name: String(cString: name), target: ObjectID(target.pointee))
        }
    }
}
