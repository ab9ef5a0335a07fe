import Foundation
import Synchronization
import TalkPages
import TalkStore
import TalkTestSupport
import Testing

/// Several programs and a user's git at once on one store, for as long as `GIT_TALK_STRESS_SECONDS` says (by default a few).
@Suite(.temporaryDirectory, .testWiki) struct StressTests {
    private static let titles = ["Talk:North", "Talk:South", "Talk:East", "Talk:West"]

    @Test func manyAtOnceLoseNothing() async throws {
        let seconds = ProcessInfo.processInfo.environment["GIT_TALK_STRESS_SECONDS"].flatMap(Double.init) ?? 6
        let seed = ProcessInfo.processInfo.environment["GIT_TALK_SEED"].flatMap(UInt64.init) ?? .random(in: 0...9999)
        print("stress: GIT_TALK_SEED=\(seed), \(seconds) s")
        try await TestWiki.withPrivateWiki { wiki in
            let stage = try StressStage(wiki, Self.titles, seed: seed)
            await stage.play(seconds: seconds)
            try stage.settle()
            try stage.check()
            print("stress: \(stage.summary)")
        }
    }
}

/// A store, a wiki, a hub, and what happened to them.
private final class StressStage: Sendable {
    private let wiki: TestWiki
    private let program: BuiltProgram
    private let titles: [String]
    private let seed: UInt64
    private let hub: String
    private let state = Mutex(Happened())

    private struct Happened {
        /// Commands by how they ended.
        var ends: [String: Int] = [:]
        var longest = (seconds: 0.0, command: "")
        /// Lines of standard error that no command of ours may print.
        var strange: [String] = []
        /// The texts of the replies that were queued.
        var replies: [String] = []
        var edits = 0
    }

    /// What is said when somebody else is at work, or a page is not there just now.
    private static let expected = [
        "another git-talk is at work", "another program is changing", "was changed by another program",
        "another git-talk is sending", " is not cached", " has pending replies", " pages checked", "git-talk: posted ",
        "the branch here cannot be read", "no topic",
        " is not bookmarked", "no longer bookmarked: ", "; git talk sync tries again", "there is nothing to drop",
        "was dropped by another program meanwhile", "is not cached any more",
        // A user's git found objects in the moment in which they were dropped: docs/GIT.md, "Two at once".
        "to objects that are not there any more",
    ]

    var summary: String {
        state.withLock { happened in
            let ends = happened.ends.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
            return "\(happened.edits) edits, \(happened.replies.count) replies; \(ends); longest "
                + "\(Int(happened.longest.seconds * 1000)) ms: \(happened.longest.command)"
        }
    }

    init(_ wiki: TestWiki, _ titles: [String], seed: UInt64) throws {
        self.wiki = wiki
        self.titles = titles
        self.seed = seed
        program = try BuiltProgram()
        hub = program.directory.appending(path: "hub.git").path
        for title in titles { try wiki.edit(title, to: "== Start ==\nFirst word. ~~~~\n") }
        let account = TestWiki.Account.alice
        let steps: [([String], String)] = [
            (["git", "talk", "login", wiki.url.absoluteString], "\(account.botName)\n\(account.password)\n"),
            (["git", "talk", "pull"] + titles, ""),
            (["git", "init", "-q", "--bare", hub], ""),
            (["git", "-C", program.store.path, "remote", "add", "hub", hub], ""),
            (["git", "talk", "exchange"], ""),
        ]
        for (words, input) in steps {
            let result = try program.run(words, input: input)
            guard result.status == 0 else { throw TalkError(.internal, "\(words): \(result.error)") }
        }
    }

    // MARK: Playing

    /// Each of these goes on and on in a thread of its own.
    func play(seconds: Double) async {
        let end = Date().addingTimeInterval(seconds)
        let players: [@Sendable (inout SeededGenerator, Int) throws -> Void] = [
            { [self] in try edit(&$0, $1) }, { [self] in try pull(&$0, $1) }, { [self] in try pull(&$0, $1) },
            { [self] in try write(&$0, $1) }, { [self] in try send(&$0, $1) }, { [self] in try drop(&$0, $1) },
            { [self] in try read(&$0, $1) }, { [self] in try browse(&$0, $1) }, { [self] in try exchange(&$0, $1) },
            { [self] in try useGit(&$0, $1) },
        ]
        await withTaskGroup(of: Void.self) { group in
            for (number, player) in players.enumerated() {
                group.addTask { [seed] in
                    await withCheckedContinuation { continuation in
                        // It waits for processes, which no thread of the pool may do.
                        Thread.detachNewThread {
                            var generator = SeededGenerator(seed: seed &* 31 &+ UInt64(number))
                            var round = 0
                            while Date() < end {
                                do { try player(&generator, round) } catch { self.note("player \(number): \(error)") }
                                round += 1
                            }
                            continuation.resume()
                        }
                    }
                }
            }
        }
    }

