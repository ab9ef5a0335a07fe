import Foundation
import TalkTestSupport
import Testing

/// Ends the built program, with every git that it started, before each change of the disk; and the power with it, so that
/// what was not flushed is lost.
///
/// After that git is content, no page is torn, no text is lost, and the same command comes to the end that an undisturbed
/// one comes to: at once, or after a lock of git's is a minute old. A few of the changes by default, all by `make crash`,
/// which prints what became of each.
@Suite(.temporaryDirectory, .serialized, .killShim, .enabled(if: !CrashStage.isSanitized, "a sanitizer comes first"))
struct ProgramCrashTests {
    @Test(arguments: CrashStage.Scenario.allCases, [false, true])
    func theSameCommandComesToTheSameEnd(scenario: CrashStage.Scenario, powerFails: Bool) throws {
        let stage = try CrashStage(scenario)
        let end = try stage.expected()
        var outcomes: [CrashStage.Outcome: Int] = [:]
        let steps = stage.steps(powerFails: powerFails)
        for step in steps {
            let outcome = try stage.play(step, powerFails: powerFails, end: end)
            outcomes[outcome, default: 0] += 1
        }
        let words = CrashStage.Outcome.allCases.map { "\($0.rawValue) \(outcomes[$0] ?? 0)" }
        print(
            "\(scenario.rawValue), power \(powerFails ? "fails" : "stays"): \(steps.count) of \(stage.changes + 1) points: "
                + words.joined(separator: ", "))
    }
}

/// One command on a store that is brought back for each run.
final class CrashStage {
    enum Scenario: String, CaseIterable, CustomTestStringConvertible {
        case pullOfANewPage, pullOfARevision, reply, rebase, bookmark, evict, purge, exchange, doctor

        var testDescription: String { rawValue }
    }

    /// What became of a point.
    enum Outcome: String, CaseIterable {
        /// The next command does the rest.
        case healed = "healed at once"
        /// The next command says that a lock is in the way, until that is a minute old.
        case waited = "healed after a minute"
        /// The next command says what is wrong, and the command that it names repairs it.
        case named = "healed by the named command"
        case lost
    }

    /// A sanitizer's own library must come first.
    static let isSanitized = BuiltProgram.file.path.contains("/address/") || BuiltProgram.file.path.contains("/thread/")

    private static let text = "Four metres, by my own measure."
    private static let word = "Hushabye"
    private let scenario: Scenario
    private let program: BuiltProgram
    private let paper = PaperPages()
    private let directory = TemporaryDirectory.current
    /// How many changes of the disk the command makes.
    private(set) var changes = 0

    private var store: String { program.store.path }
    private var hub: String { directory.appending(path: "hub").path }

    init(_ scenario: Scenario) throws {
        self.scenario = scenario
        program = try BuiltProgram()
        try prepare()
        try run("cp", "-a", store, directory.appending(path: "store.whole").path)
        try run("git", "init", "--quiet", "--bare", hub)
        // Else a hub loses what it has taken, as git has it by itself.
        try run("git", "-C", hub, "config", "core.fsync", "committed,reference")
        if scenario == .exchange { try prepareHub() }
        try run("cp", "-a", hub, directory.appending(path: "hub.whole").path)
    }

    // MARK: The command

    private static func html(_ number: Int) -> String {
        #"<h2><span class="mw-headline" id="A">A</span></h2><p>How wide? "#
            + #"<a href="/wiki/User:Bob" title="User:Bob">Bob</a> 10:00, 1 March 2024 (UTC)</p>"#
            + "<p>\(number == 12 ? word : "Number \(number)").</p>"
    }

    private func set(_ title: String, _ ids: ClosedRange<Int>) {
        paper.set("Talk:\(title)", ids.map { PaperPages.Revision($0, Self.html($0)) })
    }

    private func prepare() throws {
        for (title, last) in [("A", 12), ("B", 23)] {
            set(title, last - 1...last)
            if title == "A" && scenario == .pullOfANewPage { continue }
            try run("git-talk", "pull", "\(paper.url)/wiki/Talk:\(title)")
        }
        switch scenario {
        case .pullOfANewPage, .reply, .bookmark: break
        case .pullOfARevision: set("A", 11...13)
        case .rebase:
            try run("git-talk", "reply", "Talk:A", "c-Bob", "-m", Self.text)
            set("A", 11...13)
        case .evict, .purge:
            set("A", 11...13)
            try run("git-talk", "pull", "Talk:A")
            try run("git-talk", "reply", "Talk:B", "c-Bob", "-m", Self.text)
        case .exchange:
            try run("git-talk", "reply", "Talk:B", "c-Bob", "-m", Self.text)
            try run("git", "-C", store, "remote", "add", "hub", hub)
        case .doctor:
            try run("git-talk", "reply", "Talk:B", "c-Bob", "-m", Self.text)
            try damage()
        }
    }

