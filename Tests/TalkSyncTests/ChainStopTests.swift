import Foundation
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore
@testable import TalkSync

/// Kills the program while it posts a topic and the answers in it; the next one comes to the same end.
@Suite(.temporaryDirectory, .testWiki) struct ChainStopTests {
    /// Every so many changes of the disk and ends of requests; the first one differs from part to part of a chain.
    private static let stride = 3

    @Test func aChainComesToItsEndWhereverTheProgramDies() async throws {
        let stage = try await SendingStage("Chain dies")
        let steps = ProgramSteps(stopAt: nil)
        try await write("Undisturbed", on: stage)
        steps.watch(stage.proxy)
        try await stage.sync(faults: steps.faults)
        try expectChain("Undisturbed", on: stage)
        let names = steps.names
        #expect(names.count { $0 == "before edit" } == 3)
        stage.proxy.reset()

        let path = stage.path, title = stage.title
        for step in Swift.stride(from: 1, through: names.count, by: Self.stride) {
            let word = "Stopped at \(step), \(names[step - 1])"
            try await write(word, on: stage)
            await #expect(processExitsWith: .exitCode(77)) {
                [path = path as String, title = title as String, step = step as Int] in
                let stage = try SendingStage(path: path, title: title)
                let steps = ProgramSteps(stopAt: step)
                steps.watch(stage.proxy)
                try await stage.sync(faults: steps.faults)
            }
            stage.proxy.reset()
            for _ in 1...4 where try stage.store.outbox().entries.contains(where: { $0.state.isPending }) {
                try await stage.sync()
                try await stage.tenMinutesPass()
            }
            try await stage.pull()
            try expectChain(word, on: stage)
            #expect(try await stage.pending() == [], "\(word)")
            #expect(try stage.store.reader.page(stage.page)?.pending == [], "\(word)")
        }
        #expect(try await stage.store.discarded() == [])
    }

    private func write(_ word: String, on stage: SendingStage) async throws {
        let topic = try await stage.topic(word, "\(word): one.")
        let second = try await stage.answer(topic, "\(word): two.")
        try await stage.answer(second, "\(word): three.")
    }

    /// The three stand on the wiki once, each below the one before.
    private func expectChain(_ word: String, on stage: SendingStage) throws {
        let text = try stage.wiki.text(of: stage.title)
        let lines = text.split(separator: "\n").map { $0.prefix { $0 != "[" } }
        let start = try #require(lines.firstIndex(of: "== \(word) =="), "\(text)")
        #expect(
            lines[start...].prefix(4).map(String.init) == [
                "== \(word) ==", "\(word): one. ", ":\(word): two. ", "::\(word): three. ",
            ])
        for part in ["one", "two", "three"] {
            #expect(text.ranges(of: "\(word): \(part).").count == 1, "\(word)")
        }
        #expect(try stage.store.outbox().entries.allSatisfy { $0.state == .posted }, "\(word)")
    }
}