    private func note(_ line: String) { state.withLock { $0.strange.append(line) } }

    @discardableResult
    private func talk(_ words: [String]) throws -> BuiltProgram.Result {
        let began = Date()
        let result = try program.run(["git", "talk"] + words)
        let time = Date().timeIntervalSince(began)
        if result.status == 65 {
            let fsck = try program.run("git", "-C", program.store.path, "fsck", "--no-dangling")
            print("stress: \(words.joined(separator: " ")): \(result.error)git fsck: \(fsck.output)\(fsck.error)")
        }
        state.withLock { happened in
            happened.ends["\(words[0]) \(result.wasKilled ? "killed" : "\(result.status)")", default: 0] += 1
            if time > happened.longest.seconds { happened.longest = (time, words.joined(separator: " ")) }
            for line in result.error.split(separator: "\n")
            where !line.hasPrefix("hint: ") && !Self.expected.contains(where: line.contains) {
                happened.strange.append("\(words.joined(separator: " ")) (\(result.status)): \(line)")
            }
        }
        return result
    }

    private func edit(_ generator: inout SeededGenerator, _ round: Int) throws {
        let title = titles.randomElement(using: &generator) ?? titles[0]
        do {
            try wiki.append(
                ": Word \(round). ~~~~\n", to: title, as: [.bob, .carol].randomElement(using: &generator) ?? .bob)
            state.withLock { $0.edits += 1 }
        } catch  where "\(error)".contains("editconflict") {
            // Ours was in between.
        }
    }

    private func pull(_ generator: inout SeededGenerator, _ round: Int) throws {
        try talk(["pull"] + titles.filter { _ in Bool.random(using: &generator) })
    }

    private func write(_ generator: inout SeededGenerator, _ round: Int) throws {
        // Pages on which replies wait are not dropped, so the others have none.
        let title = titles[Int.random(in: 0...1, using: &generator)], text = "Reply number \(round) of \(seed)."
        let result = try talk(["reply", title, "h-Start", "-m", text])
        if result.status == 0 { state.withLock { $0.replies.append(text) } }
    }

    private func send(_ generator: inout SeededGenerator, _ round: Int) throws { try talk(["sync"]) }

    private func drop(_ generator: inout SeededGenerator, _ round: Int) throws {
        let title = titles[Int.random(in: 1...3, using: &generator)]
        try talk(["evict", title])
        try talk(["bookmark", Bool.random(using: &generator) ? "add" : "remove", title])
        try talk(["pull", title])
    }

    private func read(_ generator: inout SeededGenerator, _ round: Int) throws {
        let title = titles.randomElement(using: &generator) ?? titles[0]
        for words in [["show", title], ["log", title], ["list"], ["outbox"]] { try talk(words) }
    }

