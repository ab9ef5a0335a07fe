import Foundation
import TalkGit
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore
@testable import TalkSync

/// Machines with a store each, and a hub that they exchange with.
struct ExchangeStage {
    static let wiki = "en.wiki.example"
    static let pages = ["Bridge", "Old bridge/Archive 1", "Übung: A?", String(repeating: "ह", count: 80)].map {
        PageName(wiki: wiki, namespace: "Talk", title: $0)
    }

    let root: String
    let stores: [Store]
    var hub: String { "\(root)/hub" }

    /// Each machine has the hub as remote `hub`, and the store of the one after it as remote `peer`.
    init(machines: Int, in directory: URL = TemporaryDirectory.current, faults: StoreFaults = .none) async throws {
        root = directory.path
        _ = try runGit(["init", "--quiet", "--bare", "\(directory.path)/hub"], in: directory.path)
        stores = try (0..<machines).map { try Store.create(at: "\(directory.path)/m\($0)", wait: 20) }
        for (index, store) in stores.enumerated() {
            try await add("hub", at: "\(directory.path)/hub", to: store)
            try await add("peer", at: stores[(index + 1) % machines].layout.root, to: store)
        }
    }

    func add(_ remote: String, at address: String, to store: Store) async throws {
        try await store.configure("remote.\(remote).url", to: address)
        try await store.configure("remote.\(remote).fetch", to: "+refs/heads/*:refs/remotes/\(remote)/*")
    }

    func program(_ store: Store, path: String = "/usr/bin/git") -> GitProgram {
        GitProgram(
            path: path, repository: store.layout.gitDirectory, environment: ["PATH": "/usr/bin:/bin", "HOME": root])
    }

    func exchange(_ machine: Int, _ remote: String = "hub", git: String = "/usr/bin/git") -> StoreExchange {
        StoreExchange(
            store: stores[machine], git: program(stores[machine], path: git), remote: remote,
            time: "2026-01-01T00:00:00Z"
        ) { attempt in
            try? await Task.sleep(for: .milliseconds(Int.random(in: 1...(10 * attempt))))
        }
    }

    /// Runs git in a store or in the hub as a user would.
    @discardableResult
    func run(_ words: String..., in directory: String) throws -> String {
        let (status, output) = try runGit(words, in: directory)
        try #require(status == 0, "git \(words.joined(separator: " ")): \(output)")
        return output
    }

    /// The references that travel, with what they name.
    func shared(_ directory: String) throws -> [String: String] {
        let list = try run("for-each-ref", "--format=%(refname) %(objectname)", in: directory)
        var found: [String: String] = [:]
        for line in list.split(separator: "\n") {
            let parts = line.split(separator: " ")
            let name = String(parts[0])
            guard name.hasPrefix("refs/heads/") || name.hasPrefix("refs/meta/"), !name.hasPrefix("refs/heads/pending/")
            else { continue }
            found[name] = String(parts[1])
        }
        return found
    }

    static func pageID(of page: PageName) -> PageID { PageID(rawValue: Int64((pages.firstIndex(of: page) ?? 9) + 1)) }

    /// A revision; every one has words of its own, and each rendering, too.
    static func revision(
        _ id: Int64, of page: PageName, variant: Int = 0, render: Int = 0
    ) throws -> (record: RevisionRecord, content: PageContent) {
        let html = """
            <p>About the page.</p><h2 id="Topic">Topic</h2><p>A stable word.</p>
            <h2 id="Now">Now</h2><p>text-\(id)-end, rendering \(variant) \(render).</p>
            """
        let record = RevisionRecord(
            id: RevisionID(rawValue: id), parent: RevisionID(rawValue: id - 1),
            page: pageID(of: page),
            // Some share their minute, some come out of the order of their ids, as after an import.
            timestamp: 1_700_000_000 + 60 * (id % 5 == 0 ? id - 3 : id / 2), user: "user-\(id)-end",
            summary: "summary-\(id)-end", isMinor: id % 3 == 0, format: 1, render: render)
        return (record, try CanonicalPage.content(of: html, wiki: nil))
    }

    /// All that is in the objects of a repository, referred to or not.
    func everything(in directory: String) throws -> String {
        try run("cat-file", "--batch-all-objects", "--batch", "--unordered", in: directory)
    }
}

extension Store {
    /// Turns the bookmark of a page on or off.
    func turnBookmark(of page: PageName) async throws { try await bookmark([page], !isBookmarked(page)) }

    func isBookmarked(_ page: PageName) async throws -> Bool { try await bookmarks().contains(page) }
}
