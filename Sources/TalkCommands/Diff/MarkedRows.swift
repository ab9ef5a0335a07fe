internal import TalkPages

/// A text with marks for what was removed and added, as rows of a terminal or of a file.
struct MarkedRows {
    let style: Style
    /// Columns to wrap at; nil for one row a line.
    let room: Int?

    private struct Piece {
        var kind: WordDiff.Run.Kind
        var text: String
    }

    private var rows: [[Piece]] = [[]]
    private var length = 0

    init(_ runs: [WordDiff.Run], style: Style, room: Int?) {
        self.style = style
        self.room = room
        for run in runs {
            let lines = TerminalText.safe(run.text).split(separator: "\n", omittingEmptySubsequences: false)
            for (number, line) in lines.enumerated() {
                if number > 0 { beginRow() }
                add(line, run.kind)
            }
        }
    }

    /// The rows, marked by colours, or by brackets as git's word diff has them.
    func text(plain: (String) -> String = { $0 }) -> [String] {
        rows.map { row in
            row.map { piece in
                switch piece.kind {
                case .same: plain(piece.text)
                case .removed: style.isColoured ? style.red(piece.text) : "[-\(piece.text)-]"
                case .added: style.isColoured ? style.green(piece.text) : "{+\(piece.text)+}"
                }
            }.joined()
        }
    }

    private mutating func beginRow() {
        rows.append([])
        length = 0
    }

    private mutating func add(_ line: Substring, _ kind: WordDiff.Run.Kind) {
        guard let room else { return append(String(line), kind) }
        for (number, word) in line.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
            if number > 0 {
                if length + 1 + word.count > room, length > 0 {
                    beginRow()
                } else {
                    append(" ", kind)
                }
            }
            append(String(word), kind)
        }
    }

    private mutating func append(_ text: String, _ kind: WordDiff.Run.Kind) {
        if text.isEmpty { return }
        length += text.count
        let row = rows.count - 1
        if let last = rows[row].last, last.kind == kind {
            rows[row][rows[row].count - 1].text += text
        } else {
            rows[row].append(Piece(kind: kind, text: text))
        }
    }
}
