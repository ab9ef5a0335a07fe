import Foundation
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkCommands

/// How a wiki is reached: encryption, proxies, certificates, redirects, and who a wiki says it is.
@Suite(.temporaryDirectory) struct WikiConnectionTests {
    /// A real wiki that believes to be read without encryption, behind a server that encrypts.
    @Test(.testWiki, arguments: ["127.0.0.1", "[::1]"])
    func aWikiIsReadAndAnsweredOverHTTPS(host: String) async throws {
        let wiki = try TestWiki.required()
        let place = TemporaryDirectory.current
        guard
            let front = try? SecureFront(
                before: wiki.url.absoluteString, in: place.appending(path: "front"), host: host)
        else {
            #expect(host == "[::1]", "no server")
            return
        }
        defer { front.stop() }
        let title = TestWiki.newTitle("Secure")
        try wiki.edit(title, to: EndToEndTests.text)
        let page = front.url + "/wiki/" + title.replacing(" ", with: "_")
        let program = try TestProgram()

        let unknown = await program.run("pull", page)
        #expect(unknown.exitCode == .later)
        #expect(unknown.error.contains("certificate could not be verified"), "\(unknown.error)")
        #expect(await program.run("login", front.url, input: "Alice@git-talk\nx\n").exitCode == .later)

        // For that host alone.
        try program.configure("http.\(front.url).sslCAInfo", front.authority)
        let pull = await program.run("pull", page)
        if host == "[::1]" {
            // The wiki calls itself 127.0.0.1, and that is who it is.
            #expect(pull.exitCode == .done, "\(pull.error)")
            #expect(await program.run("wiki").output.contains("127.0.0.1"))
            return
        }
        #expect(pull.exitCode == .done, "\(pull.error)")
        let rows = try #require(try await program.run("wiki", "--json").json()["wikis"] as? [[String: Any]])
        #expect(rows.map { $0["server"] as? String } == [front.url])
        #expect(try await logIn(program, front.url).exitCode == .done)
        #expect(await program.run("reply", title, "c-Carol", "-m", "Encrypted.").exitCode == .done)
        let sync = await program.run("sync")
        #expect(sync.exitCode == .done, "\(sync.error)")
        #expect(try wiki.text(of: title).contains("::Encrypted. [[User:Alice|Alice]]"))
        // The variables of git and curl do as well, and git's own goes first.
        try program.configure("http.\(front.url).sslCAInfo", nil)
        #expect(await program.run("pull", title).exitCode == .later)
        for name in ["GIT_SSL_CAINFO", "CURL_CA_BUNDLE", "SSL_CERT_FILE"] {
            #expect(await program.run("pull", title, with: [name: front.authority]).exitCode == .done, "\(name)")
        }
    }

    private func logIn(_ program: TestProgram, _ url: String) async throws -> TestProgram.Result {
        let account = TestWiki.Account.alice
        return await program.run("login", url, input: "\(account.botName)\n\(account.password)\n")
    }

    @Test func aPasswordGoesUnencryptedToThisMachineOnly() async throws {
        let paper = PaperWiki()
        let program = try TestProgram()
        // The proxy is the wiki: so it is reached by a name.
        let refused = await program.run(
            "login", "http://wiki.example/wiki/X", input: "A@b\nsecret\n", with: ["http_proxy": paper.stub.url])
        #expect(refused.exitCode == .refused, "\(refused.error)")
        #expect(refused.error.contains("without encryption") && refused.error.contains("hint: use its https address"))
        #expect(!paper.stub.calls.contains { $0["action"] == "login" || $0["type"] == "login" })
        #expect(!paper.stub.calls.contains { $0.parameters.values.contains("secret") })
    }

    @Test func proxiesAreThoseOfCurlAndOfGit() async throws {
        let paper = PaperWiki()
        let address = "http://wiki.example/wiki/Talk:Bridge"
        for variables in [["http_proxy": paper.stub.url], ["all_proxy": paper.stub.url], ["ALL_PROXY": paper.stub.url]]
        {
            let program = try TestProgram(in: TemporaryDirectory.current.appending(path: UUID().uuidString))
            let pull = await program.run("pull", address, with: variables)
            #expect(pull.exitCode == .done, "\(variables): \(pull.error)")
            #expect(paper.stub.calls.last?.headers["host"] == "wiki.example")
        }
        let program = try TestProgram()
        try program.configure("http.http://wiki.example.proxy", paper.stub.url)
        #expect(await program.run("pull", address).exitCode == .done)
        let count = paper.stub.calls.count
        #expect(await program.run("pull", address, with: ["NO_PROXY": "wiki.example"]).exitCode == .later)
        #expect(paper.stub.calls.count == count)
    }

