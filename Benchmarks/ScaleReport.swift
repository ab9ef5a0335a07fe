import Foundation
import TalkPages
import TalkStore
import TalkSync

/// What grows with the number of pages and of revisions, and what does not.
///
/// The program runs against a wiki that takes no time.
struct ScaleReport {
    /// One kind of store in three sizes.
    private struct Sizes {
        let unit: String
        let counts: [Int]

        var words: String {
            counts.map { $0.formatted(.number.locale(Locale(identifier: "en_US"))) }.joined(separator: " / ")
                + " \(unit)"
        }
    }

    private let scratch: ScratchDirectory
    private let wiki: ScaleWiki
    private let program: String
    private let pages: Sizes, revisions: Sizes
    private let hasTrace: Bool

    /// `pages` and `revisions` are the largest sizes.
    static func run(pages: Int = 20_000, revisions: Int = 10_000) async throws {
        guard let program = ProcessInfo.processInfo.environment["GIT_TALK"] else { return }
        let report = try ScaleReport(
            scratch: ScratchDirectory(), wiki: ScaleWiki(), program: program,
            pages: Sizes(unit: "pages", counts: [10, 1000, pages]),
            revisions: Sizes(unit: "revisions", counts: [10, 1000, revisions]),
            hasTrace: (try? Child("command -v strace")) != nil)
        try await report.run()
    }

    private func run() async throws {
        try await make()
        try await DiskReport.run(in: scratch.path)
        for sizes in [pages, revisions] {
            var histories = try Histories(sizes.counts, isPages: sizes.unit == pages.unit)
            try pulls(sizes, &histories)
            try commands(sizes)
            try await commits(sizes, &histories)
        }
        try await root()
    }

    // MARK: The stores

    private func path(_ unit: String, _ count: Int) -> String { "\(scratch.path)/\(unit)-\(count)" }

    private func make() async throws {
        let bench = CommandLine.arguments[0]
        // Where nothing is flushed, then copied: a disk would take ten times as long.
        let memory = "/dev/shm", kept = ProcessInfo.processInfo.environment["GIT_TALK_BENCH_STORES"]
        let isInMemory = FileManager.default.isWritableFile(atPath: memory)
        let nursery = kept ?? (isInMemory ? memory : scratch.path) + "/\(UUID())"
        defer { if kept == nil { try? FileManager.default.removeItem(atPath: nursery) } }
        try FileManager.default.createDirectory(atPath: nursery, withIntermediateDirectories: true)
        func command(_ sizes: Sizes, _ count: Int) -> String {
            let path = path(sizes.unit, count), new = "\(nursery)/\(sizes.unit)-\(count)"
            return """
                { [ -e '\(new).packing' ] || { '\(bench)' make '\(new)' \(sizes.unit) \(count) >'\(new).new' \
                && mv '\(new).new' '\(new).packing'; }; } && cp '\(new).packing' '\(path).packing' && cp -a '\(new)' '\(path)' \
                || exit 1
                """
        }
        let others =
            pages.counts.dropLast().map { command(pages, $0) } + revisions.counts.map { command(revisions, $0) }
        let time = try ContinuousClock().measure {
            _ = try Child("(\(others.joined(separator: "; "))) & (\(command(pages, pages.counts[2]))) && wait $!")
        }
        line("stores made", "\(text(time.milliseconds / 1000, 0)) s", "")
        for sizes in [pages, revisions] {
            for count in sizes.counts {
                let store = try Store.open(at: path(sizes.unit, count))
                try await store.save(wiki.wiki)
            }
            let disks = try sizes.counts.map { try disk(path(sizes.unit, $0)) }
            line("disk: \(sizes.words)", figures(disks.map { $0 / 1e6 }, 1) + " MB")
            let packing = try String(contentsOfFile: path(sizes.unit, sizes.counts[2]) + ".packing", encoding: .utf8)
                .split { $0 == " " || $0 == "\n" }.compactMap { Double($0) }
            let pulls = sizes.unit == pages.unit ? sizes.counts[2] : sizes.counts[2] / 50
            let sum = packing.reduce(0, +)
            line(
                "  packs joined in \(pulls) pulls",
                "\(packing.count) times, \(text(packing.max() ?? 0, 0)) ms at most, \(text(sum / Double(pulls))) ms a pull"
            )
        }
    }

