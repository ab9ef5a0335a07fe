import Foundation
import TalkGit
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore

/// What is written is what `Schema/` promises.
@Suite(.temporaryDirectory) struct SchemaTests {
    /// A schema may let members come; where `isWhole`, each member must be described.
    private func schema(_ name: String, isWhole: Bool = false) throws -> JSONSchema {
        let directory = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Schema")
        let text = try String(contentsOf: directory.appending(path: name), encoding: .utf8)
        let open = #""additionalProperties": true"#, closed = #""additionalProperties": false"#
        return try JSONSchema(Data((isWhole ? text.replacing(open, with: closed) : text).utf8))
    }

    private func file(_ path: String, in store: Store) throws -> Data {
        Data(try #require(try Files.read("\(store.layout.pageDirectory(of: bridge))/\(path)")))
    }

    @Test func theFilesOfAPageAreAsTheSchemasSay() async throws {
        let store = try makeStore()
        var content = makeContent(["one", "two"])
        content.sections[0].heading = "\"Ü\\ \u{1} \u{202E}\n👩‍👩‍👧"
        try await store.add([(makeRecord(1), content)], to: bridge)
        var branch = try await store.pendingBranch(of: bridge)
        var topic = makeReply(2, text: "A\n\n: *b* \u{0}", base: 1)
        topic.kind = .topic
        topic.target = nil
        topic.heading = "New"
        var toHeading = makeReply(3)
        toHeading.target?.author = nil
        toHeading.target?.timestamp = nil
        for reply in [makeReply(1), topic, toHeading] {
            branch = try await store.appendPending(PlacedReply(reply: reply, author: "A", content: content), to: branch)
        }
        #expect(try schema("page.schema.json").problems(in: file("page.json", in: store)) == [])
        for reply in branch.commits.map(\.reply) {
            let schema = try schema("pending.schema.json", isWhole: true)
            #expect(try schema.problems(in: file("pending/\(reply.id).json", in: store)) == [])
        }
        #expect(branch.commits.map(\.reply) == [makeReply(1), topic, toHeading])
        try await store.add([(makeRecord(2), makeContent([], lede: ""))], to: bridge)
        try await store.replacePending(store.pendingBranch(of: bridge), with: [])
        #expect(try schema("page.schema.json").problems(in: file("page.json", in: store)) == [])
        #expect(try String(decoding: file("page.json", in: store), as: UTF8.self) == "{\"format\":1,\"sections\":[]}\n")
    }

    @Test(arguments: [
        ("page", #"{"format":2,"sections":[]}"#, "$.format is not number(1.0)"),
        ("page", #"{"format":1}"#, "$ lacks sections"),
        ("page", #"{"format":1,"sections":[],"revid":7}"#, "$.revid is not allowed"),
        (
            "page", #"{"format":1,"sections":[{"file":"sections/a.html","heading":"a","level":7}]}"#,
            "$.sections[0].level is above 6.0"
        ),
        (
            "page", #"{"format":1,"sections":[{"file":"sections/../a.html","heading":"a","level":2}]}"#,
            #"$.sections[0].file does not match ^sections/[^/]+\.html$"#
        ),
        ("page", "[]", "$ is no object"), ("page", "{", "it is no JSON"),
        (
            "pending",
            #"{"id":"01hf0000000000000000000000","kind":"reply","text":"","base":1,"created":1,"expires":2}"#,
            "$ matches 0 of the 2 forms"
        ),
        (
            "pending",
            #"{"id":"x","kind":"topic","heading":"h","text":"","base":1.5,"created":1,"expires":2}"#,
            "$.base is no integer"
        ),
    ])
    func theSchemasRefuseOtherFiles(name: String, text: String, problem: String) throws {
        #expect(try schema("\(name).schema.json").problems(in: Data(text.utf8)).contains(problem))
    }

    /// What a newer program knows of a reply does not keep an older one from it.
    @Test func aReplyMayHaveMembersThatNobodyKnows() async throws {
        let store = try makeStore()
        try await store.add([(makeRecord(1), makeContent(["one"]))], to: bridge)
        let branch = try await store.pendingBranch(of: bridge)
        let placed = PlacedReply(reply: makeReply(1), author: "A", content: makeContent(["one"]))
        _ = try await store.appendPending(placed, to: branch)
        let name = "\(makeReply(1).id).json", root = store.layout.root,
            tip = "refs/heads/pending/en.wiki.example/Talk/Old_Stone_Bridge"
        let later = String(decoding: try file("pending/\(name)", in: store), as: UTF8.self)
            .replacing("{\n", with: "{\n  \"later\" : [ 1 ],\n")
        #expect(try schema("pending.schema.json").problems(in: Data(later.utf8)) == [])
        // The same commit with the file of the newer program.
        func put(_ path: String, _ name: String, _ new: String) throws -> String {
            let old = try git("rev-parse", "\(tip):\(path)\(name)", in: root).prefix(40)
            let entries = try git("ls-tree", "\(tip):\(path)", in: root).replacing(old, with: new)
            return String(try git("mktree", in: root, input: entries).prefix(40))
        }
        let blob = String(try git("hash-object", "-w", "--stdin", in: root, input: later).prefix(40))
        let tree = try put("", "pending", put("pending/", name, blob))
        let old = try git("rev-parse", "\(tip)^{tree}", in: root).prefix(40)
        let commit = try git("cat-file", "commit", tip, in: root).replacing(old, with: tree)
        try git(
            "update-ref", tip,
            String(git("hash-object", "-t", "commit", "-w", "--stdin", in: root, input: commit).prefix(40)), in: root)
        #expect(try await store.pendingBranch(of: bridge).commits.map(\.reply) == [makeReply(1)])
        try await store.refresh(bridge)
        #expect(try PageReader(at: root).page(bridge)?.pending == [makeReply(1)])
        #expect(try String(decoding: file("pending/\(name)", in: store), as: UTF8.self) == later)
    }

    @Test func theValidatorRefusesASchemaThatItDoesNotKnow() throws {
        let schema = try JSONSchema(Data(#"{"type":"array","uniqueItems":true}"#.utf8))
        #expect(schema.problems(in: Data("[]".utf8)) == ["$: the validator does not know uniqueItems"])
        let referring = try JSONSchema(Data(##"{"$defs":{"n":{"minimum":3}},"items":{"$ref":"#/$defs/n"}}"##.utf8))
        #expect(referring.problems(in: Data("[3,2]".utf8)) == ["$[1] is below 3.0"])
    }

    /// Every path, reference and trailer that `STORE.md` shows is one that the code makes.
    @Test func theDescriptionNamesWhatTheCodeMakes() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Schema/STORE.md")
        let text = try String(contentsOf: file, encoding: .utf8)
        let layout = StoreLayout(root: "")
        for path in [
            layout.lock, layout.senderLock, layout.outboxLock, layout.recoveryMark, layout.outbox, layout.states,
            layout.stagings,
            layout.wikis,
        ] {
            #expect(text.contains(path.replacing("/.git/", with: "")), "\(path)")
        }
        let names = [
            "refs/heads/main", "refs/heads/pending/", "refs/discarded/", PageStamp.name, "Wiki-Revision", "Wiki-Parent",
            "Wiki-Page-Id", "Wiki-Minor", "Wiki-Format", "Wiki-Render", "Pending-Id", "Pending-Target", "Wiki-Base",
            RevisionCommit.noSummary, RevisionCommit.hiddenSummary, RevisionCommit.hiddenUser, "talk.format",
            "c2c974d1242f1a00b309cb849ecd3298e01819b8", "page.schema.json", "pending.schema.json",
        ]
        for name in names { #expect(text.contains(name), "\(name)") }
    }
}
