import Foundation
import Synchronization
import TalkPages
import TalkStore
import TalkSync
import TalkTestSupport
import Testing

@testable import TalkCommands

/// When a wiki is asked again by itself.
@Suite struct WatchScheduleTests {
    private final class Plan {
        private var schedule = WatchSchedule(interval: 300, backoff: SendBackoff(chance: { 0.5 }))

        @discardableResult
        func ended(_ wiki: String, _ failure: TalkError?, next: Int64?, at now: Int64) -> Bool {
            schedule.ended(wiki, failure, next: next, at: now)
        }
        func isDue(_ wiki: String, at now: Int64) -> Bool { schedule.isDue(wiki, at: now) }
        func wait(for wikis: [String], at now: Int64) -> Int64 { schedule.wait(for: wikis, at: now) }
    }

    private let schedule = Plan()
    private let away = TalkError(.unreachable, "away")

    @Test func asksAgainAfterTheInterval() {
        #expect(schedule.isDue("w", at: 1000))
        #expect(!schedule.ended("w", nil, next: nil, at: 1000))
        #expect(!schedule.isDue("w", at: 1299) && schedule.isDue("w", at: 1300))
        #expect(schedule.wait(for: ["w"], at: 1010) == 290)
        #expect(schedule.wait(for: ["w", "new"], at: 1010) == 5)
    }

    @Test func triesAWikiThatIsAwayAtGrowingDistances() {
        var now: Int64 = 1000
        var pauses: [Int64] = []
        for _ in 1...10 {
            #expect(schedule.isDue("w", at: now))
            #expect(!schedule.ended("w", away, next: nil, at: now))
            let pause = schedule.wait(for: ["w"], at: now)
            pauses.append(pause)
            now += pause
        }
        #expect(pauses == [5, 10, 20, 40, 80, 160, 320, 640, 900, 900])
        // It answers again, and is told of once.
        #expect(schedule.ended("w", nil, next: nil, at: now))
        #expect(!schedule.ended("w", nil, next: nil, at: now))
        #expect(!schedule.ended("w", away, next: nil, at: now))
        #expect(schedule.wait(for: ["w"], at: now) == 5)
    }

    @Test func aRefusalRestsForAnHour() {
        schedule.ended("w", TalkError(.refused, "log in"), next: nil, at: 1000)
        #expect(schedule.wait(for: ["w"], at: 1000) == 3600)
    }

    @Test func obeysWhatTheWikiAsksFor() {
        let busy = APIError(code: "maxlag", text: "", isWrite: false, retryAfter: 700).talkError()
        schedule.ended("w", busy, next: nil, at: 1000)
        #expect(schedule.wait(for: ["w"], at: 1000) == 700)
    }

    @Test func comesBackEarlierForAReplyThatWaits() {
        schedule.ended("w", nil, next: 1040, at: 1000)
        #expect(schedule.wait(for: ["w"], at: 1000) == 40)
        schedule.ended("w", nil, next: 1001, at: 1000)
        #expect(schedule.wait(for: ["w"], at: 1000) == 5)
        schedule.ended("w", nil, next: 9000, at: 1000)
        #expect(schedule.wait(for: ["w"], at: 1000) == 300)
    }

    @Test func aClockThatIsSetBackStopsNothing() {
        schedule.ended("w", nil, next: nil, at: 2_000_000_000)
        #expect(schedule.isDue("w", at: 1_000_000_000))
        #expect(schedule.wait(for: ["w"], at: 1_000_000_000) == 5)
    }
}

/// A round says what the one before it did not say.
@Suite struct EventLinesTests {
    @Test func saysNothingTwice() {
        let said = Mutex<[String]>([])
        let behind = Terminal(
            isInteractive: true, isInputInteractive: true, isErrorInteractive: true,
            write: { text in said.withLock { $0.append(text) } },
            writeError: { text in said.withLock { $0.append("! " + text) } }, readAll: { [] }, readLine: { nil },
            readSecret: { nil })
        let lines = EventLines(behind)
        let terminal = lines.terminal
        #expect(!terminal.isInteractive && !terminal.isErrorInteractive && !terminal.isInputInteractive)
        for (subject, words) in [
            ("a", ["away", "away"]), ("b", ["busy"]), ("a", ["away"]), ("a", []), ("b", ["busy", "new"]),
            ("a", ["away"]),
        ] {
            lines.begin(subject)
            for word in words { terminal.writeError(word) }
        }
        // Between the last two rounds of a it was there.
        #expect(said.withLock { $0 } == ["! away", "! busy", "! new", "! away"])
    }
}

