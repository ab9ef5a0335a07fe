import Foundation
import Synchronization
import TalkPages
import TalkStore
import TalkTestSupport
import Testing

@testable import TalkCommands

/// Which pages stay, as a user meets it: `list`, `bookmark`, `evict`, and what `pull` and `sync` drop.
@Suite(.temporaryDirectory) struct KeepingCommandTests {
    private static let html =
        #"<h2><span class="mw-headline" id="A">A</span></h2><p>How wide? "#
        + #"<a href="/wiki/User:Bob" title="User:Bob">Bob</a> 10:00, 1 March 2024 (UTC)</p>"#

    private func paper(_ titles: String...) -> PaperPages {
        let paper = PaperPages()
        for (number, title) in titles.enumerated() {
            paper.set("Talk:\(title)", [PaperPages.Revision(number * 10 + 10, Self.html)])
        }
        return paper
    }

    private func pull(_ titles: [String], _ paper: PaperPages, _ program: TestProgram) async throws {
        let result = await program.run(["pull"] + titles.map { "\(paper.url)/wiki/Talk:\($0)" })
        try #require(result.exitCode == .done, "\(result.error)")
    }

    /// Makes pages merely visited, as a reader of them leaves them.
    private func forgetName(_ titles: [String], _ program: TestProgram) async throws {
        let store = try Store.open(at: program.store.path)
        for state in try store.reader.states() where titles.contains(state.page.title) {
            var state = state
            state.isKept = false
            try await store.save(state)
        }
    }

    private func titles(_ result: TestProgram.Result) throws -> [String: [String]] {
        let pages = try #require(try result.json()["pages"] as? [[String: Any]])
        return Dictionary(
            uniqueKeysWithValues: try pages.map {
                (try #require($0["page"] as? String), try #require($0["keptFor"] as? [String]))
            })
    }

    @Test func listTellsWhyAPageStays() async throws {
        let paper = paper("A", "B", "C"), program = try TestProgram()
        try await pull(["A", "B", "C"], paper, program)
        await program.run("bookmark", "add", "Talk:B", "Talk:D")
        try await forgetName(["C"], program)
        let day: Int64 = 86_400_000
        program.shift.withLock { $0 = -2 * day }
        await program.run("show", "Talk:C")
        program.shift.withLock { $0 = 0 }
        try program.git("config", "talk.keep", "1")
        #expect(
            try await titles(program.run("list", "--json"))
                == ["Talk:A": ["named"], "Talk:B": ["bookmark", "named"], "Talk:C": ["recent"]])
        let list = await program.run("list").output.split(separator: "\n").map(String.init)
        #expect(list.count == 3)
        // The size is that of page.json, lede.html and the section.
        #expect(list[0].contains(/revision 10, checked just now, \d{3} B, pulled by name$/), "\(list[0])")
        #expect(list[1].hasSuffix(" B, bookmarked, pulled by name"), "\(list[1])")
        #expect(list[2].hasSuffix(" B, looked at 2 days ago"), "\(list[2])")
        try program.git("config", "talk.keep", "0")
        #expect(await program.run("list").output.hasSuffix(" B, looked at 2 days ago, dropped by the next pull\n"))
        try program.git("config", "talk.keep", "many")
        let wrong = await program.run("list")
        #expect(wrong.exitCode == .failure && wrong.error.contains("talk.keep"))
    }

