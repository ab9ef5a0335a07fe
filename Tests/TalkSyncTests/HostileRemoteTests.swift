import Foundation
import TalkGit
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore
@testable import TalkSync

/// What a remote has is looked at before it is used: what is wrong is refused by name, and all else goes on.
@Suite(.temporaryDirectory) struct HostileRemoteTests {
    private static let prefix = "\(ExchangeStage.wiki)/Talk/"

    private func expectRefused(_ names: [String], at hub: HostileHub) async throws {
        let refused = try await hub.refusals()
        let wanted = Set(names.map { Self.prefix + $0 })
        #expect(Set(refused.keys) == wanted, "\(Set(refused.keys).symmetricDifference(wanted))")
        // And so the next time: what was refused is no longer refused only when it is gone.
        #expect(try await hub.refusals().count == names.count)
        #expect(try await hub.stage.stores[1].pages() == [ExchangeStage.pages[0]])
    }

    @Test func commitsThatNoStoreWrote() async throws {
        let hub = try await HostileHub()
        let mail = "@\(ExchangeStage.wiki)>", time = "1700000060 +0000"
        try #require(hub.commit.contains(mail) && hub.commit.components(separatedBy: time).count == 3)
        let cases: [(String, String, String)] = [
            ("double", "Wiki-Revision: 3\n", "Wiki-Revision: 3\nWiki-Revision: 4\n"),
            ("later", "Wiki-Format: 1\n", "Wiki-Format: 1\nX-Own: 1\nWiki-Render: 9\n"),
            ("noformat", "Wiki-Format: 1\n", ""), ("norevision", "Wiki-Revision: 3\n", ""),
            ("zero", "Wiki-Revision: 3\n", "Wiki-Revision: 0\n"),
            ("negative", "Wiki-Revision: 3\n", "Wiki-Revision: -3\n"),
            ("plus", "Wiki-Revision: 3\n", "Wiki-Revision: +3\n"),
            ("padded", "Wiki-Revision: 3\n", "Wiki-Revision: 03\n"),
            ("overflow", "Wiki-Revision: 3\n", "Wiki-Revision: 99999999999999999999\n"),
            ("render", "Wiki-Format: 1\n", "Wiki-Format: 1\nWiki-Render: 0\n"),
            ("major", "Wiki-Format: 1\n", "Wiki-Minor: false\nWiki-Format: 1\n"),
            ("newer", "Wiki-Format: 1\n", "Wiki-Format: 99\n"), ("foreign", mail, "@de.wiki.example>"),
            ("before", time, "-1 +0000"), ("farfuture", time, "253402300800 +0000"),
            ("overflown", time, "99999999999999999999 +0000"), ("zone", time, "1700000060 +0100"),
            ("committer", "git-talk@localhost", "me@localhost"),
            ("signed", time + "\n\n", time + "\ngpgsig -----BEGIN PGP SIGNATURE-----\n x\n\n"),
            ("tagged", time + "\n\n", time + "\nmergetag object \(hub.tree)\n\n"),
            ("encoded", time + "\n\n", time + "\nencoding ISO-8859-1\n\n"),
            ("zerobyte", "summary-3", "summary\0-3"), ("return", "summary-3", "summary\r-3"),
            ("pending", "Wiki-Format: 1\n", "Wiki-Format: 1\nPending-Id: x\n"),
            ("body", "\n\nWiki-Revision", "\n\nA second paragraph.\n\nWiki-Revision"),
            ("text", "Wiki-Format: 1\n", "Wiki-Format: 1\nno trailer at all\n"), ("empty", hub.commit, ""),
        ]
        for (name, old, new) in cases {
            try #require(hub.commit.contains(old), "\(name)")
            try hub.add(name) { $0.replacing(old, with: new) }
        }
        let one = try hub.object("commit", hub.commit.replacing("Wiki-Revision: 3", with: "Wiki-Revision: 1"))
        try hub.add("merge") { $0.replacing("\nauthor", with: "\nparent \(one)\nparent \(one)\nauthor") }
        try hub.add("same") {
            $0.replacing("\nauthor", with: "\nparent \(one)\nauthor").replacing(": 3\n", with: ": 1\n")
        }
        try await expectRefused(cases.map(\.0) + ["merge", "same"], at: hub)
    }

    @Test func aTrailerOfANewerProgramStays() async throws {
        let hub = try await HostileHub()
        try hub.add("New") { $0.replacing("Wiki-Format: 1\n", with: "Wiki-Format: 1\nWiki-Tags: a, b\n") }
        #expect(try await hub.refusals(isGiven: true) == [:])
        let text = try hub.stage.run(
            "cat-file", "commit", "refs/heads/\(Self.prefix)New", in: hub.stage.stores[1].layout.root)
        #expect(text.hasSuffix("Wiki-Tags: a, b\n"))
    }

