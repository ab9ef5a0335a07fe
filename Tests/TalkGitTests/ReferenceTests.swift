import Foundation
import TalkTestSupport
import Testing

@testable import TalkGit

@Suite(.temporaryDirectory) struct ReferenceTests {
    let repository: TestRepository

    init() throws { repository = try TestRepository() }

    private func writeCommits(_ open: borrowing Repository) throws -> [ObjectID] {
        var batch = ObjectBatch()
        let tree = try batch.insert(tree: [])
        let commits = try (1...3).map { try batch.insert(.commit, commitBytes(tree: tree, subject: "\($0)")) }
        try open.write(batch)
        return commits
    }

    @Test func movesOnlyFromWhatWasExpected() throws {
        let open = try repository.open()
        let commits = try writeCommits(open), name = "refs/heads/w/Talk/A"
        #expect(try open.resolve(name) == nil)
        try open.moveReference(name, from: nil, to: commits[0])
        expect(.exists) { try open.moveReference(name, from: nil, to: commits[1]) }
        expect(.modified) { try open.moveReference(name, from: commits[1], to: commits[2]) }
        try open.moveReference(name, from: commits[0], to: commits[1])
        #expect(try open.resolve(name) == commits[1])
        expect(.modified) { try open.moveReference("refs/heads/none", from: commits[0], to: commits[1]) }
        expect(.invalidName) { try open.moveReference("refs/heads/a..b", from: nil, to: commits[0]) }
    }

    @Test func deletesOnlyWhatWasExpected() throws {
        let open = try repository.open()
        let commits = try writeCommits(open), name = "refs/heads/w/Talk/A"
        expect(.modified) { try open.deleteReference(name, from: commits[0]) }
        try open.moveReference(name, from: nil, to: commits[0])
        expect(.modified) { try open.deleteReference(name, from: commits[1]) }
        try open.deleteReference(name, from: commits[0])
        #expect(try open.resolve(name) == nil)
    }

