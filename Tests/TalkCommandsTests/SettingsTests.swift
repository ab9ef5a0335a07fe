import Foundation
import TalkPages
import TalkStore
import TalkTestSupport
import Testing

@testable import TalkCommands

/// The table of settings in the code, in `docs/SETTINGS.md` and in the manual page is one.
@Suite(.temporaryDirectory) struct SettingsTests {
    private static let root = SharedData.repositoryRoot

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
    }

    /// A row of the table in `docs/SETTINGS.md`.
    private func row(_ setting: Setting) -> String {
        let form =
            switch setting.form {
            case .number(let range): range.count == 1 ? "number" : "\(range.lowerBound) to \(range.upperBound)"
            case .word(let words): words.joined(separator: ", ")
            case .text: "text"
            }
        return
            "| `\(setting.name)` | \(form) | \(setting.standard ?? "–") | \(setting.meaning) | \(setting.readers) |"
    }

    @Test func theDocumentHasTheTableOfTheCode() throws {
        let rows = try text("docs/SETTINGS.md").split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init)
        #expect(rows == Setting.all.map(row))
    }

    @Test func theManualNamesEverySettingWithItsDefault() throws {
        let manual = try text("docs/man/git-talk.1").replacing("\\-", with: "-")
        let part = try #require(manual.split(separator: ".SH CONFIGURATION").last?.split(separator: "\n.SH ").first)
        let named = part.matches(of: /\n\.B (talk\.[A-Za-z]+)\n|\n\.BI wiki\. wiki (\.[a-z]+)\n/).map {
            $0.1.map(String.init) ?? "wiki.<wiki>" + ($0.2.map(String.init) ?? "")
        }
        #expect(Set(named) == Set(Setting.all.filter { $0 != .format }.map(\.name)))
        for setting in Setting.all {
            guard let standard = setting.standard else { continue }
            let own = try #require(part.split(separator: ".B \(setting.name)\n").last?.split(separator: "\n.TP").first)
            #expect(own.contains("Default \(standard)."), "\(setting.name)")
        }
    }

    /// Keys are read through the table alone.
    @Test func noOtherSourceNamesAKey() throws {
        let sources = Self.root.appending(path: "Sources")
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        for case let file as URL in files where file.pathExtension == "swift" {
            if file.lastPathComponent == "Setting.swift" { continue }
            let code = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter {
                !$0.drop(while: \.isWhitespace).hasPrefix("//")
            }
            for line in code {
                #expect(line.firstMatch(of: /"(talk\.[a-z]|wiki\.(\\|<))/) == nil, "\(file.lastPathComponent): \(line)")
            }
        }
    }

    @Test(arguments: [
        ("talk.expire", "soon", "a number from 1 to 3650"), ("talk.expire", "0", "a number from 1 to 3650"),
        ("talk.history", "-1", "a number from 1 to 5000"), ("talk.sync", "always", "manual or auto"),
    ])
    func aValueThatCannotBeIsTold(key: String, value: String, wanted: String) async throws {
        let paper = PaperWiki(), program = try TestProgram()
        try #require(await program.run("pull", paper.page).exitCode == .done)
        try program.git("config", key, value)
        let result =
            key == "talk.history"
            ? await program.run("pull") : await program.run("reply", "Talk:Bridge", "c-Carol", "-m", "A word.")
        #expect(result.exitCode == .failure)
        #expect(
            result.error.contains("the setting \(key) is “\(value)” and must be \(wanted)\nhint: "), "\(result.error)")
    }

    /// What waits is fitted by the rule: without one nothing is sent, nor asked.
    @Test(arguments: ["sync", "pull"])
    func aRuleThatCannotBeReadStopsTheWikiBeforeAnyRequest(verb: String) async throws {
        let paper = PaperWiki(), program = try TestProgram()
        try #require(await program.run("pull", paper.page).exitCode == .done)
        try #require(await program.run("reply", "Talk:Bridge", "c-Carol", "-m", "A word.").exitCode == .done)
        paper.append("<p>More.</p>")
        try program.git("config", "talk.onMove", "discrad")
        let requests = paper.stub.calls.count
        let result = await program.run(verb)
        #expect(result.error.contains("the setting talk.onMove is “discrad” and must be rebase or discard"))
        #expect(paper.stub.calls.count == requests)
        // The setting is the user's own fault, whatever waits for it.
        #expect(result.exitCode == .failure, "\(result.error)")
    }

    @Test func defaultsAndUnitsAreThoseOfTheTable() throws {
        var configuration = GitConfiguration()
        #expect(try configuration.number(.expire) == 7)
        #expect(try configuration.word(.sync) == "manual")
        #expect(configuration.text(.contact) == nil)
        let text = "[talk]\n\thistory = 2k\n\tSync = AUTO\n[wiki \"w.Example\"]\n\tuser = Ann@bot\n"
        let isRead = configuration.add(text)
        #expect(isRead)
        #expect(try configuration.number(.history) == 2048)
        #expect(try configuration.word(.sync) == "auto")
        #expect(configuration.text(.user, of: "w.Example") == "Ann@bot")
        #expect(configuration.text(.user, of: "w.example") == nil)
    }
}
