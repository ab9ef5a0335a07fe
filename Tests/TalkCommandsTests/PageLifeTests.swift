import Foundation
import TalkTestSupport
import Testing

@testable import TalkCommands

/// What happens to pages as a whole on a real MediaWiki, and what the program makes of it.
@Suite(.temporaryDirectory, .testWiki) struct PageLifeTests {
    let wiki: TestWiki
    let program: TestProgram

    init() async throws {
        wiki = try TestWiki.required()
        program = try TestProgram()
        let account = TestWiki.Account.alice
        let login = await program.run(
            "login", wiki.url.absoluteString, input: "\(account.botName)\n\(account.password)\n")
        try #require(login.exitCode == .done, "\(login.error)")
    }

    private func move(_ title: String, to target: String, withRedirect: Bool = false) throws {
        var call = ["action": "move", "from": title, "to": target, "reason": "test"]
        if !withRedirect { call["noredirect"] = "1" }
        try wiki.call(call)
    }

    private func page(_ words: String, _ text: String = EndToEndTests.text) async throws -> (String, Int) {
        let title = TestWiki.newTitle(words)
        let revision = try wiki.edit(title, to: text)
        let pull = await program.run("pull", title)
        try #require(pull.exitCode == .done, "\(pull.error)")
        return (title, revision)
    }

    private func revisions(_ title: String, _ options: String...) async throws -> [Int] {
        let log = try await program.run(["log", title, "--json"] + options).json()
        return (log["revisions"] as? [[String: Any]] ?? []).compactMap { $0["revision"] as? Int }
    }

    /// Which of the titles are kept.
    private func kept(_ titles: String...) async throws -> [Bool?] {
        let pages = try await program.run("list", "--json").json()["pages"] as? [[String: Any]] ?? []
        return titles.map { title in pages.first { $0["page"] as? String == title }?["kept"] as? Bool }
    }

