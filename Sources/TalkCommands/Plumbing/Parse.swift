internal import Foundation
internal import TalkPages

extension Verb {
    static let parse = Verb(
        "parse", .plumbing, "Print the headings and comments of an HTML page, one JSON object a line",
        synopsis: "--site <file> <page.html>",
        details: """
            Needs no store. The site file has the wiki's namespaces, date formats and time zone and the page's title;
            docs/PLUMBING.md describes it and the output.
            """,
        options: [.site]
    ) { arguments, context in
        let files = try PlumbingFiles(arguments, context, required: ["site"], files: 1)
        let items = try files.parser().parse(text: try files.page(0)).items
        context.terminal.write(items.map { ItemLine.text($0) + "\n" }.joined())
        return .done
    }
}

/// An item as a line of JSON, in the order of fields that a reader expects.
enum ItemLine {
    static func text(_ item: ThreadItem) -> String {
        let isComment = item.kind == .comment
        var fields = ["\"type\": \"\(item.kind.rawValue)\"", "\"level\": \(item.level)"]
        if !isComment { fields.append("\"heading_level\": \(item.headingLevel.map(String.init) ?? "null")") }
        fields.append("\"id\": \(quoted(item.id))")
        fields.append("\"name\": \(quoted(item.name))")
        fields.append("\"parent\": \(item.parent.map(String.init) ?? "null")")
        if let author = item.author { fields.append("\"author\": \(quoted(author))") }
        if let timestamp = item.timestamp { fields.append("\"timestamp\": \"\(time(timestamp))\"") }
        fields.append("\"text\": \(quoted(item.text))")
        switch item.transclusion {
        case nil: fields.append("\"transcluded_from\": false")
        case .unknown: fields.append("\"transcluded_from\": true")
        case .page(let title): fields.append("\"transcluded_from\": \(quoted(title))")
        }
        return "{\(fields.joined(separator: ", "))}"
    }

    /// `2026-01-30T12:00:00Z`.
    private static func time(_ seconds: Int64) -> String {
        Date(timeIntervalSince1970: TimeInterval(seconds)).formatted(.iso8601)
    }

    /// A JSON string.
    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\u{0}"..."\u{1F}":
                let hex = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
