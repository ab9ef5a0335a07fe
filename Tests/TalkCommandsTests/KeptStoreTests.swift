import Foundation
import TalkPages
import TalkStore
import TalkTestSupport
import Testing

@testable import TalkCommands

/// Format 1 is frozen: a store that was made once is read, shown and continued by every later program.
@Suite(.temporaryDirectory) struct KeptStoreTests {
    static let directory = SharedData.repositoryRoot.appending(path: "Tests/Store")
    private static let archive = directory.appending(path: "store-1.tar.gz")

    var place: URL { TemporaryDirectory.current.appending(path: "store") }

    /// The kept store, unpacked; `GIT_TALK_UPDATE_GOLDEN=1` makes it anew.
    func unpack() async throws -> TestProgram {
        let program = try TestProgram()
        if ProcessInfo.processInfo.environment["GIT_TALK_UPDATE_GOLDEN"] == "1" {
            try await write()
        } else {
            try tool("tar", "-xzf", Self.archive.path, "-C", TemporaryDirectory.current.path)
        }
        return program
    }

    /// As on another machine, with nothing of this one in it.
    private func write() async throws {
        _ = try await KeptStore.make(at: place.path)
        try tool(
            "git", "config", "--file", "\(place.path)/.git/config", "core.hooksPath",
            "/home/ann/.local/share/git-talk/.git/hooks")
        try tool(
            "tar", "--sort=name", "--mtime=@1709300000", "--owner=0", "--group=0", "--numeric-owner", "-C",
            TemporaryDirectory.current.path, "--exclude=store/.git/git-talk/visits/*/*/*", "-cf",
            "\(Self.archive.path).new", "store")
        // The time of a visit is what it says.
        try tool(
            "tar", "--owner=0", "--group=0", "--numeric-owner", "-C", TemporaryDirectory.current.path, "-rf",
            "\(Self.archive.path).new", "store/.git/git-talk/visits/en.wiki.example/User_talk/Bob")
        try tool("sh", "-c", "gzip -9n <'\(Self.archive.path).new' >'\(Self.archive.path)'")
        try FileManager.default.removeItem(atPath: "\(Self.archive.path).new")
    }

