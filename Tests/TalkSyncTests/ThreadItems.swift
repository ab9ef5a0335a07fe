import TalkPages

/// Short ways to write thread items in tests.
func heading(_ text: String, level: Int = 2, parent: Int? = nil, name: String = "h-") -> ThreadItem {
    ThreadItem(
        kind: .heading, level: 0, headingLevel: level, id: "h-\(text.replacing(" ", with: "_"))", name: name,
        parent: parent, text: text, file: "sections/\(text).html")
}

func comment(
    _ author: String, at time: Int64 = 0, level: Int = 1, parent: Int, _ text: String, id: String? = nil
) -> ThreadItem {
    let name = "c-\(author)-\(time)"
    return ThreadItem(
        kind: .comment, level: level, id: id ?? name + "-x", name: name, parent: parent, author: author,
        timestamp: time, text: text)
}
