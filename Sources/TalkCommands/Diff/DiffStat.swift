internal import TalkPages

/// How much changed in each topic, a line a topic.
struct DiffStat {
    let report: DiffReport
    let style: Style

    /// What happened in one topic.
    private struct Row {
        var title: String
        var words: [String] = []
        var counts: [DiscussionDiff.Kind: Int] = [:]
    }

    /// A topic by where it is, or was when it is gone.
    private enum Topic: Hashable {
        case new(Int)
        case old(Int)
        case none
    }

    init(_ report: DiffReport, style: Style) {
        self.report = report
        self.style = style
    }

    func text() -> String {
        var lines = rows().map { row in
            let counts = DiscussionDiff.Kind.allCases.compactMap { kind in
                row.counts[kind].map { "\($0) \(Self.words(kind))" }
            }
            let comments = counts.isEmpty ? [] : ["comments: " + counts.joined(separator: ", ")]
            return (title: row.title, words: (row.words + comments).joined(separator: "; "))
        }
        lines += report.renderOnly.map { (Self.short($0.file), "outside of comments") }
        let column = lines.map(\.title.count).max() ?? 0
        var out = DiffText.header(report, style)
        for line in lines {
            let space = String(repeating: " ", count: column - line.title.count)
            out += " \(style.isolated(line.title))\(space) | \(line.words)\n"
        }
        return out + " \(PullText.counts(report.discussion))\n"
    }

    /// A heading that fits into its column.
    private static func short(_ title: String) -> String {
        let title = TerminalText.safe(title)
        return title.count > 50 ? title.prefix(49) + "…" : title
    }

    private static func words(_ kind: DiscussionDiff.Kind) -> String {
        kind == .resigned ? "signed anew" : kind.rawValue
    }

    private func rows() -> [Row] {
        var order: [Topic] = []
        var rows: [Topic: Row] = [:]
        for section in report.sections {
            let topic = topic(of: section.heading)
            if rows[topic] == nil {
                order.append(topic)
                rows[topic] = Row(title: title(topic))
            }
            let isTopic = section.heading.map { ($0.new ?? $0.old)?.isTopic == true } ?? false
            for kind in section.heading?.kinds ?? [] {
                rows[topic]?.words.append(isTopic ? Self.words(kind) : "a heading \(Self.words(kind))")
            }
            for kind in section.comments.flatMap(\.kinds) { rows[topic]?.counts[kind, default: 0] += 1 }
        }
        return order.compactMap { rows[$0] }
    }

    private func topic(of heading: DiscussionDiff.Change?) -> Topic {
        guard let heading else { return .none }
        let diff = report.discussion
        if let index = Self.topic(above: heading.newIndex, in: diff.newItems) { return .new(index) }
        guard let old = Self.topic(above: heading.oldIndex, in: diff.oldItems) else { return .none }
        return diff.oldIndices.firstIndex(of: old).map { .new($0) } ?? .old(old)
    }

    private static func topic(above index: Int?, in items: [ThreadItem]) -> Int? {
        var index = index
        while let current = index, !items[current].isTopic { index = items[current].parent }
        return index
    }

    private func title(_ topic: Topic) -> String {
        switch topic {
        case .new(let index): Self.short(report.discussion.newItems[index].text)
        case .old(let index): Self.short(report.discussion.oldItems[index].text)
        case .none: "(before the first heading)"
        }
    }
}
