import TalkGit
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore

/// What travels beside the pages is joined file by file, and nothing else gets in.
@Suite(.temporaryDirectory) struct SharedRecordTests {
    @Test func joinsAreTheSameInAnyOrder() {
        let page = "en.wiki.example/Talk/Bridge"
        let samples: [(SharedRecord, [String], String)] = [
            (.purged, ["user\n", "summary\n", "text\n"], "text user summary\n"),
            (.purged, ["revision\n", "user\n"], "user revision\n"),
            (.bookmarks, ["9\n", "10\n", "2\n"], "10\n"), (.titles, ["a\n", "b\n"], "b\n"),
        ]
        for (record, texts, end) in samples {
            for order in [texts, texts.reversed()] {
                let joined = order.reduce([:]) { record.join($0, [page: $1]) }
                #expect(joined == [page: end])
                #expect(record.join(joined, [page: order[0]]) == joined)
            }
        }
    }

    @Test(arguments: [
        ("en.wiki.example/Talk/Bridge/12", "text user\n", true),
        ("en.wiki.example/Talk/Bridge/12", "user text\n", false),
        ("en.wiki.example/Talk/Bridge/12", "everything\n", false), ("en.wiki.example/Talk/Bridge/12", "", false),
        ("en.wiki.example/Talk/Bridge/012", "text\n", false), ("en.wiki.example/Talk/Bridge/-1", "text\n", false),
        ("en.wiki.example/Talk/Bridge/x", "text\n", false), ("en.wiki.example/Talk/a%41/1", "text\n", false),
        ("../Talk/Bridge/1", "text\n", false), (".git/Talk/Bridge/1", "text\n", false),
        ("en.wiki.example/Bridge/1", "text\n", false),
        // Hosts that are called like branches of ours.
        ("%6Dain/Talk/Bridge/1", "text\n", true), ("%70ending/Talk/Bridge/1", "text\n", true),
        ("main/Talk/Bridge/1", "text\n", false), ("pending/Talk/Bridge/1", "text\n", false),
        ("Talk/%6Dain/Bridge/1", "text\n", false), ("a_b/Talk/Bridge/1", "text\n", true),
    ])
    func aPurgeIsOfARevision(path: String, text: String, isValid: Bool) {
        #expect(SharedRecord.purged.isValid(text, at: StoreLayout.names(in: path)) == isValid)
    }

    @Test(arguments: [
        ("1\n", true), ("1000\n", true), ("0\n", false), ("-1\n", false), ("01\n", false), ("1", false),
        ("1\n\n", false),
        ("99999999999999999999\n", false), ("", false),
    ])
    func aBookmarkIsACounter(text: String, isValid: Bool) {
        #expect(SharedRecord.bookmarks.isValid(text, at: ["en.wiki.example", "Talk", "Bridge"]) == isValid)
    }

    @Test func aTitleProvesItself() {
        let title = String(repeating: "long ", count: 50) + "end"
        let name = RefComponent.escape(title)
        #expect(SharedRecord.titles.isValid(title + "\n", at: ["en.wiki.example", "Talk", name]))
        #expect(!SharedRecord.titles.isValid(title + "!\n", at: ["en.wiki.example", "Talk", name]))
        #expect(!SharedRecord.titles.isValid("Bridge\n", at: ["en.wiki.example", "Talk", "Bridge"]))
    }

    @Test func aRecordIsReadAsItWasWritten() throws {
        _ = try makeStore()
        let repository = try Repository(openingAt: storePath() + "/.git")
        let files = [
            // Begins with a mark that joins with the slash before it.
            "en.wiki.example/Talk/\u{301}x": "3\n", "en.wiki.example/Talk/B": "1\n",
            "de.wiki.example/User_talk/B": "2\n",
        ]
        var batch = ObjectBatch()
        let commit = try #require(try repository.insert(.bookmarks, files, into: &batch))
        try repository.write(batch)
        #expect(try repository.files(of: .bookmarks, at: commit) == files)
        #expect(throws: GitError.self) { try repository.files(of: .purged, at: commit) }
        #expect(try repository.insert(.bookmarks, [:], into: &batch) == nil)
    }

    /// A file whose name is no number as one is written is of no revision, and so hides none of the others.
    @Test func aPurgeNamesItsRevisionInOneWay() async throws {
        let store = try makeStore()
        let repository = try Repository(openingAt: storePath() + "/.git"), path = StoreLayout.component(of: bridge)
        var batch = ObjectBatch()
        let files = ["12": "text\n", "+12": "user\n", "012": "user\n", "+7": "user\n", "x": "user\n"]
        let paths = Dictionary(uniqueKeysWithValues: files.map { ("\(path)/\($0)", $1) })
        let commit = try #require(try repository.insert(.purged, paths, into: &batch))
        try repository.write(batch)
        try repository.moveReference(SharedRecord.purged.reference, from: nil, to: commit)
        #expect(try await store.purged(of: bridge) == [RevisionID(rawValue: 12): .text])
    }
}
