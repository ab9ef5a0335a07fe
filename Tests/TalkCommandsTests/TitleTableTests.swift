import Foundation
import TalkPages
import TalkSync
import TalkTestSupport
import Testing

@testable import TalkCommands

/// Names of pages that have broken other programs, on a real MediaWiki: what a wiki accepts lives through everything a
/// page goes through here, and leaves through git and comes back as it was.
///
/// The numbers are those of the collected reports. What is not about a page's name is tested elsewhere: time and
/// order of revisions (B29) in `UnionTests`, long histories and many titles (B31, B32) in `APIClientTests`, hidden
/// parts (B34) in `APIClientTests` and `PageFateTests`, idents (B28, B35) in `CommitTextTests`, a page that appears
/// (B37) in `PageFateTests`.
@Suite(.temporaryDirectory, .testWiki) struct TitleTableTests {
    struct Row: Sendable {
        /// The report.
        let report: String
        /// What a user types.
        let typed: String
        /// The title as the wiki writes it.
        let title: String
        /// The branch without the wiki; nil for one that is cut, whose hash `RefComponentTests` knows.
        let branch: String?

        init(_ report: String, _ typed: String, _ title: String? = nil, _ branch: String?) {
            self.report = report
            self.typed = typed
            self.title = title ?? typed
            self.branch = branch
        }
    }

    static let accepted: [Row] = [
        Row("B01", "Talk:" + String(repeating: "a", count: 255), "Talk:A" + String(repeating: "a", count: 254), nil),
        Row("B01", "Talk:" + String(repeating: "த", count: 85), nil, nil),
        Row("B02", "Talk:Z" + String(repeating: "z", count: 253) + "1", nil, nil),
        Row("B02", "Talk:Z" + String(repeating: "z", count: 253) + "2", nil, nil),
        Row("B04", "User talk:Folder", nil, "User_talk/Folder"),
        Row("B04", "User talk:Folder/B", nil, "User_talk/Folder%2FB"),
        Row("B04", "User talk:Folder/B/C", nil, "User_talk/Folder%2FB%2FC"),
        Row("B05", "Talk:Armies of Exigo", nil, "Talk/Armies_of_Exigo"),
        Row("B07", "File talk:X.png", nil, "File_talk/X.png"),
        Row("B07", "image_TALK:Y.png", "File talk:Y.png", "File_talk/Y.png"),
        Row("B07", "Talk:Pathway:WP22", nil, "Talk/Pathway%3AWP22"),
        Row("B08", "Talk:A? B*C \"D\"", nil, "Talk/A%3F_B%2AC_%22D%22"),
        Row("B08", "Talk:Back\\slash^~", nil, "Talk/Back%5Cslash%5E%7E"),
        Row("B10", "Talk:.git", nil, "Talk/%2Egit"), Row("B10", "Talk:.GIT", nil, "Talk/%2EGIT"),
        Row("B10", "Talk:.g\u{200C}it", nil, "Talk/%2Eg\u{200C}it"),
        Row("B10", "Talk:Git~1", nil, "Talk/Git%7E1"), Row("B10", "Talk:.gitattributes", nil, "Talk/%2Egitattributes"),
        Row("B10", "Talk:.gitmodules", nil, "Talk/%2Egitmodules"), Row("B10", "Talk:...", nil, "Talk/%2E%2E%2E"),
        Row("B11", "Talk:.hack", nil, "Talk/%2Ehack"), Row("B11", "Talk:あ/い.う/", nil, "Talk/あ%2Fい.う%2F"),
        Row("B11", "Talk:A//B", nil, "Talk/A%2F%2FB"), Row("B11", "Talk:A//B.", nil, "Talk/A%2F%2FB%2E"),
        Row("B13", "Talk:C++", nil, "Talk/C++"), Row("B14", "Talk:AC/DC", nil, "Talk/AC%2FDC"),
        Row("B14", "Talk:/r/place", nil, "Talk/%2Fr%2Fplace"),
        Row("B14", "Talk:100% = 50%zz", nil, "Talk/100%25_%3D_50%25zz"),
        Row("B16", "Talk:İznik", nil, "Talk/İznik"),
        Row("B16", "Talk:Ame\u{301}rico", "Talk:Am\u{E9}rico", "Talk/Am\u{E9}rico"),
        Row("B17", "Talk:constructor", "Talk:Constructor", "Talk/Constructor"),
        Row("B17", "Talk:__proto__", "Talk:Proto", "Talk/Proto"), Row("B17", "Talk:HEAD", nil, "Talk/HEAD"),
        Row("B17", "Talk:config", "Talk:Config", "Talk/Config"), Row("B17", "Pending", nil, "Main/Pending"),
        Row("B17", "Main", nil, "Main/Main"), Row("B17", "Talk:Index", nil, "Talk/Index"),
        Row("B17", "Talk:Null", nil, "Talk/Null"), Row("B17", "Talk:@", nil, "Talk/%40"),
        Row("B17", "Talk:-o option", nil, "Talk/%2Do_option"), Row("B17", "Talk:Con", nil, "Talk/Con"),
        Row("B19", "talk:paris", "Talk:Paris", "Talk/Paris"),
        Row("B20", "User talk:abc", "User talk:Abc", "User_talk/Abc"),
        Row("B20", "User talk:ABC", nil, "User_talk/ABC"),
        Row("B22", "Talk:Podfile.lock", nil, "Talk/Podfile%2Elock"), Row("B22", "Talk:Podfile", nil, "Talk/Podfile"),
        Row(
            "B35", "User talk:2001:db8::a", "User talk:2001:DB8:0:0:0:0:0:A",
            "User_talk/2001%3ADB8%3A0%3A0%3A0%3A0%3A0%3AA"),
    ]

