import Foundation
import Glibc
import TalkTestSupport
import Testing

@testable import TalkGit

/// What a pack costs must not grow with the number of branches.
@Suite(.temporaryDirectory) struct PackBuilderTests {
    /// When somebody read a file last; a file system that keeps no such times says that nobody did.
    private func lastRead(_ path: String) throws -> Int {
        var information = stat()
        try #require(stat(path, &information) == 0)
        return information.st_atim.tv_sec
    }

    @Test func noReferenceIsReadForAPack() throws {
        let repository = try TestRepository(), open = try repository.open()
        var batch = ObjectBatch()
        let tree = try batch.insert(tree: [])
        let commit = try batch.insert(.commit, commitBytes(tree: tree))
        try open.write(batch)
        try open.moveReference("refs/heads/a/b", from: nil, to: commit)
        try open.moveReference("refs/tags/t", from: nil, to: commit)
        let files = ["refs/heads/a/b", "refs/tags/t"].map { "\(repository.path)/\($0)" }
        for file in files {
            let past = timespec(tv_sec: 1_000_000, tv_nsec: 0), unchanged = timespec(tv_sec: 0, tv_nsec: 0x3FFF_FFFE)
            try #require(utimensat(AT_FDCWD, file, [past, unchanged], 0) == 0)
        }
        let next = try batch.insert(.commit, commitBytes(tree: tree, parent: commit))
        #expect(try open.write(batch, present: open.present(at: commit)) == 1)
        #expect(try files.map(lastRead) == [1_000_000, 1_000_000])
        // The repository itself still knows them.
        #expect(try open.resolve("refs/heads/a/b") == commit)
        try open.moveReference("refs/heads/a/b", from: commit, to: next)
        #expect(try repository.problems() == [])
    }
}
