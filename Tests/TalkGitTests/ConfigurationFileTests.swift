import TalkTestSupport
import Testing

@testable import TalkGit

@Suite(.temporaryDirectory) struct ConfigurationFileTests {
    @Test func setsAndRemovesKeysThatGitReads() throws {
        let repository = try TestRepository()
        let file = try ConfigurationFile(at: repository.path + "/config")
        try file.set("wiki.en.wiki.example.user", to: "Chloe # \"x\"")
        try file.set("talk.history", to: "3")
        try file.set("talk.history", to: "5")
        #expect(try repository.git("config", "wiki.en.wiki.example.user").output == "Chloe # \"x\"\n")
        #expect(try repository.git("config", "--get-all", "talk.history").output == "5\n")
        try file.set("talk.history", to: nil)
        try file.set("talk.history", to: nil)
        #expect(try repository.git("config", "talk.history").status == 1)
        #expect(throws: GitError.self) { try file.set("nonsense", to: "x") }
    }
}
