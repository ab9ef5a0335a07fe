import Foundation
import TalkTestSupport
import Testing

@testable import TalkGit

@Suite struct ObjectIDTests {
    @Test func namesBytesAsGitDoes() throws {
        // `printf 'hello\n' | git hash-object --stdin`
        #expect(
            try ObjectID(of: .blob, Array("hello\n".utf8)).description == "ce013625030ba8dba906f756967f9e9ca394464a")
        #expect(try ObjectID(of: .tree, []).description == "4b825dc642cb6eb9a060e54bf8d69288fbee4904")
    }

    @Test func readsFortyLowerCaseDigitsOnly() {
        let hex = "ce013625030ba8dba906f756967f9e9ca394464a"
        #expect(ObjectID(hex: hex)?.description == hex)
        #expect(ObjectID(hex: hex.dropLast()) == nil)
        #expect(ObjectID(hex: hex + "0") == nil)
        #expect(ObjectID(hex: hex.uppercased()) == nil)
        #expect(ObjectID(hex: String(repeating: "g", count: 40)) == nil)
    }

    @Test func ordersLikeTheDigits() throws {
        let ids = try (0..<50).map { try ObjectID(of: .blob, [UInt8($0)]) }
        #expect(ids.sorted().map(\.description) == ids.map(\.description).sorted())
    }
}

@Suite(.temporaryDirectory) struct ObjectBatchTests {
    let repository: TestRepository

    init() throws { repository = try TestRepository() }

    @Test func writesOnePackThatGitAccepts() throws {
        var batch = ObjectBatch()
        let blob = try batch.insert(.blob, Array("one\n".utf8), name: "a.html")
        let empty = try batch.insert(.blob, [])
        let tree = try batch.insert(tree: [
            TreeEntry(name: "b", mode: .file, id: empty), TreeEntry(name: "a.html", mode: .file, id: blob),
        ])
        let commit = try batch.insert(.commit, commitBytes(tree: tree))
        #expect(try repository.open().write(batch) == 4)
        #expect(try repository.packs() == 1)
        let read = try repository.open()
        #expect(try read.object(blob) == GitObject(kind: .blob, bytes: Array("one\n".utf8)))
        #expect(try read.bytes(of: .blob, empty) == [])
        #expect(try read.tree(tree).map(\.name) == ["a.html", "b"])
        try read.moveReference("refs/heads/x", from: nil, to: commit)
        #expect(try repository.problems() == [])
        #expect(try repository.git("ls-tree", "-r", "--name-only", "x").output == "a.html\nb\n")
    }

    /// What is there may be what a `git gc` is just removing, unless a reference leads to it.
    @Test func leavesOutOnlyWhatAReferenceLeadsTo() throws {
        var batch = ObjectBatch()
        let blob = try batch.insert(.blob, Array("one\n".utf8))
        #expect(try batch.insert(.blob, Array("one\n".utf8)) == blob)
        let below = try batch.insert(tree: [TreeEntry(name: "a", mode: .file, id: blob)])
        let tree = try batch.insert(tree: [TreeEntry(name: "d", mode: .directory, id: below)])
        let commit = try batch.insert(.commit, commitBytes(tree: tree))
        let open = try repository.open()
        #expect(try open.write(batch) == 4)
        #expect(try open.write(batch) == 4)
        #expect(try repository.packs() == 2)
        #expect(try open.write(ObjectBatch()) == 0)
        #expect(open.present(at: commit) == [commit, tree, below, blob])
        #expect(open.present(at: nil) == [] && open.present(at: blob) == [])
        #expect(try open.write(batch, present: open.present(at: commit)) == 0)
        try batch.insert(.blob, Array("two\n".utf8))
        #expect(try open.write(batch, present: open.present(at: commit)) == 1)
        #expect(try repository.packs() == 3)
        // What is said to be there and is not is written all the same.
        #expect(try TestRepository("lost").open().write(batch, present: [commit, tree, below, blob]) == 5)
    }