    /// The pages that get more revisions, in each store.
    private struct Histories {
        private var histories: [[GeneratedHistory]]

        init(_ counts: [Int], isPages: Bool) throws {
            histories = try counts.map { count in
                try (0..<(isPages ? 10 : 1)).map { number in
                    var history = try GeneratedHistory(
                        number, sections: isPages ? GeneratedStore.few : GeneratedStore.many)
                    for _ in 0..<(isPages ? GeneratedStore.revisions(of: number) : count) { _ = try history.next() }
                    return history
                }
            }
        }

        mutating func next(_ store: Int, _ turn: Int) throws -> (page: PageName, revision: ScaleWiki.Page) {
            let number = turn % histories[store].count
            let revision = try histories[store][number].next()
            return (histories[store][number].name, revision)
        }
    }

    // MARK: The program

    private func git(_ unit: String, _ count: Int, _ words: String) throws -> Child {
        try Child(
            apart: "exec '\(program)' \(words)",
            environment: ["GIT_TALK_STORE": path(unit, count), "HOME": scratch.path])
    }

    /// Pulls of one revision, the stores in turn.
    private func pulls(_ sizes: Sizes, _ histories: inout Histories) throws {
        var times: [[Double]] = [[], [], []], nothing: [[Double]] = [[], [], []], memory = [0.0, 0, 0]
        for turn in 0..<15 {
            for (store, count) in sizes.counts.enumerated() {
                let (page, revision) = try histories.next(store, turn)
                wiki.set(page, revision)
                let child = try git(sizes.unit, count, "pull '\(page.prefixedTitle)'")
                times[store].append(child.milliseconds)
                memory[store] = max(memory[store], child.megabytes)
                nothing[store].append(try git(sizes.unit, count, "pull '\(page.prefixedTitle)'").milliseconds)
            }
        }
        report("pull of one revision", sizes, times.map(Timing.median), 1, "ms", isBar: true)
        line("  memory", figures(memory, 0) + " MB")
        report("pull without news", sizes, nothing.map(Timing.median), 1, "ms")
        try traced(sizes, &histories)
    }

    /// What one pull flushes.
    private func traced(_ sizes: Sizes, _ histories: inout Histories) throws {
        guard hasTrace else { return line("  flushes", "skipped: there is no strace", "<= 10") }
        let counts = try sizes.counts.enumerated().map { store, count in
            let (page, revision) = try histories.next(store, 0)
            wiki.set(page, revision)
            let file = "\(scratch.path)/trace"
            _ = try Child(
                "strace -f -qq -e trace=fsync,fdatasync,msync,sync_file_range,syncfs -o '\(file)' '\(program)' pull '\(page.prefixedTitle)'",
                environment: ["GIT_TALK_STORE": path(sizes.unit, count), "HOME": scratch.path])
            let trace = try String(contentsOfFile: file, encoding: .utf8)
            return Double(trace.split(separator: "\n").count { $0.contains("sync") && !$0.contains("resumed>") })
        }
        line("  flushes of one pull", figures(counts, 0), "<= 10")
    }

