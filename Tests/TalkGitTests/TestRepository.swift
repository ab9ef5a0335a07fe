import Foundation
import TalkTestSupport
import Testing

@testable import TalkGit

/// A bare repository in the test's directory.
struct TestRepository {
    let path: String

    init(_ name: String = "r") throws {
        path = TemporaryDirectory.current.appending(path: name).path
        _ = try runGit(["init", "--bare", "--quiet", "--template=", path], in: TemporaryDirectory.current.path)
    }

    func open() throws(GitError) -> Repository { try Repository(openingAt: path) }

    func packs() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: path + "/objects/pack").count { $0.hasSuffix(".pack") }
    }

    /// What `git fsck` finds wrong.
    func problems() throws -> [String] {
        let (status, output) = try git("fsck", "--strict", "--no-dangling")
        let lines = output.split(separator: "\n").filter { !$0.hasPrefix("notice:") }.map(String.init)
        return status == 0 ? lines : lines + ["status \(status)"]
    }

    func git(_ arguments: String...) throws -> (status: Int32, output: String) { try runGit(arguments, in: path) }
}

func commitBytes(tree: ObjectID, parent: ObjectID? = nil, subject: String = "x") -> [UInt8] {
    let parent = parent.map { "parent \($0)\n" } ?? ""
    return Array("tree \(tree)\n\(parent)author A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\n\(subject)\n".utf8)
}
