import Foundation
import Synchronization
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore
@testable import TalkSync

/// Whatever breaks, and wherever the program is stopped, a reply is on the wiki once in the end.
///
/// Each run is one reply: a round with what its plan breaks, perhaps in a process that is stopped, then what others do,
/// then rounds as the next commands make them. In the end the history of the page on the wiki must have saved it once: the
/// same end as without trouble. `GIT_TALK_CRASH_RUNS` says how many runs, `GIT_TALK_CRASH_SEED` where chance begins, and
/// `make crash` makes five hundred.
@Suite(.temporaryDirectory, .serialized) struct CrashRunTests {
    static let environment = ProcessInfo.processInfo.environment
    static let runs = environment["GIT_TALK_CRASH_RUNS"].flatMap { Int($0) }
    static let seed = environment["GIT_TALK_CRASH_SEED"].flatMap { UInt64($0) } ?? 20_261_130

    @Test func onAScriptedWiki() async throws {
        try await play(Self.runs ?? 24) { (.scripted(), ScriptedWiki.title, ScriptedWiki.site) }
    }

    @Test(.testWiki) func onARealWiki() async throws {
        let api = try TestWiki.required().api.absoluteString
        var site = try await MediaWikiAPI(endpoint: api, settings: SendingStage.settings).siteInfo()
        site.api = api
        try await play(Self.runs.map { $0 / 4 } ?? 4) { [site] in
            let title = TestWiki.newTitle("Crash")
            return (try .real(title), title, site)
        }
    }

    /// The program is stopped at each of its steps in turn, and nothing else happens: all of them by `make crash`, a few else.
    @Test func atEveryStep() async throws {
        let wiki = CrashWiki.scripted()
        let stage = try await CrashStage(wiki, ScriptedWiki.title, site: ScriptedWiki.site)
        _ = try await stage.reply("Undisturbed.", to: "Carol")
        let steps = CrashSteps(stopAt: nil)
        steps.prepare(stage.proxy, .none)
        try await stage.round(faults: steps.faults)
        let count = steps.number
        #expect(count > 20)
        var tally: [String: Int] = [:]
        for step in stride(from: 1, through: count, by: Self.runs == nil ? 7 : 1) {
            try await run(UInt64(step), CrashPlan(stoppingAt: step), stage, wiki, &tally)
        }
        try await expectWhole(stage, wiki)
        print(
            "crash runs: stopped at \(tally["stopped"] ?? 0) of \(count) steps; \(tally["lost"] ?? 0) lost, \(tally["doubled"] ?? 0) doubled"
        )
    }

    /// How many runs share a page and a store: what one leaves behind, the next ones have to live with.
    private static let perPage = 8