    /// When the page was last edited.
    private func time(of title: String) throws -> String {
        let answer = try wiki.call(["action": "query", "prop": "revisions", "titles": title, "rvprop": "timestamp"])
        return String(try #require(answer.firstMatch(of: /"timestamp":"([^"]*)"/)?.1))
    }

    private func tip(_ title: String) throws -> String {
        let name = title.dropFirst("Talk:".count).replacing(" ", with: "_")
        return try program.git("for-each-ref", "--format=%(objectname)", "refs/heads/*/Talk/\(name)")
    }

    @Test(arguments: [true, false])
    func aMovedPageIsKeptAtItsNewTitle(withRedirect: Bool) async throws {
        let (title, first) = try await page("Moved"), target = TestWiki.newTitle("Moved there")
        #expect(await program.run("reply", title, "c-Carol", "-m", "Where to?").exitCode == .done)
        let before = try tip(title)
        try move(title, to: target, withRedirect: withRedirect)
        let pull = await program.run("pull")
        #expect(pull.exitCode == .done, "\(pull.error)")
        #expect(pull.output.contains("\(title) was moved to \(target); 1 pending reply went there with it\n"))
        #expect(pull.output.contains("\(target): 1 new revision"), "\(pull.output)")
        #expect(pull.error == "")
        #expect(await program.run("outbox").output.contains("queued"))
        #expect(await program.run("show", target).output.contains("[pending: not on the wiki yet]"))
        #expect(try tip(title) == before)
        let copied = try await revisions(target)
        #expect(copied.last == first && copied.count == 2)
        #expect(try await kept(title, target) == [false, true])
        let show = await program.run("show", title)
        #expect(show.output.contains(": the page was moved to \(target)") && show.output.contains("Carol"))
        let log = await program.run("log", title)
        #expect(log.exitCode == .done && log.error.contains("hint: git talk log '\(target)'"))
        await program.run("outbox", "ack")
        let again = await program.run("pull")
        #expect(again.exitCode == .done && again.error == "" && !again.output.contains("moved"))
        let named = try await program.run("pull", title, "--json").json()
        let moves = named["moves"] as? [[String: Any]]
        #expect(moves?.map { $0["to"] as? String } == [target] && (named["errors"] as? [Any])?.isEmpty == true)
        let reply = await program.run("reply", title, "c-Carol", "-m", "Here?")
        #expect(reply.exitCode == .failure && reply.error.contains("was moved to \(target)"))
        // And back again.
        if withRedirect { try wiki.delete(title) }
        try move(target, to: title)
        let back = await program.run("pull")
        #expect(back.output.contains("\(target) was moved to \(title)"), "\(back.output)\(back.error)")
        #expect(try await kept(title, target) == [true, false])
        let shown = await program.run("show", title).output
        #expect(!shown.contains("was moved to"))
        #expect(try await revisions(title).count == 3)
        #expect(try program.git("fsck", "--strict", "--no-dangling") == "")
    }

    /// The history is that of the page, whatever its title was; the wiki's own parents are kept.
    @Test(arguments: [true, false]) func theHistoryOfAMovedPageFollowsItsNumber(named new: Bool) async throws {
        let title = TestWiki.newTitle("History moves"), target = TestWiki.newTitle("History moved")
        var ids = try (1...6).map { try wiki.edit(title, to: EndToEndTests.text + "\n\nText \($0)\n") }
        #expect(await program.run("pull", title).exitCode == .done)
        try move(title, to: target)
        // What another page at the title has to do with it is nothing.
        try wiki.edit(title, to: "Another page.\n")
        ids.append(try wiki.append("\nMore.\n", to: target))
        if new { #expect(await program.run("pull", title).exitCode == .done) }
        let result = await program.run("pull", "--history", "all", target)
        #expect(result.exitCode == .done, "\(result.error)")
        let found = try await revisions(target)
        // The move itself is a revision.
        #expect(found.count == 8 && Set(found).isSuperset(of: ids))
        let answer = try wiki.call([
            "action": "query", "prop": "revisions", "titles": target, "rvprop": "ids", "rvlimit": "max",
        ])
        let theirs = answer.matches(of: /"revid":(\d+),"parentid":(\d+)/).map { "\($0.1) \($0.2)" }
        let format =
            "--format=%(trailers:key=Wiki-Revision,valueonly,separator=) %(trailers:key=Wiki-Parent,valueonly,separator=) %(trailers:key=Wiki-Page-Id,valueonly,separator=)"
        let lines = try program.git("log", format, try tip(target).trimmingCharacters(in: .newlines))
            .split(separator: "\n").map { $0.split(separator: " ") }
        #expect(lines.map { "\($0[0]) \($0[1])" } == theirs)
        #expect(Set(lines.map { $0[2] }).count == 1)
        #expect(await program.run("log", target).output.contains("…") == false)
    }

    /// Who names the former title gets the history at the new one.
    @Test func theHistoryOfAFormerTitleIsBroughtAtTheNewOne() async throws {
        let title = TestWiki.newTitle("Former"), target = TestWiki.newTitle("Latter")
        for number in 1...6 { try wiki.edit(title, to: EndToEndTests.text + "\n\nText \(number)\n") }
        #expect(await program.run("pull", title).exitCode == .done)
        let before = try tip(title)
        try move(title, to: target)
        let result = try await program.run("pull", "--history", "all", title, "--json").json()
        let history = result["history"] as? [[String: Any]]
        #expect(history?.map { $0["page"] as? String } == [target])
        #expect(history?.map { $0["cached"] as? Int } == [7] && history?.first?["whole"] as? Bool == true)
        #expect((result["moves"] as? [[String: Any]])?.map { $0["to"] as? String } == [target])
        #expect(try await revisions(target).count == 7)
        #expect(try tip(title) == before)
    }

    @Test func aPageThatIsMovedOverAnotherTakesItsPlace() async throws {
        let (over, oldest) = try await page("Moved over", "Nothing here.\n")
        let (title, first) = try await page("Moves")
        try wiki.delete(over)
        try move(title, to: over)
        let pull = await program.run("pull")
        #expect(pull.exitCode == .done, "\(pull.error)")
        #expect(
            pull.output.contains("\(over): the page that was cached was deleted, and another one has this title now"))
        #expect(pull.output.contains("\(title) was moved to \(over)"))
        #expect(try await kept(over, title) == [true, false])
        #expect(try await revisions(over).last == first)
        #expect(try await revisions(over, "--all").last == oldest)
        let log = await program.run("log", over)
        #expect(log.error.contains("1 revision of other pages that had this title left out"), "\(log.error)")
        #expect(await program.run("show", over).output.contains("Carol"))
    }

    @Test func twoPagesThatChangePlacesAreBothKept() async throws {
        let (one, first) = try await page("One"), (two, second) = try await page("Two", "Another.\n")
        let between = TestWiki.newTitle("Between")
        try move(one, to: between)
        try move(two, to: one)
        try move(between, to: two)
        let pull = await program.run("pull")
        #expect(pull.exitCode == .done, "\(pull.error)")
        #expect(pull.output.contains("\(one): another page has this title now; the one that was cached is at \(two)"))
        #expect(pull.output.contains("\(two): another page has this title now; the one that was cached is at \(one)"))
        #expect(try await kept(one, two) == [true, true])
        #expect(try await revisions(one).last == second)
        #expect(try await revisions(two).last == first)
        #expect(await program.run("show", two).output.contains("Carol"))
        let again = await program.run("pull")
        #expect(again.output.contains("2 pages checked, 2 unchanged") && !again.output.contains("another"))
        #expect(try program.git("fsck", "--strict", "--no-dangling") == "")
    }

    @Test func aDeletedPageIsToldOnceAndAgainWhenItIsBack() async throws {
        let (title, first) = try await page("Comes back")
        try wiki.delete(title)
        let gone = await program.run("pull")
        #expect(gone.exitCode == .failure && gone.error.contains("\(title) does not exist"))
        let still = await program.run("pull")
        #expect(still.exitCode == .done && still.error.contains("still missing"))
        #expect(await program.run("show", title).output.contains("no longer exists on the wiki"))
        try wiki.call(["action": "undelete", "title": title, "reason": "test"])
        let back = await program.run("pull")
        #expect(back.exitCode == .done && back.output.contains("\(title): it is on the wiki again"), "\(back.output)")
        #expect(try await revisions(title).contains(first))
        let quiet = await program.run("pull").output
        #expect(!quiet.contains("again"))
        try wiki.delete(title)
        let new = try wiki.edit(title, to: "Anew.\n")
        let anew = await program.run("pull")
        #expect(anew.exitCode == .done && anew.output.contains("another one has this title now"), "\(anew.output)")
        #expect(try await revisions(title) == [new])
        #expect(try await revisions(title, "--all").contains(first))
    }

    @Test func aRedirectIsToldAndFollowedOnRequest() async throws {
        let (target, revision) = try await page("Target"), title = TestWiki.newTitle("Leads")
        try wiki.edit(title, to: "#REDIRECT [[\(target)]]\n")
        let pull = await program.run("pull", title)
        #expect(pull.exitCode == .done)
        #expect(
            pull.error == "git-talk: \(title) is a redirect to \(target)\nhint: git talk pull --follow '\(title)'\n")
        let follow = await program.run("pull", "--follow", title, "--json")
        let pages = try follow.json()["pages"] as? [[String: Any]]
        #expect(pages?.map { $0["page"] as? String } == [target])
        #expect(pages?.map { $0["revision"] as? Int } == [revision])
        // Not each time anew.
        #expect(await program.run("pull").error == "")
    }

