import Foundation
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkCommands

/// What becomes of a text between the user's hand and the outbox: nothing of it is lost or changed.
@Suite(.temporaryDirectory) struct DraftTests {
    static let lines = ["Write above.", "You answer Carol:", "Four metres.\n\n* or five"]
    static let marks = (
        "# ------------------------ >8 ------------------------",
        "# ------------------------ 8< ------------------------"
    )

    // MARK: The editor's file

    @Test func theFileHasOurLinesBetweenTwoMarks() {
        #expect(
            EditorText.file("Text", about: Self.lines) == """
                Text

                \(Self.marks.0)
                # Write above.
                # You answer Carol:
                # Four metres.
                # \("")
                # * or five
                \(Self.marks.1)

                """)
    }

    @Test(
        arguments: [
            // The user's text above, below, and between our lines, with a list of his own.
            (["One.", "", "Two."], [], []), ([], ["Below."], []), (["Above."], ["", "Below."], []),
            ([], [], ["# first", "# second", "between"]), (["# a list", "# of two"], ["# and more"], []),
        ] as [([String], [String], [String])])
    func onlyOurOwnLinesAreTakenAway(above: [String], below: [String], between: [String]) {
        let template = EditorText.file("", about: Self.lines).split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
        let ours = Array(template.dropFirst(2).dropLast())
        let file = above + ours.prefix(3) + between + ours.dropFirst(3) + below
        let written = (above + between + below).joined(separator: "\n").trimmingCharacters(in: .newlines)
        #expect(EditorText.body(of: file.joined(separator: "\n") + "\n", about: Self.lines) == written)
        #expect(EditorText.body(of: file.joined(separator: "\r\n") + "\r\n", about: Self.lines) == written)
    }

    @Test func marksThatTheUserPastedAreHisText() {
        let text = "See this:\n\(Self.marks.0)\n# a comment of git"
        #expect(EditorText.body(of: EditorText.file(text, about: Self.lines), about: Self.lines) == text)
    }

    @Test func anEditorMayTakeSpacesAndTheLastMarkAway() {
        let file = "Text\n\n\(Self.marks.0)\n# Write above.\n#\n# * or five\nmine"
        #expect(EditorText.body(of: file, about: Self.lines) == "Text\n\nmine")
    }

    @Test func whatAnotherProgramLeftLosesEveryLineOfItsWords() {
        let file = EditorText.file("Left.", about: ["You answer Dora:", "Another."]) + "# kept, below\n"
        #expect(EditorText.body(of: file, about: nil) == "Left.\n\n# kept, below")
        #expect(EditorText.body(of: "No mark.\n", about: nil) == "No mark.")
    }

    // MARK: What a wiki cannot keep

    @Test(arguments: [
        ("a\u{7}b", "line 1 of the reply has the control character U+0007"),
        ("a\nb\u{0}", "line 2 of the reply has the control character U+0000"),
        ("\u{1B}[31mred", "U+001B"), ("a\u{C}b", "U+000C"), ("a\u{FFFF}", "U+FFFF"),
    ])
    func aCharacterThatTheWikiWouldReplaceIsRefused(text: String, words: String) async throws {
        let (program, page) = try await pulled()
        let result = await program.run("reply", page, "c-Carol", "-m", text)
        #expect(result.exitCode == .failure)
        #expect(result.error.contains(words) && result.error.contains("nothing was queued"), "\(result.error)")
        #expect(await program.run("outbox").output == "the outbox is empty\n")
    }

    @Test func linesTabsAndLettersOfAllKindsAreKept() throws {
        for text in ["a\tb\r\nc", "a\u{7F}", "a\u{85}", "�", "👩‍👩‍👧", "א\u{200F}"] { try WrittenText.check(text) }
    }

    @Test func aRefusedTextFromStandardInputIsKept() async throws {
        let (program, page) = try await pulled()
        for text in ["Much work.\n</div>", "Much work.\u{1}"] {
            let result = await program.run("reply", page, "c-Carol", input: text)
            #expect(result.exitCode == .failure)
            let path = try #require(result.error.split(separator: "the text is kept in ").last).prefix { $0 != ";" }
            #expect(try String(contentsOfFile: String(path), encoding: .utf8) == text)
            let mode = try FileManager.default.attributesOfItem(atPath: String(path))[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
        let empty = await program.run("reply", page, "c-Carol", input: " \n")
        #expect(empty.exitCode == .failure && !empty.error.contains("kept in"))
    }

    private func pulled() async throws -> (TestProgram, page: String) {
        let paper = PaperWiki(), program = try TestProgram()
        try #require(await program.run("pull", paper.page).exitCode == .done)
        return (program, paper.page)
    }

    // MARK: Bytes that are no text

    @Test func brokenBytesAreNeverPosted() throws {
        let paper = PaperWiki(), program = try BuiltProgram()
        try #require(try program.run("git-talk", "pull", paper.page).status == 0)
        let message = try program.run("sh", "-c", #"git-talk reply Talk:Bridge c-Carol -m "$(printf 'caf\351')""#)
        #expect(message.status == 64)
        #expect(message.error.hasPrefix("git-talk: argument 5 is not text in UTF-8, so nothing was done\nhint: "))
        let input = try program.run("sh", "-c", #"printf 'caf\351' | git-talk reply Talk:Bridge c-Carol"#)
        #expect(input.status == 1)
        #expect(input.error.hasPrefix("git-talk: what came on standard input is not text in UTF-8"))
        let path = try #require(input.error.split(separator: "the text is kept in ").last).prefix { $0 != ";" }
        #expect(try Data(contentsOf: URL(filePath: String(path))) == Data([0x63, 0x61, 0x66, 0xE9]))
        let file = try program.run(
            "sh", "-c", #"printf 'caf\351' >latin; git-talk reply Talk:Bridge c-Carol -F latin"#)
        #expect(file.status == 1 && file.error.contains("the file latin is not text in UTF-8"))
        #expect(try program.run("git-talk", "outbox").output == "the outbox is empty\n")
    }
}
