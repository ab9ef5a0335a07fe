internal import Foundation
internal import TalkPages

/// `parse --site SITE.json PAGE.html`: the page's headings and comments, one JSON object a line.
struct ParseCommand {
    private let arguments: PlumbingArguments

    init(_ arguments: ArraySlice<String>) throws(PlumbingError) {
        self.arguments = try PlumbingArguments(arguments, options: ["--site"], files: 1)
    }

    func output() throws(PlumbingError) -> String {
        let parser = try arguments.parser()
        let text = try PlumbingFile.text(arguments.files[0])
        do {
            return try parser.parse(text: text).items.map { Self.line($0) + "\n" }.joined()
        } catch {
            throw .failure(error)
        }
    }

    private static func line(_ item: ThreadItem) -> String {
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
