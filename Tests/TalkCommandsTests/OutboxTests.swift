import Foundation
import TalkSync
import TalkTestSupport
import Testing

@testable import TalkCommands
@testable import TalkPages
@testable import TalkStore

/// The words after `outbox`: whatever a reply's state, the user gets on with it, and its text is not lost.
@Suite(.temporaryDirectory) struct OutboxTests {
    let paper = PaperWiki()

    /// `Talk:Bridge`, and a reply to Carol.
    private func replied(_ text: String = "A word.") async throws -> (TestProgram, String) {
        let program = try TestProgram()
        try #require(await program.run("pull", paper.page).exitCode == .done)
        return (program, try await reply(program, text))
    }

    private func reply(_ program: TestProgram, _ text: String, to target: String = "c-Carol") async throws -> String {
        let reply = await program.run("reply", "Talk:Bridge", target, "-m", text, "--json")
        return try #require(try reply.json()["id"] as? String, "\(reply.error)")
    }

    private func store(_ program: TestProgram) throws -> Store { try Store.open(at: program.store.path) }

    private func entry(_ program: TestProgram, _ id: String) throws -> OutboxEntry {
        try #require(try store(program).outboxEntry(id))
    }

    /// What a sender writes into a journal.
    @discardableResult
    private func set(
        _ program: TestProgram, _ id: String, _ state: OutboxEntry.State, reason: String? = nil, sentBase: Int64? = nil,
        posted: Int64? = nil
    ) async throws -> OutboxEntry {
        let entry = try await store(program).updateEntry(id) { entry in
            entry.state = state
            entry.reason = reason
            entry.sentBase = sentBase.map(RevisionID.init(rawValue:))
            entry.postedRevision = posted.map(RevisionID.init(rawValue:))
            return true
        }
        return try #require(entry)
    }

    private func shown(_ program: TestProgram) async -> String { await program.run("show", "Talk:Bridge").output }

    private func files(_ program: TestProgram) throws -> String {
        let pages = try FileManager.default.subpathsOfDirectory(atPath: program.store.path).filter {
            $0.hasSuffix(".html")
        }
        return try pages.map { try String(contentsOf: program.store.appending(path: $0), encoding: .utf8) }.joined()
    }

    // MARK: list, show

