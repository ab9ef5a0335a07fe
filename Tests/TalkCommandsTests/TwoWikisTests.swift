import Foundation
import TalkTestSupport
import Testing

@testable import TalkCommands

/// What stops one wiki stops no other one, and on the same wiki what is behind waits.
@Suite(.temporaryDirectory, .testWiki) struct TwoWikisTests {
    /// What happens to the first wiki before anything is sent.
    enum Trouble: String, CaseIterable, Sendable {
        case readOnly, blocked, loggedOut, away
    }

    @Test(arguments: Trouble.allCases) func theOtherWikiGoesOn(trouble: Trouble) async throws {
        let program = try TestProgram()
        try await TestWiki.withPrivateWiki { first in
            try await TestWiki.withPrivateWiki { second in
                var pages: [String] = []
                for wiki in [first, second] {
                    let title = TestWiki.newTitle("Side")
                    try wiki.edit(title, to: EndToEndTests.text)
                    let account = TestWiki.Account.alice
                    await program.run(
                        "login", wiki.url.absoluteString, input: "\(account.botName)\n\(account.password)\n")
                    let page = wiki.url.absoluteString + "wiki/" + title.replacing(" ", with: "_")
                    #expect(await program.run("pull", page).exitCode == .done)
                    pages.append(page)
                    for text in ["One.", "Two."] {
                        #expect(await program.run("reply", page, "c-Carol", "-m", text).exitCode == .done)
                    }
                }
                try stop(first, trouble, program)
                let sync = await program.run("sync")
                let words: String
                switch trouble {
                case .readOnly:
                    words = "can only be read for the moment: back soon"
                    #expect(sync.exitCode == .later, "\(sync.error)")
                case .blocked:
                    words = "is blocked on this wiki by Admin"
                    #expect(sync.exitCode == .refused, "\(sync.error)")
                case .loggedOut:
                    words = "no password of Alice@git-talk is stored"
                    #expect(sync.exitCode == .refused, "\(sync.error)")
                case .away:
                    words = "cannot be reached"
                    #expect(sync.exitCode == .later, "\(sync.error)")
                }
                #expect(sync.error.contains(words), "\(sync.error)")
                // Once is enough: the second reply there is not tried.
                #expect(sync.error.ranges(of: words).count == 1, "\(sync.error)")
                #expect(sync.output.ranges(of: "posted ").count == 2, "\(sync.output)")
                let entries = try await program.run("outbox", "--json").json()["entries"] as? [[String: Any]]
                #expect(entries?.map { $0["state"] as? String } == ["queued", "queued", "posted", "posted"])
                #expect(entries?.map { $0["attempts"] as? Int }.suffix(2) == [1, 1])
                #expect(entries?[1]["attempts"] as? Int == 0)
                if trouble == .away { try first.resume() }
            }
        }
    }

    private func stop(_ wiki: TestWiki, _ trouble: Trouble, _ program: TestProgram) throws {
        switch trouble {
        case .readOnly: try wiki.set("ReadOnly", to: "back soon")
        case .blocked: try wiki.call(["action": "block", "user": "Alice", "expiry": "1 day", "reason": "test"])
        case .away: try wiki.pause()
        case .loggedOut:
            let port = String(wiki.url.port ?? 0)
            let passwords = program.home.appending(path: "passwords")
            let lines = try String(contentsOf: passwords, encoding: .utf8).split(separator: "\n")
            try lines.filter { !$0.contains(port) }.map { $0 + "\n" }.joined()
                .write(to: passwords, atomically: true, encoding: .utf8)
            let cookies = program.store.appending(path: ".git/git-talk/cookies")
            for file in try FileManager.default.contentsOfDirectory(atPath: cookies.path) where file.contains(port) {
                try FileManager.default.removeItem(at: cookies.appending(path: file))
            }
        }
    }
}