    @Test func listsByPrefixAndSorts() throws {
        let open = try repository.open()
        let commits = try writeCommits(open)
        for name in ["refs/heads/w/Talk/B", "refs/heads/w/Talk/A", "refs/heads/x", "refs/discarded/1"] {
            try open.moveReference(name, from: nil, to: commits[0])
        }
        #expect(
            try open.references(under: "refs/heads/w/").map(\.name) == ["refs/heads/w/Talk/A", "refs/heads/w/Talk/B"])
        #expect(
            try open.references(under: "refs/discarded/") == [Reference(name: "refs/discarded/1", target: commits[0])])
        #expect(try open.references(under: "refs/none/") == [])
        _ = try repository.git("pack-refs", "--all")
        #expect(try open.references(under: "refs/heads/w/").count == 2)
        #expect(try open.resolve("refs/heads/w/Talk/A") == commits[0])
    }

    @Test func readsTheFilesAsGitDoes() throws {
        let open = try repository.open()
        let commits = try writeCommits(open), root = repository.path
        for (name, commit) in [("refs/heads/w/Talk/A", 0), ("refs/heads/x", 1), ("refs/remotes/hub/y", 2)] {
            try open.moveReference(name, from: nil, to: commits[commit])
        }
        let all = ["refs/heads/w/Talk/A": "\(commits[0])", "refs/heads/x": "\(commits[1])"]
        #expect(try ReferenceFiles.read(root, below: ["refs/heads/"]) == all)
        _ = try repository.git("pack-refs", "--all")
        #expect(try ReferenceFiles.read(root, below: ["refs/heads/"]) == all)
        try open.moveReference("refs/heads/x", from: commits[1], to: commits[2])
        _ = try repository.git("symbolic-ref", "refs/remotes/hub/HEAD", "refs/remotes/hub/y")
        #expect(
            try ReferenceFiles.read(root, below: ["refs/heads/", "refs/remotes/hub/"]) == [
                "refs/heads/w/Talk/A": "\(commits[0])", "refs/heads/x": "\(commits[2])",
                "refs/remotes/hub/y": "\(commits[2])", "refs/remotes/hub/HEAD": "ref: refs/remotes/hub/y",
            ])
        #expect(try ReferenceFiles.read(root, below: ["refs/none/"]) == [:])
    }

    /// Whatever changes a reference changes the stamp, also where length and time of the last change are as before.
    @Test func aStampTellsWhetherReferencesChanged() throws {
        let open = try repository.open(), root = repository.path
        let commits = try writeCommits(open)
        func stamp() throws -> ReferenceStamp {
            try #require(
                try ReferenceStamp(root, below: ["refs/heads/", "refs/none/"], excluding: "refs/heads/pending/"))
        }
        func changes(_ body: () throws -> Void) throws -> Bool {
            let before = try stamp().text
            try body()
            return try stamp().text != before
        }
        let name = "refs/heads/w/Talk/A", file = "\(root)/\(name)"
        #expect(try stamp().text == "")
        #expect(try changes { try open.moveReference(name, from: nil, to: commits[0]) })
        #expect(try stamp().text.hasPrefix("\(name) "))
        #expect(try !changes { _ = try ReferenceFiles.read(root, below: ["refs/heads/"]) })
        #expect(try changes { try open.moveReference(name, from: commits[0], to: commits[1]) })
        // Another commit in the same file, which is given the time that it had.
        try Files.mark(file, at: 1_700_000_000)
        #expect(
            try changes {
                Thread.sleep(forTimeInterval: 0.02)
                let handle = try FileHandle(forWritingTo: URL(filePath: file))
                try handle.write(contentsOf: Data("\(commits[2])\n".utf8))
                try handle.close()
                try Files.mark(file, at: 1_700_000_000)
            })
        #expect(try changes { try open.moveReference("refs/heads/x", from: nil, to: commits[0]) })
        #expect(try changes { _ = try repository.git("pack-refs", "--all") })
        #expect(try stamp().text.hasPrefix("packed-refs ") && stamp().text.utf8.count { $0 == UInt8(ascii: "\n") } == 1)
        #expect(try changes { try open.deleteReference("refs/heads/x", from: commits[0]) })
        #expect(
            try !changes {
                try open.moveReference("refs/heads/pending/w/Talk/A", from: nil, to: commits[0])
                try open.moveReference("refs/remotes/hub/y", from: nil, to: commits[0])
                try Files.create("\(root)/refs/heads/x.lock", [], mode: 0o600)
            })
    }

    /// What is written twice within one tick of the clock can look the same, and a link's target changes by itself.
    @Test func aStampIsNoProofOfYoungFilesAndLinks() throws {
        let open = try repository.open(), root = repository.path
        let commits = try writeCommits(open)
        try open.moveReference("refs/heads/x", from: nil, to: commits[0])
        func stamp() throws -> ReferenceStamp? {
            try ReferenceStamp(root, below: ["refs/heads/"], excluding: "refs/heads/pending/")
        }
        let file = try #require(try Files.information("\(root)/refs/heads/x"))
        #expect(try stamp()?.isProof(at: file.changed) == false)
        #expect(try stamp()?.isProof(at: file.changed + 2_000_000_000) == false)
        #expect(try stamp()?.isProof(at: file.changed + 2_000_000_001) == true)
        // Its bytes are old, but it has just come here.
        let past = Date(timeIntervalSince1970: 1_000_000_000)
        try FileManager.default.setAttributes([.modificationDate: past], ofItemAtPath: "\(root)/refs/heads/x")
        #expect(try stamp()?.isProof(at: 1_000_000_010_000_000_000) == false)
        try FileManager.default.createSymbolicLink(atPath: "\(root)/refs/heads/y", withDestinationPath: "x")
        #expect(try stamp() == nil)
    }

    @Test func saysThatAnotherProgramHoldsAReference() throws {
        let open = try repository.open()
        let commits = try writeCommits(open), name = "refs/heads/w/Talk/A"
        try open.moveReference(name, from: nil, to: commits[0])
        try Files.create("\(repository.path)/\(name).lock", [], mode: 0o600)
        expect(.locked) { try open.moveReference(name, from: commits[0], to: commits[1]) }
    }

    /// libgit2 must not ask the user's configuration: a broken one would close every store.
    @Test func readsNobodysConfiguration() async throws {
        let path = repository.path, home = TemporaryDirectory.current.path
        try Files.create("\(home)/.gitconfig", Array("[[[ broken".utf8), mode: 0o600)
        await #expect(processExitsWith: .success) { [path = path as String, home = home as String] in
            setenv("HOME", home, 1)
            let open = try Repository(openingAt: path)
            var batch = ObjectBatch()
            let commit = try batch.insert(.commit, commitBytes(tree: try batch.insert(tree: [])))
            try open.write(batch)
            try open.moveReference("refs/heads/x", from: nil, to: commit)
        }
        #expect(try repository.open().resolve("refs/heads/x") != nil)
    }

    private func expect(
        _ code: GitError.Code, _ body: () throws -> Void, at location: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: GitError.self, sourceLocation: location) { try body() }
        #expect(error?.code == code, sourceLocation: location)
    }
}
