import Foundation
import TalkHTML
import TalkPages
import TalkStore

/// The figures, printed as ratios.
enum Report {
    static func run() async throws {
        try reading()
        try linearity()
        try memory()
        try await show()
    }

    private static func line(_ what: String, _ value: String, _ bar: String) {
        print(
            what.padding(toLength: 58, withPad: " ", startingAt: 0),
            value.padding(toLength: 30, withPad: " ", startingAt: 0), "bar: \(bar)")
    }

    private static func text(_ number: Double, _ digits: Int = 2) -> String { String(format: "%.\(digits)f", number) }

    private static func reading() throws {
        let html = GeneratedPage.html(bytes: 1_000_000)
        let gumbo = Timing(runs: 9) { PageWork.bareGumbo(html) }
        let ours = try Timing(runs: 9) { try PageWork.all(html) }
        let ratio = gumbo.median / ours.median
        line(
            "1 MB page: parse + canonicalise + comments",
            "\(text(ours.median, 0)) ms, gumbo \(text(gumbo.median, 0)) ms", "")
        line("  speed against bare gumbo", text(ratio), ">= 0.33")
    }

    private static func linearity() throws {
        let small = GeneratedPage.html(bytes: 100_000), large = GeneratedPage.html(bytes: 5_000_000)
        let a = try Timing(runs: 9) { try PageWork.all(small) }, b = try Timing(runs: 3) { try PageWork.all(large) }
        let growth = (b.median / Double(large.utf8.count)) / (a.median / Double(small.utf8.count))
        line("time per byte, 5 MB against 0.1 MB", text(growth), "<= 1.3")
    }

    private static func memory() throws {
        let before = Child.peakMegabytes
        try Child.run("\"\(CommandLine.arguments[0])\" read 1000000")
        line(
            "peak memory of a process that reads a 1 MB page", "\(text(max(before, Child.peakMegabytes), 0)) MB",
            "<= 80 MB")
    }

    private static func show() async throws {
        guard let program = ProcessInfo.processInfo.environment["GIT_TALK"] else { return }
        let directory = FileManager.default.temporaryDirectory.appending(path: "git-talk-bench-\(UUID())")
        defer { try? FileManager.default.removeItem(at: directory) }
        try Child.run("\"\(CommandLine.arguments[0])\" store \"\(directory.path)\"")
        for (title, page, bar) in [("40 sections", "Small", "<= 0.5"), ("1 MB", "Large", "<= 0.5")] {
            let branch = "bench.example/Talk/\(page)"
            let ours = try Timing(runs: 15) {
                try Child.run("\"\(program)\" show --store \"\(directory.path)\" Talk:\(page)")
            }
            let peer = """
                cd "\(directory.path)" && git ls-tree -r --name-only \(branch) | grep html \
                | sed 's,^,\(branch):,' | tr '\\n' '\\0' | xargs -0 git show | w3m -dump -T text/html
                """
            let theirs = try Timing(runs: 15) { try Child.run(peer) }
            line("show, \(title)", "\(text(ours.median, 1)) ms, git show | w3m \(text(theirs.median, 1)) ms", "")
            line("  time against git show | w3m", text(ours.median / theirs.median), bar)
        }
    }
}
