import Foundation
import TalkPages
import TalkStore

/// What it costs to exchange 200 pages with a hub on this machine, against what git takes to fetch or clone them.
enum ExchangeReport {
    private static let pages = 200, revisions = 10
    /// Nobody answers there, and that is known at once.
    private static let wiki = "localhost:9"

    static func run() async throws {
        guard let program = ProcessInfo.processInfo.environment["GIT_TALK"] else { return }
        let root = FileManager.default.temporaryDirectory.appending(path: "git-talk-bench-\(UUID())").path
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: root) }
        let home = ["HOME": root, "XDG_CONFIG_HOME": "\(root)/config", "GIT_CONFIG_NOSYSTEM": "1"]
        func run(_ command: String) throws -> Double { try Child(command, environment: home).milliseconds }
        func talk(_ store: String, _ words: String) -> String { "'\(program)' \(words) --store '\(root)/\(store)'" }

        let store = try Store.create(at: "\(root)/a")
        for number in 0..<pages { try await store.add(history(number), to: page(number)) }
        _ = try run("git init --quiet --bare '\(root)/hub' && git -C '\(root)/a' remote add hub '\(root)/hub'")
        // It cannot be asked whether everybody reads it.
        _ = try run("git -C '\(root)/a' config 'wiki.\(wiki).remotes' hub")
        line("exchange that gives \(pages) pages", "\(text(try run(talk("a", "exchange")), 0)) ms", "")

        // The first one after that looks at the pages; and files that are younger than two seconds are not trusted.
        _ = try run(talk("a", "exchange"))
        try await Task.sleep(for: .seconds(3))
        _ = try run(talk("a", "exchange"))
        let refspecs = "'+refs/heads/*:refs/remotes/hub/*' '^refs/heads/pending/*' '+refs/meta/*:refs/exchange/hub/*'"
        let fetch = "exec git -C '\(root)/a' fetch --quiet --no-tags --prune hub \(refspecs)"
        let (ours, theirs) = try compare(21, { try run("exec " + talk("a", "exchange")) }, { try run(fetch) })
        line("exchange of \(pages) pages, nothing new", "\(text(ours, 0)) ms, git fetch \(text(theirs, 0)) ms", "")
        line("  time against git fetch", text(ours / theirs, 2), "<= 1.5")

        var number = 0
        let (made, cloned) = try compare(
            3,
            {
                number += 1
                // The wiki does not answer, which is told and is no failure of the exchange.
                return try run(talk("b\(number)", "init --from '\(root)/hub'") + " || [ $? = 1 ]")
            },
            {
                try run(
                    """
                    git clone --quiet --mirror '\(root)/hub' '\(root)/c\(number)' && cd '\(root)/c\(number)' \
                    && for branch in $(git for-each-ref --format='%(refname)' refs/heads); do mkdir -p "pages/$branch" \
                    && git archive "$branch" | tar -x -C "pages/$branch" || exit; done
                    """)
            })
        let clone = try run("git clone --quiet --mirror '\(root)/hub' '\(root)/d'")
        line(
            "init --from, \(pages) pages of \(revisions) revisions",
            "\(text(made, 0)) ms, git \(text(cloned, 0)) ms, clone alone \(text(clone, 0))", "")
        line("  time against git clone and git archive | tar", text(made / cloned, 2), "<= 3")
    }

    private static func page(_ number: Int) -> PageName {
        PageName(wiki: wiki, namespace: "Talk", title: "Page \(number)")
    }

    /// A page that grows by a comment a revision, every fifth begins a section.
    private static func history(_ number: Int) throws -> [(RevisionRecord, PageContent)] {
        var html = "<p>Page \(number)</p>\n"
        return try (1...revisions).map { id in
            if id % 5 == 1 { html += "<h2 id=\"Topic_\(id)\">Topic \(id)</h2>\n" }
            let words = (0..<40).map { GeneratedPage.words[($0 * 7 + id * 3 + number) % GeneratedPage.words.count] }
            html += "<p>\(words.joined(separator: " ")) \(id)</p>\n"
            let record = RevisionRecord(
                id: RevisionID(rawValue: Int64(number * 1000 + id)),
                parent: RevisionID(rawValue: Int64(number * 1000 + id - 1)), page: PageID(rawValue: Int64(number + 1)),
                timestamp: 1_700_000_000 + Int64(id * 60), user: "Bob", summary: "reply", isMinor: false,
                format: CanonicalPage.formatVersion)
            return (record, try CanonicalPage.content(of: html, wiki: nil))
        }
    }

    /// The medians of two that take turns, so that whatever else the machine does meets both.
    private static func compare(
        _ runs: Int, _ ours: () throws -> Double, _ theirs: () throws -> Double
    ) rethrows -> (Double, Double) {
        var times: (ours: [Double], theirs: [Double]) = ([], [])
        for _ in 0..<runs {
            times.ours.append(try ours())
            times.theirs.append(try theirs())
        }
        return (Timing.median(of: times.ours), Timing.median(of: times.theirs))
    }
}