    /// A line break would print a line of the hub's own, and an override of the direction turn one around.
    @Test func titlesThatNoWikiHas() async throws {
        let hub = try await HostileHub()
        let names = ["%0Aevil", "a%1B", "a%7F", "a\u{85}b", "\u{202E}live", "a\u{200F}", "a\u{2066}b", "a\u{2028}b"]
        for name in names { try hub.add(name) { $0 } }
        try await expectRefused(names, at: hub)
        let reasons = Set(try await hub.refusals().values)
        #expect(reasons == ["its title has a character that no title may have"])
    }

    @Test func filesThatNoPageHas() async throws {
        let hub = try await HostileHub()
        let cases: [(name: String, mode: String, file: String)] = [
            ("link", "120000", "sections/Link.html"), ("linkedindex", "120000", "page.html"),
            ("module", "160000", "sections/Module.html"), ("program", "100755", "sections/Program.html"),
            ("group", "100664", "sections/Group.html"), ("tree", "40000", "sections/Tree.html"),
            ("up", "100644", "sections/.."), ("dot", "100644", "."), ("git", "100644", ".git"),
            ("GIT", "40000", ".GIT"),
            ("modules", "100644", ".gitmodules"), ("modulelink", "120000", ".gitmodules"),
            ("attributes", "100644", ".gitattributes"), ("inner", "100644", "sections/.gitattributes"),
            ("stamp", "100644", ".stamp"), ("twin", "100644", "sections/now.html"),
            ("backslash", "100644", "sections/a\\b.html"), ("newline", "100644", "sections/a\nb.html"),
            ("escape", "100644", "sections/\(HostileHub.escape).html"),
            ("long", "100644", "sections/\(String(repeating: "x", count: 300)).html"),
            ("pending", "40000", "pending"), ("hooks", "40000", "hooks"), ("extra", "100644", "sections/Extra.html"),
        ]
        for (name, mode, file) in cases {
            let isTree = mode == "40000"
            if isTree {
                var entries = try hub.entries(of: hub.tree)
                let blob = try hub.object("blob", "x"), inner = try hub.makeTree([("100644", "x", blob)])
                entries.append((mode, file.replacing("/", with: ""), inner))
                entries.sort { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
                try hub.add(name, tree: hub.makeTree(entries))
            } else {
                try hub.add(name, file: file, mode: mode)
            }
        }
        var others: [String] = []
        let entries = try hub.entries(of: hub.tree)
        for (name, changed) in [
            ("unsorted", Array(entries.reversed())), ("doubled", entries + [entries[entries.count - 1]]),
            ("nolede", entries.filter { $0.name != "lede.html" }),
            ("nosections", entries.filter { $0.name != "sections" }),
            ("linked", entries.map { ($0.name == "lede.html" ? "120000" : $0.mode, $0.name, $0.id) }),
            ("zeros", entries.map { ($0.mode == "40000" ? "040000" : $0.mode, $0.name, $0.id) }), ("nothing", []),
        ] {
            try hub.add(name, tree: hub.makeTree(changed))
            others.append(name)
        }
        var bytes = Data("100644 sections".utf8)
        bytes += [0xFF, 0xFE, 0]
        bytes += Data(repeating: 0x11, count: 20)
        try hub.add("bytes", tree: hub.raw("tree", bytes))
        try hub.add("blob", tree: hub.object("blob", "x"))
        try await expectRefused(cases.map(\.name) + others + ["bytes", "blob"], at: hub)
        #expect(!FileManager.default.fileExists(atPath: hub.stage.stores[1].layout.root + "/.gitattributes"))
    }

    @Test func markThatNoPageHas() async throws {
        let hub = try await HostileHub()
        let id = ReplyID.make(milliseconds: 1_700_000_500_000, random: (1, 2))
        let cases = [
            ("script", "<p>x</p>\n<script>alert(1)</script>\n"), ("event", "<p onclick=\"alert(1)\">x</p>\n"),
            ("style", "<style>*{background:url(https://evil.example/)}</style>\n"),
            ("javascript", "<p><a href=\"javascript:alert(1)\">x</a></p>\n"),
            ("pendingid", "<p class=\"pending\" id=\"pending-\(id)\">x</p>\n"),
            ("comment", "<p>x<span data-mw-comment-start=\"\" id=\"c-Bob\"></span></p>\n"),
            ("frame", "<iframe src=\"https://evil.example/\"><p>x</p></iframe>\n"), ("open", "<p>x"),
            ("nul", "<p>\0</p>\n"),
            ("heading", "<h2 id=\"A\">A</h2>\n"), ("deep", String(repeating: "<div>", count: 5000)),
        ]
        for (name, html) in cases { try hub.add(name, lede: html) }
        try await expectRefused(cases.map(\.0), at: hub)
    }

    @Test func whatIsTooLarge() async throws {
        let hub = try await HostileHub()
        try hub.add("large", lede: String(repeating: "x", count: 100 << 20))
        let blob = try hub.object("blob", "x")
        // 300,000 names of 36 bytes.
        let names = (0..<300_000).map { "100644 blob \(blob)\t\(String(format: "%015d", $0)).html\n" }.joined()
        let (_, many) = try runGit(["mktree"], in: hub.stage.hub, input: names)
        var entries = try hub.entries(of: hub.tree)
        let index = try #require(entries.firstIndex { $0.name == "sections" })
        entries[index].id = String(many.dropLast())
        try hub.add("many", tree: hub.makeTree(entries))
        try hub.add("talkative") { $0.replacing("summary-3", with: String(repeating: "y", count: 1 << 17)) }
        try await expectRefused(["large", "many", "talkative"], at: hub)
    }

    @Test func referencesThatNoStoreHas() async throws {
        let hub = try await HostileHub(), wiki = ExchangeStage.wiki
        let good = try hub.object("commit", hub.commit), blob = try hub.object("blob", "x")
        let long = String(repeating: "x", count: 252)
        try hub.point("refs/heads/pending/\(wiki)/Talk/Bridge", to: good)
        try hub.point("refs/heads/topic", to: good)
        try hub.point("refs/heads/\(wiki)/Talk/a%41", to: good)
        try hub.point("refs/heads/\(wiki)/Talk/\(long)", to: good)
        try hub.point("refs/heads/\(wiki)/Talk/Bridge.bak/x", to: good)
        try hub.point("refs/meta/evil", to: good)
        try hub.point("refs/meta/titles", to: good)
        try hub.point("refs/meta/purged", to: blob)
        try hub.point("refs/discarded/x", to: good)
        try hub.point("refs/tags/v1", to: good)
        let refused = try await hub.refusals()
        #expect(
            Set(refused.keys) == [
                "topic", "\(wiki)/Talk/a%41", "\(wiki)/Talk/\(long)", "\(wiki)/Talk/Bridge.bak/x", "refs/meta/titles",
                "refs/meta/purged",
            ], "\(refused)")
        let names = try hub.stage.run("for-each-ref", "--format=%(refname)", in: hub.stage.stores[1].layout.root)
        #expect(!names.contains("/pending/") && !names.contains("refs/discarded") && !names.contains("refs/tags"))
        #expect(try await hub.stage.stores[1].purged(of: ExchangeStage.pages[0]) == [:])
    }