    /// A `git gc` at that moment would take the pack for useless, or its index for garbage.
    @Test func putsAPackInPlaceBeforeItsIndex() throws {
        let test = try TestRepository()
        var batch = ObjectBatch()
        let blob = try batch.insert(.blob, Array("a".utf8))
        try test.open().write(batch)
        let directory = test.path + "/objects/pack"
        let names = try #require(try Files.list(directory))
        #expect(names.count == 2 && names.allSatisfy { $0.hasPrefix("pack-") })
        #expect(try Files.list(test.path + "/objects") == ["info", "pack"])
        // What an end between two steps leaves, or a `git repack` that is removing packs, is not built upon.
        for left in [["idx"], ["pack"], ["pack", "keep"], ["keep"], ["pack", "idx", "keep"]] {
            for name in try Files.list(directory) ?? [] { try Files.remove("\(directory)/\(name)") }
            try test.open().write(batch)
            let stem = directory + "/" + names[0].prefix { $0 != "." }
            try #require(try Files.list(directory) == names)
            if !left.contains("pack") { try Files.remove(stem + ".pack") }
            if !left.contains("idx") { try Files.remove(stem + ".idx") }
            if left.contains("keep") { try Files.create(stem + ".keep", Array(PackPlace.keepMark.utf8), mode: 0o600) }
            #expect(try test.open().write(batch) == 1, "\(left)")
            for end in ["pack", "idx", "keep"] {
                #expect(try Files.information("\(stem).\(end)") == nil || left.contains(end), "\(left)")
                try Files.remove("\(stem).\(end)")
            }
            #expect(try test.packs() == 1, "\(left)")
            #expect(try test.open().bytes(of: .blob, blob) == Array("a".utf8), "\(left)")
            #expect(try test.problems() == [], "\(left)")
        }
    }

    @Test func saysWhatIsMissingOrOfAnotherKind() throws {
        var batch = ObjectBatch()
        let blob = try batch.insert(.blob, Array("one\n".utf8))
        let open = try repository.open()
        let before = open.contains(blob)
        #expect(!before)
        #expect(throws: GitError.self) { try open.object(blob) }
        try open.write(batch)
        let after = open.contains(blob)
        #expect(after)
        #expect(throws: GitError.self) { try open.bytes(of: .commit, blob) }
        #expect(throws: GitError.self) { try open.tree(blob) }
    }

    @Test func sortsDirectoriesAsIfTheyEndedInASlash() throws {
        var batch = ObjectBatch()
        let file = try batch.insert(.blob, Array("x\n".utf8))
        let directory = try batch.insert(tree: [TreeEntry(name: "x", mode: .file, id: file)])
        let tree = try batch.insert(tree: [
            TreeEntry(name: "a", mode: .directory, id: directory), TreeEntry(name: "a.b", mode: .file, id: file),
            TreeEntry(name: "a0", mode: .file, id: file),
        ])
        try repository.open().write(batch)
        // `.` sorts before `/`, which sorts before `0`.
        #expect(try repository.open().tree(tree).map(\.name) == ["a.b", "a", "a0"])
        try repository.open().write(
            {
                try batch.insert(.commit, commitBytes(tree: tree))
                return batch
            }())
        #expect(try repository.problems() == [])
    }
}

@Suite(.temporaryDirectory) struct TreeChangeTests {
    let repository: TestRepository

    init() throws { repository = try TestRepository() }

    @Test func listsAddedChangedAndRemovedFilesByPath() throws {
        var batch = ObjectBatch()
        let a = try batch.insert(.blob, [1]), b = try batch.insert(.blob, [2])
        func directory(_ entries: [(String, ObjectID)]) throws -> ObjectID {
            try batch.insert(tree: entries.map { TreeEntry(name: $0.0, mode: .file, id: $0.1) })
        }
        let sections = try directory([("kept", a), ("changed", a), ("gone", a)])
        let changed = try directory([("kept", a), ("changed", b), ("new", b)])
        let same = try directory([("x", a)])
        let old = try batch.insert(tree: [
            TreeEntry(name: "sections", mode: .directory, id: sections),
            TreeEntry(name: "same", mode: .directory, id: same),
            TreeEntry(name: "swap", mode: .file, id: a),
        ])
        let new = try batch.insert(tree: [
            TreeEntry(name: "sections", mode: .directory, id: changed),
            TreeEntry(name: "same", mode: .directory, id: same),
            TreeEntry(name: "swap", mode: .directory, id: same),
        ])
        let open = try repository.open()
        try open.write(batch)
        #expect(
            try open.changes(from: old, to: new) == [
                TreeChange(path: "sections/changed", old: a, new: b),
                TreeChange(path: "sections/gone", old: a, new: nil),
                TreeChange(path: "sections/new", old: nil, new: b), TreeChange(path: "swap", old: a, new: nil),
                TreeChange(path: "swap/x", old: nil, new: a),
            ])
        #expect(try open.changes(from: old, to: old) == [])
        #expect(try open.changes(from: nil, to: same) == [TreeChange(path: "x", old: nil, new: a)])
    }
}
