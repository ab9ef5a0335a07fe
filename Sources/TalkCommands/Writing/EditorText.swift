internal import TalkPages

/// The file that an editor gets: what the user writes, and below it our words about it between two marks.
///
/// Only what stands between the marks and is ours is taken away again: what a user writes below them is his text, too.
enum EditorText {
    private static let start = "# ------------------------ >8 ------------------------"
    private static let end = "# ------------------------ 8< ------------------------"

    /// The file with a text and our lines, each of which becomes one or more lines that begin with `#`.
    static func file(_ text: String, about lines: [String]) -> String {
        ([text, "", start] + commented(lines) + [end, ""]).joined(separator: "\n")
    }

    /// The user's text in the file.
    ///
    /// `lines` are those that the file was made with; nil when another program made it, so that between the marks
    /// every line that begins with `#` counts as ours.
    static func body(of file: String, about lines: [String]?) -> String {
        let all = file.replacing("\r\n", with: "\n").split(separator: "\n", omittingEmptySubsequences: false)
        let own = lines.map { Set(commented($0).map { trimmed($0[...]) }) }
        // Marks that the user pasted stand above ours.
        guard let first = all.lastIndex(where: { trimmed($0) == start }) else { return file.trimmingLines }
        let last = all[first...].lastIndex { trimmed($0) == end } ?? all.endIndex
        let kept = all.enumerated().filter { index, line in
            if index == first || index == last { return false }
            guard index > first, index < last else { return true }
            return own.map { !$0.contains(trimmed(line)) } ?? !line.hasPrefix("#")
        }
        return kept.map { String($0.element) }.joined(separator: "\n").trimmingLines
    }

    private static func commented(_ lines: [String]) -> [String] {
        lines.flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false).map { "# \($0)" } }
    }

    /// Editors take spaces at the ends of lines away.
    private static func trimmed(_ line: Substring) -> String {
        var line = line
        while let last = line.last, last.isWhitespace { line.removeLast() }
        return String(line)
    }
}

extension String {
    /// Without empty lines at the beginning and at the end.
    fileprivate var trimmingLines: String {
        var text = self[...]
        while text.first?.isNewline == true { text.removeFirst() }
        while text.last?.isNewline == true { text.removeLast() }
        return String(text)
    }
}