    static let refused: [(report: String, typed: String, words: String)] = [
        ("B01", "Talk:" + String(repeating: "a", count: 256), "it is longer than 255 bytes"),
        ("B08", "Talk:A|B", "it contains “|”"), ("B08", "Talk:A<B>", "it contains “<”"),
        ("B10", "Talk:..", "it contains “.” or “..” as a step"), ("B10", "Talk:../../.git", "as a step"),
        ("B07", "Talk:File:X.png", "cannot stand together"), ("B16", "Talk:Am%C3%A9rico", "percent sign"),
        ("B23", "a|b", "it contains “|”"), ("B28", "Talk:a\nb", "control character"),
    ]

    /// Its headings would all be files that git fears, were they names as they are.
    private func text(_ row: Row, _ number: Int) -> String {
        let headings = [".git", "..", "git~1", ".gitmodules", "HEAD", "\u{200E}Question\u{200E}", "A \"b\" \\ c"]
        let comments = headings.enumerated().map { index, heading in
            "== \(heading) ==\nHow? [[User:Bob|Bob]] ([[User talk:Bob|talk]]) 10:0\(index), 1 March 2024 (UTC)\n"
        }
        let more =
            number == 1
            ? "" : ":New in \(row.report). [[User:Carol|Carol]] ([[User talk:Carol|talk]]) 11:00, 1 March 2024 (UTC)\n"
        return comments.joined() + more
    }

    /// Writes every page of the table, quicker than by a program of its own for each.
    private func write(_ number: Int, _ wiki: TestWiki) async throws {
        let api = MediaWikiAPI(endpoint: wiki.api.absoluteString, settings: NetworkSettings(userAgent: "test"))
        let admin = TestWiki.Account.admin
        try await api.login(user: admin.botName, botPassword: admin.password)
        for row in Self.accepted {
            let request = EditRequest(
                page: .title(row.typed), text: text(row, number), summary: "\"\(row.report)\" \\ \(number)", base: nil,
                started: nil, existence: number == 1 ? .mustNotExist : .mustExist, account: admin.name)
            guard case .saved = await api.edit(request) else {
                Issue.record("\(row.report) \(row.typed) was not saved: \(await api.edit(request))")
                continue
            }
        }
    }