    /// Another machine has given a page, a later revision, and a bookmark.
    private func prepareHub() throws {
        let other = directory.appending(path: "other").path
        set("A", 11...13)
        set("C", 31...32)
        try run("git-talk", "--store", other, "pull", "\(paper.url)/wiki/Talk:A", "\(paper.url)/wiki/Talk:C")
        try run("git-talk", "--store", other, "bookmark", "add", "Talk:C")
        try run("git", "-C", other, "remote", "add", "hub", hub)
        try run("git-talk", "--store", other, "exchange")
    }

    /// A pack, a reference, a page's file and the configuration.
    private func damage() throws {
        let id = try run("git", "-C", store, "rev-parse", try branch("A")).prefix(40)
        let find = "for i in *.idx; do git show-index < $i | grep -q \(id) && echo ${i%.idx}; done; true"
        let name = try run("sh", "-c", "cd '\(store)/.git/objects/pack' && \(find)").dropLast()
        let pack = "\(store)/.git/objects/pack/\(name).pack"
        try run("chmod", "u+w", pack)
        var bytes = try Data(contentsOf: URL(filePath: pack))
        for place in bytes.count - 60..<bytes.count - 20 { bytes[place] = 0 }
        try bytes.write(to: URL(filePath: pack))
        try Data().write(to: URL(filePath: "\(store)/.git/\(try branch("B"))"))
        try run("git", "-C", store, "config", "gc.auto", "1")
    }

    private var words: [String] {
        switch scenario {
        case .pullOfANewPage, .pullOfARevision, .rebase: ["pull", "\(paper.url)/wiki/Talk:A"]
        case .reply: ["reply", "Talk:A", "c-Bob", "-m", Self.text]
        case .bookmark: ["bookmark", "add", "Talk:A"]
        case .evict: ["evict", "Talk:A"]
        case .purge: ["purge", "Talk:A", "12"]
        case .exchange: ["exchange"]
        case .doctor: ["doctor"]
        }
    }

    // MARK: Running

    @discardableResult
    private func run(_ words: String...) throws -> String {
        let result = try program.run(words)
        guard result.status == 0 else { throw Failed(description: "\(words): \(result.output)\(result.error)") }
        return result.output
    }

    private struct Failed: Error, CustomStringConvertible { let description: String }

    private func branch(_ title: String) throws -> String {
        let names = try run("git", "-C", store, "for-each-ref", "--format=%(refname)", "refs/heads").split(
            separator: "\n")
        return String(try #require(names.first { $0.hasSuffix("/Talk/\(title)") && !$0.contains("/pending/") }))
    }

    private func restore() throws {
        for (path, whole) in [(store, "store.whole"), (hub, "hub.whole")] {
            try run("rm", "-rf", path)
            try run("cp", "-a", directory.appending(path: whole).path, path)
        }
    }

    /// Runs the command to its end, and counts its changes.
    func expected() throws -> [String] {
        try restore()
        let variables = try KillShim.variables(in: directory, endingAt: nil)
        let result = try program.run(["setsid", "-w", "git-talk"] + words, with: variables)
        try #require(result.status == 0, "\(result.output)\(result.error)")
        changes = try KillShim.changes(in: directory)
        try #require(changes > 8)
        return try end()
    }

    /// The points to end before, and the one after the end.
    func steps(powerFails: Bool) -> [Int] {
        if ProcessInfo.processInfo.environment["GIT_TALK_CRASH_RUNS"] != nil { return Array(1...changes + 1) }
        return powerFails ? [changes / 3, changes * 2 / 3, changes + 1] : [changes / 2]
    }

    /// Ends the command before a change, and then looks what the next ones make of it.
    func play(_ step: Int, powerFails: Bool, end: [String]) throws -> Outcome {
        let place = Comment(rawValue: "\(scenario.rawValue), step \(step) of \(changes), power fails: \(powerFails)")
        try restore()
        let isOver = step > changes
        var variables = try KillShim.variables(
            in: directory, endingAt: isOver ? nil : step, powerFails: powerFails)
        let killed = try program.run(["setsid", "-w", "git-talk"] + words, with: variables)
        if isOver {
            #expect(killed.status == 0, place)
            // The power fails when all is done: before the first change of somebody else.
            variables["KILL_AT"] = "1"
            _ = try program.run(["setsid", "-w", "mkdir", directory.appending(path: "never").path], with: variables)
            #expect(!FileManager.default.fileExists(atPath: directory.appending(path: "never").path), place)
        }
        if scenario != .doctor {
            let fsck = try program.run("git", "-C", store, "fsck", "--strict", "--no-dangling")
            #expect(fsck.status == 0 && fsck.output == "", "\(place): \(fsck.output)\(fsck.error)")
            try checkReading(place)
        }
        var outcome = Outcome.healed
        var told = try again()
        if told.status == 75 || told.error.contains("try again in a minute") {
            try age()
            told = try again()
            outcome = .waited
        }
        let problem = "\(killed.error)\(told.output)\(told.error)"
        if problem.contains("remove old files *.lock there") {
            try run("find", hub, "-name", "*.lock", "-delete")
            told = try again()
            outcome = .named
        }
        if try self.end() != end, problem.contains("git talk pull") {
            _ = try program.run("git-talk", "pull")
            told = try again()
            outcome = .named
        }
        if try self.end() != end {
            let doctor = try program.run("git-talk", "doctor")
            told = try again()
            outcome = problem.contains("git talk doctor") ? .named : .lost
            let now = try self.end()
            let difference = Set(now).symmetricDifference(end)
            #expect(
                now == end && outcome == .named, "\(place): \(problem)\(doctor.output)\(told.error)\(difference)")
            if now != end { outcome = .lost }
        }
        let check = try program.run("git-talk", "doctor", "--check")
        #expect(check.status == 0, "\(place): \(check.output)\(check.error)")
        return outcome
    }

