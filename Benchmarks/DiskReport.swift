import Foundation
import TalkPages
import TalkStore

/// What a revision takes on disk, against a table of SQLite with a row for each section that changed.
enum DiskReport {
    private static let count = 1200

    static func run(in directory: String) async throws {
        let path = "\(directory)/disk"
        let packing = try await GeneratedStore.make(at: path, revisions: count, sections: 0)
        let store = try Store.open(at: path)
        try await store.collectGarbage(store.git)
        let ours = Double(try store.packing().bytes) / Double(count)
        line("page of \(count) revisions: packs for each, after repack", "\(text(ours, 0)) bytes", "<= 1300")
        line("  packs joined on the way", "\(packing.count) times")
        line(
            "  with the page's files and threads",
            "\(text(try disk(path) / Double(count), 0)) bytes of blocks a revision")

        let lines = try rows()
        try lines.write(toFile: "\(path).rows", atomically: false, encoding: .utf8)
        guard let peer = ProcessInfo.processInfo.environment["GIT_TALK_BENCH_SQLITE"] else {
            return line("  SQLite with the changed sections", "skipped: run by Benchmarks/run")
        }
        _ = try output(of: ["python3", peer, "\(path).rows", "\(path).sqlite"])
        let size = try FileManager.default.attributesOfItem(atPath: "\(path).sqlite")[.size] as? Int ?? 0
        let theirs = Double(size) / Double(count)
        line("  SQLite with the changed sections", "\(text(theirs, 0)) bytes")
        line("  less than SQLite", "\(text(theirs / ours, 1)) times", ">= 5")
    }

    /// The revisions as lines of JSON, each with the sections that changed.
    private static func rows() throws -> String {
        var history = try GeneratedHistory(0, sections: 0)
        var before: [String: String] = [:]
        var lines = ""
        var sizes: [Int] = []
        for _ in 0..<count {
            let (record, content) = try history.next()
            var now: [String: String] = [:]
            for section in content.sections { now[section.file] = section.html }
            var changed: [[String: Any]] = []
            for (place, section) in content.sections.enumerated() where before[section.file] != section.html {
                changed.append(["file": section.file, "place": place, "heading": section.heading, "html": section.html])
            }
            for file in before.keys where now[file] == nil { changed.append(["file": file]) }
            before = now
            sizes.append(content.sections.reduce(0) { $0 + $1.html.utf8.count })
            let row: [String: Any] = [
                "id": record.id.rawValue, "parent": record.parent.rawValue, "page": record.page.rawValue,
                "timestamp": record.timestamp, "user": record.user ?? "", "summary": record.summary ?? "",
                "sections": changed,
            ]
            lines += String(decoding: try JSONSerialization.data(withJSONObject: row), as: UTF8.self) + "\n"
        }
        line(
            "  size of the page",
            "\(sizes.max().map { $0 / 1000 } ?? 0) kB at most, \(sizes.last.map { $0 / 1000 } ?? 0) at the end")
        return lines
    }
}