    @Test func everyNameThatAWikiTakesLivesThroughEverything() async throws {
        let wiki = try TestWiki.required()
        let program = try TestProgram()
        try await write(1, wiki)
        await program.run("pull", wiki.url.absoluteString + "wiki/Talk:Old_stone_bridge")
        let key = try #require(
            try program.git("for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads")
                .split(separator: "\n").first { $0.contains("/") }?.split(separator: "/").first)
        let first = await program.run(["pull"] + Self.accepted.map(\.typed))
        #expect(first.exitCode == .done, "\(first.error)")
        try await write(2, wiki)
        let second = await program.run("pull")
        #expect(second.exitCode == .done, "\(second.error)")
        #expect(second.error == "" || !second.error.contains("git-talk:"), "\(second.error)")

        let branches = Set(
            try program.git("for-each-ref", "--format=%(refname:lstrip=3)", "refs/heads/\(key)")
                .split(separator: "\n").map(String.init))
        #expect(branches.count == Self.accepted.count + 1)
        let list = await program.run("list").output
        for row in Self.accepted {
            let name = Comment(rawValue: "\(row.report) \(row.typed)")
            if let branch = row.branch {
                #expect(branches.contains { Array($0.utf8) == Array(branch.utf8) }, name)
            }
            for typed in [row.typed, row.title, wiki.url.absoluteString + "w/index.php?title=" + escaped(row.title)] {
                let shown = await program.run("show", typed)
                #expect(shown.exitCode == .done, "\(typed): \(shown.error)")
                #expect(shown.output.hasPrefix(row.title + "  "), name)
                #expect(shown.output.contains("New in \(row.report)."), name)
            }
            #expect(list.contains(row.title), name)
            let log = await program.run("log", row.typed)
            #expect(
                log.output.contains("\"\(row.report)\" \\ 1") && log.output.contains("\"\(row.report)\" \\ 2"),
                "\(row.typed): \(log.output)\(log.error)")
            let diff = await program.run("diff", row.typed)
            #expect(
                diff.exitCode == .done && diff.output.contains("New in \(row.report)."), "\(row.typed): \(diff.error)")
            #expect(await program.run("show", row.typed + "#Question").output.contains("Question"), name)
            let code = await program.run("reply", row.typed, "c-Carol", "-m", "Mine.")
            #expect(code.exitCode == .done, "\(row.typed): \(code.error)")
        }
        try await leavesAndComesBack(program, String(key))
    }

    private func escaped(_ title: String) -> String {
        title.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? title
    }

    /// Over a hub that git alone made, to a store that never asked the wiki for these pages.
    private func leavesAndComesBack(_ program: TestProgram, _ key: String) async throws {
        let place = TemporaryDirectory.current
        let hub = place.appending(path: "hub.git").path
        let heads = ["for-each-ref", "--format=%(objectname) %(refname)", "refs/heads/\(key)", "refs/heads/main"]
        let own = try runGit(heads, in: program.store.path).output
        let clone = try runGit(["clone", "-q", "--bare", program.store.path, hub], in: place.path)
        #expect(clone.status == 0, "\(clone.output)")
        #expect(try runGit(["for-each-ref", "--format=%(objectname) %(refname)"], in: hub).output == own)
        #expect(try runGit(["fsck", "--strict", "--no-dangling"], in: hub).output == "")
        #expect(try program.git("fsck", "--strict", "--no-dangling") == "")

        let work = place.appending(path: "work").path
        let protected = ["-c", "core.protectNTFS=true", "-c", "core.protectHFS=true"]
        _ = try runGit(protected + ["clone", "-q", hub, work], in: place.path)
        for line in own.split(separator: "\n") {
            let name = String(line.split(separator: " ")[1].dropFirst("refs/heads/".count))
            let checkout = try runGit(
                protected + ["checkout", "-q", "--detach", "refs/remotes/origin/" + name], in: work)
            #expect(checkout.status == 0, "\(name): \(checkout.output)")
            #expect(try runGit(["status", "--porcelain"], in: work).output == "", "\(name)")
            // What Windows takes as well.
            for component in name.split(separator: "/") {
                #expect(component.utf8.count <= 250 && component.last != "." && component.last != " ")
                #expect(!component.contains { "<>:\"|?*\\".contains($0) }, "\(name)")
            }
            let files = try runGit(["ls-tree", "-rz", "--name-only", "HEAD"], in: work).output
            #expect(!files.contains { "<>:\"|?*\\".contains($0) }, "\(name): \(files)")
        }

        let other = try TestProgram(in: place.appending(path: "other"))
        let wiki = try TestWiki.required()
        await other.run("pull", wiki.url.absoluteString + "wiki/Talk:Old_stone_bridge")
        try other.git("fetch", "-q", hub, "+refs/heads/\(key)/*:refs/heads/\(key)/*")
        #expect(try runGit(heads, in: other.store.path).output == own)
        #expect(try other.git("fsck", "--strict", "--no-dangling") == "")
        for row in Self.accepted {
            let pull = await other.run("pull", row.typed)
            #expect(pull.exitCode == .done, "\(row.typed): \(pull.error)")
            let shown = await other.run("show", row.typed)
            #expect(shown.output.contains("New in \(row.report)."), "\(row.typed): \(shown.error)")
        }
        #expect(try runGit(heads, in: other.store.path).output == own)
    }

    @Test func whatAWikiRefusesIsSaidBeforeItIsAsked() async throws {
        let wiki = try TestWiki.required()
        let program = try TestProgram()
        await program.run("pull", wiki.url.absoluteString + "wiki/Talk:Old_stone_bridge")
        for (report, typed, words) in Self.refused {
            let result = await program.run("pull", typed)
            #expect(result.exitCode == .failure, "\(report) \(typed)")
            #expect(result.error.contains(words), "\(report) \(typed): \(result.error)")
        }
        #expect(try program.git("for-each-ref", "refs/heads").split(separator: "\n").count == 2)
    }

    /// Authors that are no plain names (B13, B28, B35), and words of a summary that are no plain words.
    @Test func authorsAndSummariesAreKeptToTheLetter() async throws {
        let wiki = try TestWiki.required()
        let program = try TestProgram()
        let title = TestWiki.newTitle("Authors")
        let authors = ["A+B", "C \"D\" \\ E", "F'; G", "日本", "H.I ", "J,K"]
        for (number, author) in authors.enumerated() {
            try wiki.edit(
                title, to: "== T ==\n\(number)\n",
                as: TestWiki.Account(name: author.trimmingCharacters(in: .whitespaces)),
                summary: "\"q\" \\ b\nnext <x> %s \(number)")
        }
        await program.run("pull", wiki.url.absoluteString + "wiki/Talk:Old_stone_bridge")
        let pull = await program.run("pull", title, with: [:])
        #expect(pull.exitCode == .done, "\(pull.error)")
        let log = await program.run("log", title)
        for (number, author) in authors.enumerated().suffix(3) {
            #expect(log.output.contains(author.trimmingCharacters(in: .whitespaces)), "\(author): \(log.output)")
            #expect(log.output.contains("\"q\" \\ b next <x> %s \(number)"), "\(author): \(log.output)")
        }
        #expect(try program.git("fsck", "--strict", "--no-dangling") == "")
    }

    /// A wiki with its own names of namespaces (B07), where the first letter's case matters (B19).
    @Test func aWikiMayNameItsNamespacesAndTellCases() async throws {
        try await TestWiki.withPrivateWiki { wiki in
            try wiki.set("LanguageCode", to: "fr")
            try wiki.set("CapitalLinks", to: "false")
            for title in ["Discussion utilisateur:X", "Discussion:paris", "Discussion:Paris"] {
                try wiki.edit(title, to: "== T ==\n\(title)\n")
            }
            let program = try TestProgram()
            let first = await program.run("pull", wiki.url.absoluteString + "wiki/Discussion:paris")
            #expect(first.exitCode == .done, "\(first.error)")
            let all = await program.run(
                "pull", "Discussion:Paris", "Discussion_utilisateur:X", "user talk:X", "discussion Utilisateur:X")
            #expect(all.exitCode == .done, "\(all.error)")
            let names = try program.git("for-each-ref", "--format=%(refname:lstrip=3)", "refs/heads")
                .split(separator: "\n").filter { $0.contains("/") }
            #expect(names.sorted() == ["Talk/Paris", "Talk/paris", "User_talk/X"])
            #expect(await program.run("show", "talk:paris").output.hasPrefix("Discussion:paris  "))
            #expect(await program.run("show", "User talk:X").output.hasPrefix("Discussion utilisateur:X  "))
        }
    }
}
