import Foundation
import TalkPages
import TalkStore
import TalkTestSupport
import Testing

@testable import TalkCommands

/// `outbox retry --confirm`: a person's word on a warning and on a captcha.
@Suite(.temporaryDirectory) struct OutboxConfirmTests {
    let program: TestProgram
    let store: Store
    let id = ReplyID.make(milliseconds: 1, random: (0, 0))

    init() async throws {
        program = try TestProgram()
        store = try Store.create(at: program.store.path)
    }

    private func hold(_ make: (PendingReply) -> SendDemand?) async throws {
        let reply = PendingReply(
            id: id, kind: .reply, text: "Hello", target: nil, heading: nil, base: RevisionID(rawValue: 1), created: 0,
            expires: 4_000_000_000)
        let page = PageName(wiki: "en.example", namespace: "Talk", title: "T")
        var entry = OutboxEntry(reply: reply, page: page, account: "Alice")
        entry.state = .held
        entry.reason = "an edit filter warns"
        entry.demand = make(reply)
        try await store.save(entry)
    }

    @Test func queuesWhatAFilterWarnedOf() async throws {
        try await hold { SendDemand(.warning, of: $0, text: "Spam?") }
        let plain = await program.run("outbox", "retry", id)
        #expect(plain.exitCode == .failure && plain.error.contains(": git talk outbox retry --confirm \(id)\n"))
        #expect(try store.outboxEntry(id)?.state == .held)
        let result = await program.run("outbox", "retry", "--confirm", String(id.prefix(6)))
        #expect(result.exitCode == .done && result.output == "queued \(id) again; git talk sync sends it\n")
        let entry = try #require(try store.outboxEntry(id))
        #expect(entry.state == .queued && entry.demand?.isConfirmed == true && entry.reason == nil)
        // Once is enough.
        #expect(await program.run("outbox", "retry", "--confirm", id).exitCode == .failure)
    }

    @Test func asksTheCaptcha() async throws {
        try await hold { SendDemand(.captcha, of: $0, text: "34+\u{1B}5", captcha: "9") }
        let result = await program.run("outbox", "retry", "--confirm", id, input: "  39 \n")
        #expect(result.exitCode == .done && !result.error.contains("\u{1B}"))
        #expect(result.error.contains("the wiki asks: 34+") && result.error.contains("answer: "))
        let demand = try #require(try store.outboxEntry(id)?.demand)
        #expect(demand.answer == "39" && demand.isConfirmed && demand.captcha == "9")
    }

    @Test(arguments: ["", "\n", "  \n"]) func anEmptyAnswerChangesNothing(input: String) async throws {
        try await hold { SendDemand(.captcha, of: $0, text: "", captcha: "9", image: "//en.example/captcha") }
        let result = await program.run("outbox", "retry", "--confirm", id, input: input)
        #expect(result.exitCode == .failure && result.error.contains("no answer was given"))
        #expect(result.error.contains("https://en.example/captcha"))
        #expect(try store.outboxEntry(id)?.state == .held)
    }

    @Test func saysWhatOnlyABrowserCanShow() async throws {
        try await hold { SendDemand(.captcha, of: $0, text: "", wantsBrowser: true) }
        let result = await program.run("outbox", "retry", "--confirm", id, input: "39\n")
        #expect(result.exitCode == .refused && result.error.contains("only a browser can show this captcha"))
        #expect(try store.outboxEntry(id)?.state == .held)
        // The wiki may want it no more.
        #expect(await program.run("outbox", "retry", id).exitCode == .done)
        let entry = try #require(try store.outboxEntry(id))
        #expect(entry.state == .queued && entry.demand == nil)
    }

    @Test func thereMayBeNothingToConfirm() async throws {
        try await hold { _ in nil }
        let result = await program.run("outbox", "retry", "--confirm", id)
        #expect(result.exitCode == .failure && result.error.contains("nothing to confirm"))
        #expect(try store.outboxEntry(id)?.state == .held)
    }
}