    /// The same command, unless what it was to do was done and would be done twice.
    private func again() throws -> BuiltProgram.Result {
        if scenario == .reply, try run("git-talk", "outbox", "--json").contains(Self.text) {
            return try program.run("git-talk", "pull", "Talk:A")
        }
        return try program.run(["git-talk"] + words)
    }

    /// A page that was there is read whole, and what was written is there.
    private func checkReading(_ place: Comment) throws {
        for title in ["A", "B"] where !(title == "A" && [.pullOfANewPage, .evict].contains(scenario)) {
            let show = try program.run("git-talk", "show", "Talk:\(title)")
            #expect(
                show.status == 0 && show.output.contains("How wide?") || show.error.contains("git talk"),
                "\(place): \(show.output)\(show.error)")
        }
        if ![.pullOfANewPage, .pullOfARevision, .reply, .bookmark].contains(scenario) {
            #expect(try run("git-talk", "outbox", "--json").contains(Self.text), place)
        }
    }

    /// Makes the locks and the packs that are left older than any git command is.
    private func age() throws {
        try run(
            "find", "\(store)/.git", hub, "(", "-name", "*.lock", "-o", "-name", "*tmp*", "-o", "-name", "pack-*", "-o",
            "-name", "recovered", ")", "-exec", "touch", "-d", "2 hours ago", "{}", "+")
    }

    // MARK: What is left

    /// All that matters of the store and the hub, a line each.
    private func end() throws -> [String] {
        var lines: [String] = []
        for (name, path) in [("store", store), ("hub", hub)] {
            let references = try program.run("git", "-C", path, "for-each-ref", "--format=%(refname) %(objectname)")
            for line in references.output.split(separator: "\n") {
                // A new reply has a name and a time of its own.
                let isNew = scenario == .reply && line.contains("/pending/")
                lines.append("\(name) \(isNew ? line.prefix { $0 != " " } : line)")
            }
        }
        for path in try FileManager.default.subpathsOfDirectory(atPath: store).sorted() {
            let file = URL(filePath: "\(store)/\(path)")
            guard try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true else { continue }
            let isPage = !path.hasPrefix(".git/"), isNew = scenario == .reply
            if isPage, !(isNew && (path.contains("/pending/") || path.hasSuffix(".stamp"))) {
                let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
                lines.append("\(path) \(isNew ? text.replacing(#/pending-[0-9a-z]{26}/#, with: "pending") : text)")
            }
            if path.hasPrefix(".git/git-talk/evicted/") { lines.append(path) }
            if path.hasPrefix(".git/git-talk/state/"), path.hasSuffix(".json") {
                // The rest is asked for again; one that the power failure cut counts as kept.
                let state = try? JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
                lines.append("\(path) \(state?["isKept"] as? Bool ?? true)")
            }
            if path.hasPrefix(".git/git-talk/outbox/"), path.hasSuffix(".json") {
                let entry = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any] ?? [:]
                let reply = entry["reply"] as? [String: Any] ?? [:]
                lines.append("outbox \(entry["state"] ?? "") \(reply["text"] ?? "") \(reply["base"] ?? "")")
            }
        }
        if [.purge, .evict].contains(scenario) {
            let line = "git -C '\(store)' cat-file --batch-all-objects --batch | grep -a -c \(Self.word); true"
            lines.append("purged word found: \(try run("sh", "-c", line))")
        }
        return lines
    }
}
