import TalkPages
import Testing

@testable import TalkSync

@Suite struct APIJSONTests {
    func parse(_ text: String) throws -> JSONValue { try JSONParser.parse(Array(text.utf8)) }

    @Test func readsEveryKindOfValue() throws {
        let value = try parse(
            #" {"a":[1,-2,3.5,1e3,true,false,null],"b":{"c":"é\u00e9\n\"\\\/","d":"\ud83d\ude00"},"a b":[] } "#)
        #expect(
            value["a"]
                == .array([.integer(1), .integer(-2), .number(3.5), .number(1000), .bool(true), .bool(false), .null]))
        #expect(value["b"]?["c"]?.text == "éé\n\"\\/")
        #expect(value["b"]?["d"]?.text == "😀")
        #expect(value["a b"]?.members?.isEmpty == true)
        #expect(value["a"]?[0]?.integer == 1)
        #expect(value["a"]?[7] == nil)
        #expect(value["nothing"]?["at"]?["all"] == nil)
    }

    @Test func keepsGoingOverALoneSurrogate() throws {
        #expect(try parse(#""a\ud83dx\udc00\ud83d\u0041""#).text == "a\u{FFFD}x\u{FFFD}\u{FFFD}A")
    }

    @Test func acceptsAByteOrderMark() throws {
        #expect(try JSONParser.parse([0xEF, 0xBB, 0xBF] + Array("{}".utf8)) == .object([:]))
    }

    @Test(arguments: [
        "", "{", #"{"a"#, #"{"a":"#, #"{"a":1"#, "[1,", #""abc"#, #""a\"#, #""\u00"#, "tru",
    ])
    func seesThatATextEndsTooEarly(text: String) {
        #expect(throws: JSONError(offset: text.utf8.count, isTruncated: true)) { try parse(text) }
    }

    @Test(arguments: [
        "<html>", "{}x", #"{"a":1}<!DOCTYPE html>"#, "{a:1}", "[1 2]", #"{"a" 1}"#, "nul ", #""\x""#, #""\u00zz""#,
        "+1", "1.2.3",
        "[1,]", "{,}",
    ])
    func refusesWhatIsNoJSON(text: String) {
        let error = #expect(throws: JSONError.self) { try parse(text) }
        #expect(error?.isTruncated == false)
    }

    @Test func refusesEndlessNesting() throws {
        #expect(throws: JSONError.self) { try parse(String(repeating: "[", count: 1_000_000)) }
        let deep = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
        #expect(try parse(deep).elements?.count == 1)
        #expect(throws: JSONError.self) { try parse("[" + deep + "]") }
    }

    /// Formatversion 1 writes flags as empty strings and numbers as strings.
    @Test func readsFlagsOfBothFormats() throws {
        let value = try parse(#"{"a":"","b":true,"c":false,"d":null,"n":"12"}"#)
        #expect(value.flag("a") && value.flag("b"))
        #expect(!value.flag("c") && !value.flag("d") && !value.flag("e"))
        #expect(value["n"]?.integer == 12)
    }

    @Test(
        arguments: [
            ("1970-01-01T00:00:00Z", 0), ("2026-11-30T05:14:43Z", 1_796_015_683), ("2000-02-29T23:59:59Z", 951_868_799),
            ("1969-12-31T23:59:59Z", -1), ("2001-02-03T04:05:06Z", 981_173_106),
        ] as [(String, Int64)])
    func readsAndWritesTimes(text: String, seconds: Int64) {
        #expect(APITimestamp.seconds(text) == seconds)
        #expect(APITimestamp.text(seconds) == text)
    }

    @Test(arguments: [
        "infinity", "", "2026-11-30", "2026-13-30T05:14:43Z", "2026-11-30T25:14:43Z", "2026-11-30T05:14:43+1",
    ])
    func refusesOtherTimes(text: String) {
        #expect(APITimestamp.seconds(text) == nil)
    }
}