    /// Newer revisions that are gone from the wiki: shown is what the wiki has.
    @Test func whatTheWikiTookBackIsNotShownAsTheNewest() async throws {
        let (title, first) = try await page("Taken back")
        let stamp = try time(of: title)
        // Revisions are brought back by their second.
        var second = first
        while try time(of: title) == stamp {
            second = try wiki.append("\nNot for long. [[User:Bob|Bob]] 10:00, 2 March 2024 (UTC)\n", to: title)
        }
        await program.run("pull", title)
        try wiki.delete(title)
        try wiki.call(["action": "undelete", "title": title, "timestamps": stamp, "reason": "test"])
        let pull = await program.run("pull", title)
        #expect(pull.exitCode == .done && pull.output.contains("is its newest now"), "\(pull.output)\(pull.error)")
        let show = try await program.run("show", title, "--json").json()
        #expect((show["revision"] as? Int ?? 0) < second)
        #expect(try await revisions(title, "--all").contains(second))
        #expect(await program.run("pull", title).exitCode == .done)
    }

    @Test func repliesGoToTheRevisionThatTheWikiCallsTheNewest() async throws {
        let (title, first) = try await page("Goes back")
        let stamp = try time(of: title)
        var second = first
        while try time(of: title) == stamp {
            second = try wiki.append("\nNot for long. [[User:Bob|Bob]] 10:00, 2 March 2024 (UTC)\n", to: title)
        }
        await program.run("pull", title)
        #expect(await program.run("reply", title, "c-Carol", "-m", "Written before.").exitCode == .done)
        try wiki.delete(title)
        try wiki.call(["action": "undelete", "title": title, "timestamps": stamp, "reason": "test"])
        let pull = await program.run("pull", title)
        #expect(pull.output.contains("\(first) is its newest now") && pull.error == "", "\(pull.output)\(pull.error)")
        #expect(await program.run("reply", title, "c-Carol", "-m", "Written after.").exitCode == .done)
        let show = await program.run("show", title).output
        #expect(show.contains("before.") && show.contains("after.") && !show.contains("Not for long."))
        let sync = await program.run("sync")
        #expect(sync.exitCode == .done && sync.output.ranges(of: "posted ").count == 2, "\(sync.output)\(sync.error)")
        let text = try wiki.text(of: title)
        #expect(text.ranges(of: "Written").count == 2 && !text.contains("Not for long."))
        #expect(try await revisions(title, "--all").contains(second))
    }

