import Foundation
import TalkHTML
import TalkPages
import TalkStore

/// The figures, printed as ratios.
struct Report {
    private let environment = ProcessInfo.processInfo.environment
    private let directory = FileManager.default.temporaryDirectory.appending(path: "git-talk-bench-\(UUID())").path

    func run() throws {
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        // First what others do: this process is small yet, see `Child.megabytes`.
        try memory()
        try show()
        try corpus()
        try reading()
        try linearity()
    }

    // MARK: What is made of a page

    private func reading() throws {
        let html = GeneratedPage.html(bytes: 1_000_000)
        let gumbo = Timing(runs: 9) { PageWork.bareGumbo(html) }
        let ours = try Timing(runs: 9) { try PageWork.all(html) }
        let ratio = gumbo.median / ours.median
        line(
            "1 MB page: parse + canonicalise + comments",
            "\(text(ours.median, 0)) ms, gumbo \(text(gumbo.median, 0)) ms")
        line("  speed against bare gumbo", text(ratio), ">= 0.33")
    }

    private func linearity() throws {
        let small = GeneratedPage.html(bytes: 100_000), large = GeneratedPage.html(bytes: 5_000_000)
        let a = try Timing(runs: 9) { try PageWork.all(small) }, b = try Timing(runs: 3) { try PageWork.all(large) }
        let growth = (b.median / Double(large.utf8.count)) / (a.median / Double(small.utf8.count))
        line("time per byte, 5 MB against 0.1 MB", text(growth), "<= 1.3")
    }

    // MARK: Memory

    private func memory() throws {
        let reading = try Child("exec '\(CommandLine.arguments[0])' read 1000000")
        line("1 MB page: peak memory of a process that reads it", "\(text(reading.megabytes, 0)) MB", "<= 80 MB")
        guard let program = environment["GIT_TALK"], let wiki = environment["GIT_TALK_BENCH_WIKI"] else {
            return line("1 MB page: peak memory of pull, reply, sync", "skipped: there is no wiki to ask")
        }
        // Where git keeps the password, away from the user's own.
        let home = ["HOME": directory, "GIT_TALK_STORE": "\(directory)/talk", "XDG_CONFIG_HOME": "\(directory)/config"]
        func git(_ command: String) throws -> Child { try Child(command, environment: home) }
        _ = try git("git config --global credential.helper store")
        _ = try git(
            "printf 'Alice@git-talk\\nlocalwikipasswordofalice00000000\\n' | '\(program)' login '\(wiki)'")
        let page = "'Talk:Big page'"
        let pull = try git("exec '\(program)' pull \(page)")
        let show = try git("exec '\(program)' show \(page)")
        _ = try git(
            "'\(program)' show \(page) | sed -n 's/.* UTC  \\([0-9a-f]*\\)$/\\1/p' | sed -n 100p >'\(directory)/code'")
        let reply = try git("exec '\(program)' reply \(page) \"$(cat '\(directory)/code')\" -m 'Measured again.'")
        let sync = try git("exec '\(program)' sync")
        for (verb, child) in [("pull", pull), ("show", show), ("reply", reply), ("sync with one reply", sync)] {
            line("1 MB of wikitext: peak memory of \(verb)", "\(text(child.megabytes, 0)) MB", "<= 80 MB")
        }
    }

    // MARK: Showing

    private func show() throws {
        guard let program = environment["GIT_TALK"] else { return }
        let store = "\(directory)/store"
        _ = try Child("'\(CommandLine.arguments[0])' store '\(store)'")
        for (title, page) in [("40 sections, 100 kB", "Small"), ("1 MB", "Large")] {
            let branch = "bench.example/Talk/\(page)"
            let ours = "exec '\(program)' show --store '\(store)' Talk:\(page)"
            let theirs = """
                cd '\(store)' && git ls-tree -r --format='%(objectname)' \(branch) lede.html sections \
                | xargs git show | w3m -dump -T text/html
                """
            let (our, their) = try compare(ours, theirs, runs: 21)
            line("show, \(title)", "\(text(our, 1)) ms, git show | w3m \(text(their, 1)) ms")
            line("  time against git show | w3m", text(our / their), "<= 0.5")
        }
        let start = try (0..<21).map { _ in try Child("exec '\(program)' --version").milliseconds }
        line("  of which the program's start", "\(text(Timing.median(of: start), 1)) ms")
    }

    /// The medians of two commands that take turns, so that whatever else the machine does meets both.
    private func compare(_ ours: String, _ theirs: String, runs: Int) throws -> (Double, Double) {
        var times: (ours: [Double], theirs: [Double]) = ([], [])
        for _ in 0..<runs {
            times.ours.append(try Child(ours).milliseconds)
            times.theirs.append(try Child(theirs).milliseconds)
        }
        return (Timing.median(of: times.ours), Timing.median(of: times.theirs))
    }

    // MARK: The corpus

    /// Every page of a corpus beside the repository, against the parser in Python that comes with it.
    private func corpus() throws {
        let what = "parse, pages of the corpus"
        guard let program = environment["GIT_TALK"], let corpus = environment["GIT_TALK_BENCH_CORPUS"] else {
            return line(what, "skipped: there is no corpus")
        }
        var total: (ours: Double, theirs: Double) = (0, 0)
        var faster = 0
        let cases = try FileManager.default.contentsOfDirectory(atPath: "\(corpus)/cases")
        for name in cases {
            let files = "parse --site '\(corpus)/cases/\(name)/site.json' '\(corpus)/cases/\(name)/page.html'"
            let (our, their) = try compare(
                "exec '\(program)' \(files)", "exec python3 '\(corpus)/baseline.py' \(files)", runs: 3)
            total.ours += our
            total.theirs += their
            if our < their { faster += 1 }
        }
        line(what, "\(text(total.ours / 1000)) s, baseline.py \(text(total.theirs / 1000)) s")
        line("  faster than the baseline", "\(faster) of \(cases.count) pages", "all")
    }
}