/// `sync --watch` on a wiki, with a clock that only waiting moves.
@Suite(.temporaryDirectory) struct SyncWatchTests {
    @Test(arguments: [
        ("1", 60), ("90", 90), ("90s", 90), ("10m", 600), ("2h", 7200), ("", nil), ("m", nil), ("0", nil), ("-5", nil),
        ("1d", nil), ("5 m", nil), ("99999999999999999999", nil),
    ])
    func readsTheInterval(text: String, seconds: Int64?) throws {
        let words = ["--watch", "--", text]
        let arguments = try Arguments(words, options: [SyncWatch.option] + Option.common)
        if let seconds {
            #expect(try SyncWatch.interval(arguments) == seconds)
        } else {
            #expect(throws: UsageError.self) { try SyncWatch.interval(arguments) }
        }
    }

    @Test func wantsNoOtherWords() async throws {
        let program = try TestProgram()
        #expect(await program.run("sync", "10m").exitCode == .usage)
        #expect(await program.run("sync", "--watch", "10m", "x").exitCode == .usage)
        #expect(await program.run("sync", "--watch", "--json").exitCode == .usage)
        let plain = try Arguments(["--watch"], options: [SyncWatch.option])
        #expect(try SyncWatch.interval(plain) == 300)
    }

    /// The wiki goes away and comes back, a reply is written meanwhile, and in the end somebody interrupts.
    @Test(.testWiki) func postsWhatIsWrittenAndSaysWhatHappensOnce() async throws {
        let program = try TestProgram()
        let account = TestWiki.Account.alice
        try await TestWiki.withPrivateWiki { wiki in
            let title = TestWiki.newTitle("Watch")
            try wiki.edit(title, to: EndToEndTests.text)
            await program.run("login", wiki.url.absoluteString, input: "\(account.botName)\n\(account.password)\n")
            await program.run("pull", title)
            // What happens in each wait, and for how long it would have been.
            let waits = Mutex<[Double]>([])
            let isStopped = Mutex(false)
            let watch = BackgroundWork(
                begin: {}, isStopped: { isStopped.withLock { $0 } },
                wait: { seconds in
                    let number = waits.withLock { waits in
                        waits.append(seconds)
                        return waits.count
                    }
                    program.shift.withLock { $0 += Int64(seconds * 1000) }
                    do {
                        switch number {
                        case 1: await program.run("reply", title, "c-Carol", "-m", "From the train.")
                        case 5: try wiki.pause()
                        case 8: try wiki.resume()
                        case 20: isStopped.withLock { $0 = true }
                        default: break
                        }
                    } catch { Issue.record(error) }
                })
            let result = await program.run(words: ["sync", "--watch", "2m"], background: watch)
            #expect(result.exitCode == .done)
            let waited = waits.withLock { $0 }
            // A round itself takes a moment of the two minutes.
            #expect(waited.prefix(4).allSatisfy { (55...60).contains($0) }, "\(waited)")
            // Away: after 5 and 10 seconds, more or less, it is tried again; then it is back.
            #expect(waited[4..<9].contains { (5...6).contains($0) }, "\(waited)")
            #expect(result.output.ranges(of: "posted ").count == 1, "\(result.output)")
            #expect(result.error.ranges(of: "cannot be reached").count == 1, "\(result.error)")
            #expect(result.error.ranges(of: "answers again").count == 1, "\(result.error)")
            #expect(try wiki.text(of: title).ranges(of: "From the train.").count == 1)
            // Nobody has seen it, so it is still to be told.
            #expect(await program.run("outbox").output.contains("posted"))
        }
    }