    /// Redirects of a wiki's old address lead to the new one.
    @Test func anOldAddressLeadsToTheWiki() async throws {
        let paper = PaperWiki()
        let new = paper.stub.url
        let old = StubWiki({ call in
            .http(status: 301, headers: [("Location", "\(new)\(call.path)")], body: "<html>moved</html>")
        })
        let program = try TestProgram()
        let pull = await program.run("pull", old.url + "/wiki/Talk:Bridge")
        #expect(pull.exitCode == .done, "\(pull.error)")
        let rows = try #require(try await program.run("wiki", "--json").json()["wikis"] as? [[String: Any]])
        #expect(rows.map { $0["server"] as? String } == [new])
    }

    /// A server that calls itself another wiki is believed only as far as that wiki agrees.
    @Test func aServerCannotSpeakForAnotherWiki() async throws {
        let honest = PaperWiki()
        func pretender(_ server: String) -> PaperWiki {
            let paper = PaperWiki()
            paper.answer(
                .site,
                with: .json(
                    #"{"query":{"general":{"generator":"MediaWiki 1.39.0","sitename":"Not it","lang":"en","server":"\#(server)","#
                        + #""articlepath":"/wiki/$1","scriptpath":"/w","script":"/w/index.php"},"namespaces":{}}}"#))
            return paper
        }
        let program = try TestProgram()
        let closed = "http://127.0.0.1:\(StubWiki.closedPort())"
        let (friend, dead) = (pretender(honest.stub.url), pretender(closed))
        let third = pretender(friend.stub.url)
        let pull = await program.run("pull", friend.page)
        #expect(pull.exitCode == .done, "\(pull.error)")
        let rows = try #require(try await program.run("wiki", "--json").json()["wikis"] as? [[String: Any]])
        #expect(rows.map { $0["server"] as? String } == [honest.stub.url])
        #expect(rows.map { $0["name"] as? String } == ["Paper"])

        let none = await program.run("pull", dead.page)
        #expect(none.exitCode == .later && none.error.contains(closed), "\(none.error)")
        let chain = await program.run("pull", third.page)
        #expect(chain.exitCode == .failure && chain.error.contains("says that it is"), "\(chain.error)")
        #expect((try await program.run("wiki", "--json").json()["wikis"] as? [[String: Any]])?.count == 1)
    }
}

/// What curl's variables and git's configuration say.
@Suite struct NetworkPreferencesTests {
    struct Case: Sendable {
        let variables: [String: String]
        var git = ""
        var server = "https://wiki.example"
        var proxy: String?
        var exceptions = ""
        var authorities: String?
    }

    static let cases: [Case] = [
        Case(variables: [:]), Case(variables: ["https_proxy": "http://a"], proxy: "http://a"),
        Case(variables: ["HTTPS_PROXY": "http://a"], proxy: "http://a"),
        Case(variables: ["https_proxy": "", "HTTPS_PROXY": "http://a"], proxy: "http://a"),
        Case(variables: ["https_proxy": "http://a", "HTTPS_PROXY": "http://b"], proxy: "http://a"),
        Case(variables: ["http_proxy": "http://a", "HTTP_PROXY": "http://b"]),
        Case(variables: ["http_proxy": "http://a"], server: "http://wiki.example", proxy: "http://a"),
        // What a CGI program is given by anybody.
        Case(variables: ["HTTP_PROXY": "http://a"], server: "http://wiki.example"),
        Case(variables: ["ALL_PROXY": "socks5h://a"], proxy: "socks5h://a"),
        Case(variables: ["https_proxy": "http://a", "all_proxy": "http://b"], proxy: "http://a"),
        Case(
            variables: ["https_proxy": "http://a", "no_proxy": "", "NO_PROXY": "*"], proxy: "http://a", exceptions: "*"),
        Case(variables: ["https_proxy": "http://a"], git: "http.proxy\nhttp://g\0", proxy: "http://g"),
        Case(variables: ["https_proxy": "http://a"], git: "http.proxy\n\0"),
        Case(variables: ["CURL_CA_BUNDLE": "/c"], git: "http.sslcainfo\n/g\0http.x\n1\0", authorities: "/g"),
        Case(
            variables: ["GIT_SSL_CAINFO": "/e", "SSL_CERT_FILE": "/s"], git: "http.sslcainfo\n/g\0", authorities: "/e"),
        Case(variables: ["CURL_CA_BUNDLE": "/c", "SSL_CERT_FILE": "/s"], authorities: "/c"),
        Case(variables: ["SSL_CERT_FILE": "/s"], authorities: "/s"),
    ]

    @Test(arguments: cases.indices) func areTaken(row: Int) {
        let row = Self.cases[row]
        let preferences = NetworkPreferences(environment: row.variables, git: row.git)
        #expect(preferences.proxy(for: row.server) == row.proxy)
        #expect(preferences.proxyExceptions == row.exceptions)
        #expect(preferences.certificateAuthorities == row.authorities)
    }
}
