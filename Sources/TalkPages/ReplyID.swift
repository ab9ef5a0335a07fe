/// Names of pending replies: ULIDs in lower case, which sort by the time of writing.
public enum ReplyID {
    private static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)

    /// Makes the name of a reply that is written at `milliseconds` since 1970, from 80 bits of chance.
    ///
    /// Only the lower 48 bits of the time and the lower 16 bits of `random.0` are used.
    public static func make(milliseconds: Int64, random: (UInt64, UInt64)) -> String {
        // 128 bits: 48 of time, 80 of chance; 26 digits of 5 bits from the last to the first.
        var high = UInt64(truncatingIfNeeded: milliseconds) << 16 | (random.0 & 0xFFFF)
        var low = random.1
        var text: [UInt8] = []
        for _ in 0..<26 {
            text.append(digits[Int(low & 31)])
            low = low >> 5 | high << 59
            high >>= 5
        }
        return String(decoding: text.reversed(), as: UTF8.self)
    }

    /// Makes the name of a reply that is written at `milliseconds` since 1970.
    public static func make(milliseconds: Int64, using generator: inout some RandomNumberGenerator) -> String {
        make(milliseconds: milliseconds, random: (generator.next(), generator.next()))
    }

    /// Whether a text is such a name, so that it may become part of a path.
    public static func isValid(_ text: String) -> Bool {
        // More than 48 bits of time would not fit.
        text.utf8.count == 26 && text.utf8.allSatisfy(digits.contains)
            && text.utf8.first.map { $0 <= UInt8(ascii: "7") } == true
    }

    /// When a reply of that name was written, milliseconds since 1970; nil when it is no such name.
    public static func milliseconds(of id: String) -> Int64? {
        guard isValid(id) else { return nil }
        return id.utf8.prefix(10).reduce(Int64(0)) { time, digit in
            time << 5 | Int64(digits.firstIndex(of: digit) ?? 0)
        }
    }
}
