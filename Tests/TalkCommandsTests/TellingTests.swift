import Foundation
import TalkSync
import TalkTestSupport
import Testing

@testable import TalkCommands
@testable import TalkPages
@testable import TalkStore

/// The user always learns what became of a reply: it is told until a person has seen it, and then no more.
@Suite(.temporaryDirectory) struct TellingTests {
    let paper = PaperWiki()

    /// Three replies: one posted, one held, one set aside.
    private func told() async throws -> (TestProgram, [String]) {
        let program = try TestProgram()
        try #require(await program.run("pull", paper.page).exitCode == .done)
        var ids: [String] = []
        for text in ["Posted.", "Held.", "Aside."] {
            let reply = await program.run("reply", "Talk:Bridge", "c-Carol", "-m", text, "--json")
            ids.append(try #require(try reply.json()["id"] as? String))
        }
        let store = try Store.open(at: program.store.path)
        try await store.updateEntry(ids[0]) { entry in
            entry.state = .posted
            entry.account = "Ann"
            entry.postedRevision = RevisionID(rawValue: 12)
            return true
        }
        for (id, state, reason) in [
            (ids[1], OutboxEntry.State.held, "Ann is blocked"), (ids[2], .discarded, "Carol went"),
        ] {
            try await store.updateEntry(id) { entry in
                entry.state = state
                entry.reason = reason
                return true
            }
        }
        return (program, ids)
    }

    private func lines(_ ids: [String]) -> String {
        let wiki = paper.stub.url.dropFirst("http://".count)
        return """
            git-talk: posted \(ids[0]) on Talk:Bridge at \(wiki) as Ann: revision 12, \(paper.stub.url)/wiki/Special:Diff/12
            git-talk: \(ids[1]) on Talk:Bridge at \(wiki) is held: Ann is blocked; edit it, drop it, or send it again: git talk outbox retry \(ids[1])
            git-talk: \(ids[2]) on Talk:Bridge at \(wiki) was set aside: Carol went; its text is kept: git talk outbox restore \(ids[2])

            """
    }

    @Test func everyCommandForPeopleTellsUntilAPersonSawIt() async throws {
        let (program, ids) = try await told()
        let lines = lines(ids), pager = ["GIT_PAGER": "cat"]
        // Pipes, one stream or the other, do not consume it; programs do not even see it.
        for verb in [["list"], ["show", "Talk:Bridge"], ["log", "Talk:Bridge"], ["wiki"], ["show", "Talk:Nothing"]] {
            #expect(await program.run(verb).error.hasSuffix(lines), "\(verb)")
            #expect(await program.run(words: verb, with: pager, output: true).error.hasSuffix(lines), "\(verb)")
            #expect(await program.run(words: verb, error: true).error.hasSuffix(lines), "\(verb)")
            #expect(
                !(await program.run(words: verb + ["--json"], with: pager, output: true, error: true).error.contains(
                    ids[0])))
        }
        #expect(await program.run("help").error == "")
        #expect(await program.run("outbox", "--json").error == "")
        #expect(await program.onTerminal("list").error == lines)
        #expect(await program.onTerminal("list").error == "")
        // What was posted is done with; the others stay in the outbox.
        let left = try Store.open(at: program.store.path).outbox().entries
        #expect(left.map(\.reply.id) == [ids[1], ids[2]] && left.allSatisfy(\.isSeen))
    }

    @Test func theOutboxOnATerminalTellsThem() async throws {
        let (program, ids) = try await told()
        // The list has them all, and nobody has read it.
        #expect(await program.run("outbox").error == "")
        #expect(await program.run("list").error == lines(ids))
        let list = await program.onTerminal("outbox")
        #expect(list.error == "" && ids.allSatisfy(list.output.contains))
        #expect(await program.onTerminal("list").error == "")
        let again = await program.onTerminal("outbox")
        #expect(!again.output.contains(ids[0]) && again.output.contains(ids[1]) && again.output.contains(ids[2]))
    }

    @Test func acknowledgesOneOrAll() async throws {
        let (program, ids) = try await told()
        let one = await program.run("outbox", "ack", ids[1])
        #expect(one.output == "acknowledged 1 reply\n" && !one.error.contains(ids[1]))
        #expect(await program.run("outbox", "ack").output == "acknowledged 2 replies\n")
        #expect(await program.run("list").error == "")
        #expect(await program.run("outbox", "ack").output == "nothing has become of the replies that you do not know\n")
        let queued = await program.run("reply", "Talk:Bridge", "c-Carol", "-m", "Queued.", "--json")
        let id = try #require(try queued.json()["id"] as? String)
        #expect(await program.run("outbox", "ack", id).exitCode == .failure)
    }