    @Test func anotherMainIsLeftAlone() async throws {
        let hub = try await HostileHub()
        try hub.point("refs/heads/main", to: hub.object("commit", hub.commit))
        let result = try await hub.stage.exchange(1).run()
        #expect(result.hasOtherMain && result.refused == [] && result.given == [])
        let main = try hub.stage.run("rev-parse", "main", in: hub.stage.stores[1].layout.root)
        #expect(main == "c2c974d1242f1a00b309cb849ecd3298e01819b8\n")
    }

    @Test func aCounterAtItsEndStaysThere() async throws {
        let hub = try await HostileHub(), store = hub.stage.stores[1], page = ExchangeStage.pages[0]
        for (text, isTaken) in [("2147483647\n", true), ("9223372036854775807\n", false)] {
            let blob = try hub.object("blob", text)
            var tree = try hub.makeTree([("100644", "Bridge", blob)])
            for name in ["Talk", ExchangeStage.wiki] { tree = try hub.makeTree([("40000", name, tree)]) }
            let record = SharedRecord.bookmarks.commit(try #require(ObjectID(hex: tree)))
            try hub.point("refs/meta/bookmarks", to: hub.object("commit", String(decoding: record, as: UTF8.self)))
            let result = try await hub.stage.exchange(1).run()
            #expect(result.refused.map(\.name) == (isTaken ? [] : ["refs/meta/bookmarks"]))
            #expect(try await store.bookmarks() == [page])
        }
        #expect(try await store.bookmark([page], false) == [page])
        #expect(try await store.bookmark([page], true) == [])
        #expect(try await hub.stage.exchange(1).run().refused.map(\.name) == ["refs/meta/bookmarks"])
    }
}
