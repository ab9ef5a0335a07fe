import Foundation
import TalkTestSupport
import Testing

@testable import TalkCommands

/// Real git in a store, with and without git-talk on the PATH.
@Suite(.temporaryDirectory) struct SetupDiffTests {
    private func filled() async throws -> InventedPage {
        let page = try await InventedPage()
        try await page.add(
            1, by: "Bob", at: 60, "<h2 id=\"W\">Width</h2><p>Four <b>metres</b>. ~Bob 10:00, 1 March 2024~</p>")
        try await page.add(
            2, by: "Bob", at: 120,
            "<h2 id=\"W\">Width</h2><p>Five <b>metres</b>. ~Bob 10:00, 1 March 2024~</p><ul><li>East</li></ul>")
        return page
    }

    /// `git diff` of the two revisions, its lines that were added or removed.
    private func diff(_ page: InventedPage, path: String? = nil) throws -> [String] {
        let branch = "en.wiki.example/Talk/Old_Stone_Bridge"
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["git", "diff", "\(branch)~1", branch]
        process.currentDirectoryURL = page.program.store
        process.environment = [
            "PATH": path.map { "\($0):/usr/bin:/bin" } ?? "/usr/bin:/bin", "HOME": page.program.home.path,
            "LSAN_OPTIONS": ProcessInfo.processInfo.environment["LSAN_OPTIONS"] ?? "",
            "GIT_CONFIG_NOSYSTEM": "1",
        ]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let text = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return text.split(separator: "\n").map(String.init).filter {
            ($0.hasPrefix("+") || $0.hasPrefix("-")) && !$0.hasPrefix("+++") && !$0.hasPrefix("---")
        }
    }

    @Test func gitShowsTextOnceItIsSetUp() async throws {
        let page = try await filled()
        let program = try #require(Self.program)
        let html = try diff(page, path: program)
        #expect(html.contains { $0.hasPrefix("+<p>Five <b>metres</b>.") })
        let setUp = await page.program.run("setup-diff")
        #expect(setUp.exitCode == .done && setUp.error.contains("git shows the pages as text now"))
        #expect(
            try diff(page, path: program) == [
                "-Four metres. Bob 10:00, 1 March 2024 (UTC)", "+Five metres. Bob 10:00, 1 March 2024 (UTC)", "+* East",
            ])
        // Where the program is missing, what is stored is shown.
        #expect(try diff(page) == html)
        #expect(try page.program.git("fsck", "--strict", "--no-dangling") == "")
    }

    @Test func changesItsOwnLinesAloneAndCanBeUndone() async throws {
        let page = try await filled()
        let attributes = page.program.store.appending(path: ".git/info/attributes")
        let before = try String(contentsOf: attributes, encoding: .utf8) + "*.json diff=mine\n"
        try Data(before.utf8).write(to: attributes)
        await page.program.run("setup-diff")
        await page.program.run("setup-diff")
        #expect(try String(contentsOf: attributes, encoding: .utf8) == before + "*.html diff=git-talk\n")
        #expect(try page.program.git("config", "diff.git-talk.textconv").contains("git-talk text"))
        let off = await page.program.run("setup-diff", "--off", "--json")
        #expect(try off.json()["text"] as? Bool == false)
        #expect(try String(contentsOf: attributes, encoding: .utf8) == before)
        #expect(try page.program.git("config", "--get-regexp", "^core.bare$").contains("true"))
        #expect(!(try page.program.git("config", "--list").contains("textconv")))
    }

    @Test func printsASectionAsText() async throws {
        let program = try TestProgram()
        let file = program.home.appending(path: "-odd name.html")
        try Data("<h3>A</h3>\n<p>one\u{202E} <a href=\"x\">two</a></p>\n<ol><li>three</li>\n<li>four</li></ol>\n".utf8)
            .write(to: file)
        let result = await program.run("text", "--", "-odd name.html")
        #expect(result.output == "=== A ===\none<U+202E> two\n1. three\n2. four\n")
        #expect(await program.run("text", "nothing.html").exitCode == .failure)
        #expect(await program.run("text").exitCode == .usage)
    }

    /// The directory of the program that was built with the tests; nil when it is not there.
    private static var program: String? {
        let places = [
            Bundle.main.executableURL?.deletingLastPathComponent().path,
            CommandLine.arguments.first.map { URL(filePath: $0).deletingLastPathComponent().path },
        ]
        return places.compactMap { $0 }.first { FileManager.default.isExecutableFile(atPath: $0 + "/git-talk") }
    }
}