    /// What people look at.
    private func commands(_ sizes: Sizes) throws {
        let isPages = sizes.unit == pages.unit
        let first = isPages ? 1 : 2
        var commands = [("show", "show 'Talk:Page 0'", 9), ("log -n 20", "log -n 20 'Talk:Page 0'", 5)]
        if isPages {
            commands += [
                ("list", "list", 3), ("list --json", "list --json", 3), ("evict, nothing to drop", "evict", 3),
            ]
        } else {
            commands += [
                ("log", "log 'Talk:Page 0'", 3), ("log --json", "log --json 'Talk:Page 0'", 3),
                ("show of the first revision", "show 'Talk:Page 0@\(first)'", 3),
                ("diff, first and last but one", "diff 'Talk:Page 0' \(first)", 3),
                ("diff --json", "diff --json 'Talk:Page 0' \(first)", 3),
                ("diff, the last change", "diff 'Talk:Page 0'", 5),
            ]
        }
        for (name, words, runs) in commands {
            let children = try sizes.counts.map { count in
                try (0..<runs).map { _ in try git(sizes.unit, count, words) }
            }
            report(name, sizes, children.map { Timing.median(of: $0.map(\.milliseconds)) }, 1, "ms")
            line("  memory", figures(children.map { $0.map(\.megabytes).max() ?? 0 }, 0) + " MB")
        }
        if isPages { try sync() }
    }

    /// Every page asked for, and none has changed.
    private func sync() throws {
        for number in 10..<(pages.counts.max() ?? 10) {
            let revisions = try GeneratedHistory.revisions(
                GeneratedStore.revisions(of: number), of: number, sections: GeneratedStore.few)
            guard var last = revisions.last else { continue }
            last.content = PageContent(lede: "", sections: [])
            wiki.set(PageName(wiki: GeneratedPage.wiki.key, namespace: "Talk", title: "Page \(number)"), last)
        }
        let children = try pages.counts.map { try git(pages.unit, $0, "sync") }
        report("sync without news", pages, children.map(\.milliseconds), 0, "ms")
        line("  memory", figures(children.map(\.megabytes), 0) + " MB")
    }

    // MARK: In this process

    /// The same as a pull, in a process that has the store open.
    private func commits(_ sizes: Sizes, _ histories: inout Histories) async throws {
        let stores = try sizes.counts.map { Commit(try Store.open(at: path(sizes.unit, $0))) }
        var times: [[Double]] = [[], [], []], ends: [[Double]] = [[], [], []]
        for turn in 0..<31 {
            for (index, commit) in stores.enumerated() {
                let (page, revision) = try histories.next(index, turn)
                let clock = ContinuousClock(), start = clock.now
                try await commit.run([revision], to: page)
                let stored = clock.now
                try await commit.upkeep(sparing: page)
                times[index].append((clock.now - start).milliseconds)
                ends[index].append((clock.now - stored).milliseconds)
            }
        }
        report("commit of one revision in a process", sizes, times.map(Timing.median), 2, "ms", isBar: true)
        line("  of which the keeping", figures(ends.map(Timing.median), 2) + " ms")
    }

    /// A revision that is older than all others.
    private func root() async throws {
        var times: [Double] = [], bytes: [Double] = []
        for count in revisions.counts {
            let store = try Store.open(at: path(revisions.unit, count))
            let page = PageName(wiki: GeneratedPage.wiki.key, namespace: "Talk", title: "Page 0")
            let record = RevisionRecord(
                id: RevisionID(rawValue: 1), parent: RevisionID(rawValue: 0), page: PageID(rawValue: 1),
                timestamp: 1_500_000_000, user: "Alice", summary: "", isMinor: false,
                format: CanonicalPage.formatVersion)
            let before = try store.packing().bytes
            times.append(
                try await ContinuousClock().measure {
                    try await store.add([(record, PageContent(lede: "<p>Welcome.</p>\n", sections: []))], to: page)
                }.milliseconds)
            bytes.append(Double(try store.packing().bytes - before) / 1000)
        }
        report("a revision before all others", revisions, times, 1, "ms")
        line("  written", figures(bytes, 0) + " kB")
    }

    // MARK: Lines

    private func figures(_ values: [Double], _ digits: Int) -> String {
        values.map { text($0, digits) }.joined(separator: " / ")
    }

    private func report(
        _ what: String, _ sizes: Sizes, _ values: [Double], _ digits: Int, _ unit: String, isBar: Bool = false
    ) {
        line("\(what): \(sizes.words)", "\(figures(values, digits)) \(unit)")
        if isBar { line("  the last against the first", text(values[2] / values[0]), "<= 1.3") }
    }
}