    // MARK: Hidden and deleted revisions

    private func hide(_ what: String, of revision: Int) throws {
        try wiki.call([
            "action": "revisiondelete", "type": "revision", "ids": String(revision), "hide": what, "reason": "test",
        ])
    }

    /// Everything that git can still read in the store, whether something refers to it or not.
    private func objects() throws -> String {
        let names = try program.git("cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype)")
        return try names.split(separator: "\n").filter { $0.hasSuffix("blob") || $0.hasSuffix("commit") }
            .map { try program.git("cat-file", "-p", String($0.prefix(40))) }.joined()
    }

    @Test func whatIsHiddenLaterIsPurgedOnRequest() async throws {
        let title = TestWiki.newTitle("Hidden")
        let text = try wiki.edit(title, to: EndToEndTests.text + "\nHushabye.\n", as: .bob, summary: "plain")
        let named = try wiki.edit(title, to: EndToEndTests.text + "\n.\n", as: .carol, summary: "Lullaby")
        let last = try wiki.edit(title, to: EndToEndTests.text, as: .bob)
        #expect(await program.run("pull", title).exitCode == .done)
        #expect(try await revisions(title) == [last, named, text])
        #expect(await program.run("reply", title, "c-Carol", "-m", "I stay.").exitCode == .done)
        let clean = await program.run("pull", title, "--recheck")
        #expect(clean.output.hasSuffix("3 cached revisions rechecked, 0 with hidden parts\n"), "\(clean.output)")
        #expect(try objects().contains("Hushabye") && objects().contains("Lullaby"))
        try hide("content", of: text)
        try hide("user|comment", of: named)
        let target = TestWiki.newTitle("Hidden there")
        try move(title, to: target)
        #expect(await program.run("pull").exitCode == .done)
        #expect(await program.run("reply", target, "c-Carol", "-m", "I stay, too.").exitCode == .done)
        let recheck = await program.run("pull", "--recheck")
        #expect(recheck.exitCode == .done, "\(recheck.error)")
        for name in [title, target] {
            #expect(recheck.output.contains("\(name): revision \(text): text purged\n"), "\(recheck.output)")
            #expect(recheck.output.contains("\(name): revision \(named): user, summary purged\n"))
            #expect(try await !revisions(name).contains(text))
        }
        let left = try objects()
        #expect(!left.contains("Hushabye") && !left.contains("Lullaby"))
        let log = await program.run("log", target).output
        #expect(log.contains("(user hidden)") && log.contains("(summary hidden)"))
        #expect(await program.run("show", target).output.contains("I stay, too."))
        #expect(try program.git("fsck", "--strict", "--no-dangling") == "")
        let purged = try String(contentsOfFile: program.store.path + "/.git/git-talk/purge.log", encoding: .utf8)
        #expect(purged.split(separator: "\n").count == 4)
        #expect(purged.contains(" \(text) text\n") && purged.contains(" \(named) user summary\n"))
        // A log shows where something is missing, and nothing brings it back.
        #expect(log.contains("\n(revision \(text) was purged)\n") && !log.contains("…"), "\(log)")
        let again = await program.run("pull", target, "--recheck")
        #expect(again.output.hasSuffix("0 with hidden parts\n"))
        try wiki.call([
            "action": "revisiondelete", "type": "revision", "ids": "\(text)", "show": "content", "reason": "test",
        ])
        #expect(await program.run("pull", target).exitCode == .done)
        #expect(try await !revisions(target).contains(text))
    }

