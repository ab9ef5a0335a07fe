import TalkPages
import Testing

@testable import TalkStore

@Suite struct StoreLayoutTests {
    let layout = StoreLayout(root: "/s/")

    @Test func namesPathsAndBranches() {
        let page = PageName(wiki: "localhost:8080/w", namespace: "User talk", title: "Chloe/Archive 1")
        #expect(StoreLayout.branch(of: page) == "refs/heads/localhost%3A8080%2Fw/User_talk/Chloe%2FArchive_1")
        #expect(
            StoreLayout.pendingBranch(of: page) == "refs/heads/pending/localhost%3A8080%2Fw/User_talk/Chloe%2FArchive_1"
        )
        #expect(layout.pageDirectory(of: page) == "/s/localhost%3A8080%2Fw/User_talk/Chloe%2FArchive_1")
        #expect(
            layout.state(of: page) == "/s/.git/git-talk/state/localhost%3A8080%2Fw/User_talk/Chloe%2FArchive_1.json")
        #expect(layout.outboxEntry("x") == "/s/.git/git-talk/outbox/x.json")
        #expect(layout.cookies(wiki: "a.example", user: "B/c") == "/s/.git/git-talk/cookies/a.example-B%2Fc")
        #expect(StoreLayout(root: "/").root == "/")
    }

    @Test(arguments: [
        "Bridge", "a b", "A/B", "..", ".", ".lock", "a.lock", "-x", "@", "a@{b", "~^:?*[\\", "\u{301}x", "日本語", "%41",
        "a=b",
        "a\u{7F}", "main", "pending", "HEAD",
    ])
    func findsThePageOfABranch(title: String) {
        for wiki in ["en.wiki.example", "main", "pending", "host/my_wiki"] {
            let page = PageName(wiki: wiki, namespace: "User talk", title: title)
            #expect(StoreLayout.page(ofBranch: StoreLayout.branch(of: page)) == page)
            #expect(StoreLayout.page(ofBranch: StoreLayout.pendingBranch(of: page)) == page)
        }
    }

    @Test func neverCollidesWithBranchesOfItsOwn() {
        let names = ["main", "pending"].map {
            StoreLayout.branch(of: PageName(wiki: $0, namespace: "Talk", title: "X"))
        }
        #expect(names == ["refs/heads/%6Dain/Talk/X", "refs/heads/%70ending/Talk/X"])
    }

    @Test(arguments: [
        "refs/heads/main", "refs/heads/x", "refs/heads/a/b", "refs/heads/a/b/c/d", "refs/tags/a/b/c",
        "refs/heads/a/b c/d",
        "refs/heads/a/b/c%zz", "refs/heads/a/b/%2", "refs/heads/main/Talk/X", "refs/heads//b/c",
    ])
    func refusesOtherBranches(name: String) {
        #expect(StoreLayout.page(ofBranch: name) == nil)
    }

    @Test func keepsComponentsShortEnoughForGitAndFiles() {
        let title = String(repeating: "%", count: 255)
        let page = PageName(wiki: String(repeating: "w", count: 300), namespace: "Talk", title: title)
        for part in layout.state(of: page).split(separator: "/") { #expect(part.utf8.count <= 250) }
        #expect(StoreLayout.page(ofBranch: StoreLayout.branch(of: page)) == nil)
        let cookies = layout.cookies(wiki: String(repeating: "日", count: 99), user: String(repeating: "é", count: 99))
        for part in cookies.split(separator: "/") { #expect(part.utf8.count <= 250) }
    }
}

@Suite struct GitConfigurationTests {
    @Test func readsWhatGitWrites() throws {
        let text = """
            # comment
            [core]
            \tbare = true ; note
            \tignorecase
            [wiki "En.Wiki.example"]
            \tUSER = "Jane  Doe # x"
            \tapi = https://a.example/w/api.php?x=1\\
            &y=2
            [wiki "b \\"q\\""] user = B
            [Talk]
            history = 3
            history = 1k
            empty =
            escaped = "a\\tb\\\\" c  \n
            """
        let configuration = try #require(GitConfiguration(parsing: text))
        #expect(configuration.boolean("core.bare") == true)
        #expect(configuration.boolean("core.ignoreCase") == true)
        #expect(configuration.string("wiki.En.Wiki.example.user") == "Jane  Doe # x")
        #expect(configuration.string("wiki.en.wiki.example.user") == nil)
        #expect(configuration.string("wiki.En.Wiki.example.api") == "https://a.example/w/api.php?x=1&y=2")
        #expect(configuration.string("wiki.b \"q\".user") == "B")
        #expect(configuration.strings("talk.history") == ["3", "1k"])
        #expect(configuration.integer("talk.history") == 1024)
        #expect(configuration.string("talk.empty") == "")
        #expect(configuration.string("talk.escaped") == "a\tb\\ c")
        #expect(configuration.subsections(of: "wiki") == ["En.Wiki.example", "b \"q\""])
        #expect(configuration.string("talk.none") == nil)
        #expect(configuration.integer("core.bare") == nil)
    }

    @Test func laterFilesWin() throws {
        var configuration = try #require(GitConfiguration(parsing: "[talk]\nhistory=3\n"))
        let isAdded = configuration.add("[talk]\nhistory=4"), isBrokenAdded = configuration.add("[talk\nhistory=5")
        #expect(isAdded && !isBrokenAdded)
        #expect(configuration.integer("talk.history") == 4)
    }

    @Test(arguments: [
        "x = 1", "[a", "[a]\n1x = 2", "[a]\nx = \"open\n", "[a \"b]\nx=1", "[a]\nx = \\q\n", "[a]\nx y\n", "[]\nx=1",
    ])
    func refusesWhatGitRefuses(text: String) {
        #expect(GitConfiguration(parsing: text) == nil)
    }
}
