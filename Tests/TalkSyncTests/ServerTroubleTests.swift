import Foundation
import Synchronization
import TalkHTTP
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkSync

/// What a client does about a server in trouble, each played on a real socket; nobody really waits.
@Suite struct ServerTroubleTests {
    /// The pauses that a client made.
    private final class Pauses: Sendable {
        private let kept = Mutex<[RetryPolicy.Pause]>([])
        var seconds: [Double] { kept.withLock { $0.map(\.seconds) } }
        var reasons: [String] { kept.withLock { $0.map(\.reason) } }
        func add(_ pause: RetryPolicy.Pause) { kept.withLock { $0.append(pause) } }

        func policy(attempts: Int = 4, limit: Double = 150, chance: Double = 0) -> RetryPolicy {
            RetryPolicy(attempts: attempts, limit: limit, chance: { chance }, wait: add)
        }
    }

    private func api(_ endpoint: String, _ policy: RetryPolicy?, readTimeout: Int = 300) -> MediaWikiAPI {
        MediaWikiAPI(
            endpoint: endpoint, settings: NetworkSettings(userAgent: "test/1", readTimeout: readTimeout, retry: policy))
    }

    struct Trouble: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answer: StubAnswer
        /// The pauses before the third answer, which is a good one; nil when it is never asked for.
        let pauses: [Double]?
        /// Requests until a server that never recovers is given up, with at most 4 attempts and 150 seconds of pauses.
        let requests: Int
        let hint: String