    @Test func aRevisionThatWasDeletedByItselfIsPurgedAndAPageThatWasIsNot() async throws {
        let (title, first) = try await page("Selected", "Hushabye.\n")
        let stamp = try time(of: title)
        var second = first
        while try time(of: title) == stamp { second = try wiki.edit(title, to: "Now \(UUID())\n") }
        await program.run("pull", title)
        let later = try time(of: title)
        try wiki.delete(title)
        await program.run("pull", title)
        #expect(await program.run("pull", title, "--recheck").exitCode == .failure)
        #expect(try await revisions(title).contains(first))
        try wiki.call(["action": "undelete", "title": title, "timestamps": later, "reason": "test"])
        let recheck = try await program.run("pull", title, "--recheck", "--json").json()
        let purged = recheck["purged"] as? [[String: Any]] ?? []
        #expect(purged.contains { $0["revision"] as? Int == first && $0["parts"] as? [String] == ["revision"] })
        #expect(try await revisions(title) == [second])
        #expect(try !objects().contains("Hushabye"))
    }

    @Test func thePagesOfAnArchiveAreFound() async throws {
        let (title, _) = try await page("Archived")
        for number in [1, 2] { try wiki.edit("\(title)/Archive \(number)", to: "Old.\n") }
        try wiki.edit("\(title)/Moved", to: "#REDIRECT [[\(title)/Archive 1]]\n")
        await program.run("pull", "\(title)/Archive 2")
        let list = await program.run("list", "--archives", title)
        #expect(
            list.output == """
                \(title)/Archive 1
                    git talk pull '\(title)/Archive 1'
                \(title)/Archive 2  cached
                    git talk pull '\(title)/Archive 2'

                """)
        let rows = try await program.run("list", "--archives", title, "--json").json()["archives"] as? [[String: Any]]
        #expect(rows?.map { $0["cached"] as? Bool } == [false, true])
        #expect(await program.run("list", "--archives", "\(title)/Archive 1").error.contains("has no subpages"))
    }
}