    /// What changes after it was printed is news again.
    @Test func whatAPersonSawIsWhatIsMarked() async throws {
        let (program, ids) = try await told()
        let store = try Store.open(at: program.store.path)
        let shown = try #require(try store.outboxEntry(ids[1]))
        try await store.updateEntry(ids[1]) { entry in
            entry.reason = "the page is protected"
            return true
        }
        try await store.markSeen([shown])
        #expect(try store.outboxEntry(ids[1])?.isSeen == false)
        #expect(await program.run("list").error.contains("the page is protected"))
    }

    @Test func manyAreToldInParts() async throws {
        let (program, _) = try await told()
        for number in 1...4 {
            let reply = await program.run("reply", "Talk:Bridge", "c-Carol", "-m", "Number \(number).", "--json")
            let id = try #require(try reply.json()["id"] as? String)
            try await Store.open(at: program.store.path).updateEntry(id) { entry in
                entry.state = .held
                return true
            }
        }
        let first = await program.onTerminal("list").error.split(separator: "\n")
        #expect(first.count == 6 && first.last == "git-talk: and 2 more replies: git talk outbox")
        #expect(await program.onTerminal("list").error.split(separator: "\n").count == 2)
        #expect(await program.onTerminal("list").error == "")
    }

    /// One that was found on the wiki stands in its own revision, which nobody fitted it to.
    @Test func aReplyIsNotFittedToTheRevisionThatItIs() async throws {
        let (program, ids) = try await told()
        var entry = try #require(try Store.open(at: program.store.path).outboxEntry(ids[0]))
        entry.postedRevision = RevisionID(rawValue: 12)
        let report = SyncReport()
        for base in [13, 12, 11] as [Int64] {
            report.add(entry, .posted(RevisionID(rawValue: 12)), fitted: RevisionID(rawValue: base))
        }
        #expect(report.output([]).replies.map(\.fitted) == [nil, nil, 11])
    }

    @Test func aPostedReplyThatOthersWaitForKeepsItsJournal() async throws {
        let (program, ids) = try await told()
        let store = try Store.open(at: program.store.path)
        try await store.updateEntry(ids[1]) { entry in
            entry.reply.target?.id = "pending:\(ids[0])"
            return true
        }
        #expect(await program.run("outbox", "ack").exitCode == .done)
        #expect(try store.outboxEntry(ids[0])?.isSeen == true)
        try await store.updateEntry(ids[1]) { entry in
            entry.reply.target?.id = "c-Carol"
            return true
        }
        try await store.markSeen([])
        #expect(try store.outboxEntry(ids[0]) == nil)
    }

    /// A text that was restored, posted and seen must not be there to be restored once more.
    @Test func nothingIsLeftToRestoreOfWhatWasPosted() async throws {
        let (program, ids) = try await told()
        let store = try Store.open(at: program.store.path)
        try await store.discard(try #require(try store.outboxEntry(ids[0])), reason: "left over")
        #expect(await program.run("outbox", "ack").exitCode == .done)
        #expect(try program.git("for-each-ref", "refs/discarded/\(ids[0])") == "")
    }

    /// The disk fills up after the request was sent: nobody knows yet, and that is what is said.
    @Test func whatCouldNotBeRecordedIsNotKnown() async throws {
        let (program, ids) = try await told()
        let store = try Store.open(at: program.store.path)
        try await store.updateEntry(ids[1]) { entry in
            entry.state = .sending
            return true
        }
        let error = TalkError(.unwritable, "the reply cannot be saved")
        let report = SyncReport()
        try report.addUnrecorded(store.outbox().entries, error)
        #expect(report.exitCode == .later)
        let entry = try #require(try store.outboxEntry(ids[1]))
        #expect(
            OutcomeText.line(entry, .unknown(reason: error.message), wiki: nil).hasPrefix(
                "whether \(ids[1]) on Talk:Bridge at "))
        #expect(throws: TalkError.self) { try report.addUnrecorded([], error) }
    }
}
