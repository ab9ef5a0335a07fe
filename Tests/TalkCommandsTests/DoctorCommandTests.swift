import Foundation
import TalkPages
import TalkStore
import TalkTestSupport
import Testing

@testable import TalkCommands

/// `doctor` as a user meets it, and that a pull brings what was damaged: the store is then as if nothing had happened.
@Suite(.temporaryDirectory) struct DoctorCommandTests {
    private static let comment =
        #"<h2><span class="mw-headline" id="A">A</span></h2><p>How wide? "#
        + #"<a href="/wiki/User:Bob" title="User:Bob">Bob</a> 10:00, 1 March 2024 (UTC)</p>"#

    private let paper = PaperPages()

    private func revisions(_ ids: ClosedRange<Int>) -> [PaperPages.Revision] {
        ids.map { PaperPages.Revision($0, Self.comment + "<p>Number \($0).</p>") }
    }

    /// A store with five revisions of a page, which came with three pulls.
    private func prepared() async throws -> TestProgram {
        let program = try TestProgram()
        for last in 13...15 {
            paper.set("Talk:A", revisions(11...last))
            try #require(await program.run("pull", "\(paper.url)/wiki/Talk:A").exitCode == .done)
        }
        return program
    }

    private func branch(_ program: TestProgram) throws -> String {
        let names = try program.git("for-each-ref", "--format=%(refname)", "refs/heads").split(separator: "\n")
        return String(try #require(names.first { $0.hasSuffix("/Talk/A") && !$0.contains("/pending/") }))
    }

    /// Makes every object loose, so that each can be damaged by itself.
    private func unpack(_ program: TestProgram) throws {
        let packs = program.store.appending(path: ".git/objects/pack")
        for name in try FileManager.default.contentsOfDirectory(atPath: packs.path) where name.hasSuffix(".pack") {
            let pack = packs.appending(path: name), away = program.home.appending(path: name)
            try FileManager.default.moveItem(at: pack, to: away)
            try FileManager.default.removeItem(atPath: pack.path.replacing(".pack", with: ".idx"))
            let line = "git -C '\(program.store.path)/.git' unpack-objects -q < '\(away.path)'"
            let process = Process()
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments = ["-c", line]
            try process.run()
            process.waitUntilExit()
            try #require(process.terminationStatus == 0)
        }
    }

    private func damage(_ name: String, _ program: TestProgram, _ bytes: String = "") throws {
        let id = try program.git("rev-parse", name).dropLast()
        let file = program.store.appending(path: ".git/objects/\(id.prefix(2))/\(id.dropFirst(2))")
        try FileManager.default.removeItem(at: file)
        try Data(bytes.utf8).write(to: file)
    }

    @Test func aSoundStoreIsSaidToBeSound() async throws {
        let program = try await prepared()
        for words in [["doctor", "--check"], ["doctor"]] {
            let result = await program.run(words)
            #expect(result.exitCode == .done && result.output == "the store is sound\n", "\(result)")
        }
        #expect(await program.run("doctor", "now").exitCode == .usage)
        let none = await program.run("doctor", "--store", program.home.path + "/none")
        #expect(none.exitCode == .failure && none.error.contains("there is no store"))
    }

    @Test(arguments: [
        "~0", "~1", "~4", "~0^{tree}", "~2^{tree}", "~1:page.json", "~3:sections/A.html", "~0:sections/A.html",
    ]) func aPullBringsWhatWasDamaged(_ place: String) async throws {
        let program = try await prepared()
        let branch = try branch(program), tip = try program.git("rev-parse", branch)
        await program.run("reply", "Talk:A", "c-Bob", "-m", "Four metres.")
        try unpack(program)
        try damage(branch + place, program)
        let check = await program.run("doctor", "--check")
        #expect(check.exitCode == .failure, "\(check)")
        #expect(check.output.hasSuffix("wrong; repair the store: git talk doctor\n"), "\(check)")
        let doctor = await program.run("doctor")
        #expect(doctor.exitCode == .done, "\(doctor)")
        #expect(
            doctor.output.contains("hint: bring the rest again: git talk pull 'Talk:A'\n")
                || doctor.output.contains("hint: bring the rest again: git talk pull Talk:A\n"), "\(doctor)")
        let pull = await program.run("pull")
        #expect(pull.exitCode == .done, "\(doctor)\(pull)")
        #expect(try program.git("rev-parse", branch) == tip, "\(doctor)\(pull)")
        let show = await program.run("show", "Talk:A")
        #expect(show.exitCode == .done && show.output.contains("Four metres."), "\(show)")
        let again = await program.run("doctor", "--check")
        #expect(again.output == "the store is sound\n", "\(again)")
        #expect(try program.git("fsck", "--strict", "--no-dangling") == "")
    }

    @Test func aDamagedPageNamesTheDoctor() async throws {
        let program = try await prepared()
        let branch = try branch(program)
        try unpack(program)
        try damage(branch, program)
        let store = try Store.open(at: program.store.path)
        for state in try store.reader.states() {
            try FileManager.default.removeItem(atPath: store.layout.pageDirectory(of: state.page))
        }
        for words in [["log", "Talk:A"], ["pull"], ["show", "Talk:A@13"]] {
            let result = await program.run(words)
            #expect(result.exitCode == .damaged, "\(result)")
            #expect(result.error.contains("hint: see what is damaged, and repair it: git talk doctor\n"), "\(result)")
        }
    }

    @Test func whatProgramsRead() async throws {
        let program = try await prepared()
        try program.git("config", "gc.auto", "1")
        for words in [["doctor", "--check", "--json"], ["doctor", "--json"], ["doctor", "--check", "--json"]] {
            let result = await program.run(words)
            let file = SharedData.repositoryRoot.appending(path: "Schema/cli/doctor.schema.json")
            let problems = try JSONSchema(Data(contentsOf: file)).problems(in: Data(result.output.utf8))
            #expect(problems == [], "\(result)")
            let object = try result.json()
            #expect(object["sound"] as? Bool == (result.exitCode == .done))
        }
    }
}
