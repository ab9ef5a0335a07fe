import TalkPages
import Testing

@testable import TalkSync

/// Where redirects lead, by the wiki's answer.
@Suite struct RedirectTests {
    private func redirect(_ query: String) throws -> MediaWikiAPI.Redirect? {
        MediaWikiAPI.redirect(in: try JSONParser.parse(Array(#"{"query":{\#(query)}}"#.utf8)))
    }

    @Test func theEndOfAllRedirectsCounts() throws {
        #expect(try redirect(#""pages":[{"title":"Talk:A"}]"#) == nil)
        let one = try redirect(
            #""redirects":[{"from":"Talk:A","to":"Talk:B","tofragment":"Width"}],"pages":[{"title":"Talk:B"}]"#)
        #expect(one == MediaWikiAPI.Redirect(title: "Talk:B", fragment: "Width", exists: true))
        for steps in [
            #"{"from":"Talk:A","to":"Talk:B"},{"from":"Talk:B","to":"Talk:C"}"#,
            #"{"from":"Talk:B","to":"Talk:C"},{"from":"Talk:A","to":"Talk:B"}"#,
        ] {
            let two = try redirect(#""redirects":[\#(steps)],"pages":[{"title":"Talk:C","missing":true}]"#)
            #expect(two == MediaWikiAPI.Redirect(title: "Talk:C", fragment: nil, exists: false))
        }
    }

    @Test func aCircleLeadsNowhereAndAnotherWikiIsNamed() throws {
        let circle = #"{"from":"Talk:A","to":"Talk:B"},{"from":"Talk:B","to":"Talk:A"}"#
        #expect(try redirect(#""redirects":[\#(circle)]"#) == nil)
        let away = try redirect(#""redirects":[{"from":"Talk:A","to":"de:Diskussion:A","tointerwiki":"de"}]"#)
        #expect(away == MediaWikiAPI.Redirect(title: "de:Diskussion:A", fragment: nil, exists: true))
    }
}
