import TalkPages
import Testing

@testable import TalkGit
@testable import TalkStore

@Suite struct CommitTextTests {
    /// Names of imported, temporary and hostile accounts; `%3E` stands for what git forbids.
    static let users = [
        "Chloe", "Foo.", " . ", "Jane Doe", "~2025-123-4", "2001:db8::1", "enwiki>Ben", "<script>", "a\nb\0c\td", "",
        "(hidden)",
        "\u{301}x", "日本語", "👩‍👩‍👧", "a%3Cb", "100%", "%", "x@y", "\u{202E}abc", "a\r\nb",
        "A%+1", "%+F", "a%3cb", "%0a", "%3", "%%3e", "%-1", "50%41",
    ]

    @Test(arguments: users)
    func keepsEveryUserName(user: String) throws {
        let record = makeRecord(7, user: user)
        let bytes = RevisionCommit(record, tree: someTree, wiki: "w.example").bytes(parent: someTree)
        let (commit, parent) = try #require(RevisionCommit.parse(bytes, wiki: "w.example"))
        #expect(parent == someTree)
        // The one exception is a name that reads like an escape, which MediaWiki allows nobody.
        #expect(commit.record.user?.utf8.elementsEqual((user == "a%3Cb" ? "a<b" : user).utf8) == true)
        #expect(commit.bytes(parent: someTree) == bytes)
    }

    @Test func tellsAHiddenUserFromOneOfThatName() throws {
        for user in [nil, "(hidden)"] {
            let bytes = RevisionCommit(makeRecord(7, user: user), tree: someTree, wiki: "w.example").bytes(parent: nil)
            #expect(RevisionCommit.parse(bytes, wiki: "w.example")?.commit.record.user == user)
        }
    }

    @Test(arguments: [
        ("", ""), ("/* Title */ reply", "/* Title */ reply"), (" leading", " leading"), ("a\nb\r\nc\0d", "a b  c d"),
        ("Wiki-Revision: 9", "Wiki-Revision: 9"), ("\u{301}", "\u{301}"), ("a\u{2028}b", "a\u{2028}b"),
    ])
    func keepsASummaryOnOneLine(summary: String, kept: String) throws {
        let bytes = RevisionCommit(makeRecord(7, summary: summary), tree: someTree, wiki: "w").bytes(parent: nil)
        let record = try #require(RevisionCommit.parse(bytes, wiki: "w")).commit.record
        #expect(record.summary.map { Array($0.utf8) } == Array(kept.utf8))
        #expect(record.id == RevisionID(rawValue: 7))
    }

    @Test func writesTheBytesOfTheFormat() {
        let record = RevisionRecord(
            id: RevisionID(rawValue: 123), parent: RevisionID(rawValue: 120), page: PageID(rawValue: 45),
            timestamp: 1_700_000_000, user: "Jane Doe", summary: "/* Bridge */ reply", isMinor: true, format: 1,
            render: 2)
        let bytes = RevisionCommit(record, tree: someTree, wiki: "en.wiki.example").bytes(parent: someTree)
        #expect(
            String(decoding: bytes, as: UTF8.self) == """
                tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904
                parent 4b825dc642cb6eb9a060e54bf8d69288fbee4904
                author Jane Doe <Jane Doe@en.wiki.example> 1700000000 +0000
                committer git-talk <git-talk@localhost> 1700000000 +0000

                /* Bridge */ reply

                Wiki-Revision: 123
                Wiki-Parent: 120
                Wiki-Page-Id: 45
                Wiki-Minor: true
                Wiki-Format: 1
                Wiki-Render: 2

                """)
    }

    @Test func keepsTrailersThatItDoesNotKnow() throws {
        let text = """
            tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904
            author A <A@w> 5 +0000
            committer git-talk <git-talk@localhost> 5 +0000

            x

            Wiki-Revision: 3
            Wiki-Parent: 2
            Wiki-Page-Id: 1
            Wiki-Format: 1
            Wiki-Later: something \u{E9}

            """
        let (commit, parent) = try #require(RevisionCommit.parse(Array(text.utf8), wiki: "w"))
        #expect(parent == nil)
        #expect(String(decoding: commit.bytes(parent: nil), as: UTF8.self) == text)
        let child = commit.bytes(parent: someTree)
        #expect(RevisionCommit.parse(child, wiki: "w")?.commit == commit)
    }

    @Test(arguments: [
        "", "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n",
        "tree x\nauthor A <a> 5 +0000\ncommitter A <a> 5 +0000\n\nx\n",
        "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nauthor A <a> 5 +0100\ncommitter A <a> 5 +0000\n\nx\n\nWiki-Revision: 1\n",
        "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nauthor A <a> 5 +0000\ncommitter A <a> 5 +0000\n\nno trailers\n",
        "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\nauthor A <a> 5 +0000\ncommitter A <a> 5 +0000\ngpgsig x\n\nx\n\nWiki-Revision: 1\n",
    ])
    func refusesOtherCommits(text: String) {
        #expect(RevisionCommit.parse(Array(text.utf8), wiki: "w") == nil)
    }

    /// Numbers have one form, or two readers would find two revisions in one commit.
    @Test(arguments: [
        ("Wiki-Revision: 3", "Wiki-Revision: +3"), ("Wiki-Revision: 3", "Wiki-Revision: 03"),
        ("Wiki-Parent: 2", "Wiki-Parent: -0"), ("Wiki-Page-Id: 1", "Wiki-Page-Id:  1"),
        ("<A@w> 5 ", "<A@w> +5 "), ("<A@w> 5 ", "<A@w> 05 "), ("<A@w> 5 ", "<A@w>_5 "),
    ])
    func refusesNumbersOfAnotherForm(number: String, other: String) {
        let text = """
            tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904
            author A <A@w> 5 +0000
            committer git-talk <git-talk@localhost> 5 +0000

            x

            Wiki-Revision: 3
            Wiki-Parent: 2
            Wiki-Page-Id: 1
            Wiki-Format: 1

            """
        #expect(RevisionCommit.parse(Array(text.utf8), wiki: "w") != nil)
        #expect(text.contains(number))
        #expect(RevisionCommit.parse(Array(text.replacing(number, with: other).utf8), wiki: "w") == nil)
    }

    @Test func takesAsManyWordsAsFit() {
        #expect(PendingCommitText.firstWords(of: "  I\nagree,\t  really. ") == "I agree, really.")
        #expect(PendingCommitText.firstWords(of: " \n ") == "(no text)")
        let long = PendingCommitText.firstWords(of: String(repeating: "word ", count: 30))
        #expect(long == Array(repeating: "word", count: 12).joined(separator: " "))
        #expect(PendingCommitText.firstWords(of: String(repeating: "x", count: 99)).count == 60)
        #expect(PendingCommitText.firstWords(of: "a\0b") == "a b")
    }
}

/// git's empty tree.
let someTree = ObjectID(hex: "4b825dc642cb6eb9a060e54bf8d69288fbee4904")!
