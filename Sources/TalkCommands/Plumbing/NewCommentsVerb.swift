internal import Foundation
internal import TalkPages

extension Verb {
    static let newComments = Verb(
        "new-comments", .plumbing, "Print the ids of the comments that an edit added, one a line",
        synopsis: "--site <file> --by <user> --at <time> <old.html> <new.html>",
        details: """
            Needs no store. A comment is new when its author and minute are new in its topic, and it is by the user who
            saved the edit.
            """,
        options: [
            .site, Option("by", value: "<user>", "who saved the edit"),
            Option("at", value: "<time>", "when it was saved, like 2026-01-30T12:00:00Z"),
        ]
    ) { arguments, context in
        let files = try PlumbingFiles(arguments, context, required: ["site", "by", "at"], files: 2)
        guard let saved = try? Date(arguments["at"] ?? "", strategy: .iso8601) else {
            throw UsageError("--at needs a time like 2026-01-30T12:00:00Z")
        }
        let parser = try files.parser()
        let tree = try parser.parse(text: try files.page(1))
        let added = NewComments.indices(
            in: tree, notIn: try parser.parse(text: try files.page(0)), by: arguments["by"] ?? "",
            savedAt: Int64(saved.timeIntervalSince1970))
        context.terminal.write(added.map { tree.items[$0].id + "\n" }.joined())
        return .done
    }
}
