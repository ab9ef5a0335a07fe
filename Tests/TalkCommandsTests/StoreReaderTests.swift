import Foundation
import TalkPages
import TalkStore
import TalkTestSupport
import Testing

@testable import TalkCommands

/// `Tests/Store/read-store.py` knows nothing but `Schema/STORE.md`; what it finds in a store is what the program finds.
extension KeptStoreTests {
    private func read() throws -> [String: Any] {
        let output = try tool("python3", Self.directory.appending(path: "read-store.py").path, place.path)
        return try #require(try JSONSerialization.jsonObject(with: output) as? [String: Any])
    }

    /// Whoever has nothing but `Schema/STORE.md` finds what the program finds.
    @Test(arguments: [true, false]) func anotherReaderFindsTheSame(isKept: Bool) async throws {
        let program = try TestProgram()
        if isKept { _ = try await unpack() } else { _ = try await KeptStore.make(at: place.path) }
        let read = try read()
        let pages = try #require(read["pages"] as? [[String: Any]])
        // The wiki has got no page of Ann's yet.
        #expect(pages.compactMap { $0["title"] as? String } == Self.pages.dropLast(2) + ["Ann"] + Self.pages.suffix(2))
        let listed = try #require(await program.run("list", "--json").json()["pages"] as? [[String: Any]])
        #expect(listed.count == pages.count)
        for page in pages {
            let name = shown(try #require(page["title"] as? String))
            let revisions = try #require(page["revisions"] as? [[String: Any]])
            if !revisions.isEmpty {
                let log = try await program.run("log", "--all", "--json", name).json()["revisions"] as? [[String: Any]]
                #expect(revisions.map(revision) == log?.map(revision), "\(name)")
            }
            let items = try #require(await program.run("show", "--json", name).json()["items"] as? [[String: Any]])
            let comments = items.filter { $0["kind"] as? String == "comment" && $0["pending"] == nil }
            #expect((page["comments"] as? [[String: Any]])?.map(signature) == comments.map(signature), "\(name)")
            let derived = try #require(page["items"] as? [[String: Any]])
            #expect(derived.map(item) == items.map(item), "\(name)")
            let headings = items.filter { $0["headingLevel"] != nil }
            let sections = try #require(page["sections"] as? [[String: Any]])
            #expect(sections.map { word($0["heading"]) } == headings.map { word($0["text"]) }, "\(name)")
            #expect(sections.map { word($0["level"]) } == headings.map { word($0["headingLevel"]) }, "\(name)")
            #expect(word(page["stamp"]).count == 40, "\(name)")
        }
        let outbox = try #require(await program.run("outbox", "--json").json()["entries"] as? [[String: Any]])
        let pending = try #require(read["pending"] as? [[String: Any]])
        let waiting = outbox.filter { ["queued", "held"].contains($0["state"] as? String) }
        #expect(waiting.count == 4)
        #expect(
            pending.map { ($0["reply"] as? [String: Any])?["text"] as? String } == waiting.map { $0["text"] as? String }
        )
        #expect(pending.map { $0["account"] as? String } == ["Chloe", "Chloe", "(not logged in)", "Chloe"])
        #expect((read["outbox"] as? [Any])?.count == 6)
        let discarded = try #require(read["discarded"] as? [[String: Any]])
        #expect(discarded.map { $0["text"] as? String } == ["Text 6.", "Text 7."])
        #expect(
            discarded.map { $0["reason"] as? String }
                == Array(repeating: "the comment that it answers is gone", count: 2))
        let bookmarks = try #require(read["bookmarks"] as? [[String: Any]])
        #expect(bookmarks.compactMap { $0["title"] as? String } == ["Old Stone Bridge", "Tunnel"])
        let purged = try #require(read["purged"] as? [[String: Any]])
        #expect(purged.map { $0["revision"] as? Int } == [14, 31])
        #expect(purged.map { $0["parts"] as? [String] } == [["revision"], ["user", "summary"]])
        #expect(read["titles"] as? [String] == [KeptStore.long.title])
    }

    private func revision(_ object: [String: Any]) -> [String] {
        let time = object["timestamp"] as? Int64
        return ["commit", "revision", "parent", "minor", "user", "summary"].map { word(object[$0]) }
            + [
                word(object["pageID"] ?? object["page"]),
                time.map(TimeText.iso) ?? "\(object["timestamp"] ?? "")",
            ]
    }

    private func word(_ value: Any?) -> String { value.map { $0 is NSNull ? "-" : "\($0)" } ?? "-" }

    private func signature(_ object: [String: Any]) -> [String] {
        let time = object["timestamp"] as? Int64
        return [
            object["author"] as? String ?? "", time.map(TimeText.iso) ?? "\(object["timestamp"] ?? "")",
            word(object["text"]),
        ]
    }

    private func item(_ object: [String: Any]) -> [String] {
        ["kind", "id", "name", "level", "pending"].map { word(object[$0]) } + signature(object)
    }

    // MARK: What no kept store has

    private static let titles = [
        ".x", "a..b", "a...b", "end.", "-f", "@", "@{x", "a@{", "{a}", "x.LOCK", "x.lock.b", "100% = <b>|", "a/b: c?",
        "Cafe\u{301}",
        "\u{301}x", "a \u{301}b", "👩‍👩‍👧", String(repeating: "ä", count: 100), String(repeating: "ä", count: 101),
        String(repeating: "/", count: 67), String(repeating: "x", count: 199) + "q\u{301}",
        "A " + String(repeating: "é ", count: 80),
    ]

    private static let users: [String?] = [
        "A%+1", "enwiki>Ben", "a%3cb", "50%41", "(hidden)", nil, "hidden", "Foo.", "<%", "\u{301}x", "a\u{2028}b",
        "%1g",
    ]

    private static let summaries: [String?] = ["", nil, "Wiki-Revision: 9", " x ", "a: b", "\u{85}", "Pending-Id: 1"]

    /// Names that are hard to write and to read, branches of the user's, and git's ways to show another object.
    @Test func anotherReaderReadsHardNames() async throws {
        let store = try Store.create(at: place.path)
        for (number, title) in Self.titles.enumerated() {
            var slugs = SectionSlugs()
            let sections = (Self.titles + [title + " " + title, title, "_", "", "a\nb"]).map {
                PageSection(file: slugs.nextFile(for: $0), heading: $0, level: 2, html: "<h2>x</h2>\n")
            }
            let count = Self.users.count
            let records = (0..<count).map { index in
                RevisionRecord(
                    id: RevisionID(rawValue: Int64(number * count + index + 1)), parent: RevisionID(rawValue: 0),
                    page: PageID(rawValue: 1), timestamp: 1_700_000_000, user: Self.users[index],
                    summary: Self.summaries[index % Self.summaries.count], isMinor: index % 2 == 0, format: 1,
                    render: index % 3)
            }
            let page = PageName(wiki: "main", namespace: "User talk", title: title)
            try await store.add(records.map { ($0, PageContent(lede: "", sections: sections)) }, to: page)
        }
        func git(_ words: String...) throws { #expect(try runGit(words, in: place.path).status == 0, "\(words)") }
        let first = "refs/heads/%6Dain/User_talk/%40"
        try git("branch", "users/ann/work", "main")
        try git("branch", "users/ann/copy", first)
        try git("branch", "my/work", "main")
        try git("replace", "-f", first, "main")
        let read = try #require(try read()["pages"] as? [[String: Any]])
        let pages = try await store.pages().filter { $0.wiki == "main" }
        #expect(pages.count == Self.titles.count)
        #expect(read.map { $0["title"] as? String } == pages.map(\.title))
        #expect(read.allSatisfy { $0["wiki"] as? String == "main" && $0["namespace"] as? String == "User talk" })
        for (page, found) in zip(pages, read) {
            let known = try await store.records(of: page).reversed().map { revision in
                let record = revision.record
                return [
                    revision.commit, revision.tree, "\(record.id)", record.user ?? "-", record.summary ?? "-",
                    record.isMinor ? "1" : "0", "\(record.render)",
                ]
            }
            let revisions = try #require(found["revisions"] as? [[String: Any]])
            let members = ["commit", "tree", "revision", "user", "summary", "minor", "render"]
            #expect(revisions.map { revision in members.map { word(revision[$0]) } } == known, "\(page)")
            #expect((found["sections"] as? [Any])?.count == Self.titles.count + 5)
        }
        // Where nothing tells a title, there is a page without one.
        try git("update-ref", "-d", "refs/meta/titles")
        let long = PageName(wiki: "main", namespace: "User talk", title: String(repeating: "ä", count: 101))
        try await store.save(PageState(page: long, displayTitle: "x"))
        let rest = try #require(try self.read()["pages"] as? [[String: Any]])
        #expect(
            rest.compactMap { $0["title"] as? String }.sorted()
                == (try await store.pages()).filter { $0.wiki == "main" }.map(\.title).sorted())
        #expect(rest.count { $0["title"] is NSNull } == 3)
    }

    /// A comment ends with the first signature of its block, whose link leads to a user and to no subpage.
    @Test func anotherReaderFindsTheSameSignatures() async throws {
        let store = try Store.create(at: place.path)
        try await store.save(KeptStore.english)
        func link(_ title: String, _ text: String = "x") -> String { "<a href=\"/wiki/\(title)\">\(text)</a>" }
        let time = "10:00, 1 March 2024 (UTC)", padding = String(repeating: "y", count: 98)
        let blocks = [
            "<p>One. \(link("User:Ann")) \(time) and \(link("User:Bob")) \(time)</p>",
            "<p>Two. \(link("User:Bob/Notes")) \(time)</p>",
            "<p>Three. \(link("User:Ann/Notes")) \(link("User_talk:Bob_B")) \(time)</p>",
            "<p>Four. \(link("Special:Contributions/192.0.2.7")) \(time)</p>",
            "<blockquote><p>Five. \(link("User:Ann")) \(time)</p></blockquote>",
            "<p>Six. \(link("User:Ann"))<b>\(padding)</b> \(time)</p>",
            "<p>Seven. \(link("User:Ann"))<b>y\(padding)</b> \(time)</p>",
            "<p>Eight.</p><p>Lines. \(link("User:Ann", "A")) \(link("User:Bob")) \(link("User_talk:Ann", "t")) 23:59, 31 December 2023 (UTC)</p>",
            "<p>Nine. <a href=\"/w/index.php?title=User:M%C3%BC&amp;action=edit\">x</a> \(time)</p>",
            "<p>Ten. \(link("User:Ann")) 1:00, 1 March 2024 (UTC)</p>",
            "<p>Eleven. \(link("User:Ann")) \(time) (edited)</p>",
        ]
        let record = RevisionRecord(
            id: RevisionID(rawValue: 1), parent: RevisionID(rawValue: 0), page: PageID(rawValue: 1),
            timestamp: 1_700_000_000,
            user: "Ann", summary: "", isMinor: false, format: 1)
        let page = PageName(wiki: KeptStore.english.key, namespace: "Talk", title: "Bridge")
        let html = blocks.map { "<h2>H</h2>\($0)" }.joined()
        try await store.add([(record, try CanonicalPage.content(of: html, wiki: KeptStore.english))], to: page)
        let threads = try #require(try await PageThreads.current(of: page, store: store, wiki: KeptStore.english))
        let known = threads.items.filter { $0.kind == .comment }
            .map { [$0.author ?? "-", TimeText.iso($0.timestamp ?? 0)] }
        let found = try #require(try read()["pages"] as? [[String: Any]]).first?["comments"] as? [[String: Any]]
        #expect(found?.map { Array(signature($0).prefix(2)) } == known)
        #expect(known.map { $0[0] } == ["Ann", "Bob B", "192.0.2.7", "Ann", "Ann", "Mü", "Ann"])
    }
}