    @discardableResult
    func tool(_ words: String...) throws -> Data {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw TalkError(.internal, "\(words.joined(separator: " ")) ended with \(process.terminationStatus)")
        }
        return output
    }

    private func references(_ program: TestProgram) throws -> String {
        try program.git("for-each-ref", "--format=%(objectname) %(refname)")
    }

    static let pages = [
        "Pump", "Foot bridge / \"north\"", "Footbridge", "Old Stone Bridge", KeptStore.long.title, "Bob", "Fluß",
    ]

    func shown(_ title: String) -> String {
        switch title {
        case "Pump": title
        case "Ann", "Bob": "User talk:\(title)"
        case "Fluß": "http://localhost:8080/wiki/index.php/Diskussion:Fluß"
        default: "Talk:\(title)"
        }
    }

    @Test func whatTheProgramTellsOfTheKeptStoreStaysTheSame() async throws {
        let program = try await unpack()
        var text = "references\n" + (try references(program))
        for words in [["list", "--json"], ["outbox", "--json"], ["bookmark", "list", "--json"]] {
            let result = await program.run(words)
            #expect(result.exitCode == .done, "\(result.error)")
            text += "\n\(words.joined(separator: " "))\n\(result.output)"
        }
        for title in Self.pages {
            for verb in [["log", "--all"], ["show", "--json"]] {
                let result = await program.run(verb + [shown(title)])
                #expect(result.exitCode == .done, "\(title): \(result.error)")
                text += "\n\(verb.joined(separator: " ")) \(shown(title))\n\(result.output)"
            }
        }
        try expectGolden(text, "store-1.txt")
        let (status, problems) = try runGit(["fsck", "--strict", "--no-dangling"], in: program.store.path)
        #expect(status == 0 && !problems.contains("error") && !problems.contains("warning"), "\(problems)")
    }

    @Test func theSameStoreMadeTodayHasTheSameCommits() async throws {
        let kept = try references(await unpack())
        let other = TemporaryDirectory.current.appending(path: "other").path
        _ = try await KeptStore.make(at: other)
        #expect(try runGit(["for-each-ref", "--format=%(objectname) %(refname)"], in: other).output == kept)
        #expect(kept.split(separator: "\n").count == 16, "\(kept)")
    }

    /// Today's program goes on where the one that made the store ended.
    @Test func aPullAddsARevisionToTheKeptStore() async throws {
        let program = try await unpack()
        let paper = PaperPages(), store = try Store.open(at: program.store.path)
        let html = "<p>About the bridge.</p>" + KeptStore.answered + KeptStore.ramp
        paper.set(
            "Talk:Old Stone Bridge",
            [
                .init(11, html, at: 11), .init(12, html, at: 12), .init(13, html, at: 13), .init(14, html, at: 14),
                .init(15, html + "<p>A word more.</p>", by: "Dora", "more", at: 15),
            ])
        var wiki = try #require(try store.wiki(KeptStore.english.key))
        wiki.api = paper.api
        wiki.asked = Int64(Date().timeIntervalSince1970)
        try await store.save(wiki)
        let pull = await program.run("pull", "Talk:Old Stone Bridge")
        #expect(pull.exitCode == .done, "\(pull.error)")
        let branch = "refs/heads/en.wiki.example/Talk/Old_Stone_Bridge"
        let lines = try program.git("cat-file", "commit", branch).split(
            separator: "\n", omittingEmptySubsequences: false)
        #expect(
            lines.dropFirst(2) == [
                "author Dora <Dora@en.wiki.example> 1709295300 +0000",
                "committer git-talk <git-talk@localhost> 1709295300 +0000", "", "more", "", "Wiki-Revision: 15",
                "Wiki-Parent: 14", "Wiki-Page-Id: 11", "Wiki-Format: 1", "",
            ])
        // Both worked out without this program.
        #expect(lines.first == "tree e1e30b19f68379d0b34bfdb3f9cc1f1ec2c5f6e0")
        #expect(try program.git("rev-parse", branch) == "40c0482dc63038a2fa3de3c6955948336dd4386d\n")
        // What waits stands on it, and a trailer of a newer program is where it was.
        #expect(
            try program.git("log", "--format=%s", "-3", "refs/heads/pending/en.wiki.example/Talk/Old_Stone_Bridge")
                == "And at the end?\nI measured it: 4.2 m. In \"the middle\".\nmore\n")
        let record = RevisionRecord(
            id: RevisionID(rawValue: 60), parent: RevisionID(rawValue: 0), page: PageID(rawValue: 61),
            timestamp: KeptStore.noon, user: "Ann", summary: "", isMinor: false, format: 1)
        try await store.add([(record, PageContent(lede: "<p>Well.</p>\n", sections: []))], to: KeptStore.main)
        let main = try program.git(
            "log", "--format=%(trailers:key=Wiki-Tag,separator=%x2C)%s", "refs/heads/en.wiki.example/Main/Pump")
        #expect(main == "Wiki-Tag: mobile edithandle\npump\n(no summary)\n")
        #expect(try runGit(["fsck", "--strict"], in: program.store.path).status == 0)
    }

    /// A store that this program does not know is left as it is, whatever is asked of it.
    @Test(arguments: ["2", "0", "-1", "1.5", "many", "99999999999999999999", nil])
    func anotherFormatIsRefusedByEveryVerb(format: String?) async throws {
        let program = try await unpack()
        let configuration = "\(program.store.path)/.git/config"
        let setting = format.map { ["talk.format", $0] } ?? ["--unset", "talk.format"]
        _ = try runGit(["config", "--file", configuration] + setting, in: program.store.path)
        let before = try BuiltProgram.listing(program.store)
        for verb in Verbs.all where verb.group != .plumbing {
            let words: [[String]] =
                switch verb.name {
                case "list", "sync", "exchange", "init", "setup-diff": [[]]
                case "doctor": [[], ["--check"]]
                case "serve": [["--port", "0"]]
                case "outbox": [[], ["drop", KeptStore.replyIDs[0]], ["ack"]]
                case "bookmark": [["list"], ["add", "Talk:Footbridge"]]
                case "wiki": [[], ["default", "en.wiki.example"]]
                case "reply": [["Talk:Old Stone Bridge", "c-Bob", "-m", "x"]]
                case "new": [["Talk:Footbridge", "-s", "Heading", "-m", "x"]]
                case "login": [["https://en.wiki.example"]]
                default: [["Talk:Old Stone Bridge"]]
                }
            for more in words {
                let result = await program.run([verb.name] + more)
                #expect(result.exitCode == .damaged, "\(verb.name) \(more): \(result.error)")
                let reason =
                    switch format {
                    case "2": "has format 2, this git-talk knows 1\nhint: install a newer git-talk\n"
                    case nil: "is there but is no store of git-talk\nhint: name an empty or a new directory\n"
                    default: "does not say which format it has\nhint: set talk.format in \(configuration) to 1\n"
                    }
                #expect(result.error.hasSuffix(reason), "\(verb.name): \(result.error)")
            }
        }
        #expect(try BuiltProgram.listing(program.store) == before)
        #expect(throws: TalkError.self) {
            try tool("python3", Self.directory.appending(path: "read-store.py").path, place.path)
        }
    }
}
