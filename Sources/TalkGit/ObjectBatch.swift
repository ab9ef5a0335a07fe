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

    /// The names of what was inserted.
    public var names: [ObjectID] { entries.map(\.id) }

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

    /// Adds what another batch has.
    public mutating func insert(contentsOf other: ObjectBatch) {
        for entry in other.entries where known.insert(entry.id).inserted { entries.append(entry) }
    }

    /// Adds a directory.
    @discardableResult
    public mutating func insert(tree entries: [TreeEntry]) throws(GitError) -> ObjectID {
        try insert(.tree, TreeEntry.encode(entries))
    }
}

extension Repository {
    /// Writes a batch as one flushed pack, and says how many objects that were.
    ///
    /// Left out is only what a reference leads to, which the caller names: `present(at:)`. Of anything else that is there
    /// a `git gc` of the user may be about to remove it. What is `present` is looked for all the same, in the packs that
    /// the repository knew when it was opened or written last: after somebody else removed packs, it must be opened anew.
    /// Nothing is visible to anybody before the pack is complete; no pack is made when there is nothing to write.
    @discardableResult
    public borrowing func write(_ batch: ObjectBatch, present: Set<ObjectID> = []) throws(GitError) -> Int {
        let new = batch.entries.filter { !present.contains($0.id) || !contains($0.id) }
        guard !new.isEmpty else { return 0 }
        defer { _ = git.pointee.mempack_reset(scratch) }
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
        let database = objects, directory = String(cString: git.pointee.repository_path(pointer)!) + "objects"
        // As git calls a place of its own for what is not complete: its `prune` removes one that is left.
        let place = "\(directory)/\(PackPlace.scratchPrefix)\(String(UInt64.random(in: 0...UInt64.max), radix: 36))"
        do throws(FileError) { try Files.makeDirectories(place) } catch { throw GitError(error) }
        do throws(GitError) {
            let name = try builder.write(in: place)
            do throws(FileError) {
                try PackPlace(objects: directory, name: name).install(from: place, guards)
            } catch { throw GitError(error) }
            try? Files.removeTree(place)
        } catch {
            try? Files.removeTree(place)
            throw error
        }
        try check("git_odb_refresh") { git.pointee.odb_refresh(database) }
        return new.count
    }
}

/// Where a complete pack goes, beside a `git gc` that may run at any moment.
///
/// libgit2 would put the index there before the pack. `git gc` removes an index that has no pack, and `git repack` takes
/// a pack that has no index yet for one of which it has taken over all objects, and removes that. So the pack comes
/// first, and a `.keep` file protects it until the index has come, and until a reference leads to it: `PackGuards`.
public struct PackPlace: Hashable, Sendable {
    /// How the directory is called in which a pack is made, below `objects`.
    public static let scratchPrefix = "tmp_objdir-git-talk-"
    /// What the `.keep` files have in them that are there for that moment alone.
    public static let keepMark = "git-talk\n"

    let objects: String
    let name: String

    /// Moves pack and index from a directory on the same disk to their place, flushed.
    func install(from directory: String, _ guards: PackGuards) throws(FileError) {
        let new = "\(directory)/pack-\(name)"
        var stem = "\(objects)/pack/pack-\(name)"
        // A pack of these very objects may be one that a `git repack` is about to remove: no reference leads to them.
        for end in ["pack", "idx", "keep"] where try Files.information("\(stem).\(end)") != nil {
            stem = "\(objects)/pack/pack-\(Self.unusedName())"
        }
        do throws(FileError) { try Files.create("\(stem).keep", Array(Self.keepMark.utf8), mode: 0o600) } catch {
            guard error.isExisting else { throw error }
        }
        guards.add("\(stem).keep")
        try Files.rename("\(new).pack", to: "\(stem).pack")
        try Files.rename("\(new).idx", to: "\(stem).idx")
        try Files.synchronizeDirectory("\(objects)/pack")
    }
}

extension PackPlace {
    /// Nobody derives anything from a pack's name, but git wants it to look like an object's.
    fileprivate static func unusedName() -> String {
        String((0..<40).map { _ in "0123456789abcdef".randomElement() ?? "0" })
    }
}

/// The `.keep` files of packs that no reference leads to yet, so that not even a `git gc --prune=now` takes them.
///
/// They go when the owner says so, at the latest with it; those of a program that died go when the store is looked through.
public final class PackGuards {
    private var files: [String] = []

    /// Protects nothing yet.
    public init() {}

    deinit { release() }

    func add(_ file: String) { files.append(file) }

    /// From now on references lead to what was written, or it is not wanted.
    public func release() {
        // One that stays protects a pack longer than it must.
        for file in files { try? Files.remove(file) }
        files = []
    }
}

/// Only the objects that it was given go into its pack, not what they refer to.
private struct PackBuilder: ~Copyable {
    private let git: UnsafePointer<shim_git>
    private let pointer: OpaquePointer
    private let owner: OpaquePointer

    init(_ repository: borrowing Repository) throws(GitError) {
        let git = repository.git, objects = repository.objects
        // Else each pack took a time that grows with the number of pages.
        let owner = try makeHandle("git_repository_wrap_odb") { shim_git_objects_alone(git, &$0, objects) }
        do throws(GitError) {
            pointer = try makeHandle("git_packbuilder_new") { git.pointee.packbuilder_new(&$0, owner) }
        } catch {
            git.pointee.repository_free(owner)
            throw error
        }
        self.git = git
        self.owner = owner
        _ = git.pointee.packbuilder_set_threads(pointer, 1)
    }

    deinit {
        git.pointee.packbuilder_free(pointer)
        git.pointee.repository_free(owner)
    }

    borrowing func insert(_ id: ObjectID, name: String?) throws(GitError) {
        var oid = id.oid
        try check("git_packbuilder_insert") { git.pointee.packbuilder_insert(pointer, &oid, name) }
    }

    /// Writes pack and index into a directory, flushed, and gives the name that they have in common.
    borrowing func write(in directory: String) throws(GitError) -> String {
        try check("git_packbuilder_write") { git.pointee.packbuilder_write(pointer, directory, 0, nil, nil) }
        guard let name = git.pointee.packbuilder_name(pointer) else {
            throw GitError(.generic, "git_packbuilder_name", "the pack has no name")
        }
        return String(cString: name)
    }
}