        init(_ name: String, _ answer: StubAnswer, pauses: [Double]?, requests: Int, _ hint: String) {
            testDescription = name
            self.answer = answer
            self.pauses = pauses
            self.requests = requests
            self.hint = hint
        }
    }

    private static let html = "<!DOCTYPE html><title>Sign in to this hotel</title>"
    private static func http(_ status: Int, after: String? = nil) -> StubAnswer {
        .http(status: status, headers: after.map { [("Retry-After", $0)] } ?? [], body: html)
    }
    private static let gzip = StubAnswer.http(
        status: 200, headers: [("Content-Type", "application/json"), ("Content-Encoding", "gzip")], body: "no gzip")
    private static let again = "check the connection and try again"

    static let troubles = [
        // 5 + 10 + 20 seconds, then the rest is at least a minute.
        Trouble("502", http(502), pauses: [5, 10], requests: 4, "try again in 60 s"),
        Trouble("503", http(503), pauses: [5, 10], requests: 4, "try again in 60 s"),
        Trouble("504", http(504), pauses: [5, 10], requests: 4, "try again in 60 s"),
        Trouble("503 for 9 s", http(503, after: "9"), pauses: [9, 10], requests: 4, "try again in 60 s"),
        Trouble("503 for 70 s", http(503, after: "70"), pauses: [70, 70], requests: 3, "try again in 70 s"),
        // 429 means a minute at least; a third one would be above 150 seconds.
        Trouble("429", http(429), pauses: [60, 60], requests: 3, "try again in 60 s"),
        Trouble("429 for 65 s", http(429, after: "65"), pauses: [65, 65], requests: 3, "try again in 65 s"),
        Trouble("429 for an hour", http(429, after: "3600"), pauses: nil, requests: 1, "try again in 60 min"),
        Trouble(
            "503 until a date", http(503, after: "Fri, 31 Dec 2100 23:59:59 GMT"), pauses: nil, requests: 1,
            "try again in 24 h"),
        Trouble(
            "503 until a date that is over", http(503, after: "Sun, 06 Nov 1994 08:49:37 GMT"), pauses: [5, 10],
            requests: 4, "try again in 60 s"),
        Trouble("503 until nonsense", http(503, after: "soon"), pauses: [5, 10], requests: 4, "try again in 60 s"),
        Trouble("maxlag", .error("maxlag", "7 seconds lagged"), pauses: [5, 10], requests: 4, "try again in 60 s"),
        Trouble("ratelimited", .error("ratelimited"), pauses: [60, 60], requests: 3, "try again in 60 s"),
        Trouble(
            "database", .error("internal_api_error_DBQueryError"), pauses: [5, 10], requests: 4, "try again later"),
        Trouble(
            "truncated", .json(#"{"query":{"userinfo":{"id":3,"na"#), pauses: [5, 10], requests: 4, "try again in 60 s"),
        Trouble("empty", .json(""), pauses: [5, 10], requests: 4, "try again in 60 s"),
        // The first one may be a kept connection that was dead, so it is asked again at once.
        Trouble("reset", .close, pauses: [5], requests: 4, again),
        Trouble("cut", .cut(json: #"{"query":{}}"#, afterBytes: 6), pauses: [5], requests: 4, again),
        Trouble("gzip", gzip, pauses: [5], requests: 4, again),
        // What is wrong there mostly stays so.
        Trouble("500", http(500), pauses: nil, requests: 2, "try again later"),
        Trouble("exception", .error("internal_api_error_TypeError"), pauses: nil, requests: 2, "try again later"),
        Trouble("HTML", .http(status: 200, headers: [], body: html), pauses: nil, requests: 2, "try again later"),
        Trouble("read-only", .error("readonly"), pauses: nil, requests: 1, "try again in 30 s"),
    ]

    private static let good = StubAnswer.json(#"{"query":{"userinfo":{"id":3,"name":"Alice"}}}"#)

    @Test(arguments: troubles) func asksAgainUntilTheServerRecovers(trouble: Trouble) async throws {
        guard let expected = trouble.pauses else { return }
        let wiki = StubWiki(StubWiki.sequence([trouble.answer, trouble.answer, Self.good]))
        let pauses = Pauses()
        #expect(try await api(wiki.api, pauses.policy()).userInfo().name == "Alice")
        #expect(pauses.seconds == expected)
        #expect(wiki.calls.count == 3)
        #expect(wiki.calls.allSatisfy { $0.parameters == wiki.calls[0].parameters })
    }

    @Test(arguments: troubles) func givesUpAndSaysWhenToGoOn(trouble: Trouble) async throws {
        let wiki = StubWiki({ _ in trouble.answer })
        let pauses = Pauses()
        let error = await #expect(throws: TalkError.self) { try await api(wiki.api, pauses.policy()).userInfo() }
        #expect(error?.kind == .unreachable)
        #expect(error?.hint == trouble.hint)
        #expect(wiki.calls.count == trouble.requests)
        #expect(pauses.seconds.reduce(0, +) <= 150)
    }

    @Test(arguments: troubles) func withoutPatienceOnlyADeadConnectionIsTriedAgain(trouble: Trouble) async throws {
        let wiki = StubWiki({ _ in trouble.answer })
        await #expect(throws: TalkError.self) { try await api(wiki.api, nil).userInfo() }
        #expect(wiki.calls.count == (trouble.hint == Self.again ? 2 : 1))
    }

    @Test(arguments: troubles) func neverSendsAnEditTwice(trouble: Trouble) async throws {
        let token = StubAnswer.json(#"{"query":{"tokens":{"csrftoken":"abc+\\"}}}"#)
        let wiki = StubWiki({ $0["action"] == "edit" ? trouble.answer : token })
        let pauses = Pauses()
        let request = EditRequest(
            page: .title("Talk:Bridge"), section: 2, text: "x", summary: "y", base: RevisionID(rawValue: 5),
            started: 1_796_015_683, account: "Alice")
        switch await api(wiki.api, pauses.policy()).edit(request) {
        case .saved, .noChange, .notSent: Issue.record("nobody said so")
        case .refused, .unknown, .intercepted: break
        }
        #expect(wiki.calls.count { $0["action"] == "edit" } == 1)
        #expect(pauses.seconds.isEmpty)
    }

    @Test func chanceOnlyMakesAPauseLonger() async throws {
        let wiki = StubWiki(StubWiki.sequence([Self.http(429), Self.http(503), Self.good]))
        let pauses = Pauses()
        _ = try await api(wiki.api, pauses.policy(chance: 1)).userInfo()
        #expect(pauses.seconds == [72, 12])
        #expect(pauses.reasons == ["the wiki asks to slow down", "the server failed while it worked"])
    }

    @Test func anAnswerThatDoesNotComeIsAskedForOnceMore() async throws {
        let server = try #require(SilentServer())
        let pauses = Pauses()
        let error = await #expect(throws: TalkError.self) {
            try await api(server.api, pauses.policy(), readTimeout: 1).userInfo()
        }
        #expect(error?.kind == .unreachable && error?.message.hasPrefix("the wiki did not answer in time") == true)
        #expect(pauses.seconds == [5])
    }

    /// Who did not ask for it waits for a word of the wiki only, and for the answer to a write three times as long.
    @Test func nobodyWaitsForeverForAWikiThatSaysNothing() async throws {
        let server = try #require(SilentServer())
        let api = MediaWikiAPI(
            endpoint: server.api, settings: NetworkSettings(userAgent: "test/1", patience: 1))
        let error = await #expect(throws: TalkError.self) { try await api.userInfo() }
        #expect(error?.kind == .unreachable && error?.message.hasPrefix("the wiki did not answer in time") == true)
        let hasty = NetworkSettings(userAgent: "test/1", patience: 10)
            .configuration(cookieFile: nil, keepsCookies: false)
        #expect(hasty.readLimits == HTTPConfiguration.TimeLimits(connect: 10, total: 300, idle: 10))
        #expect(hasty.writeLimits == HTTPConfiguration.TimeLimits(connect: 10, total: 30, idle: 0))
        let usual = NetworkSettings(userAgent: "test/1").configuration(cookieFile: nil, keepsCookies: false)
        #expect(usual.readLimits == HTTPConfiguration.TimeLimits(connect: 20, total: 300, idle: 60))
        #expect(usual.writeLimits == HTTPConfiguration.TimeLimits(connect: 20, total: 300, idle: 0))
    }

    @Test func aServerThatIsNotThereIsNotWaitedFor() async throws {
        let pauses = Pauses()
        let error = await #expect(throws: TalkError.self) {
            try await api("http://127.0.0.1:\(StubWiki.closedPort())/w/api.php", pauses.policy()).userInfo()
        }
        #expect(error?.kind == .unreachable && pauses.seconds.isEmpty)
    }

    @Test func noOtherRequestGoesOutDuringAPause() async throws {
        let wiki = StubWiki(StubWiki.sequence([Self.http(503)]), { _ in Self.good })
        let api = api(wiki.api, Pauses().policy())
        async let first = api.userInfo()
        async let second = api.check(titles: ["Talk:Bridge"])
        _ = (try? await first, try? await second)
        #expect(wiki.calls.count == 3)
        #expect(wiki.calls[0].parameters == wiki.calls[1].parameters)
        #expect(wiki.calls[2].parameters != wiki.calls[1].parameters)
    }

    // MARK: Continuations

    @Test func aHistoryThatLeadsInACircleEnds() async throws {
        let wiki = StubWiki({ _ in
            .json(
                #"{"continue":{"rvcontinue":"20240301|9","continue":"||"},"query":{"pages":[{"pageid":7,"title":"Talk:A","#
                    + #""revisions":[{"revid":9,"parentid":8,"timestamp":"2024-03-01T12:00:00Z","user":"A","comment":""}]}]}}"#
            )
        })
        let error = await #expect(throws: TalkError.self) {
            try await api(wiki.api, nil).revisions(of: .title("Talk:A"), limit: 500)
        }
        #expect(error?.kind == .unreachable)
        #expect(error?.message == "Talk:A: the wiki's answers lead in a circle")
        #expect(wiki.calls.count == 2)
    }

    /// Each part is another one and brings nothing.
    @Test func aHistoryThatBringsNothingForEverEnds() async throws {
        let number = Mutex(0)
        let wiki = StubWiki({ _ in
            let next = number.withLock { number in
                number += 1
                return number
            }
            return .json(
                #"{"continue":{"rvcontinue":"\#(next)"},"query":{"pages":[{"pageid":7,"title":"Talk:A","#
                    + #""revisions":[{"revid":"nonsense"}]}]}}"#)
        })
        let error = await #expect(throws: TalkError.self) {
            try await api(wiki.api, nil).revisions(of: .title("Talk:A"), limit: 500)
        }
        #expect(error?.message == "Talk:A: the wiki's answers lead in a circle")
        #expect(wiki.calls.count == 20)
    }

    @Test func revisionsByNumberThatLeadInACircleEnd() async throws {
        let wiki = StubWiki({ _ in .json(#"{"continue":{"rvcontinue":"x"},"query":{"pages":[]}}"#) })
        await #expect(throws: TalkError.self) {
            try await api(wiki.api, nil).revisions(ids: [RevisionID(rawValue: 9)])
        }
        #expect(wiki.calls.count == 2)
    }

    @Test func aPasswordThatAServerRepeatsIsNotShown() async throws {
        let wiki = StubWiki({ call in
            call["action"] == "login"
                ? .json(
                    #"{"login":{"result":"Failed","reason":{"code":"odd-\#(call["lgpassword"])","#
                        + #""text":"no: \#(call["lgpassword"])"}}}"#)
                : .json(#"{"query":{"tokens":{"logintoken":"t"}}}"#)
        })
        let error = await #expect(throws: TalkError.self) {
            try await api(wiki.api, nil).login(user: "Alice@app", botPassword: "open sesame")
        }
        #expect(error?.message.contains("sesame") == false && error?.message.contains("login as Alice@app") == true)
        #expect(error?.underlying == nil)
    }

    @Test func siteInformationThatLeadsInACircleEnds() async throws {
        let wiki = StubWiki({ _ in .json(#"{"continue":{"sicontinue":"x"},"query":{"general":{}}}"#) })
        let error = await #expect(throws: TalkError.self) { try await api(wiki.api, nil).siteInfo() }
        #expect(error?.kind == .unreachable && error?.message.hasSuffix("lead in a circle") == true)
        #expect(wiki.calls.count == 2)
    }
}
