import Foundation
import TalkGit
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore

/// What a remote gives is looked at before it is used, and what is wrong is named.
@Suite(.temporaryDirectory) struct FetchedBranchTests {
    private static let arch = PageName(wiki: bridge.wiki, namespace: "Talk", title: "Arch")
    private let copy = "refs/remotes/hub/"

    private func revision(_ id: Int64) throws -> (record: RevisionRecord, content: PageContent) {
        (makeRecord(id), try makeCanonicalContent(["text of \(id)"]))
    }

    /// A commit as a store writes it, but for what `change` does to its text.
    private func commit(
        _ tree: String, _ id: Int64 = 2, parent: String? = nil, changing change: (String) -> String = { $0 }
    ) throws -> String {
        let tree = try #require(ObjectID(hex: tree))
        let bytes = RevisionCommit(makeRecord(id), tree: tree, wiki: bridge.wiki).bytes(
            parent: try parent.map { try #require(ObjectID(hex: $0)) })
        let text = change(String(decoding: bytes, as: UTF8.self))
        return try git("hash-object", "-t", "commit", "-w", "--stdin", "--literally", in: storePath(), input: text)
    }

    /// A tree of these files, path by path.
    private func tree(_ files: [(mode: String, path: String, text: String)]) throws -> String {
        var directories: [String: String] = [:]
        var root = ""
        for file in files {
            let kind = file.mode == "160000" ? "commit" : "blob"
            let id =
                file.mode == "160000"
                ? String(repeating: "1", count: 40)
                : try git("hash-object", "-w", "--stdin", in: storePath(), input: file.text)
            let parts = file.path.split(separator: "/", maxSplits: 1).map(String.init)
            if parts.count == 1 {
                root += "\(file.mode) \(kind) \(id)\t\(file.path)\n"
            } else {
                directories[parts[0], default: ""] += "\(file.mode) \(kind) \(id)\t\(parts[1])\n"
            }
        }
        for (name, entries) in directories {
            root += "040000 tree \(try git("mktree", in: storePath(), input: entries))\t\(name)\n"
        }
        return try git("mktree", in: storePath(), input: root)
    }

    private static let index =
        "{\"format\":1,\"sections\":[\n{\"file\":\"sections/T1.html\",\"heading\":\"T1\",\"level\":2}\n]}\n"
    private static var good: [(mode: String, path: String, text: String)] {
        get throws {
            let content = try makeCanonicalContent(["x"])
            return [
                ("100644", "page.json", index), ("100644", "lede.html", content.lede),
                ("100644", "sections/T1.html", content.sections[0].html),
            ]
        }
    }

    /// Gives the store a fetched branch and joins it; the other page of the same remote must be taken all the same.
    private func refusal(
        of commit: String, as name: String = "en.wiki.example/Talk/Old_Stone_Bridge"
    ) async throws -> String? {
        let store = try Store.open(at: storePath(), wait: 5)
        try await store.add([try revision(1)], to: Self.arch)
        let arch = try git("rev-parse", StoreLayout.branch(of: Self.arch), in: storePath()).dropLast()
        try git("update-ref", copy + "en.wiki.example/Talk/Arch_2", String(arch), in: storePath())
        try git("update-ref", copy + name, commit, in: storePath())
        let before = try await store.records(of: bridge)
        let take = try await store.take(from: "hub")
        #expect(try await store.tip(of: PageName(wiki: bridge.wiki, namespace: "Talk", title: "Arch 2")) != nil)
        guard let refused = take.refused.first else { return nil }
        #expect(refused.name == name && take.refused.count == 1)
        #expect(try await store.records(of: bridge) == before)
        #expect(!take.changes.contains { $0.reference == "refs/heads/" + name })
        return refused.reason
    }

    @Test func takesWhatAStoreWouldHaveWritten() async throws {
        let store = try makeStore()
        try await store.add([try revision(1)], to: bridge)
        #expect(try await refusal(of: commit(tree(try Self.good))) == nil)
        #expect(try await store.records(of: bridge).map(\.record.id.rawValue) == [1, 2])
    }

    @Test(arguments: [
        ("100644", "evil.html", "x"), ("100644", "index.php", "x"), ("100644", ".git", "x"),
        ("100644", ".gitmodules", "x"),
        ("100644", ".gitattributes", "* filter=x"), ("100644", "sections/.gitattributes", "x"),
        ("100644", "sections/x.js", "x"), ("120000", "sections/T9.html", "/etc/passwd"),
        ("160000", "sections/T9.html", ""), ("100755", "sections/T9.html", "x"), ("100644", "sections/T9.html", "x"),
        ("100644", "pending/\(makeReply(1).id).json", "{}"), ("100644", "hooks/pre-push", "x"),
    ])
    func refusesAFileThatNoPageHas(mode: String, path: String, text: String) async throws {
        _ = try makeStore()
        let reason = try await refusal(of: commit(tree(try Self.good + [(mode, path, text)])))
        #expect(reason?.hasPrefix("revision 2: ") == true, "\(reason ?? "")")
    }

    @Test(arguments: [
        (1, "<p>Lede</p>\n<script>alert(1)</script>\n"), (1, "<p onclick=\"x()\">Lede</p>\n"), (1, "<p>Lede"),
        (1, "<h2>T0</h2>\n"), (2, "<h2>T1</h2>\n<p>x</p><script>1</script>\n"), (2, "<h2>T2</h2>\n<p>x</p>\n"),
        (2, "<h3>T1</h3>\n<p>x</p>\n"), (2, "<p>x</p>\n"),
        (2, "<h2>T1</h2>\n<p>x</p>\n<h2>T2</h2>\n"), (2, "\u{0}"), (0, "{}"), (0, "{\"format\":1,\"sections\":[]}\n"),
        (0, index.replacing("T1", with: "T2")), (0, index.replacing("\"T1\"", with: "\"Else\"")),
    ])
    func refusesAPageThatIsNotCanonical(file: Int, text: String) async throws {
        _ = try makeStore()
        var files = try Self.good
        files[file].text = text
        let reason = try await refusal(of: commit(tree(files)))
        #expect(reason?.hasPrefix("revision 2: ") == true, "\(reason ?? "")")
    }

    @Test(arguments: [
        ("Wiki-Revision: 2", "Wiki-Revision: x"), ("Wiki-Revision: 2", "Wiki-Revision: -2"),
        ("Wiki-Parent: 1", "Wiki-Parent: -1"), ("Wiki-Format: 1", "Wiki-Format: 0"),
        ("Wiki-Format: 1", "Wiki-Format: 1\nWiki-Render: 9999999999999"), ("Chloe@en.wiki.example", "c@example.org"),
        ("Chloe <", "<"), ("git-talk@localhost", "me@localhost"), ("+0000", "+0100"),
        ("\nauthor", "\nencoding x\nauthor"),
        ("1700000120 +0000\ncommitter", "1700000121 +0000\ncommitter"), ("1700000120", "-1"), ("reply\n", "reply"),
    ])
    func refusesACommitThatIsNoRevisions(old: String, new: String) async throws {
        _ = try makeStore()
        let reason = try await refusal(of: commit(tree(try Self.good)) { $0.replacing(old, with: new) })
        #expect(reason?.hasPrefix("the commit ") == true, "\(reason ?? "")")
    }

    @Test func namesARevisionOfANewerFormat() async throws {
        _ = try makeStore()
        let reason = try await refusal(
            of: commit(tree(try Self.good)) { $0.replacing("Wiki-Format: 1", with: "Wiki-Format: 2") })
        #expect(reason == "revision 2 was written by a newer git-talk")
    }

    @Test func refusesRevisionsInTheWrongOrder() async throws {
        _ = try makeStore()
        let tree = try tree(try Self.good)
        let later = try commit(tree, 3)
        #expect(try await refusal(of: commit(tree, 2, parent: later)) == "revision 2 stands in the wrong place")
    }

    @Test func refusesMergesAndWhatIsMissing() async throws {
        _ = try makeStore()
        let tree = try tree(try Self.good), one = try commit(tree, 1)
        let merge = try commit(tree, 3, parent: one) {
            $0.replacing("\nauthor", with: "\nparent \(one)\nauthor")
        }
        #expect(try await refusal(of: merge)?.hasPrefix("the commit ") == true)
        let gone = String(repeating: "4", count: 40)
        #expect(try await refusal(of: commit(gone)) == "revision 2: its files are damaged or missing")
        let blob = try git("hash-object", "-w", "--stdin", in: storePath(), input: "x")
        #expect(try await refusal(of: commit(blob))?.hasPrefix("revision 2: ") == true)
    }

    @Test func refusesWhatIsTooLargeUnread() async throws {
        _ = try makeStore()
        var files = try Self.good
        files[1].text = String(repeating: "x", count: 1 << 25 + 1)
        #expect(try await refusal(of: commit(tree(files)))?.hasSuffix("is too large") == true)
        let long = String(repeating: "y", count: 1 << 17)
        let reason = try await refusal(of: commit(tree(try Self.good)) { $0.replacing("reply", with: long) })
        #expect(reason?.hasSuffix("is too large") == true)
    }

    @Test(arguments: [
        ("feature/x", "it is no page's branch"), ("en.wiki.example/Talk/A%2fb", "it is no page's branch"),
        ("en.wiki.example/Talk/a%41", "it is no page's branch"),
        ("en.wiki.example/Talk/Bridge/2", "it is no page's branch"),
        (
            "en.wiki.example/Talk/\(String(repeating: "x", count: 200))=0123456789abcdef",
            "its title is too long for a branch, and nobody told the whole of it: pull the page once"
        ),
    ])
    func refusesNamesOfBranches(name: String, reason: String) async throws {
        _ = try makeStore()
        #expect(try await refusal(of: commit(tree(try Self.good)), as: name) == reason)
    }

    @Test func nobodysPendingRepliesAreTaken() async throws {
        let store = try makeStore()
        try git("update-ref", copy + "pending/en.wiki.example/Talk/Arch", commit(tree(try Self.good)), in: storePath())
        let take = try await store.take(from: "hub")
        #expect(take.refused == [] && take.pages == [])
    }

    @Test func aCommitOfSomebodysOwnIsNotGivenAway() async throws {
        let store = try makeStore()
        try await store.add([try revision(1)], to: bridge)
        try await store.add([try revision(1)], to: Self.arch)
        let branch = StoreLayout.branch(of: bridge)
        let own = try git("commit-tree", branch + "^{tree}", "-p", branch, in: storePath(), input: "mine")
        try git("update-ref", branch, own, in: storePath())
        let take = try await store.take(from: "hub")
        #expect(take.refused.map(\.name) == ["en.wiki.example/Talk/Old_Stone_Bridge"])
        #expect(take.changes.map(\.reference) == ["refs/heads/main", StoreLayout.branch(of: Self.arch)])
    }
}
