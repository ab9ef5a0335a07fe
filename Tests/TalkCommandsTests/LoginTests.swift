import Foundation
import TalkTestSupport
import Testing

@testable import TalkCommands

/// Ways to log in, and what they ask and tell.
@Suite(.temporaryDirectory) struct LoginTests {
    /// Only members read it, as in a company.
    private func makePrivate(_ wiki: TestWiki) throws {
        try wiki.set(
            "GroupPermissions",
            to: #"{"*":{"writeapi":true},"user":{"read":true,"edit":true,"createpage":true,"createtalk":true,"#
                + #""writeapi":true},"sysop":{"read":true,"edit":true,"delete":true}}"#)
    }

    @Test(.testWiki) func aWikiThatOnlyItsMembersReadIsReadByThem() async throws {
        try await TestWiki.withPrivateWiki { wiki in
            let title = TestWiki.newTitle("Members")
            try wiki.edit(title, to: EndToEndTests.text)
            try makePrivate(wiki)
            let program = try TestProgram()
            let page = wiki.url.absoluteString + "wiki/" + title.replacing(" ", with: "_")
            let server = String(wiki.url.absoluteString.dropLast())
            let stranger = await program.run("pull", page)
            #expect(stranger.exitCode == .refused)
            #expect(stranger.error.contains("can only be read after login"), "\(stranger.error)")
            #expect(stranger.error.hasSuffix("\nhint: git talk login \(server)\n"), "\(stranger.error)")

            let account = TestWiki.Account.alice
            let wrong = await program.run("login", page, input: "\(account.botName)\nwrong\n")
            #expect(wrong.exitCode == .refused && wrong.error.contains("does not accept this name and password"))
            let login = await program.run("login", page, input: "\(account.botName)\n\(account.password)\n")
            #expect(login.exitCode == .done, "\(login.error)")
            let pull = await program.run("pull", page)
            #expect(pull.exitCode == .done, "\(pull.error)")
            #expect(await program.run("show", title).output.contains("Four metres."))
            let odd = await program.run("pull", server + "//wiki/" + title.replacing(" ", with: "_"))
            #expect(odd.exitCode == .failure && odd.error.contains("the address is not one of a page"), "\(odd.error)")

            // The session ends: it is renewed, once, with the password that git keeps.
            let cookies = program.store.appending(path: ".git/git-talk/cookies")
            for file in try FileManager.default.contentsOfDirectory(atPath: cookies.path) {
                try FileManager.default.removeItem(at: cookies.appending(path: file))
            }
            #expect(await program.run("pull", title).exitCode == .done)
            #expect(await program.run("reply", title, "c-Carol", "-m", "Among us.").exitCode == .done)
            let sync = await program.run("sync")
            #expect(sync.exitCode == .done, "\(sync.error)")
            #expect(try wiki.text(of: title).contains("::Among us. [[User:Alice|Alice]]"))

            // Without the password there is only the hint, and the cached page.
            try FileManager.default.removeItem(at: program.home.appending(path: "passwords"))
            for file in try FileManager.default.contentsOfDirectory(atPath: cookies.path) {
                try FileManager.default.removeItem(at: cookies.appending(path: file))
            }
            let ended = await program.run("pull", title)
            #expect(ended.exitCode == .refused && ended.error.contains("hint: git talk login"), "\(ended.error)")
            #expect(await program.run("show", title).output.contains("Among us."))
        }
    }

    /// A wiki with the extension OAuth, which takes one token.
    private func tokenWiki() -> PaperWiki {
        let paper = PaperWiki()
        paper.stub.prepend { call in
            let authorization = call.headers["authorization"]
            if let authorization, authorization != "Bearer the-token" {
                return .error(
                    "mwoauth-invalid-authorization", "The authorization headers in your request are not valid")
            }
            guard call["meta"] == "userinfo" else { return nil }
            return authorization == nil
                ? .json(#"{"query":{"userinfo":{"id":0,"name":"127.0.0.1","anon":true}}}"#)
                : .json(#"{"query":{"userinfo":{"id":4,"name":"Alice","rights":["read","edit"]}}}"#)
        }
        return paper
    }

    @Test func anAccessTokenIsKeptByGitAndGoesWithTheSession() async throws {
        let paper = tokenWiki()
        let program = try TestProgram()
        let wrong = await program.run("login", "--oauth", paper.stub.url, input: "other-token\n")
        #expect(wrong.exitCode == .refused && wrong.error.contains("the access token is not valid"), "\(wrong.error)")
        let passwords = program.home.appending(path: "passwords")
        #expect(!FileManager.default.fileExists(atPath: passwords.path))

        let login = await program.run("login", "--oauth", paper.stub.url, input: "the-token\n")
        #expect(login.exitCode == .done, "\(login.error)")
        #expect(login.output.contains("as Alice; replies will be posted as Alice"))
        #expect(try String(contentsOf: passwords, encoding: .utf8).contains("oauth%3aAlice:the-token@"))
        let before = paper.stub.calls.count
        #expect(await program.run("pull", paper.page).exitCode == .done)
        // The page itself is also asked for as nobody, beside the check.
        let calls = paper.stub.calls.dropFirst(before).filter { $0.path.hasSuffix("api.php") && $0["page"].isEmpty }
        #expect(!calls.isEmpty && calls.allSatisfy { $0.headers["authorization"] == "Bearer the-token" })
        #expect(!paper.stub.calls.contains { $0.parameters.values.contains { $0.contains("the-token") } })
        #expect(await program.run("wiki").output.contains(", as Alice"))
        #expect(await program.run("reply", "Talk:Bridge", "c-Carol", "-m", "x").output.contains("posted as Alice"))

        // Taken back on the wiki, or lost here.
        try Data().write(to: passwords)
        let lost = await program.run("sync")
        #expect(lost.exitCode == .refused, "\(lost.error)")
        #expect(lost.error.contains("hint: git talk login --oauth \(paper.stub.url)"), "\(lost.error)")
    }

    @Test func anAccessTokenWantsAHelperAndAWikiThatTakesIt() async throws {
        let paper = PaperWiki()
        paper.stub.prepend {
            $0["meta"] == "userinfo" ? .json(#"{"query":{"userinfo":{"id":0,"name":"127.0.0.1","anon":true}}}"#) : nil
        }
        let program = try TestProgram()
        let ignored = await program.run("login", "--oauth", paper.stub.url, input: "the-token\n")
        #expect(ignored.exitCode == .refused && ignored.error.contains("takes no notice"), "\(ignored.error)")
        try program.configure("credential.helper", nil)
        let none = await program.run("login", "--oauth", paper.stub.url, input: "the-token\n")
        #expect(none.exitCode == .failure && none.error.contains("no credential helper"), "\(none.error)")
        #expect(await program.run("login", "--oauth", paper.stub.url).exitCode == .failure)
    }

    private func loginWiki() -> PaperWiki {
        let paper = PaperWiki()
        paper.stub.prepend { call in
            if call["type"] == "login" { return .json(#"{"query":{"tokens":{"logintoken":"lt+\\"}}}"#) }
            if call["meta"] == "userinfo" {
                return .json(#"{"query":{"userinfo":{"id":4,"name":"Alice","rights":["read","edit"]}}}"#)
            }
            guard call["action"] == "login" else { return nil }
            return call["lgpassword"] == "right"
                ? .json(#"{"login":{"result":"Success","lguserid":4,"lgusername":"Alice"}}"#)
                : .json(#"{"login":{"result":"Failed","reason":{"code":"wrongpassword","text":"no"}}}"#)
        }
        return paper
    }

    @Test func whatABotPasswordIsStandsWhereItIsNeeded() async throws {
        let paper = loginWiki()
        let program = try TestProgram()
        let words = "A bot password is a name and a secret"
        let first = await program.run("login", paper.stub.url, input: "Alice@app\nright\n")
        #expect(first.exitCode == .done && first.error.contains(words), "\(first.error)")
        let again = await program.run("login", paper.stub.url, input: "Alice@app\nright\n")
        #expect(again.exitCode == .done && !again.error.contains(words), "\(again.error)")
        let refused = await program.run("login", paper.stub.url, input: "Alice@app\nwrong\n")
        #expect(refused.exitCode == .refused && refused.error.contains(words))
        #expect(refused.error.ranges(of: words).count == 1)
    }

    /// Ctrl-D at the first or the second question.
    @Test(arguments: [nil, "\n", "Alice@app\n"] as [String?])
    func theEndOfTheInputAtAPromptBreaksTheLoginOff(typed: String?) async throws {
        let paper = loginWiki()
        let program = try TestProgram()
        await program.run("login", paper.stub.url, input: "Alice@app\nright\n")
        try Data().write(to: program.home.appending(path: "passwords"))
        let count = paper.stub.calls.count { $0["action"] == "login" }
        let broken = await program.run(words: ["login", paper.stub.url], input: typed, isTyped: true)
        #expect(broken.exitCode == .failure)
        #expect(broken.error.contains("the login was broken off, so nothing has changed"), "\(broken.error)")
        #expect(paper.stub.calls.count { $0["action"] == "login" } == count)
    }

    @Test func aPasswordInAnAddressIsNotRepeated() async throws {
        let program = try TestProgram()
        await program.run("pull", "Talk:X")
        for words in [
            ["pull", "https://alice:hunter2@wiki.example/wiki/X"], ["login", "https://alice:hunter2@wiki.example/"],
            ["login", "alice:hunter2@wiki.example"], ["show", "//alice:hunter2@wiki.example/wiki/X"],
            ["show", "Talk:X", "https://alice:hunter2@wiki.example/"], ["list", "https://alice:hunter2@wiki.example/"],
            ["wiki", "default", "https://alice:hunter2@wiki.example/"], ["https://alice:hunter2@wiki.example/"],
        ] {
            let result = await program.run(words)
            #expect(result.exitCode == .failure || result.exitCode == .usage, "\(words)")
            #expect(!(result.error + result.output).contains("hunter2"), "\(result.error)")
            #expect(result.error.contains("\nhint: "), "\(result.error)")
        }
    }
}
