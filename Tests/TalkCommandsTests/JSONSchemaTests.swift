import Foundation
import TalkTestSupport
import Testing

@testable import TalkCommands

/// Every output for programs is what its schema in `Schema/cli` says, and the schema names every member.
@Suite(.temporaryDirectory) struct JSONSchemaTests {
    private static let schemas = SharedData.repositoryRoot.appending(path: "Schema/cli")

    /// The schemas let members come; here each member must be described.
    private func schema(_ verb: String) throws -> JSONSchema {
        let text = try String(contentsOf: Self.schemas.appending(path: "\(verb).schema.json"), encoding: .utf8)
        return try JSONSchema(
            Data(text.replacing(#""additionalProperties": true"#, with: #""additionalProperties": false"#).utf8))
    }

    func expectValid(
        _ result: TestProgram.Result, _ verb: String, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let problems = try schema(verb).problems(in: Data(result.output.utf8))
        #expect(problems == [], "\(result.output)\(result.error)", sourceLocation: sourceLocation)
    }

    @Test func everyVerbHasASchemaAndNoOther() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.schemas.path)
        #expect(files.sorted() == Verbs.all.filter { $0.group != .plumbing }.map { "\($0.name).schema.json" }.sorted())
    }

    @Test func everySchemaSaysWhatItsMembersAre() throws {
        for verb in Verbs.all where verb.group != .plumbing {
            let file = Self.schemas.appending(path: "\(verb.name).schema.json")
            let root = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
            #expect(root["$id"] as? String == file.lastPathComponent)
            var open: [(String, [String: Any])] = [("$", root)]
            while let (place, schema) = open.popLast() {
                #expect(
                    (schema["description"] as? String)?.hasSuffix(".") == true || schema["$ref"] != nil
                        || place.hasSuffix("[]"), "\(verb.name) \(place)")
                if schema["type"] as? String == "object" {
                    #expect(schema["additionalProperties"] as? Bool == true, "\(verb.name) \(place)")
                }
                for key in ["properties", "$defs"] {
                    for (name, member) in schema[key] as? [String: [String: Any]] ?? [:] {
                        open.append(("\(place).\(name)", member))
                    }
                }
                if let items = schema["items"] as? [String: Any] { open.append((place + "[]", items)) }
            }
        }
    }

    @Test func readingAndWriting() async throws {
        let paper = PaperWiki()
        let program = try TestProgram()
        let pull = await program.run("pull", paper.page, "Special:Version", "--json")
        try expectValid(pull, "pull")
        #expect(pull.exitCode == .failure)
        let pulled = try pull.json()
        #expect((pulled["pages"] as? [[String: Any]])?.first?["first"] as? Bool == true)
        #expect((pulled["errors"] as? [[String: Any]])?.first?["kind"] as? String == "invalid")

        paper.append("<p>A later word. Bob</p>")
        try expectValid(await program.run("pull", "Talk:Bridge", "--json"), "pull")
        try expectValid(await program.run("pull", "--json"), "pull")
        let reply = await program.run("reply", "Talk:Bridge", "c-Carol", "-m", "Thanks.", "--json")
        try expectValid(reply, "reply")
        let topic = await program.run("new", "Talk:Bridge", "-s", "Its age", "-m", "Old.", "--json")
        try expectValid(topic, "new")
        #expect(try topic.json()["heading"] as? String == "Its age")
        let id = try #require(try topic.json()["id"] as? String)
        let answer = await program.run("reply", "Talk:Bridge", id, "-m", "Very.", "--json")
        try expectValid(answer, "reply")
        #expect(try answer.json()["target"] as? String == "pending:\(id)")
        try expectValid(await program.run("new", "Talk:Elsewhere", "-s", "A", "-m", "B", "--json"), "new")
        let show = await program.run("show", "Talk:Bridge", "--json")
        try expectValid(show, "show")
        #expect(try show.json()["revisionUser"] as? String == "Bob")
        let items = try #require(try show.json()["items"] as? [[String: Any]])
        #expect(items.contains { $0["pending"] as? String == (try? reply.json()["id"] as? String) })
        try expectValid(await program.run("show", "Talk:Bridge#Ramp", "--json"), "show")
        try expectValid(await program.run("list", "--json"), "list")
        let log = await program.run("log", "Talk:Bridge", "--json")
        try expectValid(log, "log")
        #expect((try log.json()["revisions"] as? [[String: Any]])?.compactMap { $0["revision"] as? Int } == [12, 11])
        try expectValid(await program.run("wiki", "--json"), "wiki")
        let outbox = await program.run("outbox", "--json")
        try expectValid(outbox, "outbox")
        let first = try #require((try outbox.json()["entries"] as? [[String: Any]])?.first?["id"] as? String)
        let one = await program.run("outbox", "show", first, "--json")
        try expectValid(one, "outbox")

        for step in [PaperWiki.Step.check, .revisions] { paper.answer(step, with: .error("readonly")) }
        let sync = await program.run("sync", "--json")
        try expectValid(sync, "sync")
        #expect(sync.exitCode == .later)
        #expect((try sync.json()["errors"] as? [[String: Any]])?.first?["kind"] as? String == "unreachable")
        let list = await program.run("list", "--json")
        try expectValid(list, "list")
        #expect((try list.json()["pages"] as? [[String: Any]])?.first?["failure"] is String)
    }