    /// Asks the server of one more program for every page that it lists; each answer must be whole.
    private func browse(_ generator: inout SeededGenerator, _ round: Int) throws {
        let file = program.directory.appending(path: "address").path
        let script = #"""
            import re, sys, urllib.error, urllib.request
            for path in ["/"] + re.findall('href="(/[^"#]+)"', urllib.request.urlopen(sys.argv[1]).read().decode()) * 5:
                try:
                    text = urllib.request.urlopen(sys.argv[1].rstrip("/") + path).read().decode()
                    if "<html" in text and not text.rstrip().endswith("</html>"): print(path, "is cut")
                except urllib.error.HTTPError as error:
                    if error.code != 404: print(path, error.code, error.read().decode()[:200])
            """#
        let commands = """
            git-talk serve >"$1" & server=$!
            for i in $(seq 100); do test -s "$1" && break; sleep 0.1; done
            python3 -c "$2" "$(cat "$1")"
            kill $server; wait $server 2>/dev/null; rm -f "$1"
            """
        let result = try program.run("sh", "-c", commands, "sh", file, script)
        for line in (result.output + result.error).split(separator: "\n") { note("serve: \(line)") }
    }

    private func exchange(_ generator: inout SeededGenerator, _ round: Int) throws { try talk(["exchange"]) }

    /// What a user may do at any moment; how it ends is git's own business.
    ///
    /// No `git repack -a -d`, which takes from any `git fetch` beside it what that has found: docs/GIT.md, "Two at once".
    private func useGit(_ generator: inout SeededGenerator, _ round: Int) throws {
        let title = titles.randomElement(using: &generator) ?? titles[0]
        let names = try program.run(
            ["git", "-C", program.store.path, "for-each-ref", "--format=%(refname:short)", "refs/heads/*/Talk"])
        let page = names.output.split(separator: "\n").first { title.hasSuffix($0.split(separator: "/")[2]) }
        let place = program.directory.appending(path: "tree").path
        let commands = [
            ["gc", "-q"], ["repack", "-d", "-q"], ["pack-refs", "--all"], ["push", "-q", "hub", "main"],
            ["log", "--oneline", "--all"], ["maintenance", "run"], ["commit-graph", "write", "--reachable"],
            ["fetch", "-q", "hub"], ["fetch", "-q", "--prune", "hub"],
            ["branch", "-D", String(page ?? "none")],
            ["worktree", "add", "-q", "--detach", place, String(page ?? "main")],
        ]
        let command = commands.randomElement(using: &generator) ?? commands[0]
        _ = try program.run(["git", "-C", program.store.path] + command)
        if command[0] == "worktree" {
            _ = try program.run(["git", "-C", program.store.path, "worktree", "remove", "--force", place])
            _ = try program.run(["rm", "-rf", place])
            _ = try program.run(["git", "-C", program.store.path, "worktree", "prune"])
        }
    }

    // MARK: Afterwards

    /// One after another now: what was put off is done.
    func settle() throws {
        // What asked for patience is tried again at once.
        for _ in 0..<3 {
            try program.run(["git", "talk", "pull"] + titles)
            try program.run(["git", "talk", "sync"])
        }
        try program.run(["git", "talk", "pull", "--history", "all"] + titles)
        try program.run(["git", "talk", "exchange"])
    }

    func check() throws {
        let happened = state.withLock { $0 }
        #expect(happened.strange == [], "\(happened.strange.joined(separator: "\n"))")
        // Nobody waits for ever: ten seconds for a lock, several times in a sync, on a machine that may be very busy.
        #expect(happened.longest.seconds < 300, "\(happened.longest)")
        let fsck = try program.run("git", "-C", program.store.path, "fsck", "--strict", "--no-dangling")
        #expect(fsck.status == 0 && !fsck.error.contains("error"), "\(fsck.output)\(fsck.error)")

        let posted = try titles.map { try wiki.text(of: $0) }
        let outbox = try program.run("git", "talk", "outbox", "--json").output
        for text in happened.replies {
            let times = posted.reduce(0) { $0 + $1.ranges(of: text).count }
            #expect(times == 1, "“\(text)” was posted \(times) times; the outbox: \(outbox)")
        }
        for (title, text) in zip(titles, posted) {
            let log = try program.run("git", "talk", "log", "--json", title)
            let known = try JSONDecoder().decode(Log.self, from: Data(log.output.utf8)).revisions
            #expect(known.map(\.revision).sorted() == (try revisions(of: title)), "\(title)")
            let show = try program.run("git", "talk", "show", title)
            // Every reply on the wiki is in the page's directory, too.
            for line in text.split(separator: "\n") {
                guard let words = line.firstMatch(of: /(Reply number \d+ of \d+|Word \d+)\./) else { continue }
                #expect(show.output.contains(words.0), "\(title) lacks “\(words.0)”: \(show.error)")
            }
        }
        try checkDirectories()
    }

    /// Each page's directory is its branch.
    private func checkDirectories() throws {
        let store = try Store.open(at: program.store.path)
        let names = try program.run(
            "git", "-C", program.store.path, "for-each-ref", "--format=%(refname) %(objectname)", "refs/heads")
        var count = 0
        for line in names.output.split(separator: "\n") {
            let parts = line.split(separator: " ").map(String.init)
            guard let page = StoreLayout.page(ofBranch: parts[0]), !parts[0].hasPrefix("refs/heads/pending/") else {
                continue
            }
            count += 1
            #expect(try store.reader.stamp(of: page)?.commit == parts[1], "\(page)")
            #expect(try store.reader.page(page) != nil)
        }
        #expect(count == titles.count)
    }

    private struct Log: Decodable {
        struct Revision: Decodable { let revision: Int }
        let revisions: [Revision]
    }

    private func revisions(of title: String) throws -> [Int] {
        struct Answer: Decodable {
            struct Query: Decodable { let pages: [Page] }
            struct Page: Decodable { let revisions: [Revision] }
            struct Revision: Decodable { let revid: Int }
            let query: Query
        }
        let json = try wiki.call([
            "action": "query", "prop": "revisions", "titles": title, "rvprop": "ids", "rvlimit": "500",
            "formatversion": "2",
        ])
        return try JSONDecoder().decode(Answer.self, from: Data(json.utf8)).query.pages.flatMap(\.revisions).map(
            \.revid
        ).sorted()
    }
}
