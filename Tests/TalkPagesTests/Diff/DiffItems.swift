import TalkPages

/// Short ways to write the items of a page.
enum DiffItems {
    static func heading(
        _ text: String, level: Int = 2, parent: Int? = nil, name: String = "h-", file: String? = nil
    ) -> ThreadItem {
        ThreadItem(
            kind: .heading, level: 0, headingLevel: level, id: "h-\(text.replacing(" ", with: "_"))-\(name)",
            name: name, parent: parent, text: text, file: file ?? "sections/\(text.replacing(" ", with: "_")).html")
    }

    static func comment(
        _ author: String, at time: Int64, level: Int = 1, parent: Int?, _ text: String, readable: String? = nil,
        id: String? = nil, file: String? = nil
    ) -> ThreadItem {
        let name = "c-\(author)-\(time)"
        return ThreadItem(
            kind: .comment, level: level, id: id ?? name + "-x", name: name, parent: parent, author: author,
            timestamp: time, text: text, readableText: readable, file: file)
    }

    /// One change in short: what happened to which heading or author.
    static func short(_ change: DiscussionDiff.Change) -> String {
        let item = change.new ?? change.old
        let what = item?.kind == .heading ? "= \(item?.text ?? "")" : item?.author ?? ""
        return "\(change.kinds.map(\.rawValue).joined(separator: "+")) \(what)"
    }

    static func short(_ diff: DiscussionDiff) -> [String] { diff.changes.map(short) }
}
