import TalkHTTP
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore
@testable import TalkSync

/// What a wiki wants from a person before it takes a reply, in answers that a real one gave.
@Suite(.temporaryDirectory, .testWiki) struct SendDemandTests {
    private func answer(_ number: String) throws -> StubAnswer {
        let recording = try #require(
            try Recording.list("recorded-edits.json").map(Recording.init).first { $0.name.hasPrefix(number) })
        return .http(status: recording.response.status, headers: [], body: recording.body)
    }

    private func queue(_ stage: SendingStage, _ id: String, _ change: @escaping @Sendable (inout OutboxEntry) -> Void)
        async throws
    {
        try await stage.store.updateEntry(id) { entry in
            entry.state = .queued
            entry.reason = nil
            change(&entry)
            return true
        }
    }

    @Test func aWarningOfAFilterIsConfirmedByTheUserAlone() async throws {
        let stage = try await SendingStage("Warned")
        let id = try await stage.reply("Buy my bridge.")
        stage.proxy.fail("edit", .answer(try answer("755")), nth: 1)
        guard case .held(let reason) = try await stage.sync().first?.outcome else {
            Issue.record("not held")
            return
        }
        #expect(reason.contains("Link spam (warn)"))
        let demand = try #require(try stage.journal(id).demand)
        #expect(demand.kind == .warning && demand.text.contains("identified as harmful") && !demand.isConfirmed)

        // Neither another round nor a retry without the user's word sends it: the same edit again is a confirmation.
        try await queue(stage, id) { _ in }
        guard case .held = try await stage.sync().first?.outcome else {
            Issue.record("confirmed by itself")
            return
        }
        #expect(stage.proxy.count("edit") == 1)
        try await queue(stage, id) { $0.demand?.isConfirmed = true }
        #expect(try await stage.sync().first?.outcome.isPosted == true)
        #expect(try stage.journal(id).demand == nil)
        try await stage.expectPosted(id, "Buy my bridge.", edits: 2)
    }

    @Test func aTextThatWasChangedIsAnotherOne() async throws {
        let stage = try await SendingStage("Changed")
        let id = try await stage.reply("Buy my bridge.")
        stage.proxy.fail("edit", .answer(try answer("755")), nth: 1)
        _ = try await stage.sync()
        try await queue(stage, id) { $0.reply.text = "Look at my bridge." }
        #expect(try await stage.sync().first?.outcome.isPosted == true)
        try await stage.expectPosted(id, "Look at my bridge.", edits: 2)
    }

    @Test func theAnswerToACaptchaGoesWithTheNextEditAndWithThatAlone() async throws {
        let stage = try await SendingStage("Captcha")
        let id = try await stage.reply("I am no robot.")
        stage.proxy.fail("edit", .answer(try answer("746")), nth: 2)
        stage.proxy.fail("edit", .answer(try answer("745")), nth: 1)
        _ = try await stage.sync()
        let first = try #require(try stage.journal(id).demand)
        #expect(first.kind == .captcha && first.captcha == "2449592068791868594" && !first.wantsBrowser)
        #expect(first.text == "How many days has a week (digits)?")
        try await queue(stage, id) {
            $0.demand?.isConfirmed = true
            $0.demand?.answer = "8"
        }
        // Wrong: the wiki asks anew.
        guard case .held = try await stage.sync().first?.outcome else {
            Issue.record("not held")
            return
        }
        let second = try #require(try stage.journal(id).demand)
        #expect(second.captcha == "2289541508839446668" && second.answer == nil && !second.isConfirmed)
        try await queue(stage, id) {
            $0.demand?.isConfirmed = true
            $0.demand?.answer = "7"
        }
        #expect(try await stage.sync().first?.outcome.isPosted == true)
        let sent = stage.proxy.calls.filter { $0.kind == "edit" }
        #expect(sent.map { $0.call["captchaid"] } == ["", "2449592068791868594", "2289541508839446668"])
        #expect(sent.map { $0.call["captchaword"] } == ["", "8", "7"])
        try await stage.expectPosted(id, "I am no robot.", edits: 3)
    }

    @Test(arguments: [
        (
            #"{"type":"image","mime":"image/png","id":17,"url":"/index.php?title=Special:Captcha/image&wpCaptchaId=17"}"#,
            "17", "", "/index.php?title=Special:Captcha/image&wpCaptchaId=17", false
        ),
        (
            #"{"type":"hcaptcha","mime":"application/javascript","key":"k","error":"http"}"#, nil, "", nil, true
        ),
        (
            #"{"type":"question","mime":"text/html","id":"2","question":"<b>2 &lt; 3</b>?\u001b[1m"}"#, "2", "2 < 3?",
            nil, false
        ),
        (#"{"type":"simple","mime":"text/plain","id":"3","question":"34+5"}"#, "3", "34+5", nil, false),
    ])
    func readsEachKindOfCaptcha(json: String, id: String?, text: String, image: String?, wantsBrowser: Bool) throws {
        let value = try JSONParser.parse(Array(#"{"captcha":\#(json),"result":"Failure"}"#.utf8))
        guard case .refused(let error) = MediaWikiAPI.outcome(of: .object(["edit": value])) else {
            Issue.record("not refused")
            return
        }
        let demand = try #require(SendDemand(error, of: PostedLookTests.entry().reply))
        #expect(demand.captcha == id && demand.image == image && demand.wantsBrowser == wantsBrowser)
        #expect(demand.text.hasPrefix(text))
    }

    @Test func aCaptchaThatIsOutOfOrderAsksNothing() throws {
        let value = try JSONParser.parse(Array(#"{"captcha":{"error":"Out of images"},"result":"Failure"}"#.utf8))
        guard case .refused(let error) = MediaWikiAPI.outcome(of: .object(["edit": value])) else {
            Issue.record("not refused")
            return
        }
        #expect(error.code == "captcha" && SendDemand(error, of: PostedLookTests.entry().reply) == nil)
    }
}
