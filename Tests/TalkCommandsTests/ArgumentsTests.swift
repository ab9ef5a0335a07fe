import TalkPages
import Testing

@testable import TalkCommands

@Suite struct ArgumentsTests {
    let options = [
        Option("message", letter: "m", value: "<text>", ""), Option("json", ""),
        Option("file", letter: "F", value: "<f>", ""), Option("number", letter: "n", value: "<n>", ""),
    ]

    @Test func takesEveryFormOfAnOption() throws {
        for words in [["-m", "hi"], ["-mhi"], ["--message", "hi"], ["--message=hi"]] {
            #expect(try Arguments(["a"] + words + ["b"], options: options)["message"] == "hi")
        }
        let arguments = try Arguments(["a", "--json", "-m", "-x", "--", "-b"], options: options)
        #expect(arguments.positional == ["a", "-b"])
        #expect(arguments.has("json"))
        #expect(arguments["message"] == "-x")
    }

    @Test func aNumberAloneIsHowMany() throws {
        for words in [["-20"], ["-n20"], ["-n", "20"]] {
            #expect(try Arguments(words, options: options)["number"] == "20", "\(words)")
        }
        #expect(throws: UsageError.self) { try Arguments(["-2x"], options: options) }
        #expect(throws: UsageError.self) { try Arguments(["-2"], options: [Option("all", "")]) }
    }

    @Test(arguments: [
        (["--mesage", "x"], "unknown option '--mesage'; did you mean '--message'?"),
        (["-q"], "unknown option '-q'"), (["-m"], "option '--message' needs a value"),
        (["--json=1"], "option '--json' takes no value"),
        (["-m", "one", "-m", "two"], "option '--message' was given twice"),
    ])
    func saysWhatIsWrong(words: [String], message: String) {
        let error = #expect(throws: UsageError.self) { try Arguments(words, options: options) }
        #expect(error?.message == message)
    }

    @Test func everyKindOfErrorHasItsExitCode() {
        let codes = TalkError.Kind.allCases.map { ExitCode($0).rawValue }
        #expect(codes == [1, 1, 1, 65, 1, 70, 75, 75, 75, 77])
    }

    @Test func everyVerbHasHelp() {
        for verb in Verbs.all {
            #expect(Help.text(verb).hasPrefix("usage: git talk \(verb.name)"))
            #expect(!verb.summary.hasSuffix("."))
            #expect(Help.overview(Verbs.all).contains("  \(verb.name) "))
        }
    }

    /// Of `outbox` each word has options of its own, and of what is for programs the details tell.
    @Test func everyUsageLineHasEveryOption() {
        for verb in Verbs.all where verb.group != .plumbing && verb.name != "outbox" {
            for option in verb.options {
                let names = ["--\(option.name)"] + (option.letter.map { ["-\($0)"] } ?? [])
                #expect(names.contains { verb.synopsis.contains($0) }, "\(verb.name) \(option.name)")
            }
        }
    }
}
