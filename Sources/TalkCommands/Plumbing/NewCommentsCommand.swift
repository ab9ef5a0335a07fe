internal import Foundation
internal import TalkPages

/// `new-comments --site SITE.json --by USER --at TIME OLD.html NEW.html`: ids of what the edit added, one a line.
struct NewCommentsCommand {
    private let arguments: PlumbingArguments

    init(_ arguments: ArraySlice<String>) throws(PlumbingError) {
        self.arguments = try PlumbingArguments(arguments, options: ["--site", "--by", "--at"], files: 2)
    }

    func output() throws(PlumbingError) -> String {
        let parser = try arguments.parser()
        guard let saved = try? Date(arguments.value("--at"), strategy: .iso8601) else {
            throw .usage("--at needs a time like 2026-01-30T12:00:00Z")
        }
        let old = try PlumbingFile.text(arguments.files[0])
        let new = try PlumbingFile.text(arguments.files[1])
        do {
            let tree = try parser.parse(text: new)
            let added = NewComments.indices(
                in: tree, notIn: try parser.parse(text: old), by: arguments.value("--by"),
                savedAt: Int64(saved.timeIntervalSince1970))
            return added.map { tree.items[$0].id + "\n" }.joined()
        } catch {
            throw .failure(error)
        }
    }
}
