import TalkPages
import Testing

@Suite struct ReplyIDTests {
    @Test func writesTimeAndChanceInThirtyTwoDigits() {
        // `01arz3ndek` is the time of the ULID specification's example.
        let id = ReplyID.make(milliseconds: 1_469_922_850_259, random: (0xFFFF, .max))
        #expect(id == "01arz3ndekzzzzzzzzzzzzzzzz")
        #expect(ReplyID.make(milliseconds: 0, random: (0, 0)) == String(repeating: "0", count: 26))
        #expect(ReplyID.make(milliseconds: 1, random: (0, 1)) == "0000000001" + "0000000000000001")
        #expect(
            ReplyID.make(milliseconds: 281_474_976_710_655, random: (.max, .max)) == "7"
                + String(repeating: "z", count: 25))
    }

    @Test func sortsByTime() {
        var generator = SystemRandomNumberGenerator()
        let ids = (0..<200).map { ReplyID.make(milliseconds: 1_700_000_000_000 + $0, using: &generator) }
        #expect(ids == ids.sorted())
        #expect(ids.allSatisfy(ReplyID.isValid))
    }

    @Test(arguments: [
        "", "../../../etc/passwd", "01arz3ndekzzzzzzzzzzzzzzz", "01ARZ3NDEKTSV4RRFFQ69G5FAV",
        "81arz3ndekzzzzzzzzzzzzzzzz", "01arz3ndekzzzzzzzzzzzzzzzu",
    ])
    func refusesOtherNames(text: String) {
        #expect(!ReplyID.isValid(text))
    }
}
