/// Infers a date format from one date whose moment is known.
enum DateFormatInference {
    /// A format that writes the date; `isDoubtful` when the date leaves more than one possible.
    static func format(
        of date: String, _ sample: SignatureFormats.Sample, like known: SignatureFormat
    ) -> (format: String, isDoubtful: Bool)? {
        for shift in [0, -60, 60] as [Int64] {
            let clock = WallClock(at: sample.timestamp + shift, offset: sample.offset)
            var search = Search(date: Array(date), clock: clock, known: known)
            search.run()
            guard let best = search.best() else { continue }
            return best
        }
        return nil
    }

    /// The numbers and names that a date must have.
    private enum Part: Int, CaseIterable { case hour, minute, day, month, year, weekday }

    private struct Candidate {
        var piece: DateFormatPiece
        var part: Part
        var text: [Character]
    }

    private struct Search {
        let date: [Character]
        let candidates: [Candidate]
        private(set) var found: [[DateFormatPiece]] = []
        private var steps = 0
        /// Names that another code would have written on this day too.
        private var uncertain: Set<DateFormatPiece> = []

        init(date: [Character], clock: WallClock, known: SignatureFormat) {
            self.date = date
            func number(_ value: Int, _ width: Int) -> [Character] {
                let plain = Array(String(value))
                let digits = Array(known.digits)
                return (Array(repeating: "0", count: max(0, width - plain.count)) + plain).map {
                    digits.count == 10 ? digits[$0.wholeNumberValue ?? 0] : $0
                }
            }
            func name(_ names: [String], _ index: Int) -> [Character] {
                names.indices.contains(index) ? Array(SignatureFormats.withoutMarks(names[index])) : []
            }
            var all: [Candidate] = []
            func add(_ piece: DateFormatPiece, _ part: Part, _ text: [Character]) {
                if !text.isEmpty, !all.contains(where: { $0.part == part && $0.text == text }) {
                    all.append(Candidate(piece: piece, part: part, text: text))
                }
            }
            // Where one text fits two codes, the code of the known format goes first, then the one that understands
            // more dates.
            let usual = Set(DateFormatPiece.pieces(of: known.format))
            add(.hour(isPadded: false), .hour, number(clock.hour, 1))
            add(.hour(isPadded: true), .hour, number(clock.hour, 2))
            add(.minute, .minute, number(clock.minute, 2))
            add(.day(isPadded: false), .day, number(clock.day, 1))
            add(.day(isPadded: true), .day, number(clock.day, 2))
            add(.year(offset: 0), .year, number(clock.year, 4))
            add(.year(offset: 543), .year, number(clock.year + 543, 4))
            let names: [(DateFormatPiece, Part, [String], Int)] = [
                (.monthGenitive, .month, known.monthsGenitive, clock.month - 1),
                (.month, .month, known.months, clock.month - 1),
                (.monthShort, .month, known.monthsShort, clock.month - 1),
                (.weekday, .weekday, known.weekdays, clock.weekday),
                (.weekdayShort, .weekday, known.weekdaysShort, clock.weekday),
            ]
            for (piece, part, list, index) in names.filter({ usual.contains($0.0) }) + names {
                add(piece, part, name(list, index))
                // Another list may have the same name on this day only.
                let differs = { (other: (DateFormatPiece, Part, [String], Int)) in
                    other.1 == part && name(other.2, index) == name(list, index) && other.2 != list
                }
                if !usual.contains(piece), names.contains(where: differs) { uncertain.insert(piece) }
            }
            add(.monthNumber(isPadded: false), .month, number(clock.month, 1))
            add(.monthNumber(isPadded: true), .month, number(clock.month, 2))
            candidates = all
        }

        /// Tries every way to read the date; a date has few characters, and the number of tries is bounded.
        mutating func run() {
            var stack: [(index: Int, pieces: [DateFormatPiece], used: Set<Part>)] = [(0, [], [])]
            while let (index, pieces, used) = stack.popLast(), steps < 100_000 {
                steps += 1
                guard index < date.count else {
                    if used.isSuperset(of: [.hour, .minute, .day, .month, .year]) { found.append(pieces) }
                    continue
                }
                // A digit that is text would be one of another calendar: such a reading is no format.
                if date[index].wholeNumberValue == nil || !date[index].isNumber {
                    stack.append((index + 1, pieces + [.text(date[index])], used))
                }
                for candidate in candidates where !used.contains(candidate.part) {
                    let end = index + candidate.text.count
                    guard end <= date.count, date[index..<end].elementsEqual(candidate.text) else { continue }
                    stack.append((end, pieces + [candidate.piece], used.union([candidate.part])))
                }
            }
        }

        /// The likeliest reading: fewest characters taken for text, then hour directly before minute.
        func best() -> (format: String, isDoubtful: Bool)? {
            func cost(_ pieces: [DateFormatPiece]) -> Int {
                let letters = pieces.count { if case .text(let text) = $0 { text.isLetter } else { false } }
                var hour = -10
                var minute = -10
                for (place, piece) in pieces.enumerated() {
                    if case .hour = piece { hour = place }
                    if piece == .minute { minute = place }
                }
                return letters * 10 + (minute - hour == 2 ? 0 : 5)
            }
            guard let least = found.map(cost).min() else { return nil }
            let best = found.filter { cost($0) == least }
            let format = best.map { $0.map(\.code).joined() }.sorted()[0]
            return (format, best.count > 1 || best[0].contains { uncertain.contains($0) })
        }
    }
}
