import Foundation
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore
@testable import TalkSync

/// A hub to which somebody pushes what no store would have written.
struct HostileHub {
    let stage: ExchangeStage
    /// A commit that a store has written, as text, and its tree.
    let commit: String
    let tree: String

    /// A hub that has three revisions of the first page.
    init() async throws {
        stage = try await ExchangeStage(machines: 2)
        let page = ExchangeStage.pages[0], store = stage.stores[0]
        try await store.add(try (1...3).map { try ExchangeStage.revision($0, of: page) }, to: page)
        _ = try await stage.exchange(0).run()
        let branch = StoreLayout.branch(of: page)
        let text = try stage.run("cat-file", "commit", branch, in: stage.hub)
        // Without its parent, so that it is right by itself.
        commit = text.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("parent ") }
            .joined(separator: "\n")
        tree = String(try stage.run("rev-parse", "\(branch)^{tree}", in: stage.hub).dropLast())
    }

    static let escape = "\u{1B}]0;owned\u{7}"

    @discardableResult
    func object(_ kind: String, _ text: String) throws -> String {
        let words = ["hash-object", "-t", kind, "-w", "--stdin", "--literally"]
        let (status, output) = try runGit(words, in: stage.hub, input: text)
        try #require(status == 0, "\(output)")
        return String(output.dropLast())
    }

    /// A tree of these entries as they are, `mode kind name` and what is in it.
    func makeTree(_ entries: [(mode: String, name: String, id: String)]) throws -> String {
        var bytes = Data()
        for entry in entries {
            bytes += Data("\(entry.mode) \(entry.name)\0".utf8)
            bytes += Data(
                stride(from: 0, to: 40, by: 2).map { UInt8(entry.id.dropFirst($0).prefix(2), radix: 16) ?? 0 })
        }
        return try raw("tree", bytes)
    }

    func raw(_ kind: String, _ bytes: Data) throws -> String {
        let file = stage.root + "/raw"
        try bytes.write(to: URL(filePath: file))
        return String(
            try stage.run("hash-object", "-t", kind, "-w", "--literally", file, in: stage.hub).dropLast())
    }

    /// The entries of the good tree.
    func entries(of tree: String) throws -> [(mode: String, name: String, id: String)] {
        try stage.run("ls-tree", tree, in: stage.hub).split(separator: "\n").map { line in
            let parts = line.split(whereSeparator: \.isWhitespace).map(String.init)
            return (parts[0] == "040000" ? "40000" : parts[0], parts[3], parts[2])
        }
    }

    /// A branch called `Talk/<name>` of the good commit, changed.
    func add(_ name: String, changing change: (String) -> String) throws {
        try point("refs/heads/\(ExchangeStage.wiki)/Talk/\(name)", to: object("commit", change(commit)))
    }

    /// A branch of the good commit with another tree.
    func add(_ name: String, tree other: String) throws { try add(name) { $0.replacing(tree, with: other) } }

    /// A branch with the good tree and one file more; in `sections` when the name says so.
    func add(_ name: String, file: String, mode: String = "100644", text: String = "x") throws {
        let id = mode == "160000" ? String(repeating: "1", count: 40) : try object("blob", text)
        var entries = try entries(of: tree)
        if file.hasPrefix("sections/") {
            let index = try #require(entries.firstIndex { $0.name == "sections" })
            var sections = try self.entries(of: entries[index].id)
            sections.append((mode, String(file.dropFirst("sections/".count)), id))
            sections.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
            entries[index].id = try makeTree(sections)
        } else {
            entries.append((mode, file, id))
            entries.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        }
        try add(name, tree: makeTree(entries))
    }

    /// A branch with other HTML before the first heading.
    func add(_ name: String, lede: String) throws {
        var entries = try entries(of: tree)
        let index = try #require(entries.firstIndex { $0.name == "lede.html" })
        entries[index].id = try object("blob", lede)
        try add(name, tree: makeTree(entries))
    }

    /// Whatever the name is, as a push over the network could make it.
    func point(_ reference: String, to id: String) throws {
        let path = URL(filePath: "\(stage.hub)/\(reference)")
        try FileManager.default.createDirectory(at: path.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data("\(id)\n".utf8).write(to: path)
    }

    /// What the second machine refuses; the good page must be there, the store whole, and the hub as it was.
    func refusals(isGiven: Bool = false) async throws -> [String: String] {
        let before = try stage.run("for-each-ref", in: stage.hub), machine = stage.stores[1]
        let result = try await stage.exchange(1).run()
        #expect(try await machine.records(of: ExchangeStage.pages[0]).map(\.record.id.rawValue) == [1, 2, 3])
        if !isGiven { #expect(try stage.run("for-each-ref", in: stage.hub) == before) }
        let fsck = try stage.run("fsck", "--strict", "--no-dangling", in: machine.layout.root)
        #expect(fsck.split(separator: "\n").allSatisfy { $0.hasPrefix("notice: ") }, "\(fsck)")
        #expect(Set(result.refused.map(\.name)).count == result.refused.count, "\(result.refused)")
        return Dictionary(result.refused.map { ($0.name, $0.reason) }) { first, _ in first }
    }
}
