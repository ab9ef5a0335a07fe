import TalkTestSupport
import Testing

@testable import TalkCommands

/// The name that a wiki sees.
@Suite(.temporaryDirectory) struct UserAgentTests {
    @Test func saysWhoseItIs() async throws {
        let paper = PaperWiki()
        let program = try TestProgram()
        await program.run("pull", paper.page)
        #expect(name(paper).hasPrefix("git-talk/0.1.0 (no contact given) libcurl/"))
        #expect(Set(paper.stub.calls.map { $0.headers["user-agent"] }).count == 1)
        let wikis = try await program.run("wiki", "--json").json()["wikis"] as? [[String: Any]]
        let key = try #require(wikis?.first?["key"] as? String)
        try program.git("config", "wiki.\(key).user", "Alice Liddell@app")
        await program.run("pull", "Talk:Bridge")
        #expect(
            name(paper).hasPrefix("git-talk/0.1.0 (\(paper.stub.url)/wiki/User:Alice_Liddell) libcurl/"),
            "\(name(paper))")
        try program.git("config", "talk.contact", "Alice (a library)\n<alice@library.example>")
        await program.run("pull", "Talk:Bridge")
        #expect(
            name(paper).hasPrefix("git-talk/0.1.0 (Alice a library<alice@library.example>) libcurl/"), "\(name(paper))")
    }

    private func name(_ paper: PaperWiki) -> String { paper.stub.calls.last?.headers["user-agent"] ?? "" }
}
