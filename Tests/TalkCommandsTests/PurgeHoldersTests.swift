import Foundation
import TalkTestSupport
import Testing

@testable import TalkCommands

/// What a user's git keeps of what was purged is named, and nothing else is.
@Suite(.temporaryDirectory) struct PurgeHoldersTests {
    private let paper = PaperWiki()

    enum Holder: CaseIterable {
        case tag, tagOfFile, head, branch, index, bisection, keptPack, alternates
    }

    private var tree: String { TemporaryDirectory.current.appending(path: "tree").path }
    private var innocent: String { TemporaryDirectory.current.appending(path: "innocent").path }

    /// A store with three revisions of a page, a worktree that has nothing to do with it, and the page's branch.
    private func prepare() async throws -> (program: TestProgram, branch: String) {
        let program = try TestProgram(in: TemporaryDirectory.current.appending(path: "a"))
        await program.run("pull", paper.page)
        for word in ["An ugly", "A worse"] {
            paper.append("<p>\(word) word. Bob</p>")
            await program.run("pull")
        }
        try program.git("worktree", "add", "--quiet", "--detach", innocent, "main")
        let branches = try program.git("for-each-ref", "--format=%(refname:short)", "refs/heads").split(separator: "\n")
        return (program, String(try #require(branches.first { $0 != "main" })))
    }

    private func inTree(_ words: String...) throws {
        let (status, output) = try runGit(words, in: tree)
        try #require(status == 0, "\(words): \(output)")
    }

    /// Makes what holds the first of the two revisions that are purged, and gives its name.
    private func hold(_ holder: Holder, _ program: TestProgram, _ branch: String) async throws -> String {
        let older = branch + "~1", objects = program.store.appending(path: ".git/objects").path
        switch holder {
        case .tag:
            try program.git("tag", "keepme", older)
            return "refs/tags/keepme"
        case .tagOfFile:
            let files = try program.git("ls-tree", "-r", "--name-only", older).split(separator: "\n")
            try program.git("tag", "keepme", "\(older):\(try #require(files.first { $0.hasPrefix("sections/") }))")
            return "refs/tags/keepme"
        case .head:
            try program.git("worktree", "add", "--quiet", "--detach", tree, older)
        case .branch:
            try program.git("worktree", "add", "--quiet", tree, branch)
        case .index:
            try program.git("worktree", "add", "--quiet", "--detach", tree, "main")
            try inTree("checkout", older, "--", ".")
        case .bisection:
            try program.git("worktree", "add", "--quiet", "--detach", tree, "main")
            try inTree("bisect", "start", branch, branch + "~2")
        case .keptPack:
            try program.git("repack", "-a", "-d", "-q")
            let names = try FileManager.default.contentsOfDirectory(atPath: objects + "/pack")
            let keep = try #require(names.first { $0.hasSuffix(".pack") }).dropLast(4) + "keep"
            try Data("mine\n".utf8).write(to: URL(filePath: "\(objects)/pack/\(keep)"))
            return ".git/objects/pack/\(keep)"
        case .alternates:
            let other = TemporaryDirectory.current.appending(path: "other").path
            let (status, output) = try runGit(
                ["clone", "--quiet", "--mirror", program.store.path, other], in: TemporaryDirectory.current.path)
            try #require(status == 0, "\(output)")
            try Data("\(other)/objects\n".utf8).write(to: URL(filePath: "\(objects)/info/alternates"))
            return ".git/objects/info/alternates"
        }
        return "the worktree \(tree)"
    }

    @Test(arguments: Holder.allCases) func whatHoldsAnOlderRevisionIsNamed(holder: Holder) async throws {
        let (program, branch) = try await prepare()
        let name = try await hold(holder, program, branch)
        let purge = await program.run("purge", "Talk:Bridge", "12", "13")
        #expect(purge.exitCode == .failure, "\(purge)")
        #expect(
            purge.error == """
                git-talk: what was purged is still in the store, since these refer to it: \(name)
                hint: delete them, then: git talk pull --recheck

                """)
    }

    @Test func whatHoldsNothingIsNotNamed() async throws {
        let (program, branch) = try await prepare()
        try program.git("tag", "first", branch + "~2")
        try program.git("worktree", "add", "--quiet", "--detach", tree, branch + "~2")
        let purge = await program.run("purge", "Talk:Bridge", "12", "13", "--json")
        #expect(purge.exitCode == .done && purge.error == "", "\(purge)")
        #expect(try purge.json()["left"] as? [String] == [])
        #expect(try !program.git("cat-file", "--batch-all-objects", "--batch").contains("ugly"))
    }

    /// The revisions after it are as they were, with what they share with it.
    @Test func whatLaterRevisionsHaveTooIsNotLookedFor() async throws {
        let (program, _) = try await prepare()
        let purge = await program.run("purge", "Talk:Bridge", "12")
        #expect(purge.exitCode == .done && purge.error == "", "\(purge)")
    }

    @Test func programsReadWhatHoldsIt() async throws {
        let (program, branch) = try await prepare()
        try program.git("tag", "keepme", branch)
        let purge = await program.run("purge", "Talk:Bridge", "13", "--json")
        let schema = SharedData.repositoryRoot.appending(path: "Schema/cli/purge.schema.json")
        #expect(try JSONSchema(Data(contentsOf: schema)).problems(in: Data(purge.output.utf8)) == [])
        #expect(try purge.json()["left"] as? [String] == ["refs/tags/keepme"], "\(purge)")
    }
}