    private func play(_ count: Int, _ make: () throws -> (CrashWiki, String, Wiki)) async throws {
        var tally: [String: Int] = [:]
        for first in stride(from: 0, to: count, by: Self.perPage) {
            let (wiki, title, site) = try make()
            let stage = try await CrashStage(wiki, title, site: site)
            for number in first..<min(first + Self.perPage, count) {
                let seed = Self.seed + UInt64(number)
                try await run(seed, CrashPlan(seed: seed), stage, wiki, &tally)
            }
            try await expectWhole(stage, wiki)
        }
        let words = tally.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: "; ")
        print("crash runs: \(count), seeds \(Self.seed)..<\(Self.seed + UInt64(count)); \(words)")
    }

    private func run(
        _ seed: UInt64, _ plan: CrashPlan, _ stage: CrashStage, _ wiki: CrashWiki, _ tally: inout [String: Int]
    ) async throws {
        let text = "Run \(seed)."
        let comment = Comment(rawValue: "seed \(seed): \(plan.words)")
        let before = try wiki.revisions().count
        let id = try await stage.reply(text, to: plan.target)
        stage.proxy.reset()
        if let stop = plan.stop {
            let path = stage.path, title = stage.title, api = wiki.api
            await #expect(processExitsWith: .exitCode(77), comment) {
                [
                    path = path as String, title = title as String, api = api as String,
                    trouble = plan.trouble.rawValue as String,
                    stop = stop as Int, impatience = wiki.impatience as Double
                ] in
                let stage = try CrashStage(path: path, title: title, api: api)
                let steps = CrashSteps(stopAt: stop)
                steps.prepare(stage.proxy, CrashPlan.Trouble(rawValue: trouble) ?? .none)
                _ = try? await stage.round(impatience: impatience, faults: steps.faults)
                _exit(77)
            }
            if let during = plan.during { try happen(during, text, wiki) }
        } else {
            let steps = CrashSteps(stopAt: nil)
            steps.prepare(stage.proxy, plan.trouble, during: plan.during, loss: plan.loss) { event in
                do { try happen(event, text, wiki) } catch { Issue.record(error, comment) }
            }
            let isImpatient = plan.trouble == .slow || plan.trouble == .slower
            _ = try? await stage.round(impatience: isImpatient ? wiki.impatience : nil, faults: steps.faults)
            steps.release()
        }
        stage.proxy.reset()
        stage.proxy.deliver()
        for event in plan.between { try happen(event, text, wiki) }

        var rounds = 0
        while try stage.entry(id).state.isPending, rounds < 8 {
            rounds += 1
            _ = try? await stage.round()
            let entry = try stage.entry(id)
            if entry.state == .held {
                // Only the user knows what an edit of his own was; here he looks at the page.
                #expect(plan.between.contains(.own), comment)
                tally["asked", default: 0] += 1
                let saved = try saves(text, since: before, wiki)
                try await stage.store.updateEntry(id) { current in
                    if let saved = saved.first {
                        current.accept(RevisionID(rawValue: Int64(saved)))
                    } else {
                        current.sendAgain()
                    }
                    return true
                }
            }
            if entry.state == .unknown { try await stage.tenMinutesPass() }
        }
        try await stage.pull()

        let entry = try stage.entry(id), saved = try saves(text, since: before, wiki)
        #expect(entry.state == .posted && entry.reply.text == text, comment)
        #expect(saved.count == 1, comment)
        #expect(entry.postedRevision.map { Int($0.rawValue) } == saved.first, comment)
        #expect(try await stage.store.pendingBranch(of: stage.page).commits.isEmpty, comment)
        tally["lost", default: 0] += saved.isEmpty ? 1 : 0
        tally["doubled", default: 0] += saved.count > 1 ? 1 : 0
        if plan.stop != nil { tally["stopped", default: 0] += 1 }
        tally[plan.trouble.rawValue, default: 0] += 1
    }

    private func happen(_ event: CrashPlan.Event, _ text: String, _ wiki: CrashWiki) throws {
        let isOwn = event == .own
        try wiki.change(isOwn ? "Alice" : "Bob", isOwn ? "/* Width */ Reply" : event.rawValue) {
            CrashPlan.change($0, event, text)
        }
    }

    /// The revisions that put one more copy of a text onto the page.
    private func saves(_ text: String, since count: Int, _ wiki: CrashWiki) throws -> [Int] {
        let revisions = try wiki.revisions()
        return zip(revisions.dropFirst(count - 1), revisions.dropFirst(count)).compactMap { old, new in
            new.text.ranges(of: text).count > old.text.ranges(of: text).count ? new.id : nil
        }
    }

    /// The store is what one is that was never stopped.
    private func expectWhole(_ stage: CrashStage, _ wiki: CrashWiki) async throws {
        let store = try stage.store
        #expect(try await store.discarded() == [] && store.outbox().unreadable == [])
        #expect(try runGit(["fsck", "--strict", "--no-dangling"], in: stage.path).output == "")
        let other = try await CrashStage(wiki, stage.title, site: stage.site)
        let mine = try await store.tip(of: stage.page), fresh = try await other.store.tip(of: other.page)
        #expect(mine?.tree == fresh?.tree && mine?.record == fresh?.record)
        let shown = try #require(try store.reader.page(stage.page))
        #expect(shown.content == (try other.store.reader.page(other.page))?.content && shown.pending == [])
    }
}

/// Counts the changes of the disk and both ends of every request, ends the program at one of them, and breaks requests.
private final class CrashSteps: Sendable {
    private let count = Mutex(0)
    private let stop: Int?
    /// The edit under way waits for this: the client has given it up then.
    private let gaveUp = DispatchSemaphore(value: 0)
    private let isWaited = Mutex(false)

    init(stopAt stop: Int?) { self.stop = stop }

    var number: Int { count.withLock { $0 } }
    var faults: StoreFaults {
        StoreFaults { name in
            self.reach()
            if name == "write journal", self.isWaited.withLock({ $0 }) { self.release() }
        }
    }

    func release() {
        isWaited.withLock { $0 = false }
        gaveUp.signal()
    }

    private func reach() {
        let step = count.withLock { count in
            count += 1
            return count
        }
        if step == stop { _exit(77) }
    }

    private func wait() { gaveUp.wait() }

    func prepare(
        _ proxy: FaultyProxy, _ trouble: CrashPlan.Trouble, during: CrashPlan.Event? = nil, loss: Int? = nil,
        event: (@Sendable (CrashPlan.Event) -> Void)? = nil
    ) {
        let html = StubAnswer.http(status: 200, headers: [("Content-Type", "text/html")], body: "<html>Log in</html>")
        proxy.add { [self] call in
            reach()
            if let loss, call.number >= loss { return .refuse }
            guard call.kind == "edit", call.nth == 1 else { return .afterwards { self.reach() } }
            if let during, let event { event(during) }
            // The next note in the journal is that no answer came.
            if trouble == .slow || trouble == .slower { isWaited.withLock { $0 = true } }
            switch trouble {
            case .none: return .afterwards { self.reach() }
            case .refused: return .refuse
            case .lost: return .loseAnswer
            case .cut: return .cutAnswer(afterBytes: 30)
            case .serverError: return .replaceAnswer(.http(status: 500, headers: [], body: ""))
            case .page: return .replaceAnswer(html)
            case .unsavedError: return .answer(.http(status: 500, headers: [], body: ""))
            case .slow: return .afterwards { self.wait() }
            case .slower: return .meanwhile { self.wait() }
            case .late: return .delay
            }
        }
    }
}
