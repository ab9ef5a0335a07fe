/// Puts the words of a page into lines: one a block, with marks for lists, quotations and cells.
struct TextWriter {
    /// What stands before each line of an open list item or quotation.
    private struct Prefix {
        var first: String
        var others: String
    }

    private var lines: [String] = []
    /// The line that is being written, without what stands before it.
    private var line = ""
    private var prefixes: [Prefix] = []
    private var needsSpace = false
    /// Marks to be put before the next word.
    private var openMarks = ""
    /// How much of the line was there when its last cell began.
    private var cellStart = 0
    private var isInCell = false
    /// Whether the next word of the cell stands on a line of its own.
    private var needsLine = false

    /// The lines that were ended.
    var text: String { lines.joined(separator: "\n") }

    // MARK: Lines

    /// Ends the line, if anything stands on it; in a cell only if anything more comes.
    mutating func endLine() {
        needsSpace = false
        guard line.utf8.count > cellStart else { return }
        if isInCell { needsLine = true } else { forceLine() }
    }

    private mutating func endLineAtOnce() {
        needsSpace = false
        needsLine = false
        if line.utf8.count > cellStart { forceLine() }
    }

    /// Ends a row of a table, whose last cell may be empty.
    mutating func endRow() {
        isInCell = false
        needsLine = false
        if !line.isEmpty { forceLine() }
    }

    private mutating func forceLine() {
        var text = ""
        for index in prefixes.indices {
            text += prefixes[index].first
            prefixes[index].first = prefixes[index].others
        }
        text += line
        while text.last == " " { text.removeLast() }
        lines.append(text)
        line = ""
        cellStart = 0
        needsSpace = false
    }

    /// Begins what has `first` before its first line and `others` before the others.
    mutating func push(_ first: String, _ others: String) {
        endLineAtOnce()
        prefixes.append(Prefix(first: first, others: others))
    }

    mutating func pop() {
        endLineAtOnce()
        if !prefixes.isEmpty { prefixes.removeLast() }
    }

    /// Puts `mark` on both sides of the line, a heading.
    mutating func endHeading(mark: String) {
        if !line.isEmpty { line = "\(mark) \(line) \(mark)" }
        endLine()
    }

    /// Begins a cell of a table's row.
    mutating func beginCell(isFirst: Bool) {
        if !isFirst { line += line.isEmpty ? "| " : " | " }
        needsSpace = false
        needsLine = false
        isInCell = true
        cellStart = line.utf8.count
    }

    // MARK: Words

    /// Adds text in which white space does not count.
    mutating func add(_ text: some StringProtocol) {
        var word = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case " ", "\n", "\t", "\r", "\u{C}":
                put(word)
                word = ""
                needsSpace = true
            default: word.unicodeScalars.append(scalar)
            }
        }
        put(word)
    }

    /// Adds text whose white space counts.
    mutating func addPreformatted(_ text: some StringProtocol) {
        for (number, row) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if number > 0 { forceLine() }
            if !row.isEmpty { put(String(row)) }
        }
    }

    private mutating func put(_ word: String) {
        if word.isEmpty { return }
        if needsLine { endLineAtOnce() }
        if needsSpace, line.utf8.count > cellStart { line += " " }
        needsSpace = false
        line += openMarks + word
        openMarks = ""
    }

    /// Begins something that has a mark on both sides.
    mutating func open(mark: String) { openMarks += mark }

    /// Ends it; a mark never stands alone.
    mutating func close(mark: String) {
        if openMarks.hasSuffix(mark) {
            openMarks.removeLast(mark.count)
        } else if line.isEmpty, !lines.isEmpty {
            lines[lines.count - 1] += mark
        } else {
            line += mark
        }
    }
}
