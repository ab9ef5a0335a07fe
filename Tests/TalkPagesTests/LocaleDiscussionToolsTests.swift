import Foundation
import TalkPages
import Testing

/// The date data in the script of DiscussionTools' start module.
@Suite struct LocaleDiscussionToolsTests {
    private static func script(_ variants: [String], drop: String? = nil) -> String {
        var messages = LocaleFormatsTests.english
        if let drop { messages[drop] = nil }
        messages["sunday"] = #"Sun"da\y}"#
        func each<T>(_ value: T) -> [String: T] { Dictionary(uniqueKeysWithValues: variants.map { ($0, value) }) }
        let object: [String: Any] = [
            "dateFormat": each("H:i, j F Y"), "digits": each("٠١٢٣٤٥٦٧٨٩".map(String.init)),
            "localTimezone": "Europe/Berlin", "specialContributionsName": "Beiträge",
            "specialNewSectionName": "NewSection", "timezones": each(["MEZ": "CET", "MESZ": "CEST"]),
            "contLangMessages": each(messages),
        ]
        let keys = [
            "dateFormat", "digits", "localTimezone", "specialContributionsName", "timezones", "contLangMessages",
        ]
        let members = keys.map { key in
            let value = (try? JSONSerialization.data(withJSONObject: [object[key] ?? ""])) ?? Data()
            return "\"\(key)\":\(String(decoding: value, as: UTF8.self).dropFirst().dropLast())"
        }
        return #"mw.loader.implement("x",{"a.js":function(){var d=this.data.dateFormat;if(d){}},"parser/data.json":{"#
            + members.joined(separator: ",") + #"},"b.js":function(){return"}";}});"#
    }

    @Test func readsTheFormats() throws {
        let data = try #require(DiscussionToolsData(script: Self.script(["sr-el", "sr-ec"])))
        #expect(data.timezone == "Europe/Berlin")
        #expect(data.contributionsName == "Beiträge")
        #expect(data.formats.map(\.variant) == ["sr-ec", "sr-el"])
        let format = data.formats[0]
        #expect(format.format == "H:i, j F Y")
        #expect(format.digits == "٠١٢٣٤٥٦٧٨٩")
        #expect(format.timezoneAbbreviations == ["CET": "MEZ", "CEST": "MESZ"])
        #expect(format.months == EnglishDates.months)
        #expect(format.monthsShort[0] == "Jan")
        #expect(format.weekdays[0] == #"Sun"da\y}"#)
    }

    @Test func passesAnotherObjectWithTheSameKey() {
        let script = #"{"dateFormat":"x"};"# + Self.script(["en"])
        #expect(DiscussionToolsData(script: script)?.formats.count == 1)
    }

    @Test(arguments: ["", "mw.loader.state({})", #""dateFormat":{"en":"H:i"}"#, #"{"dateFormat":{"en":"H:i"}}"#])
    func readsNothingElse(script: String) {
        #expect(DiscussionToolsData(script: script) == nil)
    }

    @Test func refusesWhatIsCutOffOrIncomplete() {
        #expect(DiscussionToolsData(script: Self.script(["en"], drop: "march")) == nil)
        let script = Self.script(["en"])
        #expect(DiscussionToolsData(script: String(script.prefix(script.count / 2))) == nil)
    }
}
