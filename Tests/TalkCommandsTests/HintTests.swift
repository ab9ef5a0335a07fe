import Foundation
import TalkTestSupport
import Testing

@testable import TalkCommands

/// A hint is copied to the command line from where its command begins, so nothing may stand behind it.
@Suite struct HintTests {
    /// What a command has besides options, placeholders and what is filled in.
    private static let words: Set<String> =
        Set(Verbs.all.map(\.name)).union(["help", "show", "retry", "restore", "ack", "drop", "default"])

    @Test func commandsStandAtTheEnd() throws {
        let sources = SharedData.repositoryRoot.appending(path: "Sources")
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var count = 0
        for case let file as URL in files where file.pathExtension == "swift" {
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                guard line.contains("hint"), !line.contains("///") else { continue }
                for start in line.ranges(of: "git talk ") {
                    count += 1
                    let command = Self.literal(line[start.upperBound...]).replacing(/<[^>]+>/, with: "X")
                    let others = command.split(separator: " ").filter { !Self.isOfCommand($0) }
                    #expect(others.isEmpty, "\(file.lastPathComponent): \(command)")
                }
            }
        }
        #expect(count > 40)
    }

    @Test(arguments: [
        ("git talk sync tries again", ["tries", "again"]),
        ("git talk outbox retry X lets it go", ["lets", "it", "go"]),
        ("git talk pull --history all https://x", []), ("git talk sync; look", ["sync;", "look"]),
    ])
    func wordsBehindACommandAreFound(hint: String, words: [String]) {
        #expect(hint.dropFirst(9).split(separator: " ").filter { !Self.isOfCommand($0) } == words.map { $0[...] })
    }

    private static func isOfCommand(_ word: Substring) -> Bool {
        words.contains(String(word)) || word == "all" || word.allSatisfy { $0 == "X" } || word.hasPrefix("-")
            || word.hasPrefix("https://") || word == "YourName@something"
    }

    /// A string literal to its end or to its line's, with X for what is filled in.
    private static func literal(_ text: Substring) -> String {
        var out = "", depth = 0, rest = text
        while let letter = rest.popFirst() {
            if depth > 0 {
                depth += letter == "(" ? 1 : letter == ")" ? -1 : 0
            } else if letter == "\\", rest.first == "(" {
                rest.removeFirst()
                depth = 1
                out += "X"
            } else if letter == "\"" || letter == "\\" {
                break
            } else {
                out.append(letter)
            }
        }
        return out
    }
}