    @Test func namesAReplyByAnyPrefixThatIsItsOwn() async throws {
        let (program, first) = try await replied()
        let second = try await reply(program, "Two.")
        let common = String(zip(first, second).prefix { $0 == $1 }.map(\.0))
        #expect(common.count >= 6)
        let both = await program.run("outbox", "show", common)
        #expect(both.exitCode == .failure)
        #expect(
            both.error
                == "git-talk: 2 replies have ids that begin with “\(common)”: \(first), \(second)\nhint: give more of the id\n"
        )
        let own = String(second.prefix(common.count + 1))
        #expect(await program.run("outbox", "show", own.uppercased()).output == "Two.\n")
        #expect(await program.run("outbox", "show", "zzz").exitCode == .failure)
        #expect(await program.run("outbox", "show", "").exitCode == .failure)
        #expect(await program.run("outbox", "shwo", own).error.contains("did you mean 'show'?"))
        #expect(await program.run("outbox", "hold", own, "--forget").exitCode == .usage)
        #expect(await program.run("outbox", "list", own).exitCode == .usage)
    }

    @Test func showsAPersonWhereAReplyGoes() async throws {
        let (program, id) = try await replied("One.\n\nTwo.")
        let result = await program.onTerminal("outbox", "show", id)
        let lines = result.output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        #expect(lines[0] == "\(id)  queued")
        #expect(lines.contains("what     reply to Carol, 2024-03-01 11:00 UTC"))
        #expect(lines.contains("topic    Width"))
        #expect(lines.contains { $0.hasPrefix("page     Talk:Bridge at ") })
        #expect(lines.contains { $0.hasPrefix("expires  ") })
        #expect(lines.suffix(5) == ["", "One.", "", "Two.", ""])
        #expect(await program.run("outbox", "show", id).output == "One.\n\nTwo.\n")
    }

    @Test func theListNamesATopicByItsHeading() async throws {
        let (program, _) = try await replied()
        await program.run("new", "Talk:Bridge", "-s", "The ropes", "-m", "Old?")
        let lines = await program.run("outbox").output.split(separator: "\n")
        #expect(lines[0].hasSuffix("  queued  Talk:Bridge  reply to Carol, 2024-03-01 11:00 UTC"))
        #expect(lines[2].hasSuffix("  queued  Talk:Bridge  new topic “The ropes”"), "\(lines)")
    }

    // MARK: edit

    @Test func editsWhatWaitsAndThePageWithIt() async throws {
        let (program, id) = try await replied()
        let later = try await reply(program, "Later.", to: "h-Ramp")
        let edit = await program.run("outbox", "edit", id, "-m", "Another word.")
        #expect(edit.exitCode == .done && edit.output == "changed \(id), which is queued\n", "\(edit.error)")
        #expect(try entry(program, id).reply.text == "Another word.")
        let page = await shown(program), html = try files(program)
        #expect(page.contains("Another word.") && !page.contains("A word."))
        #expect(html.contains("Another word.") && html.contains("Later.") && !html.contains(">A word."))
        let log = try program.git("log", "--format=%s", "--branches=pending/*", "-2")
        #expect(log == "Later.\nAnother word.\n")
        #expect(await program.run("outbox", "edit", later, input: "From a pipe.\n").exitCode == .done)
        #expect(try entry(program, later).reply.text == "From a pipe.\n")
        try await set(program, id, .held, reason: "because")
        #expect(await program.run("outbox", "edit", id, "-m", "Held.").output.hasSuffix("which is held\n"))

        let harm = await program.run("outbox", "edit", id, "-m", "a </div>")
        #expect(harm.exitCode == .failure && harm.error.contains("was not changed, since it would harm the page"))
        #expect(await program.run("outbox", "edit", id, "-m", " ").exitCode == .failure)
        #expect(try entry(program, id).reply.text == "Held.")
        #expect(await program.run("outbox", "edit", id, "-m", "[[Category:B]]").error.hasPrefix("warning: "))
    }

    @Test(arguments: [OutboxEntry.State.sending, .unknown, .queued, .held])
    func changesNothingThatMayBeOnTheWiki(state: OutboxEntry.State) async throws {
        let (program, id) = try await replied()
        let before = try await set(program, id, state, sentBase: 11)
        for words in [["edit", id, "-m", "Changed."], ["hold", id]] {
            let result = await program.run(["outbox"] + words)
            #expect(result.exitCode == .later, "\(words)")
            #expect(result.error.contains("may be on the wiki already"), "\(result.error)")
        }
        if state != .held {
            let drop = await program.run("outbox", "drop", id)
            #expect(drop.exitCode == .later && drop.error.contains("hint: look whether it is there: git talk sync"))
        }
        #expect(try entry(program, id) == before)
    }

    // MARK: hold, retry

    @Test func holdsAndLetsGo() async throws {
        let (program, id) = try await replied()
        #expect(
            await program.run("outbox", "hold", id).output == "held \(id); let it go: git talk outbox retry \(id)\n")
        #expect(try entry(program, id).state == .held && entry(program, id).reason == "you held it")
        // One's own doing is no news.
        #expect(await program.run("list").error == "")
        #expect(await shown(program).contains("A word."))
        #expect(await program.run("outbox", "retry", id).output == "queued \(id) again; git talk sync sends it\n")
        let entry = try entry(program, id)
        #expect(entry.state == .queued && entry.reason == nil && !entry.isSeen)
        let twice = await program.run("outbox", "retry", id)
        #expect(twice.exitCode == .failure && twice.error.contains("is queued, so it cannot be sent again"))
    }

    /// What nobody can tell but the user, who looked at the page: each answer leads out.
    @Test func aReplyThatMayBeThereIsNoDeadEnd() async throws {
        let (program, id) = try await replied()
        let reason = "revision 12 of this account may be it; look at the page before it is sent again"
        try await set(program, id, .held, reason: reason, sentBase: 11)
        let line = await program.run("list").error
        #expect(line.contains("retry --not-posted, ack --posted, or drop"), "\(line)")
        // Looked for once more: that the journal still says where to look is what makes it so.
        #expect(await program.run("outbox", "retry", id).exitCode == .done)
        #expect(try entry(program, id).mayBePosted)
        try await set(program, id, .held, reason: reason, sentBase: 11)
        #expect(await program.run("outbox", "retry", "--not-posted", id).exitCode == .done)
        #expect(try !entry(program, id).mayBePosted && entry(program, id).state == .queued)
        try await set(program, id, .held, reason: reason, sentBase: 11)
        #expect(await program.run("outbox", "ack", "--posted", "12", id).exitCode == .done)
        #expect(try store(program).outbox().entries == [])
        #expect(try program.git("for-each-ref", "refs/heads/pending") == "")
        #expect(!(await shown(program).contains("A word.")))
    }

    // MARK: drop, restore

    @Test func dropsAndRestores() async throws {
        let (program, id) = try await replied()
        let other = try await reply(program, "Stays.", to: "h-Ramp")
        let drop = await program.run("outbox", "drop", id)
        #expect(
            drop.output == "dropped \(id); its text is kept until drop --forget: git talk outbox restore \(id)\n",
            "\(drop.error)")
        #expect(drop.error == "" && drop.exitCode == .done)
        let page = await shown(program)
        #expect(!page.contains("A word.") && page.contains("Stays."))
        #expect(try program.git("cat-file", "-p", "refs/discarded/\(id):text") == "A word.")
        #expect(try program.git("log", "-1", "--format=%b", "refs/discarded/\(id)").contains("you dropped it"))

        // Without its journal it is still there to be seen and restored.
        try FileManager.default.removeItem(atPath: store(program).layout.outboxEntry(id))
        let list = try await program.run("outbox", "--json").json()
        let states = (list["entries"] as? [[String: Any]])?.compactMap { $0["state"] as? String }
        #expect(states == ["discarded", "queued"])
        #expect(await program.run("outbox", "show", id).output == "A word.\n")
        // People read one word for it.
        #expect(await program.run("outbox").output.hasPrefix("\(id)  set aside  Talk:Bridge  reply to Carol"))
        #expect(await program.onTerminal("outbox", "show", id).output.hasPrefix("\(id)  set aside\n"))

        let restore = await program.run("outbox", "restore", id, "--expires", "2d")
        #expect(
            restore.output
                == "queued \(id) again, reply to Carol, 2024-03-01 11:00 UTC on Talk:Bridge; git talk sync sends it\n",
            "\(restore.error)")
        #expect(await shown(program).contains("A word."))
        #expect(try entry(program, id).state == .queued)
        #expect(try program.git("for-each-ref", "refs/discarded") == "")
        #expect(try program.git("log", "--format=%s", "--branches=pending/*", "-2") == "Stays.\nA word.\n")
        #expect(await program.run("outbox", "restore", other).exitCode == .failure)
    }

    @Test func forgettingDeletesTheText() async throws {
        let (program, id) = try await replied("Never mind.")
        let other = try await reply(program, "Nor this.")
        #expect(
            await program.run("outbox", "drop", "--forget", id, other).output == "deleted \(id)\ndeleted \(other)\n")
        #expect(await program.run("outbox").output == "the outbox is empty\n")
        #expect(try program.git("for-each-ref", "refs/discarded", "refs/heads/pending") == "")
        // One that was set aside first.
        let third = try await reply(program, "Nor that.")
        await program.run("outbox", "drop", third)
        #expect(await program.run("outbox", "drop", "--forget", third).exitCode == .done)
        #expect(try program.git("for-each-ref", "refs/discarded") == "")
        #expect(await program.run("outbox").output == "the outbox is empty\n")
    }

    /// The wiki is gone for good: the user may give up looking.
    @Test func givesUpWhatMayBePostedWhenForced() async throws {
        let (program, id) = try await replied()
        try await set(program, id, .unknown, reason: "lost", sentBase: 11)
        let lock = try await store(program).senderLock()
        #expect(await program.run("outbox", "drop", "--force", id).exitCode == .later)
        withExtendedLifetime(lock) {}
        #expect(try entry(program, id).state == .unknown)
    }

    @Test func aForcedDropIsLookedForWhenItIsRestored() async throws {
        let (program, id) = try await replied()
        try await set(program, id, .unknown, reason: "lost", sentBase: 11)
        #expect(await program.run("outbox", "drop", "--force", id).exitCode == .done)
        #expect(try entry(program, id).reason == "you dropped it before it was known whether it was posted")
        #expect(try program.git("for-each-ref", "refs/heads/pending") == "")
        #expect(await program.run("outbox", "restore", id).exitCode == .done)
        #expect(try entry(program, id).mayBePosted)
    }

    @Test func whatAnswersADroppedReplyIsSetAsideWithItAndTold() async throws {
        let (program, id) = try await replied()
        let child = try await reply(program, "To that.", to: "h-Ramp")
        try await store(program).updateEntry(child) { entry in
            entry.reply.target?.id = "pending:\(id)"
            return true
        }
        let drop = await program.run("outbox", "drop", id)
        #expect(
            drop.error.contains("\(child) on Talk:Bridge") && drop.error.contains("which it answers, was set aside"))
        #expect(drop.error.split(separator: "\n").count == 1)
        #expect(try entry(program, child).state == .discarded)
        #expect(try program.git("cat-file", "-p", "refs/discarded/\(child):text") == "To that.")
        #expect(try program.git("for-each-ref", "refs/heads/pending") == "")
        // The user did the one himself; the other is news.
        let news = await program.run("list").error
        #expect(news.contains(child) && news.split(separator: "\n").count == 1)
    }

    @Test func restoresToAnotherPlaceWhenTheFirstIsGone() async throws {
        let (program, id) = try await replied()
        paper.replace(PaperWiki.first.replacing(/<dl>.*<\/dl>\n/, with: ""))
        #expect(await program.run("pull").error.contains("was set aside: the comment by Carol"))
        let stays = await program.run("outbox", "restore", id)
        #expect(stays.exitCode == .failure)
        #expect(
            stays.error.hasPrefix(
                "git-talk: the reply \(id) stays set aside: the comment by Carol that it answers is no longer on the page\nhint: name a place for it: git talk outbox restore \(id) --to <page> <comment>\n"
            ), "\(stays.error)")
        #expect(try entry(program, id).state == .discarded)
        // Where the comment went is named once that is known.
        try await store(program).updateEntry(id) { entry in
            entry.targetPage = PageName(wiki: entry.page.wiki, namespace: "Talk", title: "Bridge/Archive 1")
            return true
        }
        let known = await program.run("outbox", "restore", id)
        let command = "git talk outbox restore \(id) --to 'Talk:Bridge/Archive 1'\n"
        #expect(known.error.contains("hint: name a place for it: \(command)"), "\(known.error)")
        #expect(known.error.hasSuffix("its text is kept: \(command)"), "\(known.error)")
        let nobody = await program.run("outbox", "restore", id, "--to", "Talk:Bridge", "c-Nobody")
        #expect(nobody.exitCode == .failure && nobody.error.contains("no comment of"))
        #expect(await program.run("outbox", "restore", id, "h-Ramp").exitCode == .usage)
        let there = await program.run("outbox", "restore", id, "--to", "Talk:Bridge#Ramp")
        #expect(there.output.contains("queued \(id) again, reply to the topic on Talk:Bridge"), "\(there.error)")
        #expect(try entry(program, id).reply.target?.heading == "Ramp")
        #expect(try entry(program, id).reply.base.rawValue == 12)
        #expect(await shown(program).contains("A word."))
        let missing = await program.run("outbox", "restore", id, "--to", "Talk:Elsewhere")
        #expect(missing.exitCode == .failure)
    }

    /// With `talk.sync` set to `auto`, nobody waits for a wiki that was not asked for.
    @Test func theAutomaticSyncStopsAtTheFirstQuestionWithoutAnswer() async throws {
        let (program, first) = try await replied()
        try program.git("config", "talk.sync", "auto")
        paper.answer(.check, with: .http(status: 500, headers: [], body: "no"))
        let before = paper.stub.calls.count
        let reply = await program.run("reply", "Talk:Bridge", "h-Ramp", "-m", "Two words.")
        #expect(reply.exitCode == .done && reply.output.hasPrefix("queued "), "\(reply.error)")
        #expect(paper.stub.calls.count == before + 1 && program.slept.all == [])
        for id in [first, String(reply.output.dropFirst("queued ".count).prefix(26))] {
            #expect(reply.error.contains("\(id) on Talk:Bridge"))
            #expect(try entry(program, id).state == .queued)
        }
        // A sync that a person asks for looks further.
        await program.run("sync")
        #expect(paper.stub.calls.count > before + 2)
    }

    // MARK: A damaged journal

    private func damage(_ program: TestProgram, _ id: String) throws -> String {
        let path = try store(program).layout.outboxEntry(id)
        try Data("{".utf8).write(to: URL(filePath: path))
        return path
    }

    /// The pending branch has the text: it is shown, set aside and put back, and then looked for before it is sent.
    @Test func aReplyWhoseJournalIsDamagedFindsAWayOut() async throws {
        let (program, id) = try await replied("Only git has it.")
        let path = try damage(program, id)
        let show = await program.run("outbox", "show", id)
        #expect(show.exitCode == .done && show.output == "Only git has it.\n")
        #expect(
            show.error
                == "git-talk: the journal of reply \(id) is damaged, so it is not sent\nhint: see its text: git talk outbox show \(id)\n"
        )
        let details = await program.onTerminal("outbox", "show", id).output
        #expect(
            details.contains("why      its journal is damaged, so it is not sent; drop keeps its text"), "\(details)")
        #expect(await program.run("outbox").output.hasPrefix("\(id)  unknown  Talk:Bridge  reply to Carol"))
        #expect(await program.run("outbox", "hold", id).exitCode == .damaged)
        #expect(await program.run("outbox", "restore", id).error.contains("was not set aside"))

        let drop = await program.run("outbox", "drop", id)
        #expect(drop.exitCode == .done && drop.output.hasPrefix("dropped \(id); its text is kept"), "\(drop.error)")
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(try program.git("cat-file", "-p", "refs/discarded/\(id):text") == "Only git has it.")
        #expect(try program.git("for-each-ref", "refs/heads/pending") == "")
        #expect(await program.run("outbox", "restore", id).exitCode == .done)
        let entry = try entry(program, id)
        #expect(entry.state == .unknown && entry.mayBePosted && entry.sentBase?.rawValue == 11 && entry.account == "")
    }

    /// What it answers went away meanwhile, so that it was set aside with its journal as it is.
    @Test func aDamagedJournalOfWhatWasSetAsideIsInNobodysWay() async throws {
        let (program, id) = try await replied("Only git has it.")
        _ = try damage(program, id)
        paper.replace(PaperWiki.first.replacing(/<dl>.*<\/dl>\n/, with: ""))
        await program.run("pull")
        #expect(try program.git("for-each-ref", "refs/heads/pending") == "")
        #expect(await program.run("outbox", "show", id).output == "Only git has it.\n")
        let restore = await program.run("outbox", "restore", id, "--to", "Talk:Bridge#Ramp")
        #expect(restore.exitCode == .done, "\(restore.error)")
        #expect(try entry(program, id).state == .unknown && entry(program, id).mayBePosted)

        let other = try await reply(program, "Forget it.", to: "h-Ramp")
        let path = try damage(program, other)
        #expect(await program.run("outbox", "drop", "--forget", other).output == "deleted \(other)\n")
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(try program.git("for-each-ref", "refs/discarded") == "")
        #expect(!(await shown(program).contains("Forget it.")))
    }

    /// After each step a program may have died; the next one sees a whole outbox, and the text once.
    @Test func aDropThatWasBrokenOffIsWhole() async throws {
        let (program, id) = try await replied()
        let store = try store(program)
        var given = try entry(program, id)
        given.state = .discarded
        given.reason = "you dropped it"
        // The reference was made, the journal not yet written.
        try await store.discard(given, reason: "you dropped it")
        let list = try await program.run("outbox", "--json").json()
        #expect((list["entries"] as? [[String: Any]])?.count == 1)
        #expect(await program.run("outbox", "drop", id).exitCode == .done)
        #expect(try entry(program, id).state == .discarded)
    }
}
