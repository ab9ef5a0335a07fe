import Foundation
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore
@testable import TalkSync

/// Whatever becomes of the session, nothing is saved as another account or as the address of this machine.
@Suite(.temporaryDirectory, .testWiki) struct LostSessionTests {
    private func authors(_ stage: SendingStage) throws -> [String] {
        let answer = try stage.wiki.call([
            "action": "query", "prop": "revisions", "titles": stage.title, "rvprop": "user", "rvlimit": "50",
        ])
        return answer.matches(of: /"user":"([^"]*)"/).map { String($0.1) }
    }

    /// The wiki forgets the session before the token is asked for, so that it gives that of a visitor, or after.
    @Test(arguments: [["tokens", "edit"], ["edit"]]) func neverBecomesAnEditOfAVisitor(kinds: [String]) async throws {
        let stage = try await SendingStage("Visitor")
        let id = try await stage.reply("Only as Alice.")
        let api = stage.client(), account = TestWiki.Account.alice
        try await api.login(user: account.botName, botPassword: account.password)
        stage.proxy.add { kinds.contains($0.kind) ? .withoutSession : nil }
        guard case .held = try await stage.sync(api: api).first?.outcome else {
            Issue.record("not held")
            return
        }
        #expect(stage.proxy.count("edit") == 1)
        let sent = try #require(stage.proxy.calls.first { $0.kind == "edit" })
        #expect(sent.call["assert"] == "user" && sent.call["assertuser"] == "Alice")
        #expect(sent.call["token"] == "+\\" || kinds == ["edit"])
        #expect(try authors(stage) == ["Bob"])
        #expect(try stage.journal(id).state == .queued)
        // With its session back it goes out.
        stage.proxy.reset()
        try await api.login(user: account.botName, botPassword: account.password)
        #expect(try await stage.sync(api: api).first?.outcome.isPosted == true)
        #expect(try authors(stage) == ["Alice", "Bob"])
    }

    /// Another account's session lies in the cookies: the wiki would take the edit.
    @Test func neverBecomesAnEditOfAnotherAccount() async throws {
        let stage = try await SendingStage("Other account")
        try await stage.reply("Only as Alice.")
        let api = stage.client(), alice = TestWiki.Account.alice, bob = TestWiki.Account.bob
        try await api.login(user: alice.botName, botPassword: alice.password)
        let path = stage.path
        let other = MediaWikiAPI(endpoint: stage.proxy.api, settings: SendingStage.settings, cookieFile: path + ".bob")
        try await other.login(user: bob.botName, botPassword: bob.password)
        let request = EditRequest(
            page: .title(stage.title), text: "Mine", summary: "", base: nil, started: nil, account: "Alice")
        guard case .refused(let error) = await other.edit(request) else {
            Issue.record("it was taken")
            return
        }
        #expect(error.code == "assertnameduserfailed")
        #expect(try authors(stage) == ["Bob"])
    }
}

/// No space is left on the disk between the request and the note of its outcome.
@Suite(.temporaryDirectory, .testWiki) struct FullDiskTests {
    @Test(arguments: ["saved", "refused", "lost"])
    func whatCannotBeNotedIsLookedForTheNextTime(how: String) async throws {
        let stage = try await SendingStage("Full")
        let id = try await stage.reply("Squeezed in.")
        let path = stage.path, title = stage.title
        // A limit on the size of files holds for a whole process.
        await #expect(processExitsWith: .exitCode(75)) {
            [path = path as String, title = title as String, how = how as String] in
            let stage = try SendingStage(path: path, title: title)
            let full: @Sendable () -> Void = {
                signal(SIGXFSZ, SIG_IGN)
                var limit = rlimit(rlim_cur: 0, rlim_max: 0)
                setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            }
            if how == "saved" { stage.proxy.fail("edit", .afterwards(full)) }
            if how == "refused" {
                stage.proxy.fail("edit", .answer(.error("protectedpage")))
                stage.proxy.add { call in
                    if call.kind == "edit" { full() }
                    return nil
                }
            }
            if how == "lost" {
                stage.proxy.fail("edit", .loseAnswer)
                stage.proxy.add { call in
                    if call.kind == "edit" { full() }
                    return nil
                }
            }
            do {
                try await stage.sync()
            } catch let error as TalkError {
                let isRight =
                    error.kind == .unknownOutcome
                    && error.message.hasSuffix("no space is left on the store's disk")
                    && error.message.hasPrefix("whether ") && error.message.contains(" was posted is not known: ")
                _exit(isRight ? 75 : 1)
            }
            _exit(2)
        }
        #expect(try stage.journal(id).state == .sending)
        let first = try await stage.sync().first?.outcome
        if how == "refused" {
            guard case .unknown = first else {
                Issue.record("\(String(describing: first))")
                return
            }
            try await stage.tenMinutesPass()
            #expect(try await stage.sync().first?.outcome.isPosted == true)
        } else {
            #expect(first?.isPosted == true)
        }
        try await stage.expectPosted(id, "Squeezed in.", edits: how == "refused" ? 1 : 0)
    }
}
