/// Arithmetic of the Gregorian calendar, without a zone.
package enum CalendarTime {
    /// Days from 1970-01-01 to the date; a month or day outside its range rolls over.
    static func days(year: Int, month: Int, day: Int) -> Int {
        let months = year * 12 + month - 1
        let year = floorDivide(months, 12)
        let month = months - year * 12 + 1
        // Years that begin in March put the leap day last.
        let shifted = month <= 2 ? year - 1 : year
        let era = floorDivide(shifted, 400)
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468 + day - 1
    }

    /// The date that is so many days after 1970-01-01.
    package static func date(days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = floorDivide(shifted, 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    /// Seconds from 1970-01-01T00:00 to the moment; every part may roll over.
    static func seconds(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0) -> Int64 {
        Int64(days(year: year, month: month, day: day)) * 86_400 + Int64(hour * 3600 + minute * 60)
    }

    /// Sunday is 0.
    static func weekday(days: Int) -> Int { (days + 4) - floorDivide(days + 4, 7) * 7 }

    static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    /// The quotient, rounded down.
    package static func floorDivide(_ a: Int, _ b: Int) -> Int { a >= 0 ? a / b : -((b - 1 - a) / b) }
}
