import Foundation
import TalkPages
import TalkStore

/// What it costs to drop pages and to join packs: a store of 200 pages with 46 revisions each.
enum KeepingReport {
    private static let pages = 200, revisions = 46

    static func run() async throws {
        let directory = try ScratchDirectory()
        let store = try Store.create(at: directory.path), git = store.git

        var joining: [Double] = [], most = 0
        let clock = ContinuousClock()
        for number in 0..<pages {
            try await store.add(history(number), to: page(number))
            let before = try store.packing().packs
            let time = try await clock.measure { try await store.packIfDue(git) }
            if try store.packing().packs < before { joining.append(time.milliseconds) }
            most = max(most, before)
        }
        let packs = try store.packing()
        line("pull of 200 pages: packs", "\(packs.packs), at most \(most)", "<= 33")
        line("  joined", "\(joining.count) times, \(text(joining.max() ?? 0, 0)) ms at most", "")

        let full = try disk(directory.path)
        let start = clock.now
        let evicted = try await store.evict((0..<pages / 2).map(page)).evicted.count
        let dropped = clock.now
        try await store.collectGarbage(git)
        let end = clock.now
        let left = try disk(directory.path)
        line(
            "evict \(evicted) of \(pages) pages, \(pages * revisions) revisions",
            "\(text((end - start).milliseconds, 0)) ms, \(text((dropped - start).milliseconds, 0)) before git packs",
            "<= 1000 ms")
        line("  disk", "\(text(full / 1e6, 1)) MB, then \(text(left / 1e6, 1)) MB", "")
        line("  freed", "\(text(100 * (1 - left / full), 0)) %", ">= 45 %")
        let objects = try Double(store.packing().bytes)
        line("  packs for each revision left", "\(text(objects / Double(pages / 2 * revisions), 0)) bytes", "<= 1300")
    }

    private static func page(_ number: Int) -> PageName {
        PageName(wiki: "bench.example", namespace: "Talk", title: "Page \(number)")
    }

    /// A talk page that grows by a comment a revision, mostly in one of its last sections; every tenth begins one.
    private static func history(_ number: Int) -> [(RevisionRecord, PageContent)] {
        var sections: [[String]] = [["<h2>Topic 0</h2>\n"]]
        var state = UInt64(number) &* 2_654_435_761 &+ 1
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        return (1...revisions).map { id in
            if id % 10 == 0 { sections.append(["<h2>Topic \(sections.count)</h2>\n"]) }
            let words = GeneratedPage.words
            let text = (0..<(20 + next(40))).map { _ in words[next(words.count)] }.joined(separator: " ")
            let section = max(0, sections.count - 1 - next(3))
            sections[section].append(
                "<p>\(text) <a href=\"./User:Bob\">Bob</a> 1\(id % 10):00, 1 March 2024 (UTC)</p>\n")
            let record = RevisionRecord(
                id: RevisionID(rawValue: Int64(number * 1000 + id)),
                parent: RevisionID(rawValue: Int64(number * 1000 + id - 1)),
                page: PageID(rawValue: Int64(number + 1)), timestamp: 1_700_000_000 + Int64(id * 60), user: "Bob",
                summary: "reply", isMinor: false, format: 1, render: 0)
            let content = PageContent(
                lede: "<p>Page \(number)</p>\n",
                sections: sections.enumerated().map { index, parts in
                    PageSection(
                        file: "sections/Topic_\(index).html", heading: "Topic \(index)", level: 2, html: parts.joined())
                })
            return (record, content)
        }
    }
}
