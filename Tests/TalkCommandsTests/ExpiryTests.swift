import Foundation
import Synchronization
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkCommands
@testable import TalkStore

/// How long a reply waits: what the command line takes, and what `sync` does about it.
@Suite(.temporaryDirectory) struct ExpiryTests {
    static let day: Int64 = 86_400
    /// 2026-03-01T12:00:00Z.
    static let noon: Int64 = 1_772_366_400

    @Test(
        arguments: [
            ("3d", noon + 3 * day), ("12h", noon + 12 * 3600), ("3650d", noon + 3650 * day), ("1h", noon + 3600),
            // The end of the day.
            ("2026-03-01", noon + day / 2), ("2026-12-24", 1_798_156_800), ("2026-02-28", noon - day / 2),
            ("", nil), ("d", nil), ("0d", nil), ("-1d", nil), ("3651d", nil), ("3", nil), ("3w", nil), ("1.5d", nil),
            ("٣d", nil),
            ("2026-02-30", nil), ("2026-3-1", nil), ("99999999999999999999h", nil), ("9999-12-31", nil),
            ("tomorrow", nil),
        ] as [(String, Int64?)])
    func readsATime(text: String, time: Int64?) {
        #expect(ExpiryOption.parse(text, now: Self.noon) == time)
    }

    private func replied(_ words: String...) async throws -> (TestProgram, PaperWiki, String) {
        let paper = PaperWiki(), program = try TestProgram()
        try #require(await program.run("pull", paper.page).exitCode == .done)
        let reply = await program.run(["reply", "Talk:Bridge", "c-Carol", "-m", "A word.", "--json"] + words)
        try #require(reply.exitCode == .done, "\(reply.error)")
        return (program, paper, try #require(try reply.json()["id"] as? String))
    }

    private func entry(_ program: TestProgram, _ id: String) throws -> OutboxEntry {
        try #require(try Store.open(at: program.store.path).outboxEntry(id))
    }

    @Test func theCommandLineGoesBeforeTheSetting() async throws {
        let (program, _, id) = try await replied("--expires", "12h")
        let reply = try entry(program, id).reply
        // The text may be taken a moment after the option was read.
        #expect((12 * 3600 - 5...12 * 3600).contains(reply.expires - reply.created))
        try program.git("config", "talk.expire", "30")
        let second = await program.run("reply", "Talk:Bridge", "c-Carol", "-m", "Another.", "--json")
        let other = try entry(program, try #require(try second.json()["id"] as? String)).reply
        #expect((30 * Self.day - 5...30 * Self.day).contains(other.expires - other.created))
        for (text, words) in [("soon", "give days (3d)"), ("2020-01-01", "is past")] {
            let wrong = await program.run("reply", "Talk:Bridge", "c-Carol", "-m", "Lost?", "--expires", text)
            #expect(wrong.exitCode == .usage && wrong.error.contains(words), "\(wrong.error)")
        }
    }

    private static func text(_ seconds: Int64) -> String { TimeText.iso(seconds) }

    /// Eight days later, by both clocks: set aside with the reason, told, and easily put back.
    @Test func whatWasNeverTriedExpiresAndIsTold() async throws {
        let (program, paper, id) = try await replied()
        let created = try entry(program, id).reply.created
        paper.setClock(Self.text(created))
        #expect(await program.run("sync").exitCode == .refused)
        #expect(try entry(program, id).firstSeen == created)
        program.shift.withLock { $0 = 8 * Self.day * 1000 }
        paper.setClock(Self.text(created + 8 * Self.day))
        let sync = await program.run("sync")
        #expect(sync.exitCode == .failure, "\(sync.error)")
        let words =
            "\(id) on Talk:Bridge at \(paper.stub.url.dropFirst("http://".count)) was set aside: it could not be posted before"
        #expect(sync.error.contains(words) && sync.error.contains("git talk outbox restore \(id)"), "\(sync.error)")
        #expect(try entry(program, id).state == .discarded)
        #expect(try program.git("for-each-ref", "refs/heads/pending") == "")
        #expect(try program.git("cat-file", "-p", "refs/discarded/\(id):text") == "A word.")

        let restore = await program.run("outbox", "restore", id)
        #expect(restore.exitCode == .done, "\(restore.error)")
        let again = try entry(program, id)
        #expect(again.state == .queued && again.reply.expires > created + 14 * Self.day)
        // Nor does this date count before a round has seen it.
        #expect(again.firstSeen == nil)
        #expect(try program.git("for-each-ref", "refs/discarded") == "")
        #expect(await program.run("show", "Talk:Bridge").output.contains("A word."))
    }

    /// Written while the machine's clock was ten days behind: with the right clock they are past their date at once, and
    /// still each is tried first.
    @Test func whatWasWrittenByASlowClockIsTriedBeforeItExpires() async throws {
        let paper = PaperWiki(), program = try TestProgram()
        try #require(await program.run("pull", paper.page).exitCode == .done)
        let present = Int64(Date().timeIntervalSince1970)
        program.shift.withLock { $0 = -10 * Self.day * 1000 }
        var ids: [String] = []
        for text in ["One.", "Two.", "Three."] {
            let reply = await program.run("reply", "Talk:Bridge", "c-Carol", "-m", text, "--json")
            ids.append(try #require(try reply.json()["id"] as? String, "\(reply.error)"))
        }
        // A round with the wrong clock is none that counts.
        paper.setClock(Self.text(present))
        await program.run("sync")
        program.shift.withLock { $0 = 0 }
        for id in ids { #expect(try entry(program, id).firstSeen == nil) }
        let sync = await program.run("sync")
        #expect(!sync.error.contains("was set aside"), "\(sync.error)")
        for id in ids {
            let entry = try entry(program, id)
            #expect(entry.state == .queued && entry.reply.expires < present && entry.firstSeen == present)
        }
        // The wiki may not have been able to take it then.
        for (hours, state) in [(23, OutboxEntry.State.queued), (25, .discarded)] {
            program.shift.withLock { $0 = Int64(hours) * 3_600_000 }
            paper.setClock(Self.text(present + Int64(hours) * 3600))
            await program.run("sync")
            for id in ids { #expect(try entry(program, id).state == state) }
        }
    }

    /// The clock leaps, here or there: nothing is lost, and one line says why.
    @Test(arguments: [(3650, 0), (0, 3650), (-3650, 8), (8, -3650), (8, 7)] as [(Int64, Int64)])
    func aClockThatLeapsSetsNothingAside(here: Int64, there: Int64) async throws {
        let (program, paper, id) = try await replied()
        await program.run("reply", "Talk:Bridge", "h-Ramp", "-m", "Two words.")
        let created = try entry(program, id).reply.created
        program.shift.withLock { $0 = here * Self.day * 1000 }
        paper.setClock(Self.text(created + there * Self.day))
        let sync = await program.run("sync")
        #expect(try entry(program, id).state == .queued)
        let lines = sync.error.split(separator: "\n").filter { $0.contains("so no reply expires") }
        #expect(lines.count == 1, "\(sync.error)")
        let amount = abs(here - there) == 1 ? "24 hours" : "\(abs(here - there) / 365) years"
        #expect(
            lines.first?.contains(
                "the clock of this machine is \(amount) \(there > here ? "behind" : "ahead of") that of") == true,
            "\(sync.error)")
    }

    @Test func nothingExpiresWhenTheWikiTellsNoTime() async throws {
        let (program, _, id) = try await replied()
        program.shift.withLock { $0 = 3650 * Self.day * 1000 }
        let sync = await program.run("sync")
        #expect(try entry(program, id).state == .queued && !sync.error.contains("expires"))
    }
}