    /// What a round said on a terminal, hours ago perhaps, nobody need have seen.
    @Test(.testWiki) func whoeverEndsItIsToldWhatHappened() async throws {
        let program = try TestProgram()
        let wiki = try TestWiki.required(), account = TestWiki.Account.alice, title = TestWiki.newTitle("Ends it")
        try wiki.edit(title, to: EndToEndTests.text)
        await program.run("login", wiki.url.absoluteString, input: "\(account.botName)\n\(account.password)\n")
        await program.run("pull", title)
        await program.run("reply", title, "c-Carol", "-m", "In the background.")
        let watch = await program.run(words: ["sync", "--watch"], output: true, error: true)
        #expect(watch.exitCode == .done)
        #expect(watch.output.ranges(of: "posted ").count == 1, "\(watch.output)")
        #expect(watch.error.ranges(of: "posted ").count == 1, "\(watch.error)")
        #expect((try await program.run("outbox", "--json").json()["entries"] as? [Any])?.isEmpty == true)
    }

    @Test(.testWiki) func goesOnWhileAnotherProgramSends() async throws {
        let program = try TestProgram()
        let wiki = try TestWiki.required(), account = TestWiki.Account.alice
        await program.run("login", wiki.url.absoluteString, input: "\(account.botName)\n\(account.password)\n")
        let store = program.store.path
        let lock = Mutex<HeldLock?>(nil)
        let held = try #require(try await Store.open(at: store).senderLock())
        lock.withLock { $0 = held }
        let rounds = Mutex(0), isStopped = Mutex(false)
        let watch = BackgroundWork(
            begin: {}, isStopped: { isStopped.withLock { $0 } },
            wait: { seconds in
                program.shift.withLock { $0 += Int64(seconds * 1000) }
                let round = rounds.withLock { rounds in
                    rounds += 1
                    return rounds
                }
                if round == 2 { lock.withLock { $0 = nil } }
                if round == 4 { isStopped.withLock { $0 = true } }
            })
        let busy = await program.run(words: ["sync"])
        #expect(busy.exitCode == .later && busy.error.contains("waiting for it"))
        #expect(program.slept.all == Array(repeating: 1, count: 10))
        let result = await program.run(words: ["sync", "--watch"], background: watch)
        #expect(result.exitCode == .done)
        #expect(result.error.ranges(of: "another git-talk is sending").count == 1, "\(result.error)")
    }

    /// The program itself, as a terminal or a service manager ends it: in the middle of a request.
    @Test(arguments: [SIGINT, SIGTERM]) func aSignalEndsItWhenTheRequestIsAnswered(signal: Int32) async throws {
        let paper = PaperWiki()
        let program = try BuiltProgram()
        #expect(try program.run("git-talk", "pull", paper.page).status == 0)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["git-talk", "sync", "--watch"]
        process.environment = program.environment
        process.currentDirectoryURL = program.directory
        let output = program.directory.appending(path: "watch")
        try Data().write(to: output)
        // One handle, so that neither writes over the other.
        let handle = try FileHandle(forWritingTo: output)
        process.standardOutput = handle
        process.standardError = handle
        // The page has moved on, so that there is something to write once the answer is there.
        paper.append("<p>New.</p>")
        let isRunning = DispatchSemaphore(value: 0)
        let id = Mutex<pid_t>(0)
        paper.stub.prepend { call in
            guard call["action"] == "parse" else { return nil }
            isRunning.wait()
            isRunning.signal()
            kill(id.withLock { $0 }, signal)
            return nil
        }
        try process.run()
        id.withLock { $0 = process.processIdentifier }
        isRunning.signal()
        process.waitUntilExit()
        let said = try String(contentsOf: output, encoding: .utf8)
        #expect(process.terminationReason == .exit && process.terminationStatus == 0, "\(said)")
        #expect(said.contains("Talk:Bridge: 1 new revision, now 12"), "\(said)")
        #expect(try program.run("git-talk", "log", paper.page).output.contains("12"))
    }
}
