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
        // The second one finds the first one where the editor looks.
        for (text, name) in [("Much work.\n</div>", "REPLY_EDITMSG"), ("Much work.\u{1}", "refused-")] {
            let result = await program.run("reply", page, "c-Carol", input: text)
            #expect(result.exitCode == .failure)
            let path = try #require(Self.path(in: result.error))
            #expect(path.contains("/\(name)"))
            #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
        let empty = await program.run("reply", page, "c-Carol", input: " \n")
        #expect(empty.exitCode == .failure && !empty.error.contains("kept in"))
    }

    /// Several programs may be refused in one millisecond.
    @Test func refusedTextsDoNotTakeEachOthersPlace() async throws {
        let (program, page) = try await pulled()
        var paths: Set<String> = []
        for number in 0..<4 {
            let result = await program.run("reply", page, "c-Carol", input: "Number \(number)\u{1}")
            let path = try #require(Self.path(in: result.error))
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "Number \(number)\u{1}")
            paths.insert(path)
        }
        #expect(paths.count == 4)
    }

    /// As a shell's `<(command)` gives it.
    @Test func aTextIsReadFromAPipe() async throws {
        let (program, page) = try await pulled()
        let pipe = Pipe()
        try pipe.fileHandleForWriting.write(contentsOf: Data("From a pipe.".utf8))
        try pipe.fileHandleForWriting.close()
        let path = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
        #expect(await program.run("reply", page, "c-Carol-20240301110000", "-F", path).exitCode == .done)
        #expect(await program.run("outbox", "list", "--json").output.contains("From a pipe."))
    }

    // MARK: What cannot be queued

    /// Nobody can change a journal, as while another program does or on a full disk.
    private func closeOutbox(_ program: TestProgram, _ isClosed: Bool = true) throws {
        let lock = program.store.appending(path: ".git/git-talk/outbox.lock")
        try? FileManager.default.removeItem(at: lock)
        if isClosed { try FileManager.default.createDirectory(at: lock, withIntermediateDirectories: true) }
    }

    private static func path(in error: String) -> String? {
        error.components(separatedBy: "the text is kept in ").dropFirst().first.map {
            String($0.prefix { !",;\n".contains($0) })
        }
    }

    @Test(
        arguments: [
            (["reply", "Talk:Bridge", "c-Carol"], ["-m", "Four, I say."], ""),
            (["reply", "Talk:Bridge", "c-Carol"], ["-F", "text"], ""),
            (["reply", "Talk:Bridge", "c-Carol"], [], "Four, I say."),
            (["new", "Talk:Bridge", "-s", "Age"], ["-m", "Four, I say."], ""),
            (["new", "Talk:Bridge", "-s", "Age"], ["-"], "Four, I say."),
            (["outbox", "edit", "0"], ["-m", "Four, I say."], ""),
            (["outbox", "edit", "0"], ["-F", "-"], "Four, I say."),
        ] as [([String], [String], String)])
    func aTextThatCannotBeQueuedIsKeptUntilItIs(words: [String], source: [String], input: String) async throws {
        let (program, _) = try await pulled()
        try Data("Four, I say.".utf8).write(to: program.home.appending(path: "text"))
        await program.run("reply", "Talk:Bridge", "c-Bob-20240301120000", "-m", "First.")
        try closeOutbox(program)
        for _ in 1...2 {
            let result = await program.run(words + source, input: input)
            #expect(result.exitCode != .done)
            let path = try #require(Self.path(in: result.error), "\(result.error)")
            #expect(path.contains("_EDITMSG") || path.contains("/EDIT_"), "\(path)")
            #expect(result.error.contains(", where the editor of the same command finds it"), "\(result.error)")
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "Four, I say.")
        }
        try closeOutbox(program, false)
        let queued = await program.run(words + source, input: input)
        #expect(queued.exitCode == .done, "\(queued.error)")
        let left = try FileManager.default.contentsOfDirectory(
            atPath: program.store.appending(path: ".git/git-talk").path)
        #expect(left.filter { $0.contains("EDIT") || $0.hasPrefix("refused") } == [])
        let last = try #require(
            (try await program.run("outbox", "--json").json()["entries"] as? [[String: Any]])?.last)
        #expect(last["text"] as? String == "Four, I say.")
    }

    @Test func aTextIsKeptThatNobodyHadReadYet() async throws {
        let (program, page) = try await pulled()
        let word = await program.run("reply", page, "c-Nobody", "-m", "Four, I say.")
        #expect(Self.path(in: word.error)?.hasSuffix("/REPLY_EDITMSG") == true, "\(word.error)")
        let result = await program.run("reply", page, "c-Nobody", input: "Four, I say.")
        #expect(result.exitCode == .failure && result.error.contains("no comment of Talk:Bridge matches"))
        let path = try #require(Self.path(in: result.error))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "Four, I say.")
        let edit = await program.run("outbox", "edit", "0", input: "Six, I say.")
        let third = try #require(Self.path(in: edit.error))
        #expect(edit.exitCode == .failure && third.contains("/refused-"), "\(edit.error)")
        #expect(try String(contentsOfFile: third, encoding: .utf8) == "Six, I say.")
        let wrong = await program.run("reply", page, "c-Carol", "--expires", "soon", input: "Five, I say.")
        #expect(wrong.exitCode == .usage)
        let other = try #require(Self.path(in: wrong.error))
        #expect(other != path)
        #expect(try String(contentsOfFile: other, encoding: .utf8) == "Five, I say.")
    }

    /// A text that is at fault itself is corrected where it came from, and offered to no other reply.
    @Test func aTextOfTheCommandLineThatIsWrongIsNotKept() async throws {
        let (program, page) = try await pulled()
        let result = await program.run("reply", page, "c-Carol", "-m", "Much work.\n</div>")
        #expect(result.exitCode == .failure && !result.error.contains("kept"), "\(result.error)")
        #expect(!FileManager.default.fileExists(atPath: program.store.path + "/.git/git-talk/REPLY_EDITMSG"))
    }

    /// A lock of git's that a killed program left keeps the page from being made anew, and nobody from writing.
    @Test(arguments: [["reply", "Talk:Bridge", "c-Carol"], ["new", "Talk:Bridge", "-s", "Age"]])
    func aLockThatIsLeftOverKeepsNobodyFromWriting(words: [String]) async throws {
        let (program, _) = try await pulled()
        await program.run("reply", "Talk:Bridge", "c-Carol", "-m", "First.")
        let name = try program.git("for-each-ref", "--format=%(refname)", "refs/heads/pending")
            .trimmingCharacters(in: .newlines)
        let first = try program.git("rev-parse", name + "~1").trimmingCharacters(in: .newlines)
        try program.git("update-ref", name, first)
        let lock = program.store.appending(path: ".git/\(name).lock")
        try Data().write(to: lock)
        let result = await program.run(words + ["-m", "Second."])
        #expect(result.exitCode == .done, "\(result.error)")
        try FileManager.default.removeItem(at: lock)
        // The next one that writes, or a pull, makes the page whole.
        await program.run("reply", "Talk:Bridge", "c-Carol", "-m", "Third.")
        let shown = await program.run("show", "Talk:Bridge").output
        #expect(["First.", "Second.", "Third."].allSatisfy { shown.contains("    \($0)\n") }, "\(shown)")
    }

    @Test func aTextGoesToTheFirstPlaceThatTakesIt() throws {
        let good = TemporaryDirectory.current.appending(path: "good").path
        #expect(KeptText.write([65], toFirstOf: ["/nowhere/at/all", good, good + "2"]) == good)
        #expect(try Data(contentsOf: URL(filePath: good)) == Data([65]))
        #expect(KeptText.write([65], toFirstOf: ["/nowhere/at/all", good + "/file"]) == nil)
        #expect(KeptText.isFile(good) && !KeptText.isFile("/dev/null") && !KeptText.isFile("/nowhere"))
    }

    /// What the command line could not queue, the editor of the next call begins with.
    @Test(.enabled(if: BuiltProgram.find("script") != nil, "no script(1) of util-linux to make a terminal with"))
    func theEditorOffersWhatCouldNotBeQueued() throws {
        let program = try BuiltProgram(), paper = PaperWiki()
        try #require(try program.run("git-talk", "pull", paper.page).status == 0)
        let lock = program.store.appending(path: ".git/git-talk/outbox.lock")
        try FileManager.default.createDirectory(at: lock, withIntermediateDirectories: true)
        let refused = try program.run("git-talk", "reply", "Talk:Bridge", "c-Carol", "-m", "Four, I say.")
        #expect(
            refused.error.contains("/REPLY_EDITMSG, where the editor of the same command finds it"), "\(refused.error)")
        let more = try program.script("more", #"sed -i 's/^Four, I say\.$/Four, as I say./' "$1""#)
        let again = try program.onTerminal("git-talk reply Talk:Bridge c-Carol", with: ["GIT_EDITOR": more])
        #expect(
            again.status != 0 && again.output.contains("your text is kept, and offered again by the same command"),
            "\(again.output)")
        try FileManager.default.removeItem(at: lock)
        let untouched = try program.script("untouched", "exit 0")
        let result = try program.onTerminal("git-talk reply Talk:Bridge c-Carol", with: ["GIT_EDITOR": untouched])
        #expect(result.status == 0, "\(result.output)")
        #expect(try program.run("git-talk", "outbox", "show", "0").output == "Four, as I say.\n")
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
        let path = try #require(Self.path(in: input.error))
        #expect(try Data(contentsOf: URL(filePath: path)) == Data([0x63, 0x61, 0x66, 0xE9]))
        let file = try program.run(
            "sh", "-c", #"printf 'caf\351' >latin; git-talk reply Talk:Bridge c-Carol -F latin"#)
        #expect(file.status == 1 && file.error.contains("the file latin is not text in UTF-8"))
        #expect(try program.run("git-talk", "outbox").output == "the outbox is empty\n")
    }
}
