internal import TalkPages

/// The lines that one text has more than another, where they stand together and nothing else differs.
///
/// Blank lines and white space at the ends of lines do not count: the wiki and the placing change both.
struct AddedLines {
    /// The lines, none of them blank.
    let lines: [Substring]
    /// Where they stand.
    let place: OutboxEntry.Addition.Place

    /// Compares two texts; nil where a line was taken away or changed, or none was added.
    init?(from old: String, to new: String) {
        let old = Self.lines(of: old), new = Self.lines(of: new)
        let count = new.count - old.count
        guard count > 0 else { return nil }
        let start = zip(old, new).prefix { $0 == $1 }.count
        guard old[start...] == new[(start + count)...] else { return nil }
        lines = Array(new[start..<start + count])
        let above = start > 0 ? new[start - 1] : nil
        place = .init(above: above.map(String.init), occurrence: new[..<start].count { $0 == above })
    }

    /// The lines of a text that are not blank, without white space at their ends.
    static func lines(of text: String) -> [Substring] {
        let lines = text.utf8.split(separator: UInt8(ascii: "\n")).map { line in
            Substring(
                line[..<(line.lastIndex { !" \t\r".utf8.contains($0) }.map(line.index(after:)) ?? line.startIndex)])
        }
        return lines.filter { !$0.isEmpty }
    }

    /// Whether they are, at this place, what was to be added, `saved` in seconds since 1970 when the wiki has them.
    ///
    /// In the place of the dates that the wiki put in for tildes when it was asked for its form, at `sent`, stand those of
    /// that time.
    func are(
        _ addition: OutboxEntry.Addition, sent: Int64, saved: Int64, dates: any SignatureDates
    ) -> Bool {
        guard lines.count == addition.lines.count, addition.place == nil || place == addition.place else {
            return false
        }
        let body = { (line: String) in
            addition.place == nil ? String(line.drop { ":*#; ".contains($0) }) : line
        }
        return zip(addition.lines, lines).allSatisfy { asked, line in
            Self.isSame(body(asked), body(String(line)), dates) { then, now in
                abs(then - sent) <= 3600 && abs(now - saved) <= Self.slack
            }
        }
    }

    /// Seconds between the date of a revision and that of a signature in it, which is in full minutes.
    private static let slack: Int64 = 180

    private static func isSame(
        _ asked: String, _ line: String, _ dates: any SignatureDates, _ mayDiffer: (Int64, Int64) -> Bool
    ) -> Bool {
        if asked == line { return true }
        let before = dates.dates(in: asked), after = dates.dates(in: line)
        guard before.count == after.count else { return false }
        var start = asked.startIndex, other = line.startIndex
        for (then, now) in zip(before, after) {
            guard asked[start..<then.range.lowerBound] == line[other..<now.range.lowerBound],
                asked[then.range] == line[now.range] || mayDiffer(then.timestamp, now.timestamp)
            else { return false }
            start = then.range.upperBound
            other = now.range.upperBound
        }
        return asked[start...] == line[other...]
    }
}

extension MediaWikiAPI {
    /// Lines as the wiki will write them when it saves them on a page.
    func addition(
        _ lines: [Substring], at place: OutboxEntry.Addition.Place?, title: String
    ) throws(TalkError) -> OutboxEntry.Addition {
        let saved = try saved(lines.joined(separator: "\n"), title: title)
        return OutboxEntry.Addition(lines: AddedLines.lines(of: saved).map(String.init), place: place)
    }
}