    @Test func pullDropsWhatNothingKeepsButNotWhatItBrought() async throws {
        let paper = paper("A", "B", "C"), program = try TestProgram()
        try await pull(["A", "B", "C"], paper, program)
        try await forgetName(["A", "B"], program)
        try program.git("config", "talk.keep", "1")
        await program.run("show", "Talk:B")
        let pull = await program.run("pull")
        #expect(pull.exitCode == .done)
        #expect(pull.error == "git-talk: dropped, since nobody looked at them for a while: Talk:A\n")
        #expect(try await titles(program.run("list", "--json")).keys.sorted() == ["Talk:B", "Talk:C"])
        #expect(await program.run("show", "Talk:A").exitCode == .failure)
        try program.git("config", "talk.keep", "0")
        #expect(
            await program.run("sync").error == "git-talk: dropped, since nobody looked at them for a while: Talk:B\n")
        #expect(try await titles(program.run("list", "--json")).keys.sorted() == ["Talk:C"])
        try program.git("config", "talk.keep", "few")
        let wrong = await program.run("pull")
        #expect(wrong.exitCode == .failure && wrong.error.contains("talk.keep"))
    }

    @Test func evictDropsWhatIsNamed() async throws {
        let paper = paper("A", "B", "C", "D"), program = try TestProgram()
        try await pull(["A", "B", "C", "D"], paper, program)
        await program.run("bookmark", "add", "Talk:A")
        #expect(await program.run("reply", "Talk:C", "c-Bob", "-m", "Four metres.").exitCode == .done)
        let evict = await program.run("evict", "Talk:A", "Talk:B", "Talk:C", "Talk:Never")
        #expect(evict.exitCode == .failure)
        #expect(evict.output.hasPrefix("Talk:A: dropped\nTalk:B: dropped\n2 pages dropped, "), "\(evict.output)")
        #expect(evict.output.contains(#/ dropped, [0-9.]+ k?B freed\n$/#), "\(evict.output)")
        #expect(
            evict.error == """
                git-talk: no longer bookmarked: Talk:A
                git-talk: Talk:C has pending replies, and stays
                hint: post them, or set them aside: git talk outbox drop <id>
                git-talk: Talk:Never is not cached
                hint: git talk list

                """)
        #expect(try await titles(program.run("list", "--json")).keys.sorted() == ["Talk:C", "Talk:D"])
        #expect(try program.git("count-objects", "-v").contains("packs: 1\n"))
        // Nothing brings them back.
        let before = paper.calls.count
        await program.run("pull")
        #expect(paper.calls.count > before)
        #expect(!paper.calls[before...].contains { $0["titles"].contains("Talk:A") || $0["titles"].contains("Talk:B") })
        #expect(try await titles(program.run("list", "--json")).keys.sorted() == ["Talk:C", "Talk:D"])
        #expect(await program.run("evict").error == "there is nothing to drop\n")
        let unknown = await program.run("evict", "https://other.example/wiki/Talk:A")
        #expect(unknown.exitCode == .failure)
    }

    @Test func evictWithoutGitSaysWhatIsLeftToDo() async throws {
        let paper = paper("A", "B"), program = try TestProgram()
        try await pull(["A", "B"], paper, program)
        let evict = await program.run(["evict", "Talk:A"], with: ["PATH": "/nonexistent"])
        #expect(evict.exitCode == .failure && evict.output.hasPrefix("Talk:A: dropped\n"))
        #expect(
            evict.error == """
                git-talk: the pages are dropped, but their disk space is not free yet: this needs the program git, which was \
                not found
                hint: install git, and try again; then: git talk evict

                """)
        // A pull needs no git.
        #expect(await program.run(["pull"], with: ["PATH": "/nonexistent"]).exitCode == .done)
    }

    @Test func bookmarksArePulledAndStay() async throws {
        let paper = paper("A", "B"), program = try TestProgram()
        try await pull(["A"], paper, program)
        let add = await program.run("bookmark", "add", "Talk:B", "Talk:A")
        #expect(add.output == "Talk:B: bookmarked\nTalk:A: bookmarked\n")
        #expect(add.error == "hint: bring what is not cached yet: git talk pull\n")
        #expect(await program.run("bookmark", "add", "Talk:A").output == "Talk:A: was bookmarked already\n")
        let key = paper.url.replacing("http://", with: "")
        #expect(await program.run("bookmark").output == "Talk:A  \(key)\nTalk:B  \(key)  nothing cached yet\n")
        #expect(await program.run("pull").exitCode == .done)
        #expect(await program.run("bookmark", "list").output == "Talk:A  \(key)\nTalk:B  \(key)\n")
        try await forgetName(["A", "B"], program)
        try program.git("config", "talk.keep", "0")
        #expect(await program.run("evict").error == "there is nothing to drop\n")
        let remove = await program.run("bookmark", "remove", "Talk:B", "Talk:Other")
        #expect(remove.exitCode == .failure && remove.output == "Talk:B: no longer bookmarked\n")
        #expect(remove.error == "git-talk: Talk:Other is not bookmarked\nhint: git talk bookmark list\n")
        let evict = await program.run("evict", "--json")
        #expect((try evict.json()["evicted"] as? [[String: String]])?.map { $0["page"] } == ["Talk:B"])
        #expect(await program.run("bookmark", "frob").exitCode == .usage)
        #expect(await program.run("bookmark", "add").exitCode == .usage)
    }

    @Test(.testWiki) func importsTheWatchlist() async throws {
        try await TestWiki.withPrivateWiki { wiki in
            let title = TestWiki.newTitle("Watched"), other = TestWiki.newTitle("Not watched")
            for page in [title, other] { try wiki.edit(page, to: EndToEndTests.text) }
            // With a page its talk page is watched, whether there is one or not.
            for article in [String(title.dropFirst("Talk:".count)), "An article without a talk page"] {
                try wiki.call(["action": "edit", "title": article, "text": "x", "watchlist": "watch"], as: .alice)
            }
            let program = try TestProgram()
            let page = wiki.url.absoluteString + "wiki/" + other.replacing(" ", with: "_")
            #expect(await program.run("pull", page).exitCode == .done)
            let stranger = await program.run("bookmark", "import")
            #expect(stranger.exitCode == .refused && stranger.error.contains("hint: git talk login"))
            let alice = TestWiki.Account.alice
            let login = await program.run("login", page, input: "\(alice.botName)\n\(alice.password)\n")
            #expect(login.exitCode == .done, "\(login.error)")
            let imported = await program.run("bookmark", "import")
            #expect(imported.exitCode == .done, "\(imported.error)")
            let line = ": 1 talk page on the watchlist, 1 newly bookmarked, 1 that do not exist left out\n"
            #expect(imported.output.hasSuffix(line), "\(imported.output)")
            #expect(imported.error == "hint: bring them: git talk pull\n")
            #expect(await program.run("bookmark", "import").output.contains("1 talk page on the watchlist, 0 newly"))
            #expect(await program.run("pull").exitCode == .done)
            #expect(await program.run("show", title).output.contains("Four metres."))
        }
    }
}