    @Test func whatIsGone() async throws {
        let paper = PaperPages(), program = try TestProgram()
        let topic = { (name: String) in #"<h2><span class="mw-headline" id="\#(name)">\#(name)</span></h2>"# }
        let first = PaperPages.Revision(10, topic("A") + topic("B"))
        paper.set("Talk:Bridge", [first])
        await program.run("pull", "\(paper.url)/wiki/Talk:Bridge")
        paper.set("Talk:Bridge", [first, PaperPages.Revision(11, topic("A"), by: "Eve", "to [[/Archive]]")])
        let pull = await program.run("pull", "--json")
        try expectValid(pull, "pull")
        let pages = try pull.json()["pages"] as? [[String: Any]]
        let removal = try #require((pages?.first?["removals"] as? [[String: Any]])?.first)
        #expect(removal["heading"] as? String == "B" && removal["revision"] as? Int == 11)
        #expect(removal["user"] as? String == "Eve" && removal["destination"] as? String == "Talk:Bridge/Archive")
        paper.set("Talk:Bridge", [])
        try expectValid(await program.run("pull", "--json"), "pull")
        for verb in ["pull", "sync"] {
            let result = await program.run(verb, "--json")
            try expectValid(result, verb)
            #expect((try result.json()["missing"] as? [Any])?.count == 1)
        }
    }

    @Test func choosingTheDefaultWiki() async throws {
        let paper = PaperWiki()
        let program = try TestProgram()
        await program.run("pull", paper.page)
        let wikis = try await program.run("wiki", "--json").json()["wikis"] as? [[String: Any]]
        let key = try #require(wikis?.first?["key"] as? String)
        let chosen = await program.run("wiki", "default", key, "--json")
        try expectValid(chosen, "wiki")
        #expect((try chosen.json()["wikis"] as? [[String: Any]])?.first?["isDefault"] as? Bool == true)
    }

    @Test(.testWiki) func talkingToAWiki() async throws {
        let wiki = try TestWiki.required()
        let title = TestWiki.newTitle("Schemas")
        try wiki.edit(title, to: EndToEndTests.text)
        let program = try TestProgram()
        let account = TestWiki.Account.alice
        let login = await program.run(
            "login", wiki.url.absoluteString, "--json", input: "\(account.botName)\n\(account.password)\n")
        try expectValid(login, "login")
        #expect(try login.json()["mayEdit"] as? Bool == true)
        await program.run("pull", title)
        await program.run("reply", title, "c-Carol", "-m", "Thanks.")
        await program.run("reply", title, "h-Ramp", "-m", "A ramp.")
        try wiki.edit(title, to: EndToEndTests.text.replacing("== Ramp ==", with: "== Slope =="), as: .bob)
        let sync = await program.run("sync", "--json")
        try expectValid(sync, "sync")
        #expect(
            (try sync.json()["replies"] as? [[String: Any]])?.compactMap { $0["state"] as? String }.contains("posted")
                == true)
        try expectValid(await program.run("outbox", "--json"), "outbox")
        try expectValid(await program.run("wiki", "--json"), "wiki")
        try expectValid(await program.run("show", title, "--json"), "show")
    }
}
