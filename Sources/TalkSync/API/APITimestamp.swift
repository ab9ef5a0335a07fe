/// Times as MediaWiki's API writes them, `2026-11-30T05:14:43Z`.
enum APITimestamp {
    /// Seconds since 1970, or nil when the text is no such time (`infinity`).
    static func seconds(_ text: String) -> Int64? {
        let bytes = Array(text.utf8)
        guard bytes.count == 20, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            bytes[10] == UInt8(ascii: "T"), bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
            bytes[19] == UInt8(ascii: "Z")
        else { return nil }
        let fields = [0..<4, 5..<7, 8..<10, 11..<13, 14..<16, 17..<19].compactMap { range in
            bytes[range].allSatisfy { (48...57).contains($0) }
                ? Int64(String(decoding: bytes[range], as: UTF8.self)) : nil
        }
        guard fields.count == 6, (1...12).contains(fields[1]), (1...31).contains(fields[2]), fields[3] < 24,
            fields[4] < 60, fields[5] < 61
        else { return nil }
        return days(fields[0], fields[1], fields[2]) * 86_400 + fields[3] * 3600 + fields[4] * 60 + fields[5]
    }

    /// The API's form of a time.
    static func text(_ seconds: Int64) -> String {
        let (date, time) = (civil(seconds.quotientFloor(86_400)), seconds - seconds.quotientFloor(86_400) * 86_400)
        let pad = { (value: Int64, width: Int) in
            String(repeating: "0", count: max(0, width - String(value).count)) + String(value)
        }
        return "\(pad(date.year, 4))-\(pad(date.month, 2))-\(pad(date.day, 2))T"
            + "\(pad(time / 3600, 2)):\(pad(time / 60 % 60, 2)):\(pad(time % 60, 2))Z"
    }

    /// Days since 1970-01-01 of a date of the Gregorian calendar; March is counted first so that leap days come last.
    static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let era = year.quotientFloor(400)
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func civil(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = shifted.quotientFloor(146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}

extension Int64 {
    /// Division that rounds down.
    fileprivate func quotientFloor(_ divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }
}
