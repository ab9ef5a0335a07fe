import Foundation
import TalkPages
import TalkTestSupport
import Testing

@testable import TalkStore
@testable import TalkSync

/// Stops sending before each change of the disk, around the request that saves, and at each request.
///
/// The program is started again, and in the end the reply is on the wiki once, and nothing here says otherwise. One page and one store go through all of it: what one stop leaves behind, the next ones have to live with.
@Suite(.temporaryDirectory, .testWiki) struct StopAnywhereTests {
    @Test func comesToTheSameEndWhereverTheProgramDies() async throws {
        let stage = try await SendingStage("Dies")
        let steps = ProgramSteps(stopAt: nil)
        let whole = try await stage.reply("Undisturbed.")
        steps.watch(stage.proxy)
        try await stage.sync(faults: steps.faults)
        try await stage.expectPosted(whole, "Undisturbed.", edits: 1)
        let names = steps.names
        #expect(names.contains("write journal") && names.contains("before edit") && names.contains("after edit"))
        stage.proxy.reset()

        let path = stage.path, title = stage.title
        for step in 1...names.count {
            let text = "Stopped at \(step), \(names[step - 1])."
            let comment = Comment(rawValue: text)
            let id = try await stage.reply(text)
            await #expect(processExitsWith: .exitCode(77)) {
                [path = path as String, title = title as String, step = step as Int] in
                let stage = try SendingStage(path: path, title: title)
                let steps = ProgramSteps(stopAt: step)
                steps.watch(stage.proxy)
                try await stage.sync(faults: steps.faults)
            }
            stage.proxy.reset()
            try await finish(stage, text)
            let entry = try stage.journal(id)
            #expect(entry.state == .posted && entry.reply.text == text, comment)
            #expect(try stage.copies(text) == 1, comment)
        }
        try await expectWhole(stage)
    }

    @Test func comesToTheSameEndWhereverTheNetworkGoes() async throws {
        let stage = try await SendingStage("Network")
        let whole = try await stage.reply("Undisturbed.")
        try await stage.sync()
        try await stage.expectPosted(whole, "Undisturbed.", edits: 1)
        let kinds = stage.proxy.calls.map(\.kind)
        // From the second round on the session is there.
        stage.proxy.reset()
        for step in 1...kinds.count {
            for isSaved in kinds.contains("edit") ? [false, true] : [false] {
                let text = "No network from \(step) on, \(isSaved)."
                let comment = Comment(rawValue: text)
                let id = try await stage.reply(text)
                stage.proxy.add { call in
                    call.number < step ? nil : call.number == step && isSaved ? .loseAnswer : .refuse
                }
                _ = try? await stage.sync()
                let wasEdit = stage.proxy.calls.count >= step && stage.proxy.calls[step - 1].kind == "edit"
                stage.proxy.reset()
                try await finish(stage, text)
                #expect(try stage.journal(id).state == .posted, comment)
                #expect(try stage.copies(text) == 1, comment)
                // Only of the request that saves it matters whether it arrived.
                if !wasEdit { break }
            }
        }
        try await expectWhole(stage)
    }

    @Test func keepsTheTextOfAReplyThatIsSetAside() async throws {
        let stage = try await SendingStage("Aside")
        let steps = ProgramSteps(stopAt: nil)
        try await stage.reply("Undisturbed.")
        try await Self.setAside(stage, steps.faults)
        let names = steps.names
        #expect(names.contains("move discarded reference") && names.contains("delete pending branch"))

        let path = stage.path, title = stage.title
        for step in 1...names.count {
            let text = "Stopped at \(step), \(names[step - 1])."
            let comment = Comment(rawValue: text)
            let id = try await stage.reply(text)
            await #expect(processExitsWith: .exitCode(77)) {
                [path = path as String, title = title as String, step = step as Int] in
                let stage = try SendingStage(path: path, title: title)
                try await Self.setAside(stage, ProgramSteps(stopAt: step).faults)
            }
            #expect(try stage.journal(id).reply.text == text, comment)
            try await Self.setAside(stage, .none)
            // Nothing is new, but what is shown is put right.
            try await stage.pull()
            #expect(try stage.journal(id).state == .discarded, comment)
            #expect(try await stage.store.discarded(id)?.text == text, comment)
            let shown = try #require(try stage.store.reader.page(stage.page))
            #expect(shown.pending == [], comment)
            #expect(try await stage.pending() == [], comment)
        }
    }

    /// What a sync does with replies that have expired.
    private static func setAside(_ stage: SendingStage, _ faults: StoreFaults) async throws {
        let store = try Store.open(at: stage.path, wait: 10, faults: faults)
        let fitting = PendingFitting(store: store, wiki: stage.site)
        for entry in try store.outbox().entries where entry.state.isPending {
            _ = try await fitting.setAside(entry, reason: "it came too late")
        }
        try await fitting.healAll()
    }

    /// What the next commands do: at once, and once more when time has passed.
    private func finish(_ stage: SendingStage, _ text: String) async throws {
        let comment = Comment(rawValue: text)
        for _ in 1...2 {
            try await stage.sync()
            if try stage.store.outbox().entries.allSatisfy({ !$0.state.isPending }) { break }
            try await stage.tenMinutesPass()
        }
        #expect(try await stage.pending() == [], comment)
        #expect(stage.proxy.count("edit") <= 1, comment)
        // A page that nobody waits for any more is brought back when it is pulled.
        try await stage.pull()
        let shown = try #require(try stage.store.reader.page(stage.page))
        let html = shown.content.lede + shown.content.sections.map(\.html).joined()
        #expect(html.ranges(of: text).count == 1, comment)
        #expect(shown.pending == [], comment)
    }

    private func expectWhole(_ stage: SendingStage) async throws {
        let store = try stage.store
        #expect(try await store.discarded() == [])
        #expect(try store.outbox().unreadable == [])
        let references = try runGit(["for-each-ref", "--format=%(refname)"], in: stage.path).output
        #expect(references.split(separator: "\n").count == 2)
        #expect(try runGit(["fsck", "--strict", "--no-dangling"], in: stage.path).output == "")
        let shown = try #require(try store.reader.page(stage.page))
        let tip = try await store.tip(of: stage.page)
        #expect(shown.stamp.commit == tip?.commit && shown.pending == [])
    }
}
