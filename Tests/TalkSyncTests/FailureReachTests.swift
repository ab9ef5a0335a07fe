import TalkHTTP
import TalkPages
import Testing

@testable import TalkSync

/// How much of a pull stops with a failure on one page.
@Suite struct FailureReachTests {
    private func reach(_ code: String, retryAfter: Int? = nil) -> FailureReach {
        APIError(code: code, text: "", isWrite: false, retryAfter: retryAfter).talkError().reach
    }

    private func reach(_ kind: TransportError.Kind) -> FailureReach {
        TransportError(kind, wasSent: true, detail: "").talkError("Talk:A").reach
    }

    @Test func aPageAloneIsAPageAlone() {
        for kind in [TalkError.Kind.notFound, .invalid, .damaged, .busy, .unreachable] {
            #expect(TalkError(kind, "this page").reach == .page, "\(kind)")
        }
        #expect(reach("missingtitle") == .page)
    }

    @Test func whatTheWikiAsksForConcernsAll() {
        #expect(reach("maxlag") == .wiki && reach("ratelimited") == .wiki)
        #expect(reach("http-503", retryAfter: 7) == .wiki)
        #expect(reach("readapidenied") == .wiki && reach("blocked") == .wiki)
        #expect(TalkError(.unwritable, "a full disk").reach == .wiki)
    }

    @Test func aServerThatFailsOrTakesTooLongIsUnclear() {
        #expect(reach("http-500") == .unclear && reach("internal_api_error_X") == .unclear)
        #expect(reach(.timeout) == .unclear && reach(.cut) == .unclear)
        #expect(reach(.connect) == .wiki && reach(.resolve) == .wiki && reach(.certificate) == .wiki)
    }
}
