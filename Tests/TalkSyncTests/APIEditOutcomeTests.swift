import TalkHTTP
import TalkPages
import Testing

@testable import TalkSync

/// What became of an edit, against what the page's history said afterwards.
@Suite struct APIEditOutcomeTests {
    func outcome(_ response: HTTPResponse) -> EditOutcome {
        switch APIAnswer.read(response, isWrite: true) {
        case .result(let value): MediaWikiAPI.outcome(of: value)
        case .error(let error): MediaWikiAPI.outcome(of: .refused(error))
        }
    }

    @Test func neverContradictsTheHistory() throws {
        var counts: [String: Int] = [:]
        for entry in try Recording.list("recorded-edits.json") where entry["status"]?.integer != nil {
            let recording = Recording(entry)
            let saved = entry["saved"]?.integer
            switch outcome(recording.response) {
            case .saved(let new, _, let time):
                counts["saved", default: 0] += 1
                #expect(saved == nil || saved == new.rawValue, "\(recording.name)")
                #expect(time != nil)
            case .noChange:
                counts["noChange", default: 0] += 1
                #expect(saved == nil || saved == 0, "\(recording.name)")
            case .refused:
                counts["refused", default: 0] += 1
                #expect(saved == nil || saved == 0, "\(recording.name)")
            case .unknown, .intercepted:
                counts["unknown", default: 0] += 1
            case .notSent:
                Issue.record("\(recording.name): an answer came")
            }
        }
        #expect(counts == ["saved": 62, "noChange": 6, "refused": 116, "unknown": 5])
    }

    @Test func readsTheRevisionsOfASave() {
        let body = #"{"edit":{"result":"Success","oldrevid":173,"newrevid":174,"newtimestamp":"2026-11-30T05:21:24Z"}}"#
        let response = HTTPResponse(status: 200, headers: [], body: Array(body.utf8), effectiveURL: "")
        #expect(
            outcome(response)
                == .saved(
                    newRevision: RevisionID(rawValue: 174), oldRevision: RevisionID(rawValue: 173),
                    timestamp: 1_796_016_084))
    }

    @Test(arguments: [
        "{}", #"{"edit":{}}"#, #"{"edit":{"result":"Success"}}"#, #"{"edit":{"result":"Success","newrevid":0}}"#,
        #"{"edit":{"result":"Perhaps"}}"#, #"{"edit":{"result":"Success","newrevid":5"#, "<html>", "",
    ])
    func doesNotBelieveAnythingElse(body: String) {
        let response = HTTPResponse(status: 200, headers: [], body: Array(body.utf8), effectiveURL: "")
        if case .unknown = outcome(response) { return }
        Issue.record("\(outcome(response))")
    }

    @Test func keepsTheCaptcha() {
        let body = #"{"edit":{"captcha":{"type":"question","id":"24","question":"2+2?"},"result":"Failure"}}"#
        let response = HTTPResponse(status: 200, headers: [], body: Array(body.utf8), effectiveURL: "")
        guard case .refused(let error) = outcome(response) else {
            Issue.record("not refused")
            return
        }
        #expect(error.code == "captcha")
        #expect(error.text == "2+2?")
        #expect(error.errorClass == .needsUser(scope: .reply))
        #expect(error.data["captcha"]?["id"]?.text == "24")
    }

    @Test func whatWasNotSentIsNotUnknown() {
        let connect = TransportError(.connect, wasSent: false, detail: "")
        #expect(MediaWikiAPI.outcome(of: .transport(connect)) == .notSent(reason: connect.words))
        for kind in [TransportError.Kind.cut, .timeout, .other, .tooLarge] {
            let error = TransportError(kind, wasSent: true, detail: "")
            #expect(MediaWikiAPI.outcome(of: .transport(error)) == .unknown(reason: error.words))
        }
    }

    @Test func sendsASummaryThatTheWikiDoesNotCut() {
        let request = EditRequest(
            page: .title("Talk:X"), text: "t", summary: "/* A */\nb\r\n c" + String(repeating: "é", count: 600),
            base: nil,
            started: nil, account: nil)
        #expect(request.sentSummary.hasPrefix("/* A */ b  cé"))
        #expect(request.sentSummary.unicodeScalars.count == 500)
    }
}
