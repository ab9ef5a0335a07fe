internal import TalkPages

/// A comparison as text: topics as headings, comments with author and time, changed words marked.
///
/// Text of the page is made safe here: no control character or bidi override reaches the terminal raw.
struct DiffText {
    let report: DiffReport
    let style: Style
    let width: Int?

    init(_ report: DiffReport, style: Style, width: Int?) {
        self.report = report
        self.style = style
        self.width = width
    }

    func text() -> String {
        var out = Self.header(report, style)
        for section in report.sections {
            out += heading(section.heading)
            for change in section.comments { out += comment(change) }
        }
        if !report.renderOnly.isEmpty {
            out += "\n" + style.bold("Changed outside of comments") + "\n"
            for file in report.renderOnly {
                let what = file.isMarkupOnly ? "only its markup" : "its text"
                out += "  \(TerminalText.safe(file.file))  \(style.dim(what))\n"
            }
        }
        return report.isEmpty ? out + "\n(no difference)\n" : out
    }

    static func header(_ report: DiffReport, _ style: Style) -> String {
        let title = style.page(report.named.wiki.localTitle(of: report.named.page))
        return style.bold(title) + style.dim("  " + report.named.wiki.key) + "\n"
            + style.red("--- \(report.old.words(style))") + "\n" + style.green("+++ \(report.new.words(style))") + "\n"
    }

    // MARK: Headings

    private func heading(_ change: DiscussionDiff.Change?) -> String {
        guard let change, let item = change.new ?? change.old else {
            return "\n" + style.dim("(before the first heading)") + "\n"
        }
        let marks = String(repeating: "=", count: item.headingLevel ?? 2)
        let rows = MarkedRows(runs(change), style: style, room: nil).text(plain: style.bold)
        var line = style.bold(marks + " ") + style.isolated(rows.joined(separator: " ")) + style.bold(" " + marks)
        line += "  " + style.dim(report.code(change))
        return "\n" + line + labels(headingLabels(change)) + "\n"
    }

    private func headingLabels(_ change: DiscussionDiff.Change) -> [String] {
        change.kinds.map { kind in
            switch kind {
            case .indented: "level \(change.old?.headingLevel ?? 0) → \(change.new?.headingLevel ?? 0)"
            case .moved: parentText(change).map { "moved under \($0)" } ?? "moved to the top level"
            case .reordered: "moved among its neighbours"
            default: kind.rawValue
            }
        }
    }

    private func parentText(_ change: DiscussionDiff.Change) -> String? {
        change.new?.parent.map { "“\(style.page(report.discussion.newItems[$0].text))”" }
    }

    // MARK: Comments

    private func comment(_ change: DiscussionDiff.Change) -> String {
        guard let item = change.new ?? change.old else { return "" }
        let indent = String(repeating: "    ", count: max(0, min(item.level - 1, 12))) + "  "
        var line = indent + style.bold(style.page(item.shownAuthor))
        if let time = item.timestamp { line += ", \(TimeText.minute(time))" }
        line += "  " + style.dim(report.code(change)) + labels(commentLabels(change))
        if item.pending != nil { line += "  " + style.yellow("[pending: not on the wiki yet]") }
        var out = "\n\(line)\n"
        let room = width.map { max($0 - indent.count - 2, 30) }
        for row in MarkedRows(runs(change), style: style, room: room).text() {
            out += row.isEmpty ? "\n" : "\(indent)  \(style.isolated(row))\n"
        }
        return out
    }

    private func commentLabels(_ change: DiscussionDiff.Change) -> [String] {
        var labels: [String] = []
        for kind in change.kinds {
            switch kind {
            case .added:
                labels.append("added" + (answered(change).map { ", answers \($0)" } ?? ""))
            case .resigned: labels.append("signed anew, before by \(signature(change.old))")
            case .indented:
                let levels = (change.old?.level ?? 0, change.new?.level ?? 0)
                labels.append(
                    levels.0 == levels.1
                        ? "answers \(answered(change) ?? "the topic") now" : "indented, level \(levels.0) → \(levels.1)"
                )
            case .moved: labels.append("moved from \(oldTopic(change))")
            case .reordered: labels.append("moved among its neighbours")
            case .removed, .renamed, .edited: labels.append(kind.rawValue)
            }
        }
        return labels
    }

    /// Whom the comment answers.
    private func answered(_ change: DiscussionDiff.Change) -> String? {
        guard let parent = change.new?.parent, report.discussion.newItems[parent].kind == .comment else { return nil }
        return signature(report.discussion.newItems[parent])
    }

    private func signature(_ item: ThreadItem?) -> String {
        let author = style.page(item?.shownAuthor ?? "?")
        return author + (item?.timestamp.map { ", \(TimeText.minute($0))" } ?? "")
    }

    private func oldTopic(_ change: DiscussionDiff.Change) -> String {
        var index = change.oldIndex
        while let current = index {
            let item = report.discussion.oldItems[current]
            if item.isTopic { return "“\(style.page(item.text))”" }
            index = item.parent
        }
        return "the page's beginning"
    }

    // MARK: For both

    /// The text with its marks; of a comment whose text stayed, the beginning.
    private func runs(_ change: DiscussionDiff.Change) -> [WordDiff.Run] {
        if let words = change.words { return words.runs }
        let text = (change.new ?? change.old)?.shownText ?? ""
        if text.isEmpty { return [] }
        if change.kinds == [.added] { return [WordDiff.Run(.added, text)] }
        if change.kinds == [.removed] { return [WordDiff.Run(.removed, text)] }
        if change.new?.kind == .heading { return [WordDiff.Run(.same, text)] }
        let first = text.prefix { !$0.isNewline }
        return [
            WordDiff.Run(.same, first.count > 70 || first.count < text.count ? first.prefix(69) + "…" : String(first))
        ]
    }

    private func labels(_ labels: [String]) -> String {
        labels.isEmpty ? "" : "  " + style.yellow("[\(labels.joined(separator: "; "))]")
    }
}
