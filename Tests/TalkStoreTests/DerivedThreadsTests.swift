import TalkPages
import Testing

@testable import TalkStore

@Suite struct DerivedThreadsTests {
    let threads = DerivedThreads(
        treeID: "aa", parserVersion: 2, localeHash: "bb", revision: RevisionID(rawValue: 7), revisionTime: -60,
        revisionUser: "Zoë",
        items: [
            ThreadItem(
                kind: .heading, level: 0, headingLevel: 3, id: "h-\"A\"", name: "h-", parent: nil, text: #"C:\"#,
                transclusion: .page("Template:T"), file: "sections/A.html"),
            ThreadItem(
                kind: .comment, level: 12, id: "c-1", name: "c", parent: 0, author: "", timestamp: 1_700_000_040,
                text: "a\u{0}\u{1F}\u{7F}\u{2028}é😀", readableText: "* a\n\tb", transclusion: .unknown,
                file: "lede.html", pending: "01"),
        ])

    @Test func keepsEveryField() {
        #expect(DerivedThreads(json: threads.json) == threads)
        let bare = DerivedThreads(treeID: "", parserVersion: 0, localeHash: "", revision: nil, items: [])
        #expect(DerivedThreads(json: bare.json) == bare)
    }

    @Test func writesAnItemALine() {
        let one = DerivedThreads(
            treeID: "aa", parserVersion: 2, localeHash: "bb", revision: nil,
            items: [ThreadItem(kind: .comment, level: 1, id: "c\n", name: "c", parent: 4, text: "\u{1B}")])
        let text = #"""
            {"treeID":"aa","parserVersion":2,"localeHash":"bb","items":[
            {"kind":"comment","level":1,"id":"c\n","name":"c","parent":4,"text":"\u001b"}
            ]}

            """#
        #expect(String(decoding: one.json, as: UTF8.self) == text)
    }

    @Test func whatIsCutOrUnknownIsNotRead() {
        let whole = threads.json
        for count in 0..<(whole.count - 2) { #expect(DerivedThreads(json: Array(whole[..<count])) == nil) }
        #expect(DerivedThreads(json: Array(#"{"items":[{"kind":"poll"}]}"#.utf8)) == nil)
    }

    /// As `STORE.md` promises to who adds one.
    @Test func membersThatItDoesNotKnowAreIgnored() {
        let later = #""later":[{"a":-1.5e3,"b":"\"]}"},[],true,null,false,"x",{}],"#
        let text = String(decoding: threads.json, as: UTF8.self)
            .replacing("{\"treeID\"", with: "{\(later)\"treeID\"").replacing("{\"kind\"", with: "{\(later)\"kind\"")
        #expect(text.utf8.count == threads.json.count + 3 * later.utf8.count)
        #expect(DerivedThreads(json: Array(text.utf8)) == threads)
        for later in ["[", "{", "}", "[1", "{\"a\"}", "nul", "1.2.3", "", "\"", String(repeating: "[", count: 100_000)]
        {
            #expect(DerivedThreads(json: Array("{\"treeID\":\"aa\",\"later\":\(later)}".utf8)) == nil)
        }
    }
}
